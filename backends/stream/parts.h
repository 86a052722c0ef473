/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PARTS_H
#define SONDE_PARTS_H

#include <stdint.h>

#include "backends/vm/pieces.h"
#include "compat/events/event.h"

/*
 * Strings that came in events of their own (parts, compat/events/event.h) and wait, by thread, for
 * their main event. It follows within the same call of the same thread, so only few wait at a time,
 * and room is bounded: the oldest give way, and read as missing.
 *
 * No record says which call it is of; that all of them are of one shows in their order. The kernel
 * runs the probes of a place in the opposite order of that in which they were made, and sonde makes
 * the main event first and then its parts from the last one on (stream_probe_order()). So the
 * records of an event by one thread are always part 0, part 1 ... main event. Whatever comes in
 * another order may be of several calls: its texts are unknown.
 */
struct parts;

#define PARTS_MOST 64

/* most texts the parts of any event bring, up to PARTS_MOST */
struct parts *parts_new(unsigned int most);
void parts_free(struct parts *p);

/*
 * Text number `part` of those that the parts of the event `main` bring; handle 0: it came, but
 * could not be read. Where the first one comes again their main event never did, and they go. Any
 * other one that is not behind those that came makes all of them doubtful, until the main event.
 */
void parts_put(struct parts *p, uint32_t tid, uint32_t main, unsigned int part, uint64_t handle,
	       uint64_t time);
/*
 * All handles of an event, 0 for what did not come, and forgets them; NULL if none came, or their
 * order is another one. Valid until the next call.
 */
const uint64_t *parts_take(struct parts *p, uint32_t tid, uint32_t main);
/* Forgets all of them: events were lost. */
void parts_clear(struct parts *p);

/*
 * One text of a part's record, or NULL if the kernel could not read it (or the record is no such
 * one). One in pieces is put together in `pieces`.
 */
const char *part_text(const struct input *in, const void *record, uint32_t size,
		      char pieces[PIECES_TEXT], uint32_t *length);

#endif
