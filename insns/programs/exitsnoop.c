// SPDX-License-Identifier: GPL-2.0
/*
 * task.new:	tasks[child] = { now, the process that made it, since when that is }
 * exit.code:	codes[tid] = the code of this thread
 * exit.group:	groups[tgid] = the code of exit_group
 * exit.sent:	sent[pid] = the signal, unless that is one that ends nobody
 * exit.signal:	forget sent[tid], sent[tgid] if it is this one; if (it ends the process) groups[tgid] = the signal
 * task.exit:	output { now, tasks[tid].start, tasks[tgid].ppid, codes[tid] or groups[tgid] }; forget the task
 *
 * do_exit() is handed the code itself. Where it can't be probed, the code is put together from the system calls and
 * signals that end processes. A signal that ends a process without a core dump does so when it is sent: what takes
 * effect then is a KILL to each thread. But so it is when a thread ends its process or executes a file. So a KILL stands
 * for the one signal that was sent and did not take effect itself; if there are several, or two threads end their
 * process in different ways at a time, the kernel alone knows which was first: the code is not known.
 */
#include "insns/programs/exitsnoop.h"

#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>

#include "insns/common.h"

struct group {
	uint32_t code;
	uint32_t known;
	uint32_t tid;			/* who ended the process */
	uint32_t pad;
};

static const struct map maps[] = {
	{ "tasks", MAP_HASH, ROLE_JOIN, 4, sizeof(struct exitsnoop_task), 65536 },
	{ "codes", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "groups", MAP_HASH, ROLE_HINT, 4, sizeof(struct group), 10240 },
	{ "sent", MAP_HASH, ROLE_HINT, 4, 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define TGID_KEY -16
#define TASK(MEMBER) (-40 + (int)offsetof(struct exitsnoop_task, MEMBER))

static const struct insn on_new[] = {
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	UNLESS("hook:exit.group", "no_groups"),
	DELETE("groups", KEY),				/* what an earlier process of this id left */
	DELETE("sent", KEY),
LABEL("no_groups"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, TASK(start)),	/* t.start = now */
	BPF_ST_MEM(BPF_DW, R10, TASK(parent_start), 0),
	BPF_ST_MEM(BPF_DW, R10, TASK(ppid), 0),
	FIELD(R7, "clone_flags"),
	JUMP_IF(BPF_JSET, R7, CLONE_THREAD, "store"),
	FIELD(R6, "tgid"),
	BPF_STX_MEM(BPF_W, R10, R6, TGID_KEY),
	LOOKUP("tasks", TGID_KEY),			/* p = tasks[tgid] */
	JUMP_IF(BPF_JEQ, R0, 0, "store"),		/* tracing has just begun: /proc tells */
	JUMP_IF(BPF_JSET, R7, CLONE_PARENT, "sibling"),
	BPF_STX_MEM(BPF_W, R10, R6, TASK(ppid)),	/* t.ppid = tgid */
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct exitsnoop_task, start)),
	BPF_STX_MEM(BPF_DW, R10, R6, TASK(parent_start)),
	JUMP("store"),
LABEL("sibling"),
	BPF_LDX_MEM(BPF_W, R6, R0, offsetof(struct exitsnoop_task, ppid)),
	BPF_STX_MEM(BPF_W, R10, R6, TASK(ppid)),	/* t.ppid = p.ppid */
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct exitsnoop_task, parent_start)),
	BPF_STX_MEM(BPF_DW, R10, R6, TASK(parent_start)),
LABEL("store"),
	STORE("tasks", KEY, TASK(start)),		/* tasks[pid] = t */
	EXIT,
};

#define CODE -16

static const struct insn on_code[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	FIELD(R6, "code"),
	FIELD(R1, "whole"),
	JUMP_IF(BPF_JNE, R1, 0, "code"),
	BPF_ALU64_IMM(BPF_AND, R6, 0xff),		/* what exit() was handed */
	BPF_ALU64_IMM(BPF_LSH, R6, 8),
LABEL("code"),
	BPF_STX_MEM(BPF_W, R10, R6, CODE),
	BPF_ST_MEM(BPF_W, R10, CODE + 4, CODE_KNOWN),
	STORE("codes", KEY, CODE),			/* codes[tid] = code */
	EXIT,
};

#define GROUP(MEMBER) (-32 + (int)offsetof(struct group, MEMBER))

