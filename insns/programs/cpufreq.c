// SPDX-License-Identifier: GPL-2.0
/*
 * cpu.frequency:	now[CPU] = its frequency, kHz
 * cpu.sample:		hists[now[CPU], CPU, the task's name]++
 */
#include "insns/programs/cpufreq.h"

#include "insns/common.h"
#include "insns/hist.h"

static const struct map maps[] = {
	{ "now", MAP_HASH, ROLE_TABLE, 4, 8, 8192 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct cpufreq_key), 8, 16384,
	  .key = &cpufreq_key_layout },
	{ }
};

struct frame {
	uint64_t khz;
	uint32_t cpu;
	struct cpufreq_key key;
};

/* Registers. */
enum { TASK = R6, CPU = R6, KHZ = R7, SLOT = R7 };

static const struct insn on_frequency[] = {
	FIELD(CPU, "of_cpu"),
	FIELD(KHZ, "khz"),
	SET(cpu, CPU),
	SET(khz, KHZ),
	UPDATE("now", cpu, khz),			/* now[CPU] = its frequency */
	EXIT,
};

static const struct insn on_sample[] = {
	FIELD(TASK, "pid_tgid"),
	JEQ(TASK, 0, "out"),				/* the CPU was idle */
	FILTER(TASK),
	FIELD(CPU, "cpu"),
	SET(cpu, CPU),
	LOOKUP_OR("now", cpu, "out"),			/* not known */
	BPF_LDX_MEM(BPF_DW, KHZ, R0, 0),
	BPF_ALU64_IMM(BPF_DIV, RENAME(SLOT, KHZ), CPUFREQ_STEP_MHZ * 1000),
	JLT(SLOT, CPUFREQ_SLOTS, "slot"),
	BPF_MOV64_IMM(SLOT, CPUFREQ_SLOTS - 1),
LABEL("slot"),
	SET(key.slot, SLOT),
	SET(key.cpu, CPU),
	SET_BYTES(key.comm, "comm"),
	SET_EPOCH(key.epoch),
	COUNT("hists", key),				/* hists[frequency, CPU, name]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cpu.frequency", on_frequency),
	PROGRAM("cpu.sample", on_sample),
	{ }
};

const struct program_set cpufreq_programs = { programs, maps };
