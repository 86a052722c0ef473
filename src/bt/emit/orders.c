// SPDX-License-Identifier: GPL-2.0
/* Instructions of orders to sonde: the record with their values. */
#include <stddef.h>

#include "src/bt/emit/emit.h"

static void order_value(struct code *c, const struct bt_value *v, int off)
{
	if (v->shape.kind == BT_TEXT) {
		bt_emit_text(c, v->node, off + 8, v->shape.size, 0, false);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R0, AT(off)));
		return;
	}
	if (v->shape.kind == BT_STACK) {
		bt_emit_stack(c, &v->shape, v->node, off, 0);
		return;
	}
	bt_emit_number(c, v->node, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(off)));
}

bool bt_emit_order(struct code *c, const struct bt_order *o)
{
	const int record = code_room(c, o->size);

	CODE(c, FIELD(R0, "time"));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R0, AT(record)));
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(record + (int)offsetof(struct bt_record, order)),
			   (int32_t)o->number));
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(record + (int)offsetof(struct bt_record, tid)), 0));
	if (o->kind == BT_JOIN_PART || o->kind == BT_JOIN) {
		CODE(c, FIELD(R0, "tid"));
		CODE(c, BPF_STX_MEM(BPF_W, R10, R0,
				    AT(record + (int)offsetof(struct bt_record, tid))));
	}
	for (unsigned int i = 0; i < o->n; i++)
		if (!bt_is_literal(&o->values[i]))
			order_value(c, &o->values[i], record + o->offsets[i]);
	CODE(c, OUTPUT_AT(bt_programs.maps[BT_EVENTS].name, AT(record), (int)o->size));
	if (o->kind == BT_EXIT)
		CODE(c, JUMP("out"));
	return o->kind == BT_EXIT;
}
