// SPDX-License-Identifier: GPL-2.0
#include "insns/field.h"

#include <assert.h>
#include <string.h>

const struct record_layout *layout_of(const struct record_layout *l, const void *record,
				      uint32_t size)
{
	uint32_t kind;

	if (size < l->least)
		return NULL;
	if (!l->n_kinds)
		return l;
	memcpy(&kind, (const char *)record + l->kind, sizeof(kind));
	return kind < l->n_kinds ? layout_of(l->kinds[kind], record, size) : NULL;
}

const struct record_field *layout_field(const struct record_layout *l, const char *name)
{
	for (const struct record_field *f = l->fields; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

uint64_t field_number(const struct record_field *f, const void *record)
{
	const void *from = (const char *)record + f->offset;
	bool is_signed = f->type == FIELD_SIGNED;
	uint8_t byte;
	uint16_t half;
	uint32_t word;
	uint64_t number;

	assert(f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
	switch (f->size) {
	case 1:
		memcpy(&byte, from, sizeof(byte));
		return is_signed ? (uint64_t)(int8_t)byte : byte;
	case 2:
		memcpy(&half, from, sizeof(half));
		return is_signed ? (uint64_t)(int16_t)half : half;
	case 4:
		memcpy(&word, from, sizeof(word));
		return is_signed ? (uint64_t)(int32_t)word : word;
	default:
		memcpy(&number, from, sizeof(number));
		return number;
	}
}
