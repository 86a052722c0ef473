// SPDX-License-Identifier: GPL-2.0
/* Instructions that read and change entries of maps. */
#include <stddef.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/emit/slots.h"

/*
 * A key that is looked up has no bytes behind the end of a text, which would tell it from the same
 * text elsewhere. Keys of results become one when they are taken.
 */
void bt_emit_key(struct code *c, const struct bt_map *m, const struct node *keys, int off,
		 int depth)
{
	unsigned int i = 0;

	if (bt_key_offset(m, 0))
		CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(off), 0));
	for (const struct node *key = keys; key; key = key->b, i++) {
		const int at = off + (int)bt_key_offset(m, i);

		if (m->keys[i].kind == BT_TEXT) {
			bt_emit_text(c, key->a, at, m->keys[i].size, depth, m->kind == BT_VALUES);
		} else if (m->keys[i].kind == BT_STACK) {
			bt_emit_stack(c, &m->keys[i], key->a, at, depth);
		} else {
			bt_emit_number(c, key->a, depth);
			CODE(c, BPF_STX_MEM(BPF_DW, R10, code_register(depth), AT(at)));
		}
	}
}

/* Returns true if entries are in slots: programs of sonde's own ask it for maps. */
static bool in_slots(const struct code *c, const struct bt_map *m)
{
	return *m->slots && !c->own;
}

/* The register of the depth = the value, or only whether there is one. */
static void look_up(struct code *c, const struct node *n, int depth, bool is_there)
{
	const struct bt_map *m = bt_map_of(n);
	const unsigned int frame = c->frame;
	const int key = code_room(c, bt_key_size(m)), reg = code_register(depth);
	const char *end = code_label(c);

	bt_emit_key(c, m, n->b, key, depth);
	if (in_slots(c, m)) {
		bt_slots_read(c, m, key, reg, is_there);
		c->frame = frame;
		return;
	}
	CODE(c, BPF_MOV64_IMM(reg, 0));
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JEQ(R0, 0, end));
	if (is_there)
		CODE(c, BPF_MOV64_IMM(reg, 1));
	else
		CODE(c, BPF_LDX_MEM(BPF_DW, reg, R0, offsetof(struct bt_cell, value)));
	CODE(c, LABEL(end));
	c->frame = frame;
}

void bt_emit_read(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)fault;
	look_up(c, n, depth, false);
}

void bt_emit_has_key(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)fault;
	look_up(c, n, depth, true);
}

void bt_emit_deleted(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct bt_map *m = bt_map_of(n);
	const unsigned int frame = c->frame;
	const int key = code_room(c, bt_key_size(m));
	const char *no = code_label(c);

	(void)fault;
	bt_emit_key(c, m, n->b, key, depth);
	if (in_slots(c, m)) {
		bt_slots_delete(c, m, key, code_register(depth));
		c->frame = frame;
		return;
	}
	CODE(c, DELETE_AT(m->name, AT(key)));
	CODE(c, JNE(R0, 0, no));
	bt_emit_length_changes(c, m, -1);
	code_yes_or_no(c, code_register(depth), no);
	c->frame = frame;
}

void bt_emit_map_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		      bool exact)
{
	const struct bt_map *m = bt_map_of(n);
	const unsigned int frame = c->frame, kept = n->type.bytes < size ? n->type.bytes : size;
	const int key = code_room(c, bt_key_size(m));
	const char *end = code_label(c);

	(void)exact;
	bt_emit_key(c, m, n->b, key, depth);
	CODE(c, ZERO_AT(NULL, AT(off), (int)size));
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, COPY_AT(NULL, R10, AT(off), R0, AT(sizeof(struct bt_cell)), kept));
	CODE(c, LABEL(end));
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
	c->frame = frame;
}

