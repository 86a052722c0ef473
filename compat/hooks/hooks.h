/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOKS_H
#define SONDE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kinds/kinds.h"

/*
 * A tool asks for a logical hook; its alternatives say, best first, which probes of the kernel
 * serve it, and where each logical input is found there (compat/resolve/fetch.h). Most hooks are rows of
 * the tables in hooks_*.c, found by name; one made at run time is the same, and outlives the plans
 * made of it.
 */

/* What sonde does to see whether a function runs when that is done (backends/tracefs/try.c). */
enum act { ACT_NONE, ACT_OPEN, ACT_CREATE, ACT_READ, ACT_WRITE, ACT_UNLINK, ACT_MKDIR, ACT_RMDIR };

struct probe {
	uint8_t kind;		/* enum probe_kind */
	/*
	 * PROBE_KPROBE, PROBE_KRETPROBE: the act that makes the function run, unless the compiler
	 * let calls of it go around it (compat/resolve/bypass.h). It is tried where there are signs of
	 * that.
	 */
	uint8_t try;		/* enum act */
	/* tried always: there are kernels on which the function is there, and does not run */
	bool doubtful;
	bool optional;		/* not every kernel has it, and the others serve without it */
	/* PROBE_COMPAT: where 32-bit tasks have no function of their own, they pass the others' */
	bool same;
	const char *name;
	const char *inputs;
	/* tracepoints: an event filter that drops only what the programs would drop */
	const char *filter;
};

enum { FOR_BPF = 1, FOR_RING = 2 };

struct alternative {
	/*
	 * The two halves of a join come from one family (same key, same meaning): all hooks of a
	 * group, the word before the dot, are served by alternatives of one family, or of none
	 * (NULL), which goes with any.
	 */
	const char *family;
	uint8_t targets;	/* FOR_BPF, FOR_RING; 0: both */
	/* the current task is not the one that acts: its identity means nothing */
	bool foreign;
	bool no_compat;		/* 32-bit tasks of a 64-bit kernel never come by here */
	const char *with;	/* another hook this one is worth nothing without */
	/* a function that only the kernels have for which these inputs are right */
	const char *needs;
	/* a system call of the kernels on which these probes are there, but miss some calls */
	const char *until;
	/* All that are not optional, one at least, serve the hook together. */
	const struct probe *probes;
	unsigned int n_probes;
};

struct hook {
	const char *name;
	const char *what;
	/*
	 * its functions are there once this module is loaded, unless it is built in; NULL: always
	 */
	const char *module;
	const struct alternative *alternatives;
	unsigned int n_alternatives;
};

/* A table an area of the kernel, in the files hooks_*.c. */
#define HOOK_AREAS(AREA) \
	AREA(files) AREA(fs) AREA(vfs) AREA(mounts) AREA(processes) AREA(disks) AREA(cpu) \
	AREA(network) AREA(memory)
/* NULL-terminated; each table ends with an empty name */
extern const struct hook *const hooks[];
/* of the tables; NULL: none of them has it */
const struct hook *hook_by_name(const char *name);

#endif
