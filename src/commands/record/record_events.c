// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_events.h"

#include <stdlib.h>
#include <string.h>

#include "backends/kinds/kinds.h"
#include "backends/stream/tables/tasks.h"
#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "compat/kernel/doubt.h"
#include "compat/listing/listing.h"
#include "compat/resolve/identity.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/other_names.h"
#include "src/run/run.h"
#include "src/run/stop.h"
#include "src/session/choice.h"
#include "src/session/run_listeners.h"
#include "src/session/source.h"

/* Adds *e with these names, copied; n: bytes of that of the system. */
static int keep(struct record_events *to, struct perf_written *e, const char *system, size_t n,
		const char *name, struct error *err)
{
	e->system = strndup(system, n);
	e->name = strdup(name);
	if (!e->system || !e->name || array_room(&to->list, to->n, sizeof(*to->list))) {
		free((char *)e->system);
		free((char *)e->name);
		return fail(err, "out of memory");
	}
	to->list[to->n++] = *e;
	return 0;
}

int record_events_add(struct record_events *to, const char *system, const char *name,
		      struct error *err)
{
	struct perf_written e = { };

	for (unsigned int i = 0; i < to->n; i++)
		if (!strcmp(to->list[i].system, system) && !strcmp(to->list[i].name, name))
			return 0;
	return keep(to, &e, system, strlen(system), name, err);
}

static int add(struct record_events *to, const char *name, struct error *err)
{
	const char *colon = strchr(name, ':');
	struct perf_written e = { };

	for (unsigned int i = 0; i < to->n; i++)
		if (tracepoint_named(name, to->list[i].system, to->list[i].name))
			return 0;
	return keep(to, &e, name, (size_t)(colon - name), colon + 1, err);
}

static int add_samples(struct record_events *to, const struct event *sampled, struct error *err)
{
	struct perf_written e = { };

	sampled_attr(sampled->by, sampled->address, sampled->frequency, &e.attr);
	e.attr.freq = !sampled->period;
	e.attr.sample_period = sampled->period ? sampled->period : sampled->frequency;
	for (unsigned int i = 0; i < to->n; i++)
		if (!*to->list[i].system && to->list[i].attr.type == e.attr.type &&
		    to->list[i].attr.config == e.attr.config &&
		    to->list[i].attr.freq == e.attr.freq &&
		    to->list[i].attr.sample_period == e.attr.sample_period)
			return 0;
	to->samples = true;
	return keep(to, &e, "", 0, counter_row(sampled->by)->name, err);
}

int record_events_clock(uint64_t frequency, struct record_events *to, struct error *err)
{
	const struct event clock = { .by = BY_CLOCK, .frequency = (uint32_t)frequency };

	return add_samples(to, &clock, err);
}

static bool matches(void *glob, const char *name)
{
	return expression_matches(glob, name);
}

static int match(struct kernel *k, const char *pattern, struct record_events *to,
		 struct error *err)
{
	struct expression *glob = expression_of_glob(pattern, err);
	const struct wanted_names w = { matches, glob, NULL };
	const unsigned int before = to->n;
	struct listing l = { };
	int result = glob ? list_tracepoints(k, &w, &l, err) : -1;

	for (unsigned int i = 0; i < l.n && !result; i++)
		/* some are listed and have no number: perf can't take them */
		if (kernel_format_named(k, l.list[i].name))
			result = add(to, l.list[i].name, err);
	if (!result && !l.n)
		result = kernel_lacks(k, err, "no tracepoint of this kernel matches %s\n`sonde "
				      "tplist` lists all tracepoints", pattern);
	else if (!result && to->n == before && !to->n)
		result = fail(err, "the kernel has no number for tracepoints that match %s",
			      pattern);
	listing_free(&l);
	expression_free(glob);
	return result;
}

/* Probes become events when they are made (record_probes.c): their plan has to stay until then. */
static int add_plan(const struct plan *plan, struct record_events *to, bool *probes,
		    struct error *err)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;
		char name[160];

		if (e->by == BY_WATCH)
			return fail(err, "it watches memory, which sonde does not record");
		if (event_traits(e->kind)->timed) {
			if (add_samples(to, e, err))
				return -1;
			continue;
		}
		to->stacks |= layout_wants_stack(e->layout);
		*probes |= event_ops(e)->definition != NULL;
		if (event_ops(e)->definition)
			continue;
		if (!text_all(name, sizeof(name), "%s:%s", e->system, e->name))
			return fail(err, "the name of a tracepoint is too long");
		if (add(to, name, err))
			return -1;
	}
	return 0;
}

static int refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	return backend_ftrace.refuse(k, plan, err);
}

/* Its rings with tracepoints and probes: of what its tracers write no program can be replayed. */
static const struct backend ftrace_rings = {
	.name = "ftrace",
	.target = TARGET_RING,
	.needs = (const enum feature[]){ FEATURE_TRACEFS, FEATURE_INSTANCES, FEATURES },
	.refuse = refuse,
};

