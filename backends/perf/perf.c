// SPDX-License-Identifier: GPL-2.0
#include "backends/backend.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "backends/perf/cpu_watch.h"
#include "backends/tracefs/detach.h"
#include "backends/perf/perf_channel.h"
#include "backends/kinds/kinds.h"
#include "backends/stream/stream.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/resolve/identity.h"

/*
 * Of each CPU's ring, unless the user asks for another size. A wakeup costs as much as two hundred
 * events, and comes when a ring is filled to a quarter. Who lacks CAP_IPC_LOCK may lock
 * perf_event_mlock_kb a CPU, 516 as a rule, and before 5.16 little more: that holds both smaller
 * rings.
 */
#define RING_BYTES (512U << 10)
#define RING_BYTES_LIMITED (256U << 10)
#define TASK_BYTES (128U << 10)
#define WAIT_MS 200			/* records below the watermark wake nobody */
#define CPUS_NS 100000000ULL		/* how often the list of online CPUs is read */
/* And how often they are asked whether they were away: that wakes them. */
#define WATCH_NS 1000000000ULL

enum { EVENTS, TASKS, GROUPS };

/* One CPU, as long as it is online. */
struct cpu {
	bool open;
	struct cpu_watch watch;
	struct perf_channel channels[GROUPS];
};

struct engine {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	struct stream *stream;
	struct probes *probes;		/* NULL: the plan has none */
	struct perf_group groups[GROUPS];	/* the one of the tasks may be empty */
	unsigned int n_cpus;		/* that can be */
	struct cpu *cpus;
	int epoll;
	bool clock;			/* times are of a clock we can read */
	bool started, stopped;
	bool delivering;		/* in a callback of poll() */
	uint64_t newest;		/* without a clock: time of the youngest record read */
	uint64_t missed_before;		/* what the probes had missed at start() */
	uint64_t uncovered;		/* ns, over all CPUs that came online */
	uint64_t checked;		/* when the list of online CPUs was read, CLOCK_MONOTONIC */
	uint64_t watched;		/* and when each was asked whether it had been away */
};

/* A time of the rings' clock that is not before any record read: now, if we can tell. */
static uint64_t ring_now(const struct engine *e)
{
	return e->clock ? monotonic_ns() : e->newest + 1;
}

/* Opening. */

