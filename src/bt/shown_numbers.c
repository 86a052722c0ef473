// SPDX-License-Identifier: GPL-2.0
/* Functions whose values are numbers, or numbers that are shown as something else. */
#include <string.h>

#include "compat/base/array.h"
#include "compat/tasks/cgroup.h"
#include "src/bt/parse.h"
#include "src/bt/show/shown.h"
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
	n->function = bt_number_functions;		/* bswap() */
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
		return WRONG(b, n->c, "strncmp() compares as many letters as a number says that "
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

/* ---- numbers that are shown as texts ---- */

/* The number of the format, which has a copy. Returns -1 if there is no memory. */
static int format_number_of(struct bt *b, const char *text)
{
	char *copy;

	for (unsigned int i = 0; i < b->n_formats; i++)
		if (!strcmp(b->formats[i], text))
			return (int)i;
	if (b->n_formats == UINT8_MAX || array_room(&b->formats, b->n_formats, sizeof(char *)))
		return -1;
	copy = script_keep(&b->script, strdup(text));
	if (!copy)
		return -1;
	b->formats[b->n_formats] = copy;
	return (int)b->n_formats++;
}

/* The value of n is the number `value`, which is shown in this way. */
static int make_shown(struct binder *b, struct node *n, struct node *value, enum bt_show show,
		      uint8_t format)
{
	const struct bt_shape shape = { .kind = BT_SHOWN, .size = 8, .show = (uint8_t)show,
					.format = format };

	if (bind_node(b, &value) || want_number(b, value) ||
	    (!value->type.pointers &&
	     convert(b, &value, c_integer(8, c_signed(&value->type)))))
		return -1;
	n->kind = NODE_CALL;
	n->function = &bt_shown_number;
	n->a = value;
	n->b = n->c = NULL;
	n->faults = value->faults;
	bt_type_text(n, &shape);
	return 0;
}

static int one_number(struct binder *b, struct node **at)
{
	struct node *n = *at;
	const enum bt_show show = (enum bt_show)(n->function - bt_shown_functions);

	bt_of(b->t)->has_stacks |= show == BT_SHOW_KSYM;
	return make_shown(b, n, n->a, show, 0);
}

static int moment(struct binder *b, struct node **at)
{
	struct node *n = *at;
	int format;

	if (!bt_time_known(n->a->text))
		return WRONG(b, n->a, BT_TIME_LETTERS, "strftime");
	format = format_number_of(bt_of(b->t), n->a->text);
	if (format < 0)
		return fail(b->err, "out of memory");
	return make_shown(b, n, n->b, BT_SHOW_TIME, (uint8_t)format);
}

int bt_bind_username(struct binder *b, struct node *n)
{
	struct node *uid = new_node(b, NODE_NAME, n->at);

	if (!uid)
		return fail(b->err, "out of memory");
	return bind_identity(b, uid, "uid", 8) ? -1 : make_shown(b, n, uid, BT_SHOW_USER, 0);
}

const struct function bt_shown_functions[] = {
	[BT_SHOW_KSYM] = { "ksym", "ksym(ADDRESS)", { ARGUMENT_VALUE }, one_number, NULL },
	[BT_SHOW_ERROR] = { "strerror", "strerror(NUMBER)", { ARGUMENT_VALUE }, one_number, NULL },
	[BT_SHOW_CALL] = { "syscall_name", "syscall_name(NUMBER)", { ARGUMENT_VALUE }, one_number,
			   NULL },
	[BT_SHOW_SIGNAL] = { "signal_name", "signal_name(NUMBER)", { ARGUMENT_VALUE }, one_number,
			     NULL },
	[BT_SHOW_CGROUP] = { "cgroup_path", "cgroup_path(NUMBER)", { ARGUMENT_VALUE }, one_number,
			     NULL },
	[BT_SHOW_TIME] = { "strftime", "strftime" "(\"%H:%M:%S\", nsecs)",
			   { ARGUMENT_LITERAL, ARGUMENT_VALUE }, moment, NULL },
	{ }
};

static void emit_number(struct code *c, const struct node *n, int depth, const char *fault)
{
	code_value_at(c, n->a, depth, fault);
}

const struct function bt_shown_number = { .name = "shown", .infer = bt_bound, .emit = emit_number };
