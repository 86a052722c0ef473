// SPDX-License-Identifier: GPL-2.0
#include "src/bt/emit/own.h"

#include <stddef.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/run/items.h"

/* ---- maps ---- */

static const struct map own_maps[] = {
	[BT_OWN_ROWS] = { "rows", MAP_HOST, ROLE_TABLE, sizeof(struct bt_rows_key),
			  sizeof(struct bt_own_row), 1 },
	[BT_OWN_LENGTHS] = { "lengths", MAP_HOST, ROLE_TABLE, sizeof(struct bt_own_key),
			     sizeof(uint64_t), 1 },
	[BT_OWN_MEMBERS] = { "members", MAP_HOST, ROLE_TABLE, sizeof(struct bt_own_key),
			     BT_TEXT_MOST, 1 },
};

struct map bt_own_map(const struct bt *b, unsigned int number)
{
	const struct bt_map *m = b->maps;

	if (number == BT_OWN_EVENTS)
		return bt_programs.maps[BT_EVENTS];
	if (number == BT_OWN_FAILURES)
		return bt_programs.maps[BT_FAILURES];
	if (number < BT_OWN_MAPS)
		return own_maps[number];
	while (m && m->number != number - BT_OWN_MAPS)
		m = m->next;
	return !m ? (struct map){ } : (struct map){
		.name = m->name, .kind = MAP_HOST, .entries = 1,
		.key_size = (uint16_t)bt_whole_key_size(m),
		.value_size = (uint16_t)(m->kind == BT_VALUES ? sizeof(struct bt_cell) +
					 bt_text_size(m) : sizeof(struct bt_given)),
	};
}

/* stack[off] = r6 */
static void put(struct code *c, int off, size_t member)
{
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(off + (int)member)));
}

void bt_own_add(struct code *c, const struct bt_statement *s)
{
	const struct bt_map *m = s->entry.map;
	const int key = code_room(c, bt_whole_key_size(m)),
		  cell = code_room(c, sizeof(struct bt_cell));

	bt_emit_key(c, m, s->entry.keys, key, 0);
	if (s->entry.value)
		bt_emit_number(c, s->entry.value, 0);
	else
		CODE(c, BPF_MOV64_IMM(R6, 1));
	put(c, cell, offsetof(struct bt_cell, value));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(cell + (int)offsetof(struct bt_cell, present)), 0));
	bt_emit_put(c, m, key, cell);
}

/* A value that can't be computed is not added, but counted. */
void bt_own_aggregate(struct code *c, const struct bt_statement *s)
{
	const struct bt_map *m = s->entry.map;
	const int key = code_room(c, bt_whole_key_size(m)),
		  given = code_room(c, sizeof(struct bt_given));
	const char *fault = code_label(c);
	const bool faults = s->entry.value && s->entry.value->faults;

	CODE(c, ZERO_AT(NULL, AT(key), (int)bt_whole_key_size(m)));
	bt_emit_key(c, m, s->entry.keys, key, 0);
	CODE(c, ZERO_AT(NULL, AT(given), sizeof(struct bt_given)));
	if (m->kind == BT_SERIES) {
		bt_emit_number(c, s->entry.interval, 0);
		put(c, given, offsetof(struct bt_given, epoch));
		bt_emit_number(c, s->entry.time, 0);
		put(c, given, offsetof(struct bt_given, time));
	}
	if (s->entry.value) {
		code_value(c, s->entry.value, faults ? fault : NULL);
		put(c, given, offsetof(struct bt_given, value));
	}
	bt_emit_put(c, m, key, given);
	if (faults)
		bt_emit_fault(c, fault);
}

/* ---- values ---- */

/* r0 = the value of the map, by a number, or 0. */
static void look_up(struct code *c, enum bt_own_map map, uint64_t number)
{
	const unsigned int frame = c->frame;
	const int key = code_room(c, sizeof(struct bt_own_key));

	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(key), (int32_t)number));
	CODE(c, LOOKUP_AT(own_maps[map].name, AT(key)));
	c->frame = frame;
}

