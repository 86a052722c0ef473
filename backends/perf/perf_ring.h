/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_RING_H
#define SONDE_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * One ring buffer of perf_event_open(2), mapped: the kernel writes records, we read them. Used for
 * samples of the perf engine and for the output of BPF programs (perf event arrays).
 */
struct perf_ring;

typedef void (*perf_record_fn)(void *arg, const struct perf_event_header *record);

/*
 * Maps the ring of fd; `pages` data pages, rounded up to a power of two. NULL and err on failure.
 */
struct perf_ring *perf_ring_map(int fd, unsigned int pages, struct error *err);
void perf_ring_unmap(struct perf_ring *ring);

/*
 * Calls fn for every record that was in the ring when the call began, oldest first, and frees their
 * space. A record is contiguous, aligned to 8 bytes and valid during fn only. Returns the number of
 * records, or -1 if the ring holds what no kernel writes (the rest is dropped then).
 */
int perf_ring_read(struct perf_ring *ring, perf_record_fn fn, void *arg);

/* Data bytes of the ring, and of these unread now. */
uint64_t perf_ring_bytes(const struct perf_ring *ring);
uint64_t perf_ring_unread(const struct perf_ring *ring);
/*
 * The most bytes that can have been in it at any time up to the last perf_ring_read(). If the
 * largest record did not fit beside that, records may have been lost behind the last one read: the
 * kernel tells only with its next one.
 */
uint64_t perf_ring_peak(const struct perf_ring *ring);
/*
 * Data bytes a ring of `pages` will have (for attr.wakeup_watermark, which must be known before
 * there is a ring).
 */
uint64_t perf_ring_size(unsigned int pages);

/*
 * What a failed perf_event_open(2) of `what` means and what to do about it; `error` is errno.
 * Returns -1.
 */
int perf_open_failed(int error, const char *what, struct error *err);

#endif
