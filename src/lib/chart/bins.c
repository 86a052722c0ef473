// SPDX-License-Identifier: GPL-2.0
#include "src/lib/chart/bins.h"

#include <stdlib.h>
#include <string.h>

/* Makes room up to this bin. Of a time before its first bin nothing is ever added. */
static int room(struct bins *b, uint32_t number)
{
	uint32_t n;
	struct bin *list;

	if (!b->list)
		b->first = number;
	n = number - b->first + 1;
	if (n <= b->n)
		return 0;
	/* In steps: mostly the next one is added. */
	if (!b->list || (n + 15) / 16 > (b->n + 15) / 16) {
		list = realloc(b->list, (n + 15) / 16 * 16 * sizeof(*list));
		if (!list)
			return -1;
		b->list = list;
	}
	memset(b->list + b->n, 0, (n - b->n) * sizeof(*b->list));
	b->n = n;
	return 0;
}

int bins_add(struct bins *b, unsigned int shift, uint64_t from, uint64_t to, enum bin_of what,
	     double value)
{
	const uint64_t all = to > from ? to - from : 1;
	uint32_t number = (uint32_t)(from >> shift);
	const uint32_t last = (uint32_t)((from + all - 1) >> shift);

	if (last >= BINS || (b->list && number < b->first))
		return 0;
	if (room(b, number) || room(b, last))
		return -1;
	for (; number <= last; number++) {
		const uint64_t start = (uint64_t)number << shift, end = start + (1ULL << shift);
		const uint64_t left = from > start ? from : start;
		const uint64_t right = from + all < end ? from + all : end;

		b->list[number - b->first].of[what] +=
			(float)(value * (double)(right - left) / (double)all);
	}
	return 0;
}

void bins_halve(struct bins *b)
{
	const uint32_t first = b->first / 2;
	const uint32_t n = b->n ? (b->first + b->n - 1) / 2 - first + 1 : 0;

	for (uint32_t i = 0; i < n; i++) {
		struct bin sum = { };

		for (uint32_t half = 0; half < 2; half++)
			for (enum bin_of what = 0; what < BIN_SUMS; what++)
				sum.of[what] += (float)bins_at(b, 2 * (first + i) + half, what);
		b->list[i] = sum;
	}
	b->first = first;
	b->n = n;
}

double bins_at(const struct bins *b, uint32_t number, enum bin_of what)
{
	if (number < b->first || number - b->first >= b->n)
		return 0;
	return (double)b->list[number - b->first].of[what];
}