/* Options of a run that is no recording would do nothing here. */
static int check_options(const struct common_options *o, const char *rings, struct error *err)
{
	const char *other = o->input ? "--input" : o->snapshot ? "--snapshot" :
			    o->dump ? "--dump" : NULL;

	if (other)
		return fail(err, "%s is for a run that is not recorded", other);
	if (o->backend && strcmp(o->backend, rings))
		return fail(err, "--backend %s: a recording is from rings of perf, or with `sonde "
				 "record --backend ftrace` of ftrace", o->backend);
	return 0;
}

/* The tool as it is going to run over the recording. */
static int plan_tool(struct run *run, const struct record_events *to, struct error *err)
{
	static const struct backend *const rings[][2] = { { &backend_perf }, { &ftrace_rings } };
	const struct source source = { .backends = rings[to->ftrace] };
	static const enum feature probing[] = { FEATURE_KPROBES, FEATURE_UPROBES };
	const struct common_options *o = common_of(run->options);
	char brief[900];

	run->kernel = source_running_kernel();
	if (!run->kernel)
		return fail(err, "out of memory");
	kernel_set_stop(run->kernel, &stop_signal);
	run->live = kernel_live(run->kernel);
	if (check_options(o, rings[to->ftrace][0]->name, err) ||
	    (o->without && kernel_without(run->kernel, o->without, err)))
		return -1;
	for (unsigned int i = 0; to->tracepoints && i < sizeof(probing) / sizeof(*probing); i++)
		kernel_give_up(run->kernel, probing[i],
			       "sonde records a kernel's start by tracepoints alone");
	if (run_prepare(run, err))
		return -1;
	if (!choice_plan(run, &source, brief, sizeof(brief)))
		return 0;
	if (stop_signal)
		return fail(err, "ended by a signal before it recorded anything");
	if (to->tracepoints)
		return fail(err, "%s\n`init=/sonde-init` (sonde-boot(7)) records probes from the "
				 "first program on", brief);
	return fail(err, "sonde records from %s's rings, and they do not serve it: %s",
		    rings[to->ftrace][0]->name, brief);
}

int record_events_tool(int argc, char **argv, struct record_events *to, struct error *err)
{
	const struct tool *t = tool_asked(argv[0], err);
	struct run *run = t ? calloc(1, sizeof(*run)) : NULL;
	struct error why = { };
	bool probes = false;
	int result;

	if (!t)
		return -1;
	if (t->list || !run) {
		free(run);
		return fail(err, t->list ? "%s only lists: it needs no events" : "out of memory",
			    t->name);
	}
	run->tool = t;
	run->listeners.list = all_run_listeners;
	if (tool_options(t, argc, argv, &run->options, err) != ACTION_RUN) {
		run_free(run);
		free(run);
		return *err->text ? -1 : fail(err, "%s: give options of a run", t->name);
	}
	result = plan_tool(run, to, &why);
	if (!result)
		result = add_plan(&run->plan.plan, to, &probes, &why);
	if (!result)
		result = record_ends_add(&to->ends, run, &why);
	if (!result && common_of(run->options)->buffer_pages > to->pages)
		to->pages = (unsigned int)common_of(run->options)->buffer_pages;
	if (!result && probes && array_room(&to->runs, to->n_runs, sizeof(*to->runs)))
		result = fail(&why, "out of memory");
	if (result)
		fail_with(err, why.number, "%s: %s", t->name, why.text);
	else if (probes)
		to->runs[to->n_runs++] = run;
	if (!result && probes)
		return 0;
	run_free(run);
	free(run);
	return result;
}

int record_events_by(const char *tool, const char *argument, struct record_events *to,
		     struct error *err)
{
	char *argv[] = { (char *)tool, (char *)argument, NULL };

	return record_events_tool(2, argv, to, err);
}

/* A probe begins with its kind, a letter; no system of tracepoints is so short. */
int record_events_named(struct kernel *k, const char *name, struct record_events *to,
			struct error *err)
{
	return name[0] && name[1] == ':' && strchr("pru", name[0]) ?
	       record_events_by("trace", name, to, err) : match(k, name, to, err);
}

static int by_name(const void *a, const void *b)
{
	const struct perf_written *x = a, *y = b;
	const int systems = strcmp(x->system, y->system);

	return systems ? systems : strcmp(x->name, y->name);
}

int record_events_lives(struct kernel *k, struct record_events *to, struct error *err)
{
	for (enum task_event i = 0; i < TASK_EVENTS; i++) {
		const char *system, *name = task_event_name(i, &system);

		if (kernel_format(k, system, name) && record_events_add(to, system, name, err))
			return -1;
	}
	return 0;
}

void record_events_sort(struct record_events *e)
{
	qsort(e->list, e->n, sizeof(*e->list), by_name);
}

void record_events_free(struct record_events *e)
{
	for (unsigned int i = 0; i < e->n; i++) {
		free((char *)e->list[i].system);
		free((char *)e->list[i].name);
	}
	for (unsigned int i = 0; i < e->n_runs; i++) {
		run_free(e->runs[i]);
		free(e->runs[i]);
	}
	free(e->runs);
	free(e->list);
	record_ends_free(&e->ends);
}
