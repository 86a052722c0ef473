/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WQLAT_H
#define SONDE_WQLAT_H

#include "insns/program.h"

/* Key of "sums". A CPU adds to its own entries: so each has one writer. */
struct wqlat_key {
	uint32_t epoch;
	uint32_t cpu;
	u64 function;
};

struct wqlat_sums {
	u64 runs;
	u64 run;		/* ns */
	u64 longest_run;
	u64 waits;		/* of these runs: those whose queueing was seen */
	u64 wait;		/* ns */
	u64 longest_wait;
};

RECORD_LAYOUT(wqlat_key,
	FIELD_OF(wqlat_key, cpu, NUMBER),
	FIELD_OF(wqlat_key, function, NUMBER));
RECORD_LAYOUT(wqlat_sums,
	FIELD_OF(wqlat_sums, runs, NUMBER),
	FIELD_OF(wqlat_sums, run, NUMBER, .unit = "ns"),
	FIELD_OF(wqlat_sums, longest_run, NUMBER, .unit = "ns"),
	FIELD_OF(wqlat_sums, waits, NUMBER),
	FIELD_OF(wqlat_sums, wait, NUMBER, .unit = "ns"),
	FIELD_OF(wqlat_sums, longest_wait, NUMBER, .unit = "ns"));

/* Key of "hists": a histogram for each function. */
struct wqlat_slot {
	uint32_t epoch;
	uint32_t slot;
	u64 function;
};

RECORD_LAYOUT(wqlat_slot,
	FIELD_OF(wqlat_slot, slot, NUMBER),
	FIELD_OF(wqlat_slot, function, NUMBER));

/* Key of "queue_hists": a histogram for each workqueue, by its name. */
#define WQLAT_QUEUE 32			/* the kernel's WQ_NAME_LEN, 24 before 6.10 */
struct wqlat_queue_slot {
	uint32_t epoch;
	uint32_t slot;
	char queue[WQLAT_QUEUE];
};

RECORD_LAYOUT(wqlat_queue_slot,
	FIELD_OF(wqlat_queue_slot, slot, NUMBER),
	FIELD_OF(wqlat_queue_slot, queue, CHARS));

extern const struct program_set wqlat_programs;

#endif
