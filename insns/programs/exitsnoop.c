// SPDX-License-Identifier: GPL-2.0
/*
 * task.new:	if (it is a thread) processes[tgid].threads++, from 2 on
 *		tasks[child] = { now, the parent, the parent's start }
 * exit.alone:	codes[tid] = { alone }
 * exit.code:	codes[tid] = the code of this thread
 *		if (it ends by itself) processes[tgid].last = the code
 * exit.group:	groups[tgid] = the code of exit_group
 * exit.sent:	sent[pid] = the signal, unless it ends no process
 * exit.signal:	forget sent[tid], sent[tgid] if they are this signal
 *		if (it ends the process) groups[tgid] = the signal
 * task.exit:	code = codes[tid] or groups[tgid]
 *		processes[tgid].threads--
 *		if (it is not the code of a thread alone) processes[tgid].code = code
 *		if (it is the process's last thread) output { now, tasks[tgid].start,
 *			tasks[tgid].ppid, processes[tgid].code or code }
 *		forget the task
 *
 * A process ends when its last thread does, which need not be its first. Its code is that of the
 * exit_group or signal that ended all its threads. If each of them ended by itself, it is that of
 * the first thread, and since 6.0 that of the last one to begin to end: another can still be on
 * its way when that one has gone. BPF programs read it where the kernel keeps it; and newer kernels
 * say which thread is the last.
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

#define SIGNAL_GROUP_EXIT 4		/* of the kernel's signal_struct.flags */

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
	{ "processes", MAP_HASH, ROLE_JOIN, 4, sizeof(struct exitsnoop_process), 10240,
	  .detail = true },
	{ "codes", MAP_HASH, ROLE_JOIN, 4, sizeof(struct code), 10240, .detail = true },
	{ "groups", MAP_HASH, ROLE_HINT, 4, sizeof(struct group), 10240, .detail = true },
	{ "sent", MAP_HASH, ROLE_HINT, 4, sizeof(struct code), 10240, .detail = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &exitsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid, tgid;
	struct code code;
	uint32_t counted, pad;		/* 0: the thread was among those counted */
	struct exitsnoop_task task;
	struct exitsnoop_process process;
	struct group group;
	struct exitsnoop_record record;
};

/* processes[tgid].threads++; there are two, if there was no entry */
#define COUNT_THREAD \
	LOOKUP_OR("processes", tgid, ".first"), \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct exitsnoop_process, threads, R1), \
	JUMP(".counted"), \
	LABEL(".first"), \
	ZERO(process), \
	SET_IMM(process.threads, 2), \
	STORE("processes", tgid, process), \
	LABEL(".counted")

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
	FIELD(MAKER, "tgid"),
	SET(tgid, MAKER),
	JSET(FLAGS, CLONE_THREAD, "thread"),
	DELETE("processes", tid),		/* of an earlier process with this id */
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
	JUMP("store"),
LABEL("thread"),
	LOOKUP("tasks", tid),				/* it was seen in /proc, and counted */
	JNE(R0, 0, "store"),
	COUNT_THREAD,					/* processes[tgid].threads++ */
LABEL("store"),
	STORE("tasks", tid, task),			/* tasks[pid] = t */
	EXIT,
};

/* Registers of all other programs. */
enum { CODE = R6, SIGNAL = R6, TASK = R7, RESULT = R7, TGID = R8, KNOWS = R9 };

/* TASK = pid_tgid; tid and tgid hold its halves. */
#define CURRENT \
	FIELD(TASK, "pid_tgid"), \
	SET(tid, TASK), \
	BPF_MOV64_REG(TGID, TASK), \
	BPF_ALU64_IMM(BPF_RSH, TGID, 32), \
	SET(tgid, TGID)

static const struct insn on_code[] = {
	CURRENT,
	FIELD(CODE, "code"),
	FIELD(R1, "whole"),
	JNE(R1, 0, "code"),
	BPF_ALU64_IMM(BPF_AND, CODE, 0xff),		/* the argument of exit() */
	BPF_ALU64_IMM(BPF_LSH, CODE, 8),
LABEL("code"),
	SET(code.code, CODE),
	SET_IMM(code.known, CODE_KNOWN),
	FIELD(R1, "whole"),
	JEQ(R1, 0, "alone"),				/* a call that ends this thread only */
	LOOKUP_OR("codes", tid, "store"),		/* exit.alone was hit before */
LABEL("alone"),
	SET_IMM(code.known, CODE_KNOWN | CODE_ALONE),
	LOOKUP_OR("processes", tgid, "store"),
	PUT(R0, struct exitsnoop_process, last, CODE),
LABEL("store"),
	STORE("codes", tid, code),			/* codes[tid] = { code, known } */
	EXIT,
};

