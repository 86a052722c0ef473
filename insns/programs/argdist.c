// SPDX-License-Identifier: GPL-2.0
/*
 * spec.hit:	if (the filter is true) counts[values]++, or hist[slot(value)]++
 */
#include "insns/programs/argdist.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct argdist_key), 8, 10240 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, LOG2_SLOTS + 1, .key = &slot_key_layout },
	{ }
};

struct frame {
	struct argdist_key key;
};

/* A spec without values. */
static const struct insn on_hit[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	SET_IMM(key.unknown, 0),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),				/* counts[]++ */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("spec.hit", on_hit),
	{ }
};

const struct program_set argdist_programs = { programs, maps };