/*
 * groups[tgid] = { code at r6, known at r9 } by the thread at r7, a pid_tgid; its process is at TGID_KEY. What the same
 * thread did before did not end it; what another one did may have been first.
 */
#define END_GROUP \
	BPF_STX_MEM(BPF_W, R10, R6, GROUP(code)), \
	BPF_STX_MEM(BPF_W, R10, R9, GROUP(known)), \
	BPF_STX_MEM(BPF_W, R10, R7, GROUP(tid)), \
	BPF_ST_MEM(BPF_W, R10, GROUP(pad), 0), \
	LOOKUP("groups", TGID_KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".first"), \
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct group, tid)), \
	BPF_LDX_MEM(BPF_W, R2, R10, GROUP(tid)), \
	JUMP_IF_REG(BPF_JEQ, R1, R2, ".first"), \
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct group, code)), \
	JUMP_IF_REG(BPF_JEQ, R1, R6, "out"), \
	BPF_ST_MEM(BPF_W, R0, offsetof(struct group, known), 0), \
	JUMP("out"), \
	LABEL(".first"), \
	STORE("groups", TGID_KEY, GROUP(code))

/* r7 = pid_tgid; KEY and TGID_KEY hold its halves. */
#define CURRENT \
	FIELD(R7, "pid_tgid"), \
	BPF_STX_MEM(BPF_W, R10, R7, KEY), \
	BPF_MOV64_REG(R8, R7), \
	BPF_ALU64_IMM(BPF_RSH, R8, 32), \
	BPF_STX_MEM(BPF_W, R10, R8, TGID_KEY)

static const struct insn on_group[] = {
	CURRENT,
	FIELD(R6, "code"),
	BPF_ALU64_IMM(BPF_AND, R6, 0xff),
	BPF_ALU64_IMM(BPF_LSH, R6, 8),
	BPF_MOV64_IMM(R9, CODE_KNOWN),
	END_GROUP,					/* groups[tgid] = { (code & 0xff) << 8, tid } */
LABEL("out"),
	EXIT,
};

#define HARMLESS(SIGNAL) JUMP_IF(BPF_JEQ, R6, SIGNAL, "out")
/* Ignored by default, or processes only stop. */
#define ALL_HARMLESS \
	HARMLESS(SIGCHLD), HARMLESS(SIGCONT), HARMLESS(SIGURG), HARMLESS(SIGWINCH), \
	HARMLESS(SIGSTOP), HARMLESS(SIGTSTP), HARMLESS(SIGTTIN), HARMLESS(SIGTTOU)

