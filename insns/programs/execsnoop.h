/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXECSNOOP_H
#define SONDE_EXECSNOOP_H

#include <stdint.h>

#include "insns/program.h"

#define ARG_SHOWN 127
#define ARG_READ 136
#define ARGS_MAX 60

/* Indexes of struct exec_arg, behind those of the arguments at the entry. */
#define ARG_FILE 127
#define ARG_AGAIN 128

enum { EXEC_ARG, EXEC_DONE, EXEC_GONE };
enum {
	EXEC_SEEN = 1,		/* start[tid] is not empty */
	EXEC_MORE = 2,		/* there are more arguments than were asked for */
	EXEC_FAULT = 4,		/* the rest of argv is unreadable */
	EXEC_HOLE = 8,		/* a text is unreadable */
	EXEC_AGAIN = 16,	/* argv was read again, to its end or as far as was asked for */
	EXEC_AGAIN_MORE = 32,	/* the same or as far as can be, and there is more of it */
	EXEC_UNNAMED = 64,	/* the file's name is unreadable */
	EXEC_IMAGE = 128,	/* what was read again is the new image's argv */
	EXEC_ROW = 256,		/* argv as a text is unreadable, which the rings count */
};

/* The beginning of each record. */
struct exec_record {
	u64 time;
	uint32_t type;		/* EXEC_ARG, EXEC_DONE, EXEC_GONE */
};

/* One argument. Records of arguments come in their order, before the exec's own record. */
struct exec_arg {
	u64 time;
	uint32_t type;		/* EXEC_ARG */
	uint32_t tid;
	/*
	 * 0: the file's name; from 1 on: argv[index - 1]; ARG_FILE: the name, as the kernel has it;
	 * from ARG_AGAIN on: argv[index - ARG_AGAIN], read again once the kernel had copied it, or
	 * that of the new image
	 */
	uint32_t index;
	int32_t length;		/* with its NUL; negative: unreadable */
	char text[ARG_READ];
};

struct exec_done {
	u64 time;
	uint32_t type;		/* EXEC_DONE */
	int32_t ret;
	u64 pid_tgid;
	uint32_t uid;
	uint32_t cpu;
	uint32_t ppid;		/* 0: made before tracing began; UINT32_MAX: unknown */
	/* the thread that called exec: not that of pid_tgid if it was not the leader */
	uint32_t tid;
	uint32_t args;		/* number of argument records before this one */
	uint32_t flags;		/* EXEC_SEEN, ... */
	char comm[16];
};

/* The exec failed and failures are not wanted, or its thread ended: its arguments are dropped. */
struct exec_gone {
	u64 time;
	uint32_t type;		/* EXEC_GONE */
	uint32_t tid;
};

RECORD_LAYOUT(exec_arg,
	FIELD_OF(exec_arg, time, TIME),
	FIELD_OF(exec_arg, tid, NUMBER),
	FIELD_OF(exec_arg, index, NUMBER),
	FIELD_OF(exec_arg, text, TEXT));
RECORD_LAYOUT(exec_done,
	FIELD_OF(exec_done, time, TIME),
	FIELD_OF(exec_done, ret, NUMBER),
	FIELD_AS(exec_done, pid_tgid, "pid", TGID),
	FIELD_OF(exec_done, uid, NUMBER, .input = "exec.done:uid"),
	FIELD_OF(exec_done, cpu, NUMBER),
	FIELD_OF(exec_done, ppid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(exec_done, tid, NUMBER),
	FIELD_OF(exec_done, args, NUMBER),
	FIELD_OF(exec_done, flags, NUMBER),
	FIELD_OF(exec_done, comm, COMM));
RECORD_LAYOUT(exec_gone,
	FIELD_OF(exec_gone, time, TIME),
	FIELD_OF(exec_gone, tid, NUMBER));

static const struct record_layout *const exec_kinds[] = {
	[EXEC_ARG] = &exec_arg_layout,
	[EXEC_DONE] = &exec_done_layout,
	[EXEC_GONE] = &exec_gone_layout,
};
RECORD_LAYOUT_KINDS(exec_record, type, exec_kinds);

extern const struct program_set execsnoop_programs, execsnoop_alone;

#endif
