// SPDX-License-Identifier: GPL-2.0
/*
 * cache.file:		files[file system, inode] += 1 << order; with --by-cgroup files[0, owner]
 */
#include "insns/programs/cachefill.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "files", MAP_HASH, ROLE_RESULT, sizeof(struct cachefill_key),
	  sizeof(struct cachefill_counts), 20480, .key = &cachefill_key_layout,
	  .value = &cachefill_counts_layout },
	{ }
};

struct frame {
	struct cachefill_key key;
};

/* Registers. */
enum { TASK = R6, ORDER = R6, PAGES = R7 };

static const struct insn on_add[] = {
	JUMP_UNLESS("filtered", "all"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
LABEL("all"),
	JUMP_UNLESS("by-cgroup", "file"),
	SET_IMM(key.dev, 0),
	SET_FIELD(key.inode, "whose"),
	JUMP("count"),
LABEL("file"),
	SET_FIELD(key.dev, "dev"),
	SET_FIELD(key.inode, "inode"),
LABEL("count"),
	SET_EPOCH(key.epoch),
	FIELD(ORDER, "order?"),				/* without it a folio is one page */
	BPF_MOV64_IMM(PAGES, 1),
	BPF_ALU64_REG(BPF_LSH, PAGES, ORDER),
	ADD("files", key, PAGES),			/* files[file] += pages */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cache.file", on_add),
	{ }
};

const struct program_set cachefill_programs = { programs, maps };