/* The parts of a tuple, behind the cell. */
static void row(struct code *c, const struct bt_statement *s, int at)
{
	const struct bt_map *m = s->entry.map;
	unsigned int i = 0;

	for (const struct node *part = s->entry.row; part;
	     part = part->b, at += m->parts[i++].size) {
		if (m->parts[i].kind == BT_TEXT) {
			bt_emit_text(c, part->a, at, m->parts[i].size, 0, true);
			continue;
		}
		bt_emit_number(c, part->a, 0);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	}
	CODE(c, BPF_MOV64_IMM(R6, 0));
}

void bt_emit_put(struct code *c, const struct bt_map *m, int key, int value)
{
	const char *end = code_label(c);

	CODE(c, UPDATE_AT(m->name, AT(key), AT(value), BPF_ANY));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, COUNT_FULL);
	CODE(c, LABEL(end));
}

void bt_emit_store(struct code *c, const struct bt_statement *s)
{
	const struct bt_map *m = s->entry.map;
	const unsigned int text = bt_text_size(m);
	const int key = code_room(c, bt_key_size(m)),
		  cell = code_room(c, (unsigned int)sizeof(struct bt_cell) + text);

	bt_emit_key(c, m, s->entry.keys, key, 0);
	if (s->entry.row) {
		row(c, s, cell + (int)sizeof(struct bt_cell));
	} else if (bt_keeps_stacks(m)) {
		bt_emit_stack(c, &m->value, s->entry.value, cell + (int)sizeof(struct bt_cell), 0);
		CODE(c, BPF_MOV64_IMM(R6, 0));
	} else if (text) {
		bt_emit_text(c, s->entry.value, cell + (int)sizeof(struct bt_cell), text, 0, true);
		CODE(c, BPF_MOV64_IMM(R6, 0));
	} else {
		bt_emit_number(c, s->entry.value, 0);
	}
	if (in_slots(c, m)) {
		bt_slots_store(c, m, key, cell);
		return;
	}
	bt_emit_cell(c, cell);
	if (m->counted && !c->own)
		bt_emit_counted_store(c, m, key, cell);
	else
		bt_emit_put(c, m, key, cell);
}

/* If two CPUs make the entry at once, the second update fails, and the second look-up finds it. */
void bt_emit_add(struct code *c, const struct bt_statement *s)
{
	const int key = code_room(c, bt_key_size(s->entry.map)),
		  cell = code_room(c, sizeof(struct bt_cell));
	const char *found = code_label(c), *end = code_label(c),
		   *made = s->entry.map->counted ? code_label(c) : end;

	bt_emit_key(c, s->entry.map, s->entry.keys, key, 0);
	if (s->entry.value)
		bt_emit_number(c, s->entry.value, 0);
	else
		CODE(c, BPF_MOV64_IMM(R6, 1));
	CODE(c, LOOKUP_AT(s->entry.map->name, AT(key)));
	CODE(c, JNE(R0, 0, found));
	bt_emit_cell(c, cell);
	CODE(c, UPDATE_AT(s->entry.map->name, AT(key), AT(cell), BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, made));
	CODE(c, LOOKUP_AT(s->entry.map->name, AT(key)));
	CODE(c, JNE(R0, 0, found));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(end));
	if (s->entry.map->counted) {
		CODE(c, LABEL(made));
		bt_emit_length_changes(c, s->entry.map, 1);
		CODE(c, JUMP(end));
	}
	CODE(c, LABEL(found));
	CODE(c, RAW(BPF_STX | BPF_XADD | BPF_DW, R0, R6, offsetof(struct bt_cell, value), 0));
	CODE(c, LABEL(end));
}

void bt_emit_delete(struct code *c, const struct bt_statement *s)
{
	const int key = code_room(c, bt_key_size(s->entry.map));
	const char *end = code_label(c);

	bt_emit_key(c, s->entry.map, s->entry.keys, key, 0);
	if (in_slots(c, s->entry.map)) {
		bt_slots_delete(c, s->entry.map, key, R6);
		return;
	}
	CODE(c, DELETE_AT(s->entry.map->name, AT(key)));
	if (s->entry.map->counted) {
		CODE(c, JNE(R0, 0, end));
		bt_emit_length_changes(c, s->entry.map, -1);
		CODE(c, LABEL(end));
	}
}
