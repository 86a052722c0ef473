/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOKS_H
#define SONDE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"
#include "compat/events/kind.h"

struct many;
struct place;

/*
 * A tool asks for a logical hook. Its alternatives say, best first, which probes of the kernel
 * serve it, and where each logical input is found there (compat/events/fetch.h). Most hooks are
 * rows of the tables in hooks_*.c, and have a name; a hook that is made at run time is of the same
 * type, and must outlive the plans made of it.
 */

/* What sonde does to see whether a function runs then (backends/tracefs/try.c). */
enum act { ACT_NONE, ACT_OPEN, ACT_CREATE, ACT_READ, ACT_WRITE, ACT_UNLINK, ACT_MKDIR, ACT_RMDIR,
	   ACT_CONNECT };

struct probe {
	uint8_t kind;		/* enum probe_kind */
	/*
	 * PROBE_KPROBE, PROBE_KRETPROBE: the act that makes the function run. Where there are signs
	 * that calls go around the function (compat/resolve/bypass.h), it is tried.
	 */
	uint8_t try;		/* enum act */
	/* always tried: there are kernels that have the function, and pass it by */
	bool doubtful;
	bool optional;		/* not every kernel has it; the alternative serves without it */
	/* PROBE_COMPAT: 32-bit tasks that have no function of their own use the 64-bit tasks' */
	bool same;
	/*
	 * The user named it: the name is that of a symbol, and calls that go around it do not
	 * matter. Where the kernel refuses the probe the engine goes on without it.
	 */
	bool named;
	/* PROBE_KPROBE, PROBE_UPROBE: so far behind the function's beginning */
	uint32_t offset;
	/* of user space: where it is, so that it is not looked for; else NULL */
	const struct place *place;
	const struct many *many;	/* PROBE_KMULTI and the like: the functions */
	const char *name;
	const char *inputs;
	/* tracepoints: an event filter; it drops only what the programs would drop */
	const char *filter;
};

enum { FOR_BPF = 1, FOR_RING = 2 };

struct alternative {
	/*
	 * Both halves of a join come from one family (same key, same meaning): alternatives of one
	 * family serve all hooks of a group, which have the same word before the dot. NULL goes
	 * with any family.
	 */
	const char *family;
	uint8_t targets;	/* FOR_BPF, FOR_RING; 0: both */
	/* the current task is not the one that acts: its identity means nothing */
	bool foreign;
	bool no_compat;		/* 32-bit tasks of a 64-bit kernel never pass here */
	const char *with;	/* another hook, without which this one is useless */
	/* a function that only those kernels have for which these inputs are right */
	const char *needs;
	/* a system call of later kernels, on which these probes are there but miss some calls */
	const char *until;
	/* what the kernel or the machine needs beside its probes; NULL: nothing */
	const enum feature *feature;
	/* of a hook made at run time: why this one does not serve; NULL: it may */
	const char *never;
	/* inputs that all its probes have beside their own; NULL: none */
	const char *inputs;
	/* the same of event filters, for the rings; they drop only what the programs would drop */
	const char *filter;
	/* All that are not optional serve the hook together; at least one is there. */
	const struct probe *probes;
	unsigned int n_probes;
};

struct hook {
	const char *name;
	const char *what;
	/* its functions come with this module, unless that is built in; NULL: always there */
	const char *module;
	const struct alternative *alternatives;
	unsigned int n_alternatives;
};

/* A table for each area of the kernel, in the files hooks_*.c. */
#define HOOK_AREAS(AREA) \
	AREA(files) AREA(fs) AREA(vfs) AREA(mounts) AREA(processes) AREA(disks) AREA(cpu) \
	AREA(network) AREA(memory) AREA(heap)
/* NULL-terminated; each table ends with an empty name */
extern const struct hook *const hooks[];
/* NULL: no table has it */
const struct hook *hook_by_name(const char *name);

#endif
