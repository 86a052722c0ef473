/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYSTRACE_H
#define SONDE_SYSTRACE_H

#include <stdint.h>

#include "insns/programs/syscount.h"

#define SYSTRACE_ARGUMENTS 6
#define SYSTRACE_TEXTS 2
/* Bytes of a text that are shown; one more is read, to know whether it is longer. */
#define SYSTRACE_SHOWN 127
#define SYSTRACE_READ 128
/* Arguments of an exec that are read, and bytes of each, with a NUL. */
#define ARGV_READ 6
#define ARGV_TEXT 32
/* Set in their number: there are more, or one could not be read. */
#define ARGV_MORE 16

/* Value of "plans": what to do with a call; 0: nothing. */
enum systrace_plan {
	PLAN_WANTED = 1,
	PLAN_NO_RETURN = 2,		/* the call never returns */
	PLAN_SOCKADDR = 4,		/* its first text is an address of a socket instead */
	PLAN_ARGV = 8,			/* its second text is a row of pointers to texts instead */
	PLAN_NARROW = 16,		/* of 4 bytes each, not 8 */
	/* arguments that are texts, plus 1; 0: none */
	PLAN_FIRST_SHIFT = 8, PLAN_SECOND_SHIFT = 16, PLAN_ARGUMENT_MASK = 7,
};

struct systrace_call {
	u64 time;			/* when the call returned */
	u64 pid_tgid;
	u64 took;			/* ns */
	s64 ret;
	u64 slot;			/* as in syscount */
	s64 id;
	u64 plan;
	u64 args[SYSTRACE_ARGUMENTS];
	char comm[16];
};

struct systrace_text {
	s64 length;			/* with its NUL; negative: unreadable */
	char text[SYSTRACE_READ];
};

/* The arguments of an exec. */
struct systrace_argv {
	s64 length;			/* how many, and ARGV_MORE; negative: no row */
	char text[ARGV_READ][ARGV_TEXT];
};

/*
 * An address of a socket: its length as the call says it, and its bytes. The last eight are beside
 * them, if their number is no multiple of eight.
 */
struct systrace_address {
	s64 length;			/* bytes in of[]; negative: unreadable */
	union {
		u64 of[SYSTRACE_READ / 8];
		uint16_t family;	/* of an address of less than eight bytes */
	};
	s64 whole;			/* bytes with the last eight; negative: none */
	u64 last;
};

/* What a call has in memory. */
union systrace_memory {
	struct {
		struct systrace_text first;
		union {
			struct systrace_text second;
			struct systrace_argv argv;
		};
	};
	struct systrace_address address;
};

/* The memory is left out if nothing of it was asked for. */
struct systrace_record {
	struct systrace_call call;
	union systrace_memory memory;
};

static const struct record_field systrace_record_fields[] = {
	FIELD_AS(systrace_record, call.time, "time", TIME),
	FIELD_AS(systrace_record, call.pid_tgid, "pid", TGID),
	FIELD_AS(systrace_record, call.pid_tgid, "tid", TID),
	FIELD_AS(systrace_record, call.took, "took", NUMBER, .unit = "ns"),
	FIELD_AS(systrace_record, call.ret, "ret", NUMBER),
	FIELD_AS(systrace_record, call.slot, "slot", NUMBER),
	FIELD_AS(systrace_record, call.id, "id", NUMBER),
	FIELD_AS(systrace_record, call.plan, "plan", NUMBER),
	FIELD_AS(systrace_record, call.args[0], "arg0", NUMBER),
	FIELD_AS(systrace_record, call.args[1], "arg1", NUMBER),
	FIELD_AS(systrace_record, call.args[2], "arg2", NUMBER),
	FIELD_AS(systrace_record, call.args[3], "arg3", NUMBER),
	FIELD_AS(systrace_record, call.args[4], "arg4", NUMBER),
	FIELD_AS(systrace_record, call.args[5], "arg5", NUMBER),
	FIELD_AS(systrace_record, call.comm, "comm", COMM),
	{ }
};
RECORD_LAYOUT_OF(systrace_record, sizeof(struct systrace_call), systrace_record_fields);

/* Key of "sums" with --summary; its value. */
struct systrace_key {
	uint32_t epoch;
	uint32_t slot;
	u64 pid_tgid;
	char comm[16];
};

struct systrace_sums {
	u64 calls;
	u64 errors;
	u64 took;			/* ns, sum */
	u64 least, most;		/* ns */
};

RECORD_LAYOUT(systrace_key,
	FIELD_OF(systrace_key, slot, NUMBER),
	FIELD_AS(systrace_key, pid_tgid, "pid", TGID),
	FIELD_AS(systrace_key, pid_tgid, "tid", TID),
	FIELD_OF(systrace_key, comm, COMM));
RECORD_LAYOUT(systrace_sums,
	FIELD_OF(systrace_sums, calls, NUMBER),
	FIELD_OF(systrace_sums, errors, NUMBER),
	FIELD_OF(systrace_sums, took, NUMBER, .unit = "ns"),
	FIELD_OF(systrace_sums, least, NUMBER, .unit = "ns"),
	FIELD_OF(systrace_sums, most, NUMBER, .unit = "ns"));

extern const struct program_set systrace_programs;

#endif
