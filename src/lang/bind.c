// SPDX-License-Identifier: GPL-2.0
/* Names become inputs, and every node gets the type that C gives it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/lang/abi.h"
#include "src/lang/inputs.h"
#include "src/lang/types.h"

struct binder {
	struct tree *t;
	struct scope *s;
	struct error *err;
};

#define WRONG(B, N, ...) source_error(&(B)->t->source, (N)->at, (B)->err, __VA_ARGS__)

static int bind(struct binder *b, struct node **at);

static const char *name_of(const struct binder *b, const struct node *n)
{
	return b->t->source.text + n->at;
}

static bool is_name(const struct binder *b, const struct node *n, const char *name)
{
	return n->kind == NODE_NAME && n->length == strlen(name) &&
	       !memcmp(name_of(b, n), name, n->length);
}

static struct node *new_node(struct binder *b, enum node_kind kind, size_t at)
{
	struct node *n = tree_node(b->t, kind, at);

	if (!n)
		fail(b->err, "out of memory");
	return n;
}

/* ---- inputs ---- */

/* The input of this notation; -1: there are too many. */
static int input(struct binder *b, const struct node *n, struct lang_input wanted)
{
	struct scope *s = b->s;
	unsigned int number;

	for (number = 0; number < s->n_inputs; number++)
		if (!strcmp(s->inputs[number].fetch, wanted.fetch) &&
		    !strcmp(s->inputs[number].type, wanted.type))
			return (int)number;
	if (number >= INPUTS_MOST)
		return WRONG(b, n, "a probe may read %d different values", INPUTS_MOST);
	if (!wanted.identity)
		snprintf(wanted.name, sizeof(wanted.name), "a%u", number);
	s->inputs[number] = wanted;
	s->n_inputs = number + 1;
	return (int)number;
}

/* n is a number of the event from here on. */
static int to_input(struct binder *b, struct node *n, struct c_type type, const char *fetch,
		    const char *input_type)
{
	struct lang_input in = { };
	int number;

	snprintf(in.type, sizeof(in.type), "%s", input_type);
	if ((size_t)snprintf(in.fetch, sizeof(in.fetch), "%s", fetch) >= sizeof(in.fetch))
		return WRONG(b, n, "this name is too long");
	number = input(b, n, in);
	if (number < 0)
		return -1;
	n->kind = NODE_INPUT;
	n->value = (uint64_t)number;
	n->type = type;
	return 0;
}

/* What every event tells, whatever it is of: as people name it, and the input. */
static const struct {
	const char *name, *input;
	uint8_t size;
	bool on_function;
} identities[] = {
	{ "$pid", "tid", 4, false }, { "$tid", "tid", 4, false }, { "$tgid", "tgid", 4, false },
	{ "$uid", "uid", 4, false }, { "$gid", "gid", 4, false }, { "$cpu", "cpu", 4, false },
	{ "$nsecs", "time", 8, false }, { "$ip", "ip", 8, true },
};

static int identity(struct binder *b, struct node *n)
{
	for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]); i++) {
		struct lang_input in = { .identity = true };
		int number;

		if (!is_name(b, n, identities[i].name))
			continue;
		if (identities[i].on_function && b->s->tracepoint)
			return WRONG(b, n, "a tracepoint has no %s", identities[i].name);
		snprintf(in.name, sizeof(in.name), "%s", identities[i].input);
		snprintf(in.fetch, sizeof(in.fetch), "%s", identities[i].input);
		number = input(b, n, in);
		if (number < 0)
			return -1;
		n->kind = NODE_INPUT;
		n->value = (uint64_t)number;
		n->type = c_integer(identities[i].size, false);
		return 0;
	}
	if (is_name(b, n, "$comm"))
		return WRONG(b, n, "$comm is a text: show it with %%s");
	if (is_name(b, n, "$task") || is_name(b, n, "$cgroup"))
		return WRONG(b, n, "%.*s can't be read yet", n->length, name_of(b, n));
	return WRONG(b, n, "there is no %.*s; there are $pid, $tid, $tgid, $uid, $gid, $cpu, "
		     "$nsecs, $ip and $comm", n->length, name_of(b, n));
}

