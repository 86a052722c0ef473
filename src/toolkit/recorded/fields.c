// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/recorded/fields.h"

#include <string.h>

bool recorded_number(const struct field *f, const struct recorded *rec, uint64_t *to)
{
	uint64_t v = 0;
	const unsigned int bits = 8 * f->size;

	if (f->is_array || f->is_data_loc || !f->size || f->size > 8 ||
	    f->offset > rec->event.size || f->size > rec->event.size - f->offset)
		return false;
	memcpy((char *)&v + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - f->size : 0),
	       rec->event.record + f->offset, f->size);
	if (f->is_signed && bits < 64 && v >> (bits - 1))
		v |= ~0ULL << bits;
	*to = v;
	return true;
}

bool recorded_chars(const struct field *f, const struct recorded *rec, const char **s, size_t *n)
{
	uint64_t at = f->offset, size = f->size;
	uint32_t where;

	if (strcmp(f->type, "char") || (!f->is_array && !f->is_data_loc))
		return false;
	if (f->is_data_loc) {
		if (f->offset > rec->event.size || rec->event.size - f->offset < sizeof(where))
			return false;
		memcpy(&where, rec->event.record + f->offset, sizeof(where));
		at = where & 0xffff;
		size = where >> 16;
	}
	if (at > rec->event.size || size > rec->event.size - at)
		return false;
	*s = (const char *)rec->event.record + at;
	*n = strnlen(*s, size);
	return true;
}
