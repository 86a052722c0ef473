// SPDX-License-Identifier: GPL-2.0
/*
 * slab.cache:		if (!counts[cpu, cache]) output the cache's name
 *			counts[cpu, cache]++
 * slab.bulk:		the same, += n
 * slab.kmalloc:	counts[cpu, -size]++
 *
 * The CPU is in the key, so that CPUs do not wait for each other.
 */
#include "insns/programs/slabratetop.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct slab_key), sizeof(struct slab_counts),
	  32768, .key = &slab_key_layout, .value = &slab_counts_layout },
	{ "names", MAP_OUTPUT, .value = &slab_record_layout },
	{ }
};

struct frame {
	struct slab_key key;
	struct slab_record record;
};

/* Registers. */
enum { TASK = R6, CACHE = R6, NAME = R7, N = R8 };

#define ASKED_FOR \
	JUMP_UNLESS("filtered", ".all"), \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	LABEL(".all")

/* counts[cpu, CACHE] += N; if there was no entry yet, goto NEW with the key in the frame */
#define ADD_OBJECTS(NEW) \
	SET(key.cache, CACHE), \
	SET_FIELD(key.cpu, "cpu"), \
	SET_EPOCH(key.epoch), \
	LOOKUP_OR("counts", key, NEW), \
	XADD(R0, struct slab_counts, objects, N), \
	EXIT

/* The names are told once, because reading one takes longer than counting. */
#define COUNT_CACHE \
	FIELD(CACHE, "cache"), \
	ADD_OBJECTS(".new"), \
	LABEL(".new"), \
	SET_FIELD(record.time, "time"), \
	SET(record.cache, CACHE), \
	SET_FIELD(record.size, "size"), \
	STRING(NAME, "name"), \
	ZERO(record.name), \
	SET_KERNEL_STRING(record.name, NAME), \
	SET(record.length, R0), \
	OUTPUT("names", record), \
	ADD("counts", key, N)

static const struct insn on_cache[] = {
	ASKED_FOR,
	BPF_MOV64_IMM(N, 1),
	COUNT_CACHE,					/* counts[cpu, cache]++ */
	EXIT,
};

static const struct insn on_bulk[] = {
	ASKED_FOR,
	FIELD(N, "n"),
	COUNT_CACHE,					/* counts[cpu, cache] += n */
	EXIT,
};

static const struct insn on_kmalloc[] = {
	ASKED_FOR,
	BPF_MOV64_IMM(N, 1),
	FIELD(CACHE, "size"),
	BPF_ALU64_IMM(BPF_NEG, CACHE, 0),
	ADD_OBJECTS("new"),				/* counts[cpu, -size]++ */
LABEL("new"),
	ADD("counts", key, N),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("slab.cache", on_cache),
	PROGRAM("slab.bulk", on_bulk, .optional = true),
	PROGRAM("slab.kmalloc", on_kmalloc),
	{ }
};

const struct program_set slabratetop_programs = { programs, maps };
