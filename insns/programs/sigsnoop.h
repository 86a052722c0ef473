/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIGSNOOP_H
#define SONDE_SIGSNOOP_H

#include <stdint.h>

#include "insns/program.h"

enum sigsnoop_event { SIGNAL_GENERATE, SIGNAL_DELIVER, SIGNAL_CALL };
static const char *const sigsnoop_events[] = {
	[SIGNAL_GENERATE] = "generate", [SIGNAL_DELIVER] = "deliver", [SIGNAL_CALL] = "call"
};

struct sigsnoop_record {
	u64 time;
	u64 pid_tgid;		/* of the current task; a deliver's target */
	u64 handler;		/* deliver: 0 the default action, 1 ignored, or an address */
	uint32_t event;
	int32_t sig;
	int32_t code;		/* si_code of the signal; 0 for a call */
	int32_t result;		/* generate: the kernel's result; call: what it returned */
	int32_t tid;		/* thread that gets it; call: the target as the call names it */
	uint32_t tgid;		/* generate: process of this thread; 0: the thread is its first */
	uint32_t group;		/* generate: 1 for the whole process, 0 for the thread alone */
	uint32_t call;		/* enum kill_call */
	char comm[16];
	char target_comm[16];	/* generate only */
};

RECORD_LAYOUT(sigsnoop_record,
	FIELD_OF(sigsnoop_record, time, TIME),
	FIELD_AS(sigsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(sigsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(sigsnoop_record, handler, NUMBER),
	FIELD_OF(sigsnoop_record, event, NUMBER, FIELD_NAMES(sigsnoop_events)),
	FIELD_AS(sigsnoop_record, sig, "signal", NUMBER),
	FIELD_OF(sigsnoop_record, code, NUMBER),
	FIELD_OF(sigsnoop_record, result, NUMBER),
	FIELD_AS(sigsnoop_record, tid, "target", NUMBER),
	FIELD_OF(sigsnoop_record, tgid, NUMBER),
	FIELD_OF(sigsnoop_record, group, NUMBER),
	FIELD_OF(sigsnoop_record, call, NUMBER),
	FIELD_OF(sigsnoop_record, comm, COMM),
	FIELD_OF(sigsnoop_record, target_comm, COMM));

extern const struct program_set sigsnoop_programs;

#endif
