// SPDX-License-Identifier: GPL-2.0
/* len() of a map. Kernels tell programs no lengths, so they and sonde count entries. */
#include <stddef.h>

#include "src/bt/emit.h"
#include "src/bt/emit_own.h"
#include "src/bt/parse.h"
#include "src/bt/passes.h"
#include "src/language/types/types.h"

#define AT(OFFSET) ((int16_t)(OFFSET))
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

/* Returns true if sonde may make entries while programs do, and can't tell who made one. */
static bool is_uncounted(const struct bt_statement *s)
{
	const bool beside = s->probe->when == BT_INTERVAL || s->probe->when == BT_SIGNALLED;

	return s->kind == BT_ORDER ? s->order->kind == BT_ZERO && s->order->map->counted :
	       beside && (s->kind == BT_STORE || s->kind == BT_ADD) && s->map->counted;
}

int bt_check_lengths(struct bt *b, struct error *err)
{
	for (const struct bt_statement *s = b->statements; s; s = s->all)
		if (is_uncounted(s))
			return BT_WRONG(b, s->at, err, "a probe asks for the length of this map, "
					"which is counted where probes, BEGIN and END change it: "
					"ask for it in interval, or change the map in a probe");
	return 0;
}

/* ---- len ---- */

/* Programs count the entries of maps that they look up. */
static int count_entries(struct binder *b, const struct node *n, struct bt_map *m)
{
	if (bt_has_stacks(m) || bt_has_slots(m) || (bt_is_sums(m->kind) && m->kind != BT_SUM))
		return WRONG(b, n, "only BEGIN, END, interval and iter can ask for the length of "
			     "%s: its entries have parts that sonde puts together", m->name);
	m->looked_up = m->in_kernel = true;
	if (!m->counted)
		m->counted = ++bt_of(b->t)->n_lengths;
	return 0;
}

/* The map has one value, a stack: its length. */
static int of_stack(struct binder *b, struct node **at)
{
	struct node *n = *at, *read = bt_map_read_node(b, n->at, bt_map_of(n), NULL);

	if (!read)
		return -1;
	n->function = &bt_kept_length;
	n->a = read;
	return bt_kept_length.infer(b, at);
}

static int len(struct binder *b, struct node **at)
{
	struct node *n = *at;
	struct bt_map *m = bt_map_of(n);

	m->named = true;
	if (m->used && !m->n_keys && bt_keeps_stacks(m))
		return of_stack(b, at);
	if (bt_without_keys(b, n))
		return -1;
	n->type = c_integer(8, true);
	return bt_of(b->t)->now->when == BT_KERNEL ? count_entries(b, n, m) : 0;
}

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

static void emit_len(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct bt_map *m = bt_map_of(n);
	const int reg = code_register(depth);
	const unsigned int frame = c->frame;
	int key;

	(void)fault;
	if (c->own) {
		bt_own_length(c, m, depth);
		return;
	}
	key = code_room(c, 8);
	CODE(c, BPF_MOV64_IMM(reg, 0));
	add_length(c, bt_length_by_programs(m), key, reg);
	add_length(c, bt_length_by_sonde(m), key, reg);
	c->frame = frame;
}

const struct function bt_len = { .name = "len", .infer = len, .emit = emit_len };