static int argument(struct binder *b, struct node *n, int number, const struct c_type *type)
{
	char fetch[16];
	struct node *inner = NULL;

	if (b->s->tracepoint)
		return WRONG(b, n, "a tracepoint has fields, not arguments: args->NAME");
	if (b->s->returns)
		return WRONG(b, n, "arguments are gone when the function returns: it has retval; "
			     "probe its call for them");
	if (type && c_size(type, b->s->word) < b->s->word) {
		/* Of a register only the type's bits mean anything. */
		inner = new_node(b, NODE_NAME, n->at);
		if (!inner)
			return -1;
		inner->length = n->length;
	}
	snprintf(fetch, sizeof(fetch), b->s->syscall ? "$sys%d" : "$arg%d", number);
	if (to_input(b, inner ? inner : n, c_integer(b->s->word, false), fetch, ":uW"))
		return -1;
	if (inner) {
		n->kind = NODE_CAST;
		n->a = inner;
	}
	if (type)
		n->type = *type;
	n->type.user |= b->s->syscall || b->s->user_arguments & 1 << (number - 1);
	return 0;
}

static const char *the_function(const struct binder *b)
{
	return b->s->function ? b->s->function : "FUNCTION";
}

static int bind_name(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	const char *name = name_of(b, n);

	if (is_name(b, n, "$latency") && s->latency) {
		n->kind = NODE_SLOT;
		n->value = (uint64_t)s->latency;
		n->type = c_integer(8, false);
		return 0;
	}
	if (*name == '$' && !is_name(b, n, "$retval"))
		return identity(b, n);
	for (unsigned int i = 0; i < s->n_parameters; i++)
		if (is_name(b, n, s->parameters[i].name))
			return argument(b, n, (int)i + 1, &s->parameters[i].type);
	if (n->length == 4 && !memcmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '9') {
		if (name[3] > '0' + PARAMETERS_MOST)
			return WRONG(b, n, "arguments are arg1 to arg%d", PARAMETERS_MOST);
		return argument(b, n, name[3] - '0', NULL);
	}
	if (is_name(b, n, "retval") || is_name(b, n, "$retval")) {
		if (!s->returns)
			return WRONG(b, n, "only a return has a value: r:%s", s->tracepoint ?
				     "FUNCTION" : the_function(b));
		return to_input(b, n, c_integer(s->word, false), "$retval", ":uW");
	}
	if (is_name(b, n, "args"))
		return WRONG(b, n, s->tracepoint ? "a field is missing: args->NAME" :
			     "only tracepoints have args; arguments of functions are arg1, arg2 "
			     "...");
	if (s->tracepoint)
		return WRONG(b, n, "there is no `%.*s`; fields are args->NAME", n->length, name);
	return WRONG(b, n, "there is no `%.*s`; arguments are arg1, arg2 ..., or have the names "
		     "of a signature: %s(int %.*s)", n->length, name, the_function(b), n->length,
		     name);
}

/* The type that the format declares, by C's words for it. */
static bool declared(const struct field *f, unsigned int word, struct c_type *type)
{
	const char *names[6];
	size_t lengths[6];
	unsigned int n = 0, pointers = 0;

	for (const char *p = f->type; *p;) {
		size_t length = strcspn(p, " *");

		if (length && n == 6)
			return false;
		if (length) {
			names[n] = p;
			lengths[n++] = length;
		}
		pointers += p[length] == '*';
		p += length + !!p[length];
	}
	if (!c_type_named(names, lengths, n, word, type))
		return false;
	type->pointers = (uint8_t)pointers;
	return true;
}

