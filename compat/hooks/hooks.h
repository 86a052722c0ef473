/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOKS_H
#define SONDE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"
#include "compat/events/kind.h"

struct many;
struct place;
struct watch;

/*
 * A tool asks for a logical hook. Its alternatives say, best first, which probes of the kernel it
 * can use, and where each logical input is (compat/events/fetch.h). Most hooks are rows of the
 * tables in hooks_*.c, and have a name. A hook made at run time has the same type, and must stay as
 * long as the plans made of it.
 */

/* What sonde does to test whether a function runs then (backends/tracefs/try.c). */
enum act { ACT_NONE, ACT_OPEN, ACT_CREATE, ACT_READ, ACT_WRITE, ACT_UNLINK, ACT_MKDIR, ACT_RMDIR,
	   ACT_CONNECT };

struct probe {
	uint8_t kind;		/* enum probe_kind */
	/*
	 * PROBE_KPROBE, PROBE_KRETPROBE: the act that makes the function run. It is tried if there
	 * are signs that calls bypass the function (compat/resolve/bypass.h).
	 */
	uint8_t try;		/* enum act */
	/* always tried: some kernels have the function, but calls bypass it */
	bool doubtful;
	bool optional;		/* some kernels lack it; the alternative works without it */
	/* PROBE_COMPAT: 32-bit tasks may use the 64-bit tasks' function */
	bool same;
	/*
	 * The user named the function: the name is a symbol's, and bypassing calls do not matter.
	 * If the kernel refuses the probe, the engine goes on without it.
	 */
	bool named;
	/* PROBE_KPROBE, PROBE_UPROBE: offset from the function's beginning */
	uint32_t offset;
	/* PROBE_COUNTER: a sample each so many counts; 0: the constant COUNTER_PERIOD says it */
	uint32_t period;
	/* PROBE_COUNTER: accesses to memory, not a counter; of a hook made at run time */
	const struct watch *watch;
	/* user space: a known place, which is not searched for; NULL: none */
	const struct place *place;
	const struct many *many;	/* PROBE_KMULTI and the like: the functions */
	const char *name;
	const char *inputs;
	/* tracepoints: an event filter that drops only events that the programs would drop */
	const char *filter;
};

enum { FOR_BPF = 1, FOR_RING = 2 };

struct alternative {
	/*
	 * Hooks of one group have the same word before the dot. All hooks of a group use
	 * alternatives of one family, so that both halves of a join have the same key with the same
	 * meaning. NULL goes with any family.
	 */
	const char *family;
	uint8_t targets;	/* FOR_BPF, FOR_RING; 0: both */
	/* the current task is not the acting one: its identity means nothing */
	bool foreign;
	bool no_compat;		/* misses 32-bit tasks of a 64-bit kernel */
	bool requests;		/* requests of io_uring pass here, too */
	const char *with;	/* another hook, without which this one is useless */
	/* a function that exists only on kernels for which these inputs are right */
	const char *needs;
	/* a system call of later kernels: these have the probes too, but they miss some calls */
	const char *until;
	/* a feature that it needs beside its probes; NULL: none */
	const enum feature *feature;
	/* of a hook made at run time: why this alternative is not used; NULL: it may be used */
	const char *never;
	/* another one does the same at a higher cost: its refusal is told, and not this one */
	bool spare;
	/* inputs that all its probes have beside their own; NULL: none */
	const char *inputs;
	/* an event filter for the rings' probes; it drops only events that programs would drop */
	const char *filter;
	/* All probes that are not optional are used together; at least one is there. */
	const struct probe *probes;
	unsigned int n_probes;
};

struct hook {
	const char *name;
	const char *what;
	/* its functions are in this module, unless that is built in; NULL: in the kernel itself */
	const char *module;
	/* a busy machine hits it often, and others pay: at what ("each read"); NULL: it does not */
	const char *often;
	const struct alternative *alternatives;
	unsigned int n_alternatives;
};

/* A table for each area of the kernel, in the files hooks_*.c. */
#define HOOK_AREAS(AREA) \
	AREA(files) AREA(gone) AREA(fs) AREA(vfs) AREA(mounts) AREA(processes) AREA(disks) \
	AREA(cpu) AREA(network) AREA(sockets) AREA(binds) AREA(memory) AREA(heap) \
	AREA(locks) AREA(tls) AREA(runtimes) AREA(databases) AREA(ttys)
/* ends with NULL; each table ends with an empty name */
extern const struct hook *const hooks[];
/* Returns NULL if no table has the name. */
const struct hook *hook_by_name(const char *name);

#endif
