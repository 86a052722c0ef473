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
#include "compat/recordings/recording.h"
#include "compat/time/wall.h"
#include "insns/lower/lower.h"
#include "insns/program.h"
/*
 * A plan: everything that an engine needs to run a tool, without the tool itself. A program is
 * lowered and loaded once for each layout of inputs, and attached to all events with that layout.
 */

/* A program, lowered for all events of one kind and layout. */
struct plan_program {
	const struct program *program;
	const struct event *event;	/* the first of these events */
	struct lowered code;
};

struct attachment {
	/* NULL: a part (event.h), or an event without a program */
	const struct plan_program *program;
	struct event *event;
	unsigned int n_parts;		/* number of its parts: the attachments before this one */
	bool filtered;			/* a hit of an unwanted task changes nothing */
};

/* The parts of an attachment, a->n_parts of them, and behind these the attachment itself. */
static inline const struct attachment *attachment_parts(const struct attachment *a)
{
	return a - a->n_parts;
}

struct plan {
	enum target target;
	unsigned int n_attachments;
	struct attachment *attachments;
	unsigned int n_programs;
	struct plan_program *programs;
	unsigned int n_maps;
	struct map *maps;		/* lowered code has their numbers */
	bool needs_tasks;		/* a program reads tgid or comm */
	/* the only wanted processes; none: all, or a command that is started later */
	const uint32_t *processes;
	unsigned int n_processes;
	bool command;			/* only a command and its children are wanted */
	const struct task_scope *scope;	/* of the wanted tasks; NULL: all */
	bool unwound;			/* user stacks are wanted without frame pointers */
	/* the user named the engine: unsafe alternatives that work are allowed */
	bool forced;
};

/* A thread's user state as perf copies it: PERF_SAMPLE_REGS_USER and PERF_SAMPLE_STACK_USER. */
struct user_copy {
	uint32_t pid;			/* of its process, in sonde's pid namespace */
	uint64_t time;
	bool narrow;			/* a 32-bit program on a 64-bit kernel */
	const uint8_t *registers;	/* u64 each, those of the mask; not aligned */
	const uint8_t *stack;		/* memory from the stack pointer on */
	uint64_t size;
};

/* Finds a thread's callers in its stack's memory, without frame pointers. */
struct unwinder {
	void *arg;
	uint64_t registers;		/* a mask of perf's numbers */
	uint32_t stack;			/* bytes to copy at most, a multiple of 8 */
	/*
	 * True: walk() finds only the caller of the newest function, which a walk by frame pointers
	 * may skip. The engine inserts the caller behind that function in the kernel's stack.
	 * False: walk() finds all.
	 */
	bool between;
	/*
	 * Writes addresses, newest first. A mark (insns/stack_mark.h) at the end says that callers
	 * are missing; a mark before an address says that it may be a caller. Returns their number;
	 * 0 if it finds none: the kernel's walk by frame pointers is used then.
	 */
	unsigned int (*walk)(void *arg, const struct user_copy *copy, uint64_t *addresses,
			     unsigned int most);
};

struct engine_options {
	/* pages of each CPU's ring; a ring buffer map has so many for each CPU; 0: the default */
	unsigned int buffer_pages;
	/* ms that records may wait in the rings; 0: a tenth of a second, as if somebody looks */
	unsigned int wait_ms;
	FILE *verbose;			/* -v: reports each step in a line; NULL: silent */
	/* for user stacks; must stay as long as the engine; NULL or without walk(): none */
	const struct unwinder *unwinder;
	/*
	 * For ring engines whose records have times of the kernel's own clock; must stay as long as
	 * the engine. NULL: times are not converted.
	 */
	const struct local_clock *clock;
	/* the file of records that the replay engine runs (backends/replay/replay.h) */
	const char *replay;
	/* a recording that it runs instead; must stay as long as the engine */
	struct recording *recording;
};

/* Counts since start(). */
struct engine_stats {
	uint64_t seen;			/* events that were run; bpf: records that were read */
	uint64_t lost;			/* events or records that did not arrive */
	uint64_t left_out;		/* of `lost`: without a sample, though the ring had room */
	/* of `lost`: rings: events of tasks of which it is unknown whether they were asked for */
	uint64_t undecided;
	uint64_t late;			/* records older than what already ran: each makes a gap */
	/* entries dropped at a gap before their second event: at most */
	uint64_t unpaired;
	uint64_t full;			/* entries without room in their map */
	uint64_t missed;		/* hits of probes for which the kernel ran no program */
	uint64_t returns;		/* of `missed`: returns, as a thread's next call proves */
	/* calls without a return: they may still return; finish() adds to it */
	uint64_t unreturned;
	uint64_t switches;		/* of `missed`: task switches that were not recorded */
	uint64_t strings;		/* unknown strings: evicted, or unreadable */
	/* ns of untraced time of online CPUs, summed over CPUs: losses in it are not counted */
	uint64_t uncovered;
	uint64_t removed;		/* bpf: ns in which others may have removed programs */
	bool missed_known;		/* this kernel counts `missed` */
	/* bpf: the main thread of the plan's process ended; its other threads are not traced */
	bool unseen;
};

