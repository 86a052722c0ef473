/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_HIST_H
#define SONDE_INSNS_HIST_H

#include "insns/common.h"

/*
 * For programs with histograms. M, KEY and INDEX are members of the frame. All macros clobber r0 to
 * r5.
 */

/* Keys of arrays: a slot of a histogram, or the index of a count. */
struct slot_key {
	uint32_t slot;
};

struct index_key {
	uint32_t index;
};

struct totals {
	u64 sum, count;			/* of an average */
};

#define TOTALS_MAP(KIND) \
	{ "totals", KIND, ROLE_RESULT, 4, sizeof(struct totals), 1, .key = &index_key_layout, \
	  .value = &totals_layout }

RECORD_LAYOUT(slot_key,
	FIELD_OF(slot_key, slot, NUMBER));
RECORD_LAYOUT(totals,
	FIELD_OF(totals, sum, NUMBER),
	FIELD_OF(totals, count, NUMBER));
RECORD_LAYOUT(index_key,
	FIELD_OF(index_key, index, NUMBER));

/*
 * Of `exact`, which the exporter asks for, values stay as they are, in ns, and a histogram has
 * their sum: in the slot behind the last one, so an array of slots has HIST_ENTRIES.
 */
#define HIST_ENTRIES (LOG2_SLOTS + 1)

/*
 * SLOT (r4 to r9) = the slot of REG. Slots begin with their bounds, as bcc's do; buckets of metrics
 * end with them. So `exact` counts a value where the one below it would be (0 stays), and the slots
 * up to a power of two have all values up to it.
 */
#define VALUE_SLOT(SLOT, REG) \
	JUMP_UNLESS("exact", ".from_bound"), \
	BPF_MOV64_REG(SLOT, REG), \
	JEQ(SLOT, 0, ".has_slot"), \
	BPF_ALU64_IMM(BPF_SUB, SLOT, 1), \
	LOG2(SLOT, SLOT), \
	JUMP(".has_slot"), \
	LABEL(".from_bound"), \
	LOG2(SLOT, REG), \
	LABEL(".has_slot")

/* reg (r6 to r9), in ns, becomes ms or us, by the user's options; `exact`: it stays. */
#define IN_UNIT(REG) \
	JUMP_UNLESS("exact", ".divided"), \
	JUMP(".unit"), \
	LABEL(".divided"), \
	JUMP_UNLESS("milliseconds", ".usecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000000), \
	JUMP(".unit"), \
	LABEL(".usecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000), \
	LABEL(".unit")

/* The same of what has one unit only: REG /= N, unless `exact`. */
#define IN_UNIT_OF(REG, N) \
	JUMP_UNLESS("exact", ".in_units"), \
	JUMP(".as_it_is"), \
	LABEL(".in_units"), \
	BPF_ALU64_IMM(BPF_DIV, REG, N), \
	LABEL(".as_it_is")

/* frame.M = the epoch, the first member of result maps' keys. */
#define SET_EPOCH(M)	EPOCH(R0), SET(M, R0)

/* map[reg]++, map[n]++ of an array; INDEX is a u32. */
#define COUNT_SLOT(NAME, INDEX, REG)	SET(INDEX, REG), COUNT(NAME, INDEX)
#define COUNT_INDEX(NAME, INDEX, N)	SET_IMM(INDEX, N), COUNT(NAME, INDEX)

/* totals.sum += REG, totals.count++; INDEX is a u32. */
#define ADD_TOTALS(INDEX, REG) \
	SET_IMM(INDEX, 0), \
	LOOKUP_OR("totals", INDEX, ".added"),		/* never taken */ \
	XADD(R0, struct totals, sum, REG), \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct totals, count, R1), \
	LABEL(".added")

/*
 * map[epoch, slot, group]++: the members of KEY. Its group is already set. VALUE (r6 to r9) is what
 * is in the slot.
 */
#define COUNT_GROUP(NAME, KEY, SLOT, VALUE) \
	SET(KEY.slot, SLOT), \
	SET_EPOCH(KEY.epoch), \
	COUNT(NAME, KEY), \
	JUMP_UNLESS("exact", ".no_sum"), \
	SET_IMM(KEY.slot, LOG2_SLOTS), \
	ADD(NAME, KEY, VALUE), \
	LABEL(".no_sum")

/* map[slot]++ of an array of HIST_ENTRIES; INDEX is a u32. */
#define COUNT_VALUE(NAME, INDEX, SLOT, VALUE) \
	COUNT_SLOT(NAME, INDEX, SLOT), \
	JUMP_UNLESS("exact", ".no_total"), \
	SET_IMM(INDEX, LOG2_SLOTS), \
	ADD(NAME, INDEX, VALUE), \
	LABEL(".no_total")

#endif
