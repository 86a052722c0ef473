// SPDX-License-Identifier: GPL-2.0
/*
 * sched.migrate:	s = nodes[orig_cpu]; d = nodes[dest_cpu]
 *			if (s && d && s != d) output { now, the task, s, d, take reasons[pid] }
 * numa.move, numa.swap:	reasons[pid] = why; the move follows
 * numa.stick:		delete reasons[pid]: it did not
 * task.new:		tgids[pid] = its process
 * task.exit:		delete tgids[pid]
 *
 * numamove:
 * numa.page:		start[thread] = now
 * numa.page_moved:	t = take start[thread]; counts += { 1, now - t }
 *
 * The task that moves is not current: another one wakes it, or moves it.
 */
#include "insns/programs/numasched.h"

#include "insns/hist.h"
#include "insns/tgids.h"

static const struct map maps[] = {
	{ "nodes", MAP_ARRAY, ROLE_TABLE, 4, 4, NUMA_CPUS },
	{ "reasons", MAP_HASH, ROLE_HINT, 4, 8, 4096, .detail = true },
	TGIDS_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &numasched_record_layout },
	{ }
}, move_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 8, 8, 10240, .calls = true },
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, NUMA_COUNTS, .key = &index_key_layout },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t cpu;
	uint32_t tgid;
	u64 reason;
	u64 tid;
	u64 time;
	struct numasched_record record;
};

/* Registers. */
enum { TASK = R6, COMM = R6, REASON = R6, FLAGS = R6, BEGAN = R6,
       SOURCE = R7, NOW = R7, DELTA = R7, TARGET = R8 };

/* NODE = 1 + the node of the CPU in the input; if that is unknown, goto OUT */
#define NODE_OF(NODE, INPUT, OUT) \
	SET_FIELD(cpu, INPUT), \
	LOOKUP_OR("nodes", cpu, OUT), \
	BPF_LDX_MEM(BPF_W, NODE, R0, 0), \
	JEQ(NODE, 0, OUT)

static const struct insn on_migrate[] = {
	NODE_OF(SOURCE, "orig_cpu", "out"),		/* s = nodes[orig_cpu] */
	NODE_OF(TARGET, "dest_cpu", "out"),		/* d = nodes[dest_cpu] */
	JEQ_REG(SOURCE, TARGET, "out"),
	SET_FIELD(pid, "pid"),
	GET(TASK, pid),
	BPF_MOV64_REG(R1, TASK),
	LOOKUP("tgids", pid),
	BPF_MOV64_REG(R1, TASK),
	JEQ(R0, 0, "process"),
	BPF_LDX_MEM(BPF_W, R1, R0, 0),
LABEL("process"),
	BPF_ALU64_IMM(BPF_LSH, R1, 32),
	BPF_ALU64_REG(BPF_OR, TASK, R1),
	FILTER_OTHER(TASK, "out"),
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.time, "time"),
	BPF_ALU64_IMM(BPF_SUB, SOURCE, 1),
	BPF_ALU64_IMM(BPF_SUB, TARGET, 1),
	SET(record.source, SOURCE),
	SET(record.target, TARGET),
	TAKE(REASON, "reasons", pid),			/* take reasons[pid] */
	SET(record.reason, REASON),
	SET_IMM(record.pad, 0),
	ZERO(record.comm),
	STRING(COMM, "task_comm"),
	SET_KERNEL_STRING(record.comm, COMM),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

/* reasons[INPUT] = WHY */
#define WANTS(INPUT, WHY) \
	SET_FIELD(pid, INPUT), \
	SET_IMM(reason, WHY), \
	UPDATE("reasons", pid, reason)

static const struct insn on_move[] = { WANTS("pid", NUMA_MOVE), EXIT };
static const struct insn on_swap[] = {
	WANTS("src_pid", NUMA_SWAP), WANTS("dst_pid", NUMA_SWAP), EXIT,
};
static const struct insn on_stick[] = {
	SET_FIELD(pid, "src_pid"),
	DELETE("reasons", pid),				/* delete reasons[pid] */
	EXIT,
};
static const struct insn on_new[] = { NOTE_NEW_TASK(FLAGS, pid, tgid), EXIT };

static const struct insn on_task_exit[] = {
	SET_FIELD(pid, "pid"),
	DELETE("tgids", pid),
	EXIT,
};

static const struct insn on_page[] = {
	SET_FIELD(tid, "tid"),
	SET_FIELD(time, "time"),
	STORE_CALL("start", tid, time),			/* start[thread] = now */
	EXIT,
};

static const struct insn on_page_moved[] = {
	SET_FIELD(tid, "tid"),
	TAKE(BEGAN, "start", tid),			/* t = take start[thread] */
	JEQ(BEGAN, 0, "out"),
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	COUNT_INDEX("counts", pid, NUMA_CALLS),		/* counts += { 1, now - t } */
	SET_IMM(pid, NUMA_NS),
	ADD("counts", pid, DELTA),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sched.migrate", on_migrate),
	PROGRAM("numa.move", on_move, .optional = true),
	PROGRAM("numa.swap", on_swap, .optional = true),
	PROGRAM("numa.stick", on_stick, .optional = true),
	PROGRAM("task.new", on_new),
	PROGRAM("task.exit", on_task_exit),
	{ }
}, move_programs[] = {
	PROGRAM("numa.page", on_page),
	PROGRAM("numa.page_moved", on_page_moved),
	{ }
};

const struct program_set numasched_programs = { programs, maps };
const struct program_set numamove_programs = { move_programs, move_maps };
