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
/* Bytes of an address that are read: a struct sockaddr_in6 is the longest. */
#define SOCKADDR_READ 32

/* Value of "plans": what to do with a call; 0: nothing. */
enum systrace_plan {
	PLAN_WANTED = 1,
	PLAN_NO_RETURN = 2,		/* the call never returns */
	PLAN_SOCKADDR = 4,		/* its first text is an address of a socket instead */
	/* arguments that are texts, plus 1; 0: none */
	PLAN_FIRST_SHIFT = 8, PLAN_SECOND_SHIFT = 16, PLAN_ARGUMENT_MASK = 7,
	PLAN_FAMILY_SHIFT = 32,		/* set by the program: the family of the address */
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

/* The texts are left out if the call has none. */
struct systrace_record {
	struct systrace_call call;
	struct systrace_text texts[SYSTRACE_TEXTS];
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
