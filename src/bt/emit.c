// SPDX-License-Identifier: GPL-2.0
/* Instructions of statements. A value that can't be read or computed is 0, and counted. */
#include "src/bt/emit.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "src/bt/emit/slots.h"
#include "src/bt/emit_own.h"
#include "src/bt/parse.h"
#include "src/language/types/types.h"

#define AT(OFFSET) ((int16_t)(OFFSET))
#define BACK_JUMPS 0x050300	/* LINUX_VERSION_CODE of the first kernel with them */

/* A loop whose turn is made, and whether break and continue are used in it. */
struct loop {
	const char *end, *next;
	bool broke, went_on;
};

/* Returns true if the program never gets behind the statements. */
static bool statements(struct code *c, const struct bt_statement *s, struct loop *l);

/* ---- values ---- */

void bt_emit_failure(struct code *c)
{
	const unsigned int frame = c->frame;
	const int key = code_room(c, 8);

	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), BT_UNREADABLE));
	CODE(c, ADD_AT(bt_programs.maps[BT_FAILURES].name, AT(key), R0));
	c->frame = frame;
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

/* ---- maps ---- */

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

/* The parts of a tuple, behind the cell. */
static void row(struct code *c, const struct bt_statement *s, int at)
{
	const struct bt_map *m = s->map;
	unsigned int i = 0;

	for (const struct node *part = s->row; part; part = part->b, at += m->parts[i++].size) {
		if (m->parts[i].kind == BT_TEXT) {
			bt_emit_text(c, part->a, at, m->parts[i].size, 0, true);
			continue;
		}
		bt_emit_number(c, part->a, 0);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	}
	CODE(c, BPF_MOV64_IMM(R6, 0));
}

static bool store(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const unsigned int text = bt_text_size(s->map);
	const int key = code_room(c, bt_key_size(s->map)),
		  cell = code_room(c, (unsigned int)sizeof(struct bt_cell) + text);
	const char *end = code_label(c);

	(void)l;
	bt_emit_key(c, s->map, s->keys, key, 0);
	if (s->row) {
		row(c, s, cell + (int)sizeof(struct bt_cell));
	} else if (bt_keeps_stacks(s->map)) {
		bt_emit_stack(c, &s->map->value, s->value, cell + (int)sizeof(struct bt_cell), 0);
		CODE(c, BPF_MOV64_IMM(R6, 0));
	} else if (text) {
		bt_emit_text(c, s->value, cell + (int)sizeof(struct bt_cell), text, 0, true);
		CODE(c, BPF_MOV64_IMM(R6, 0));
	} else {
		bt_emit_number(c, s->value, 0);
	}
	if (in_slots(c, s->map)) {
		bt_slots_store(c, s->map, key, cell);
		return false;
	}
	bt_emit_cell(c, cell);
	if (s->map->counted && !c->own) {
		bt_emit_counted_store(c, s->map, key, cell);
		return false;
	}
	CODE(c, UPDATE_AT(s->map->name, AT(key), AT(cell), BPF_ANY));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, COUNT_FULL);
	CODE(c, LABEL(end));
	return false;
}

/* If two CPUs make the entry at once, the second update fails, and the second look-up finds it. */
static bool add(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const int key = code_room(c, bt_key_size(s->map)),
		  cell = code_room(c, sizeof(struct bt_cell));
	const char *found = code_label(c), *end = code_label(c),
		   *made = s->map->counted ? code_label(c) : end;

	(void)l;
	if (c->own) {
		bt_own_add(c, s);
		return false;
	}
	bt_emit_key(c, s->map, s->keys, key, 0);
	if (s->value)
		bt_emit_number(c, s->value, 0);
	else
		CODE(c, BPF_MOV64_IMM(R6, 1));
	CODE(c, LOOKUP_AT(s->map->name, AT(key)));
	CODE(c, JNE(R0, 0, found));
	bt_emit_cell(c, cell);
	CODE(c, UPDATE_AT(s->map->name, AT(key), AT(cell), BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, made));
	CODE(c, LOOKUP_AT(s->map->name, AT(key)));
	CODE(c, JNE(R0, 0, found));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(end));
	if (s->map->counted) {
		CODE(c, LABEL(made));
		bt_emit_length_changes(c, s->map, 1);
		CODE(c, JUMP(end));
	}
	CODE(c, LABEL(found));
	CODE(c, RAW(BPF_STX | BPF_XADD | BPF_DW, R0, R6, offsetof(struct bt_cell, value), 0));
	CODE(c, LABEL(end));
	return false;
}

