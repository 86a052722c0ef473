// SPDX-License-Identifier: GPL-2.0
/* Instructions of stacks, which are on the stack as a number, or with whose they are. */
#include <assert.h>
#include <errno.h>
#include <stddef.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"

/* The process and the name of the task that a stack or an address of user space belongs to. */
static void whose(struct code *c, int off, int reg)
{
	CODE(c, FIELD(reg, "tgid"));
	CODE(c, BPF_STX_MEM(BPF_W, R10, reg,
			    AT(off + (int)offsetof(struct bt_user_stack, tgid))));
	CODE(c, BYTES_AT(off + (int)offsetof(struct bt_user_stack, comm), "comm",
			 sizeof(((struct bt_user_stack *)0)->comm)));
}

static void address_at(struct code *c, const struct node *n, int off, int depth)
{
	const int reg = code_register(depth);

	bt_emit_number(c, n, depth);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, reg,
			    AT(off + (int)offsetof(struct bt_user_stack, caller))));
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(off), -EFAULT));
	whose(c, off, reg);
}

/* A stack of a variable or a map. */
static bool is_kept_stack(const struct node *n)
{
	return n->type.base == C_TEXT && !n->type.pointers &&
	       bt_shape_in(&n->type).kind == BT_STACK;
}

/* If there is no such entry, there is no stack. */
static void kept_stack(struct code *c, const struct bt_shape *shape, const struct node *n, int off,
		       int depth)
{
	const char *found = code_label(c), *end = code_label(c);
	const unsigned int frame = c->frame;
	const struct bt_map *m;
	int key;

	if (n->kind == NODE_SLOT) {
		CODE(c, COPY_AT(NULL, R10, AT(off), R10, (int)n->value, shape->size));
		return;
	}
	m = bt_map_of(n);
	key = code_room(c, bt_key_size(m));
	bt_emit_key(c, m, n->b, key, depth);
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JNE(R0, 0, found));
	CODE(c, ZERO_AT(NULL, AT(off), shape->size));
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(off), -EFAULT));
	CODE(c, JUMP(end));
	CODE(c, LABEL(found));
	CODE(c, COPY_AT(NULL, R10, AT(off), R0, AT(sizeof(struct bt_cell)), shape->size));
	CODE(c, LABEL(end));
	c->frame = frame;
}

void bt_emit_stack(struct code *c, const struct bt_shape *shape, const struct node *n, int off,
		   int depth)
{
	const int reg = code_register(depth);
	const char *input = shape->stack.user ? "user_stack" : "kernel_stack";

	assert(shape->kind == BT_STACK);
	if (is_kept_stack(n)) {
		kept_stack(c, shape, n, off, depth);
		return;
	}
	if (shape->stack.way == BT_STACK_SYMBOL) {
		address_at(c, n, off, depth);
		return;
	}
	CODE(c, SYMBOLIC(SYM_STACK, input, reg, 0, 0, 0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, reg, AT(off)));
	if (!shape->stack.user) {
		CODE(c, BPF_ST_MEM(BPF_W, R10, AT(off + 4), 0));
		return;
	}
	whose(c, off, reg);
	CODE(c, FIELD(reg, "caller"));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, reg,
			    AT(off + (int)offsetof(struct bt_user_stack, caller))));
}
