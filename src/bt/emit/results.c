// SPDX-License-Identifier: GPL-2.0
/* Instructions of what only adds to a map: counts, sums, histograms, intervals of a series. */
#include <stddef.h>

#include "insns/programs/argdist.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/emit/slots.h"
#include "src/language/questions/sums.h"

static void count(struct code *c, const struct bt_map *m, int key)
{
	if (m->is_array) {
		CODE(c, ADD_AT(m->name, AT(key + BT_SLOT), R0));
		return;
	}
	CODE(c, EPOCH(R0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R0, AT(key)));
	CODE(c, ADD_AT(m->name, AT(key), R0));
	CODE(c, LABEL(".end"));
}

/* r7 = the slot of r6 in a linear histogram: 0 is of values below, the last one of those above. */
static void slot_of_lhist(struct code *c, const struct bt_map *m)
{
	const char *not_below = code_label(c), *within = code_label(c), *end = code_label(c);

	CODE(c, JSGE(R6, (int32_t)m->lhist.min, not_below));
	CODE(c, BPF_MOV64_IMM(R7, 0));
	CODE(c, JUMP(end));
	CODE(c, LABEL(not_below));
	CODE(c, JSLT(R6, (int32_t)m->lhist.max, within));
	CODE(c, BPF_MOV64_IMM(R7, (int32_t)bt_steps_of(m) + 1));
	CODE(c, JUMP(end));
	CODE(c, LABEL(within));
	CODE(c, BPF_MOV64_REG(R7, R6));
	CODE(c, BPF_ALU64_IMM(BPF_SUB, R7, (int32_t)m->lhist.min));
	CODE(c, BPF_ALU64_IMM(BPF_DIV, R7, (int32_t)m->lhist.step));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R7, 1));
	CODE(c, LABEL(end));
}

/* r0 points to the interval's entry, stack[point] has the new value, which is in r6. */
static void join_point(struct code *c, const struct bt_map *m, const char *end)
{
	const int16_t value = offsetof(struct bt_point, value);
	const bool is_signed = bt_is_signed(&m->value);

	if (m->series.way == BT_SERIES_SUM || m->series.way == BT_SERIES_AVG) {
		CODE(c, RAW(BPF_STX | BPF_XADD | BPF_DW, R0, R6, value, 0));
		CODE(c, BPF_MOV64_IMM(R1, 1));
		CODE(c, RAW(BPF_STX | BPF_XADD | BPF_DW, R0, R1,
			    offsetof(struct bt_point, count), 0));
		return;
	}
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, R0, value));
	if (m->series.way == BT_SERIES_MIN && is_signed)
		CODE(c, JSGE_REG(R6, R1, end));
	else if (m->series.way == BT_SERIES_MIN)
		CODE(c, JGE_REG(R6, R1, end));
	else if (m->series.way == BT_SERIES_MAX && is_signed)
		CODE(c, JSGE_REG(R1, R6, end));
	else if (m->series.way == BT_SERIES_MAX)
		CODE(c, JGE_REG(R1, R6, end));
	CODE(c, BPF_STX_MEM(BPF_DW, R0, R6, value));
	CODE(c, BPF_STX_MEM(BPF_DW, R0, R7, offsetof(struct bt_point, time)));
}

/* The entry begins anew with what is in stack[point]. */
static void begin_point(struct code *c, int point)
{
	for (int i = 0; i < (int)sizeof(struct bt_point); i += 8) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R1, R10, AT(point + i)));
		CODE(c, BPF_STX_MEM(BPF_DW, R0, R1, AT(i)));
	}
}

/* The slot is the interval's number modulo how many are kept, and the CPU in its upper half. */
static void series(struct code *c, const struct bt_statement *s, int key, const char *fault)
{
	const struct bt_map *m = s->entry.map;
	const int point = code_room(c, sizeof(struct bt_point)),
		  slot = key + (int)bt_key_size(m);
	const char *new = code_label(c), *again = code_label(c), *end = code_label(c);

	bt_emit_number(c, s->entry.interval, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(point)));
	CODE(c, BPF_ALU64_IMM(BPF_MOD, R6, (int32_t)m->series.n));
	CODE(c, FIELD(R7, "cpu"));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, R7, 32));
	CODE(c, BPF_ALU64_REG(BPF_OR, R6, R7));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(slot)));
	bt_emit_number(c, s->entry.time, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6,
			    AT(point + (int)offsetof(struct bt_point, time))));
	code_value(c, s->entry.value, s->entry.value->faults ? fault : NULL);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6,
			    AT(point + (int)offsetof(struct bt_point, value))));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(point + (int)offsetof(struct bt_point, count)), 1));
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JEQ(R0, 0, new));
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, R0, 0));
	CODE(c, BPF_LDX_MEM(BPF_DW, R2, R10, AT(point)));
	CODE(c, BPF_LDX_MEM(BPF_DW, R7, R10,
			    AT(point + (int)offsetof(struct bt_point, time))));
	CODE(c, JNE_REG(R1, R2, again));
	join_point(c, m, end);
	CODE(c, JUMP(end));
	CODE(c, LABEL(again));
	begin_point(c, point);
	CODE(c, JUMP(end));
	CODE(c, LABEL(new));
	bt_emit_put(c, m, key, point);
	CODE(c, LABEL(end));
}

/* A value that can't be computed is not added, but counted. */
void bt_emit_aggregate(struct code *c, const struct bt_statement *s)
{
	const struct bt_map *m = s->entry.map;
	const int key = code_room(c, bt_engine_key_size(m));
	const bool faults = s->entry.value && s->entry.value->faults;
	const char *fault = code_label(c), *done = code_label(c);

	if (bt_is_sums(m->kind)) {
		const int sums = code_room(c, sizeof(struct argdist_sums));

		value_sums_make(c, s->entry.value, sums, fault);
		bt_emit_key(c, m, s->entry.keys, key, 0);
		value_sums_add(c, m->name, key, sums, bt_is_signed(&m->value), done);
		CODE(c, LABEL(done));
	} else if (m->kind == BT_SERIES) {
		bt_emit_key(c, m, s->entry.keys, key, 0);
		series(c, s, key, fault);
	} else {
		const bool known = *m->slots && !s->entry.value &&
				   bt_slots_count_known(c, m, s->entry.keys);

		bt_emit_key(c, m, s->entry.keys, key, 0);
		if (s->entry.value) {
			code_value(c, s->entry.value, faults ? fault : NULL);
			if (m->kind == BT_HIST)
				value_slot(c, true, false);
			else
				slot_of_lhist(c, m);
			CODE(c, BPF_STX_MEM(BPF_W, R10, R7, AT(key + BT_SLOT)));
		}
		if (*m->slots && !known)
			bt_slots_count(c, m, key);
		count(c, m, key);
	}
	if (faults)
		bt_emit_fault(c, fault);
}
