// SPDX-License-Identifier: GPL-2.0
#include "insns/combine.h"

#include <string.h>

static uint64_t combined(enum combine how, uint64_t a, uint64_t b)
{
	const int64_t x = (int64_t)a, y = (int64_t)b;

	switch (how) {
	case COMBINE_MIN:
		return a < b ? a : b;
	case COMBINE_MAX:
		return a > b ? a : b;
	case COMBINE_MIN_SIGNED:
		return x < y ? a : b;
	case COMBINE_MAX_SIGNED:
		return x > y ? a : b;
	case COMBINE_SUM:
		break;
	}
	return a + b;
}

void map_combine(const struct map *m, void *to, const void *from)
{
	for (size_t i = 0; i < m->value_size / sizeof(uint64_t); i++) {
		uint8_t *at = (uint8_t *)to + i * sizeof(uint64_t);
		uint64_t a, b;

		memcpy(&a, at, sizeof(a));
		memcpy(&b, (const uint8_t *)from + i * sizeof(uint64_t), sizeof(b));
		a = combined(i < COMBINED ? m->combine[i] : COMBINE_SUM, a, b);
		memcpy(at, &a, sizeof(a));
	}
}
