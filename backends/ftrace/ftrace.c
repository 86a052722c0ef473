// SPDX-License-Identifier: GPL-2.0
#include "backends/backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/poll.h"
#include "backends/tracefs/detach.h"
#include "backends/ftrace/ftrace_events.h"
#include "backends/ftrace/ftrace_functions.h"
#include "backends/ftrace/ftrace_read.h"
#include "backends/ftrace/ftrace_settings.h"
#include "backends/ftrace/ftrace_source.h"
#include "backends/ftrace/ftrace_try.h"
#include "backends/kinds/kinds.h"
#include "backends/stream/probe_order.h"
#include "backends/perf/task_band.h"
#include "backends/stream/tables/members.h"
#include "backends/stream/stream.h"
#include "backends/tracefs/graph.h"
#include "backends/tracefs/holder.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/clock.h"
#include "compat/resolve/identity.h"

#define BUFFER_KB 1024		/* of each CPU's ring */
#define TASKS_BUFFER_KB 128

/*
 * The plan's events and the task table's events have an instance each. So a flood of the plan's
 * events does not lose the names of tasks, and only lost events of the plan are counted.
 */
enum { PLAN, TASKS, SOURCES };

struct engine {
	struct kernel *kernel;
	FILE *verbose;
	unsigned int wait_ms;		/* as in engine_options */
	struct probes *probes;
	struct stream *stream;
	unsigned int n_sources;
	struct ftrace_source sources[SOURCES];
	struct ftrace_reader readers[SOURCES];
	struct ftrace_waiter waiter;
	/* the function graph tracer is set (graph.h), and who puts it back if sonde is killed */
	struct instance *graph;
	struct holder *graph_holder;
	struct task_band band;
	uint64_t newest;		/* the time of the youngest event of all finished rounds */
	uint64_t settled;		/* older events were in the rings when this reading began */
	bool stopped, finished;
	bool delivering;		/* in a callback of poll() */
	uint64_t missed_before;		/* hits that the probes had missed before start() */
};

static bool is_graph(const struct plan *plan)
{
	return plan && plan->n_attachments &&
	       event_traits(plan->attachments[0].event->kind)->graph;
}

/*
 * Makes what puts the settings back before they are changed: the mark, and a process that sweeps if
 * this one is killed. *path: the folder whose ring gets the records.
 */
static int begin_graph(struct engine *e, struct ftrace_reader *r, const char **path,
		       struct error *err)
{
	r->shared = !graph_in_instance(*path);
	e->graph_holder = holder_new(e->kernel, "", err);
	if (!e->graph_holder)
		return -1;
	e->graph = graph_mark(e->kernel, r->shared, err);
	if (!e->graph)
		return -1;
	if (r->shared)
		*path = kernel_tracefs(e->kernel);
	return 0;
}

static int set_graph(struct engine *e, const char *path, const struct plan *plan,
		     struct error *err)
{
	const struct many *functions = plan->attachments[0].event->many;
	unsigned int refused;

	if (graph_set(e->kernel, path, functions, &refused, err))
		return -1;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		plan->attachments[i].event->refused = refused;
	if (e->verbose)
		fprintf(e->verbose, "ftrace: function graph tracer of %s on %u functions\n", path,
			functions->n - refused);
	return 0;
}

/* Called before the rings are opened: from then on the kernel takes no other tracer. */
static int set_tracer(struct engine *e, const char *path, const struct plan *plan,
		      struct error *err)
{
	for (unsigned int i = 0; plan && i < plan->n_attachments; i++) {
		const struct many *functions = plan->attachments[i].event->many;

		if (event_traits(plan->attachments[i].event->kind)->graph)
			return set_graph(e, path, plan, err);
		if (!event_traits(plan->attachments[i].event->kind)->traced)
			continue;
		if (ftrace_functions_set(path, functions, err))
			return -1;
		if (e->verbose)
			fprintf(e->verbose, "ftrace: function tracer on %u functions\n",
				functions->n);
	}
	return 0;
}

/*
 * At a probe in a user program, and at a system call, the kernel has no stack yet. There ftrace
 * would record only its own functions. BPF and perf show no kernel stack there either.
 */
static bool has_kernel_stack(const struct event *event)
{
	return !event_traits(event->kind)->user && strcmp(event->system, "syscalls");
}

#define CUT_STACKS(HOW) \
	"the stacks that this kernel's ftrace records at tracepoints lack the innermost " \
	"functions (" HOW "): use --backend bpf or perf, whose stacks are whole"

