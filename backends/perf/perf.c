// SPDX-License-Identifier: GPL-2.0
#include "backends/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "backends/kinds/kinds.h"
#include "backends/perf/cgroup_ids.h"
#include "backends/perf/cpu_follow.h"
#include "backends/perf/task_band.h"
#include "backends/perf/perf_channel.h"
#include "backends/perf/perf_probes.h"
#include "backends/perf/perf_refuse.h"
#include "backends/perf/perf_sources.h"
#include "backends/poll.h"
#include "backends/stream/stream.h"
#include "backends/tracefs/detach.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "insns/lower/whose.h"

#define TASK_BYTES (128U << 10)

enum { EVENTS, TASKS, GROUPS };

/*
 * All channels of a CPU are closed while it is offline. The channel of a group without sources is
 * never open.
 */
struct cpu {
	struct perf_channel channels[GROUPS];
};

struct engine {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	unsigned int wait_ms;		/* as in engine_options */
	struct stream *stream;
	struct probes *probes;		/* NULL: the plan has none */
	struct perf_group groups[GROUPS];	/* TASKS may have no sources */
	unsigned int n_cpus;		/* possible CPUs */
	struct cpu *cpus;
	struct cpu_follow follow;
	struct task_band namespaces, lives;
	struct cgroup_ids cgroups;	/* open if samples tell the cgroups of the scope */
	bool tells_whose;		/* samples tell cgroups of version 2, for MAP_WHOSE */
	struct task_scope rest;		/* the part of the scope that samples do not tell */
	struct plan plan_of_rest;	/* the plan with this part as its scope */
	int epoll;
	bool clock;			/* records have times of CLOCK_MONOTONIC */
	bool started, stopped;
	bool delivering;		/* in a callback of poll() */
	/* for use without `clock`: the time of the youngest record, now and at follow_cpus() */
	uint64_t newest, newest_then;
	uint64_t missed_before;		/* hits that the probes had missed before start() */
	uint64_t left_out;		/* events without a sample, though the ring had room */
};

/*
 * A time of the rings' clock that is not before any record that was read: the current time, if
 * user space can read this clock.
 */
static uint64_t ring_now(const struct engine *e)
{
	return e->clock ? monotonic_ns() : e->newest + 1;
}

static int make_group(struct engine *e, const struct engine_options *o, struct perf_group *g,
		      unsigned int most, enum stream_share share, unsigned int pages,
		      struct error *err)
{
	g->share = share;
	g->pages = pages;
	g->clockid = e->clock;
	g->clock = e->clock ? NULL : o->clock;
	g->verbose = e->verbose;
	g->unwinder = o->unwinder && o->unwinder->walk ? o->unwinder : NULL;
	g->cgroups = share == STREAM_EVENTS && (e->cgroups.scope || e->tells_whose);
	/* each may have a twin */
	g->sources = calloc(2 * most + 1, sizeof(*g->sources));
	return g->sources ? 0 : fail(err, "out of memory");
}

static int make_groups(struct engine *e, const struct engine_options *o, struct error *err)
{
	unsigned int page = sysconf(_SC_PAGESIZE), n_tasks;
	const struct event *tasks = stream_task_events(e->stream, &n_tasks);
	unsigned int pages = o->buffer_pages;

	if (!pages)
		pages = (perf_group_bytes(e->kernel, e->plan) + page - 1) / page;
	if (make_group(e, o, &e->groups[EVENTS], e->plan->n_attachments, STREAM_EVENTS, pages,
		       err) ||
	    make_group(e, o, &e->groups[TASKS], n_tasks, STREAM_TASKS,
		       (TASK_BYTES + page - 1) / page, err))
		return -1;
	if (perf_sources_add(&e->groups[EVENTS], e->plan, err))
		return -1;
	for (unsigned int i = 0; i < n_tasks; i++)
		if (perf_source_add(&e->groups[TASKS], &tasks[i], STREAM_TASK_EVENT + i, NULL))
			return fail(err, "out of memory");
	if (perf_sources_of_tasks(&e->groups[EVENTS], e->plan))
		e->groups[EVENTS].wants = e->plan;
	return perf_group_index(&e->groups[EVENTS], err) ? -1 :
		perf_group_index(&e->groups[TASKS], err);
}

