/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_H
#define SONDE_TRACE_H

#include <stdint.h>

#include "insns/program.h"

/* The beginning of every record of a question; the values follow it. */
struct trace_record {
	u64 time;
	u64 pid_tgid;
	u64 function;		/* number of the function or tracepoint that was hit */
	uint32_t cpu;
	uint32_t probe;			/* the number of the question */
	int32_t kernel_stack, user_stack;
	uint32_t unknown;		/* a bit for each unreadable value */
	uint32_t none;
	u64 caller;		/* return address of a user function; 0: unknown */
	char comm[16];
};

RECORD_LAYOUT(trace_record,
	FIELD_OF(trace_record, time, TIME),
	FIELD_AS(trace_record, pid_tgid, "tgid", TGID),
	FIELD_AS(trace_record, pid_tgid, "tid", TID),
	FIELD_OF(trace_record, function, NUMBER),
	FIELD_OF(trace_record, cpu, NUMBER),
	FIELD_OF(trace_record, probe, NUMBER),
	FIELD_OF(trace_record, kernel_stack, STACK),
	FIELD_OF(trace_record, user_stack, STACK),
	FIELD_OF(trace_record, caller, NUMBER),
	FIELD_OF(trace_record, comm, COMM));

/*
 * Sequences of a question's program: trace_begin leaves the program unless the task is wanted; the
 * question's filter follows; trace_fill fills the record; the values follow. They clobber r6 to r8.
 * The record ends at the top of the stack; if values follow the record, it is lower by their size.
 */
extern const struct insn trace_begin[], trace_fill[];
extern const unsigned int trace_begin_n, trace_fill_n;
extern const char trace_file[];

extern const struct program_set trace_programs;

#endif
