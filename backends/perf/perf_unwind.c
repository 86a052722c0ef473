// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_unwind.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "insns/program.h"

static bool take(const uint8_t **at, const uint8_t *end, void *to, size_t size)
{
	if ((size_t)(end - *at) < size)
		return false;
	memcpy(to, *at, size);
	*at += size;
	return true;
}

/* PERF_SAMPLE_REGS_USER: u64 abi, registers; PERF_SAMPLE_STACK_USER: u64 size, bytes, u64 used. */
static bool find_copies(const struct unwinder *u, const struct perf_stacked *from,
			struct user_copy *copy)
{
	const size_t n = 8 * (size_t)__builtin_popcountll(u->registers);
	const uint8_t *at = from->copies;
	uint64_t abi, size, used;

	if (!take(&at, from->end, &abi, sizeof(abi)) || abi == PERF_SAMPLE_REGS_ABI_NONE ||
	    (size_t)(from->end - at) < n)
		return false;
	copy->narrow = abi == PERF_SAMPLE_REGS_ABI_32;
	copy->registers = at;
	at += n;
	if (!take(&at, from->end, &size, sizeof(size)) || !size ||
	    size > (uint64_t)(from->end - at))
		return false;
	copy->stack = at;
	at += size;
	if (!take(&at, from->end, &used, sizeof(used)))
		return false;
	copy->size = used < size ? used : size;
	return true;
}

/* Returns the number of addresses before the stack of user space, which comes last. */
static uint64_t others(const struct perf_stacked *from)
{
	for (uint64_t i = 0; i < from->n; i++) {
		uint64_t address;

		memcpy(&address, from->addresses + 8 * i, sizeof(address));
		if (address == (uint64_t)PERF_CONTEXT_USER)
			return i;
	}
	return from->n;
}

static bool make_room(struct perf_unwound *to, size_t size)
{
	uint8_t *bytes;

	if (to->room >= size)
		return true;
	bytes = realloc(to->bytes, size);
	if (!bytes)
		return false;
	to->bytes = bytes;
	to->room = size;
	return true;
}

/* Numbers of the kernel's addresses before and behind the addresses that the unwinder finds. */
struct kept {
	uint64_t before, behind;
};

/*
 * `last`: the last address that the unwinder found. Returns false if the sample has no place for
 * the unwinder's addresses, or if the kernel has found `last`, too.
 */
static bool find_kept(const struct unwinder *u, const struct perf_stacked *from, uint64_t last,
		      struct kept *k)
{
	uint64_t address;

	*k = (struct kept){ .before = others(from) };
	if (!u->between)
		return true;
	k->before += 2;			/* the mark, and the newest function */
	if (k->before > from->n)
		return false;
	k->behind = from->n - k->before;
	if (!k->behind)
		return true;
	/* Some kernels put the caller there if the newest function has just begun. */
	memcpy(&address, from->addresses + 8 * k->before, sizeof(address));
	return address != last;
}

static void put(uint8_t **at, const void *bytes, size_t size)
{
	memcpy(*at, bytes, size);
	*at += size;
}

uint32_t perf_unwind(const struct unwinder *u, const struct perf_stacked *from, uint32_t pid,
		     uint64_t time, struct perf_unwound *to)
{
	struct user_copy copy = { .pid = pid, .time = time };
	const uint64_t mark = (uint64_t)PERF_CONTEXT_USER;
	uint64_t addresses[STACK_DEPTH + 1], n;
	unsigned int found;
	struct kept k;
	uint8_t *at;

	if (!find_copies(u, from, &copy))
		return 0;
	found = u->walk(u->arg, &copy, addresses, STACK_DEPTH + 1);
	if (!found || !find_kept(u, from, addresses[found - 1], &k))
		return 0;
	n = k.before + !u->between + found + k.behind;
	if (!make_room(to, sizeof(n) + 8 * n + sizeof(from->size) + from->size))
		return 0;
	at = to->bytes;
	put(&at, &n, sizeof(n));
	put(&at, from->addresses, 8 * k.before);
	if (!u->between)
		put(&at, &mark, sizeof(mark));
	put(&at, addresses, 8 * (size_t)found);
	put(&at, from->addresses + 8 * (from->n - k.behind), 8 * k.behind);
	put(&at, &from->size, sizeof(from->size));
	put(&at, from->raw, from->size);
	return (uint32_t)(at - to->bytes);
}
