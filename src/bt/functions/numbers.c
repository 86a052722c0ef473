// SPDX-License-Identifier: GPL-2.0
/* Functions whose values are numbers. */
#include <string.h>

#include "compat/tasks/cgroup.h"
#include "src/bt/bind/bind.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

/* ---- bswap ---- */

static uint64_t swapped(uint64_t value, unsigned int size)
{
	return size == 1 ? value & 0xff : __builtin_bswap64(value) >> (64 - 8 * size);
}

/* Of an operand that is bound. */
static int swap(struct binder *b, struct node *n, unsigned int size)
{
	if (n->a->kind == NODE_NUMBER) {
		make_number(n, swapped(n->a->value, size), c_integer(size, false));
		return 0;
	}
	if (convert(b, &n->a, c_integer(size, false)))
		return -1;
	n->type = c_integer(size, false);
	n->faults = n->a->faults;
	return 0;
}

static int bswap(struct binder *b, struct node **at)
{
	struct node *n = *at;

	return bind_node(b, &n->a) || want_number(b, n->a) ? -1 :
	       swap(b, n, bt_width(n->a, b->s->word));
}

/* ntohs() and its like: bytes are in the network's order on big-endian machines. */
static int network(struct binder *b, struct node **at)
{
	struct node *n = *at;
	const unsigned int size = strchr(n->function->name, 's') ? 2 : 4;

	if (bind_node(b, &n->a) || want_number(b, n->a))
		return -1;
	n->function = function_in(bt_number_functions, "bswap");
	if (!b->s->big_endian)
		return swap(b, n, size);
	*at = n->a;
	return convert(b, at, c_integer(size, false));
}

static void emit_bswap(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth), size = n->type.size;

	code_value_at(c, n->a, depth, fault);
	if (size > 1)
		CODE(c, RAW(BPF_ALU | BPF_END | (c->big_endian ? BPF_TO_LE : BPF_TO_BE), reg, 0,
			    0, 8 * size));
}

/* ---- strncmp ---- */

/* 0 if the first letters are the same. A literal's NUL is one of them, if it is that short. */
static int compare(struct binder *b, struct node **at)
{
	struct node *n = *at, *literal;
	uint64_t length;

	if (bind_node(b, &n->c))
		return -1;
	length = n->c->value;
	if (n->c->kind != NODE_NUMBER || !length)
		return WRONG(b, n->c, "strncmp() compares as many characters as a number says that "
			     "the script tells: strncmp(comm, \"ssh\", 3)");
	n->c = NULL;
	literal = n->a->kind == NODE_TEXT ? n->a : n->b->kind == NODE_TEXT ? n->b : NULL;
	if (n->a->kind == NODE_TEXT && n->b->kind == NODE_TEXT) {
		make_number(n, strncmp(n->a->text, n->b->text, length) != 0, c_integer(4, true));
		return 0;
	}
	if (bt_bind_text(b, &n->a) || bt_bind_text(b, &n->b))
		return -1;
	return bt_make_comparison(b, n, OP_EQ, false,
				  literal && length > literal->length ? 0 : length);
}

/* ---- cgroupid ---- */

static int cgroup_number(struct binder *b, struct node **at)
{
	struct node *n = *at;
	struct cgroup c = { };
	struct error why = { };
	uint64_t id = 0;

	if (!cgroup_open(n->a->text, &c, &why))
		id = cgroup_id(c.fd, "");
	cgroup_close(&c);
	if (!id)
		return *why.text ? CAUSE(b, n->a, &why) : WRONG(b, n->a, "this cgroup has no id");
	make_number(n, id, c_integer(8, false));
	return 0;
}

/* ---- kptr, uptr ---- */

static int kernel_address(struct binder *b, struct node **at)
{
	*at = (*at)->a;
	if (bind_node(b, at) || want_number(b, *at))
		return -1;
	(*at)->type.user = false;
	(*at)->type.kernel = (uint8_t)b->s->kernel_word;
	return 0;
}

static int user_address(struct binder *b, struct node **at)
{
	(*at)->kind = NODE_USER;
	return bind_node(b, at);
}

const struct function bt_number_functions[] = {
	{ "bswap", "bswap(NUMBER)", { ARGUMENT_VALUE }, bswap, emit_bswap },
	{ "ntohs", "ntohs(NUMBER)", { ARGUMENT_VALUE }, network, NULL },
	{ "ntohl", "ntohl(NUMBER)", { ARGUMENT_VALUE }, network, NULL },
	{ "htons", "htons(NUMBER)", { ARGUMENT_VALUE }, network, NULL },
	{ "htonl", "htonl(NUMBER)", { ARGUMENT_VALUE }, network, NULL },
	{ "strncmp", "strncmp(TEXT, TEXT, LENGTH)",
	  { ARGUMENT_VALUE, ARGUMENT_VALUE, ARGUMENT_VALUE }, compare, NULL },
	{ "kptr", "kptr(ADDRESS)", { ARGUMENT_VALUE }, kernel_address, NULL },
	{ "uptr", "uptr(ADDRESS)", { ARGUMENT_VALUE }, user_address, NULL },
	{ "cgroupid", "cgroupid(\"DIRECTORY\")", { ARGUMENT_LITERAL }, cgroup_number, NULL },
	{ }
};
