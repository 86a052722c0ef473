// SPDX-License-Identifier: GPL-2.0
#include "compat/base/hash_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST	64u			/* slots */
#define MOST	(1u << 30)		/* entries */

void hash_index_put(struct hash_index *x, uint32_t hash, uint32_t number)
{
	uint32_t at = hash & x->mask;

	assert(number && x->n <= x->mask / 2);
	while (x->slots[at].number)
		at = (at + 1) & x->mask;
	x->slots[at] = (struct hash_slot){ hash, number };
	x->n++;
}

int hash_index_room(struct hash_index *x)
{
	const uint32_t had = x->slots ? x->mask + 1 : 0, n = had ? 2 * had : FIRST;
	struct hash_index more = { .mask = n - 1 };
	uint32_t first = 0;

	if (x->n < had / 2)
		return 0;
	if (x->n < MOST)
		more.slots = calloc(n, sizeof(*more.slots));
	if (!more.slots)
		return -1;
	/* from behind a free slot on, so that those with one hash keep their order */
	while (had && x->slots[first].number)
		first++;
	for (uint32_t i = 0; i < had; i++) {
		const struct hash_slot *s = &x->slots[(first + i) & x->mask];

		if (s->number)
			hash_index_put(&more, s->hash, s->number);
	}
	free(x->slots);
	*x = more;
	return 0;
}

/* What is behind the hole moves there, unless its own place is behind the hole. */
void hash_index_drop(struct hash_index *x, uint32_t hash, uint32_t number)
{
	uint32_t hole = hash & x->mask;

	while (x->slots[hole].number != number)
		hole = (hole + 1) & x->mask;
	for (uint32_t at = (hole + 1) & x->mask; x->slots[at].number; at = (at + 1) & x->mask) {
		if (((at - x->slots[at].hash) & x->mask) < ((at - hole) & x->mask))
			continue;
		x->slots[hole] = x->slots[at];
		hole = at;
	}
	x->slots[hole].number = 0;
	x->n--;
}

void hash_index_clear(struct hash_index *x)
{
	if (x->slots)
		memset(x->slots, 0, (x->mask + (size_t)1) * sizeof(*x->slots));
	x->n = 0;
}

void hash_index_free(struct hash_index *x)
{
	free(x->slots);
	*x = (struct hash_index){ };
}
