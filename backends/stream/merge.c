// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "compat/base/rare.h"

#define QUEUE_FIRST (16U << 10)
#define QUEUE_LIMIT (64U << 20)
#define HUGE_PAGE (2U << 20)

/* A queue that is not empty, by the time of its oldest entry. */
struct merge_node {
	uint64_t time;
	struct merge_queue *queue;
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

/*
 * A long queue is written from its beginning to its end over and over. In huge pages that is a few
 * page faults, and not thousands: in some guests each of them takes as long as 200 events.
 */
static uint8_t *new_bytes(uint32_t size)
{
	uint8_t *bytes = size < HUGE_PAGE ? malloc(size) : aligned_alloc(HUGE_PAGE, size);

	if (bytes && size >= HUGE_PAGE)
		madvise(bytes, size, MADV_HUGEPAGE);
	return bytes;
}

static int make_room(struct merge_queue *q, uint32_t need)
{
	uint32_t used = q->tail - q->head, size = q->size ? q->size : QUEUE_FIRST;
	uint8_t *bytes;

	if (used + need > q->size / 2) {
		while (size / 2 < used + need)
			size *= 2;
		if (size > QUEUE_LIMIT)
			return -1;
		bytes = new_bytes(size);
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

/*
 * Makes place for an entry of `time` that does not belong at the end of the queue: younger entries
 * move back.
 */
static struct merge_entry *insert(struct merge_queue *q, uint64_t time, uint32_t need)
{
	uint32_t place = q->tail, before = q->last;
	struct merge_entry *e;

	while (place > q->head && merge_at(q, place - before)->time > time) {
		place -= before;
		before = merge_at(q, place)->before;
	}
	e = merge_at(q, place);
	memmove(q->bytes + place + need, e, q->tail - place);
	merge_at(q, place + need)->before = need;
	e->before = before;
	return e;
}

struct merge_entry *merge_push_anywhere(struct merge_queue *q, uint64_t time, uint32_t length)
{
	uint32_t need = (uint32_t)merge_bytes_of(length);
	struct merge_entry *e;

	if (length > QUEUE_LIMIT / 4 || (need > q->size - q->tail && make_room(q, need)))
		return NULL;
	if (q->head == q->tail || q->youngest <= time)
		return merge_append(q, time, length, need);
	e = insert(q, time, need);
	e->time = time;
	e->length = length;
	q->tail += need;
	return e;
}

static bool precedes(const struct merge_node *a, const struct merge_node *b)
{
	return a->time < b->time || (a->time == b->time && a->queue < b->queue);
}

static RARE void sift_down(struct merge *m, unsigned int i)
{
	struct merge_node moved = m->heap[i];

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
		struct merge_queue *q = &m->queues[i];

		if (q->head != q->tail)
			m->heap[m->n_heap++] = (struct merge_node){ merge_at(q, q->head)->time, q };
	}
	for (unsigned int i = m->n_heap / 2; i-- > 0;)
		sift_down(m, i);
}

/* Takes the first queue out of the heap. */
static void take_top(struct merge *m)
{
	m->taken = m->n_heap ? m->heap[0].queue : NULL;
	if (!m->n_heap || !--m->n_heap)
		return;
	m->heap[0] = m->heap[m->n_heap];
	sift_down(m, 0);
}

/*
 * The time before which entries of the taken queue precede all other queues. No time is behind
 * UINT64_MAX, so entries of this time are compared in the heap.
 */
static uint64_t bound_of_taken(const struct merge *m)
{
	const struct merge_node *next = &m->heap[0];

	if (!m->n_heap)
		return UINT64_MAX;
	return next->time + (m->taken < next->queue && next->time < UINT64_MAX);
}

/* A run begins, or the queue that was taken is empty. */
static RARE void take_another(struct merge *m)
{
	if (m->taken)
		m->taken->head = m->taken->tail = 0;
	else
		build_heap(m);
	take_top(m);
}

const struct merge_entry *merge_next_of_all(struct merge *m, uint64_t until)
{
	struct merge_queue *q = m->taken;
	const struct merge_entry *e;

	if (!q || q->head == q->tail) {
		take_another(m);
	} else {
		const struct merge_node old = { merge_at(q, q->head)->time, q };

		if (m->n_heap && precedes(&m->heap[0], &old)) {
			m->taken = m->heap[0].queue;
			m->heap[0] = old;
			if (m->n_heap > 1)
				sift_down(m, 0);
		}
	}
	if (!m->taken)
		return NULL;
	e = merge_at(m->taken, m->taken->head);
	if (e->time > until) {
		m->taken = NULL;
		return NULL;
	}
	m->bound = bound_of_taken(m);
	return e;
}