/*
 * At a probe the kernel has registers, and knows where the stack begins. At a tracepoint it leaves
 * out a fixed number of functions, as many as should do the recording.
 */
static bool may_be_cut(const struct event *event)
{
	return event_traits(event->kind)->shared && has_kernel_stack(event) &&
	       layout_wants(event->layout, IDENTITY_KERNEL_STACK);
}

static int try_stacks(struct engine *e, const struct ftrace_reader *r, const struct plan *plan,
		      struct error *err)
{
	bool whole;

	if (ftrace_try_stacks(e->kernel, r->instance, r, &whole, err))
		return -1;
	for (unsigned int i = 0; plan && !whole && i < plan->n_attachments; i++)
		if (may_be_cut(plan->attachments[i].event))
			return fail(err, CUT_STACKS("one of sonde's own did"));
	return 0;
}

/* `plan`: the tracer of the instance traces the plan's functions; NULL: none. */
static int make_source(struct engine *e, unsigned int which, const struct plan *plan,
		       unsigned int pages, unsigned int kb, struct error *err)
{
	struct ftrace_reader *r = &e->readers[which];
	struct ftrace_source *s = &e->sources[which];
	const char *path, *clock;

	s->instance = instance_new(e->kernel, err);
	if (!s->instance)
		return -1;
	path = instance_path(s->instance);
	if (is_graph(plan) && begin_graph(e, r, &path, err))
		return -1;
	r->instance = path;
	if (ftrace_source_open(s, path, r->shared, err) ||
	    ftrace_settings(e->kernel, r, pages, kb, &clock, err))
		return -1;
	if (ftrace_stacks_recorded(&r->stacks) && try_stacks(e, r, plan, err))
		return -1;
	if (e->verbose)
		fprintf(e->verbose, "ftrace: instance %s, %u pages of %u bytes a CPU, clock %s\n",
			path, r->ring_pages, r->layout.size, clock);
	return set_tracer(e, path, plan, err) ? -1 : ftrace_reader_open(r, err);
}

static int hook(struct engine *e, unsigned int which, const char *system, const char *name,
		const char *filter, struct ftrace_target *target, struct error *err)
{
	return ftrace_events_add(&e->sources[which].events, e->kernel, system, name, filter, target,
				 &e->readers[which].targets, err);
}

static int enable_events(struct engine *e, unsigned int which, struct error *err)
{
	const struct ftrace_source *s = &e->sources[which];
	const struct ftrace_reader *r = &e->readers[which];

	return ftrace_events_enable(&s->events, r->instance,
				    r->shared ? instance_path(e->graph) : NULL, e->verbose, err);
}

/* The function tracer writes its records without an enabled event. */
static int trace_functions(struct engine *e, const struct event *event,
			   struct ftrace_target *target, struct error *err)
{
	const struct format *format = kernel_format(e->kernel, "ftrace", "function");
	const struct field *pid = format_field(format, "common_pid"),
			   *ip = format_field(format, "ip");

	if (!pid || !ip || ip->size > sizeof(uint64_t))
		return fail(err, "the records of the function tracer are not as expected");
	target->pid_offset = (uint16_t)pid->offset;
	target->functions = event->many;
	target->ip_offset = (uint16_t)ip->offset;
	target->ip_size = (uint8_t)ip->size;
	return ftrace_targets_add(&e->readers[PLAN].targets, format->id, target, err);
}

/* So does the function graph tracer. */
static int trace_graph(struct engine *e, const struct event *event, struct ftrace_target *target,
		       struct error *err)
{
	const struct format *format = kernel_format(e->kernel, event->system, event->name);
	const struct field *pid = format ? format_field(format, "common_pid") : NULL;

	if (!pid)
		return fail(err, "the records of the function graph tracer are not as expected");
	target->pid_offset = (uint16_t)pid->offset;
	return ftrace_targets_add(&e->readers[PLAN].targets, format->id, target, err);
}

static int add_attachment(struct engine *e, struct attachment *a, uint32_t number,
			  struct error *err)
{
	struct event *event = a->event;
	struct ftrace_target target = {
		.event = number,
		.stacked = layout_wants_stack(event->layout),
		.kernel_stack = has_kernel_stack(event),
	};
	char name[64];

