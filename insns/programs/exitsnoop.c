// SPDX-License-Identifier: GPL-2.0
/*
 * task.new:	tasks[child] = { now, the parent, the parent's start }
 * exit.code:	codes[tid] = the code of this thread
 * exit.group:	groups[tgid] = the code of exit_group
 * exit.sent:	sent[pid] = the signal, unless it ends no process
 * exit.signal:	forget sent[tid], sent[tgid] if they are this signal
 *		if (it ends the process) groups[tgid] = the signal
 * task.exit:	output { now, tasks[tid].start, tasks[tgid].ppid, codes[tid] or groups[tgid] }
 *		forget the task
 *
 * do_exit() gets the code itself. If it can't be probed, the code is derived from the system calls
 * and signals that end processes. A signal that ends a process without a core dump does so when it
 * is sent: then a KILL takes effect in each thread. The same happens when a thread ends its process
 * or executes a file. So a KILL means the one signal that was sent and did not take effect itself.
 * If there are several, or if two threads end their process in different ways at the same time,
 * only the kernel knows the first: the code is unknown.
 */
#include "insns/programs/exitsnoop.h"

#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>

#include "insns/common.h"

/* How a task ends; a value of "codes" and "sent". */
struct code {
	uint32_t code;
	uint32_t known;
};

struct group {
	uint32_t code;
	uint32_t known;
	uint32_t tid;			/* the thread that ended the process */
	uint32_t pad;
};

