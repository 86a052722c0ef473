// SPDX-License-Identifier: GPL-2.0
/*
 * cache.access:	counts[CACHE_ACCESS]++, or by process: processes[CACHE_ACCESS, task]++
 * cache.add:		the same with CACHE_ADD, if the page is not for a write
 * cache.dirty:		the same with CACHE_DIRTY
 * cache.buffer:	the same with CACHE_BUFFER
 */
#include "insns/programs/cachestat.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, CACHE_COUNTS,
	  .key = &cachestat_key_layout },
	{ "processes", MAP_HASH, ROLE_RESULT, sizeof(struct cachestat_process), 8, 20480,
	  .key = &cachestat_process_layout, .run = "process" },
	{ "process", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, sizeof(struct cachestat_process) + 8,
	  EPOCHS },
	{ }
};

struct frame {
	struct cachestat_process process;		/* first: of whole words */
	uint32_t index;
};

enum { TASK = R6, TGID = R6, GFP = R6 };

/* The page will be written to soon. Its value since 5.0. */
#define GFP_WRITE 0x1000

/* Of the tasks that the user asked for. Without --by-process and filters nobody asks who it is. */
#define COUNTER(N) \
	JUMP_UNLESS("tasks", ".anybody"), \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
LABEL(".anybody"), \
	JUMP_UNLESS("by-process", ".sum"), \
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32), \
	SET(process.tgid, TGID), \
	SET_FIELD(process.uid, "uid?"), \
	SET_BYTES(process.comm, "comm"), \
	SET_IMM(process.counter, N), \
	SET_EPOCH(process.epoch), \
	COUNT("processes", process), \
LABEL(".sum"), \
	JUMP_UNLESS("sums", ".out"), \
	COUNT_INDEX("counts", index, N), \
LABEL(".out"), \
	EXIT

static const struct insn on_access[] = { COUNTER(CACHE_ACCESS) };

static const struct insn on_add[] = {
	JUMP_UNLESS("input:gfp", "any"),
	FIELD(GFP, "gfp?"),
	JSET(GFP, GFP_WRITE, "out"),
LABEL("any"),
	COUNTER(CACHE_ADD),
LABEL("out"),
	EXIT,
};

static const struct insn on_dirty[] = { COUNTER(CACHE_DIRTY) };
static const struct insn on_buffer[] = { COUNTER(CACHE_BUFFER) };

static const struct program programs[] = {
	PROGRAM("cache.access", on_access, .optional = true),
	PROGRAM("cache.add", on_add, .optional = true),
	PROGRAM("cache.dirty", on_dirty, .optional = true),
	/* the formula without `gfp` subtracts it */
	PROGRAM("cache.buffer", on_buffer, .optional = true, .option = "lacks:cache.add.gfp"),
	{ }
};

const struct program_set cachestat_programs = { programs, maps };