/* args->NAME */
static int field(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	const struct field *f;
	struct c_type raw, type;
	char name[48];
	bool syscalls, known;

	if (!s->tracepoint)
		return WRONG(b, n, "only tracepoints have args; arguments of functions are arg1, "
			     "arg2 ...");
	if (!s->format)
		return WRONG(b, n, "several tracepoints have different fields: name one");
	snprintf(name, sizeof(name), "%.*s", n->length, name_of(b, n));
	f = n->length < sizeof(name) ? format_field(s->format, name) : NULL;
	if (!f)
		return WRONG(b, n, "%s:%s has no field %s; `cat "
			     "/sys/kernel/tracing/events/%s/%s/format` shows what it has",
			     s->format->system, s->format->event, name, s->format->system,
			     s->format->event);
	n->a = NULL;
	if (f->is_data_loc || f->is_array) {
		n->type = (struct c_type){ .base = C_TEXT };
		return 0;
	}
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return WRONG(b, n, "%s is neither a number nor a text", name);
	raw = c_integer(f->size, f->is_signed);
	/* Slots of system calls are as large as a register, whatever the argument's type is. */
	syscalls = !strcmp(s->format->system, "syscalls");
	known = declared(f, s->word, &type);
	if (known && type.pointers)
		type.user = syscalls;
	if (known && type.pointers && f->size == s->word)
		raw = type;
	if (!syscalls || !known || type.pointers || c_size(&type, s->word) >= f->size)
		return to_input(b, n, raw, name, "");
	n->a = new_node(b, NODE_NAME, n->at);
	if (!n->a)
		return -1;
	n->a->length = n->length;
	n->kind = NODE_CAST;
	n->type = type;
	return to_input(b, n->a, raw, name, "");
}

/* ---- memory ---- */

/*
 * The place that an address leads to, as fetch notation: an input and an offset that is known. A
 * place that is computed of several values can't be handed to the rings.
 */
static int place_of(struct binder *b, const struct node *n, char *base, size_t size,
		    int64_t *offset)
{
	if ((n->kind == NODE_INPUT || n->kind == NODE_READ) &&
	    c_size(&n->type, b->s->word) == b->s->word) {
		const struct lang_input *in = &b->s->inputs[n->value];

		if (in->identity)
			return -1;
		snprintf(base, size, "%s", in->fetch);
		return 0;
	}
	if (n->kind == NODE_CAST && c_size(&n->type, b->s->word) == b->s->word)
		return place_of(b, n->a, base, size, offset);
	if (n->kind == NODE_BINARY && (n->op == '+' || n->op == '-')) {
		const struct node *constant = n->b, *rest = n->a;

		if (n->op == '+' && rest->kind == NODE_NUMBER) {
			constant = n->a;
			rest = n->b;
		}
		if (constant->kind != NODE_NUMBER)
			return -1;
		*offset += n->op == '+' ? (int64_t)constant->value : -(int64_t)constant->value;
		return place_of(b, rest, base, size, offset);
	}
	return -1;
}

/* "+16($arg1)" of the memory that `n` points to. */
static int fetch_of(struct binder *b, const struct node *at, const struct node *n, char *fetch,
		    size_t size)
{
	const bool user = n->type.user && !b->s->user_space;
	char base[INPUT_FETCH];
	int64_t offset = 0;
	unsigned int nested = 0;

	if (place_of(b, n, base, sizeof(base), &offset))
		return WRONG(b, at, "the address must be an argument, a return value or a field, "
			     "and an offset: `*(u32 *)(arg1 + 16)`");
	if (offset != (int32_t)offset)
		return WRONG(b, at, "the offset is too large");
	for (const char *p = base; *p; p++)
		nested += *p == '(';
	if (nested == 4 || (size_t)snprintf(fetch, size, "+%s%d(%s)", user ? "u" : "",
					    (int)offset, base) >= size)
		return WRONG(b, at, "it is read through too many pointers");
	return 0;
}

/*
 * `*a`: n is the number at the address a. What the address is made of, inputs from `before` on, is
 * in the new input's notation.
 */