void bt_own_length(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth);
	const char *end = code_label(c);

	(void)fault;
	CODE(c, BPF_MOV64_IMM(reg, 0));
	look_up(c, BT_OWN_LENGTHS, bt_map_of(n)->number);
	CODE(c, JEQ(R0, 0, end));
	CODE(c, BPF_LDX_MEM(BPF_DW, reg, R0, 0));
	CODE(c, LABEL(end));
}

static void emit_member(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth);
	const char *end = code_label(c);

	CODE(c, BPF_MOV64_IMM(reg, 0));
	look_up(c, BT_OWN_MEMBERS, n->value);
	CODE(c, JEQ(R0, 0, fault ? fault : end));
	CODE(c, BPF_LDX_MEM(BPF_DW, reg, R0, 0));
	CODE(c, LABEL(end));
}

/* A member that can't be read is an empty text, and counted. */
static void text_member(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact)
{
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;
	const char *found = code_label(c), *end = code_label(c);

	(void)depth;
	(void)exact;
	CODE(c, ZERO_AT(NULL, AT(off), (int)size));
	look_up(c, BT_OWN_MEMBERS, n->value);
	CODE(c, JNE(R0, 0, found));
	bt_emit_failure(c);
	CODE(c, BPF_MOV64_IMM(R0, -1));
	CODE(c, JUMP(end));
	CODE(c, LABEL(found));
	CODE(c, COPY_AT(NULL, R10, AT(off), R0, 0, kept));
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
	CODE(c, LABEL(end));
}

const struct function bt_of_item = {
	.name = "ctx", .infer = bt_bound, .emit = emit_member, .text = text_member,
};

/* ---- loops through maps ---- */

#define IN_KEY(MEMBER) AT(key + (int)offsetof(struct bt_rows_key, MEMBER))

void bt_own_rows_begin(struct code *c, const struct bt_statement *s, int key)
{
	CODE(c, BPF_ST_MEM(BPF_W, R10, IN_KEY(map), (int32_t)s->each.map->number));
	CODE(c, BPF_ST_MEM(BPF_W, R10, IN_KEY(loop), (int32_t)c->loops++));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, IN_KEY(begins), 1));
	CODE(c, LOOKUP_AT(own_maps[BT_OWN_ROWS].name, AT(key)));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, IN_KEY(begins), 0));
}

/* variable = the bytes at `at` of the row, which is at r8. */
static void keep(struct code *c, const struct bt_probe *p, unsigned int variable, size_t at,
		 unsigned int size)
{
	const unsigned int room = p->variables[variable].shape.size,
			   kept = size < room ? size : room;
	const int to = bt_variable_at(p, variable);

	if (kept < room)
		CODE(c, ZERO_AT(NULL, AT(to + (int)kept), (int)(room - kept)));
	CODE(c, COPY_AT(NULL, R10, AT(to), R8, AT(at), kept));
}

void bt_own_rows_next(struct code *c, const struct bt_statement *s, int key, const char *end)
{
	const size_t value = offsetof(struct bt_own_row, value);
	const struct bt_map *m = s->each.map;
	const bool tuple = m->value.kind == BT_TUPLE;
	const unsigned int text = bt_text_size(m);

	CODE(c, LOOKUP_AT(own_maps[BT_OWN_ROWS].name, AT(key)));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, BPF_MOV64_REG(R8, R0));
	for (unsigned int i = 0; i < m->n_keys; i++)
		keep(c, s->probe, s->each.parts[i], bt_key_offset(m, i), m->keys[i].size);
	for (unsigned int i = 0; tuple && i < m->n_parts; i++)
		keep(c, s->probe, s->each.parts[m->n_keys + i], value + bt_part_offset(m, i),
		     m->parts[i].size);
	if (!tuple)
		keep(c, s->probe, s->each.parts[m->n_keys], value, text ? text : 8);
}
