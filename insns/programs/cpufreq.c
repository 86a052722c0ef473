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

static const struct insn on_frequency[] = {
	FIELD(R6, "of_cpu"),
	FIELD(R7, "khz"),
	SET(cpu, R6),
	SET(khz, R7),
	UPDATE("now", cpu, khz),			/* now[CPU] = its frequency */
	EXIT,
};

static const struct insn on_sample[] = {
	FIELD(R6, "pid_tgid"),
	JEQ(R6, 0, "out"),				/* nobody ran */
	FILTER(R6),
	FIELD(R6, "cpu"),
	SET(cpu, R6),
	LOOKUP_OR("now", cpu, "out"),			/* not known */
	BPF_LDX_MEM(BPF_DW, R7, R0, 0),
	BPF_ALU64_IMM(BPF_DIV, R7, CPUFREQ_STEP_MHZ * 1000),
	JLT(R7, CPUFREQ_SLOTS, "slot"),
	BPF_MOV64_IMM(R7, CPUFREQ_SLOTS - 1),
LABEL("slot"),
	SET(key.slot, R7),
	SET(key.cpu, R6),
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
