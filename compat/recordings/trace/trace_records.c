// SPDX-License-Identifier: GPL-2.0
/*
 * The records of trace.dat: always the page that begins first. So nothing that comes later is older
 * than the beginning of this page, and memory has one page of each CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/swaps.h"
#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/trace/trace_side.h"

#define ROUND 16		/* pages */

static bool before(const struct trace_ring *a, const struct trace_ring *b)
{
	return a->begin != b->begin ? a->begin < b->begin : a < b;
}

/* The ring at `at` of the heap goes down to its place. */
static void sift(struct trace_data *t, unsigned int at)
{
	struct trace_ring *ring = t->heap[at];

	for (unsigned int next = 2 * at + 1; next < t->n_heap; next = 2 * at + 1) {
		if (next + 1 < t->n_heap && before(t->heap[next + 1], t->heap[next]))
			next++;
		if (!before(t->heap[next], ring))
			break;
		t->heap[at] = t->heap[next];
		at = next;
	}
	t->heap[at] = ring;
}

int trace_rings_begin(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);

	t->heap = calloc(t->n_rings + 1, sizeof(struct trace_ring *));
	if (!t->heap)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < t->n_rings; i++) {
		int result = 0;

		if (!t->buffers[t->rings[i].buffer].left_out)
			result = trace_page_read(r, &t->rings[i], err);
		if (result < 0)
			return -1;
		if (result)
			t->heap[t->n_heap++] = &t->rings[i];
	}
	for (unsigned int i = t->n_heap / 2; i-- > 0; )
		sift(t, i);
	return 0;
}

/* The first page was read to its end. Returns -1 and sets err if the next can't be read. */
static int next_page(struct recording *r, struct trace_ring *ring, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	const int result = trace_page_read(r, ring, err);

	if (result < 0)
		return -1;
	if (!result && !t->cut) {
		const uint64_t lost = trace_losses(t, ring);

		ring->rest = lost > ring->told ? lost - ring->told : 0;
		ring->told = lost;
	}
	if (!result && !ring->rest)
		t->heap[0] = t->heap[--t->n_heap];
	if (t->n_heap)
		sift(t, 0);
	t->pages++;
	return 0;
}

static int read_lost(struct trace_ring *ring, struct recorded *to)
{
	to->kind = RECORDED_LOST;
	to->cpu = ring->cpu;
	to->time = ring->begin;
	to->lost.from = ring->last;
	to->lost.count = ring->page.lost;
	ring->told += ring->page.lost;
	ring->page.missed = false;
	return 1;
}

/* Nobody knows where they were, unless a full ring keeps its oldest events. */
static int read_rest(const struct trace_data *t, struct trace_ring *ring, struct recorded *to)
{
	to->kind = RECORDED_LOST;
	to->cpu = ring->cpu;
	to->time = t->keeps_oldest ? t->newest : ring->last;
	to->lost.from = t->keeps_oldest ? ring->last : 0;
	to->lost.count = ring->rest;
	ring->rest = 0;
	return 1;
}

/* Returns false if it is of no event. */
static bool read_event(const struct recording *r, struct trace_ring *ring,
		       const struct ftrace_record *record, struct recorded *to)
{
	const struct trace_data *t = trace_data_of(r);
	const struct recorded_event *e;
	uint16_t type;

	to->time = ring->last = trace_ns(t, record->time);
	if (record->size < 8)
		return false;
	memcpy(&type, record->data, sizeof(type));
	e = recording_event(r, r->swapped ? __builtin_bswap16(type) : type);
	if (!e)
		return false;
	to->kind = RECORDED_EVENT;
	to->cpu = ring->cpu;
	to->event.number = (uint32_t)(e - r->events);
	to->event.record = record->data;
	to->event.size = record->size;
	to->event.stack = NULL;
	if (r->swapped)		/* the record is in the ring's own bytes */
		swaps_turn(r, to->event.number, (uint8_t *)record->data, record->size);
	memcpy(&to->tid, record->data + 4, sizeof(to->tid));	/* common_pid */
	to->pid = UINT32_MAX;
	return true;
}

/* A page that is missing may have begun at any time, so nothing behind is in order. */
static int end_cut(struct recording *r)
{
	struct trace_data *t = trace_data_of(r);

	t->n_heap = 0;
	t->cut = false;
	lines_add(&r->notes, "the end of %s is missing", r->bytes.path);
	return 0;
}

int trace_records_next(struct recording *r, struct recorded *to, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct ftrace_record record;

	if (t->tasks && trace_side_next(r, to))
		return 1;
	for (;;) {
		struct trace_ring *ring = t->n_heap ? t->heap[0] : NULL;
		int more;

		if (t->cut)
			return end_cut(r);
		if (!ring)
			return 0;
		if (t->pages >= ROUND) {
			t->pages = 0;
			*to = (struct recorded){ .kind = RECORDED_ROUND, .time = ring->begin };
			return 1;
		}
		if (ring->page.missed)
			return read_lost(ring, to);
		if (ring->rest)
			return read_rest(t, ring, to);
		more = ftrace_page_next(&ring->page, &record);
		if (more > 0 && read_event(r, ring, &record, to))
			return 1;
		if (more < 0)
			return fail(err, "%s is damaged: a record of CPU %u can't be read near "
					 "byte %llu", r->bytes.path, ring->cpu,
				    (unsigned long long)ring->at);
		if (!more && next_page(r, ring, err))
			return -1;
	}
}
