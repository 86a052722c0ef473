/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_H
#define SONDE_TRACEFS_H

#include "compat/base/error.h"
#include "compat/resolve/event.h"
#include "compat/kernel/kernel.h"

/*
 * What sonde makes in tracefs: a private instance, and a private group of probe events. Each is
 * owned by a flock on its directory, held for life; a directory whose lock can be had belonged to a
 * sonde that died, and is removed by the next one that starts. No pid is looked at: it means
 * nothing in another namespace.
 */
struct probes;		/* a group of kprobe and uprobe events */

/* Removes instances and probe groups of dead sonde processes. Called before anything is made. */
void tracefs_sweep(struct kernel *k);
void tracefs_sweep_at(const char *tracefs);

/* An own group, empty. probes_free() removes its events, unless another process does (detach.h). */
struct probes *probes_new(struct kernel *k, struct error *err);
void probes_free(struct probes *p, bool remove);
/*
 * Makes the probe of a kprobe, kretprobe, uprobe or uretprobe event (with event->fetch as its
 * arguments), reads the definition and its format back, sets event->id and event->probe, and fails
 * if any argument is not where event->layout->inputs says. Events that are the same share one
 * probe.
 */
int probes_add(struct probes *p, struct event *event, struct error *err);
/* The group's name (after the first probes_add()), and an event's name in it. */
const char *probes_group(const struct probes *p);
const char *probes_name(const struct event *event, char *buffer, unsigned int size);
/* Hits the kernel says it skipped, over all kprobes of the group; -1: this kernel does not tell. */
int probes_missed(const struct probes *p, uint64_t *missed);
/*
 * False where more may have been missed than probes_missed() tells: old kernels do not count
 * returns of functions.
 */
bool probes_tell(const struct probes *p);
/* Whether each input of the event is where the format says; what probes_add() checks. */
int probes_check(const struct event *event, const struct format *format, struct error *err);

/*
 * An own instance: its directory's path, or NULL and err. instance_free() removes it, unless
 * another process does.
 */
struct instance;
struct instance *instance_new(struct kernel *k, struct error *err);
const char *instance_path(const struct instance *i);
void instance_free(struct instance *i, bool remove);

/* Writes text to a file below dir with one write(2); -errno on failure. */
int tracefs_write(const char *dir, const char *file, const char *text);
/* Reads a small file, NUL-terminated; its length or -errno (-EFBIG: it does not fit). */
int tracefs_read(const char *dir, const char *file, char *buffer, size_t size);
/* All of a file of any length, NUL-terminated; NULL: can't be read (errno). The caller frees. */
char *tracefs_text(const char *dir, const char *file);
/*
 * Opens a directory and takes its lock. The file descriptor, or -errno: -EWOULDBLOCK if somebody
 * has it, -ENOENT if the directory is gone (or became another one) meanwhile, which is seen only
 * once the lock is held.
 */
int tracefs_lock(const char *path);
/* Six random letters or digits that nobody else uses. */
void tracefs_random(char name[7]);
/*
 * Error text for what failed with `error` (an errno) in tracefs: why, and what to do. Returns -1.
 */
int tracefs_fail(struct error *err, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
