/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKEND_H
#define SONDE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/local_clock.h"
#include "backends/stacks/stack_marks.h"
#include "compat/base/error.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"
#include "compat/time/wall.h"
#include "insns/lower/lower.h"
#include "insns/program.h"

/*
 * A plan: everything that an engine needs to run a tool, and nothing of the tool itself. A program
 * is lowered and loaded once for each layout of inputs, and attached to all events that have it.
 */

/* A program, lowered for all events of one kind and layout. */
struct plan_program {
	const struct program *program;
	const struct event *event;	/* the first of them */
	struct lowered code;
};

struct attachment {
	/* NULL: a part (event.h), or an event that runs nothing. */
	const struct plan_program *program;
	struct event *event;
	unsigned int n_parts;		/* so many attachments before this one are its parts */
	bool filtered;			/* hits of tasks that are not wanted change nothing */
};

struct plan {
	enum target target;
	unsigned int n_attachments;
	struct attachment *attachments;
	unsigned int n_programs;
	struct plan_program *programs;
	unsigned int n_maps;
	struct map *maps;		/* lowered code names them by their numbers */
	bool needs_tasks;		/* a program asks for tgid or comm */
	/* the only ones that are wanted; none: all are, or a command that is started later */
	const uint32_t *processes;
	unsigned int n_processes;
	bool command;			/* it, and its children */
	const struct task_scope *scope;	/* of the tasks that are wanted; NULL: all are */
	bool unwound;			/* stacks of user space without frame pointers are wanted */
	/* the user named the engine: it also does what works, but is not safe */
	bool forced;
};

/* A thread in user space, as perf copies it: PERF_SAMPLE_REGS_USER and PERF_SAMPLE_STACK_USER. */
struct user_copy {
	uint32_t pid;			/* of its process, in sonde's pid namespace */
	uint64_t time;
	bool narrow;			/* it has 32 bits on a 64-bit kernel */
	const uint8_t *registers;	/* u64 each, those of the mask; not aligned */
	const uint8_t *stack;		/* what is at its stack pointer */
	uint64_t size;
};

/* Who finds a thread's callers by its stack's memory, where it has no frame pointers. */
struct unwinder {
	void *arg;
	uint64_t registers;		/* a mask of perf's numbers */
	uint32_t stack;			/* bytes to copy at most, a multiple of 8 */
	/*
	 * It finds the newest function's caller alone, which a walk by frame pointers may leave
	 * out: its place is behind that function in what the kernel found. Else it finds all.
	 */
	bool between;
	/*
	 * Addresses, the newest first, and marks (insns/stack_mark.h): at the end if they are not
	 * all, and in front of what may be a caller. Their number; 0: it can't tell, and what the
	 * kernel found by frame pointers is used.
	 */
	unsigned int (*walk)(void *arg, const struct user_copy *copy, uint64_t *addresses,
			     unsigned int most);
};

struct engine_options {
	/* of each CPU's ring; a ring buffer map has so many for each CPU; 0: the engine chooses */
	unsigned int buffer_pages;
	FILE *verbose;			/* -v: what was done, line by line; NULL: silence */
	/* of stacks of user space; it lives as long as the engine; NULL or without walk(): none */
	const struct unwinder *unwinder;
	/*
	 * For engines of rings whose records have times of the kernel's own clock: it lives as long
	 * as the engine. NULL: their times stay as they are.
	 */
	const struct local_clock *clock;
	/* the file of records that the replay engine runs (backends/replay/replay.h) */
	const char *replay;
};

/* What the engine knows of its own losses, since start(). */
struct engine_stats {
	uint64_t seen;			/* events that were run; bpf: records that were read */
	uint64_t lost;			/* events or records that did not get here */
	uint64_t left_out;		/* of `lost`: without a sample, and the ring had room */
	uint64_t late;			/* that came after their turn: dropped, each makes a gap */
	uint64_t unpaired;		/* that waited for their other half at a gap: at most */
	uint64_t full;			/* entries that a map had no room for */
	uint64_t missed;		/* hits of probes for which the kernel ran nothing */
	uint64_t returns;		/* of `missed`: of calls, as the thread's next one proves */
	/* calls that began and were not seen to return: they may go on; finish() adds to it */
	uint64_t unreturned;
	uint64_t switches;		/* of `missed`: switches of tasks that were not recorded */
	uint64_t strings;		/* strings that are unknown: evicted, or not readable */
	/* ns that CPUs were online and not traced, over all of them: nobody counts what was lost */
	uint64_t uncovered;
	uint64_t removed;		/* bpf: ns for which others may have removed programs */
	bool missed_known;		/* this kernel tells `missed` */
	/* bpf: the main thread of the plan's `process` ended before others: these go on unseen */
	bool unseen;
};

