/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STREAM_H
#define SONDE_STREAM_H

#include <string.h>

#include "backends/backend.h"
#include "backends/stream/delay.h"
#include "backends/stream/merge.h"
#include "backends/stream/stacked.h"
#include "backends/stream/tables/tasks.h"
#include "backends/vm/vm.h"

/*
 * What perf, ftrace and replay have in common: they read records from one ring for each CPU, and
 * push them here. A stream merges the CPUs by time, keeps the task table, runs the programs, and
 * holds the maps.
 *
 * Order: a record runs after every CPU's ring was read to a point stream_delay() beyond its time
 * (delay.h). A record older than one that has already run is late: it is dropped, counted, and
 * makes a gap.
 */

struct stream;

/* `cpus`: possible CPUs. Returns NULL and sets err on failure. */
struct stream *stream_new(struct kernel *k, const struct plan *plan, unsigned int cpus,
		      struct error *err);
void stream_free(struct stream *r);

/*
 * Sets the clock of the pushed times, if user space can read it: the task table can then read /proc
 * again after a gap, and entries of maps can be set from a time on. `now` NULL: the engine knows
 * its times otherwise, and there is no /proc to read.
 */
void stream_clock(struct stream *r, uint64_t (*now)(void));

/*
 * For an engine whose records have the cgroup of their task. The plan's scope then asks for
 * namespaces alone, or for nothing. Each record of the plan ends with 8 bytes that are no part of
 * it, the id of the cgroup. `find` tells whether the id is one of those that are wanted; NULL: the
 * user asked for none.
 */
void stream_cgroups(struct stream *r, enum in_scope (*find)(void *arg, uint64_t id), void *arg);
/* These ids are of version 2: the plan's MAP_WHOSE gets them. */
void stream_tells_whose(struct stream *r);

/* The delay in ns, for records whose times are of CLOCK_MONOTONIC. */
uint64_t stream_delay(const struct stream *r);
/* Sleeps for the delay: records being written now are complete then. */
void stream_wait_for_writers(const struct stream *r);
/*
 * Something that should take `expected` ns began at `began` (CLOCK_MONOTONIC) and has ended now. If
 * it took longer, CPUs of this machine stop now and then, and the delay grows.
 */
void stream_saw(struct stream *r, uint64_t began, uint64_t expected);

/*
 * If the plan follows switches: counts task switches that the kernel did not record, and drops
 * entries that would be joined across them (switches.h). Returns -1 and sets err on failure.
 */
int stream_follow_switches(struct stream *r, struct kernel *k, struct error *err);

/*
 * Pushes a copy of one event of a CPU. Times of one CPU may go back only as far as kernels let
 * them. `event` is the number of the attachment in the plan, or one of the task table's own
 * (stream_task_events()). Must not be called within stream_run(). Returns -1 if there is no room;
 * the event then counts as lost.
 */
int stream_push(struct stream *r, const struct sample *s);
/*
 * The same for engines that push many events of one CPU, all of the plan or all of the task table.
 * stream_queue() does the common work once. The queue is valid until the next stream_run(); NULL:
 * use stream_push(). stream_append() returns false in unusual cases: use stream_push() then.
 */
enum stream_share { STREAM_EVENTS = 1, STREAM_TASKS = 2 };
struct merge_queue *stream_queue(struct stream *r, enum stream_share share, uint32_t cpu);
static inline bool stream_append(struct merge_queue *q, uint64_t time, uint32_t tid, uint32_t event,
				 const void *record, uint32_t size);
/*
 * `count` events of `cpu` were lost between the times from and to; 0: perhaps some, or an unknown
 * number. Join entries, on any CPU, from before `to` are dropped: an event that seems to be an
 * entry's second half may belong to a lost one. Counts into stats.lost.
 */
int stream_gap(struct stream *r, uint32_t cpu, uint64_t from, uint64_t to, uint64_t count);
/* The same for an engine with rings for some of the events only: `share` of the events. */
int stream_gap_in(struct stream *r, unsigned int share, uint32_t cpu, uint64_t from, uint64_t to,
		uint64_t count);
/*
 * Engines read about so many bytes of a CPU before they run the stream, and then more: pushed
 * records are then still in the caches when they run, and queues stay small.
 */
#define STREAM_ROUND_BYTES (64U << 10)
/*
 * Runs all events up to `until` (ns), in order; UINT64_MAX: all. Records go to `record`; NULL: they
 * are kept for the next call with a `record`. Returns the number of records handed over. A call
 * from within itself does nothing.
 */
int stream_run(struct stream *r, uint64_t until, record_fn record, void *arg);

/*
 * Events that the tables of tasks need besides the plan's. The caller attaches each tracepoint and
 * pushes its records with `event` = STREAM_TASK_EVENT + index. There are none if the plan needs no
 * such table; stream_follows_tasks() tells so before there is a stream. stream_seed() is called
 * after these events are on and before the plan's events are: later changes are then in the stream.
 */
#define STREAM_TASK_EVENT 0x1000
static inline bool stream_follows_tasks(const struct plan *plan)
{
	return plan->needs_tasks || plan->scope;
}
const struct event *stream_task_events(struct stream *r, unsigned int *n);
/*
 * These events come in one order with the others of their CPU, as a recording has them, and not
 * from a ring of their own: of equal times, which some clocks have for ms, the first is the older.
 */
void stream_one_ring(struct stream *r);
/*
 * A task is in these namespaces from this time on; 0: unknown. Where the plan's scope asks for
 * namespaces, the caller pushes what perf tells (backends/perf/task_band.h).
 */
int stream_namespaces(struct stream *r, uint32_t cpu, uint64_t time, uint32_t tid,
		      const uint32_t numbers[SCOPE_NAMESPACES]);
/*
 * Returns true if the stream needs the lives of tasks, and the kernel has no tracepoints for them
 * here. The caller pushes with stream_life() what perf tells instead (backends/perf/task_band.h).
 */
bool stream_wants_lives(const struct stream *r);
int stream_life(struct stream *r, uint32_t cpu, uint64_t time, const struct task_life *life);
void stream_seed(struct stream *r);
/* Adds a task known from the beginning, for engines without a /proc to read. */
void stream_task(struct stream *r, uint32_t tid, uint32_t tgid, const char *comm);

/*
 * backend.h's take, set, get, and the stream's part of the stats (seen, late, full, strings, losses
 * of stream_gap(), switches that were not recorded).
 */
void stream_take(struct stream *r, unsigned int map, entry_fn entry, void *arg);
int stream_set(struct stream *r, unsigned int map, const struct entry *entry, struct error *err);
int stream_get(struct stream *r, unsigned int map, const void *key, void *value);
/* renew() of backend.h; to be called when all records have been handed over. */
int stream_renew(struct stream *r, const struct stack_holders *holders, struct error *err);
void stream_stats(const struct stream *r, struct engine_stats *s);

/*
 * All entries of a queue are newer than the events that have run. So an event is not late if it is
 * at least as new as the queue's last entry.
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