static bool delete(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const int key = code_room(c, bt_key_size(s->map));
	const char *end = code_label(c);

	(void)l;
	bt_emit_key(c, s->map, s->keys, key, 0);
	if (in_slots(c, s->map)) {
		bt_slots_delete(c, s->map, key, R6);
		return false;
	}
	CODE(c, DELETE_AT(s->map->name, AT(key)));
	if (s->map->counted) {
		CODE(c, JNE(R0, 0, end));
		bt_emit_length_changes(c, s->map, -1);
		CODE(c, LABEL(end));
	}
	return false;
}

static bool aggregate(struct code *c, const struct bt_statement *s, struct loop *l)
{
	(void)l;
	if (c->own)
		bt_own_aggregate(c, s);
	else
		bt_emit_aggregate(c, s);
	return false;
}

/* ---- orders ---- */

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

static bool order(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const struct bt_order *o = s->order;
	const int record = code_room(c, o->size);

	(void)l;
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

/* A signal that is not sent is counted. */
static bool send_signal(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const char *sent = code_label(c);

	(void)l;
	bt_emit_number(c, s->value, 0);
	CODE(c, BPF_MOV64_REG(R1, R6));
	CODE(c, RAW(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_send_signal));
	CODE(c, JEQ(R0, 0, sent));
	bt_emit_failure(c);
	CODE(c, LABEL(sent));
	return false;
}

/* ---- statements ---- */

/* Verifiers refuse instructions that no way leads to: behind an end there is no jump. */
static bool condition(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const char *otherwise = code_label(c), *end = code_label(c);
	bool then_ends, otherwise_ends;

	if (s->value->faults) {
		bt_emit_number(c, s->value, 0);
		CODE(c, JEQ(R6, 0, otherwise));
	} else {
		code_condition(c, s->value, otherwise, NULL);
	}
	then_ends = statements(c, s->then, l);
	if (s->otherwise && !then_ends)
		CODE(c, JUMP(end));
	CODE(c, LABEL(otherwise));
	otherwise_ends = statements(c, s->otherwise, l);
	CODE(c, LABEL(end));
	return then_ends && otherwise_ends;
}

static bool set(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const struct bt_probe *p = s->probe;
	const struct bt_variable *v = &p->variables[s->variable];
	const int at = bt_variable_at(p, s->variable);

	(void)l;
	if (v->shape.kind == BT_TEXT || v->shape.kind == BT_STACK) {
		if (v->shape.kind == BT_TEXT)
			bt_emit_text(c, s->value, at, v->shape.size, 0, true);
		else
			bt_emit_stack(c, &v->shape, s->value, at, 0);
		return false;
	}
	bt_emit_number(c, s->value, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	return false;
}

static bool leave(struct code *c, const struct bt_statement *s, struct loop *l)
{
	(void)s;
	(void)l;
	CODE(c, JUMP("out"));
	return true;
}

/*
 * Begins a loop. What changes from turn to turn is unknown to the kernel's verifier, which would
 * follow each turn otherwise.
 */
static void begin_loop(struct code *c, const struct bt_statement *s, struct loop *inner)
{
	const struct bt_probe *p = s->probe;

	inner->end = code_label(c);
	inner->next = code_label(c);
	for (unsigned int i = 0; i < p->n_variables; i++)
		if (p->variables[i].shape.size == 8)
			CODE(c, UNKNOWN_AT(AT(bt_variable_at(p, i))));
	CODE(c, SYMBOLIC(SYM_LOOP, inner->end, 0, 0, AT(code_room(c, 8)), 0));
	CODE(c, SYMBOLIC(SYM_ELSE, "out", 0, 0, 0, 0));
}

/*
 * The body and the end. A loop that is cut counts, and nothing behind it runs. `jumps`: where break
 * and continue of the body go.
 */
static void end_loop(struct code *c, const struct bt_statement *s, const struct loop *inner,
		     struct loop *jumps)
{
	const unsigned int frame = c->frame;
	int key;

	statements(c, s->then, jumps);
	CODE(c, LABEL(inner->next));
	CODE(c, NEXT_TURN);
	key = code_room(c, 8);
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), BT_ENDLESS));
	CODE(c, ADD_AT(bt_programs.maps[BT_FAILURES].name, AT(key), R0));
	CODE(c, JUMP("out"));
	CODE(c, LABEL(inner->end));
	c->frame = frame;
}