	if (event_traits(event->kind)->traced)
		return trace_functions(e, event, &target, err);
	if (event_traits(event->kind)->graph)
		return trace_graph(e, event, &target, err);
	if (!event_ops(event)->definition)
		return hook(e, PLAN, event->system, event->name, event->filter, &target, err);
	if (!e->probes)
		e->probes = probes_new(e->kernel, false, err);
	event->refused = 0;
	if (!e->probes)
		return -1;
	if (probes_add(e->probes, event, err))
		return event_refused(event, err, e->verbose);
	return hook(e, PLAN, probes_group(e->probes), probes_name(event, name, sizeof(name)),
		    event->filter, &target, err);
}

static int add_attachments(struct engine *e, struct plan *plan, struct error *err)
{
	unsigned int *order = calloc(plan->n_attachments + 1, sizeof(*order)), i;
	int result = 0;

	if (!order)
		return fail(err, "out of memory");
	stream_probe_order(plan, order);
	for (i = 0; i < plan->n_attachments && !result; i++)
		result = kernel_stopped(e->kernel, err) ? -1 :
			 add_attachment(e, &plan->attachments[order[i]], order[i], err);
	free(order);
	return result ? result : plan_events_left(plan);
}

static int add_task_events(struct engine *e, struct error *err)
{
	const struct event *tasks;
	unsigned int i, n;

	tasks = stream_task_events(e->stream, &n);
	for (i = 0; i < n; i++) {
		struct ftrace_target target = { .event = STREAM_TASK_EVENT + i };

		if (hook(e, TASKS, tasks[i].system, tasks[i].name, NULL, &target, err))
			return -1;
	}
	return n ? enable_events(e, TASKS, err) : 0;
}

/*
 * Frees memory first, because the rest takes long. Releases instances last: any other process may
 * then lock and remove them.
 */
static void end(void *arg)
{
	struct engine *e = arg;
	unsigned int i;

	stream_free(e->stream);
	task_band_close(&e->band);
	ftrace_waiter_close(&e->waiter);
	for (i = 0; i < SOURCES; i++) {
		ftrace_source_close(&e->sources[i]);
		ftrace_reader_close(&e->readers[i]);
	}
	for (i = 0; i < SOURCES; i++)
		instance_free(e->sources[i].instance);
	instance_free(e->graph);
	probes_free(e->probes);
	free(e);
}

static void ftrace_close(struct engine *e)
{
	struct holder *h = e->graph_holder ? e->graph_holder : probes_holder(e->probes);

	detach(e->kernel, end, e, true, h);
}

static int init_stacks(struct engine *e, const struct plan *plan, struct error *err)
{
	struct ftrace_stacks *stacks = &e->readers[PLAN].stacks;
	bool kernel = false, user = false;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *event = plan->attachments[i].event;

		stacks->wanted |= layout_wants_stack(event->layout);
		kernel |= layout_wants(event->layout, IDENTITY_KERNEL_STACK) &&
			  has_kernel_stack(event);
		user |= layout_wants(event->layout, IDENTITY_USER_STACK);
	}
	return ftrace_stacks_init(stacks, e->kernel, kernel, user, err);
}

static int set_up(struct engine *e, struct plan *plan, const struct engine_options *o,
		  struct error *err)
{
	unsigned int i;
	int cpus;

	if (init_stacks(e, plan, err))
		return -1;
	e->n_sources = stream_follows_tasks(plan) ? 2 : 1;
	cpus = make_source(e, PLAN, plan, o->buffer_pages, BUFFER_KB, err);
	if (cpus < 0 ||
	    (e->n_sources > TASKS && make_source(e, TASKS, NULL, 0, TASKS_BUFFER_KB, err) < 0))
		return -1;
	ftrace_waiter_open(&e->waiter, e->readers, e->n_sources);
	e->stream = stream_new(e->kernel, plan, cpus, err);
	if (!e->stream || stream_follow_switches(e->stream, e->kernel, err))
		return -1;
	if (e->readers[PLAN].mono)
		stream_clock(e->stream, monotonic_ns);
	for (i = 0; i < e->n_sources; i++) {
		e->readers[i].stream = e->stream;
		e->readers[i].clock = e->readers[i].mono ? NULL : o->clock;
		e->readers[i].share = i == TASKS ? STREAM_TASKS : STREAM_EVENTS;
	}
	if ((e->n_sources > TASKS && add_task_events(e, err)) ||
	    task_band_of_namespaces(&e->band, e->kernel, plan, e->stream, e->verbose, err))
		return -1;
	return add_attachments(e, plan, err) || enable_events(e, PLAN, err) ? -1 : 0;
}