static int read_memory(struct binder *b, struct node *n, const struct node *a, unsigned int before)
{
	static const char *const types[][2] = { { ":u8", ":s8" }, { ":u16", ":s16" },
						{ ":u32", ":s32" }, { ":u64", ":s64" } };
	struct c_type type = a->type;
	struct lang_input in = { .memory = true };
	unsigned int size;
	char text[64];
	int number;

	if (!type.pointers) {
		c_type_text(&type, b->s->word, text, sizeof(text));
		return WRONG(b, n, "this is no pointer but %s: say what it points to, as in "
			     "*(u32 *)arg1", text);
	}
	type.pointers--;
	size = c_size(&type, b->s->word);
	if (!size)
		return WRONG(b, n, "it points to no number");
	if (fetch_of(b, n, a, in.fetch, sizeof(in.fetch)))
		return -1;
	b->s->n_inputs = before;
	strcpy(in.type, types[__builtin_ctz(size)][c_signed(&type)]);
	number = input(b, n, in);
	if (number < 0)
		return -1;
	n->kind = NODE_READ;
	n->faults = true;
	n->value = (uint64_t)number;
	n->type = type;
	n->a = NULL;
	return 0;
}

/* ---- operators ---- */

static void make_number(struct node *n, uint64_t value, struct c_type type)
{
	n->kind = NODE_NUMBER;
	n->value = value;
	n->type = type;
	n->faults = false;
	n->a = n->b = n->c = NULL;
}

static int want_number(struct binder *b, const struct node *n)
{
	char text[64];

	if (c_number(&n->type))
		return 0;
	c_type_text(&n->type, b->s->word, text, sizeof(text));
	return n->type.base == C_TEXT ?
		WRONG(b, n, "this is a text, not a number; STRCMP(\"...\", TEXT) compares") :
		WRONG(b, n, "this is %s, not a number", text);
}

/* *at converted to the type. */
static int convert(struct binder *b, struct node **at, struct c_type type)
{
	struct node *n = *at, *cast;
	const unsigned int word = b->s->word, size = c_size(&type, word);

	if (want_number(b, n))
		return -1;
	if (n->kind == NODE_NUMBER) {
		make_number(n, c_convert(n->value, &type, word), type);
		return 0;
	}
	if (size == c_size(&n->type, word) && c_signed(&type) == c_signed(&n->type) &&
	    !type.is_bool && !type.pointers && !n->type.pointers)
		return 0;
	cast = new_node(b, NODE_CAST, n->at);
	if (!cast)
		return -1;
	cast->type = type;
	cast->type.user |= n->type.user;
	cast->faults = n->faults;
	cast->a = n;
	*at = cast;
	return 0;
}

static int bind_cast(struct binder *b, struct node *n)
{
	struct c_type type = n->type;

	if (bind(b, &n->a) || want_number(b, n->a))
		return -1;
	if (!c_number(&type))
		return WRONG(b, n, "only integers and pointers are types of values");
	n->faults = n->a->faults;
	n->type.user |= n->a->type.user;
	if (n->a->kind == NODE_NUMBER)
		make_number(n, c_convert(n->a->value, &type, b->s->word), type);
	return 0;
}

static int bind_unary(struct binder *b, struct node *n)
{
	const unsigned int before = b->s->n_inputs;
	struct node *zero;
	uint64_t value;

	if (n->op == '&')
		return WRONG(b, n, "an address of a value can't be taken");
	if (bind(b, &n->a))
		return -1;
	if (n->op == '*')
		return read_memory(b, n, n->a, before);
	if (want_number(b, n->a))
		return -1;
	n->type = n->a->type.pointers ? c_integer(b->s->word, false) : c_promoted(&n->a->type);
	if (convert(b, &n->a, n->type))
		return -1;
	/* -a is 0 - a, ~a is a ^ -1, +a is a + 0, !a is a == 0 */
	zero = new_node(b, NODE_NUMBER, n->at);
	if (!zero)
		return -1;
	make_number(zero, n->op == '~' ? c_convert(UINT64_MAX, &n->type, b->s->word) : 0, n->type);
	n->kind = NODE_BINARY;
	n->b = zero;
	n->faults = n->a->faults;
	if (n->op == '-') {
		n->b = n->a;
		n->a = zero;
	}
	n->op = n->op == '~' ? '^' : n->op == '!' ? OP_EQ : n->op;
	if (n->op == OP_EQ)
		n->type = c_integer(4, true);
	if (n->a->kind == NODE_NUMBER && n->b->kind == NODE_NUMBER &&
	    fold(n->op, n->a->value, n->b->value, &n->a->type, b->s->word, &value))
		make_number(n, value, n->type);
	return 0;
}