static bool same_filter(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

/*
 * The source of an event, made if there is none yet: attachments to the same tracepoint share one.
 */
static int add_source(struct perf_group *g, const struct event *e, uint32_t number)
{
	struct perf_source *s = NULL;

	int id = event_traits(e->kind)->timed ? 0 : e->id;

	for (unsigned int i = 0; i < g->n_sources; i++)
		if (g->sources[i].id == id)
			s = &g->sources[i];
	if (!s) {
		s = &g->sources[g->n_sources++];
		s->id = id;
		s->frequency = e->frequency;
		s->filter = e->filter;
		snprintf(s->name, sizeof(s->name), "%s%s%s", e->system,
			 e->system[0] ? ":" : "", e->name);
	} else if (!same_filter(s->filter, e->filter)) {
		s->filter = NULL;
	}
	s->abi |= e->layout->wants_abi;
	s->kernel_stack |= layout_wants(e->layout, IDENTITY_KERNEL_STACK);
	s->user_stack |= layout_wants(e->layout, IDENTITY_USER_STACK);
	g->stacked |= s->kernel_stack || s->user_stack || !s->id;
	if (array_room(&s->events, s->n_events, sizeof(*s->events)))
		return -1;
	s->events[s->n_events++] = number;
	return 0;
}

static int make_group(struct engine *e, struct perf_group *g, unsigned int most,
		      enum stream_share share,
		      unsigned int pages, struct error *err)
{
	g->share = share;
	g->pages = pages;
	g->clockid = e->clock;
	g->verbose = e->verbose;
	g->sources = calloc(most + 1, sizeof(*g->sources));
	return g->sources ? 0 : fail(err, "out of memory");
}

static int make_groups(struct engine *e, const struct engine_options *o, struct error *err)
{
	unsigned int page = sysconf(_SC_PAGESIZE), n_tasks;
	const struct event *tasks = stream_task_events(e->stream, &n_tasks);
	unsigned int bytes = kernel_capable(e->kernel, CAP_IPC_LOCK) ? RING_BYTES
								     : RING_BYTES_LIMITED;
	unsigned int pages = o->buffer_pages ? o->buffer_pages : (bytes + page - 1) / page;

	if (make_group(e, &e->groups[EVENTS], e->plan->n_attachments, STREAM_EVENTS, pages, err) ||
	    make_group(e, &e->groups[TASKS], n_tasks, STREAM_TASKS, (TASK_BYTES + page - 1) / page,
		       err))
		return -1;
	for (unsigned int i = 0; i < e->plan->n_attachments; i++)
		if (add_source(&e->groups[EVENTS], e->plan->attachments[i].event, i))
			return fail(err, "out of memory");
	for (unsigned int i = 0; i < n_tasks; i++)
		if (add_source(&e->groups[TASKS], &tasks[i], STREAM_TASK_EVENT + i))
			return fail(err, "out of memory");
	return perf_group_index(&e->groups[EVENTS], err) ? -1 :
		perf_group_index(&e->groups[TASKS], err);
}

static int make_probes(struct engine *e, struct error *err)
{
	unsigned int n = e->plan->n_attachments;
	unsigned int *order = calloc(n + 1, sizeof(*order));
	int result = order ? 0 : fail(err, "out of memory");

	if (order)
		stream_probe_order(e->plan, order);
	for (unsigned int i = 0; i < n && !result; i++) {
		struct event *event = e->plan->attachments[order[i]].event;

		if (!event_ops(event)->definition)
			continue;
		result = kernel_stopped(e->kernel, err);
		if (!result && !e->probes) {
			tracefs_sweep(e->kernel);
			e->probes = probes_new(e->kernel, err);
		}
		result = e->probes && !result ? probes_add(e->probes, event, err) : -1;
	}
	free(order);
	return result;
}

static void close_cpu(struct engine *e, unsigned int number)
{
	struct cpu *cpu = &e->cpus[number];

	for (unsigned int i = 0; cpu->open && i < GROUPS; i++)
		if (e->groups[i].n_sources)
			perf_channel_close(&cpu->channels[i]);
	if (cpu->open)
		cpu_watch_close(&cpu->watch);
	cpu->open = false;
}

/* 0, also if the CPU turns out to be offline. */
static int open_cpu(struct engine *e, unsigned int number, struct error *err)
{
	struct cpu *cpu = &e->cpus[number];
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int result = 0;

	for (unsigned int i = 0; i < GROUPS && !result; i++) {
		if (!e->groups[i].n_sources)
			continue;
		result = perf_channel_open(&cpu->channels[i], &e->groups[i], e->stream,
					   number, err);
		if (result && i > 0)
			perf_channel_close(&cpu->channels[EVENTS]);
		else if (!result && epoll_ctl(e->epoll, EPOLL_CTL_ADD,
					      perf_channel_fd(&cpu->channels[i]), &event))
			result = fail(err, "cannot wait for perf events: epoll_ctl: %s",
				      strerror(errno));
	}
	cpu->open = !result;
	if (cpu->open)
		cpu_watch_open(&cpu->watch, number);
	return result < 0 ? -1 : 0;
}

static int open_cpus(struct engine *e, struct error *err)
{
	unsigned int first, last, n = 0;
	char text[4096];
	const char *list = text;

	if (file_read(CPUS_ONLINE, text, sizeof(text)) < 0)
		return fail(err, "cannot tell which CPUs are online: " CPUS_ONLINE
			    " is not readable\n"
			    "sysfs must be mounted (mount -t sysfs sysfs /sys)");
	e->checked = e->watched = monotonic_ns();
	while (cpu_list_range(&list, &first, &last))
		for (; first <= last && first < e->n_cpus; first++) {
			if (open_cpu(e, first, err))
				return -1;
			n += e->cpus[first].open;
		}
	if (e->verbose)
		fprintf(e->verbose, "perf: %u events on %u CPUs, rings of %llu KB, %s\n",
			e->groups[EVENTS].n_sources + e->groups[TASKS].n_sources, n,
			(unsigned long long)perf_ring_size(e->groups[EVENTS].pages) / 1024,
			e->clock ? "CLOCK_MONOTONIC" : "the kernel's own clock");
	return 0;
}

/* Memory first: the events take their time. */
static void end(void *arg, bool remove)
{
	struct engine *e = arg;

	stream_free(e->stream);
	for (unsigned int i = 0; e->cpus && i < e->n_cpus; i++)
		close_cpu(e, i);
	if (e->epoll >= 0)
		close(e->epoll);
	probes_free(e->probes, remove);
	for (unsigned int i = 0; i < GROUPS; i++)
		perf_group_free(&e->groups[i]);
	free(e->cpus);
	free(e);
}

static void engine_close(struct engine *e)
{
	detach(e->kernel, end, e, e->probes);
}

static int set_up(struct engine *e, const struct engine_options *o, struct error *err)
{
	char possible[4096];

	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (e->epoll < 0)
		return fail(err, "cannot wait for perf events: epoll_create1: %s", strerror(errno));
	if (file_read(CPUS_POSSIBLE, possible, sizeof(possible)) < 0 ||
	    !(e->n_cpus = cpu_list_limit(possible)))
		return fail(err, "cannot tell how many CPUs there can be: " CPUS_POSSIBLE
			    " is not readable\n"
			    "sysfs must be mounted (mount -t sysfs sysfs /sys)");
	e->cpus = calloc(e->n_cpus, sizeof(*e->cpus));
	if (!e->cpus)
		return fail(err, "out of memory");
	e->stream = stream_new(e->kernel, e->plan, e->n_cpus, err);
	if (!e->stream)
		return -1;
	if (e->clock)
		stream_clock(e->stream, monotonic_ns);
	if (make_probes(e, err) || make_groups(e, o, err))
		return -1;
	return open_cpus(e, err);
}

/*
 * How long a text is that a probe copies, the traced program decides: up to 4 KB. Before 5.15 perf
 * takes records of 2048 bytes, and warns in the kernel's log of a longer one.
 */
static int refuse_texts(struct kernel *k, const struct plan *plan, struct error *err)
{
	if (kernel_has(k, FEATURE_PERF_LONG))
		return 0;
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;
		const struct layout *l = e->layout;

		for (unsigned int j = 0; l->fetch && j < l->n_inputs; j++)
			if (l->inputs[j].place == PLACE_DATA_LOC && !l->inputs[j].is_short)
				return fail(err, "perf's records of this kernel are too short for "
						 "what %s may copy (%s)",
					    e->name, l->inputs[j].name);
	}
	return 0;
}

