// SPDX-License-Identifier: GPL-2.0
/* Instructions of lengths: programs count the entries that they make and delete. */
#include <stddef.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"

#define LENGTHS bt_programs.maps[BT_LENGTHS].name

/* ---- changes ---- */

void bt_emit_length_changes(struct code *c, const struct bt_map *m, int by)
{
	const unsigned int frame = c->frame;
	const char *end;
	int key;

	if (!m->counted || c->own)
		return;
	key = code_room(c, 8);
	end = code_label(c);
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), (int32_t)bt_length_by_programs(m)));
	CODE(c, LOOKUP_AT(LENGTHS, AT(key)));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, BPF_MOV64_IMM(R1, by));
	CODE(c, RAW(BPF_STX | BPF_XADD | BPF_DW, R0, R1, 0, 0));
	CODE(c, LABEL(end));
	c->frame = frame;
}

/*
 * Only an update that takes no old entry's place tells that the entry is new. If another CPU
 * deletes the entry between two updates, the third one makes it again.
 */
void bt_emit_counted_store(struct code *c, const struct bt_map *m, int key, int cell)
{
	const char *made = code_label(c), *end = code_label(c);

	CODE(c, UPDATE_AT(m->name, AT(key), AT(cell), BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, made));
	CODE(c, UPDATE_AT(m->name, AT(key), AT(cell), BPF_EXIST));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, UPDATE_AT(m->name, AT(key), AT(cell), BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, made));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(end));
	CODE(c, LABEL(made));
	bt_emit_length_changes(c, m, 1);
	CODE(c, LABEL(end));
}

/* ---- len ---- */

/* The register += the number at this key. */
static void add_length(struct code *c, uint32_t which, int key, int reg)
{
	const char *end = code_label(c);

	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), (int32_t)which));
	CODE(c, LOOKUP_AT(LENGTHS, AT(key)));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, R0, 0));
	CODE(c, BPF_ALU64_REG(BPF_ADD, reg, R1));
	CODE(c, LABEL(end));
}

void bt_emit_length(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct bt_map *m = bt_map_of(n);
	const int reg = code_register(depth);
	const unsigned int frame = c->frame;
	const int key = code_room(c, 8);

	(void)fault;
	CODE(c, BPF_MOV64_IMM(reg, 0));
	add_length(c, bt_length_by_programs(m), key, reg);
	add_length(c, bt_length_by_sonde(m), key, reg);
	c->frame = frame;
}
