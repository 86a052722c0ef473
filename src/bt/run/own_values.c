// SPDX-License-Identifier: GPL-2.0
/* Values of sonde's own events, by the operators that constants are computed with. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/probing/kcore.h"
#include "src/bt/run/own.h"
#include "src/lang/types/types.h"

static bool same_text(struct own *o, const struct node *n);

static uint64_t this_cpu(void)
{
	unsigned int cpu = 0;

	syscall(SYS_getcpu, &cpu, NULL, NULL);
	return cpu;
}

/* The inputs that all events have; here they are those of sonde. */
static uint64_t input(const struct own *o, const char *name)
{
	if (!strcmp(name, "time"))
		return o->now;
	if (!strcmp(name, "tgid") || !strcmp(name, "tid"))
		return (uint64_t)getpid();
	if (!strcmp(name, "uid"))
		return geteuid();
	if (!strcmp(name, "gid"))
		return getegid();
	return this_cpu();
}

uint64_t bt_own_number(struct own *o, const struct node *n)
{
	uint64_t value;

	if (bt_own_value(o, n, &value))
		return value;
	o->r->failures++;
	return 0;
}

void bt_own_key(struct own *o, const struct bt_map *m, const struct node *keys, uint8_t *key)
{
	unsigned int i = 0;

	memset(key, 0, bt_whole_key_size(m));
	for (; keys; keys = keys->b, i++) {
		uint8_t *at = key + bt_key_offset(m, i);
		uint64_t bits;

		if (m->keys[i].kind == BT_TEXT) {
			bt_own_text(o, keys->a, (char *)at, m->keys[i].size);
		} else {
			bits = bt_own_number(o, keys->a);
			memcpy(at, &bits, sizeof(bits));
		}
	}
}

/* What is read where there is none: zeros, or no stack. */
static struct bt_entry no_entry(const struct bt_map *m)
{
	static const int32_t no_stack = -EFAULT;
	struct bt_entry none = { };

	if (bt_keeps_stacks(m))
		memcpy(none.text, &no_stack, sizeof(no_stack));
	return none;
}

bool bt_own_read_map(struct own *o, const struct node *n, struct bt_entry *to)
{
	const struct bt_map *m = bt_map_of(n);
	uint8_t key[FRAME_BYTES];
	const struct bt_row *row;

	bt_own_key(o, m, n->b, key);
	*to = no_entry(m);
	if (m->in_kernel && m->kind == BT_VALUES) {
		if (!bt_slots_get(o->r, m, key, to))
			return true;
		*to = no_entry(m);
		return false;
	}
	row = bt_take(o->r, m) ? NULL : bt_table_find(m->table, key);
	if (!row)
		return false;
	to->cell.value = bt_number_of(m, &row->amount);
	if (row->text)
		memcpy(to->text, row->text, bt_text_size(m));
	return true;
}

static uint64_t number_of_entry(struct own *o, const struct node *n)
{
	struct bt_entry entry;

	bt_own_read_map(o, n, &entry);
	return entry.cell.value;
}

/* The number of entries: of a histogram rows of one key are one. */
static uint64_t length_of(struct own *o, const struct bt_map *m)
{
	const struct bt_row *rows;
	uint64_t n = 0;

	if (bt_take(o->r, m))
		return 0;
	rows = m->table->rows;
	for (size_t i = 0; i < m->table->n; i++)
		n += !i || memcmp(rows[i].key, rows[i - 1].key, bt_key_size(m)) != 0;
	return n;
}

void bt_own_remove(struct own *o, const struct bt_map *m, const struct node *keys)
{
	uint8_t key[FRAME_BYTES];
	struct error err;

	bt_own_key(o, m, keys, key);
	if (m->in_kernel && m->kind == BT_VALUES)
		bt_length_changes(o->r, m, bt_slots_set(o->r, m, key, NULL, &err) ? 0 : -1);
	else if (!bt_take(o->r, m))
		bt_table_delete(m->table, key);
}