struct engine;
/* `output`: number of the map that the record came through. The record is valid during the call. */
typedef void (*record_fn)(void *arg, unsigned int output, const void *record, uint32_t size);
/* The value of a PERCPU_ARRAY is the sum over CPUs. */
typedef void (*entry_fn)(void *arg, const void *key, const void *value);

/* An entry for a map. */
struct entry {
	const void *key;
	const void *value;		/* NULL: the entry is removed */
	/*
	 * The engine's time from which events find it. Ring engines run events late; those whose
	 * clock user space can't read, and bpf, put it there at once. 0: at once.
	 */
	uint64_t from;
};

/* Holders of stack numbers outside of the plan's maps. */
struct stack_holders {
	bool taken;			/* results were taken just before */
	record_fn record;		/* gets records that arrive meanwhile */
	void *arg;
	/* marks the held numbers, after all records so far have been handed over */
	void (*held)(void *arg, struct stack_marks *marks);
};

struct backend {
	const char *name;		/* bpf, perf, ftrace, replay */
	enum target target;
	bool tracer;			/* it has the kernel's function tracer */
	/* Features that this engine requires; ends with FEATURES. */
	const enum feature *needs;
	/*
	 * Features that it requires beside for events that are no samples; NULL: none. A plan
	 * without such events can be made without them.
	 */
	const enum feature *needs_untimed;
	/*
	 * Returns -1 and sets err if this engine can't run a plan that others of its target can.
	 * Makes nothing. NULL: it can run all.
	 */
	int (*refuse)(struct kernel *k, const struct plan *plan, struct error *err);
	/*
	 * How many bytes wait in an output before a program wakes the reader, for this
	 * engine_options.buffer_pages. Lowering uses it (the constant "ring_wakeup"), before there
	 * is an engine. NULL: programs wake no reader.
	 */
	uint64_t (*wakeup_bytes)(struct kernel *k, unsigned int buffer_pages);
	/*
	 * Makes probes, maps and programs, and attaches them; nothing is delivered before start().
	 * The plan must stay as long as the engine. On failure returns NULL, sets err, and leaves
	 * nothing behind.
	 */
	struct engine *(*open)(struct kernel *k, struct plan *plan, const struct engine_options *o,
			       struct error *err);
	int (*start)(struct engine *e, struct error *err);
	/*
	 * Waits until now() is `until`, rings fill, a signal comes, or engine_options.wait_ms are
	 * over. Then delivers the complete records, in the order of time. Returns their number, or
	 * -1 and sets err.
	 */
	int (*poll)(struct engine *e, uint64_t until, record_fn record, void *arg,
		    struct error *err);
	/*
	 * The engine's time in ns: CLOCK_MONOTONIC; of replay, the time up to which the file was
	 * run. The ends of intervals and of the run are times of this clock.
	 */
	uint64_t (*now)(const struct engine *e);
	/* Returns true if the file has ended, so no event will come. NULL: there is no file. */
	bool (*ended)(const struct engine *e);
	/*
	 * Sets `w` to convert the engine's times to times of day. NULL: this machine's clocks do.
	 */
	void (*wall)(const struct engine *e, struct wall *w);
	/*
	 * Hands over what was added to a result map since the last take, and removes it: nothing is
	 * lost or counted twice between two takes. Ring engines first run all events up to now.
	 * Entries with count 0 are left out. The first u32 of a hash key, its epoch (EPOCH in
	 * insn.h), is handed over as 0. Of another hash, or array with bpf, all entries are handed
	 * over and kept; after stop() they are those of that time, if programs obey EPOCH.
	 */
	int (*take)(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		    struct error *err);
	/*
	 * Puts an entry into a map, or removes it. Returns 1 if what is removed was not there, -1
	 * and sets err on failure.
	 */
	int (*set)(struct engine *e, unsigned int map, const struct entry *entry,
		   struct error *err);
	/*
	 * Adds the first u64 of the value to that of an entry, in one step: nothing is lost of what
	 * programs add meanwhile. Without an entry the value becomes one. For maps that the plan
	 * has for it (struct map, added). Returns 1 if it made the entry, 0 if not; -1, and sets
	 * err, on failure. NULL: get() and set() do the same, since sonde runs the programs.
	 */
	int (*add)(struct engine *e, unsigned int map, const void *key, const void *value,
		   struct error *err);
	/* Reads an entry. Returns -1 if there is none. */
	int (*get)(struct engine *e, unsigned int map, const void *key, void *value);
	/*
	 * Runs the program of an iterator, an attachment, for the next items, and hands over its
	 * records: all of them, and those of other events, behind the last item. Returns 1; 0
	 * behind the last item; -1, and sets err, on failure. NULL: the engine has no iterators.
	 */
	int (*walk)(struct engine *e, unsigned int attachment, record_fn record, void *arg,
		    struct error *err);
	/*
	 * Removes unused stacks, if there are many. A stack is in use if a map whose layouts have
	 * FIELD_STACK has its number, or if a holder has it. Programs run on; a number in use never
	 * comes to mean another stack.
	 */
	int (*renew)(struct engine *e, const struct stack_holders *holders, struct error *err);
	/*
	 * Events from now on are left out. Later polls and takes deliver all earlier ones. Fast.
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
