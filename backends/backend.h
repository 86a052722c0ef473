/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKEND_H
#define SONDE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/resolve/event.h"
#include "compat/kernel/kernel.h"
#include "insns/lower/lower.h"
#include "insns/program.h"

/*
 * A plan: everything an engine needs to run a tool, and nothing of the tool itself. Programs times
 * events: a program is lowered and loaded once for each layout of inputs, and attached to as many
 * events as have it.
 */

/* A program, lowered for all events of one kind and layout: loaded once. */
struct plan_program {
	const struct program *program;
	const struct event *event;	/* the first of them */
	struct lowered code;
};

struct attachment {
	/* NULL: a part (event.h), or an event only the engine's user wants seen. */
	const struct plan_program *program;
	struct event *event;
	unsigned int n_parts;		/* of the attachments before this one that are its parts */
};

struct plan {
	enum target target;
	unsigned int n_attachments;
	struct attachment *attachments;
	unsigned int n_programs;
	struct plan_program *programs;
	unsigned int n_maps;
	struct map *maps;		/* lowered code names maps by their number here */
	/* a program asks for tgid or comm: ring engines keep a task table */
	bool needs_tasks;
	/* the user named the engine: what works, but is not safe, is done */
	bool forced;
};

struct engine_options {
	/* of each CPU's ring (ringbuf: times the number of CPUs); 0: the engine's choice */
	unsigned int buffer_pages;
	FILE *verbose;			/* -v: what was done, line by line; NULL: silence */
	/* the file of records the replay engine runs (backends/replay/replay.h) */
	const char *replay;
};

/* What the engine knows of its own losses. Numbers count from start(). */
struct engine_stats {
	/* events handled (ring engines) or records received (bpf) */
	uint64_t seen;
	uint64_t lost;			/* records or events that did not get here */
	uint64_t late;			/* came after their turn, dropped and treated as gaps */
	uint64_t full;			/* entries a map had no room for */
	uint64_t missed;		/* probe hits the kernel itself says it skipped */
	uint64_t strings;		/* strings that were evicted or faulted: shown as unknown */
	/* ns during which CPUs that had come online were not traced yet: nobody counts that */
	uint64_t uncovered;
	bool missed_known;		/* this kernel tells `missed` */
	/* replay: the file has come to its end, nothing more will come */
	bool ended;
};

struct engine;
/* `output`: the plan's map through which it came. The record is valid during the call only. */
typedef void (*record_fn)(void *arg, unsigned int output, const void *record, uint32_t size);
/* PERCPU_ARRAY: the sum over CPUs */
typedef void (*entry_fn)(void *arg, const void *key, const void *value);

struct backend {
	const char *name;		/* bpf, perf, ftrace, replay */
	enum target target;
	/* Features without which a kernel can't serve this engine; FEATURES behind the last. */
	const enum feature *needs;
	/*
	 * Says with err, and -1, why it can't take a plan that others of its target can; makes
	 * nothing. NULL: takes all.
	 */
	int (*refuse)(struct kernel *k, const struct plan *plan, struct error *err);
	/*
	 * The bytes that wait in an output from which on a program wakes the reader up, for
	 * engine_options.buffer_pages: lowering needs it (the constant "ring_wakeup") before there
	 * is an engine. NULL: programs wake nobody.
	 */
	uint64_t (*wakeup_bytes)(struct kernel *k, unsigned int buffer_pages);
	/*
	 * Makes probes, maps and programs, attaches them; nothing is delivered before start(). NULL
	 * and err on failure, with nothing left behind. The plan must live as long as the engine.
	 */
	struct engine *(*open)(struct kernel *k, struct plan *plan, const struct engine_options *o,
			       struct error *err);
	int (*start)(struct engine *e, struct error *err);
	/*
	 * Waits up to timeout_ms (returns early when rings fill, or on a signal), then delivers
	 * what has become deliverable, in order of time. Returns the number of records, or -1.
	 */
	int (*poll)(struct engine *e, int timeout_ms, record_fn record, void *arg,
		    struct error *err);
	/*
	 * Hands over what was added to a result map since the last take, and forgets it: nothing is
	 * lost or counted twice between two takes. Ring engines first run every event up to now.
	 * Entries with a count of 0 are left out. The epoch that hash keys carry in their first u32
	 * (see EPOCH in insn.h) is 0 in what is handed over.
	 */
	int (*take)(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		    struct error *err);
	/* Puts an entry into a table (or any) map; value NULL: removes it. */
	int (*set)(struct engine *e, unsigned int map, const void *key, const void *value,
		   struct error *err);
	/* 0, or -1: no such entry */
	int (*get)(struct engine *e, unsigned int map, const void *key, void *value);
	/*
	 * No event after this; all that happened before is delivered by the polls and takes that
	 * follow. Fast.
	 */
	void (*stop)(struct engine *e);
	/* exact after stop() and a last poll */
	void (*stats)(struct engine *e, struct engine_stats *s);
	/*
	 * Detaches and removes everything, which is slow (synchronize_rcu per event): by another
	 * process (detach.h).
	 */
	void (*close)(struct engine *e);
};

extern const struct backend backend_bpf, backend_perf, backend_ftrace;
/* In order of preference; NULL-terminated. */
extern const struct backend *const backends[];

#endif
