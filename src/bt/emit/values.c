// SPDX-License-Identifier: GPL-2.0
/* Instructions of numbers. One that can't be read or computed is 0, and counted. */
#include "src/bt/emit/emit.h"

void bt_emit_failure(struct code *c)
{
	const unsigned int frame = c->frame;
	const int key = code_room(c, 8);

	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), BT_UNREADABLE));
	CODE(c, ADD_AT(bt_programs.maps[BT_FAILURES].name, AT(key), R0));
	c->frame = frame;
}

void bt_emit_fault(struct code *c, const char *fault)
{
	const char *end = code_label(c);

	CODE(c, JUMP(end));
	CODE(c, LABEL(fault));
	bt_emit_failure(c);
	CODE(c, LABEL(end));
}

void bt_emit_number(struct code *c, const struct node *n, int depth)
{
	const char *fault, *end;

	if (!n->faults) {
		code_value_at(c, n, depth, NULL);
		return;
	}
	fault = code_label(c);
	end = code_label(c);
	code_value_at(c, n, depth, fault);
	CODE(c, JUMP(end));
	CODE(c, LABEL(fault));
	bt_emit_failure(c);
	CODE(c, BPF_MOV64_IMM(code_register(depth), 0));
	CODE(c, LABEL(end));
}