static struct engine *ftrace_open(struct kernel *k, struct plan *plan,
				  const struct engine_options *o, struct error *err)
{
	struct engine *e;
	unsigned int i;

	if (!kernel_live(k)) {
		fail(err, "a snapshot of a kernel can't be traced");
		return NULL;
	}
	e = calloc(1, sizeof(*e));
	if (!e) {
		fail(err, "out of memory");
		return NULL;
	}
	e->kernel = k;
	e->verbose = o->verbose;
	e->wait_ms = o->wait_ms;
	e->waiter.epoll = -1;
	for (i = 0; i < SOURCES; i++)
		e->sources[i].tracing_on = e->sources[i].cpus = -1;
	tracefs_sweep_instances(k);
	if (!set_up(e, plan, o, err))
		return e;
	ftrace_close(e);
	return NULL;
}

/*
 * All events are enabled already. So all events of the plan begin when their instance is switched
 * on, after the tasks are known.
 */
static int ftrace_start(struct engine *e, struct error *err)
{
	/*
	 * The count is read first: this may have to wait for other processes, and rings must not
	 * fill meanwhile.
	 */
	if (e->probes)
		probes_missed(e->probes, &e->missed_before);
	if (e->n_sources > TASKS && ftrace_source_on(&e->sources[TASKS], err))
		return -1;
	stream_seed(e->stream);
	return ftrace_source_on(&e->sources[PLAN], err);
}

static int begin_reading(struct engine *e, bool writing, struct error *err)
{
	e->settled = monotonic_ns() - stream_delay(e->stream);
	for (unsigned int i = 0; i < e->n_sources; i++)
		ftrace_begin(&e->readers[i], writing);
	return task_band_read(&e->band, err);
}

/*
 * Sets `until`: all older events have been read. With CLOCK_MONOTONIC it is stream_delay() before
 * the reading began, once the rounds have come that far. If user space can't read the trace clock,
 * it is the newest time of the round before. Returns 1 if there is more for another round.
 */
static int read_rings(struct engine *e, uint64_t *until, struct error *err)
{
	uint64_t began = monotonic_ns(), newest = e->newest, complete;
	int more = 0;

	*until = e->readers[PLAN].mono ? e->settled : e->newest;
	for (unsigned int i = 0; i < e->n_sources; i++) {
		int left = ftrace_round(&e->readers[i], err);

		if (left < 0)
			return -1;
		more |= left;
		complete = ftrace_complete(&e->readers[i]);
		if (complete < *until)
			*until = complete;
		if (e->readers[i].newest > newest)
			newest = e->readers[i].newest;
	}
	e->newest = newest;
	stream_saw(e->stream, began, 0);
	return more;
}

/* Runs what was read. */
static int deliver(struct engine *e, uint64_t until, record_fn record, void *arg)
{
	int n;

	e->delivering = true;
	n = stream_run(e->stream, until, record, arg);
	e->delivering = false;
	return n;
}

/* Reads the rings, and runs all records up to the time `limit`. Returns like poll(). */
static int read_and_run(struct engine *e, uint64_t limit, record_fn record, void *arg,
			struct error *err)
{
	uint64_t until;
	int more, n = 0;

	if (begin_reading(e, true, err))
		return -1;
	do {
		more = read_rings(e, &until, err);
		if (more >= 0)
			n += deliver(e, until < limit ? until : limit, record, arg);
	} while (more > 0);
	return more ? -1 : n;
}

/*
 * Reads the last events, once. A CPU that was writing an event when tracing stopped has written it
 * after stream_delay(), the same time that brings events into order.
 */
static int finish(struct engine *e, record_fn record, void *arg, struct error *err)
{
	uint64_t until;
	unsigned int i;

	e->finished = true;
	stream_wait_for_writers(e->stream);
	if (begin_reading(e, false, err) || read_rings(e, &until, err))
		return -1;
	for (i = 0; i < e->n_sources; i++)
		if (ftrace_last_losses(&e->readers[i], err))
			return -1;
	return deliver(e, UINT64_MAX, record, arg);
}

static int ftrace_poll(struct engine *e, uint64_t until, record_fn record, void *arg,
		       struct error *err)
{
	uint64_t began = monotonic_ns();
	int slept;