/* NULL: it is closed. */
static struct perf_channel *channel(const struct engine *e, unsigned int cpu, unsigned int group)
{
	struct perf_channel *c = &e->cpus[cpu].channels[group];

	return perf_channel_is_open(c) ? c : NULL;
}

static int enable(struct engine *e, unsigned int cpu, unsigned int group, struct error *err)
{
	struct perf_channel *c = channel(e, cpu, group);

	return c ? perf_channel_enable(c, e->clock ? monotonic_ns() : e->newest, err) : 0;
}

static void close_channels(struct engine *e, unsigned int cpu)
{
	for (unsigned int i = 0; i < GROUPS; i++)
		perf_channel_close(&e->cpus[cpu].channels[i]);
}

static int open_channel(struct engine *e, unsigned int cpu, unsigned int group, struct error *err)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct perf_channel *c = &e->cpus[cpu].channels[group];
	int result;

	if (!e->groups[group].n_sources)
		return 0;
	result = perf_channel_open(c, &e->groups[group], e->stream, cpu, err);
	if (!result && epoll_ctl(e->epoll, EPOLL_CTL_ADD, perf_channel_fd(c), &event))
		result = fail_with(err, errno, "can't wait for perf events: epoll_ctl: %m");
	return result;
}

/*
 * The task table's events are enabled first: the table then knows all that happens to tasks before
 * the plan's first event.
 */
static int open_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct engine *e = arg;
	int result = 0;

	for (unsigned int i = 0; i < GROUPS && !result; i++)
		result = open_channel(e, cpu, i, err);
	if (!result && e->started && (enable(e, cpu, TASKS, err) || enable(e, cpu, EVENTS, err)))
		result = -1;
	if (result)
		close_channels(e, cpu);
	return result;
}

static int drain_channel(struct engine *e, struct perf_channel *c, uint64_t most,
			 struct error *err)
{
	if (perf_channel_drain(c, most, ring_now(e)))
		return fail(err, "the perf ring of CPU %u holds a record that no kernel writes, "
				 "or memory ran out", c->cpu);
	if (c->last > e->newest)
		e->newest = c->last;
	return 0;
}

static int drain_cpu(struct engine *e, unsigned int cpu, struct error *err)
{
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct perf_channel *c = channel(e, cpu, i);

		if (c && drain_channel(e, c, UINT64_MAX, err))
			return -1;
	}
	return 0;
}

static void settle_cpu(struct engine *e, unsigned int cpu)
{
	for (unsigned int i = 0; i < GROUPS; i++)
		if (channel(e, cpu, i))
			e->left_out += perf_channel_settle(channel(e, cpu, i), ring_now(e));
}

static int close_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct engine *e = arg;
	int result = drain_cpu(e, cpu, err);

	if (!result)
		settle_cpu(e, cpu);
	close_channels(e, cpu);
	return result;
}

static void on_unseen(void *arg, unsigned int cpu, uint64_t since)
{
	struct engine *e = arg;

	stream_gap(e->stream, cpu, e->clock ? since : e->newest_then, ring_now(e), 0);
}

static const struct cpu_owner owner = { open_cpu, close_cpu, on_unseen };

static int open_cpus(struct engine *e, struct error *err)
{
	e->follow = (struct cpu_follow){
		.owner = &owner,
		.arg = e,
		.list = CPUS_ONLINE,
		.n = e->n_cpus,
		.name = "perf",
		.verbose = e->verbose,
	};
	if (cpu_follow_begin(&e->follow, err))
		return -1;
	if (e->verbose)
		fprintf(e->verbose, "perf: %u events on %u CPUs, rings of %llu KB, %s\n",
			e->groups[EVENTS].n_sources + e->groups[TASKS].n_sources, e->follow.n_open,
			(unsigned long long)perf_ring_size(e->groups[EVENTS].pages) / 1024,
			e->clock ? "CLOCK_MONOTONIC" :
			e->groups[EVENTS].clock ? "the kernel's own clock and CLOCK_MONOTONIC" :
						  "the kernel's own clock");
	return 0;
}

