/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_IRQS_H
#define SONDE_IRQS_H

#include <stdint.h>

#include "insns/program.h"

/* Room for soft interrupts; kernels have 10. */
#define SOFTIRQS 16
/* "hist": a soft interrupt's slots begin at number * SOFTIRQ_SLOTS */
#define SOFTIRQ_SLOTS 496

#define IRQ_NAME 40

/* Key of "sums". */
struct softirq_key {
	uint32_t softirq;
};

/* The same on all kernels, except the sixth: block_iopoll before 4.5. */
static const char *const softirq_names[] = {
	"hi", "timer", "net_tx", "net_rx", "block",
	"irq_poll", "tasklet", "sched", "hrtimer", "rcu",
};

RECORD_LAYOUT(softirq_key,
	FIELD_OF(softirq_key, softirq, NUMBER, FIELD_NAMES(softirq_names)));

/* Stages of a soft interrupt: from when it was asked for to its beginning, and from there on. */
enum { SOFTIRQ_WAIT, SOFTIRQ_RUN };

static const char *const softirq_stages[] = {
	[SOFTIRQ_WAIT] = "wait", [SOFTIRQ_RUN] = "run",
};

struct softirq_slow {
	u64 time;		/* the end of the stage */
	u64 latency;	/* ns */
	u64 pid_tgid;		/* of the task that was interrupted */
	uint32_t softirq;
	uint32_t stage;
	uint32_t cpu;
	char comm[16];
	uint32_t pad;
};

RECORD_LAYOUT(softirq_slow,
	FIELD_OF(softirq_slow, time, TIME),
	FIELD_OF(softirq_slow, latency, NUMBER, .unit = "ns"),
	FIELD_AS(softirq_slow, pid_tgid, "pid", TGID),
	FIELD_AS(softirq_slow, pid_tgid, "tid", TID),
	FIELD_OF(softirq_slow, softirq, NUMBER, FIELD_NAMES(softirq_names)),
	FIELD_OF(softirq_slow, stage, NUMBER, FIELD_NAMES(softirq_stages)),
	FIELD_OF(softirq_slow, cpu, NUMBER),
	FIELD_OF(softirq_slow, comm, COMM));

/* A hard interrupt whose handler took long. */
struct hardirq_slow {
	u64 time;		/* its end */
	u64 latency;	/* ns */
	u64 pid_tgid;		/* of the task that was interrupted */
	uint32_t cpu;
	char name[IRQ_NAME];
	char comm[16];
	uint32_t pad;
};

RECORD_LAYOUT(hardirq_slow,
	FIELD_OF(hardirq_slow, time, TIME),
	FIELD_OF(hardirq_slow, latency, NUMBER, .unit = "ns"),
	FIELD_AS(hardirq_slow, pid_tgid, "pid", TGID),
	FIELD_AS(hardirq_slow, pid_tgid, "tid", TID),
	FIELD_OF(hardirq_slow, cpu, NUMBER),
	FIELD_OF(hardirq_slow, name, CHARS),
	FIELD_OF(hardirq_slow, comm, COMM));

/* Key of "irqs": a histogram for each name, or in slot 0 a sum or count. */
struct irq_key {
	uint32_t epoch;
	uint32_t slot;
	char name[IRQ_NAME];
};

RECORD_LAYOUT(irq_key,
	FIELD_OF(irq_key, slot, NUMBER),
	FIELD_OF(irq_key, name, CHARS));

extern const struct program_set softirqs_programs, softirqslower_programs, hardirqs_programs;

#endif
