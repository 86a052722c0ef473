/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_H
#define SONDE_TRACEFS_H

#include "compat/base/error.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/*
 * What sonde makes in tracefs: an instance, and a group of probe events. Each has an owner, which
 * holds a lock (flock) on its directory as long as it needs it. If nobody holds the lock, the owner
 * is done, or dead, and whoever sweeps removes the directory. Pids would tell nothing in another
 * namespace.
 */
struct probes;		/* a group of kprobe and uprobe events */
struct holder;		/* of their files, on some kernels (holder.h) */

/*
 * Removes what sondes that ended have left, as far as that goes at once, and unless somebody is
 * doing so. Called before anything is made.
 */
void tracefs_sweep(struct kernel *k);
/* The same, whoever else is removing. `uprobes`: of which group (holder_uprobes()). */
void tracefs_sweep_at(const char *tracefs, const char *uprobes);
/* Instances alone, whoever else is removing: before rings are opened, which may make them stay. */
void tracefs_sweep_instances(struct kernel *k);
/*
 * Removes until nothing is left, or what is left is in use. One process does so at a time: the
 * others come back at once, and it removes what they have left, too. But who alone may remove the
 * `uprobes` of a group waits for his turn. `alone`: in a process of its own, which rests while
 * sondes start, and stays until those uprobes are gone.
 */
void tracefs_sweep_all(const char *tracefs, const char *uprobes, bool alone);
bool tracefs_has_uprobes(const char *tracefs, const char *group);

/*
 * A group, empty. `apart`: each event gets a probe of its own; else those that are the same share
 * one. probes_free() gives it up: its events are swept.
 */
struct probes *probes_new(struct kernel *k, bool apart, struct error *err);
void probes_free(struct probes *p);
/* Hands over who holds the files of its uprobes; NULL: nobody has to. */
struct holder *probes_holder(struct probes *p);
/*
 * Makes the probe of an event (with event->layout->fetch as its arguments) and reads its format
 * back. Sets event->id and event->probe. Fails if an argument is not where event->layout->inputs
 * says.
 */
int probes_add(struct probes *p, struct event *event, struct error *err);
/* The group's name (after the first probes_add()), and an event's name in it. */
const char *probes_group(const struct probes *p);
const char *probes_name(const struct event *event, char *buffer, unsigned int size);
/* How many hits the kprobes of the group missed; -1: the kernel does not tell. */
int probes_missed(struct probes *p, uint64_t *missed);
/*
 * After probes_missed(). False: they may have missed more. Old kernels do not count returns of
 * functions, and what they count for probes that read memory may have been no hits, but faults.
 */
bool probes_tell(const struct probes *p);
/* What probes_add() checks: -1 and err if an input is not where the format says. */
int probes_check(const struct event *event, const struct format *format, struct error *err);

/* An instance. instance_free() gives it up: it is swept. */
struct instance;
struct instance *instance_new(struct kernel *k, struct error *err);
const char *instance_path(const struct instance *i);
void instance_free(struct instance *i);

/* Writes text to a file below dir with one write(2); -errno on failure. */
int tracefs_write(const char *dir, const char *file, const char *text);
/* Reads a small file, NUL-terminated: its length or -errno (-EFBIG: it does not fit). */
int tracefs_read(const char *dir, const char *file, char *buffer, size_t size);
/* All of a file, NUL-terminated; NULL and errno. The caller frees. */
char *tracefs_text(const char *dir, const char *file);
/*
 * Opens a directory and takes its lock. The file descriptor, or -errno. -EWOULDBLOCK: somebody has
 * it. -ENOENT: the directory is gone, or another one has its name meanwhile; that shows only after
 * the lock is held.
 */
int tracefs_lock(const char *path);
/* Six random letters or digits. */
void tracefs_random(char name[7]);
/* Says why something in tracefs failed with this errno, and what to do. Returns -1. */
int tracefs_fail(struct error *err, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * The kernel's own words for why it refused the definition of a probe of this name: many reasons
 * share one errno. False: it has none, as before 5.2.
 */
bool tracefs_words(const char *tracefs, const char *name, char *words, size_t size);
/* As tracefs_fail(), where there is no tracefs. */
int tracefs_missing(struct error *err);

#endif
