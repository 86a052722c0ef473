// SPDX-License-Identifier: GPL-2.0
#include "src/lib/memory/sums.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

/* All but the time. */
static bool same(const struct memleak_stack *a, const struct memleak_stack *b)
{
	return a->tgid == b->tgid && a->kernel_stack == b->kernel_stack &&
	       a->user_stack == b->user_stack && !memcmp(a->comm, b->comm, sizeof(a->comm));
}

static size_t *place_of(const struct sums *s, const struct memleak_stack *stack)
{
	uint64_t hash = ((uint64_t)stack->tgid << 32 | (uint32_t)stack->user_stack) ^
			(uint64_t)(uint32_t)stack->kernel_stack << 24;
	uint64_t half;

	for (int i = 0; i < 2; i++) {
		memcpy(&half, stack->comm + 8 * i, sizeof(half));
		hash = (hash ^ half) * 0x9e3779b97f4a7c15ULL;
	}
	for (size_t i = hash >> 32;; i++) {
		size_t *place = &s->places[i & (s->room - 1)];

		if (!*place || same(&s->list[*place - 1].stack, stack))
			return place;
	}
}

/* Half of the places are empty at least. */
static bool make_room(struct sums *s)
{
	size_t room = s->room ? 2 * s->room : 1024;

	if (2 * (s->n + 1) <= s->room)
		return true;
	free(s->places);
	s->places = calloc(room, sizeof(*s->places));
	s->room = s->places ? room : 0;
	for (size_t i = 0; s->places && i < s->n; i++)
		*place_of(s, &s->list[i].stack) = i + 1;
	return s->places;
}

void sums_add(struct sums *s, uint32_t tgid, const struct memleak_held *held)
{
	struct memleak_stack stack = {
		.time = held->time, .tgid = tgid,
		.kernel_stack = held->kernel_stack, .user_stack = held->user_stack,
	};
	size_t *place;

	/* By the kernel's stacks alone: any task may take what it keeps. */
	if (tgid != UINT32_MAX)
		memcpy(stack.comm, held->comm, sizeof(stack.comm));
	if (s->failed || !make_room(s) || array_room(&s->list, s->n, sizeof(*s->list))) {
		s->failed = true;
		return;
	}
	place = place_of(s, &stack);
	if (!*place) {
		s->list[s->n++] = (struct sum){ .stack = stack };
		*place = s->n;
	}
	s->list[*place - 1].sum.bytes += held->size;
	s->list[*place - 1].sum.allocations++;
	/* The newest: what was mapped when it was made is known best. */
	if (held->time > s->list[*place - 1].stack.time)
		s->list[*place - 1].stack.time = held->time;
}

void sums_free(struct sums *s)
{
	free(s->list);
	free(s->places);
	*s = (struct sums){ };
}