/* Returns true if there was such an entry. */
static bool deleted(struct own *o, const struct node *n)
{
	struct bt_entry entry;
	const bool was = bt_own_read_map(o, n, &entry);

	bt_own_remove(o, bt_map_of(n), n->b);
	return was;
}

static bool of_argument(struct own *o, const struct node *n, uint64_t *to)
{
	*to = 0;
	if (n->a && !bt_own_value(o, n->a, to))
		return false;
	*to = n->function->of_number(n, *to);
	return true;
}

static uint64_t of_texts(struct own *o, const struct node *n)
{
	char text[BT_TEXT_MOST + 1], other[BT_TEXT_MOST + 1] = "";

	bt_own_text(o, n->a, text, sizeof(text));
	if (n->b)
		bt_own_text(o, n->b, other, sizeof(other));
	return n->function->of_text(n, text, other);
}

/* A function of values, texts or maps. One that only programs compute can't be computed here. */
static bool call(struct own *o, const struct node *n, uint64_t *to)
{
	struct bt_entry entry;

	if (n->function->of_number)
		return of_argument(o, n, to);
	if (n->function->of_text)
		*to = of_texts(o, n);
	else if (n->function == &bt_same)
		*to = same_text(o, n);
	else if (n->function == &bt_len)
		*to = length_of(o, bt_map_of(n));
	else if (n->function == &bt_has_key)
		*to = bt_own_read_map(o, n, &entry);
	else if (n->function == &bt_deleted)
		*to = deleted(o, n);
	else if (n->function == &bt_map_read)
		*to = number_of_entry(o, n);
	else
		return false;
	return true;
}

/* Blocks of numbers alone: memory is refused here. */
static void block_of_node(struct own *o, const struct node *n, char *to)
{
	char *at = to + bt_block_at(n);
	uint64_t bits = n->a ? bt_own_number(o, n->a) : 0;

	if (at > to)
		memcpy(to, &bits, sizeof(bits));
	for (const struct node *part = n->b; part; part = part->b) {
		bits = bt_own_number(o, part->a);
		bt_number_to(at, bits, (unsigned int)part->value);
		at += part->value;
	}
}

/* A text in the kernel's memory; of one that can't be read all letters up to there. */
static void text_in_memory(struct own *o, const struct node *n, char *to, unsigned int size)
{
	const struct text_node text = text_of_call(n);
	const uint64_t length = n->b ? bt_own_number(o, n->b) : text.limit ? text.limit + 1U : size;
	uint64_t address = 0;
	int error = text.way == TEXT_USER || !text.address ||
		    !bt_own_value(o, text.address, &address);

	for (unsigned int i = 0; i + 1 < size && i + 1 < length && !error; i++) {
		error = kcore_read(address + i, to + i, 1);
		if (error || !to[i])
			break;
	}
	o->r->failures += error != 0;
}

void bt_own_text(struct own *o, const struct node *n, char *to, unsigned int size)
{
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;
	char whole[BT_TEXT_MOST];
	struct bt_entry entry;
	uint64_t yes;

	memset(to, 0, size);
	if (n->kind == NODE_TEXT) {
		memcpy(to, n->text, n->length);
	} else if (n->kind == NODE_SLOT) {
		memcpy(to, o->stack + FRAME_BYTES + (int64_t)n->value, kept);
	} else if (n->kind == NODE_CHOICE) {
		yes = bt_own_number(o, n->a);
		bt_own_text(o, yes ? n->b : n->c, to, size);
	} else if (n->function == &bt_inner) {
		bt_own_statements(o, bt_inner_statements(n));
		bt_own_text(o, n->a, to, size);
	} else if (n->function == &bt_slice) {
		bt_own_text(o, n->a, whole, sizeof(whole));
		memcpy(to, whole + n->value, n->length);
	} else if (n->function == &bt_block_function) {
		block_of_node(o, n, to);
	} else if (n->function == &bt_map_read) {
		bt_own_read_map(o, n, &entry);
		memcpy(to, entry.text, kept);
	} else if (n->function == &bt_of_item) {
		o->r->failures += !bt_member_row((unsigned int)n->value)->text(o->item, to, size);
	} else if (text_of_call(n).way == TEXT_BYTES) {
		memcpy(to, o->comm, BT_COMM);
	} else {
		text_in_memory(o, n, to, size);
	}
}

