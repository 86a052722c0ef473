// SPDX-License-Identifier: GPL-2.0
/* What a program begins with, and whether it became too long. */
#include <errno.h>
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"

/* Returns true if programs change a map that has no keys with an epoch. */
static bool changes_values(const struct bt *b)
{
	for (const struct bt_map *m = b->maps; m; m = m->next)
		if ((m->kind == BT_VALUES || m->is_array || *m->slots) && m->changed_by_kernel)
			return true;
	return false;
}

static void zero_variables(struct code *c, const struct bt_probe *p)
{
	const int bottom = p->n_variables ? bt_variable_at(p, p->n_variables - 1) : 0;

	if (bottom)
		CODE(c, ZERO_AT(NULL, AT(bottom), -bottom));
	for (unsigned int i = 0; i < p->n_variables; i++)
		if (p->variables[i].shape.kind == BT_STACK)
			CODE(c, BPF_ST_MEM(BPF_W, R10, AT(bt_variable_at(p, i)), -EFAULT));
}

void bt_emit_variables(struct code *c, const struct bt_probe *p)
{
	if (p->n_variables)
		code_room(c, (unsigned int)-bt_variable_at(p, p->n_variables - 1));
	zero_variables(c, p);
}

void bt_emit_begin(struct code *c, int bottom, void *probe)
{
	const struct bt_probe *p = probe;

	(void)bottom;
	/* The task is sonde, which others do not ask for, and sonde leaves out. */
	if (p->on->probe.iterator)
		CODE(c, ITEM);
	for (unsigned int i = 0; !p->on->probe.iterator && i < bt_begin_n; i++)
		code_add(c, bt_begin[i]);
	c->pid_tgid = 0;
	for (unsigned int i = 0; i < c->scope->needs.n_inputs && !c->pid_tgid; i++)
		if (!strcmp(c->scope->needs.inputs[i].name, "tid") ||
		    !strcmp(c->scope->needs.inputs[i].name, "tgid"))
			c->pid_tgid = code_room(c, 8);
	if (c->pid_tgid)
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(c->pid_tgid)));
	/* Detaching takes time, and END reads and clears maps before it: they stay as they are. */
	if (changes_values(p->bt)) {
		CODE(c, EPOCH(R0));
		CODE(c, JEQ(R0, EPOCHS - 1, "out"));
	}
	zero_variables(c, p);
}

int bt_check_size(const struct bt *b, const struct bt_probe *p, const struct code *c,
		  struct error *err)
{
	if (c->full)
		return BT_WRONG(b, p->at, err, "the values of this action come to %u bytes, and a "
				"program has %u: make the keys shorter, or print fewer strings "
				"at once", c->least, code_frame_most(c));
	/* One between the two is for rings: lowering says why BPF programs can't have it here. */
	return c->n <= BT_INSTRUCTIONS_NEW ? 0 :
	       BT_WRONG(b, p->at, err, "this action has more than %d instructions, which a "
			"program can't have: take two probes, or fewer iterations",
			BT_INSTRUCTIONS_NEW);
}
