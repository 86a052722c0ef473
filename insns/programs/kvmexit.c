// SPDX-License-Identifier: GPL-2.0
/*
 * kvm.exit:	left[thread] = { now, reason }
 *		without --dist: sums[cpu, thread, reason].exits++
 * kvm.entry:	l = take left[thread]
 *		with --dist: hists[l.reason, slot(now - l.time)]++
 *		else sums[cpu, thread, l.reason] += { 1, now - l.time }, with the longest
 *
 * A vCPU is a thread of its process. A thread that ends outside of the guest leaves its entry.
 */
#include "insns/programs/kvmexit.h"

#include "insns/hist.h"

struct left {
	u64 time;
	u64 what;
};

static const struct map maps[] = {
	{ "left", MAP_HASH, ROLE_HINT, 8, sizeof(struct left), 16384, .detail = true },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct kvmexit_key), sizeof(struct kvmexit_sums),
	  20480, .key = &kvmexit_key_layout, .value = &kvmexit_sums_layout,
	  .combine = { [3] = COMBINE_MAX } },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct kvmexit_slot), 8, 16384,
	  .key = &kvmexit_slot_layout },
	{ }
};

struct frame {
	u64 tid;
	struct left left;
	struct kvmexit_key key;
	struct kvmexit_sums sums;
	struct kvmexit_slot hist;
};

/* Registers. */
enum { TASK = R6, BEGAN = R6, WHAT = R7, KIND = R8, NOW = R8, DELTA = R8, SLOT = R9 };

/* frame.key = what is summed up for the reason in WHAT */
#define SUM_KEY \
	SET(key.what, WHAT), \
	SET_FIELD(key.cpu, "cpu"), \
	SET_IMM(key.pid_tgid, 0), \
	JUMP_UNLESS("threads", ".all"), \
	SET_FIELD(key.pid_tgid, "pid_tgid"), \
	LABEL(".all"), \
	SET_EPOCH(key.epoch)

/* WHAT = the reason, with what numbers it; of VMX without its hints */
#define REASON \
	FIELD(WHAT, "isa"), \
	FIELD(KIND, "reason"), \
	JNE(WHAT, KVM_VMX, ".reason"), \
	BPF_ALU64_IMM(BPF_AND, KIND, (int)(VMX_FAILED_ENTRY | 0xffff)), \
	LABEL(".reason"), \
	BPF_ALU64_IMM(BPF_LSH, WHAT, KVM_ISA_SHIFT), \
	BPF_ALU64_IMM(BPF_LSH, KIND, 32), \
	BPF_ALU64_IMM(BPF_RSH, KIND, 32), \
	BPF_ALU64_REG(BPF_OR, WHAT, KIND), \
	FIELD(KIND, "kind"), \
	BPF_ALU64_IMM(BPF_AND, KIND, 0xff), \
	BPF_ALU64_IMM(BPF_LSH, KIND, KVM_KIND_SHIFT), \
	BPF_ALU64_REG(BPF_OR, WHAT, KIND)

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	JUMP_UNLESS("one_vcpu", "any"),
	FIELD(WHAT, "vcpu"),
	CONST(R1, "vcpu"),
	JNE_REG(WHAT, R1, "out"),
LABEL("any"),
	REASON,
	SET_FIELD(tid, "tid"),
	SET_FIELD(left.time, "time"),
	SET(left.what, WHAT),
	UPDATE("left", tid, left),			/* left[thread] = { now, reason } */
	JUMP_UNLESS("sums", "out"),
	SUM_KEY,
	LOOKUP("sums", key),
	JNE(R0, 0, "known"),
	ZERO(sums),
	SET_IMM(sums.exits, 1),
	STORE("sums", key, sums),
	JUMP("out"),
LABEL("known"),
	BPF_MOV64_IMM(R1, 1),
	XADD(R0, struct kvmexit_sums, exits, R1),	/* sums[cpu, thread, reason].exits++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_entry[] = {
	SET_FIELD(tid, "tid"),
	LOOKUP_OR("left", tid, "out"),			/* l = take left[thread] */
	LOAD(BEGAN, R0, struct left, time),
	LOAD(WHAT, R0, struct left, what),
	DELETE("left", tid),
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - l.time */
	JUMP_UNLESS("sums", "hist"),
	SUM_KEY,
	LOOKUP("sums", key),
	JNE(R0, 0, "known"),
	ZERO(sums),
	SET_IMM(sums.ended, 1),
	SET(sums.time, DELTA),
	SET(sums.longest, DELTA),
	STORE("sums", key, sums),
	JUMP("out"),
LABEL("known"),
	BPF_MOV64_IMM(R1, 1),
	XADD(R0, struct kvmexit_sums, ended, R1),	/* sums[...] += { 1, delta } */
	XADD(R0, struct kvmexit_sums, time, DELTA),
	LOAD(R1, R0, struct kvmexit_sums, longest),
	JGE_REG(R1, DELTA, "out"),
	PUT(R0, struct kvmexit_sums, longest, DELTA),
	JUMP("out"),
LABEL("hist"),
	JUMP_UNLESS("dist", "out"),
	IN_UNIT_OF(DELTA, 1000),
	VALUE_SLOT(SLOT, DELTA),
	SET(hist.what, WHAT),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[l.reason, slot(delta)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("kvm.exit", on_exit),
	PROGRAM("kvm.entry", on_entry),
	{ }
};

const struct program_set kvmexit_programs = { programs, maps };
