/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_RING_H
#define SONDE_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "compat/base/error.h"

/*
 * One ring buffer of perf_event_open(2), mapped: the kernel writes records, sonde reads them. The
 * perf engine reads samples, and the bpf engine the output of programs (perf event arrays).
 */
struct perf_ring {
	struct perf_event_mmap_page *control;
	const uint8_t *data;
	uint64_t size;		/* of data, bytes: a power of two */
	uint64_t mapped;	/* bytes, with the control page */
	uint64_t peak;		/* see perf_ring_peak() */
	uint8_t *bounce;	/* a copy of a record that wraps around the end */
	uint32_t bounce_size;
};

typedef void (*perf_record_fn)(void *arg, const struct perf_event_header *record);

/*
 * Maps the ring of fd: `pages` of data, rounded up to a power of two. Returns NULL and sets err on
 * failure.
 */
struct perf_ring *perf_ring_map(int fd, unsigned int pages, struct error *err);
/*
 * The same for an event with attr.write_backward, whose ring overwrites its oldest records: nobody
 * tells the kernel what was read. Only perf_ring_bytes(), perf_ring_head() and `data` are of use.
 */
struct perf_ring *perf_ring_map_backward(int fd, unsigned int pages, struct error *err);
void perf_ring_unmap(struct perf_ring *ring);

/*
 * Calls fn for every record that was in the ring when the call began, oldest first, and frees their
 * space. A record is in one piece, aligned to 8 bytes, and valid only during fn. Returns the number
 * of records; -1 if a record is invalid, or if there is no memory: the rest is dropped.
 */
int perf_ring_read(struct perf_ring *ring, perf_record_fn fn, void *arg);

/*
 * Records that follow each other in memory, the first one whole. `pause`: where their space should
 * be returned to the kernel; to do so after each record would cost a cache line each.
 */
struct perf_piece {
	const uint8_t *at, *pause, *end;
};

/*
 * Finds the piece at `tail`. Returns 1; 0 if there are no records before `head`; -1 if a record is
 * invalid, or if there is no memory.
 */
int perf_ring_piece(struct perf_ring *ring, uint64_t tail, uint64_t head, struct perf_piece *piece);

/* The bytes of the record at `at`, of `left` unread bytes; 0: it is invalid. */
static inline uint32_t perf_record_bytes(const uint8_t *at, uint64_t left)
{
	/* a header never wraps: records are multiples of 8 bytes */
	const uint32_t bytes = ((const struct perf_event_header *)at)->size;

	return bytes < sizeof(struct perf_event_header) || bytes % 8 || bytes > left ? 0 : bytes;
}

/*
 * perf_ring_read() with fn inlined, for millions of records a second. Stops after `most` bytes, and
 * up to an eighth of the ring more.
 */
static inline __attribute__((always_inline)) int perf_ring_read_by(struct perf_ring *ring,
								   uint64_t most, perf_record_fn fn,
								   void *arg)
{
	uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
	uint64_t begin = ring->control->data_tail, tail = begin;
	struct perf_piece piece;
	int n = 0, more = 1;

	while (tail - begin < most && (more = perf_ring_piece(ring, tail, head, &piece)) > 0) {
		const uint8_t *at = piece.at;
		uint32_t bytes;

		while (at < piece.pause &&
		       (bytes = perf_record_bytes(at, (uint64_t)(piece.end - at)))) {
			fn(arg, (const struct perf_event_header *)at);
			n++;
			at += bytes;
		}
		tail += (uint64_t)(at - piece.at);
		__atomic_store_n(&ring->control->data_tail, tail, __ATOMIC_RELEASE);
	}
	ring->peak = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE) - begin;
	if (more <= 0)
		__atomic_store_n(&ring->control->data_tail, head, __ATOMIC_RELEASE);
	return more < 0 ? -1 : n;
}

/*
 * All unread records as they are in the ring: one piece, or two where it wraps around. Returns the
 * number of pieces; 0: there is nothing to read. perf_ring_passed() frees their space.
 */
unsigned int perf_ring_unread_pieces(const struct perf_ring *ring, struct iovec pieces[2]);
void perf_ring_passed(struct perf_ring *ring, const struct iovec *pieces, unsigned int n);
/* The bytes of the ring's data; its unread bytes. */
uint64_t perf_ring_bytes(const struct perf_ring *ring);
uint64_t perf_ring_unread(const struct perf_ring *ring);
/* The position up to which the kernel has written; whether a position has been read. */
uint64_t perf_ring_head(const struct perf_ring *ring);
bool perf_ring_is_past(const struct perf_ring *ring, uint64_t head);
/*
 * The most bytes that can have been in the ring at any time up to the last perf_ring_read(). If
 * another record of the largest size did not fit then, records may have been lost after the last
 * one: the kernel reports that only with its next record.
 */
uint64_t perf_ring_peak(const struct perf_ring *ring);
/* The bytes of data of a ring with `pages`, for attr.wakeup_watermark, before there is a ring. */
uint64_t perf_ring_size(unsigned int pages);

/* Writes to err why perf_event_open(2) of `what` failed with this errno. Returns -1. */
int perf_open_failed(int error, const char *what, struct error *err);

#endif
