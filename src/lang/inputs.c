// SPDX-License-Identifier: GPL-2.0
#include "src/lang/inputs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/lang/binder.h"
#include "src/lang/probes/traced_calls.h"
#include "src/lang/types/members.h"
#include "src/lang/types/types.h"

const char *name_of(const struct binder *b, const struct node *n)
{
	return b->t->source.text + n->at;
}

bool is_name(const struct binder *b, const struct node *n, const char *name)
{
	return n->kind == NODE_NAME && n->length == strlen(name) &&
	       !memcmp(name_of(b, n), name, n->length);
}

struct node *new_node(struct binder *b, enum node_kind kind, size_t at)
{
	struct node *n = tree_node(b->t, kind, at);

	if (!n)
		fail(b->err, "out of memory");
	return n;
}

int binder_input(struct binder *b, const struct node *n, struct lang_input wanted)
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
	number = binder_input(b, n, in);
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
	{ "$PID", "tgid", 4, false }, { "$uid", "uid", 4, false }, { "$gid", "gid", 4, false },
	{ "$cpu", "cpu", 4, false },
	{ "$nsecs", "time", 8, false }, { "$ip", "ip", 8, true },
	{ "$cgroup", "cgroup", 8, false },
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
		number = binder_input(b, n, in);
		if (number < 0)
			return -1;
		n->kind = NODE_INPUT;
		n->value = (uint64_t)number;
		n->type = c_integer(identities[i].size, false);
		return 0;
	}
	if (is_name(b, n, "$comm") || is_name(b, n, "$COMM"))
		return WRONG(b, n, "$comm is a text: show it with %%s");
	if (is_name(b, n, "$task")) {
		struct c_type task = { .base = C_STRUCT, .tag = "task_struct" };
		struct error why;

		if (types_complete(b->t->types, &task, false, &why) && b->wants_struct)
			return WRONG(b, n, "%s", why.text);
		task.pointers = 1;
		task.kernel = b->s->kernel_word;
		return to_input(b, n, task, "$current", ":uW");
	}
	return WRONG(b, n, "there is no %.*s; there are $pid, $tid, $tgid, $uid, $gid, $cpu, "
		     "$nsecs, $ip, $comm, $task and $cgroup", n->length, name_of(b, n));
}

/*
 * The word, from 1, where argument `number` is: the registers' come first, those of the stack are
 * behind them. The signature tells which take two, the lower half first.
 */
static unsigned int word_of_argument(const struct scope *s, int number)
{
	unsigned int word = 1;

	for (int i = 0; i < number; i++) {
		const bool known = i < (int)s->n_parameters,
			   wide = known && c_size(&s->parameters[i].type, s->word) > s->word;

		if (wide && (s->even_pairs ? word % 2 == 0 : word == s->in_registers))
			word++;
		if (i < number - 1)
			word += wide ? 2 : 1;
	}
	return word;
}

/* n is the word of an argument, as it is. */
static int argument_word(struct binder *b, struct node *n, unsigned int word)
{
	char fetch[16];

	snprintf(fetch, sizeof(fetch), b->s->syscall ? "$sys%u" : "$arg%u", word);
	if (to_input(b, n, c_integer(b->s->word, false), fetch, ":uW"))
		return -1;
	if (!b->s->syscall && b->s->user_space && word > b->s->in_registers) {
		/* Its page may not be there, which BPF programs are told. */
		n->kind = NODE_READ;
		n->faults = true;
	}
	return 0;
}

/* n is a number of 64 bits whose halves are `low` and `high`. */
static int join(struct binder *b, struct node *n, struct node *low, struct node *high)
{
	const struct c_type wide = c_integer(8, false);
	struct node *shifted = new_node(b, NODE_BINARY, n->at),
		    *by = new_node(b, NODE_NUMBER, n->at);

	if (!shifted || !by || convert(b, &low, wide) || convert(b, &high, wide))
		return -1;
	make_number(by, 32, c_integer(4, true));
	*shifted = (struct node){
		.kind = NODE_BINARY, .op = OP_SHL, .at = n->at, .type = wide, .a = high, .b = by,
		.faults = high->faults, .next = shifted->next,
	};
	n->kind = NODE_BINARY;
	n->op = '|';
	n->a = low;
	n->b = shifted;
	n->type = wide;
	n->faults = low->faults || high->faults;
	return 0;
}

static struct node *twin(struct binder *b, const struct node *n)
{
	struct node *to = new_node(b, NODE_NAME, n->at);

	if (to)
		to->length = n->length;
	return to;
}

