// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_sources.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/kinds/kinds.h"
#include "backends/stream/probe_order.h"
#include "compat/base/array.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/resolve/identity.h"

/*
 * The size of each CPU's ring, unless the user sets another. A wakeup costs as much as hundreds of
 * events; it comes when half of a ring of this size is full. Without CAP_IPC_LOCK a user may lock
 * perf_event_mlock_kb (mostly 516 KB) for each CPU, and before 5.16 little more. A limited ring and
 * the ring of the task table fit into this.
 */
#define RING_BYTES (1U << 20)
#define RING_BYTES_LIMITED (256U << 10)
#define RING_BYTES_UNWOUND (32U << 20)	/* 2000 samples with copies of 16 KB */
#define RING_BYTES_UNWOUND_LEAST (4U << 20)
#define UNWOUND_PART 32

/* Samples of the same counter that are taken at other times are another source. */
static bool same_samples(const struct perf_source *s, const struct event *e)
{
	return s->by == e->by && s->frequency == e->frequency && s->period == e->period &&
	       (s->by != BY_WATCH || s->address == e->address);
}

/*
 * System calls are the most frequent events, and always of the current task. Events of the
 * wanted tasks alone leave the rings to them.
 */
static bool is_call(const struct event *e)
{
	return !strcmp(e->system, "raw_syscalls") || !strcmp(e->system, "syscalls");
}

int perf_source_add(struct perf_group *g, const struct event *e, uint32_t number,
		    const struct attachment *a)
{
	struct perf_source *s = NULL;
	int id = event_traits(e->kind)->timed ? 0 : e->id;

	for (unsigned int i = 0; i < g->n_sources; i++)
		if (g->sources[i].id == id && (id || same_samples(&g->sources[i], e)))
			s = &g->sources[i];
	if (!s) {
		s = &g->sources[g->n_sources++];
		s->id = id;
		s->frequency = e->frequency;
		s->period = e->period;
		s->by = e->by;
		s->address = e->address;
		s->counts_ns = id && perf_event_counts_ns(e->system, e->name);
		for (unsigned int i = 0; i + 1 < g->n_sources; i++)
			g->numbered |= !id && !g->sources[i].id;
		g->numbered |= s->counts_ns;
		text_all(s->name, sizeof(s->name), "%s%s%s", e->system,
			 e->system[0] ? ":" : "", e->name);
	}
	s->breakpoint = e->binary;
	s->of_tasks = (e->binary || is_call(e) || (!id && e->by != BY_WATCH)) && a &&
		      a->filtered && (!s->n_events || s->of_tasks);
	s->twinned = id && a && a->program && a->program->program->own_stacks &&
		     (!s->n_events || s->twinned);
	s->tidies = id && !s->counts_ns && a && a->program && a->program->program->tidies &&
		    (!s->n_events || s->tidies);
	s->abi |= e->layout->wants_abi;
	s->kernel_stack |= layout_wants(e->layout, IDENTITY_KERNEL_STACK);
	s->user_stack |= layout_wants(e->layout, IDENTITY_USER_STACK);
	g->stacked |= s->kernel_stack || s->user_stack || !s->id || s->counts_ns;
	if (event_filter_add(&s->filter, e->filter) ||
	    array_room(&s->events, s->n_events, sizeof(*s->events)))
		return -1;
	s->events[s->n_events++] = (struct perf_target){
		.event = number, .stacked = layout_wants_stack(e->layout),
	};
	return 0;
}

/*
 * Copies of the stacks of all tasks fill the rings of a busy machine. Where only the stacks of the
 * wanted tasks are read, these tasks get an event of their own.
 */
static int add_twins(struct perf_group *g, const struct plan *plan)
{
	const unsigned int n = g->n_sources;

	for (unsigned int i = 0; i < n; i++) {
		struct perf_source *s = &g->sources[i], *twin;

		s->twinned &= plan->unwound && s->user_stack && !s->of_tasks &&
			      (plan->n_processes || plan->command);
		if (!s->twinned)
			continue;
		twin = &g->sources[g->n_sources++];
		*twin = *s;
		twin->twinned = false;
		twin->is_twin = true;
		twin->events = calloc(s->n_events, sizeof(*s->events));
		if (!twin->events)
			return -1;
		memcpy(twin->events, s->events, s->n_events * sizeof(*s->events));
		g->numbered = true;
	}
	return 0;
}

/*
 * Sources are in the order of stream_probe_order(), because the kernel puts a uprobe into its list
 * when the event is opened.
 */
int perf_sources_add(struct perf_group *g, const struct plan *plan, struct error *err)
{
	unsigned int n = plan->n_attachments;
	unsigned int *order = calloc(n + 1, sizeof(*order));
	int result = order ? 0 : -1;

	if (order)
		stream_probe_order(plan, order);
	for (unsigned int i = 0; i < n && !result; i++) {
		const struct attachment *a = &plan->attachments[order[i]];

		if (!a->event->refused)
			result = perf_source_add(g, a->event, order[i], a);
	}
	free(order);
	return result || add_twins(g, plan) ? fail(err, "out of memory") : 0;
}

bool perf_sources_of_tasks(const struct perf_group *g, const struct plan *plan)
{
	if (!plan->n_processes && !plan->command)
		return false;
	for (unsigned int i = 0; i < g->n_sources; i++)
		if (g->sources[i].of_tasks || g->sources[i].is_twin)
			return true;
	return false;
}

/*
 * Copies of stacks need more room. But the rings of many CPUs get at most a part of the memory,
 * unless they have the least size.
 */
static unsigned int unwound_bytes(uint64_t page)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * page;
	uint64_t bytes = RING_BYTES_UNWOUND;

	while (bytes > RING_BYTES_UNWOUND_LEAST &&
	       bytes * (uint64_t)sysconf(_SC_NPROCESSORS_CONF) > memory / UNWOUND_PART)
		bytes /= 2;
	return (unsigned int)bytes;
}

unsigned int perf_group_bytes(struct kernel *k, const struct plan *plan)
{
	if (!kernel_capable(k, CAP_IPC_LOCK))
		return RING_BYTES_LIMITED;
	return plan->unwound ? unwound_bytes((uint64_t)sysconf(_SC_PAGESIZE)) : RING_BYTES;
}