static const struct insn on_sent[] = {
	FIELD(R6, "sig"),
	ALL_HARMLESS,
	FIELD(R7, "result"),
	JUMP_IF(BPF_JNE, R7, 0, "out"),			/* ignored, or it waits already */
	FIELD(R7, "pid"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("sent", KEY),
	JUMP_IF(BPF_JNE, R0, 0, "another"),
	BPF_STX_MEM(BPF_W, R10, R6, CODE),
	BPF_ST_MEM(BPF_W, R10, CODE + 4, CODE_KNOWN),
	STORE("sent", KEY, CODE),			/* sent[pid] = sig */
	JUMP("out"),
LABEL("another"),
	BPF_LDX_MEM(BPF_W, R1, R0, 0),
	JUMP_IF_REG(BPF_JEQ, R1, R6, "out"),
	BPF_ST_MEM(BPF_W, R0, 4, 0),			/* several: not known */
LABEL("out"),
	EXIT,
};

/* if (sent[key] == the signal at r6) delete sent[key] */
#define TAKES_EFFECT(ID) \
	LOOKUP("sent", ID), \
	JUMP_IF(BPF_JEQ, R0, 0, ".other"), \
	BPF_LDX_MEM(BPF_W, R1, R0, 0), \
	JUMP_IF_REG(BPF_JNE, R1, R6, ".other"), \
	DELETE("sent", ID), \
	LABEL(".other")

static const struct insn on_signal[] = {
	FIELD(R6, "sig"),
	CURRENT,
	JUMP_IF(BPF_JEQ, R6, SIGKILL, "kill"),
	TAKES_EFFECT(KEY),
	TAKES_EFFECT(TGID_KEY),
	FIELD(R1, "handler"),
	JUMP_IF(BPF_JNE, R1, 0, "out"),			/* if (there is a handler) out */
	ALL_HARMLESS,
	BPF_MOV64_IMM(R9, CODE_KNOWN | CODE_NO_CORE),
	JUMP("ends"),
LABEL("kill"),
	LOOKUP("groups", TGID_KEY),			/* it has ended before */
	JUMP_IF(BPF_JNE, R0, 0, "out"),
	LOOKUP("sent", KEY),
	JUMP_IF(BPF_JNE, R0, 0, "sent"),
	LOOKUP("sent", TGID_KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),			/* nobody sent one */
LABEL("sent"),
	BPF_LDX_MEM(BPF_W, R6, R0, 0),			/* sig, known = sent[tid] or sent[tgid] */
	BPF_LDX_MEM(BPF_W, R9, R0, 4),
LABEL("ends"),
	END_GROUP,					/* groups[tgid] = { sig, known, tid } */
LABEL("out"),
	EXIT,
};

#define RECORD(MEMBER) (-96 + (int)offsetof(struct exitsnoop_record, MEMBER))

static const struct insn on_exit[] = {
	CURRENT,
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_ST_MEM(BPF_DW, R10, RECORD(start), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(ppid), 0),

	LOOKUP("tasks", KEY),				/* r.start = tasks[tid].start */
	JUMP_IF(BPF_JEQ, R0, 0, "older"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct exitsnoop_task, start)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(start)),
LABEL("older"),
	LOOKUP("tasks", TGID_KEY),			/* t = tasks[tgid]; p = tasks[t.ppid] */
	JUMP_IF(BPF_JEQ, R0, 0, "orphan"),
	BPF_LDX_MEM(BPF_W, R9, R0, offsetof(struct exitsnoop_task, ppid)),
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct exitsnoop_task, parent_start)),
	BPF_STX_MEM(BPF_W, R10, R9, TASK(ppid)),
	LOOKUP("tasks", TASK(ppid)),
	JUMP_IF(BPF_JEQ, R0, 0, "orphan"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct exitsnoop_task, start)),
	JUMP_IF_REG(BPF_JNE, R1, R6, "orphan"),		/* if (p is who made it) r.ppid = t.ppid */
	BPF_STX_MEM(BPF_W, R10, R9, RECORD(ppid)),
LABEL("orphan"),
	DELETE("tasks", KEY),

	BPF_MOV64_IMM(R9, 0),
	UNLESS("hook:exit.code", "coded"),
	TAKE(R9, "codes", KEY),				/* c = take codes[tid] */
LABEL("coded"),
	UNLESS("hook:exit.group", "ungrouped"),
	JUMP_IF(BPF_JNE, R9, 0, "one"),
	LOOKUP("groups", TGID_KEY),			/* if (!c) c = groups[tgid] */
	JUMP_IF(BPF_JEQ, R0, 0, "one"),
	BPF_LDX_MEM(BPF_DW, R9, R0, 0),
LABEL("one"),
	DELETE("sent", KEY),
	BPF_LDX_MEM(BPF_W, R1, R10, KEY),
	BPF_LDX_MEM(BPF_W, R2, R10, TGID_KEY),
	JUMP_IF_REG(BPF_JNE, R1, R2, "ungrouped"),
	DELETE("groups", TGID_KEY),
LABEL("ungrouped"),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(code)),	/* r.code, r.known = c */

	FILTER(R7),
	UNLESS("per-thread", "leaders"),
	JUMP("wanted"),
LABEL("leaders"),
	BPF_LDX_MEM(BPF_W, R1, R10, KEY),
	BPF_LDX_MEM(BPF_W, R2, R10, TGID_KEY),
	JUMP_IF_REG(BPF_JNE, R1, R2, "out"),		/* if (tid != tgid) out */
LABEL("wanted"),
	UNLESS("failed", "any"),
	BPF_LDX_MEM(BPF_W, R1, R10, RECORD(code)),
	JUMP_IF(BPF_JNE, R1, 0, "any"),
	BPF_LDX_MEM(BPF_W, R1, R10, RECORD(known)),
	JUMP_IF(BPF_JNE, R1, 0, "out"),			/* if (r.code is known to be 0) out */
LABEL("any"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),	/* r.time = now */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	OUTPUT("events", RECORD(time), sizeof(struct exitsnoop_record)),
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