/* Frees the stream's memory first, because closing the events takes long. */
static void end(void *arg)
{
	struct engine *e = arg;

	stream_free(e->stream);
	task_band_close(&e->namespaces);
	task_band_close(&e->lives);
	cgroup_ids_close(&e->cgroups);
	for (unsigned int i = 0; e->cpus && i < e->n_cpus; i++)
		close_channels(e, i);
	cpu_follow_free(&e->follow);
	if (e->epoll >= 0)
		close(e->epoll);
	probes_free(e->probes);
	for (unsigned int i = 0; i < GROUPS; i++)
		perf_group_free(&e->groups[i]);
	free(e->cpus);
	free(e);
}

static void engine_close(struct engine *e)
{
	detach(e->kernel, end, e, e->probes, probes_holder(e->probes));
}

static int set_up(struct engine *e, const struct engine_options *o, struct error *err)
{
	char possible[4096];
	int n;

	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (e->epoll < 0)
		return fail_with(err, errno, "can't wait for perf events: epoll_create1: %m");
	n = file_read(CPUS_POSSIBLE, possible, sizeof(possible));
	e->n_cpus = n < 0 ? 0 : cpu_list_limit(possible);
	if (!e->n_cpus)
		return fail_with(err, n < 0 ? -n : 0,
				 "can't find out how many CPUs this machine can have: "
				 CPUS_POSSIBLE ": %s%s",
				 n < 0 ? strerror(-n) : "it has no list", n == -ENOENT ?
				 "\nsysfs is required (mount -t sysfs sysfs /sys)" : "");
	e->cpus = calloc(e->n_cpus, sizeof(*e->cpus));
	if (!e->cpus)
		return fail(err, "out of memory");
	e->stream = stream_new(e->kernel, e->plan, e->n_cpus, err);
	if (!e->stream || stream_follow_switches(e->stream, e->kernel, err))
		return -1;
	if (e->cgroups.scope || e->tells_whose)
		stream_cgroups(e->stream, e->cgroups.scope ? cgroup_ids_find : NULL, &e->cgroups);
	if (e->tells_whose)
		stream_tells_whose(e->stream);
	if (e->clock)
		stream_clock(e->stream, monotonic_ns);
	if (perf_probes_make(e->kernel, e->plan, &e->probes, e->verbose, err) ||
	    make_groups(e, o, err) ||
	    task_band_of_namespaces(&e->namespaces, e->kernel, e->plan, e->stream, e->verbose,
				    err) ||
	    task_band_of_lives(&e->lives, e->kernel, e->stream, e->clock ? NULL : o->clock,
			       e->verbose, err))
		return -1;
	return open_cpus(e, err);
}

/* If samples have the cgroup of their task, the stream has to follow only the rest of the scope. */
static int know_cgroups(struct engine *e, struct error *err)
{
	const struct task_scope *scope = e->plan->scope;

	if (!cgroup_ids_told(e->kernel, scope))
		return 0;
	e->rest = perf_rest_of(e->kernel, e->plan);
	e->plan_of_rest = *e->plan;
	e->plan_of_rest.scope = &e->rest;
	e->plan = &e->plan_of_rest;
	return cgroup_ids_open(&e->cgroups, e->kernel, scope, e->verbose, err);
}

static struct engine *engine_open(struct kernel *k, struct plan *plan,
				  const struct engine_options *o,
				  struct error *err)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		fail(err, "out of memory");
		return NULL;
	}
	e->kernel = k;
	e->plan = plan;
	e->verbose = o->verbose;
	e->wait_ms = o->wait_ms;
	e->epoll = -1;
	e->clock = kernel_has(k, FEATURE_PERF_CLOCKID);
	e->tells_whose = whose_map(plan->maps, plan->n_maps) >= 0 && cgroup_ids_version2(k);
	if (know_cgroups(e, err) || set_up(e, o, err)) {
		engine_close(e);
		return NULL;
	}
	return e;
}

