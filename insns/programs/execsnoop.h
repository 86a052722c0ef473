/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXECSNOOP_H
#define SONDE_EXECSNOOP_H

#include <stdint.h>

#include "insns/program.h"

#define ARG_SHOWN 127
#define ARG_READ 136
#define ARGS_MAX 60

enum { EXEC_ARG, EXEC_DONE, EXEC_GONE };
enum {
	EXEC_SEEN = 1,		/* start[tid] is not empty */
	EXEC_MORE = 2,		/* there are more arguments than were asked for */
	EXEC_FAULT = 4,		/* argv itself could not be read on */
};

/* One argument, as they come, before the exec's own record. */
struct exec_arg {
	uint64_t time;
	uint32_t type;		/* EXEC_ARG */
	uint32_t tid;
	uint32_t index;		/* 0: the file's name; from 1 on: argv[index - 1] */
	int32_t length;		/* with its NUL; negative: could not be read */
	char text[ARG_READ];
};

struct exec_done {
	uint64_t time;
	uint32_t type;		/* EXEC_DONE */
	int32_t ret;
	uint64_t pid_tgid;
	uint32_t uid;
	uint32_t cpu;
	uint32_t ppid;		/* 0: made before tracing began; UINT32_MAX: made by a process
				   nobody knows */
	uint32_t tid;		/* the thread that asked: another one than pid_tgid's after an
				   exec by a non-leader */
	uint32_t args;		/* records of arguments that came before */
	uint32_t flags;
	char comm[16];
};

/*
 * The exec failed, which nobody asked for, or its thread ended in it: what was told of it is of no
 * use any more.
 */
struct exec_gone {
	uint64_t time;
	uint32_t type;		/* EXEC_GONE */
	uint32_t tid;
};

extern const struct program_set execsnoop_programs;

#endif
