// SPDX-License-Identifier: GPL-2.0
/*
 * PostgreSQL, by backend:
 * query.told:	if (text) queries[tid] = { execute, depth 0, text }
 *		else if (take queries[tid] has a depth) it ends, failed: no probe tells an error
 * query.begin:	queries[tid] = { now, query, depth 1 }
 * query.end:	take queries[tid]: it ends
 * query.runs:	if (!depth++) queries[tid].time = now, unless it came as text
 * query.ran:	if (!--depth) take queries[tid]: it ends, unless it came as text
 *
 * MySQL and MariaDB, by thread:
 * query.asked:	queries[tid] = { now, kind, text or number }
 * query.done:	take queries[tid]: it ends
 *
 * It ends:	if (now - time >= min) output it, or hist[now - time]++
 * task.exit:	delete queries[tid]
 */
#include "insns/programs/dbslower.h"

#include <errno.h>

#include "insns/hist.h"

#define QUERIES	{ "queries", MAP_HASH, ROLE_JOIN, 4, sizeof(struct dbslower_record), 10240 }

static const struct map slower_maps[] = {
	QUERIES,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &dbslower_record_layout },
	{ }
};

static const struct map stat_maps[] = {
	QUERIES,
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	{ }
};

struct frame {
	uint32_t tid;
	uint32_t slot;
	struct dbslower_record record;
};

/* Commands of clients. */
enum { COM_QUERY = 3, COM_STMT_PREPARE = 22, COM_STMT_EXECUTE = 23, COM_STMT_FETCH = 28,
       COM_STMT_BULK_EXECUTE = 250 };

/* Registers. */
enum { TASK = R6, BEGAN = R6, SLOT = R6, NOW = R7, DELTA = R7, TEXT = R8, DEPTH = R8, COMMAND = R9,
       ENTRY = R9 };

/* frame.tid = the current task, if the user wants it. */
#define THE_TASK \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET(tid, TASK)

/* frame.record = a query of kind WHICH without a text. */
#define NEW_QUERY(WHICH) \
	ZERO(record), \
	SET(record.pid_tgid, TASK), \
	SET_FIELD(record.time, "time"), \
	SET_IMM(record.kind, WHICH), \
	SET_IMM(record.query.length, -EFAULT)

/* ENTRY = queries[tid]; if there is none, goto OUT. */
#define FIND_QUERY(OUT) \
	LOOKUP_OR("queries", tid, OUT), \
	BPF_MOV64_REG(ENTRY, R0)

/* The query at ENTRY ends. */
#define QUERY_ENDS(OUT) \
	COPY_ALL(record, ENTRY), \
	DELETE("queries", tid), \
	FIELD(NOW, "time"), \
	GET(BEGAN, record.time), \
	JGT_REG(BEGAN, NOW, OUT),	/* the clocks of two CPUs differ */ \
	SET(record.time, NOW), \
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN), \
	SET(record.ns, DELTA), \
	CONST(R1, "min"), \
	JGT_REG(R1, DELTA, OUT), \
	JUMP_UNLESS("rows", ".histogram"), \
	SET_BYTES(record.comm, "comm"), \
	OUTPUT("events", record), \
	LABEL(".histogram"), \
	JUMP_UNLESS("histogram", OUT), \
	IN_UNIT(DELTA), \
	VALUE_SLOT(SLOT, DELTA), \
	COUNT_VALUE("hist", slot, SLOT, DELTA)

static const struct insn on_told[] = {
	THE_TASK,
	FIELD(TEXT, "pointer"),
	JEQ(TEXT, 0, "idle"),
	NEW_QUERY(DB_EXECUTE),
	JUMP_UNLESS("rows", "store"),
	STRING(TEXT, "query"),
	SET_USER_PATH(record.query, TEXT),
LABEL("store"),
	STORE("queries", tid, record),			/* queries[tid] = { execute, text } */
	JUMP("out"),
LABEL("idle"),
	FIND_QUERY("out"),
	LOAD(DEPTH, ENTRY, struct dbslower_record, depth),
	JEQ(DEPTH, 0, "forget"),
	BPF_MOV64_IMM(R1, 1),
	PUT(ENTRY, struct dbslower_record, failed, R1),
	QUERY_ENDS("out"),				/* it failed */
	JUMP("out"),
LABEL("forget"),
	DELETE("queries", tid),
LABEL("out"),
	EXIT,
};

