// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/vm_strings.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * A handle is the position of its text among all bytes ever written, with a mark in the highest
 * byte. No plain number of an event has this mark. The position reaches the mark only after 64 PiB
 * of texts: at 10 MB/s that is two centuries.
 */
#define HANDLE_MARK	(0xa5ULL << 56)

struct stored {
	uint64_t handle;
	uint32_t length;
	char text[];
};

int strings_init(struct strings *s)
{
	s->head = 0;
	s->bytes = calloc(1, STRINGS_SIZE);
	return s->bytes ? 0 : -1;
}

void strings_free(struct strings *s)
{
	free(s->bytes);
	s->bytes = NULL;
}

uint64_t strings_add(struct strings *s, const char *text, uint32_t length)
{
	uint32_t size, at;
	struct stored *to;

	assert(text || !length);
	if (length > STRING_MAX)
		length = STRING_MAX;
	size = ((uint32_t)offsetof(struct stored, text) + length + 7) & ~7U;
	at = (uint32_t)(s->head % STRINGS_SIZE);
	if (STRINGS_SIZE - at < size) {		/* a text never wraps around */
		s->head += STRINGS_SIZE - at;
		at = 0;
	}
	to = (struct stored *)(s->bytes + at);
	to->handle = HANDLE_MARK | s->head;
	to->length = length;
	memcpy(to->text, text, length);
	s->head += size;
	return to->handle;
}

const char *strings_find(const struct strings *s, uint64_t handle, uint32_t *length)
{
	uint64_t place = handle & ~HANDLE_MARK;
	uint32_t at = (uint32_t)(place % STRINGS_SIZE);
	const struct stored *found = (const struct stored *)(s->bytes + at);

	/* A number that only looks like a handle must find nothing, and read only the log. */
	if ((handle & 0xffULL << 56) != HANDLE_MARK || place % 8 || place >= s->head ||
	    s->head - place > STRINGS_SIZE)
		return NULL;
	if (STRINGS_SIZE - at < sizeof(*found) || found->handle != handle)
		return NULL;
	if (found->length > STRING_MAX ||
	    found->length > STRINGS_SIZE - at - offsetof(struct stored, text))
		return NULL;
	*length = found->length;
	return found->text;
}
