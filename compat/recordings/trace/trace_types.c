// SPDX-License-Identifier: GPL-2.0
/*
 * Which events were recorded. trace-cmd does not note it: with `record -e` the file has the formats
 * of the events that were named; without, as with `extract`, those of all events of the kernel.
 */
#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/tracing_data.h"

/* Events of every kernel since 2.6.36. A file without the format of one has chosen formats. */
static const struct {
	const char *system, *name;
} everywhere[] = {
	{ "sched", "name: sched_switch\n" }, { "signal", "name: signal_generate\n" },
	{ "timer", "name: timer_start\n" }, { "irq", "name: softirq_entry\n" },
	{ "workqueue", "name: workqueue_execute_start\n" },
};
#define EVERYWHERE (sizeof(everywhere) / sizeof(*everywhere))

static int look_for_common(struct recording *r, const char *system, const char *text,
			   size_t length, struct error *err)
{
	struct trace_data *t = trace_data_of(r);

	(void)err;
	for (unsigned int i = 0; i < EVERYWHERE; i++) {
		const size_t n = strlen(everywhere[i].name);

		if (!strcmp(system, everywhere[i].system) && length > n &&
		    !memcmp(text, everywhere[i].name, n))
			t->common |= 1U << i;
	}
	return 0;
}

/* Returns -1 if the format does not begin as the kernel's do. */
static int id_of(const char *text, size_t length, uint16_t *id)
{
	char head[160], name[100];
	const char *at = head;
	uint64_t number;

	text_cut(head, sizeof(head), "%.*s", (int)(length < 140 ? length : 140), text);
	if (!scan_text(&at, "name: ") || !scan_until(&at, "\n", name, sizeof(name)) ||
	    *at++ != '\n' || !scan_text(&at, "ID: ") || !scan_number(&at, UINT16_MAX, &number))
		return -1;
	*id = (uint16_t)number;
	return 0;
}

/* ftrace's own records are in many buffers: stacks, marks of users. */
static int note_own(struct recording *r, const char *system, const char *text, size_t length,
		    struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	uint16_t id;

	(void)system;
	if (id_of(text, length, &id))
		return trace_fails(r, "a format of an event can't be read", err);
	t->own[id / 8] |= (uint8_t)(1 << id % 8);
	return 0;
}

static int add_recorded(struct recording *r, const char *system, const char *text, size_t length,
			struct error *err)
{
	const struct trace_data *t = trace_data_of(r);
	const unsigned int before = r->n_events;
	uint16_t id;

	if (id_of(text, length, &id))
		return trace_fails(r, "a format of an event can't be read", err);
	if (!trace_type_in(t->types, id) && !t->chosen)
		return 0;
	if (tracing_event_add(r, system, text, length, err))
		return -1;
	if (r->n_events > before)
		r->events[before].absent = !trace_type_in(t->types, id);
	return 0;
}

/* Up to the end, or to what is damaged: who reads the records tells it. */
static void look_at_page(struct trace_data *t, struct trace_ring *ring)
{
	struct trace_buffer *b = &t->buffers[ring->buffer];
	struct ftrace_record record;
	uint16_t type;

	while (ftrace_page_next(&ring->page, &record) > 0) {
		if (record.size < sizeof(type))
			continue;
		memcpy(&type, record.data, sizeof(type));
		type = t->layout.swapped ? __builtin_bswap16(type) : type;
		b->types[type / 8] |= (uint8_t)(1 << type % 8);
	}
}

static void look_at_ring(struct recording *r, struct trace_ring *ring)
{
	struct trace_data *t = trace_data_of(r);
	const uint64_t begin = ring->at;
	struct error ignored = { };

	while (trace_page_read(r, ring, &ignored) > 0)
		look_at_page(t, ring);
	trace_ring_seek(ring, begin);
}

/* An event that is in two buffers was recorded twice: it must not count twice. */
static void leave_out(struct recording *r, struct trace_buffer *b)
{
	struct trace_data *t = trace_data_of(r);
	bool twice = false;

	for (unsigned int i = 0; i < sizeof(t->types); i++)
		twice |= b->types[i] & t->types[i] & ~t->own[i];
	if (twice) {
		b->left_out = true;
		lines_add(&r->notes, "the instance %s of %s is not read: an event is in another "
			  "buffer, too", b->name, r->bytes.path);
		return;
	}
	for (unsigned int i = 0; i < sizeof(t->types); i++)
		t->types[i] |= b->types[i];
}

int trace_types_read(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct cursor own = t->own_formats, formats = t->formats;

	if (tracing_events_each(r, &own, "ftrace", note_own, err) ||
	    tracing_systems_each(r, &formats, look_for_common, err))
		return -1;
	t->chosen = t->side || t->common != (1U << EVERYWHERE) - 1;
	for (unsigned int i = 0; i < t->n_rings; i++)
		if (!t->buffers[t->rings[i].buffer].left_out)
			look_at_ring(r, &t->rings[i]);
	t->cut = false;
	for (unsigned int i = 0; i < t->n_buffers; i++)
		leave_out(r, &t->buffers[i]);
	if (tracing_systems_each(r, &t->formats, add_recorded, err))
		return -1;
	return own.broken || t->formats.broken ?
	       trace_fails(r, "its formats of events are cut short", err) : 0;
}
