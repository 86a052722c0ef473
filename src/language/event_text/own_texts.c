// SPDX-License-Identifier: GPL-2.0
#include "src/language/event_text/own_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insns/programs/trace.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/toolkit/stacks/stacks.h"

/* An event_function_fn. */
static const char *function_name(void *arg, uint64_t address, uint64_t *begin)
{
	struct own_texts *o = arg;
	struct stack_frame f = { };
	struct error err = { };

	if (record_function(o->run, o->time, NOTHING, address, false, &f, &err))
		run_fail(o->run, &err);
	*begin = address - f.offset;
	return f.name;
}

static void find_events(struct own_texts *o, const struct question *q, struct event_text **events)
{
	for (unsigned int i = 0; i < q->on->probe.patterns.n; i++) {
		const char *name = q->on->probe.patterns.names[i], *colon = strchr(name, ':');
		char system[64];

		if (!colon || colon - name >= (ptrdiff_t)sizeof(system))
			continue;
		memcpy(system, name, (size_t)(colon - name));
		system[colon - name] = '\0';
		events[i] = event_text_find(o->texts, system, colon + 1);
		o->names |= events[i] && event_text_names(events[i]);
	}
}

int own_texts_make(struct own_texts *o, struct run *run, const struct question *list,
		   unsigned int n, struct error *err)
{
	*o = (struct own_texts){ .run = run, .n = n };
	for (unsigned int i = 0; i < n; i++) {
		if (!list[i].own)
			continue;
		if (!o->texts) {
			o->texts = event_texts_new(run_kernel(run), function_name, o);
			o->events = calloc(n, sizeof(*o->events));
		}
		if (o->events)
			o->events[i] = calloc(list[i].on->probe.patterns.n, sizeof(**o->events));
		if (!o->texts || !o->events || !o->events[i])
			return fail(err, "out of memory");
		find_events(o, &list[i], o->events[i]);
	}
	return 0;
}

static void say_fields(const char *name, const struct event_text *e)
{
	char field[160];

	fprintf(sink_err(), "sonde: fields of %s:", name);
	for (unsigned int i = 0; event_text_field(e, i, field, sizeof(field)); i++)
		fprintf(sink_err(), "%s %s", i ? "," : "", field);
	fputc('\n', sink_err());
}

void own_texts_started(const struct own_texts *o, const struct question *list)
{
	const bool verbose = common_of(run_options(o->run))->verbose;
	unsigned int untold = 0;

	for (unsigned int i = 0; o->texts && i < o->n; i++) {
		for (unsigned int j = 0; o->events[i] && j < list[i].on->probe.patterns.n; j++) {
			const char *name = list[i].on->probe.patterns.names[j];
			const struct event_text *e = o->events[i][j];

			if (!e)
				continue;
			if (verbose)
				say_fields(name, e);
			if (event_text_why_fields(e) && (verbose || untold++ < 3))
				run_note(o->run, "fields of %s are shown, because its text can't "
						 "be made: %s", name, event_text_why_fields(e));
		}
	}
	if (untold > 3)
		run_note(o->run, "so are those of %u more events; -v names them", untold - 3);
}

struct text own_text(struct own_texts *o, const struct question *q, const struct record *record)
{
	const struct trace_record *head = record->bytes;
	const unsigned int size = q->statement->size;
	struct text t = { };
	size_t length;

	if (!o->texts || !o->events[head->probe] || record->size < size ||
	    head->function >= q->on->probe.patterns.n || !o->events[head->probe][head->function])
		return t;
	o->time = head->time;
	t.s = event_text(o->events[head->probe][head->function],
			 (const uint8_t *)record->bytes + size, record->size - size, &length);
	t.length = (uint32_t)length;
	return t;
}

void own_texts_free(struct own_texts *o)
{
	for (unsigned int i = 0; o->events && i < o->n; i++)
		free(o->events[i]);
	free(o->events);
	event_texts_free(o->texts);
	*o = (struct own_texts){ };
}
