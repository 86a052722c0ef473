// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/merge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/rare.h"

#define QUEUE_FIRST (16U << 10)
#define QUEUE_LIMIT (64U << 20)

struct queue {
	uint8_t *bytes;
	uint32_t size;
	uint32_t head, tail;	/* offsets of the oldest entry, and of where the next one goes */
	uint32_t last;		/* size of the youngest entry */
	uint64_t youngest;	/* its time */
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
	/* the queue whose oldest entry the caller has: it goes at the next call; NULL: none */
	struct queue *taken;
	uint64_t bound;		/* what is older than this in that queue precedes all others */
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

/* Of an entry; for a length that is too large to be one it may be less than that. */
static uint32_t bytes_of(uint32_t length)
{
	return (sizeof(struct merge_entry) + length + 7) & ~7U;
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

/* Where an entry of `time` belongs, which is not the end: what is younger makes way. */
static struct merge_entry *insert(struct queue *q, uint64_t time, uint32_t need)
{
	uint32_t place = q->tail, before = q->last;
	struct merge_entry *e;

	while (place > q->head && at(q, place - before)->time > time) {
		place -= before;
		before = at(q, place)->before;
	}
	e = at(q, place);
	memmove(q->bytes + place + need, e, q->tail - place);
	at(q, place + need)->before = need;
	e->before = before;
	return e;
}

static struct merge_entry *append(struct queue *q, uint64_t time, uint32_t need)
{
	struct merge_entry *e = at(q, q->tail);

	e->before = q->last;
	q->last = need;
	q->youngest = time;
	return e;
}

static struct merge_entry *fill(struct queue *q, struct merge_entry *e, uint64_t time,
				uint32_t length, uint32_t need)
{
	q->tail += need;
	e->time = time;
	e->length = length;
	e->size = need;
	return e;
}

static RARE struct merge_entry *push_anywhere(struct merge *m, struct queue *q, uint64_t time,
					      uint32_t length)
{
	uint32_t need = bytes_of(length);
	struct merge_entry *e;

	if (length > QUEUE_LIMIT / 4 || (need > q->size - q->tail && make_room(q, need)))
		return NULL;
	if (q->head == q->tail || q->youngest <= time)
		e = append(q, time, need);
	else
		e = insert(q, time, need);
	m->stale |= e == at(q, q->head);
	return fill(q, e, time, length, need);
}

struct merge_entry *merge_push(struct merge *m, unsigned int queue, uint64_t time, uint32_t length)
{
	struct queue *q = &m->queues[queue];
	uint32_t need = bytes_of(length);

	if (need < length || need > q->size - q->tail || q->head == q->tail || q->youngest > time)
		return push_anywhere(m, q, time, length);
	return fill(q, append(q, time, need), time, length, need);
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

/* The queue on top of the heap has another oldest entry, or none. */
static void replace_top(struct merge *m, struct queue *q)
{
	if (q->head == q->tail) {
		q->head = q->tail = 0;
		m->heap[0] = m->heap[--m->n_heap];
	} else {
		m->heap[0].time = at(q, q->head)->time;
	}
	if (m->n_heap > 1)
		sift_down(m, 0);
}

/*
 * Up to where the queue on top stays there. Nothing is behind the last time of all: there the heap
 * tells.
 */
static uint64_t bound_of_top(const struct merge *m)
{
	const struct node *next = &m->heap[1];

	if (m->n_heap < 2)
		return UINT64_MAX;
	if (m->n_heap > 2 && precedes(&m->heap[2], next))
		next = &m->heap[2];
	return next->time + (m->heap[0].queue < next->queue && next->time < UINT64_MAX);
}

static RARE const struct merge_entry *next_of_all(struct merge *m, uint64_t until)
{
	if (m->taken)
		replace_top(m, m->taken);
	m->taken = NULL;
	if (m->stale)
		build_heap(m);
	if (!m->n_heap || m->heap[0].time > until)
		return NULL;
	m->taken = &m->queues[m->heap[0].queue];
	m->bound = bound_of_top(m);
	return at(m->taken, m->taken->head);
}

const struct merge_entry *merge_next(struct merge *m, uint64_t until)
{
	struct queue *q = m->taken;
	const struct merge_entry *e;

	if (q) {	/* drop it; what is behind it is most often the next of all */
		q->head += at(q, q->head)->size;
		e = at(q, q->head);
		if (q->head != q->tail && e->time < m->bound && e->time <= until)
			return e;
	}
	return next_of_all(m, until);
}