/*
 * Returns true if the kernel counts the hits that all probes of the plan missed. It misses hits of
 * a kprobe in the handler of another kprobe, and counts them. It does not count the hits that
 * uretprobes miss.
 */
static bool count_missed(const struct engine *e, uint64_t *missed)
{
	*missed = 0;
	for (unsigned int i = 0; i < e->plan->n_attachments; i++)
		if (event_ops(e->plan->attachments[i].event)->missed == MISSED_UNTOLD)
			return false;
	return !e->probes || (!probes_missed(e->probes, missed) && probes_tell(e->probes));
}

static int engine_start(struct engine *e, struct error *err)
{
	for (unsigned int i = 0; i < e->n_cpus; i++)
		if (enable(e, i, TASKS, err))
			return -1;
	stream_seed(e->stream);
	count_missed(e, &e->missed_before);
	for (unsigned int i = 0; i < e->n_cpus; i++)
		if (enable(e, i, EVENTS, err))
			return -1;
	e->started = true;
	/*
	 * When a CPU comes online later, the command runs already, and does not inherit events from
	 * sonde's thread any more: this CPU gets events of all tasks.
	 */
	if (e->plan->command)
		e->groups[EVENTS].wants = NULL;
	return 0;
}

static int drain(struct engine *e, struct error *err)
{
	for (unsigned int i = 0; i < e->n_cpus; i++)
		if (drain_cpu(e, i, err))
			return -1;
	return 0;
}

static int follow_cpus(struct engine *e, struct error *err)
{
	e->newest_then = e->newest;
	return cpu_follow(&e->follow, err);
}

/*
 * The time up to which this reading has read all rings; UINT64_MAX: it has reached the end of all
 * of them.
 */
static uint64_t reached(const struct engine *e)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int i = 0; i < e->n_cpus * GROUPS; i++) {
		const struct perf_channel *c = channel(e, i / GROUPS, i % GROUPS);

		if (c && !c->read && c->reached < least)
			least = c->reached;
	}
	return least;
}

/*
 * Reads a part of each ring that is behind: records of the other rings would only wait for it.
 * Lowers `until` to a time up to which all records have been read. Returns 1 if there is more to
 * read.
 */
static int drain_parts(struct engine *e, uint64_t *until, struct error *err)
{
	const uint64_t behind = reached(e), delay = stream_delay(e->stream);
	uint64_t least;

	for (unsigned int i = 0; i < e->n_cpus * GROUPS; i++) {
		struct perf_channel *c = channel(e, i / GROUPS, i % GROUPS);

		if (c && !c->read && c->reached <= behind &&
		    drain_channel(e, c, e->clock ? STREAM_ROUND_BYTES : UINT64_MAX, err))
			return -1;
	}
	least = reached(e);
	if (least == UINT64_MAX)
		return 0;
	if (least - delay < *until)
		*until = least - delay;
	return 1;
}

/* Reads the rings, and runs all records up to the time `until`. Returns like poll(). */
static int read_and_run(struct engine *e, uint64_t until, record_fn record, void *arg,
			struct error *err)
{
	int more, n = 0;

	if (task_band_read(&e->namespaces, err) || task_band_read(&e->lives, err) ||
	    cgroup_ids_read(&e->cgroups, err))
		return -1;
	for (unsigned int i = 0; i < e->n_cpus * GROUPS; i++)
		if (channel(e, i / GROUPS, i % GROUPS))
			perf_channel_begin(channel(e, i / GROUPS, i % GROUPS));
	do {
		uint64_t began = monotonic_ns(), complete = until;

		more = drain_parts(e, &complete, err);
		if (more < 0)
			return -1;
		stream_saw(e->stream, began, 0);
		e->delivering = true;
		n += stream_run(e->stream, complete, record, arg);
		e->delivering = false;
	} while (more);
	return n;
}

