/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RING_H
#define SONDE_RING_H

#include "backends/backend.h"
#include "backends/vm.h"

/*
 * What perf, ftrace and replay have in common: they read records from one ring a CPU, and push them
 * here. The ring machine merges the CPUs by time, keeps the task table, runs the programs, and
 * holds the maps.
 *
 * Order: a record runs once every CPU's ring was read to a point RING_DELAY_NS beyond its time.
 * That bound is a habit of kernels, not a promise: a record older than what already ran is late,
 * dropped, counted, and acts as a gap.
 */
#define RING_DELAY_NS 2000000ULL

struct ring;

struct ring *ring_new(struct kernel *k, const struct plan *plan, unsigned int cpus,
		      struct error *err);
void ring_free(struct ring *r);

/*
 * The clock of the times pushed, where user space can read it: the task table can ask /proc again
 * after a gap then.
 */
void ring_clock(struct ring *r, uint64_t (*now)(void));

/*
 * Pushes one event of `cpu`, times of one CPU never going back by more than the kernel lets them;
 * the record is copied. `event` is the number of the attachment in the plan, or one of the task
 * table's own (ring_task_events()). Never from within a ring_run(). An event there is no room for
 * is counted as lost; returns -1 then.
 */
int ring_push(struct ring *r, const struct sample *s);
/*
 * `count` events of `cpu` were lost between the times from and to; 0: perhaps some, or an unknown
 * number. From `from` on, no join entry lives to see the next event, on any CPU, until `to`:
 * whatever is taken for its other half may belong to one that was lost. Counts into stats.lost.
 */
int ring_gap(struct ring *r, uint32_t cpu, uint64_t from, uint64_t to, uint64_t count);
/* The same for an engine that has rings for some of the events only: which ones were lost. */
enum ring_share { RING_EVENTS = 1, RING_TASKS = 2 };
int ring_gap_in(struct ring *r, unsigned int share, uint32_t cpu, uint64_t from, uint64_t to,
		uint64_t count);
/*
 * Runs everything up to `until` (ns), in order; UINT64_MAX: all there is. Records go to `record`;
 * if that is NULL they are kept for the next call that has one. The number of records handed over.
 * Does nothing from within itself.
 */
int ring_run(struct ring *r, uint64_t until, record_fn record, void *arg);

/*
 * Events the task table must see, besides the plan's: the caller attaches each tracepoint and
 * pushes its records with `event` = RING_TASK_EVENT + index. Empty where the plan needs no tasks.
 * Call ring_seed() when they are on and before the plan's events are: so whatever changed since the
 * seed is in the stream.
 */
#define RING_TASK_EVENT 0x1000
const struct event *ring_task_events(struct ring *r, unsigned int *n);
void ring_seed(struct ring *r);
/* A task known from the beginning, for engines without a /proc to read. */
void ring_task(struct ring *r, uint32_t tid, uint32_t tgid, const char *comm);

/*
 * The order in which the plan's probes must be made: `order` gets the numbers of all attachments.
 * Probes of one function run in the opposite order for kprobes, uprobes and uretprobes (the kernel
 * puts each new one first in its list) and in the same for kretprobes, and parts must run before
 * their main event.
 */
void ring_probe_order(const struct plan *plan, unsigned int *order);

/*
 * backend.h's take, set, get, and this machine's share of the stats (seen, late, full, strings,
 * lost by ring_gap()).
 */
void ring_take(struct ring *r, unsigned int map, entry_fn entry, void *arg);
int ring_set(struct ring *r, unsigned int map, const void *key, const void *value);
int ring_get(struct ring *r, unsigned int map, const void *key, void *value);
void ring_stats(const struct ring *r, struct engine_stats *s);

#endif
