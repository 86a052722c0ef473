// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/merge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_FIRST (16U << 10)
#define QUEUE_LIMIT (64U << 20)

struct queue {
	uint8_t *bytes;
	uint32_t size;
	uint32_t head, tail;	/* offsets of the oldest entry, and of where the next one goes */
	uint32_t last;		/* size of the youngest entry */
};

/* A queue that is not empty, by the time of its oldest entry. */
struct node {
	uint64_t time;
	uint32_t queue;
};

struct merge {
	unsigned int n_queues;
	struct queue *queues;
	struct node *heap;
	unsigned int n_heap;
	bool stale;		/* the heap must be built anew: heads have changed */
	/* the oldest entry is in the caller's hands, and goes at the next call */
	bool taken;
};

struct merge *merge_new(unsigned int queues)
{
	struct merge *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->n_queues = queues;
	m->queues = calloc(queues, sizeof(*m->queues));
	m->heap = calloc(queues, sizeof(*m->heap));
	if (!m->queues || !m->heap) {
		merge_free(m);
		return NULL;
	}
	return m;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	for (unsigned int i = 0; m->queues && i < m->n_queues; i++)
		free(m->queues[i].bytes);
	free(m->queues);
	free(m->heap);
	free(m);
}

static struct merge_entry *at(const struct queue *q, uint32_t offset)
{
	return (struct merge_entry *)(q->bytes + offset);
}

static int make_room(struct queue *q, uint32_t need)
{
	uint32_t used = q->tail - q->head, size = q->size ? q->size : QUEUE_FIRST;
	uint8_t *bytes;

	if (used + need > q->size / 2) {
		while (size / 2 < used + need)
			size *= 2;
		if (size > QUEUE_LIMIT)
			return -1;
		bytes = malloc(size);
		if (!bytes)
			return -1;
		if (used)
			memcpy(bytes, q->bytes + q->head, used);
		free(q->bytes);
		q->bytes = bytes;
		q->size = size;
	} else {
		memmove(q->bytes, q->bytes + q->head, used);
	}
	q->head = 0;
	q->tail = used;
	return 0;
}

int merge_push(struct merge *m, unsigned int queue, uint64_t time, struct merge_tag tag,
	       const void *data,
	       uint32_t length)
{
	struct queue *q = &m->queues[queue];
	struct merge_entry *e;
	uint32_t need = (sizeof(*e) + length + 7) & ~7U;
	uint32_t place, before;

	if (length > QUEUE_LIMIT / 4 || (need > q->size - q->tail && make_room(q, need)))
		return -1;
	place = q->tail;
	before = q->last;
	while (place > q->head && at(q, place - before)->time > time) {
		place -= before;
		before = at(q, place)->before;
	}
	e = at(q, place);
	if (place < q->tail) {
		memmove(q->bytes + place + need, e, q->tail - place);
		at(q, place + need)->before = need;
	} else {
		q->last = need;
	}
	m->stale |= place == q->head;
	q->tail += need;
	e->time = time;
	e->tag = tag;
	e->length = length;
	e->size = need;
	e->before = before;
	memcpy(e->data, data, length);
	return 0;
}

static bool precedes(const struct node *a, const struct node *b)
{
	return a->time < b->time || (a->time == b->time && a->queue < b->queue);
}

static void sift_down(struct merge *m, unsigned int i)
{
	struct node moved = m->heap[i];

	for (;;) {
		unsigned int child = 2 * i + 1;

		if (child >= m->n_heap)
			break;
		if (child + 1 < m->n_heap && precedes(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!precedes(&m->heap[child], &moved))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = moved;
}

static void build_heap(struct merge *m)
{
	m->n_heap = 0;
	for (unsigned int i = 0; i < m->n_queues; i++) {
		const struct queue *q = &m->queues[i];

		if (q->head != q->tail)
			m->heap[m->n_heap++] = (struct node){ at(q, q->head)->time, i };
	}
	for (unsigned int i = m->n_heap / 2; i-- > 0;)
		sift_down(m, i);
	m->stale = false;
}

/* Drops the entry that was handed out: the head of the queue on top of the heap. */
static void drop_taken(struct merge *m)
{
	struct queue *q = &m->queues[m->heap[0].queue];

	m->taken = false;
	q->head += at(q, q->head)->size;
	if (q->head == q->tail) {
		q->head = q->tail = 0;
		m->heap[0] = m->heap[--m->n_heap];
	} else {
		m->heap[0].time = at(q, q->head)->time;
	}
	if (m->n_heap > 1)
		sift_down(m, 0);
}

const struct merge_entry *merge_next(struct merge *m, uint64_t until)
{
	const struct queue *q;

	if (m->taken)
		drop_taken(m);
	if (m->stale)
		build_heap(m);
	if (!m->n_heap || m->heap[0].time > until)
		return NULL;
	q = &m->queues[m->heap[0].queue];
	m->taken = true;
	return at(q, q->head);
}
