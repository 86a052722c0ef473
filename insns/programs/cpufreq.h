/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPUFREQ_H
#define SONDE_CPUFREQ_H

#include <stdint.h>

#include "insns/program.h"

/* Slots of 200 MHz; the last one has all higher frequencies. */
#define CPUFREQ_STEP_MHZ 200
#define CPUFREQ_SLOTS 50

/* Key of "hists": a task on a CPU at a frequency. The value is the number of samples. */
struct cpufreq_key {
	uint32_t epoch;
	uint32_t slot;
	uint32_t cpu;
	char comm[16];
};

RECORD_LAYOUT(cpufreq_key,
	FIELD_OF(cpufreq_key, slot, NUMBER),
	FIELD_OF(cpufreq_key, cpu, NUMBER),
	FIELD_OF(cpufreq_key, comm, COMM));

extern const struct program_set cpufreq_programs;

#endif
