// SPDX-License-Identifier: GPL-2.0
/* Functions whose values are known before the script runs: addresses of symbols, of networks. */
#include <arpa/inet.h>
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/types.h"
#include "src/toolkit/patterns/found.h"

/* ---- kaddr ---- */

static int kernel_symbol(struct binder *b, struct node **at)
{
	struct node *n = *at;
	uint64_t address;

	if (bt_symbol_address(b, n->a, n->a->text, &address))
		return -1;
	make_number(n, address, c_integer(b->s->kernel_word, false));
	n->type.kernel = (uint8_t)b->s->kernel_word;
	return 0;
}

/* *(ADDRESS OF __per_cpu_offset + 8 * CPU): what is added to the addresses of the CPU's data. */
static struct node *offset_of_cpu(struct binder *b, const struct node *n, struct node *cpu)
{
	const unsigned int word = b->s->kernel_word;
	const struct c_type type = c_integer(word, false);
	struct node *read = new_node(b, NODE_UNARY, n->at), *place;
	uint64_t offsets;

	if (bt_symbol_address(b, n, "__per_cpu_offset", &offsets))
		return NULL;
	place = binary_node(b, n->at, '*', cpu, number_node(b, n->at, word, type), type);
	place = binary_node(b, n->at, '+', place, number_node(b, n->at, offsets, type), type);
	if (!read || !place)
		return NULL;
	place->type.kernel = (uint8_t)word;
	return read_memory(b, read, place, &type, b->s->needs.n_inputs) ? NULL : read;
}

/* percpu_kaddr("SYMBOL", CPU): where this CPU has its own one; without a number the current CPU. */
static int own_symbol(struct binder *b, struct node **at)
{
	const struct c_type type = c_integer(b->s->kernel_word, false);
	struct node *n = *at, *cpu = n->b ? n->b : new_node(b, NODE_NAME, n->at), *offset, *symbol;
	uint64_t address;

	if (bt_symbol_address(b, n->a, n->a->text, &address))
		return -1;
	symbol = number_node(b, n->at, address, type);
	if (!cpu || !symbol)
		return -1;
	if (n->b ? bind_node(b, &cpu) || want_number(b, cpu) || convert(b, &cpu, type) :
	    bind_identity(b, cpu, "cpu", 8))
		return -1;
	offset = offset_of_cpu(b, n, cpu);
	if (!offset)
		return -1;
	make_binary(n, '+', offset, symbol, type);
	n->type.kernel = (uint8_t)b->s->kernel_word;
	return 0;
}

/* ---- uaddr ---- */

/* Why it is not known where the file was loaded; NULL: where one function or probe of it is. */
static const char *not_known(struct binder *b, const struct bt_probe *p)
{
	const struct found *found = p->on->probe.patterns.found;

	if (p->when != BT_KERNEL || !(b->s->user_space || b->s->event.usdt))
		return "only probes in a file of user space have its symbols: a uprobe";
	if (b->s->called.returns)
		return "a return does not tell where the file was loaded: keep the address at the "
		       "uprobe of the call";
	return found && found->listing.n == 1 ? NULL :
	       "several functions or files are probed here, each at another place: name one "
	       "function, and a file by its path";
}

/* What the loader added to the function's address, it added to the symbol's. */
static int user_symbol(struct binder *b, struct node **at)
{
	const struct c_type number = c_integer(b->s->word, false);
	const struct bt_probe *p = bt_of(b->t)->now;
	struct node *n = *at, *ip = new_node(b, NODE_NAME, n->at), *behind;
	const char *why = not_known(b, p);
	const struct listed *probed;
	struct binary_symbol s;
	struct c_type type;
	struct error err = { };

	if (why)
		return WRONG(b, n, "%s", why);
	probed = p->on->probe.patterns.found->listing.list;
	if (binary_symbol(bt_of(b->t)->script.kernel, probed->binary, n->a->text, probed->address,
			  &s, &err))
		return CAUSE(b, n->a, &err);
	behind = number_node(b, n->at, s.address - s.code - p->on->probe.offset, number);
	if (!ip || !behind || bind_identity(b, ip, "ip", 8))
		return -1;
	type = c_integer(s.size == 1 || s.size == 2 || s.size == 4 ? (unsigned int)s.size : 8,
			 false);
	make_binary(n, '+', ip, behind, c_pointer(&type));
	n->type.user = true;
	return 0;
}

/* ---- reg ---- */

