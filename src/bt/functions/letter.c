// SPDX-License-Identifier: GPL-2.0
/* TEXT[N]: a letter of a text. */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

static void emit(struct code *c, const struct node *n, int depth, const char *fault)
{
	const unsigned int frame = c->frame, size = n->a->type.bytes;
	const int off = code_room(c, size), reg = code_register(depth);

	(void)fault;
	bt_emit_text(c, n->a, off, size, depth, true);
	CODE(c, BPF_LDX_MEM(BPF_B, reg, R10, AT(off + (int)n->value)));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, reg, 56));
	CODE(c, BPF_ALU64_IMM(BPF_ARSH, reg, 56));
	c->frame = frame;
}

static const struct function letter = {
	.name = "[]", .infer = bt_bound, .emit = emit,
};

/* What may be a text: a variable, an entry of a map, what a function reads. */
static bool may_be_text(const struct binder *b, const struct node *n)
{
	return n->kind == NODE_CALL || (n->kind == NODE_NAME && (*name_of(b, n) == '$' ||
								 is_name(b, n, "comm")));
}

int bt_letter(struct binder *b, struct node *n)
{
	struct node *sum = n->a;
	struct bt_value v = { .node = sum->a };

	if (!may_be_text(b, sum->a))
		return 1;
	if (bt_bind_value(b, &v) || bind_node(b, &sum->b))
		return -1;
	sum->a = v.node;
	if (v.shape.kind != BT_TEXT || v.shape.text.block)
		return 1;
	if (sum->b->kind != NODE_NUMBER || sum->b->value >= v.shape.size)
		return WRONG(b, n, "a character of this string is at a number that is known, from "
			     "0 to %u", v.shape.size - 1U);
	bt_make_call(n, &letter, sum->b->value);
	n->a = v.node;
	n->type = c_integer(1, true);
	return 0;
}