/* An argument of 64 bits, which is two words of the machine. */
static int wide_argument(struct binder *b, struct node *n, unsigned int word)
{
	struct node *low = twin(b, n), *high = twin(b, n);

	return !low || !high || argument_word(b, low, word) || argument_word(b, high, word + 1) ?
	       -1 : join(b, n, low, high);
}

int wide_return(struct binder *b, struct node *n)
{
	struct node *low = twin(b, n), *high = twin(b, n);

	return !low || !high || to_input(b, low, c_integer(4, false), "$retval", ":u32") ||
	       to_input(b, high, c_integer(4, false), "$rethigh", ":u32") ?
	       -1 : join(b, n, low, high);
}

static int argument(struct binder *b, struct node *n, int number, const struct c_type *type)
{
	const unsigned int word = word_of_argument(b->s, number);
	const bool wide = number <= (int)b->s->n_parameters &&
			  c_size(&b->s->parameters[number - 1].type, b->s->word) > b->s->word;
	struct node *inner = NULL;

	if (b->s->tracepoint)
		return WRONG(b, n, "a tracepoint has fields, not arguments: args->NAME");
	if (b->s->returns)
		return WRONG(b, n, "arguments are gone when the function returns: it has retval; "
			     "probe its call for them");
	if (b->s->inside)
		return WRONG(b, n, "behind a function's beginning registers have other values "
			     "than its arguments");
	if (b->s->same_arguments && number > b->s->same_arguments)
		return WRONG(b, n, "%s() has other arguments behind arg%u: write its own name",
			     binder_function(b), b->s->same_arguments);
	if (b->s->unknown_arguments)
		return WRONG(b, n, "functions of system calls have their arguments elsewhere on "
			     "this kernel");
	if (b->s->syscall && number > 6)
		return WRONG(b, n, "a system call has six arguments at most");
	if (b->s->syscall && word + wide != (unsigned int)number)
		return WRONG(b, n, "an argument of 64 bits takes two places of a system call, and "
			     "their order is not known");
	if (type && (c_size(type, b->s->word) < b->s->word ||
		     (c_signed(type) && b->s->word < 8 && !wide))) {
		/* Of a register only the type's bits mean anything; those above are its sign. */
		inner = twin(b, n);
		if (!inner)
			return -1;
	}
	if (wide ? wide_argument(b, n, word) : argument_word(b, inner ? inner : n, word))
		return -1;
	if (inner)
		n->faults = inner->faults;
	if (inner) {
		n->kind = NODE_CAST;
		n->a = inner;
	}
	if (type)
		n->type = *type;
	/* Those of a bool are one byte's; what is behind it would make 1 of 0. */
	if (n->type.is_bool && !n->type.pointers)
		n->type = c_integer(1, false);
	n->type.user |= b->s->syscall || (b->s->user_arguments >> (number - 1) & 1);
	return 0;
}

/* 12 of "arg12"; 0: it is no such name. */
static int number_of(const char *name, unsigned int length)
{
	if (length < 4 || length > 5 || memcmp(name, "arg", 3) || name[3] < '1' || name[3] > '9')
		return 0;
	if (length == 4)
		return name[3] - '0';
	return name[4] >= '0' && name[4] <= '9' ? 10 * (name[3] - '0') + name[4] - '0' : 0;
}

/* A probe of a program says itself what its arguments are. */
static int usdt_argument_of(struct binder *b, struct node *n, unsigned int number)
{
	const struct c_type *type;
	char fetch[16];

	if (number > USDT_ARGUMENTS)
		return WRONG(b, n, "arguments of probes (USDT) are arg1 to arg%d", USDT_ARGUMENTS);
	type = &b->s->arguments[number - 1];
	if (!type->size)
		return WRONG(b, n, "the probe has no arg%u; `sonde tplist -v -l FILE` shows what "
			     "it has", number);
	snprintf(fetch, sizeof(fetch), "$arg%u", number);
	if (to_input(b, n, *type, fetch, ":uW"))
		return -1;
	/* At some of its places it may be in memory, whose page may not be there. */
	n->kind = NODE_READ;
	n->faults = true;
	return 0;
}

const char *binder_function(const struct binder *b)
{
	return b->s->written ? b->s->written : b->s->function ? b->s->function : "FUNCTION";
}

bool declared_type(const struct field *f, unsigned int word, struct c_type *type)
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

/* A compiler may have left out arguments of a function whose name it changed. */
static bool kernel_function_named(const struct scope *s)
{
	return !s->user_space && !s->tracepoint && !s->syscall && s->function &&
	       !strchr(s->function, '.');
}

