/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_IRQS_H
#define SONDE_IRQS_H

#include <stdint.h>

#include "insns/program.h"

/* Numbers of soft interrupts there is room for; kernels have 10. */
#define SOFTIRQS 16
#define SOFTIRQ_SLOTS 496	/* "hist": from number * SOFTIRQ_SLOTS on */

#define IRQ_NAME 40

/* Key of "sums". */
struct softirq_key {
	uint32_t softirq;
};

/* The same on all kernels, but for the sixth, which was block_iopoll before 4.5. */
static const char *const softirq_names[] = {
	"hi", "timer", "net_tx", "net_rx", "block",
	"irq_poll", "tasklet", "sched", "hrtimer", "rcu",
};

RECORD_LAYOUT(softirq_key,
	FIELD_OF(softirq_key, softirq, NUMBER, FIELD_NAMES(softirq_names)));

/* Key of "irqs": a histogram, or with slot 0 a sum or count, for each name. */
struct irq_key {
	uint32_t epoch;
	uint32_t slot;
	char name[IRQ_NAME];
};

RECORD_LAYOUT(irq_key,
	FIELD_OF(irq_key, slot, NUMBER),
	FIELD_OF(irq_key, name, CHARS));

extern const struct program_set softirqs_programs, hardirqs_programs;

#endif