/* unroll() of sonde's own events, whose break and continue are for the loop around it. */
static bool counted_turns(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const int turn = code_room(c, 8);
	struct loop inner = { };

	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(turn), 0));
	begin_loop(c, s, &inner);
	CODE(c, BPF_LDX_MEM(BPF_DW, R6, R10, AT(turn)));
	CODE(c, JSGE(R6, (int32_t)s->value->value, inner.end));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R6, 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(turn)));
	end_loop(c, s, &inner, l);
	return false;
}

static bool unroll(struct code *c, const struct bt_statement *s, struct loop *l)
{
	bool ends = false;

	if (c->own)
		return counted_turns(c, s, l);
	for (uint64_t i = 0; i < s->value->value && !ends; i++)
		ends = statements(c, s->then, l);
	return ends;
}

static bool repeat(struct code *c, const struct bt_statement *s, struct loop *l)
{
	struct loop inner = { };

	(void)l;
	begin_loop(c, s, &inner);
	bt_emit_number(c, s->value, 0);
	CODE(c, JEQ(R6, 0, inner.end));
	end_loop(c, s, &inner, &inner);
	return false;
}

/* FROM..TO, computed once: the next number and the end are on the stack. */
static bool computed_range(struct code *c, const struct bt_statement *s)
{
	const int at = bt_variable_at(s->probe, s->variable), next = code_room(c, 8),
		  limit = code_room(c, 8);
	struct loop inner = { };

	bt_emit_number(c, s->value, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(next)));
	bt_emit_number(c, s->limit, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(limit)));
	CODE(c, UNKNOWN_AT(AT(next)));
	begin_loop(c, s, &inner);
	CODE(c, BPF_LDX_MEM(BPF_DW, R6, R10, AT(next)));
	if (s->limit->kind == NODE_NUMBER && (int64_t)s->limit->value == (int32_t)s->limit->value) {
		CODE(c, JSGE(R6, (int32_t)s->limit->value, inner.end));
	} else {
		CODE(c, BPF_LDX_MEM(BPF_DW, R7, R10, AT(limit)));
		CODE(c, JSGE_REG(R6, R7, inner.end));
	}
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R6, 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(next)));
	end_loop(c, s, &inner, &inner);
	return false;
}

/* Returns true if one of the instructions from `at` on begins a loop. */
static bool has_loop(const struct code *c, unsigned int at)
{
	while (at < c->n && c->insns[at].symbol != SYM_LOOP)
		at++;
	return at < c->n;
}

/* How many instructions the turns of a loop may come to that are made one by one. */
static unsigned int turns_most(const struct bt_statement *s)
{
	return kernel_version_code(s->probe->bt->script.kernel) < BACK_JUMPS ? BT_INSTRUCTIONS :
	       BT_ROLLED;
}

/*
 * Makes each turn, as long as they come to few instructions: kernels before 5.3 have nothing else.
 * Returns false if they are too many.
 */
static bool made_turns(struct code *c, const struct bt_statement *s, bool *ends)
{
	const int at = bt_variable_at(s->probe, s->variable);
	const unsigned int begin = c->n;
	struct loop inner = { .end = code_label(c) };
	struct node turn = *s->value;

	*ends = false;
	for (; (int64_t)turn.value < (int64_t)s->limit->value && !*ends; turn.value++) {
		inner.next = code_label(c);
		inner.went_on = false;
		bt_emit_number(c, &turn, 0);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
		*ends = statements(c, s->then, &inner) && !inner.went_on;
		CODE(c, LABEL(inner.next));
		if (c->n - begin > turns_most(s) || has_loop(c, begin)) {
			c->n = begin;
			return false;
		}
	}
	CODE(c, LABEL(inner.end));
	*ends = *ends && !inner.broke;
	return true;
}

