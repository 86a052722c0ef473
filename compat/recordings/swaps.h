/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SWAPS_H
#define SONDE_SWAPS_H

#include "compat/recordings/recording_internal.h"

/*
 * Records of a machine with the other byte order: their numbers are turned round, by the format of
 * the event, before anybody reads them.
 */

/* Adds those of the recording's next event. Returns -1 if there is no memory. */
int swaps_add(struct recording *r, const struct format *f);
/* Turns the numbers of a record of event `number` round; what the record is too short for stays. */
void swaps_turn(const struct recording *r, uint32_t number, uint8_t *record, uint32_t size);
/*
 * What an event has in these bytes are bytes, and no numbers, although its format says so: a probe
 * reads texts as words. They stay as they are from now on. Of this machine's byte order nothing
 * is turned anyway.
 */
void swaps_keep(struct recording *r, uint32_t number, uint32_t offset, uint32_t size);
void swaps_free(struct recording *r);

#endif
