/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOSTACKS_H
#define SONDE_BIOSTACKS_H

#include <stdint.h>

#include "insns/program.h"

/* The task that made a request, and where in the kernel it was. */
struct biostacks_owner {
	u64 pid_tgid;			/* all ones: unknown */
	char comm[16];
	int32_t kernel_stack;
	uint32_t dev;
};

/* Key of "slots", counts by latency, and of "sums". */
struct biostacks_key {
	uint32_t epoch;
	uint32_t slot;			/* of "sums": 0 */
	struct biostacks_owner owner;
};

struct biostacks_sums {
	u64 latency;			/* ns */
	u64 requests;
};

RECORD_LAYOUT(biostacks_key,
	FIELD_OF(biostacks_key, slot, NUMBER),
	FIELD_AS(biostacks_key, owner.pid_tgid, "tgid", TGID),
	FIELD_AS(biostacks_key, owner.comm, "comm", COMM),
	FIELD_AS(biostacks_key, owner.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(biostacks_key, owner.dev, "dev", NUMBER));
RECORD_LAYOUT(biostacks_sums,
	FIELD_OF(biostacks_sums, latency, NUMBER, .unit = "ns"),
	FIELD_OF(biostacks_sums, requests, NUMBER));

extern const struct program_set biostacks_programs;

#endif
