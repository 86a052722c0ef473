// SPDX-License-Identifier: GPL-2.0
/*
 * probe.hit:	if (the task is wanted, and the predicate is true)
 *			the script's statements
 */
#include "insns/programs/bt.h"

#include "insns/hist.h"
#include "insns/programs/argdist.h"

static const struct map maps[] = {
	[BT_EVENTS] = { "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &bt_record_layout },
	[BT_FAILURES] = { "failures", MAP_ARRAY, ROLE_RESULT, 4, 8, BT_FAILED,
			  .key = &slot_key_layout },
	[BT_MAP_VALUES] = { "values", MAP_HASH, ROLE_TABLE, sizeof(struct argdist_key),
			    sizeof(struct bt_cell), BT_ENTRIES },
	[BT_MAP_COUNTS] = { "counts", MAP_HASH, ROLE_RESULT, sizeof(struct argdist_key), 8,
			    BT_ENTRIES, .key = &argdist_key_layout },
	[BT_MAP_SUMS] = { "sums", MAP_HASH, ROLE_RESULT, sizeof(struct argdist_key),
			  sizeof(struct argdist_sums), BT_ENTRIES, .key = &argdist_key_layout,
			  .value = &argdist_sums_layout,
			  .combine = { [3] = COMBINE_MIN, [4] = COMBINE_MAX } },
	[BT_MAP_SERIES] = { "series", MAP_HASH, ROLE_TABLE, sizeof(struct argdist_key),
			    sizeof(struct bt_point), BT_ENTRIES },
	[BT_STACKS] = { "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	[BT_LENGTHS] = { "lengths", MAP_ARRAY, ROLE_TABLE, 4, 8, 2 },
	[BT_MAP_SLOTS] = { "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(struct bt_slot), BT_SLOTS,
			   .key = &slot_key_layout },
	[BT_MAP_ARRAY] = { "numbers", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, BT_NUMBERS,
			   .key = &slot_key_layout },
	{ }
};

struct frame {
	struct bt_record record;
};

/* Registers. */
enum { TASK = R6 };

#define BEGIN \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK)

const struct insn bt_begin[] = { BEGIN };
const unsigned int bt_begin_n = sizeof(bt_begin) / sizeof(bt_begin[0]);

/* A script with one order without values. */
static const struct insn on_hit[] = {
	BEGIN,
	SET_FIELD(record.time, "time"),
	SET_IMM(record.order, 0),
	SET_IMM(record.tid, 0),
	OUTPUT("events", record),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("probe.hit", on_hit),
	{ }
};

const struct program_set bt_programs = { programs, maps };
