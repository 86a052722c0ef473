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

/* Key of "irqs": a histogram for each name, or in slot 0 a sum or count. */
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
