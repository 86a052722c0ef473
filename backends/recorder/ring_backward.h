/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RING_BACKWARD_H
#define SONDE_RING_BACKWARD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/rings/perf_ring.h"
#include "compat/base/error.h"

/*
 * Rings that the kernel writes backward (attr.write_backward, Linux 4.7): its head goes down, the
 * newest record is at the head, and each older one follows the next newer one. The oldest records
 * are overwritten.
 */

/* Returns -1 and sets err if this kernel has no such rings. */
int backward_serves(struct error *err);

/* A record, without the bytes of the ring. */
struct backward_record {
	uint64_t time;
	size_t at;			/* in the bytes of the ring */
	uint16_t size;
	bool event;			/* a sample */
};

/* A copy of a ring, and what is in it. */
struct backward {
	uint8_t *bytes;			/* the newest record is first */
	size_t size;
	bool overwritten;		/* older records were there */
	struct backward_record *list;	/* the oldest record is first */
	size_t n;
};

/* Where the time is: in samples from their beginning, in other records from their end, bytes. */
struct backward_times {
	size_t of_sample, of_other;
};
struct backward_times backward_times(const struct perf_event_attr *attr);

/*
 * Makes room for a ring of `size` bytes, a power of two; all pages are there, so that the copy is
 * quick. Returns -1 if there is no memory.
 */
int backward_room(uint64_t size, struct backward *to);
/*
 * Copies the bytes of a ring whose head is at `head`. The oldest bytes, over which a writer may be
 * at work, are left out.
 */
void backward_copy(const uint8_t *data, uint64_t size, uint64_t head, struct backward *to);
/* The head went on from `before` to `after` during the copy: leaves out what may be overwritten. */
void backward_cut(struct backward *b, uint64_t size, uint64_t before, uint64_t after);
/*
 * Finds the records. Of those at the old end, one that is not whole ends the list. Returns -1 if
 * there is no memory.
 */
int backward_parse(struct backward *b, const struct backward_times *times);
void backward_free(struct backward *b);

#endif
