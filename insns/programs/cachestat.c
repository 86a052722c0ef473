// SPDX-License-Identifier: GPL-2.0
/*
 * cache.access:	counts[CACHE_ACCESS]++
 * cache.add:		counts[CACHE_ADD]++
 * cache.dirty:		counts[CACHE_DIRTY]++
 * cache.buffer:	counts[CACHE_BUFFER]++
 */
#include "insns/programs/cachestat.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, CACHE_COUNTS,
	  .key = &cachestat_key_layout },
	{ }
};

struct frame {
	uint32_t index;
};

#define COUNTER(N) \
	COUNT_INDEX("counts", index, N), \
	EXIT

static const struct insn on_access[] = { COUNTER(CACHE_ACCESS) };
static const struct insn on_add[] = { COUNTER(CACHE_ADD) };
static const struct insn on_dirty[] = { COUNTER(CACHE_DIRTY) };
static const struct insn on_buffer[] = { COUNTER(CACHE_BUFFER) };

static const struct program programs[] = {
	PROGRAM("cache.access", on_access, .optional = true),
	PROGRAM("cache.add", on_add, .optional = true),
	PROGRAM("cache.dirty", on_dirty, .optional = true),
	PROGRAM("cache.buffer", on_buffer, .optional = true),
	{ }
};

const struct program_set cachestat_programs = { programs, maps };