/* A parameter, as the kernel's type information has it, or the tracepoint of a system call. */
static bool told_by_kernel(struct binder *b, struct node *n)
{
	struct scope *s = b->s;
	struct c_type result;
	int count;

	if (s->n_parameters || s->knows_function || (!s->call && !kernel_function_named(s)))
		return 0;
	count = s->call ? traced_call_parameters(s->kernel, s->call, s->word, s->parameters) :
			  types_function(b->t->types, s->function, s->parameters, &result);
	s->knows_function = count < 0;
	s->n_told = count < 0 ? 0 : (unsigned int)count;
	for (int i = 0; i < count; i++)
		if (is_name(b, n, s->parameters[i].name))
			s->n_parameters = (unsigned int)count;
	return s->n_parameters;
}

/* "file, buf, count": the names that there are. */
static void list_parameters(const struct scope *s, unsigned int n, char *to, size_t size)
{
	size_t at = 0;

	*to = '\0';
	for (unsigned int i = 0; i < n && at < size; i++)
		if (*s->parameters[i].name)
			at += (size_t)snprintf(to + at, size - at, "%s%s", at ? ", " : "",
					       s->parameters[i].name);
}

/* GFP_ATOMIC: C's custom for macros and enumerators. */
static bool is_constant(const char *name, unsigned int length)
{
	unsigned int letters = 0;

	for (unsigned int i = 0; i < length; i++) {
		if (islower((unsigned char)name[i]))
			return false;
		letters += isupper((unsigned char)name[i]) != 0;
	}
	return letters > 1;
}

static int unknown_name(struct binder *b, const struct node *n)
{
	const char *name = name_of(b, n);
	char list[200];

	if (b->s->tracepoint)
		return WRONG(b, n, "there is no `%.*s`; fields are args->NAME", n->length, name);
	if (b->s->usdt)
		return WRONG(b, n, "there is no `%.*s`; arguments of probes (USDT) are arg1, arg2 "
			     "...", n->length, name);
	if (is_constant(name, n->length))
		return WRONG(b, n, "no number `%.*s` is known: write it as digits, or -I "
			     "FILE.h with its enum or #define", n->length, name);
	if (b->s->returns)
		return WRONG(b, n, "there is no `%.*s`; a return has retval, and no arguments",
			     n->length, name);
	if (b->s->inside)
		return WRONG(b, n, "there is no `%.*s`; behind a function's beginning no arguments "
			     "are known", n->length, name);
	list_parameters(b->s, b->s->n_parameters ? b->s->n_parameters : b->s->n_told, list,
			sizeof(list));
	if (*list)
		return WRONG(b, n, "there is no `%.*s`; %s has %s", n->length, name,
			     b->s->n_parameters ? "the signature" : "this function", list);
	if (b->s->unknown_arguments || !b->s->function)
		return WRONG(b, n, "there is no `%.*s` here", n->length, name);
	if (b->wants_struct)
		return WRONG(b, n, "`%.*s` has no type here: give a signature with the arguments "
			     "up to it, `%s(struct NAME *%.*s)` if it is the first", n->length,
			     name, binder_function(b), n->length, name);
	return WRONG(b, n, "there is no `%.*s`; arguments are arg1, arg2 ..., or have the names of "
		     "a signature: %s(int %.*s) if it is the first and an int", n->length, name,
		     binder_function(b), n->length, name);
}

int bind_name(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	const char *name = name_of(b, n);
	int number;
	struct parameter list[PARAMETERS_MOST];
	struct c_type type;
	struct error why;

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
	number = number_of(name, n->length);
	if (number && s->usdt)
		return usdt_argument_of(b, n, (unsigned int)number);
	if (number > PARAMETERS_MOST)
		return WRONG(b, n, "arguments are arg1 to arg%d", PARAMETERS_MOST);
	if (number)
		return argument(b, n, number, NULL);
	if (is_name(b, n, "retval") || is_name(b, n, "$retval")) {
		if (!s->returns)
			return WRONG(b, n, "only a return has a value: r:%s", s->tracepoint ?
				     "FUNCTION" : binder_function(b));
		type = c_integer(s->word, false);
		/* It is a number, unless its members are asked for. */
		if (b->wants_struct && kernel_function_named(s) &&
		    (types_function(b->t->types, s->function, list, &type) < 0 ||
		     !type.pointers))
			type = c_integer(s->word, false);
		return to_input(b, n, type, "$retval", ":uW");
	}
	if (is_name(b, n, "args"))
		return WRONG(b, n, s->tracepoint ? "a field is missing: args->NAME" :
			     "only tracepoints have args; arguments of functions are arg1, arg2 "
			     "...");
	/* As in C a parameter hides a number of its name. */
	if (told_by_kernel(b, n))
		return bind_name(b, n);
	number = types_number(b->t->types, name, n->length, &n->value, &n->type, &why);
	if (number <= 0)
		return number ? WRONG(b, n, "%s", why.text) : unknown_name(b, n);
	n->kind = NODE_NUMBER;
	return 0;
}