static const struct insn on_begin[] = {
	THE_TASK,
	FIELD(NOW, "time"),
	FIND_QUERY("out"),
	PUT(ENTRY, struct dbslower_record, time, NOW),	/* queries[tid] = { now, query, depth 1 } */
	BPF_MOV64_IMM(R1, DB_QUERY),
	PUT(ENTRY, struct dbslower_record, kind, R1),
	BPF_MOV64_IMM(R1, 1),
	PUT(ENTRY, struct dbslower_record, depth, R1),
LABEL("out"),
	EXIT,
};

static const struct insn on_end[] = {
	THE_TASK,
	FIND_QUERY("out"),
	LOAD(DEPTH, ENTRY, struct dbslower_record, depth),
	JEQ(DEPTH, 0, "out"),
	QUERY_ENDS("out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_runs[] = {
	THE_TASK,
	FIELD(NOW, "time"),
	FIND_QUERY("out"),
	LOAD(R1, ENTRY, struct dbslower_record, kind),
	JEQ(R1, DB_QUERY, "out"),			/* it came as text */
	LOAD(DEPTH, ENTRY, struct dbslower_record, depth),
	JNE(DEPTH, 0, "within"),
	PUT(ENTRY, struct dbslower_record, time, NOW),
LABEL("within"),
	BPF_ALU64_IMM(BPF_ADD, DEPTH, 1),
	PUT(ENTRY, struct dbslower_record, depth, DEPTH),
LABEL("out"),
	EXIT,
};

static const struct insn on_ran[] = {
	THE_TASK,
	FIND_QUERY("out"),
	LOAD(R1, ENTRY, struct dbslower_record, kind),
	JEQ(R1, DB_QUERY, "out"),
	LOAD(DEPTH, ENTRY, struct dbslower_record, depth),
	JEQ(DEPTH, 0, "out"),
	BPF_ALU64_IMM(BPF_SUB, DEPTH, 1),
	PUT(ENTRY, struct dbslower_record, depth, DEPTH),
	JNE(DEPTH, 0, "out"),
	QUERY_ENDS("out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_asked[] = {
	THE_TASK,
	FIELD(COMMAND, "command"),
	NEW_QUERY(DB_QUERY),
	JEQ(COMMAND, COM_QUERY, "text"),
	SET_IMM(record.kind, DB_PREPARE),
	JEQ(COMMAND, COM_STMT_PREPARE, "text"),
	SET_FIELD(record.number, "number"),
	SET_FIELD(record.packet, "packet"),
	SET_IMM(record.kind, DB_FETCH),
	JEQ(COMMAND, COM_STMT_FETCH, "store"),
	SET_IMM(record.kind, DB_EXECUTE),
	JEQ(COMMAND, COM_STMT_EXECUTE, "store"),
	JEQ(COMMAND, COM_STMT_BULK_EXECUTE, "store"),
	DELETE("queries", tid),				/* it asks for no query */
	JUMP("out"),
LABEL("text"),
	JUMP_UNLESS("rows", "store"),
	STRING(TEXT, "query"),
	SET_USER_PATH(record.query, TEXT),
LABEL("store"),
	STORE("queries", tid, record),			/* queries[tid] = { now, kind, text } */
LABEL("out"),
	EXIT,
};

static const struct insn on_done[] = {
	THE_TASK,
	FIND_QUERY("out"),
	QUERY_ENDS("out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("queries", tid),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("query.told", on_told, .option = "postgres"),
	PROGRAM("query.begin", on_begin, .option = "postgres"),
	PROGRAM("query.end", on_end, .option = "postgres"),
	PROGRAM("query.runs", on_runs, .option = "postgres"),
	PROGRAM("query.ran", on_ran, .option = "postgres"),
	PROGRAM("query.asked", on_asked, .option = "mysql"),
	PROGRAM("query.done", on_done, .option = "mysql"),
	PROGRAM("task.exit", on_exit, .spare = true),
	{ }
};

const struct program_set dbslower_programs = { programs, slower_maps };
const struct program_set dbstat_programs = { programs, stat_maps };