/* Of a sample's task perf tells the ids in sonde's own namespace: 0 of all that are not in it. */
static int refuse_samples(struct kernel *k, const struct plan *plan, struct error *err)
{
	bool samples = false;

	for (unsigned int i = 0; i < plan->n_attachments; i++)
		samples |= event_traits(plan->attachments[i].event->kind)->timed;
	if (!samples || kernel_has(k, FEATURE_ROOT_PIDNS))
		return 0;
	return fail(err, "perf's samples do not tell whose they are outside of this pid namespace\n"
		    "run sonde on the host");
}

static int engine_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	return refuse_texts(k, plan, err) ? -1 : refuse_samples(k, plan, err);
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
	e->epoll = -1;
	e->clock = kernel_has(k, FEATURE_PERF_CLOCKID);
	if (set_up(e, o, err)) {
		engine_close(e);
		return NULL;
	}
	return e;
}

/* Running. */

static int enable(struct engine *e, unsigned int number, unsigned int group, struct error *err)
{
	struct cpu *cpu = &e->cpus[number];

	if (!cpu->open || !e->groups[group].n_sources)
		return 0;
	return perf_channel_enable(&cpu->channels[group], e->clock ? monotonic_ns() : e->newest,
				   err);
}

/*
 * Kprobes are skipped where one fires within another's handler; of uretprobes nobody counts what is
 * skipped.
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
	return 0;
}

static int drain_cpu(struct engine *e, unsigned int number, struct error *err)
{
	for (unsigned int i = 0; e->cpus[number].open && i < GROUPS; i++) {
		struct perf_channel *c = &e->cpus[number].channels[i];

		if (!e->groups[i].n_sources)
			continue;
		if (perf_channel_drain(c, ring_now(e)))
			return fail(err, "the perf ring of CPU %u holds what no kernel writes, or "
					 "memory ran out",
				    number);
		if (c->last > e->newest)
			e->newest = c->last;
	}
	return 0;
}

static int drain(struct engine *e, struct error *err)
{
	for (unsigned int i = 0; i < e->n_cpus; i++)
		if (drain_cpu(e, i, err))
			return -1;
	return 0;
}

static void settle_cpu(struct engine *e, unsigned int number)
{
	for (unsigned int i = 0; e->cpus[number].open && i < GROUPS; i++)
		if (e->groups[i].n_sources)
			perf_channel_settle(&e->cpus[number].channels[i], ring_now(e));
}

/* A CPU that came or went: what it did since the last look was not all seen. */
static int change_cpu(struct engine *e, unsigned int number, bool online, uint64_t since,
		      struct error *err)
{
	if (e->verbose)
		fprintf(e->verbose, "perf: CPU %u went %s\n", number,
			online ? "online" : "offline");
	if (online) {
		if (open_cpu(e, number, err) || enable(e, number, TASKS, err) ||
		    enable(e, number, EVENTS, err))
			return -1;
		e->uncovered += monotonic_ns() - e->checked;
	} else {
		if (drain_cpu(e, number, err))
			return -1;
		settle_cpu(e, number);
		close_cpu(e, number);
	}
	stream_gap(e->stream, number, since, ring_now(e), 0);
	return 0;
}

