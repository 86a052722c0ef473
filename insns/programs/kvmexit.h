/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KVMEXIT_H
#define SONDE_KVMEXIT_H

#include <stdint.h>

#include "insns/program.h"

/* Each numbers reasons in its own way: `isa` of kvm:kvm_exit. 0: arm64, which has none. */
enum kvm_isa { KVM_ARM64, KVM_VMX, KVM_SVM };
/* arm64: the kind of an exit that has a class as its reason. */
#define KVM_TRAP 2

/* A reason with what numbers it: the reason's 32 bits, 8 of its kind (arm64), 8 of the isa. */
#define KVM_KIND_SHIFT 32
#define KVM_ISA_SHIFT 40
/* VMX: the guest was not even entered. Other bits above 16 are hints. */
#define VMX_FAILED_ENTRY 0x80000000U

/* Key of "sums". A CPU adds to its own entries: so each has one writer. */
struct kvmexit_key {
	uint32_t epoch;
	uint32_t cpu;
	u64 pid_tgid;		/* with --threads, else 0 */
	u64 what;		/* the reason */
};

struct kvmexit_sums {
	u64 exits;
	u64 ended;		/* exits whose guest has gone on */
	u64 time;		/* of these, ns */
	u64 longest;
};

RECORD_LAYOUT(kvmexit_key,
	FIELD_OF(kvmexit_key, cpu, NUMBER),
	FIELD_AS(kvmexit_key, pid_tgid, "pid", TGID),
	FIELD_AS(kvmexit_key, pid_tgid, "tid", TID),
	FIELD_OF(kvmexit_key, what, NUMBER));
RECORD_LAYOUT(kvmexit_sums,
	FIELD_OF(kvmexit_sums, exits, NUMBER),
	FIELD_OF(kvmexit_sums, ended, NUMBER),
	FIELD_OF(kvmexit_sums, time, NUMBER, .unit = "ns"),
	FIELD_OF(kvmexit_sums, longest, NUMBER, .unit = "ns"));

/* Key of "hists": a histogram for each reason. */
struct kvmexit_slot {
	uint32_t epoch;
	uint32_t slot;
	u64 what;
};

RECORD_LAYOUT(kvmexit_slot,
	FIELD_OF(kvmexit_slot, slot, NUMBER),
	FIELD_OF(kvmexit_slot, what, NUMBER));

extern const struct program_set kvmexit_programs;

#endif
