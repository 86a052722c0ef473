// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/swaps.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

/* `n` numbers of `size` bytes each, from `offset` of the record on. */
struct swap {
	uint32_t offset, n;
	uint32_t size;
};

struct swaps {
	struct swap *list;
	unsigned int n;
};

/* Bytes of an element of an array. Texts and addresses of networks are arrays of bytes. */
static uint32_t element_size(const struct recording *r, const char *type)
{
	static const struct {
		const char *word;
		uint32_t size;
	} words[] = {
		{ "64", 8 }, { "long long", 8 }, { "32", 4 }, { "16", 2 }, { "short", 2 },
		{ "char", 1 }, { "8", 1 }, { "int", 4 }, { "unsigned", 4 },
	};

	if (!strncmp(type, "__rel_loc ", 10))
		return 4;
	if (strstr(type, "long") && !strstr(type, "long long"))
		return r->long_size;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(type, words[i].word))
			return words[i].size;
	return 1;
}

static int add_field(const struct recording *r, struct swaps *s, const struct field *f)
{
	const uint32_t size = f->is_data_loc ? 4 : f->is_array ? element_size(r, f->type) : f->size;

	if (size != 2 && size != 4 && size != 8)
		return 0;
	if (array_room(&s->list, s->n, sizeof(*s->list)))
		return -1;
	s->list[s->n++] = (struct swap){ f->offset, f->is_data_loc ? 1 : f->size / size, size };
	return 0;
}

int swaps_add(struct recording *r, const struct format *f)
{
	struct swaps s = { };
	int result = array_room(&r->swaps, r->n_swaps, sizeof(*r->swaps));

	for (unsigned int i = 0; i < f->n_fields && !result; i++)
		result = add_field(r, &s, &f->fields[i]);
	if (result) {
		free(s.list);
		return -1;
	}
	r->swaps[r->n_swaps++] = s;
	return 0;
}

static void turn(uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size / 2; i++) {
		const uint8_t byte = bytes[i];

		bytes[i] = bytes[size - 1 - i];
		bytes[size - 1 - i] = byte;
	}
}

void swaps_turn(const struct recording *r, uint32_t number, uint8_t *record, uint32_t size)
{
	const struct swaps *s = &r->swaps[number];

	for (unsigned int i = 0; i < s->n; i++)
		for (uint32_t j = 0; j < s->list[i].n; j++) {
			const uint32_t at = s->list[i].offset + j * s->list[i].size;

			if (at <= size && s->list[i].size <= size - at)
				turn(record + at, s->list[i].size);
		}
}

void swaps_keep(struct recording *r, uint32_t number, uint32_t offset, uint32_t size)
{
	struct swaps *s = number < r->n_swaps ? &r->swaps[number] : NULL;
	unsigned int kept = 0;

	for (unsigned int i = 0; s && i < s->n; i++)
		if (s->list[i].offset < offset || s->list[i].offset >= offset + size)
			s->list[kept++] = s->list[i];
	if (s)
		s->n = kept;
}

void swaps_free(struct recording *r)
{
	for (unsigned int i = 0; i < r->n_swaps; i++)
		free(r->swaps[i].list);
	free(r->swaps);
}