	if (e->stopped)
		return e->finished ? deliver(e, UINT64_MAX, record, arg) :
			finish(e, record, arg, err);
	slept = ftrace_wait(&e->waiter, e->readers, e->n_sources, poll_ms(until, e->wait_ms));
	if (slept >= 0)
		stream_saw(e->stream, began, (uint64_t)slept * NS_PER_MS);
	return read_and_run(e, UINT64_MAX, record, arg, err);
}

/* Runs all events up to now, and no later ones. */
static int run_up_to_now(struct engine *e, struct error *err)
{
	uint64_t now = e->readers[PLAN].mono ? monotonic_ns() : UINT64_MAX;

	if (!e->readers[PLAN].mono && read_and_run(e, 0, NULL, NULL, err) < 0)
		return -1;
	stream_wait_for_writers(e->stream);
	return read_and_run(e, now, NULL, NULL, err) < 0 ? -1 : 0;
}

static int ftrace_take(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		       struct error *err)
{
	/* In a record's callback the stream has run up to that record. */
	if (!e->delivering && (e->stopped ? !e->finished && finish(e, NULL, NULL, err) < 0 :
					    run_up_to_now(e, err)))
		return -1;
	stream_take(e->stream, map, entry, arg);
	return 0;
}

static int ftrace_set(struct engine *e, unsigned int map, const struct entry *entry,
		      struct error *err)
{
	return stream_set(e->stream, map, entry, err);
}

static int ftrace_get(struct engine *e, unsigned int map, const void *key, void *value)
{
	return stream_get(e->stream, map, key, value);
}

static int ftrace_renew(struct engine *e, const struct stack_holders *holders, struct error *err)
{
	if (ftrace_poll(e, 0, holders->record, holders->arg, err) < 0)
		return -1;
	return stream_renew(e->stream, holders, err);
}

static void ftrace_stop(struct engine *e)
{
	unsigned int i;

	for (i = 0; i < e->n_sources; i++)
		if (!ftrace_source_off(&e->sources[i]) && e->verbose)
			fprintf(e->verbose, "ftrace: can't stop tracing: %s\n", strerror(errno));
	e->stopped = true;
}

static void ftrace_stats(struct engine *e, struct engine_stats *s)
{
	uint64_t missed;

	stream_stats(e->stream, s);
	s->missed_known = !e->probes;	/* tracepoints miss nothing */
	if (e->probes && !probes_missed(e->probes, &missed)) {
		s->missed += missed - e->missed_before;
		s->missed_known = probes_tell(e->probes);
	}
}

static int ftrace_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	const struct many *functions = NULL;

	if (members_refuse(k, plan->scope, err))
		return -1;
	if (scope_has_namespaces(plan->scope) && !kernel_has(k, FEATURE_CLOCK_MONO))
		return fail(err, "ftrace has no monotonic clock on this kernel (since 4.1), and "
				 "perf tells the namespaces of tasks by this clock");
	if (plan->unwound)
		return fail(err, "ftrace finds callers in user space by frame pointers only");
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		if (e->layout->wants_abi)
			return fail(err, "ftrace's records do not tell which calls are of 32-bit "
					 "tasks");
		if (event_traits(e->kind)->timed)
			return fail(err, "ftrace takes no samples: use --backend bpf or perf");
		/* Before 3.14 uprobes write to the main ring, wherever they are enabled. */
		if (event_traits(e->kind)->user && event_ops(e)->definition &&
		    !kernel_has(k, FEATURE_UPROBE_INSTANCES))
			return fail(err, "ftrace's instances get no events of uprobes on this "
					 "kernel (since 3.14): use --backend perf");
		if (may_be_cut(e) && !kernel_has(k, FEATURE_FTRACE_STACKS))
			return fail(err, CUT_STACKS("ftrace-stacks in `sonde features -v`"));
		if (!event_traits(e->kind)->traced)
			continue;
		if (functions && functions != e->many)
			return fail(err, "an instance has one list of functions to trace");
		functions = e->many;
	}
	return 0;
}

const struct backend backend_ftrace = {
	.name = "ftrace",
	.target = TARGET_RING,
	.tracer = true,
	.needs = (const enum feature[]){ FEATURE_TRACEFS, FEATURE_INSTANCES, FEATURES },
	.refuse = ftrace_refuse,
	.open = ftrace_open,
	.start = ftrace_start,
	.poll = ftrace_poll,
	.now = poll_now,
	.take = ftrace_take,
	.set = ftrace_set,
	.get = ftrace_get,
	.renew = ftrace_renew,
	.stop = ftrace_stop,
	.stats = ftrace_stats,
	.close = ftrace_close,
};
