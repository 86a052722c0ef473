/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_PROGRAM_H
#define SONDE_BT_PROGRAM_H

#include <stdint.h>

#include "insns/program.h"

/* The beginning of the record of an order, which a script gives to sonde; values follow it. */
struct bt_record {
	u64 time;
	uint32_t order;			/* the number of the order */
	uint32_t tid;			/* of join(): the thread; else 0 */
};

RECORD_LAYOUT(bt_record,
	FIELD_OF(bt_record, time, TIME),
	FIELD_OF(bt_record, order, NUMBER));

/* The value of a map of values. An entry of zeros alone would look like no entry. */
struct bt_cell {
	u64 value, present;
};

RECORD_LAYOUT(bt_cell,
	FIELD_OF(bt_cell, value, NUMBER));

/*
 * Where a map has entries beside its hash, if kernel and script allow that (src/bt/emit/slots.h):
 * the key leads to a slot of an array. Words of the key follow, if it is more than one number.
 */
struct bt_slot {
	u64 value;
	/* made of the key, not 0; of one number that is the key + 1. 0: the slot is free */
	u64 owner;
	u64 spilled;			/* entries of the hash whose keys lead here, at most */
};

#define BT_SLOTS	4096
#define BT_SLOT_FACTOR	0x9e3779b1	/* keys that follow each other are far from each other */
#define BT_SLOT_SHIFT	20
#define BT_SLOT_WORDS	5		/* of a key at most */
/* The slot that an owner leads to. */
static inline uint32_t bt_slot_of(uint64_t owner)
{
	return (uint32_t)owner * BT_SLOT_FACTOR >> BT_SLOT_SHIFT;
}

/*
 * The value of an interval of tseries(). Its key has the interval's number modulo how many are
 * kept, and the CPU, which alone changes it.
 */
struct bt_point {
	u64 epoch;			/* the number of the interval since 1970 */
	u64 time, value, count;
};

RECORD_LAYOUT(bt_point,
	FIELD_OF(bt_point, epoch, NUMBER),
	FIELD_OF(bt_point, value, NUMBER));

#define BT_ENTRIES 10240		/* of each map of a script */
#define BT_NUMBERS 1024			/* the most numbers of a map without keys in an array */

/*
 * The value of a stack of user space in a key or record; one of the kernel has the number alone. Of
 * one address the number is -EFAULT. A process may be several programs in an interval, and all of
 * those that are linked to a fixed address have code at the same addresses: the name of the task
 * tells a shell's child from the program that this child executes.
 */
struct bt_user_stack {
	int32_t number;
	uint32_t tgid;
	u64 caller;		/* return address of a function, 0: unknown; or the address */
	char comm[16];
};

/*
 * The keys of BT_FAILURES, which counts: values that could not be read or computed; loops that were
 * left before their end.
 */
enum { BT_UNREADABLE, BT_ENDLESS, BT_FAILED };
enum bt_map_row { BT_EVENTS, BT_FAILURES, BT_MAP_VALUES, BT_MAP_COUNTS, BT_MAP_SUMS, BT_MAP_SERIES,
		  BT_STACKS, BT_LENGTHS, BT_MAP_SLOTS, BT_MAP_ARRAY };

/* The beginning of each program: it leaves the program unless the task is wanted. Clobbers r6. */
extern const struct insn bt_begin[];
extern const unsigned int bt_begin_n;

/* The maps are by enum bt_map_row; those of the script's maps get its names and sizes. */
extern const struct program_set bt_programs;

#endif