struct engine;
/* `output`: the map of the plan that it came through. The record is valid during the call only. */
typedef void (*record_fn)(void *arg, unsigned int output, const void *record, uint32_t size);
/* The value of a PERCPU_ARRAY is the sum over CPUs. */
typedef void (*entry_fn)(void *arg, const void *key, const void *value);

/* Who has numbers of stacks, beside the plan's maps. */
struct stack_holders {
	bool taken;			/* results were, just before */
	record_fn record;		/* gets records that come meanwhile */
	void *arg;
	/* marks those that are kept elsewhere, when all records before have been handed over */
	void (*held)(void *arg, struct stack_marks *marks);
};

struct backend {
	const char *name;		/* bpf, perf, ftrace, replay */
	enum target target;
	bool tracer;			/* it has the kernel's function tracer */
	/* Features without which a kernel can't serve this engine; FEATURES behind the last. */
	const enum feature *needs;
	/*
	 * Returns -1, and says in err why, if it can't take a plan that others of its target can.
	 * Makes nothing. NULL: it takes all.
	 */
	int (*refuse)(struct kernel *k, const struct plan *plan, struct error *err);
	/*
	 * How many bytes wait in an output before a program wakes the reader, for these
	 * engine_options.buffer_pages. Lowering needs it before there is an engine (the constant
	 * "ring_wakeup"). NULL: programs wake nobody.
	 */
	uint64_t (*wakeup_bytes)(struct kernel *k, unsigned int buffer_pages);
	/*
	 * Makes probes, maps and programs, and attaches them; nothing is delivered before start().
	 * NULL and err on failure, with nothing left behind. The plan lives as long as the engine.
	 */
	struct engine *(*open)(struct kernel *k, struct plan *plan, const struct engine_options *o,
			       struct error *err);
	int (*start)(struct engine *e, struct error *err);
	/*
	 * Waits until now() is `until`, rings fill, a signal comes, or a tenth of a second is over.
	 * Then delivers the records whose turn it is, in the order of time. Returns their number,
	 * or -1.
	 */
	int (*poll)(struct engine *e, uint64_t until, record_fn record, void *arg,
		    struct error *err);
	/*
	 * The time of this engine, in ns: CLOCK_MONOTONIC; of replay, how far the file was run. An
	 * interval's or a run's end is a time of this clock.
	 */
	uint64_t (*now)(const struct engine *e);
	/* Has the file ended, so that no event comes any more? NULL: a kernel has no end. */
	bool (*ended)(const struct engine *e);
	/* Puts the time of day of its times into `w`. NULL: they are of this machine's clocks. */
	void (*wall)(const struct engine *e, struct wall *w);
	/*
	 * Hands over what was added to a result map since the last take, and forgets it: between
	 * two takes nothing is lost or counted twice. Ring engines first run every event up to now.
	 * Entries with a count of 0 are left out. The first u32 of a hash key, its epoch (EPOCH in
	 * insn.h), is 0 in what is handed over. Of another hash all entries are handed over, and
	 * kept; after stop() they are those of that moment, if programs heed EPOCH.
	 */
	int (*take)(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		    struct error *err);
	/* Puts an entry into a map; value NULL: removes it, if it is there. */
	int (*set)(struct engine *e, unsigned int map, const void *key, const void *value,
		   struct error *err);
	/* 0; -1: there is no such entry */
	int (*get)(struct engine *e, unsigned int map, const void *key, void *value);
	/*
	 * Throws away stacks to which nobody refers any more, if there are many: neither a map
	 * whose layouts have fields of that type (FIELD_STACK), nor one of the holders. Programs
	 * run on, and no number comes to mean another stack while somebody has it.
	 */
	int (*renew)(struct engine *e, const struct stack_holders *holders, struct error *err);
	/*
	 * Events that happen after this are left out. The polls and takes that follow deliver all
	 * that happened before. Fast.
	 */
	void (*stop)(struct engine *e);
	/* Exact after stop() and a last poll. */
	void (*stats)(struct engine *e, struct engine_stats *s);
	/*
	 * Detaches and removes everything. That is slow (synchronize_rcu() for each event), so
	 * another process does it (detach.h).
	 */
	void (*close)(struct engine *e);
};

extern const struct backend backend_bpf, backend_perf, backend_ftrace;
/* In order of preference; NULL-terminated. */
extern const struct backend *const backends[];

#endif
