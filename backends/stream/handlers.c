// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/handlers.h"

#include <stdlib.h>
#include <string.h>

#include "compat/resolve/identity.h"
#include "insns/lower/whose.h"

static const char *definition(const struct event *e)
{
	return e->layout->fetch ? e->layout->fetch : "";
}

/* 0: the same event of the kernel. */
static int compare_events(const struct event *a, const struct event *b)
{
	int order = strcmp(a->name, b->name);

	if (!order)
		order = (a->group > b->group) - (a->group < b->group);
	if (!order)
		order = strcmp(a->system, b->system);
	if (!order)
		order = (int)a->kind - (int)b->kind;
	if (!order)
		order = (a->address > b->address) - (a->address < b->address);
	return order || a->layout == b->layout ? order : strcmp(definition(a), definition(b));
}

static int by_event(const void *a, const void *b)
{
	const struct attachment *x = *(const struct attachment *const *)a,
		*y = *(const struct attachment *const *)b;
	int order = compare_events(x->event, y->event);

	return order ? order : (x > y) - (x < y);
}

/*
 * An event of the kernel is counted once, and its losses are counted once, however many attachments
 * it has.
 */
static int mark_counted(struct handler *handlers, const struct plan *plan)
{
	const struct attachment *all = plan->attachments, **sorted;
	unsigned int n = plan->n_attachments;

	sorted = calloc(n + 1, sizeof(*sorted));
	if (!sorted)
		return -1;
	for (unsigned int i = 0; i < n; i++)
		sorted[i] = &all[i];
	qsort(sorted, n, sizeof(*sorted), by_event);
	for (unsigned int i = 0; i < n; i++)
		handlers[sorted[i] - all].counted = !i ||
			compare_events(sorted[i - 1]->event, sorted[i]->event);
	free(sorted);
	return 0;
}

static unsigned int texts_of(const struct plan *plan, unsigned int attachment)
{
	unsigned int n = 0;

	for (unsigned int part = attachment - plan->attachments[attachment].n_parts;
	     part < attachment; part++)
		n += plan->attachments[part].event->layout->n_inputs;
	return n;
}

unsigned int handlers_texts(const struct plan *plan)
{
	unsigned int most = 0;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		unsigned int n = texts_of(plan, i);

		most = n > most ? n : most;
	}
	return most;
}

static void set_handler(struct handler *handlers, const struct plan *plan, unsigned int i)
{
	const struct attachment *a = &plan->attachments[i];
	struct handler *t = &handlers[i];

	t->is_part = a->event->is_part;
	t->stacked = layout_wants_stack(a->event->layout);
	for (unsigned int part = i - a->n_parts; part < i; part++) {
		handlers[part].main = i;
		handlers[part].part = t->n_texts;
		t->n_texts += plan->attachments[part].event->layout->n_inputs;
	}
	t->program = a->program && !t->is_part ? (int)(a->program - plan->programs) : -1;
	t->plain = t->program >= 0 && !plan->needs_tasks && !plan->scope && !t->n_texts &&
		   whose_map(plan->maps, plan->n_maps) < 0 && !t->stacked;
}

struct handler *handlers_new(const struct plan *plan)
{
	struct handler *handlers = calloc(plan->n_attachments + 1, sizeof(*handlers));

	if (!handlers || mark_counted(handlers, plan)) {
		free(handlers);
		return NULL;
	}
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		set_handler(handlers, plan, i);
	return handlers;
}
