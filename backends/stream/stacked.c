// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/stacked.h"

#include <string.h>

int stacked_apart(struct sample *s)
{
	const uint8_t *from = s->record;
	uint64_t n;
	uint32_t size;

	if (s->size < STREAM_STACKED_HEAD)
		return -1;
	memcpy(&n, from, sizeof(n));
	if (n > (s->size - STREAM_STACKED_HEAD) / sizeof(uint64_t))
		return -1;
	s->stack = from + sizeof(n);
	s->n_stack = (uint32_t)n;
	from += sizeof(n) + n * sizeof(uint64_t);
	memcpy(&size, from, sizeof(size));
	if (size > s->size - STREAM_STACKED_HEAD - n * sizeof(uint64_t))
		return -1;
	s->record = from + sizeof(size);
	/* The program also gets the fields that perf puts behind the record. */
	s->size -= (uint32_t)(STREAM_STACKED_HEAD + n * sizeof(uint64_t));
	return 0;
}
