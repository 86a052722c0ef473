/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_H
#define SONDE_TRACEFS_H

#include "compat/base/error.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/*
 * What sonde makes in tracefs: an instance, and a group of probe events. Each has an owner, which
 * locks (flock) its directory as long as it needs it. If the directory is not locked, the owner is
 * done or dead, and any sonde that sweeps removes the directory. Pids would mean nothing in another
 * namespace.
 */
struct probes;		/* a group of kprobe and uprobe events */
struct holder;		/* keeps their files open, on some kernels (holder.h) */

/*
 * Removes what ended sondes have left, for a second at most, and unless another process is doing
 * so. Called before anything is made. Returns false if it was too much, or a signal ended it: then
 * detach_sweep() may do the rest.
 */
bool tracefs_sweep(struct kernel *k);
/* The same, even if another process is removing. `uprobes`: of which group (holder_uprobes()). */
void tracefs_sweep_at(const char *tracefs, const char *uprobes);
/*
 * The same for instances only, even if another process is removing. Called before rings are opened,
 * after which old instances may stay.
 */
void tracefs_sweep_instances(struct kernel *k);
/*
 * Removes until nothing is left, or until the rest is in use. One process does so at a time: others
 * return at once, and it also removes their things. But a process that alone may remove the
 * `uprobes` of a group waits for its lock. `alone`: this is a process of its own, which rests while
 * sondes start, ten seconds in all, and stays until those uprobes are gone.
 */
void tracefs_sweep_all(const char *tracefs, const char *uprobes, bool alone);
/* Returns true if the group has uprobes. */
bool tracefs_has_uprobes(const char *tracefs, const char *group);

/*
 * Makes an empty group. `apart`: each event gets a probe of its own; otherwise equal events share
 * one. probes_free() releases it: its events are swept. Returns NULL and sets err on failure.
 */
struct probes *probes_new(struct kernel *k, bool apart, struct error *err);
void probes_free(struct probes *p);
/* Transfers ownership of the holder of its uprobes' files. Returns NULL if none is needed. */
struct holder *probes_holder(struct probes *p);
/*
 * Makes the probe of an event, with event->layout->fetch as its arguments, and reads its format.
 * Sets event->id and event->probe. Returns -1 and sets err on failure, also if an argument is not
 * where event->layout->inputs says.
 */
int probes_add(struct probes *p, struct event *event, struct error *err);
/* The group's name (after the first probes_add()), and an event's name in it. */
const char *probes_group(const struct probes *p);
const char *probes_name(const struct event *event, char *buffer, unsigned int size);
/* Counts the hits that the group's kprobes missed. Returns -1 if the kernel does not count them. */
int probes_missed(struct probes *p, uint64_t *missed);
/*
 * After probes_missed(): returns false if the count is not exact. Old kernels do not count returns
 * of functions, and for probes that read memory they may count faults instead of hits.
 */
bool probes_tell(const struct probes *p);
/* The check of probes_add(): returns -1 and sets err if an input is not where the format says. */
int probes_check(const struct event *event, const struct format *format, struct error *err);

/* An instance. instance_free() releases it: it is swept. */
struct instance;
/* Returns NULL and sets err on failure. */
struct instance *instance_new(struct kernel *k, struct error *err);
/*
 * The same with a name that there is once. Returns NULL and sets errno if it can't be made; EBUSY:
 * another process has it.
 */
struct instance *instance_alone(struct kernel *k, const char *name);
const char *instance_path(const struct instance *i);
void instance_free(struct instance *i);

/* Writes text to a file below dir with one write(2). Returns -errno on failure. */
int tracefs_write(const char *dir, const char *file, const char *text);
/* Reads a small file, and adds a NUL. Returns its length or -errno (-EFBIG: it does not fit). */
int tracefs_read(const char *dir, const char *file, char *buffer, size_t size);
/* The content of a file, with a NUL. The caller frees. Returns NULL and sets errno on failure. */
char *tracefs_text(const char *dir, const char *file);
/*
 * Opens a directory and locks it. Returns the file descriptor, or -errno. -EWOULDBLOCK: it is
 * locked.
 * -ENOENT: the directory is gone, or another one now has its name; that is known only after the
 * lock is held.
 */
int tracefs_lock(const char *path);
/* Writes six random letters or digits. */
void tracefs_random(char name[7]);
/* Writes to err why something in tracefs failed with this errno, and what to do. Returns -1. */
int tracefs_fail(struct error *err, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Reads the kernel's own text on why it refused the definition of a probe with this name: many
 * reasons share one errno. Returns false if there is none, as before 5.2.
 */
bool tracefs_words(const char *tracefs, const char *name, char *words, size_t size);
/* As tracefs_fail(), if tracefs is missing. */
int tracefs_missing(struct error *err);

#endif