/*
 * The time up to which all records have been read, if the rings are read to their end after this
 * call.
 */
static uint64_t deliverable(const struct engine *e, uint64_t now)
{
	if (e->stopped)
		return UINT64_MAX;
	return e->clock ? now - stream_delay(e->stream) : e->newest;
}

static int engine_poll(struct engine *e, uint64_t until, record_fn record, void *arg,
		       struct error *err)
{
	const int ms = poll_ms(until, e->wait_ms);
	uint64_t began = monotonic_ns();
	struct epoll_event woken[16];

	if (!e->stopped) {
		if (!epoll_wait(e->epoll, woken, 16, ms))
			stream_saw(e->stream, began, (uint64_t)ms * NS_PER_MS);
		if (follow_cpus(e, err))
			return -1;
	}
	return read_and_run(e, deliverable(e, monotonic_ns()), record, arg, err);
}

/* Runs all events up to now. Records that a CPU is still writing are waited for. */
static int catch_up(struct engine *e, struct error *err)
{
	uint64_t until;

	if (!e->clock && !e->stopped && drain(e, err))
		return -1;
	until = e->stopped ? UINT64_MAX : e->clock ? monotonic_ns() : e->newest;
	if (!e->stopped)
		stream_wait_for_writers(e->stream);
	return read_and_run(e, until, NULL, NULL, err) < 0 ? -1 : 0;
}

static int engine_take(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		       struct error *err)
{
	if (map >= e->plan->n_maps)
		return fail(err, "there is no map number %u", map);
	/* In a record's callback the stream has run up to that record. */
	if (!e->delivering && e->started && catch_up(e, err))
		return -1;
	stream_take(e->stream, map, entry, arg);
	return 0;
}

static int engine_set(struct engine *e, unsigned int map, const struct entry *entry,
		      struct error *err)
{
	return stream_set(e->stream, map, entry, err);
}

static int engine_get(struct engine *e, unsigned int map, const void *key, void *value)
{
	return stream_get(e->stream, map, key, value);
}

static int engine_renew(struct engine *e, const struct stack_holders *holders, struct error *err)
{
	if (engine_poll(e, 0, holders->record, holders->arg, err) < 0)
		return -1;
	return stream_renew(e->stream, holders, err);
}

/* A disabled event may still be writing the record of its last hit: sonde waits for the record. */
static void engine_stop(struct engine *e)
{
	if (e->stopped)
		return;
	cpu_follow_stop(&e->follow);
	for (unsigned int i = 0; i < e->n_cpus; i++)
		for (unsigned int group = 0; group < GROUPS; group++)
			if (channel(e, i, group))
				perf_channel_disable(channel(e, i, group));
	stream_wait_for_writers(e->stream);
	for (unsigned int i = 0; i < e->n_cpus; i++) {
		drain_cpu(e, i, NULL);
		settle_cpu(e, i);
	}
	e->stopped = true;
}

static void engine_stats(struct engine *e, struct engine_stats *s)
{
	stream_stats(e->stream, s);
	s->left_out = e->left_out;
	s->uncovered = e->follow.uncovered;
	s->missed_known = count_missed(e, &s->missed);
	s->missed -= s->missed > e->missed_before ? e->missed_before : s->missed;
	s->missed += s->switches + s->returns;
}

const struct backend backend_perf = {
	.name = "perf",
	.target = TARGET_RING,
	.needs = (const enum feature[]){ FEATURE_PERF_SAMPLES, FEATURES },
	/* includes tracefs, which has the numbers and formats of events */
	.needs_untimed = (const enum feature[]){ FEATURE_PERF, FEATURES },
	.refuse = perf_refuse,
	.open = engine_open,
	.start = engine_start,
	.poll = engine_poll,
	.now = poll_now,
	.take = engine_take,
	.set = engine_set,
	.get = engine_get,
	.renew = engine_renew,
	.stop = engine_stop,
	.stats = engine_stats,
	.close = engine_close,
};
