/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PARTS_H
#define SONDE_PARTS_H

#include <stdint.h>

#include "backends/vm/pieces.h"
#include "compat/events/event.h"

/*
 * Strings that came in events of their own (parts, compat/events/event.h) and wait, by thread, for
 * their main event. It follows in the same call of the same thread, so only few wait at a time.
 * Room is limited: the oldest are evicted, and count as missing.
 *
 * Records do not say which call they are of; only their order shows that all are of one call. The
 * kernel runs the probes of a place in the opposite order of their making, and sonde makes the main
 * event first, then its parts from the last one on (stream_probe_order()). So a thread's records of
 * one call are always part 0, part 1 ... main event. Records in another order may be of several
 * calls: their texts are unknown.
 */
struct parts;

#define PARTS_MOST 64

/* `most`: texts of one event's parts, up to PARTS_MOST. Returns NULL if there is no memory. */
struct parts *parts_new(unsigned int most);
void parts_free(struct parts *p);

/*
 * Adds text number `part` of the event `main`; handle 0: it came, but was unreadable. If part 0
 * comes again, the main event of the earlier parts never came, and they are dropped. If any other
 * part is out of order, all parts become unknown until the main event.
 */
void parts_put(struct parts *p, uint32_t tid, uint32_t main, unsigned int part, uint64_t handle,
	       uint64_t time);
/*
 * Returns and removes all handles of an event, 0 for missing texts; NULL if none came, or if they
 * are out of order. Valid until the next call.
 */
const uint64_t *parts_take(struct parts *p, uint32_t tid, uint32_t main);
/* Drops all: events were lost. */
void parts_clear(struct parts *p);

/*
 * One text of a part's record. A text in pieces is joined in `pieces`. Returns NULL if the kernel
 * could not read it, or if the record has none.
 */
const char *part_text(const struct input *in, const void *record, uint32_t size,
		      char pieces[PIECES_TEXT], uint32_t *length);

#endif
