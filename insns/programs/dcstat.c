// SPDX-License-Identifier: GPL-2.0
/*
 * names.fast:		if (found) counts[NAMES_FAST]++
 * names.locked:	if (found) counts[NAMES_SLOW]++
 * names.enter:		start[tid] = { directory, name }
 * names.exit:		s = take start[tid]; if (found) out
 *			counts[NAMES_MISSED]++; missed[tid] = s
 * names.new:		if (take missed[tid] == { directory, name }) out
 *			counts[NAMES_MISSED]++
 *
 * A name may be searched more than once until it is found, or until the file system is asked: so
 * searches that find nothing are not counted. An open that may make a file searches with a lock,
 * and goes on to names.new, which is the same miss.
 */
#include "insns/programs/dcstat.h"

#include <stddef.h>

#include "insns/hist.h"

struct name {
	u64 directory;			/* pointer to the dentry */
	u64 hash;			/* and the length */
};

static const struct map maps[] = {
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, NAMES_COUNTS,
	  .key = &dcstat_key_layout },
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct name), 10240, .calls = true },
	{ "missed", MAP_HASH, ROLE_HINT, 4, sizeof(struct name), 10240, .detail = true },
	{ }
};

struct frame {
	struct name name;
	uint32_t index, tid;
};

/* Registers. */
enum { TASK = R6, FOUND = R7, DIRECTORY = R8, HASH = R9 };

#define COUNT_FOUND(N) \
	FIELD(FOUND, "found"), \
	JEQ(FOUND, 0, ".out"), \
	JUMP_UNLESS("filtered", ".anybody"), \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
LABEL(".anybody"), \
	COUNT_INDEX("counts", index, N), \
LABEL(".out"), \
	EXIT

static const struct insn on_fast[] = { COUNT_FOUND(NAMES_FAST) };
static const struct insn on_locked[] = { COUNT_FOUND(NAMES_SLOW) };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_FIELD(name.directory, "directory"),
	SET_FIELD(name.hash, "hash"),
	STORE_CALL("start", tid, name),			/* start[tid] = { directory, name } */
	EXIT,
};

static const struct insn on_exit[] = {
	SET_FIELD(tid, "tid"),
	FIELD(FOUND, "found"),
	LOOKUP_OR("start", tid, "out"),			/* s = take start[tid] */
	COPY_ALL(name, R0),
	DELETE("start", tid),
	JNE(FOUND, 0, "out"),				/* if (found) out */
	COUNT_INDEX("counts", index, NAMES_MISSED),
	STORE("missed", tid, name),			/* missed[tid] = s */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	FIELD(DIRECTORY, "directory"),
	FIELD(HASH, "hash"),
	LOOKUP_OR("missed", tid, "count"),		/* if (take missed[tid] == ...) out */
	COPY_ALL(name, R0),
	DELETE("missed", tid),
	GET(R1, name.directory),
	JNE_REG(R1, DIRECTORY, "count"),
	GET(R1, name.hash),
	JEQ_REG(R1, HASH, "out"),
LABEL("count"),
	COUNT_INDEX("counts", index, NAMES_MISSED),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("names.fast", on_fast),
	PROGRAM("names.locked", on_locked),
	PROGRAM("names.enter", on_enter),
	PROGRAM("names.exit", on_exit),
	PROGRAM("names.new", on_new, .spare = true),
	{ }
};

const struct program_set dcstat_programs = { programs, maps };