/*
 * A CPU that went and came back between two looks at the list: it is opened again with what the
 * list says next.
 */
static int find_away(struct engine *e, uint64_t now, struct error *err)
{
	uint64_t since = e->clock ? e->watched : e->newest;

	if (now - e->watched < WATCH_NS)
		return 0;
	for (unsigned int i = 0; i < e->n_cpus; i++) {
		uint64_t away = e->cpus[i].open ? cpu_watch_absence(&e->cpus[i].watch) : 0;

		if (!away)
			continue;
		if (change_cpu(e, i, false, since, err))
			return -1;
		/* change_cpu() adds what is since the last look at the list. */
		e->uncovered += away > now - e->checked ? away - (now - e->checked) : 0;
	}
	e->watched = now;
	return 0;
}

/*
 * Follows the list of online CPUs: perf events of a CPU that goes offline end, and do not come back
 * with it.
 */
static int follow_cpus(struct engine *e, struct error *err)
{
	uint64_t now = monotonic_ns(), since = e->clock ? e->checked : e->newest;
	unsigned int next = 0, first, last;
	char text[4096];
	const char *list = text;

	if (now - e->checked < CPUS_NS || file_read(CPUS_ONLINE, text, sizeof(text)) < 0)
		return 0;
	if (find_away(e, now, err))
		return -1;
	while (cpu_list_range(&list, &first, &last)) {
		for (; next < first && next < e->n_cpus; next++)
			if (e->cpus[next].open && change_cpu(e, next, false, since, err))
				return -1;
		for (; next <= last && next < e->n_cpus; next++)
			if (!e->cpus[next].open && change_cpu(e, next, true, since, err))
				return -1;
	}
	for (; next < e->n_cpus; next++)
		if (e->cpus[next].open && change_cpu(e, next, false, since, err))
			return -1;
	e->checked = now;
	return 0;
}