int bind_field(struct binder *b, struct node *n)
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
	known = declared_type(f, s->word, &type);
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

/* Is it as large as an address? */
static bool is_wide_enough(const struct binder *b, const struct c_type *t)
{
	return c_size(t, b->s->word) == (t->kernel ? t->kernel : b->s->word);
}

/*
 * The place that an address leads to, as fetch notation: an input and an offset that is known. A
 * place that is computed of several values can't be handed to the rings.
 */
static int place_of(struct binder *b, const struct node *n, char *base, size_t size,
		    int64_t *offset)
{
	if ((n->kind == NODE_INPUT || n->kind == NODE_READ) && is_wide_enough(b, &n->type)) {
		const struct lang_input *in = &b->s->inputs[n->value];

		if (in->identity)
			return -1;
		snprintf(base, size, "%s", in->fetch);
		return 0;
	}
	if (n->kind == NODE_CAST && is_wide_enough(b, &n->type))
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

bool fetch_of(struct binder *b, const struct node *n, char *fetch, size_t size)
{
	const bool user = n->type.user && !b->s->user_space;
	char base[INPUT_FETCH];
	int64_t offset = 0;
	unsigned int nested = 0;

	if (place_of(b, n, base, sizeof(base), &offset) || offset != (int32_t)offset)
		return false;
	for (const char *p = base; *p; p++)
		nested += *p == '(';
	return nested < 4 && (size_t)snprintf(fetch, size, "+%s%d(%s)", user ? "u" : "",
					      (int)offset, base) < size;
}

/* Does the place depend on a number that the call's beginning has kept? */
static bool is_kept(const struct node *n)
{
	return n && (n->kind == NODE_SLOT || is_kept(n->a) || is_kept(n->b) || is_kept(n->c));
}

void note_memory(struct binder *b, const struct node *n, bool follows)
{
	struct error why;

	b->s->follows |= follows;
	if (*b->s->why)
		return;
	source_error(&b->t->source, n->at, &why, is_kept(n) ?
		     "what $entry's address leads to is read when the call returns, which only "
		     "BPF programs can do" : follows ?
		     "only BPF programs can read memory at an address that is computed, or behind "
		     "so many pointers" :
		     "it reads memory through a pointer, and since 4.20 only BPF programs are told "
		     "whether that could be read");
	snprintf(b->s->why, sizeof(b->s->why), "%.*s", (int)sizeof(b->s->why) - 1, why.text);
}

int read_memory(struct binder *b, struct node *n, struct node *a, const struct c_type *type,
		unsigned int before)
{
	static const char *const types[][2] = { { ":u8", ":s8" }, { ":u16", ":s16" },
						{ ":u32", ":s32" }, { ":u64", ":s64" } };
	struct lang_input in = { .memory = true };
	struct c_type read = *type;
	unsigned int size;
	char text[100];
	int number;

	read.align = 0;
	read.user |= a->type.user;
	read.kernel |= a->type.kernel;
	size = c_size(&read, b->s->word);
	if (!c_number(type) || !size || size > 8 || size & (size - 1)) {
		c_type_text(type, b->s->word, text, sizeof(text));
		return WRONG(b, n, "this is %s, and only integers, pointers and texts can be read",
			     text);
	}
	n->faults = true;
	n->type = read;
	if (!fetch_of(b, a, in.fetch, sizeof(in.fetch))) {
		n->a = a;
		note_memory(b, n, true);
		n->kind = NODE_FOLLOW;
		return 0;
	}
	b->s->n_inputs = before;
	note_memory(b, n, false);
	strcpy(in.type, types[__builtin_ctz(size)][c_signed(type)]);
	number = binder_input(b, n, in);
	if (number < 0)
		return -1;
	n->kind = NODE_READ;
	n->value = (uint64_t)number;
	n->a = NULL;
	return 0;
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
	if (s->follows)
		return true;
	for (unsigned int i = 0; i < s->n_inputs; i++)
		if (s->inputs[i].memory)
			return true;
	return false;
}
