// SPDX-License-Identifier: GPL-2.0
/* What formats add to a recording as they read it. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/recordings/recording_internal.h"
#include "compat/recordings/swaps.h"

int recording_fails(struct recording *r, const char *what, struct error *err)
{
	return fail(err, "%s is damaged: %s at byte %llu", r->bytes.path, what,
		    (unsigned long long)r->bytes.offset);
}

int recording_fact(struct recording *r, const char *path, const void *text, size_t length)
{
	struct recorded_fact fact = { strdup(path), malloc(length + 1), length };

	if (!fact.path || !fact.text || array_room(&r->facts, r->n_facts, sizeof(*r->facts))) {
		free(fact.path);
		free(fact.text);
		return -1;
	}
	memcpy(fact.text, text, length);
	fact.text[length] = '\0';
	r->facts[r->n_facts++] = fact;
	return 0;
}

static char *full_name(const struct format *f)
{
	char *name = malloc(strlen(f->system) + strlen(f->event) + 2);

	if (name)
		stpcpy(stpcpy(stpcpy(name, f->system), ":"), f->event);
	return name;
}

int recording_add_event(struct recording *r, const struct format *f, struct error *err)
{
	const uint16_t id = (uint16_t)f->id;
	struct recorded_event e = { .id = id };

	if (!r->types && !(r->types = calloc(1, sizeof(*r->types))))
		return fail(err, "out of memory");
	if (r->types->numbers[id])
		return 0;
	e.name = full_name(f);
	if (!e.name || array_room(&r->events, r->n_events, sizeof(*r->events)) ||
	    (r->swapped && swaps_add(r, f))) {
		free(e.name);
		return fail(err, "out of memory");
	}
	r->events[r->n_events++] = e;
	r->types->numbers[id] = r->n_events;
	return 0;
}

int recording_add_samples(struct recording *r, const struct recorded_event *e, struct error *err)
{
	static const struct format none;

	if (array_room(&r->events, r->n_events, sizeof(*r->events)) ||
	    (r->swapped && swaps_add(r, &none)))
		return fail(err, "out of memory");
	r->events[r->n_events] = *e;
	return (int)r->n_events++;
}