/* Up to where all rings are read once they are drained; asked before they are. */
static uint64_t deliverable(const struct engine *e)
{
	if (e->stopped)
		return UINT64_MAX;
	return e->clock ? monotonic_ns() - STREAM_DELAY_NS : e->newest;
}

static int engine_poll(struct engine *e, int timeout_ms, record_fn record, void *arg,
		       struct error *err)
{
	struct epoll_event woken[16];
	uint64_t until;
	int n;

	if (!e->stopped) {
		if (timeout_ms < 0 || timeout_ms > WAIT_MS)
			timeout_ms = WAIT_MS;
		epoll_wait(e->epoll, woken, 16, timeout_ms);
		if (follow_cpus(e, err))
			return -1;
	}
	until = deliverable(e);
	if (drain(e, err))
		return -1;
	e->delivering = true;
	n = stream_run(e->stream, until, record, arg);
	e->delivering = false;
	return n;
}

/* Runs every event up to now, on whichever CPU it is still being written. */
static int catch_up(struct engine *e, struct error *err)
{
	const struct timespec delay = { .tv_nsec = STREAM_DELAY_NS };
	uint64_t until;

	if (!e->clock && !e->stopped && drain(e, err))
		return -1;
	until = e->stopped ? UINT64_MAX : e->clock ? monotonic_ns() : e->newest;
	if (!e->stopped)
		nanosleep(&delay, NULL);
	if (drain(e, err))
		return -1;
	stream_run(e->stream, until, NULL, NULL);
	return 0;
}

static int engine_take(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		       struct error *err)
{
	if (map >= e->plan->n_maps)
		return fail(err, "there is no map number %u", map);
	/* From a record's callback the stream stands where that record is. */
	if (!e->delivering && e->started && catch_up(e, err))
		return -1;
	stream_take(e->stream, map, entry, arg);
	return 0;
}

static int engine_set(struct engine *e, unsigned int map, const void *key, const void *value,
		      struct error *err)
{
	return stream_set(e->stream, map, key, value, err);
}

static int engine_get(struct engine *e, unsigned int map, const void *key, void *value)
{
	return stream_get(e->stream, map, key, value);
}

static void engine_stop(struct engine *e)
{
	if (e->stopped)
		return;
	for (unsigned int i = 0; i < e->n_cpus; i++)
		if (e->cpus[i].open)
			e->uncovered += cpu_watch_absence(&e->cpus[i].watch);
	for (unsigned int i = 0; i < e->n_cpus; i++)
		for (unsigned int group = 0; e->cpus[i].open && group < GROUPS; group++)
			if (e->groups[group].n_sources)
				perf_channel_disable(&e->cpus[i].channels[group]);
	for (unsigned int i = 0; i < e->n_cpus; i++) {
		drain_cpu(e, i, NULL);
		settle_cpu(e, i);
	}
	e->stopped = true;
}

static void engine_stats(struct engine *e, struct engine_stats *s)
{
	stream_stats(e->stream, s);
	s->uncovered = e->uncovered;
	s->missed_known = count_missed(e, &s->missed);
	s->missed -= s->missed > e->missed_before ? e->missed_before : s->missed;
}

const struct backend backend_perf = {
	.name = "perf",
	.target = TARGET_RING,
	/* it rests on tracefs, which tells the numbers and formats of events */
	.needs = (const enum feature[]){ FEATURE_PERF, FEATURES },
	.refuse = engine_refuse,
	.open = engine_open,
	.start = engine_start,
	.poll = engine_poll,
	.take = engine_take,
	.set = engine_set,
	.get = engine_get,
	.stop = engine_stop,
	.stats = engine_stats,
	.close = engine_close,
};
