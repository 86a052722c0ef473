/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_H
#define SONDE_TRACE_H

#include <stdint.h>

#include "insns/program.h"

/* What every event of a question has; the values that were asked for are behind it. */
struct trace_record {
	u64 time;
	u64 pid_tgid;
	u64 function;		/* the number of what was hit */
	uint32_t cpu;
	uint32_t probe;			/* the number of the question */
	int32_t kernel_stack, user_stack;
	uint32_t unknown;		/* bits: values that could not be read */
	uint32_t none;
	u64 caller;		/* of a function of user space that was called; 0: not told */
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
 * The sequences that a question's program is made of: leave unless the task is wanted, then the
 * question's filter; fill the record, then its values. They clobber r6 to r8, and end at the top of
 * the stack: where there are values behind the record, it is so many bytes further down.
 */
extern const struct insn trace_begin[], trace_fill[];
extern const unsigned int trace_begin_n, trace_fill_n;
extern const char trace_file[];

extern const struct program_set trace_programs;

#endif
