/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STREAM_H
#define SONDE_STREAM_H

#include <string.h>

#include "backends/backend.h"
#include "backends/stream/delay.h"
#include "backends/stream/merge.h"
#include "backends/vm/vm.h"

/*
 * What perf, ftrace and replay have in common: they read records from one ring a CPU, and push them
 * here. A stream merges the CPUs by time, keeps the task table, runs the programs, and
 * holds the maps.
 *
 * Order: a record runs once every CPU's ring was read to a point beyond its time, by stream_delay()
 * (delay.h). A record older than what already ran is late, dropped, counted, and acts as a gap.
 */

struct stream;

struct stream *stream_new(struct kernel *k, const struct plan *plan, unsigned int cpus,
		      struct error *err);
void stream_free(struct stream *r);

/*
 * The clock of the times pushed, where user space can read it: the task table can ask /proc again
 * after a gap then.
 */
void stream_clock(struct stream *r, uint64_t (*now)(void));

/* ns, for records whose times are of CLOCK_MONOTONIC. */
uint64_t stream_delay(const struct stream *r);
/* Sleeps for as long: who is writing a record now has written it then. */
void stream_wait_for_writers(const struct stream *r);
/*
 * What was begun at `began` (CLOCK_MONOTONIC) and should have taken `expected` ns has ended now: if
 * that was later, CPUs of this machine stop now and then, and the delay grows.
 */
void stream_saw(struct stream *r, uint64_t began, uint64_t expected);

/*
 * Counts switches of tasks that the kernel did not record, and drops what would be joined across
 * them (switches.h), if the plan follows switches.
 */
int stream_follow_switches(struct stream *r, struct kernel *k, struct error *err);

/*
 * Pushes one event of `cpu`, times of one CPU never going back by more than the kernel lets them;
 * the record is copied. `event` is the number of the attachment in the plan, or one of the task
 * table's own (stream_task_events()). Never from within a stream_run(). An event for which there is
 * no room is counted as lost; returns -1 then.
 */
int stream_push(struct stream *r, const struct sample *s);
/*
 * The same for engines that push many events of one CPU, all of the plan or all of the task table:
 * what is the same for all of them is asked once. The queue is good until the next stream_run();
 * NULL: there is none. False: it is not that simple, and takes stream_push().
 */
enum stream_share { STREAM_EVENTS = 1, STREAM_TASKS = 2 };
struct merge_queue *stream_queue(struct stream *r, enum stream_share share, uint32_t cpu);
static inline bool stream_append(struct merge_queue *q, uint64_t time, uint32_t tid, uint32_t event,
				 const void *record, uint32_t size);
/*
 * Where the attachment wants stacks (layout_wants_stack()), the record pushed is what perf writes:
 * u64 the number of addresses; the addresses (struct sample); u32 the size of the record; the
 * record, and what else there is behind it.
 */
#define STREAM_STACKED_HEAD (sizeof(uint64_t) + sizeof(uint32_t))
/*
 * `count` events of `cpu` were lost between the times from and to; 0: perhaps some, or an unknown
 * number. From `from` on, no join entry lives to see the next event, on any CPU, until `to`:
 * whatever is taken for its other half may belong to one that was lost. Counts into stats.lost.
 */
int stream_gap(struct stream *r, uint32_t cpu, uint64_t from, uint64_t to, uint64_t count);
/* The same for an engine that has rings for some of the events only: which ones were lost. */
int stream_gap_in(struct stream *r, unsigned int share, uint32_t cpu, uint64_t from, uint64_t to,
		uint64_t count);
/*
 * Engines read about so much of a CPU before they run it, and then more: what they push is in the
 * caches still when it is run, and its queue stays as small.
 */
#define STREAM_ROUND_BYTES (64U << 10)
/*
 * Runs everything up to `until` (ns), in order; UINT64_MAX: all there is. Records go to `record`;
 * if that is NULL they are kept for the next call that has one. The number of records handed over.
 * Does nothing from within itself.
 */
int stream_run(struct stream *r, uint64_t until, record_fn record, void *arg);

/*
 * Events that the tables of tasks must see, besides the plan's: the caller attaches each tracepoint
 * and pushes its records with `event` = STREAM_TASK_EVENT + index. Empty where the plan needs no
 * such table, as stream_follows_tasks() tells before there is a stream.
 * Call stream_seed() when they are on and before the plan's events are: so whatever changed since
 * the seed is in the stream.
 */
#define STREAM_TASK_EVENT 0x1000
static inline bool stream_follows_tasks(const struct plan *plan)
{
	return plan->needs_tasks || plan->scope;
}
const struct event *stream_task_events(struct stream *r, unsigned int *n);
void stream_seed(struct stream *r);
/* A task known from the beginning, for engines without a /proc to read. */
void stream_task(struct stream *r, uint32_t tid, uint32_t tgid, const char *comm);

/*
 * backend.h's take, set, get, and this machine's share of the stats (seen, late, full, strings,
 * lost by stream_gap(), switches that were not recorded).
 */
void stream_take(struct stream *r, unsigned int map, entry_fn entry, void *arg);
int stream_set(struct stream *r, unsigned int map, const void *key, const void *value,
	       struct error *err);
int stream_get(struct stream *r, unsigned int map, const void *key, void *value);
/* renew of backend.h, when all records have been handed over. */
int stream_renew(struct stream *r, const struct stack_holders *holders, struct error *err);
void stream_stats(const struct stream *r, struct engine_stats *s);

/*
 * A queue holds nothing that is older than what was run. So what is no older than its last entry is
 * not late.
 */
static inline bool stream_append(struct merge_queue *q, uint64_t time, uint32_t tid, uint32_t event,
				 const void *record, uint32_t size)
{
	struct merge_entry *e = q ? merge_push_end(q, time, size) : NULL;

	if (!e)
		return false;
	e->kind = event;
	e->tid = tid;
	memcpy(e->data, record, size);
	return true;
}

#endif
