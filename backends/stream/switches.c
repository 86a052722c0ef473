// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/switches.h"

#include <stdlib.h>
#include <string.h>

#include "compat/kinds/kinds.h"

static bool is_switch(const struct event *e)
{
	return event_traits(e->kind)->shared && !strcmp(e->system, "sched") &&
		!strcmp(e->name, "sched_switch");
}

int switches_attachment(const struct plan *plan)
{
	int found = -1;

	for (unsigned int i = plan->n_attachments; i-- > 0;) {
		const struct event *e = plan->attachments[i].event;

		if (!is_switch(e))
			continue;
		if (e->filter)
			return -1;
		found = (int)i;
	}
	return found;
}

static int place_of(const struct format *f, const char *name, uint16_t *at)
{
	const struct field *field = f ? format_field(f, name) : NULL;

	if (!field || field->size != sizeof(uint32_t))
		return -1;
	*at = (uint16_t)field->offset;
	return 0;
}

int switches_init(struct switches *w, struct kernel *k, unsigned int cpus)
{
	const struct format *f = kernel_format(k, "sched", "sched_switch");

	if (place_of(f, "prev_pid", &w->prev_at) || place_of(f, "next_pid", &w->next_at))
		return -1;
	w->record_bytes = (w->prev_at > w->next_at ? w->prev_at : w->next_at) + sizeof(uint32_t);
	w->tasks = malloc(cpus * sizeof(*w->tasks));
	if (!w->tasks)
		return -1;
	w->cpus = cpus;
	for (unsigned int i = 0; i < cpus; i++)
		w->tasks[i] = SWITCHES_UNKNOWN;
	return 0;
}

void switches_free(struct switches *w)
{
	free(w->tasks);
}

int64_t switches_break(struct switches *w, uint32_t before, uint32_t prev)
{
	if (before == SWITCHES_UNKNOWN)
		return -1;
	w->missed++;
	return prev;
}

void switches_forget(struct switches *w, uint32_t cpu)
{
	if (cpu < w->cpus)
		w->tasks[cpu] = SWITCHES_UNKNOWN;
}
