// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_refuse.h"

#include "backends/perf/cgroup_ids.h"
#include "backends/stream/tables/members.h"
#include "compat/kinds/kinds.h"
#include "compat/tasks/namespace.h"

/*
 * A probe copies texts of up to 4 KB. The traced program decides how long they are. Before 5.15
 * perf takes records of at most 2048 bytes, and warns in the kernel's log of a longer record.
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
						 "strings of 4 KB, which %s may have (%s; since "
						 "5.15): use --backend ftrace or bpf", e->name,
					    l->inputs[j].name);
	}
	return 0;
}

/*
 * perf's samples have the ids of their task in sonde's own pid namespace. The ids of a task outside
 * of it are 0.
 */
static int refuse_samples(struct kernel *k, const struct plan *plan, struct error *err)
{
	bool samples = false;

	for (unsigned int i = 0; i < plan->n_attachments; i++)
		samples |= event_traits(plan->attachments[i].event->kind)->timed;
	if (!samples || kernel_has(k, FEATURE_ROOT_PIDNS))
		return 0;
	return namespace_not_initial(k, "perf's samples do not tell tasks outside of this pid "
				     "namespace: run sonde on the host", err);
}

/* Samples want nothing of tracefs. All other events have their numbers there. */
static int refuse_untimed(struct kernel *k, const struct plan *plan, struct error *err)
{
	if (kernel_has(k, FEATURE_PERF))
		return 0;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (!event_traits(plan->attachments[i].event->kind)->timed)
			return fail(err, "perf_event_open(2) can't be used for %s here: only "
					 "samples can be taken", plan->attachments[i].event->name);
	return 0;
}

struct task_scope perf_rest_of(struct kernel *k, const struct plan *plan)
{
	struct task_scope rest = plan->scope ? *plan->scope : (struct task_scope){ };

	if (cgroup_ids_told(k, plan->scope))
		rest.n = 0;
	return rest;
}

int perf_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	const struct task_scope rest = perf_rest_of(k, plan);

	return refuse_untimed(k, plan, err) || refuse_texts(k, plan, err) ||
	       members_refuse(k, &rest, err) || refuse_samples(k, plan, err) ? -1 : 0;
}
