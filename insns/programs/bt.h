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

/*
 * The value of a stack of user space in a key or record; one of the kernel has the number alone. Of
 * one address the number is -EFAULT.
 */
struct bt_user_stack {
	int32_t number;
	uint32_t tgid;
	u64 caller;		/* return address of a function, 0: unknown; or the address */
};

/*
 * The keys of BT_FAILURES, which counts: values that could not be read or computed; loops that had
 * more turns than their program makes.
 */
enum { BT_UNREADABLE, BT_ENDLESS, BT_FAILED };
enum bt_map_row { BT_EVENTS, BT_FAILURES, BT_MAP_VALUES, BT_MAP_COUNTS, BT_MAP_SUMS, BT_MAP_SERIES,
		  BT_STACKS, BT_LENGTHS };

/* The beginning of each program: it leaves the program unless the task is wanted. Clobbers r6. */
extern const struct insn bt_begin[];
extern const unsigned int bt_begin_n;

/* The maps are by enum bt_map_row; those of the script's maps get its names and sizes. */
extern const struct program_set bt_programs;

#endif
