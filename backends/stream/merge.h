/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MERGE_H
#define SONDE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Merges queues of timed entries into one stream. Each queue is a first-in first-out buffer of
 * bytes, nearly sorted: if an interrupt traces between the time stamp of another event and the
 * writing of its record, the younger record comes first. So a push may go back a few entries.
 * Entries of the same time come in the order of queues, and within a queue in the order of pushes.
 */
struct merge;

struct merge_entry {
	uint64_t time;
	uint32_t kind, tid;	/* the caller's */
	uint32_t length;	/* of data */
	uint32_t before;	/* bytes of the entry before it in the queue; merge's own */
	uint8_t data[];
};

struct merge_queue {
	uint32_t owner;		/* the caller's */
	uint8_t *bytes;
	uint32_t size;
	uint32_t head, tail;	/* offsets of the oldest entry, and of the end of the youngest */
	uint32_t last;		/* size of the youngest entry */
	uint64_t youngest;	/* its time */
};

/* Its members are here for the functions that run for each event (merge_push(), merge_next()). */
struct merge {
	unsigned int n_queues;
	struct merge_queue *queues;
	/* the queue whose oldest entry merge_next() returned: the next call drops it; NULL: none */
	struct merge_queue *taken;
	uint64_t bound;		/* entries of `taken` older than this precede all other queues */
	struct merge_node *heap;	/* the other queues, while one is taken */
	unsigned int n_heap;
};

/* Returns NULL if there is no memory. */
struct merge *merge_new(unsigned int queues);
void merge_free(struct merge *m);

/* The general forms of merge_push() and merge_next(). */
struct merge_entry *merge_push_anywhere(struct merge_queue *q, uint64_t time, uint32_t length);
const struct merge_entry *merge_next_of_all(struct merge *m, uint64_t until);

/* The entry at an offset of a queue. */
static inline struct merge_entry *merge_at(const struct merge_queue *q, uint32_t offset)
{
	return (struct merge_entry *)(q->bytes + offset);
}

/* The bytes of an entry in a queue; `length`: of its data. */
static inline uint64_t merge_bytes_of(uint32_t length)
{
	return ((uint64_t)length + sizeof(struct merge_entry) + 7) & ~7ULL;
}

/* Adds an entry at the end of a queue that has room for it. */
static inline struct merge_entry *merge_append(struct merge_queue *q, uint64_t time,
					       uint32_t length, uint32_t need)
{
	struct merge_entry *e = merge_at(q, q->tail);

	e->time = time;
	e->length = length;
	e->before = q->last;
	q->last = need;
	q->youngest = time;
	q->tail += need;
	return e;
}

/*
 * Adds an entry with `length` bytes of data at the end of a queue that is not empty: the usual
 * case. The caller fills in kind, tid and data before it calls another function here. Returns NULL
 * if it is not the usual case.
 */
static inline struct merge_entry *merge_push_end(struct merge_queue *q, uint64_t time,
						 uint32_t length)
{
	uint64_t need = merge_bytes_of(length);

	if (need > q->size - q->tail || q->head == q->tail || q->youngest > time)
		return NULL;
	return merge_append(q, time, length, (uint32_t)need);
}

/*
 * The same in any case. Returns NULL if the queue has reached its limit, or if there is no memory.
 */
static inline struct merge_entry *merge_push(struct merge *m, unsigned int queue, uint64_t time,
					     uint32_t length)
{
	struct merge_queue *q = &m->queues[queue];
	struct merge_entry *e = merge_push_end(q, time, length);

	return e ? e : merge_push_anywhere(q, time, length);
}

/*
 * The oldest entry, valid until the next call; NULL if it is younger than `until`. From the first
 * call on, no push is allowed until a call has returned NULL.
 */
static inline const struct merge_entry *merge_next(struct merge *m, uint64_t until)
{
	struct merge_queue *q = m->taken;
	const struct merge_entry *e;

	if (q) {	/* drop it; what is behind it is most often the next of all */
		q->head += (uint32_t)merge_bytes_of(merge_at(q, q->head)->length);
		e = merge_at(q, q->head);
		if (q->head != q->tail && e->time < m->bound && e->time <= until)
			return e;
	}
	return merge_next_of_all(m, until);
}

#endif