static const struct map maps[] = {
	{ "tasks", MAP_HASH, ROLE_JOIN, 4, sizeof(struct exitsnoop_task), 65536, .detail = true },
	{ "codes", MAP_HASH, ROLE_JOIN, 4, sizeof(struct code), 10240, .detail = true },
	{ "groups", MAP_HASH, ROLE_HINT, 4, sizeof(struct group), 10240, .detail = true },
	{ "sent", MAP_HASH, ROLE_HINT, 4, sizeof(struct code), 10240, .detail = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &exitsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid, tgid;
	struct code code;
	struct exitsnoop_task task;
	struct group group;
	struct exitsnoop_record record;
};

/* Registers of on_new. */
enum { MAKER = R6, OF_PARENT = R6, FLAGS = R7 };

static const struct insn on_new[] = {
	SET_FIELD(tid, "pid"),
	JUMP_UNLESS("hook:exit.group", "no_groups"),
	DELETE("groups", tid),			/* of an earlier process with this id */
	DELETE("sent", tid),
LABEL("no_groups"),
	SET_FIELD(task.start, "time"),			/* t.start = now */
	SET_IMM(task.parent_start, 0),
	SET_IMM(task.ppid, 0),
	SET_IMM(task.pad, 0),
	FIELD(FLAGS, "clone_flags"),
	JSET(FLAGS, CLONE_THREAD, "store"),
	FIELD(MAKER, "tgid"),
	SET(tgid, MAKER),
	LOOKUP("tasks", tgid),				/* p = tasks[tgid] */
	JEQ(R0, 0, "store"),				/* tracing has just begun: see /proc */
	JSET(FLAGS, CLONE_PARENT, "sibling"),
	SET(task.ppid, MAKER),				/* t.ppid = tgid */
	LOAD(OF_PARENT, R0, struct exitsnoop_task, start),
	SET(task.parent_start, OF_PARENT),
	JUMP("store"),
LABEL("sibling"),
	LOAD(OF_PARENT, R0, struct exitsnoop_task, ppid),
	SET(task.ppid, OF_PARENT),			/* t.ppid = p.ppid */
	LOAD(OF_PARENT, R0, struct exitsnoop_task, parent_start),
	SET(task.parent_start, OF_PARENT),
LABEL("store"),
	STORE("tasks", tid, task),			/* tasks[pid] = t */
	EXIT,
};

/* Registers of all other programs. */
enum { CODE = R6, SIGNAL = R6, TASK = R7, RESULT = R7, TGID = R8, KNOWS = R9 };

static const struct insn on_code[] = {
	SET_FIELD(tid, "tid"),
	FIELD(CODE, "code"),
	FIELD(R1, "whole"),
	JNE(R1, 0, "code"),
	BPF_ALU64_IMM(BPF_AND, CODE, 0xff),		/* the argument of exit() */
	BPF_ALU64_IMM(BPF_LSH, CODE, 8),
LABEL("code"),
	SET(code.code, CODE),
	SET_IMM(code.known, CODE_KNOWN),
	STORE("codes", tid, code),			/* codes[tid] = code */
	EXIT,
};

/*
 * groups[tgid] = { CODE, KNOWS, TASK's tid }; frame.tgid: its process. An older entry of the same
 * thread did not end the process; an entry of another thread may have been first: goto OUT.
 */
#define END_GROUP(OUT) \
	SET(group.code, CODE), \
	SET(group.known, KNOWS), \
	SET(group.tid, TASK), \
	SET_IMM(group.pad, 0), \
	LOOKUP_OR("groups", tgid, ".first"), \
	LOAD(R1, R0, struct group, tid), \
	GET(R2, group.tid), \
	JEQ_REG(R1, R2, ".first"), \
	LOAD(R1, R0, struct group, code), \
	JEQ_REG(R1, CODE, OUT), \
	PUT_IMM(R0, struct group, known, 0), \
	JUMP(OUT), \
	LABEL(".first"), \
	STORE("groups", tgid, group)

/* TASK = pid_tgid; tid and tgid hold its halves. */
#define CURRENT \
	FIELD(TASK, "pid_tgid"), \
	SET(tid, TASK), \
	BPF_MOV64_REG(TGID, TASK), \
	BPF_ALU64_IMM(BPF_RSH, TGID, 32), \
	SET(tgid, TGID)

static const struct insn on_group[] = {
	CURRENT,
	FIELD(CODE, "code"),
	BPF_ALU64_IMM(BPF_AND, CODE, 0xff),
	BPF_ALU64_IMM(BPF_LSH, CODE, 8),
	BPF_MOV64_IMM(KNOWS, CODE_KNOWN),
	END_GROUP("out"),			/* groups[tgid] = { (code & 0xff) << 8, tid } */
LABEL("out"),
	EXIT,
};

#define HARMLESS(NUMBER, OUT) JEQ(SIGNAL, NUMBER, OUT)
/* if (SIGNAL is ignored by default, or only stops processes) goto OUT */
#define ALL_HARMLESS(OUT) \
	HARMLESS(SIGCHLD, OUT), HARMLESS(SIGCONT, OUT), HARMLESS(SIGURG, OUT), \
	HARMLESS(SIGWINCH, OUT), HARMLESS(SIGSTOP, OUT), HARMLESS(SIGTSTP, OUT), \
	HARMLESS(SIGTTIN, OUT), HARMLESS(SIGTTOU, OUT)

static const struct insn on_sent[] = {
	FIELD(SIGNAL, "sig"),
	ALL_HARMLESS("out"),
	FIELD(RESULT, "result"),
	JNE(RESULT, 0, "out"),				/* ignored, or already pending */
	SET_FIELD(tid, "pid"),
	LOOKUP("sent", tid),
	JNE(R0, 0, "another"),
	SET(code.code, SIGNAL),
	SET_IMM(code.known, CODE_KNOWN),
	STORE("sent", tid, code),			/* sent[pid] = sig */
	JUMP("out"),
LABEL("another"),
	LOAD(R1, R0, struct code, code),
	JEQ_REG(R1, SIGNAL, "out"),
	PUT_IMM(R0, struct code, known, 0),		/* several: not known */
LABEL("out"),
	EXIT,
};

/* if (sent[ID] == SIGNAL) delete sent[ID] */
#define TAKES_EFFECT(ID) \
	LOOKUP_OR("sent", ID, ".other"), \
	LOAD(R1, R0, struct code, code), \
	JNE_REG(R1, SIGNAL, ".other"), \
	DELETE("sent", ID), \
	LABEL(".other")

static const struct insn on_signal[] = {
	FIELD(SIGNAL, "sig"),
	CURRENT,
	JEQ(SIGNAL, SIGKILL, "kill"),
	TAKES_EFFECT(tid),
	TAKES_EFFECT(tgid),
	FIELD(R1, "handler"),
	JNE(R1, 0, "out"),				/* if (there is a handler) out */
	ALL_HARMLESS("out"),
	BPF_MOV64_IMM(KNOWS, CODE_KNOWN | CODE_NO_CORE),
	JUMP("ends"),
LABEL("kill"),
	LOOKUP("groups", tgid),				/* it has ended before */
	JNE(R0, 0, "out"),
	LOOKUP("sent", tid),
	JNE(R0, 0, "sent"),
	LOOKUP_OR("sent", tgid, "out"),			/* none was sent */
LABEL("sent"),
	LOAD(SIGNAL, R0, struct code, code),		/* sig, known = sent[tid] or sent[tgid] */
	LOAD(KNOWS, R0, struct code, known),
LABEL("ends"),
	END_GROUP("out"),				/* groups[tgid] = { sig, known, tid } */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum { PARENT_START = R6, PARENT = R9, ENDED = R9 };

/*
 * record.start = tasks[tid].start; record.ppid = tasks[tgid].ppid, or 0 if another process has got
 * the parent's id.
 */
#define TAKE_TASK \
	SET_IMM(record.start, 0), \
	SET_IMM(record.ppid, 0), \
	SET_IMM(record.pad, 0), \
	LOOKUP_OR("tasks", tid, ".older"), \
	LOAD(R1, R0, struct exitsnoop_task, start), \
	SET(record.start, R1), \
	LABEL(".older"), \
	LOOKUP_OR("tasks", tgid, ".orphan"), \
	LOAD(PARENT, R0, struct exitsnoop_task, ppid), \
	LOAD(PARENT_START, R0, struct exitsnoop_task, parent_start), \
	SET(task.ppid, PARENT), \
	LOOKUP_OR("tasks", task.ppid, ".orphan"), \
	LOAD(R1, R0, struct exitsnoop_task, start), \
	JNE_REG(R1, PARENT_START, ".orphan"), \
	SET(record.ppid, PARENT), \
	LABEL(".orphan"), \
	DELETE("tasks", tid)

/* record.code, record.known = take codes[tid], or groups[tgid] if there is none, or 0, 0 */
#define TAKE_CODE \
	BPF_MOV64_IMM(ENDED, 0), \
	JUMP_UNLESS("hook:exit.code", ".coded"), \
	TAKE(ENDED, "codes", tid), \
	LABEL(".coded"), \
	JUMP_UNLESS("hook:exit.group", ".ungrouped"), \
	JNE(ENDED, 0, ".one"), \
	LOOKUP_OR("groups", tgid, ".one"), \
	BPF_LDX_MEM(BPF_DW, ENDED, R0, 0), \
	LABEL(".one"), \
	DELETE("sent", tid), \
	GET(R1, tid), \
	GET(R2, tgid), \
	JNE_REG(R1, R2, ".ungrouped"), \
	DELETE("groups", tgid), \
	LABEL(".ungrouped"), \
	BPF_STX_MEM(BPF_DW, R10, ENDED, FRAME(record.code))

static const struct insn on_exit[] = {
	CURRENT,
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	TAKE_TASK,		/* r.start = take tasks[tid].start; r.ppid = tasks[tgid].ppid */
	TAKE_CODE,		/* r.code, r.known = take codes[tid], or groups[tgid] */
	FILTER(TASK),
	JUMP_UNLESS("per-thread", "leaders"),
	JUMP("wanted"),
LABEL("leaders"),
	KNOWN(TASK),
	GET(R1, tid),
	GET(R2, tgid),
	JNE_REG(R1, R2, "out"),				/* if (tid != tgid) out */
LABEL("wanted"),
	JUMP_UNLESS("failed", "any"),
	GET(R1, record.code),
	JNE(R1, 0, "any"),
	GET(R1, record.known),
	JNE(R1, 0, "out"),				/* if (r.code is known to be 0) out */
LABEL("any"),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("task.new", on_new, .optional = true),
	PROGRAM("exit.code", on_code, .optional = true),
	PROGRAM("exit.group", on_group, .spare = true),
	PROGRAM("exit.sent", on_sent, .spare = true),
	PROGRAM("exit.signal", on_signal, .spare = true),
	PROGRAM("task.exit", on_exit),
	{ }
};

const struct program_set exitsnoop_programs = { programs, maps };