static bool compares(uint8_t op)
{
	return op == '<' || op == '>' || op == OP_LE || op == OP_GE || op == OP_EQ || op == OP_NE;
}

/* A mistake that C lets pass, and that would be an answer nobody asked for. */
static int never_below(struct binder *b, const struct node *n, const struct c_type *common)
{
	const bool zero = n->b->kind == NODE_NUMBER && !n->b->value && n->b->length == 1;

	if (c_signed(common) || !zero || (n->op != '<' && n->op != OP_GE))
		return 0;
	return WRONG(b, n, "the left side is unsigned, never below 0: write (int)VALUE or "
		     "(long)VALUE, as it is meant");
}

/* Pointer and number: C counts in what the pointer points to. */
static int pointer_step(struct binder *b, struct node *n)
{
	struct node **by = n->a->type.pointers ? &n->b : &n->a;
	struct c_type to = n->a->type.pointers ? n->a->type : n->b->type, element = to;
	unsigned int size;

	if ((*by)->type.pointers || (n->op == '-' && by == &n->a))
		return WRONG(b, n, "pointers can be added to and compared, no more");
	element.pointers--;
	size = !element.pointers && element.base == C_VOID ? 1 : c_size(&element, b->s->word);
	if (!size)
		return WRONG(b, n, "the size of what it points to is not known");
	if (convert(b, by, c_integer(b->s->word, true)))
		return -1;
	if (size > 1) {
		struct node *product = new_node(b, NODE_BINARY, n->at),
			    *times = new_node(b, NODE_NUMBER, n->at);

		if (!product || !times)
			return -1;
		make_number(times, size, c_integer(b->s->word, true));
		product->op = '*';
		product->a = *by;
		product->b = times;
		product->type = times->type;
		product->faults = (*by)->faults;
		if ((*by)->kind == NODE_NUMBER)
			make_number(product, (*by)->value * size, times->type);
		*by = product;
	}
	n->type = to;
	n->faults = n->a->faults || n->b->faults;
	return 0;
}

static int bind_binary(struct binder *b, struct node *n)
{
	struct c_type type;
	uint64_t value;
	bool user;

	if (bind(b, &n->a) || bind(b, &n->b) || want_number(b, n->a) || want_number(b, n->b))
		return -1;
	if ((n->op == '+' || n->op == '-') && (n->a->type.pointers || n->b->type.pointers))
		return pointer_step(b, n);
	user = n->a->type.user || n->b->type.user;
	n->faults = n->a->faults || n->b->faults;
	if (n->op == OP_AND || n->op == OP_OR) {
		n->type = type = c_integer(4, true);
	} else if (n->op == OP_SHL || n->op == OP_SHR) {
		struct c_type count = c_promoted(&n->b->type);

		type = c_promoted(&n->a->type);
		if (convert(b, &n->a, type) || convert(b, &n->b, count))
			return -1;
		if (n->b->kind == NODE_NUMBER && n->b->value >= 8 * c_size(&type, b->s->word))
			return WRONG(b, n, "C does not define a shift by %lld bits",
				     (long long)n->b->value);
		n->type = type;
	} else {
		type = c_common(&n->a->type, &n->b->type, b->s->word);
		if (never_below(b, n, &type) || convert(b, &n->a, type) ||
		    convert(b, &n->b, type))
			return -1;
		n->type = compares(n->op) ? c_integer(4, true) : type;
		n->type.user = !compares(n->op) && user;
	}
	if (n->op == '/' || n->op == '%') {
		if (n->b->kind == NODE_NUMBER && !n->b->value)
			return WRONG(b, n, "this divides by 0");
		n->faults |= n->b->kind != NODE_NUMBER;
	}
	if (n->a->kind == NODE_NUMBER && n->b->kind == NODE_NUMBER &&
	    fold(n->op, n->a->value, n->b->value, &type, b->s->word, &value))
		make_number(n, value, n->type);
	return 0;
}

