/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PUT_INPUT_H
#define SONDE_PUT_INPUT_H

#include <string.h>

#include "compat/events/event.h"

/* Puts a number of 4 or 8 bytes into an event's record. Returns false if it has no such input. */
static inline bool put_input(uint8_t *record, const struct event *e, const char *name,
			     uint64_t value)
{
	const struct input *in = event_input(e, name);
	const uint32_t u32 = (uint32_t)value;

	if (in)
		memcpy(record + in->offset, in->size == 8 ? (const void *)&value : &u32, in->size);
	return in;
}

#endif
