/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MERGE_H
#define SONDE_MERGE_H

#include <stdint.h>

/*
 * Merges queues of timed entries into one stream. Each queue is a first-in first-out buffer of
 * bytes, nearly sorted as it comes: an interrupt that traces between the time stamp of another
 * event and its place in the ring puts the younger record first, so a push may go back a few
 * entries. Entries of the same time come in the order of queues, and within a queue in the order
 * pushed.
 */
struct merge;

/* What an entry is, in the caller's terms. */
struct merge_tag {
	uint32_t kind;
	uint32_t tid;
	uint32_t cpu;
};

struct merge_entry {
	uint64_t time;
	struct merge_tag tag;
	uint32_t length;	/* of data */
	/* bytes of this entry, and of the one before it in the queue; merge's own */
	uint32_t size, before;
	uint8_t data[];
};

struct merge *merge_new(unsigned int queues);
void merge_free(struct merge *m);

/*
 * Makes room for an entry with `length` bytes of data. The caller fills its tag and its data in
 * before it calls anything else here. NULL: the queue has grown to its limit, or there is no
 * memory.
 */
struct merge_entry *merge_push(struct merge *m, unsigned int queue, uint64_t time, uint32_t length);

/*
 * The oldest entry if it is not younger than `until`, else NULL. Valid until the next call; there
 * may be no push in between.
 */
const struct merge_entry *merge_next(struct merge *m, uint64_t until);

#endif