static bool range(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const bool known = !c->own && s->value->kind == NODE_NUMBER &&
			   s->limit->kind == NODE_NUMBER;
	bool ends;

	(void)l;
	if (known && made_turns(c, s, &ends))
		return ends;
	return computed_range(c, s);
}

static bool jump(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const bool breaks = s->kind == BT_BREAK;

	*(breaks ? &l->broke : &l->went_on) = true;
	CODE(c, JUMP(breaks ? l->end : l->next));
	return true;
}

/* A loop of a probe through a map is an order to sonde. */
static bool each(struct code *c, const struct bt_statement *s, struct loop *l)
{
	struct loop inner = { };
	int key;

	if (!c->own)
		return order(c, s, l);
	key = code_room(c, sizeof(struct bt_rows_key));
	bt_own_rows_begin(c, s, key);
	begin_loop(c, s, &inner);
	bt_own_rows_next(c, s, key, inner.end);
	end_loop(c, s, &inner, &inner);
	return false;
}

void bt_emit_before(struct code *c, const struct node *n, int depth)
{
	const unsigned int frame = c->frame;
	const int kept = code_room(c, 8 * (unsigned int)depth);

	for (int i = 0; i < depth; i++)
		CODE(c, BPF_STX_MEM(BPF_DW, R10, code_register(i), AT(kept + 8 * i)));
	statements(c, bt_inner_statements(n), NULL);
	for (int i = 0; i < depth; i++)
		CODE(c, BPF_LDX_MEM(BPF_DW, code_register(i), R10, AT(kept + 8 * i)));
	c->frame = frame;
}

void bt_emit_inner(struct code *c, const struct node *n, int depth, const char *fault)
{
	bt_emit_before(c, n, depth);
	code_value_at(c, n->a, depth, n->a->faults ? fault : NULL);
}

/* A value that only does something. */
static bool value(struct code *c, const struct bt_statement *s, struct loop *l)
{
	const struct node *n = s->value;
	struct node *const *first = NULL;

	(void)l;
	if (n->kind == NODE_CALL && n->function == &bt_tuple)
		first = bt_innermost((struct node *)(uintptr_t)n);
	n = first ? *first : n;
	if (n->kind == NODE_CALL && n->function == &bt_inner)
		bt_emit_before(c, n, 0);
	else if (n->type.base != C_TEXT)
		bt_emit_number(c, n, 0);
	return false;
}

static bool (*const kinds[])(struct code *c, const struct bt_statement *s, struct loop *l) = {
	[BT_IF] = condition, [BT_SET] = set, [BT_STORE] = store, [BT_ADD] = add,
	[BT_DELETE] = delete, [BT_AGGREGATE] = aggregate, [BT_ORDER] = order, [BT_EACH] = each,
	[BT_RETURN] = leave, [BT_UNROLL] = unroll, [BT_FOR] = range, [BT_BREAK] = jump,
	[BT_CONTINUE] = jump, [BT_SIGNAL] = send_signal, [BT_WHILE] = repeat, [BT_VALUE] = value,
};

static bool statements(struct code *c, const struct bt_statement *s, struct loop *l)
{
	bool ends = false;

	/* Loops in loops may be longer than any program: it is refused then. */
	for (; s && !ends && c->n <= BT_INSTRUCTIONS_NEW; s = s->next) {
		const unsigned int frame = c->frame;

		ends = kinds[s->kind](c, s, l);
		c->frame = frame;
	}
	return ends;
}

void bt_emit_loop(struct code *c, const struct bt_statement *s)
{
	each(c, s, NULL);
}

void bt_emit(struct code *c, void *probe)
{
	statements(c, ((const struct bt_probe *)probe)->statements, NULL);
}

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
	for (unsigned int i = 0; i < c->scope->n_inputs && !c->pid_tgid; i++)
		if (!strcmp(c->scope->inputs[i].name, "tid") ||
		    !strcmp(c->scope->inputs[i].name, "tgid"))
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
				"program has %u: make the keys shorter, or print fewer texts at "
				"once", c->least, code_frame_most(c));
	/* One between the two is for rings: lowering says why BPF programs can't have it here. */
	return c->n <= BT_INSTRUCTIONS_NEW ? 0 :
	       BT_WRONG(b, p->at, err, "this action has more than %d instructions, which a "
			"program can't have: take two probes, or fewer turns",
			BT_INSTRUCTIONS_NEW);
}