static int bind_choice(struct binder *b, struct node *n)
{
	struct c_type type;

	if (bind(b, &n->a) || bind(b, &n->b) || bind(b, &n->c) || want_number(b, n->a) ||
	    want_number(b, n->b) || want_number(b, n->c))
		return -1;
	type = c_common(&n->b->type, &n->c->type, b->s->word);
	if (convert(b, &n->b, type) || convert(b, &n->c, type))
		return -1;
	n->type = type;
	n->faults = n->a->faults || n->b->faults || n->c->faults;
	return 0;
}

static int bind_compare(struct binder *b, struct node *n)
{
	struct text_node text;

	if (bind_text(b->t, b->s, n->b, &text, b->err))
		return -1;
	if (!n->a->length)
		return WRONG(b, n->a, "every text begins with an empty one");
	if (n->a->length > 64)
		return WRONG(b, n->a, "a text to compare with has 64 letters at most");
	n->value = text.input | (uint64_t)text.way << 8;
	n->type = c_integer(4, true);
	n->faults = true;
	return 0;
}

static int bind_size(struct binder *b, struct node *n)
{
	unsigned int size;

	if (n->a && bind(b, &n->a))
		return -1;
	size = c_size(n->a ? &n->a->type : &n->type, b->s->word);
	if (!size)
		return WRONG(b, n, "this size is not known");
	make_number(n, size, c_integer(b->s->word, false));
	return 0;
}

static int bind_member(struct binder *b, struct node *n)
{
	const unsigned int before = b->s->n_inputs;
	struct node *address, *by;
	struct c_type type;
	unsigned int offset;

	if (is_name(b, n->a, "args") && n->op == OP_ARROW)
		return field(b, n);
	if (bind(b, &n->a))
		return -1;
	if (n->op != OP_ARROW || n->a->type.pointers != 1 || n->a->type.base != C_STRUCT)
		return WRONG(b, n, "this has no type that has members; a signature gives one: "
			     "%s(struct timespec *ts)", the_function(b));
	switch (abi_member(n->a->type.tag, name_of(b, n), n->length, b->s->word, &offset, &type)) {
	case ABI_KNOWN:
		break;
	case ABI_NO_STRUCT:
		return WRONG(b, n, "members of struct %s are not known here yet; with its offset "
			     "one can be read: *(u32 *)((u64)POINTER + 16)", n->a->type.tag);
	case ABI_NO_MEMBER:
		return WRONG(b, n, "struct %s has no %.*s, or one that is no number",
			     n->a->type.tag, n->length, name_of(b, n));
	case ABI_TWO_LAYOUTS:
		return WRONG(b, n, "struct %s has two layouts on machines of 32 bits: say which, "
			     "as in *(u32 *)((u32)POINTER + 4)", n->a->type.tag);
	}
	address = new_node(b, NODE_BINARY, n->at);
	by = new_node(b, NODE_NUMBER, n->at);
	if (!address || !by)
		return -1;
	make_number(by, offset, c_integer(b->s->word, false));
	type.user = n->a->type.user;
	type.pointers++;
	address->op = '+';
	address->type = type;
	address->a = n->a;
	address->b = by;
	return read_memory(b, n, address, before);
}

static int bind(struct binder *b, struct node **at)
{
	struct node *n = *at;

	switch (n->kind) {
	case NODE_NAME:
		return bind_name(b, n);
	case NODE_MEMBER:
		return bind_member(b, n);
	case NODE_USER:
		if (bind(b, &n->a) || want_number(b, n->a))
			return -1;
		n->a->type.user = true;
		*at = n->a;
		return 0;
	case NODE_UNARY:
		return bind_unary(b, n);
	case NODE_BINARY:
		return bind_binary(b, n);
	case NODE_CHOICE:
		return bind_choice(b, n);
	case NODE_CAST:
		return bind_cast(b, n);
	case NODE_SIZEOF:
		return bind_size(b, n);
	case NODE_COMPARE:
		return bind_compare(b, n);
	}
	return 0;
}

