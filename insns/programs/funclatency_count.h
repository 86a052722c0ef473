/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCLATENCY_COUNT_H
#define SONDE_FUNCLATENCY_COUNT_H

#include "insns/hist.h"
#include "insns/programs/funclatency.h"

/* The results of funclatency, of calls or of the times between them. */
#define TIME_MAPS \
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout }, \
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct funclatency_key), 8, 65536, \
	  .key = &funclatency_key_layout }, \
	TOTALS_MAP(MAP_PERCPU_ARRAY)

/* REG = the function; in user space, that of the process in TASK (r6 to r9): clobbers it. */
#define FUNCTION_OF(REG, TASK) \
	FIELD(REG, "function"), \
	BPF_ALU64_IMM(BPF_LSH, REG, 32), \
	JUMP_UNLESS("user_space", ".kernel"), \
	BPF_ALU64_IMM(BPF_RSH, TASK, 32), \
	BPF_ALU64_REG(BPF_OR, REG, TASK), \
	LABEL(".kernel")

/*
 * totals += DELTA, a time in ns (r6 to r9); SLOT = its slot in the user's unit, of `exact` in ns.
 * The frame has `index`.
 */
#define COUNT_TIME(DELTA, SLOT) \
	ADD_TOTALS(index, DELTA), \
	JUMP_UNLESS("exact", ".divided"), \
	JUMP(".ns"), \
	LABEL(".divided"), \
	JUMP_UNLESS("milliseconds", ".us"), \
	BPF_ALU64_IMM(BPF_DIV, DELTA, 1000000), \
	LABEL(".us"), \
	JUMP_UNLESS("microseconds", ".ns"), \
	BPF_ALU64_IMM(BPF_DIV, DELTA, 1000), \
	LABEL(".ns"), \
	VALUE_SLOT(SLOT, DELTA)

#endif
