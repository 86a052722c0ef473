// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/build_internal.h"

#include <stdlib.h>

#include "compat/kinds/find.h"
#include "compat/kinds/numbered.h"
#include "compat/resolve/identity.h"

struct event *be_new_event(void)
{
	struct event *e = calloc(1, sizeof(*e));

	if (e)
		e->layout = layout_new();
	if (e && e->layout) {
		e->system = e->name = "";
		e->id = -1;
		return e;
	}
	free(e);
	return NULL;
}

void be_free_event(struct event *e)
{
	if (e)
		layout_free(e->layout);
	free(e);
}

/* Gives the layouts to the list, which owns them from here on. */
static int share_layouts(struct builder *b, struct layouts *layouts)
{
	int result = 0;

	for (unsigned int i = 0; i <= b->n_parts; i++) {
		struct event *e = i < b->n_parts ? b->parts[i] : b->main;

		e->layout = layouts_share(layouts, e->layout);
		result |= e->layout ? 0 : -1;
	}
	if (!result)
		return 0;
	for (unsigned int i = 0; i < b->n_parts; i++)
		free(b->parts[i]);
	free(b->main);
	return not_served(b->refusal, NULL, "out of memory");
}

/*
 * Returns true if the row has no such input as the programs ask for: it is of other programs. That
 * is no reason for a user.
 */
static bool of_other_programs(struct builder *b)
{
	for (unsigned int i = 0; i < b->demand->n_inputs; i++) {
		const char *name = b->demand->inputs[i].name;
		struct fetch f;
		int index;

		if (!input_optional(name) && !identity_named(name) &&
		    !input_named(name, "caller") && !be_find_fetch(b, name, &f, &index))
			return true;
	}
	return false;
}

/* Adds the demand's inputs to the event that was found. */
static int add_inputs(struct builder *b)
{
	const struct demand *d = b->demand;
	const bool ring = b->target == TARGET_RING, texts_apart = be_several_texts(b);

	b->in_pieces = ring && !b->place && !b->format && !kernel_has(b->k, FEATURE_FETCH_ARRAY);
	b->text_last = ring && b->place && !b->format && !texts_apart;
	b->record = be_record_head(b, b->main->kind);
	for (int pass = 0; pass < PIECES_PASSES; pass++) {
		for (unsigned int i = 0; i < d->n_inputs; i++)
			if (be_pieces_pass(b, &d->inputs[i]) == pass &&
			    be_add_input(b, &d->inputs[i], texts_apart))
				return -1;
	}
	be_row_ends(b);
	return event_input(b->main, NUMBER_WANTED) ? be_add_compat(b) : 0;
}

/* Makes the events by one finder. The builder has all that is asked for. */
static int build_by(const struct probe_finder *finder, struct builder b, struct layouts *layouts,
		    struct event **events, unsigned int max)
{
	b.main = be_new_event();
	if (!b.main)
		return not_served(b.refusal, NULL, "out of memory");
	b.main->kind = finder->event;
	b.main->named = b.probe->named;
	if ((event_traits(b.main->kind)->arguments && of_other_programs(&b)) || finder->find(&b) ||
	    add_inputs(&b))
		goto fail;
	/*
	 * If a main event were dropped, its parts would be taken for parts of the next main event.
	 */
	if (b.target == TARGET_RING && b.alternative->filter && !b.n_parts)
		b.main->filter = b.alternative->filter;
	if (b.n_parts + 1 > max) {
		not_served(b.refusal, b.hook, "too many parts");
		goto fail;
	}
	if (share_layouts(&b, layouts))
		return -1;
	for (unsigned int i = 0; i < b.n_parts; i++)
		events[i] = b.parts[i];
	events[b.n_parts] = b.main;
	return (int)b.n_parts + 1;
fail:
	for (unsigned int i = 0; i < b.n_parts; i++)
		be_free_event(b.parts[i]);
	be_free_event(b.main);
	return -1;
}

/* Returns true if the event has the optional inputs, too. */
static bool is_complete(const struct demand *d, const struct event *e)
{
	for (unsigned int i = 0; i < d->n_inputs; i++)
		if (!event_input(e, d->inputs[i].name))
			return false;
	return true;
}

/* Returns true if only the cheaper kind might have served: its reason is the one to tell. */
static bool only_cheaper(const struct builder *b, const struct refusal *cheaper)
{
	return b->refusal && b->refusal->lacks && b->refusal->feature == FEATURE_KPROBES &&
	       !cheaper->lacks && kernel_has(b->k, FEATURE_BPF_FENTRY);
}

int build_events(struct kernel *k, enum target target, const struct alternative *a,
		 const struct probe *p, const struct demand *d, const struct place *place,
		 bool skipped, struct layouts *layouts, struct event **events, unsigned int max,
		 struct refusal *refusal)
{
	const struct probe_finder *finder = probe_finder(p);
	struct refusal why = { };
	struct builder b = {
		.k = k, .target = target, .arch = kernel_arch(k), .alternative = a, .probe = p,
		.demand = d, .hook = d->hook->name, .refusal = &why,
		.place = place, .abi = place ? place->binary->abi : NULL,
	};
	/* A program is loaded for each function: hundreds, if the user names them by patterns. */
	const bool fits = finder->cheaper && target == TARGET_BPF && !p->named;
	const bool whole = fits && kernel_has(k, FEATURE_FENTRY_WHOLE);
	int n = whole ? build_by(finder->cheaper, b, layouts, events, max) : -1;

	if (n > 0 && is_complete(d, events[0]))
		return n;
	if (n > 0)
		free(events[0]);
	b.refusal = refusal;
	n = build_by(finder, b, layouts, events, max);
	if (n > 0 || !(whole || (fits && skipped)))
		return n;
	b.refusal = &why;
	n = build_by(finder->cheaper, b, layouts, events, max);
	b.refusal = refusal;
	if (n < 0 && only_cheaper(&b, &why))
		*refusal = why;
	return n;
}
