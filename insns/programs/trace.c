// SPDX-License-Identifier: GPL-2.0
/*
 * probe.hit:	if (the task is wanted, and the filter is true)
 *			output { task, its stacks, the values }
 */
#include "insns/programs/trace.h"

#include <errno.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &trace_record_layout },
	{ }
};

struct frame {
	struct trace_record record;
};

/* Registers. */
enum { TASK = R6, KERNEL_STACK = R7, USER_STACK = R8 };

#define BEGIN \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET(record.pid_tgid, TASK)			/* r.pid_tgid */

#define FILL \
	BPF_MOV64_IMM(KERNEL_STACK, -EFAULT), \
	BPF_MOV64_IMM(USER_STACK, -EFAULT), \
	SET_IMM(record.caller, 0), \
	JUMP_UNLESS("kernel-stack", ".user"), \
	STACK(KERNEL_STACK, "kernel_stack"), \
	LABEL(".user"), \
	JUMP_UNLESS("user-stack", ".stacked"), \
	STACK(USER_STACK, "user_stack"), \
	SET_FIELD(record.caller, "caller"),		/* r.caller */ \
	LABEL(".stacked"), \
	SET(record.kernel_stack, KERNEL_STACK),		/* r.kernel_stack, or -EFAULT */ \
	SET(record.user_stack, USER_STACK),		/* r.user_stack, or -EFAULT */ \
	SET_IMM(record.unknown, 0), \
	SET_IMM(record.none, 0), \
	SET_IMM(record.probe, 0), \
	SET_FIELD(record.time, "time"),			/* r.time = now */ \
	SET_IMM(record.cpu, 0), \
	JUMP_UNLESS("print-cpu", ".nowhere"), \
	SET_FIELD(record.cpu, "cpu"),			/* r.cpu */ \
	LABEL(".nowhere"), \
	SET_FIELD(record.function, "function"),		/* r.function */ \
	SET_BYTES(record.comm, "comm")			/* r.comm */

const struct insn trace_begin[] = { BEGIN };
const struct insn trace_fill[] = { FILL };
const unsigned int trace_begin_n = sizeof(trace_begin) / sizeof(trace_begin[0]);
const unsigned int trace_fill_n = sizeof(trace_fill) / sizeof(trace_fill[0]);
const char trace_file[] = __FILE__;

/* A question without values. */
static const struct insn on_hit[] = {
	BEGIN,
	FILL,
	OUTPUT("events", record),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("probe.hit", on_hit),
	{ }
};

const struct program_set trace_programs = { programs, maps };
