/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCLATENCY_H
#define SONDE_FUNCLATENCY_H

#include <stdint.h>

#include "insns/program.h"

/* The maximum of --level: stack pointers kept for each thread. */
#define FUNC_LEVELS 8

/* Key of "hists": a histogram for each function and, in user space, each process. */
struct funclatency_key {
	uint32_t epoch;
	uint32_t slot;
	u64 id;			/* the function's number << 32 | tgid */
};

RECORD_LAYOUT(funclatency_key,
	FIELD_OF(funclatency_key, slot, NUMBER),
	FIELD_OF(funclatency_key, id, NUMBER));

/* Of calls, and with --between of the times between them. */
extern const struct program_set funclatency_programs, funcinterval_programs;

#endif