static const struct insn on_alone[] = {
	SET_FIELD(tid, "tid"),
	SET_IMM(code.code, 0),
	SET_IMM(code.known, CODE_ALONE),
	STORE("codes", tid, code),			/* codes[tid] = { alone } */
	EXIT,
};

/*
 * groups[tgid] = { CODE, KNOWS, TASK's tid }; frame.tgid: its process. An older entry of the same
 * thread did not end the process; an entry of another thread may have been first: goto OUT.
 */
#define END_GROUP(CODE, OUT) \
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

static const struct insn on_group[] = {
	CURRENT,
	FIELD(CODE, "code"),
	BPF_ALU64_IMM(BPF_AND, CODE, 0xff),
	BPF_ALU64_IMM(BPF_LSH, CODE, 8),
	BPF_MOV64_IMM(KNOWS, CODE_KNOWN),
	END_GROUP(CODE, "out"),			/* groups[tgid] = { (code & 0xff) << 8, tid } */
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
	END_GROUP(SIGNAL, "out"),			/* groups[tgid] = { sig, known, tid } */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum { PARENT_START = R6, ENTRY = R6, PARENT = R9, ENDED = R9 };

/*
 * record.start = tasks[tid].start; record.ppid = tasks[tgid].ppid, or 0 if another process has got
 * the parent's id.
 */
#define READ_TASK \
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
	LABEL(".orphan")

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
	LABEL(".ungrouped"), \
	BPF_STX_MEM(BPF_DW, R10, ENDED, FRAME(record.code)), \
	JUMP_UNLESS("input:own", ".derived"), \
	SET_FIELD(record.code, "own?"), \
	SET_IMM(record.known, CODE_KNOWN), \
	LABEL(".derived")

/* if (it is not the first thread) goto OTHER */
#define FIRST_THREAD_OR(OTHER) \
	GET(R1, tid), \
	GET(R2, tgid), \
	JNE_REG(R1, R2, OTHER)

/*
 * The thread ended: frame.counted = 0 if it is one of those counted. The first one's entry stays
 * until its process ends.
 */
#define FORGET_THREAD \
	SET_IMM(counted, 0), \
	FIRST_THREAD_OR(".other"), \
	JUMP(".forgotten"), \
	LABEL(".other"), \
	DELETE("tasks", tid), \
	SET(counted, R0), \
	LABEL(".forgotten")

/*
 * What the record knows of a process of several threads is kept: a code of all threads, or of the
 * first; and the name of the first.
 */
#define KEEP_IN_PROCESS \
	LOOKUP_OR("processes", tgid, ".kept"), \
	BPF_MOV64_REG(ENTRY, R0), \
	GET(R1, record.known), \
	JEQ(R1, 0, ".name"), \
	JSET(R1, CODE_ALONE, ".alone"), \
	BPF_ALU64_IMM(BPF_OR, R1, CODE_OF_ALL), \
	JUMP(".code"), \
	LABEL(".alone"), \
	LOAD(R2, ENTRY, struct exitsnoop_process, known), \
	JSET(R2, CODE_OF_ALL, ".name"), \
	GET(R3, tid), \
	GET(R4, tgid), \
	JNE_REG(R3, R4, ".name"), \
	LABEL(".code"), \
	PUT(ENTRY, struct exitsnoop_process, known, R1), \
	GET(R1, record.code), \
	PUT(ENTRY, struct exitsnoop_process, code, R1), \
	LABEL(".name"), \
	FIRST_THREAD_OR(".kept"), \
	COPY_TO(ENTRY, struct exitsnoop_process, comm, record.comm), \
	LABEL(".kept")

/* The code and name that the kernel has of the process, or the last thread and its entry. */
#define TAKE_CODE_OF_ALL \
	LOOKUP_OR("processes", tgid, ".named"), \
	BPF_MOV64_REG(ENTRY, R0), \
	LOAD(R1, ENTRY, struct exitsnoop_process, known), \
	JSET(R1, CODE_OF_ALL, ".its"), \
	FIELD(R1, "last"), \
	JEQ(R1, 0, ".its"), \
	LOAD(R1, ENTRY, struct exitsnoop_process, last), \
	SET(record.code, R1), \
	JUMP(".coded"), \
	LABEL(".its"), \
	LOAD(R1, ENTRY, struct exitsnoop_process, known), \
	SET(record.known, R1), \
	LOAD(R1, ENTRY, struct exitsnoop_process, code), \
	SET(record.code, R1), \
	LABEL(".coded"), \
	LOAD(R1, ENTRY, struct exitsnoop_process, comm[0]), \
	JEQ(R1, 0, ".named"), \
	COPY_FROM(record.comm, ENTRY, struct exitsnoop_process, comm), \
	LABEL(".named"), \
	JUMP_UNLESS("target:bpf", ".told"), \
	JUMP_UNLESS("input:flags", ".told"), \
	FIELD(CODE, "all?"), \
	FIELD(R1, "flags?"), \
	JSET(R1, SIGNAL_GROUP_EXIT, ".all"), \
	FIELD(CODE, "first?"), \
	LABEL(".all"), \
	SET(record.code, CODE), \
	SET_IMM(record.known, CODE_KNOWN), \
	LABEL(".told")

/* The record is its process's. */
#define TAKE_PROCESS \
	TAKE_CODE_OF_ALL, \
	GET(TGID, tgid), \
	BPF_MOV64_REG(R1, TGID), \
	BPF_ALU64_IMM(BPF_LSH, TGID, 32), \
	BPF_ALU64_REG(BPF_OR, TGID, R1), \
	SET(record.pid_tgid, TGID), \
	LOOKUP_OR("tasks", tgid, ".unknown"), \
	LOAD(R1, R0, struct exitsnoop_task, start), \
	SET(record.start, R1), \
	LABEL(".unknown")

/* if (it is not the process's last thread) goto LIVES; else the process is forgotten. */
#define LAST_THREAD_OR(LIVES) \
	FIELD(R1, "dead"), \
	JUMP_UNLESS("constant:dead", ".by_kernel"), \
	JUMP(".untold"), \
	LABEL(".by_kernel"), \
	JEQ(R1, 0, LIVES), \
	DELETE("processes", tgid), \
	JUMP(".last"), \
	LABEL(".untold"), \
	LOOKUP("processes", tgid), \
	JNE(R0, 0, ".several"), \
	FIRST_THREAD_OR(LIVES), \
	JUMP(".last"), \
	LABEL(".several"), \
	GET(R1, counted), \
	JNE(R1, 0, LIVES), \
	BPF_MOV64_IMM(R1, -1), \
	XADD(R0, struct exitsnoop_process, threads, R1), \
	LOAD(R1, R0, struct exitsnoop_process, threads), \
	JSGT(R1, 0, LIVES), \
	DELETE("processes", tgid), \
	JNE(R0, 0, LIVES),			/* another thread did it at the same time */ \
	LABEL(".last"), \
	DELETE("tasks", tgid), \
	DELETE("groups", tgid)

static const struct insn on_exit[] = {
	CURRENT,
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	READ_TASK,			/* r.start = tasks[tid].start; r.ppid = tasks[tgid].ppid */
	TAKE_CODE,			/* r.code, r.known = take codes[tid], or groups[tgid] */
	FORGET_THREAD,
	KEEP_IN_PROCESS,		/* processes[tgid] = what r knows of it */
	JUMP_UNLESS("per-thread", "processes"),
	LAST_THREAD_OR("wanted"),
	JUMP("wanted"),
LABEL("processes"),
	KNOWN(TASK),
	TAKE_PROCESS,			/* r = its process's, if it is the last thread */
	LAST_THREAD_OR("out"),
LABEL("wanted"),
	FILTER(TASK),
	JUMP_UNLESS("failed", "any"),
	GET(R1, record.code),
	JNE(R1, 0, "any"),
	GET(R1, record.known),
	JNE(R1, 0, "out"),				/* if (r.code is known to be 0) out */
LABEL("any"),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

/* The code is derived where the kernel's own can't be read. */
#define DERIVED "lacks:task.exit.own"
#define SPARE .spare = true, .option = DERIVED

static const struct program programs[] = {
	PROGRAM("task.new", on_new, .optional = true),
	PROGRAM("exit.alone", on_alone, SPARE),
	PROGRAM("exit.code", on_code, .optional = true, .option = DERIVED),
	PROGRAM("exit.group", on_group, SPARE),
	PROGRAM("exit.sent", on_sent, SPARE),
	PROGRAM("exit.signal", on_signal, SPARE),
	PROGRAM("task.exit", on_exit),
	{ }
};

const struct program_set exitsnoop_programs = { programs, maps };
