// SPDX-License-Identifier: GPL-2.0
#include "compat/events/event.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

bool tracepoint_named(const char *name, const char *system, const char *event)
{
	const size_t n = strlen(system);

	return !strncmp(name, system, n) && name[n] == ':' && !strcmp(name + n + 1, event);
}

bool input_named(const char *wanted, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(wanted, name, n) && (!wanted[n] || (wanted[n] == '?' && !wanted[n + 1]));
}

bool input_optional(const char *wanted)
{
	size_t n = strlen(wanted);

	return n && wanted[n - 1] == '?';
}

const struct input *layout_input(const struct layout *l, const char *wanted)
{
	for (unsigned int i = 0; i < l->n_inputs; i++)
		if (input_named(wanted, l->inputs[i].name))
			return &l->inputs[i];
	return NULL;
}

const struct input *event_input(const struct event *e, const char *wanted)
{
	return layout_input(e->layout, wanted);
}

struct layout *layout_new(void)
{
	return calloc(1, sizeof(struct layout));
}

void layout_free(struct layout *l)
{
	if (!l)
		return;
	free(l->inputs);
	free(l->fetch);
	free(l);
}

struct input *layout_add(struct layout *l)
{
	if (l->n_inputs == LAYOUT_INPUTS)
		return NULL;
	if (array_room(&l->inputs, l->n_inputs, sizeof(*l->inputs)))
		return NULL;
	return memset(&l->inputs[l->n_inputs++], 0, sizeof(*l->inputs));
}

/* Layouts that differ only in the inputs' padding are not shared, which does no harm. */
static bool same_layout(const struct layout *a, const struct layout *b)
{
	return a->n_inputs == b->n_inputs && a->wants_abi == b->wants_abi &&
	       !a->fetch == !b->fetch &&
	       (!a->n_inputs || !memcmp(a->inputs, b->inputs, a->n_inputs * sizeof(*a->inputs))) &&
	       (!a->fetch || !strcmp(a->fetch, b->fetch));
}

struct layout *layouts_share(struct layouts *all, struct layout *l)
{
	for (unsigned int i = all->n; i-- > 0;)
		if (same_layout(all->list[i], l)) {
			layout_free(l);
			return all->list[i];
		}
	if (array_room(&all->list, all->n, sizeof(*all->list))) {
		layout_free(l);
		return NULL;
	}
	return all->list[all->n++] = l;
}

void layouts_free(struct layouts *all)
{
	for (unsigned int i = 0; i < all->n; i++)
		layout_free(all->list[i]);
	free(all->list);
	*all = (struct layouts){ 0 };
}