/* The registers that every engine is told: where a function is, and its stack. */
static int machine_register(struct binder *b, struct node **at)
{
	static const char *const ips[] = { "ip", "pc", "nip", "pswaddr" };
	const struct bt_probe *p = bt_of(b->t)->now;
	struct node *n = *at;
	const char *name = n->a->text;

	if (p->when != BT_KERNEL || b->s->event.tracepoint || p->frequency || p->on->probe.raw)
		return WRONG(b, n, "only functions have registers here: a kprobe or uprobe");
	if (!strcmp(name, "sp"))
		return to_input(b, n, c_integer(b->s->word, false), "$sp", ":uW");
	for (size_t i = 0; i < sizeof(ips) / sizeof(ips[0]); i++)
		if (!strcmp(name, ips[i]))
			return bind_identity(b, n, "ip", 8);
	return WRONG(b, n->a, "reg() knows \"ip\" and \"sp\": arguments are arg0 to arg9, a result "
		     "is retval");
}

/* ---- pton ---- */

/* An address of 4 bytes is the number that is in memory then; one of 16 bytes is an array. */
static int network_address(struct binder *b, struct node **at)
{
	struct node *n = *at;
	uint8_t v6[16];
	uint32_t v4;

	if (inet_pton(AF_INET6, n->a->text, v6) == 1)
		return bt_make_array(b, n, v6, sizeof(v6));
	if (inet_pton(AF_INET, n->a->text, &v4) != 1)
		return WRONG(b, n->a, "pton() takes an address of IPv4 or IPv6: \"127.0.0.1\", "
			     "\"::1\"");
	make_number(n, v4, c_integer(4, false));
	return 0;
}

/* ---- is_err, is_ptr ... ---- */

/* The last 4095 numbers are errors: what functions return that else return an address. */
static int is_error(struct binder *b, struct node **at)
{
	const struct c_type type = c_integer(8, false);
	struct node *n = *at, *least = number_node(b, n->at, (uint64_t)-4095, type);

	if (!least || bind_node(b, &n->a) || want_number(b, n->a) || convert(b, &n->a, type))
		return -1;
	make_binary(n, OP_GE, n->a, least, c_bool());
	return 0;
}

enum question { IS_POINTER, IS_TEXT, IS_ARRAY, IS_INTEGER, IS_UNSIGNED, IS_LITERAL };

static bool answer(const struct bt_value *v, enum question question)
{
	const struct c_type *t = &v->node->type;
	const bool number = v->shape.kind == BT_NUMBER && !c_array(t) && !t->pointers;

	switch (question) {
	case IS_POINTER:
		return v->shape.kind == BT_NUMBER && t->pointers && !c_array(t);
	case IS_TEXT:
		return v->shape.kind == BT_TEXT && !v->shape.text.block;
	case IS_ARRAY:
		return c_array(t) || bt_block_of(&v->shape) == BT_BYTES;
	case IS_INTEGER:
		return number;
	case IS_UNSIGNED:
		return number && !c_signed(t);
	default:
		return v->node->kind == NODE_NUMBER || v->node->kind == NODE_TEXT;
	}
}

static int is_of_kind(struct binder *b, struct node **at)
{
	const struct bt_inputs before = bt_inputs_of(b);
	struct node *n = *at;
	struct bt_value v = { .node = n->a };

	if (bind_node(b, &v.node) ||
	    (!bt_is_bytes(&v.node->type) && bt_side(b, v.node, before.n)) ||
	    bt_shape_of(b, v.node, &v.shape))
		return -1;
	bt_drop_inputs(b, before);
	make_number(n, answer(&v, (enum question)(n->function - bt_question_functions)),
		    c_integer(4, true));
	return 0;
}

#define QUESTION(NAME) { NAME, NAME "(VALUE)", { ARGUMENT_VALUE }, is_of_kind, NULL }

const struct function bt_question_functions[] = {
	[IS_POINTER] = QUESTION("is_ptr"), [IS_TEXT] = QUESTION("is_str"),
	[IS_ARRAY] = QUESTION("is_array"), [IS_INTEGER] = QUESTION("is_integer"),
	[IS_UNSIGNED] = QUESTION("is_unsigned_integer"),
	[IS_LITERAL] = QUESTION("is_literal"),
	{ }
};

const struct function bt_known_functions[] = {
	{ "kaddr", "kaddr(\"SYMBOL\")", { ARGUMENT_LITERAL }, kernel_symbol, NULL },
	{ "percpu_kaddr", "percpu_kaddr(\"SYMBOL\", CPU)", { ARGUMENT_LITERAL, ARGUMENT_VALUE },
	  own_symbol, NULL, .least = 1 },
	{ "uaddr", "uaddr(\"SYMBOL\")", { ARGUMENT_LITERAL }, user_symbol, NULL },
	{ "reg", "reg(\"ip\")", { ARGUMENT_LITERAL }, machine_register, NULL },
	{ "pton", "pton(\"ADDRESS\")", { ARGUMENT_LITERAL }, network_address, NULL },
	{ "is_err", "is_err(VALUE)", { ARGUMENT_VALUE }, is_error, NULL },
	{ }
};
