// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/data_loc.h"

#include <string.h>

/*
 * A string that could not be read has no bytes, not even its NUL. Newer kernels write a text in its
 * place. Up to 6.1 an empty string of user memory has length 0 too, but its NUL has room behind the
 * data_loc. If the data_loc is the last argument, this room makes the record longer: it exceeds the
 * end of the data_loc, rounded up as perf does it (to a u32 less than a multiple of 8) and as
 * ftrace does it (to a multiple of 4).
 */
static bool has_room_for_nul(uint32_t end, uint32_t size)
{
	return size > ((end + 4 + 7) & ~7U) - 4 && size > ((end + 3) & ~3U);
}

const char *data_loc_text(const void *record, uint32_t size, uint32_t at, bool last,
			  uint32_t *length)
{
	static const char fault[] = "(fault)";
	uint32_t loc, offset, room;
	const char *text;

	if (at + sizeof(loc) > size)
		return NULL;
	memcpy(&loc, (const char *)record + at, sizeof(loc));
	offset = loc & 0xffff;
	room = loc >> 16;
	*length = 0;
	if (!room)
		return last && has_room_for_nul(at + (uint32_t)sizeof(loc), size) ? "" : NULL;
	if (offset + room > size)
		return NULL;
	text = (const char *)record + offset;
	if (room == sizeof(fault) && !memcmp(text, fault, sizeof(fault)))
		return NULL;
	*length = (uint32_t)strnlen(text, room);
	return text;
}