int bind_number(struct tree *t, struct scope *s, struct node **n, struct error *err)
{
	struct binder b = { t, s, err };

	return bind(&b, n) || want_number(&b, *n) ? -1 : 0;
}

int bind_as(struct tree *t, struct scope *s, struct node **n, const struct c_type *type,
	    struct error *err)
{
	struct binder b = { t, s, err };

	return bind(&b, n) || convert(&b, n, *type) ? -1 : 0;
}

/* ---- texts ---- */

/* A text or bytes of the record. */
static int field_text(struct binder *b, struct node *n, struct text_node *text)
{
	const struct field *f;
	struct lang_input in = { };
	int number;

	snprintf(in.fetch, sizeof(in.fetch), "%.*s", n->length, name_of(b, n));
	f = format_field(b->s->format, in.fetch);
	if (strncmp(f->type, "char", 4) && strncmp(f->type, "unsigned char", 13))
		return WRONG(b, n, "this is no text but %s[]", f->type);
	text->way = f->is_data_loc ? TEXT_INPUT : TEXT_BYTES;
	in.bytes = !f->is_data_loc;
	in.size = (uint16_t)f->size;
	number = input(b, n, in);
	text->input = (uint8_t)number;
	return number < 0 ? -1 : 0;
}

int bind_text(struct tree *t, struct scope *s, struct node *n, struct text_node *text,
	      struct error *err)
{
	struct binder b = { t, s, err };
	struct lang_input in = { .type = ":string" };
	const unsigned int before = s->n_inputs;
	char what[64];
	int number;

	if (n->kind == NODE_TEXT)
		return WRONG(&b, n, "this text is known already: write it into the format");
	if (is_name(&b, n, "$comm")) {
		in = (struct lang_input){ "comm", "comm", "", true, false, true, 16 };
		text->way = TEXT_BYTES;
		number = input(&b, n, in);
		text->input = (uint8_t)number;
		return number < 0 ? -1 : 0;
	}
	if (bind(&b, &n))
		return -1;
	if (n->type.base == C_TEXT)
		return field_text(&b, n, text);
	if (c_size(&n->type, s->word) != s->word ||
	    (n->type.pointers && (n->type.pointers > 1 || n->type.base == C_STRUCT))) {
		c_type_text(&n->type, s->word, what, sizeof(what));
		return WRONG(&b, n, "this is no address of a text but %s", what);
	}
	if (fetch_of(&b, n, n, in.fetch, sizeof(in.fetch)))
		return -1;
	s->n_inputs = before;
	text->way = s->user_space || n->type.user ? TEXT_USER :
		    s->tracepoint ? TEXT_INPUT : TEXT_EITHER;
	/* The outermost address is that of the text itself: its type says where it is. */
	if (in.fetch[1] == 'u')
		memmove(in.fetch + 1, in.fetch + 2, strlen(in.fetch + 1));
	if (text->way == TEXT_USER)
		snprintf(in.type, sizeof(in.type), ":ustring/%u", s->text_size + 2);
	number = input(&b, n, in);
	text->input = (uint8_t)number;
	return number < 0 ? -1 : 0;
}

char *inputs_text(const struct scope *s)
{
	char *text = calloc(s->n_inputs + 1, INPUT_FETCH + 24), *end = text;

	for (unsigned int i = 0; text && i < s->n_inputs; i++)
		if (!s->inputs[i].identity)
			end += sprintf(end, "%s%s=%s%s", end == text ? "" : " ",
				       s->inputs[i].name, s->inputs[i].fetch, s->inputs[i].type);
	return text;
}

bool inputs_may_fail(const struct scope *s)
{
	for (unsigned int i = 0; i < s->n_inputs; i++)
		if (s->inputs[i].memory)
			return true;
	return false;
}