static bool same_text(struct own *o, const struct node *n)
{
	char a[BT_TEXT_MOST], b[BT_TEXT_MOST];

	bt_own_text(o, n->a, a, sizeof(a));
	bt_own_text(o, n->b, b, sizeof(b));
	return !memcmp(a, b, n->value ? n->value : sizeof(a));
}

static bool logic(struct own *o, const struct node *n, uint64_t *to)
{
	uint64_t side;

	if (!bt_own_value(o, n->a, &side))
		return false;
	if (!side == (n->op == OP_AND)) {
		*to = n->op == OP_OR;
		return true;
	}
	if (!bt_own_value(o, n->b, &side))
		return false;
	*to = side != 0;
	return true;
}

static bool operation(struct own *o, const struct node *n, uint64_t *to)
{
	uint64_t a, b;

	if (n->op == OP_AND || n->op == OP_OR)
		return logic(o, n, to);
	return bt_own_value(o, n->a, &a) && bt_own_value(o, n->b, &b) &&
	       fold(n->op, a, b, &n->a->type, o->p->on->probe.scope.word, to);
}

static bool called(struct own *o, const struct node *n, uint64_t *to)
{
	const struct bt_member *member;
	char bytes[BT_TEXT_MOST];

	if (n->function == &bt_inner)
		bt_own_statements(o, bt_inner_statements(n));
	if (n->function == &bt_of_item) {
		member = bt_member_row((unsigned int)n->value);
		return member->number(o->item, member, to);
	}
	if (n->function == &bt_shown_number || n->function == &bt_inner)
		return bt_own_value(o, n->a, to);
	if (n->function == &bt_element) {
		bt_own_text(o, n->a, bytes, sizeof(bytes));
		*to = bt_number_in(bytes + n->value, &n->type);
		return true;
	}
	return call(o, n, to);
}

/* Memory of the kernel: that of user space has no process here. */
static bool memory(struct own *o, const struct node *n, uint64_t *to)
{
	const unsigned int word = o->p->on->probe.scope.word, size = c_size(&n->type, word);
	union {
		uint8_t b;
		uint16_t h;
		uint32_t w;
		uint64_t dw;
	} bytes = { };
	uint64_t address;

	if (!bt_own_value(o, n->a, &address) || kcore_read(address, &bytes, size))
		return false;
	*to = c_convert(size == 1 ? bytes.b : size == 2 ? bytes.h : size == 4 ? bytes.w : bytes.dw,
			&n->type, word);
	return true;
}

bool bt_own_value(struct own *o, const struct node *n, uint64_t *to)
{
	const struct scope *s = &o->p->on->probe.scope;

	switch (n->kind) {
	case NODE_NUMBER:
		*to = n->value;
		return true;
	case NODE_INPUT:
		*to = input(o, s->inputs[n->value].name);
		return true;
	case NODE_SLOT:
		memcpy(to, o->stack + FRAME_BYTES + (int64_t)n->value, sizeof(*to));
		return true;
	case NODE_CAST:
		if (!bt_own_value(o, n->a, to))
			return false;
		*to = c_convert(*to, &n->type, s->word);
		return true;
	case NODE_CHOICE:
		return bt_own_value(o, n->a, to) && bt_own_value(o, *to ? n->b : n->c, to);
	case NODE_BINARY:
		return operation(o, n, to);
	case NODE_FOLLOW:
		return !n->a->type.user && memory(o, n, to);
	case NODE_CALL:
		return called(o, n, to);
	default:
		return false;		/* of events: names of it are refused here */
	}
}
