// SPDX-License-Identifier: GPL-2.0
/*
 * cache.reference:	counts[LLC_REFERENCE, process (and thread), CPU]++
 * cache.miss:		counts[LLC_MISS, the same]++
 */
#include "insns/programs/llcstat.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct llcstat_key), 8, 16384,
	  .key = &llcstat_key_layout },
	{ }
};

struct frame {
	struct llcstat_key key;
};

/* Registers. */
enum { TASK = R6, TGID = R6, CPU = R7 };

#define SAMPLED(WHAT) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET_IMM(key.what, WHAT), \
	SET_IMM(key.tid, 0), \
	JUMP_UNLESS("threads", ".process"), \
	SET(key.tid, TASK), \
	LABEL(".process"), \
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32), \
	SET(key.tgid, TGID), \
	FIELD(CPU, "cpu"), \
	SET(key.cpu, CPU), \
	SET_BYTES(key.comm, "comm"), \
	SET_EPOCH(key.epoch), \
	COUNT("counts", key),				/* counts[what, process, CPU]++ */ \
	EXIT

static const struct insn on_reference[] = { SAMPLED(LLC_REFERENCE) };
static const struct insn on_miss[] = { SAMPLED(LLC_MISS) };

static const struct program programs[] = {
	PROGRAM("cache.reference", on_reference),
	PROGRAM("cache.miss", on_miss),
	{ }
};

const struct program_set llcstat_programs = { programs, maps };
