// SPDX-License-Identifier: GPL-2.0
/* Names and values that bpftrace has and C has not: builtins, $variables, @maps, $1. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/bt/emit.h"
#include "src/bt/parse.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/lib/options/words.h"
#include "src/run/tool.h"

/* ---- parameters and maps ---- */

/* Returns true if the token is the argument of str(). */
static bool within_str(const struct parser *p)
{
	const char *text = p->t->source.text, *at = text + p->now.at;

	while (at > text && isspace((unsigned char)at[-1]))
		at--;
	return at - text >= 4 && !memcmp(at - 4, "str(", 4);
}

static struct node *literal(struct parser *p, const char *text)
{
	struct node *n = parser_node(p, NODE_TEXT, p->now.at);

	if (!n)
		return NULL;
	if (strlen(text) > UINT8_MAX)
		return parser_wrong(p, "a text has 255 letters at most");
	n->text = strdup(text);
	if (!n->text) {
		fail(p->err, "out of memory");
		return NULL;
	}
	n->length = (uint16_t)strlen(text);
	n->type.base = C_TEXT;
	return parser_step(p) ? NULL : n;
}

/*
 * $1, $2 ...: a number if it is one, else a text, with str() always; without an argument 0 or "".
 * $#: how many.
 */
struct node *bt_parameter(struct parser *p)
{
	const struct bt *b = bt_of(p->t);
	const char *name = parser_text(p), *text;
	const bool count = name[1] == '#';
	const unsigned long i = count ? 0 : strtoul(name + 1, NULL, 10);
	struct node *n;
	uint64_t value;
	char *end = NULL;

	text = i && i <= b->n_arguments ? b->arguments[i - 1] : NULL;
	errno = 0;
	value = count ? b->n_arguments : text ? strtoull(text, &end, 0) : 0;
	if (!count && (within_str(p) || (text && (*end || errno))))
		return literal(p, text ? text : "");
	n = parser_node(p, NODE_NUMBER, p->now.at);
	if (!n)
		return NULL;
	n->value = value;
	n->length = (uint16_t)p->now.length;
	n->type = c_integer(8, (int64_t)n->value >= 0 || (text && *text == '-'));
	return parser_step(p) ? NULL : n;
}

struct node *bt_map_node(struct parser *p)
{
	const size_t at = p->now.at;
	struct bt_map *m;
	struct node *keys;

	return bt_map(p, &m, &keys) ? NULL : bt_map_read_node(p, at, m, keys);
}

/* ---- names ---- */

static bool is_number(const struct bt_shape *shape)
{
	return shape->kind == BT_NUMBER || shape->kind == BT_UNSET;
}

int bt_nearness(const struct bt_probe *p, const struct bt_variable *v)
{
	if (!v->scope)
		return 0;
	for (unsigned int i = p->n_scopes; i; i--)
		if (p->scopes[i - 1] == v->scope)
			return (int)i;
	return -1;
}

int bt_variable(const struct bt_probe *p, const char *name, size_t length)
{
	int found = -1, nearest = -1;

	for (unsigned int i = 0; i < p->n_variables; i++) {
		const struct bt_variable *v = &p->variables[i];

		if (strlen(v->name) != length || memcmp(v->name, name, length) ||
		    bt_nearness(p, v) <= nearest)
			continue;
		found = (int)i;
		nearest = bt_nearness(p, v);
	}
	return found;
}

int bt_variable_at(const struct bt_probe *p, unsigned int variable)
{
	int at = 0;

	for (unsigned int i = 0; i <= variable; i++)
		at -= p->variables[i].shape.size;
	return at;
}

void bt_read_variable(struct binder *b, struct node *n, const struct bt_variable *v)
{
	const struct bt_probe *now = bt_of(b->t)->now;

	/* More inputs than a probe may have are read where the variable points. */
	if (v->is && b->s->n_inputs < INPUTS_MOST / 2) {
		n->kind = v->is->kind;
		n->value = v->is->value;
		n->a = v->is->a;
		n->type = v->is->type;
		return;
	}
	n->kind = NODE_SLOT;
	n->op = (uint8_t)(v - now->variables);
	n->value = (uint64_t)(int64_t)bt_variable_at(now, n->op);
	bt_type_read(n, &v->shape, &v->pointer);
}

int bt_read(const struct bt_probe *p, const char *name, size_t length)
{
	const char *dot = memchr(name, '.', length);
	const int i = bt_variable(p, name, length);
	int tuple;

	if ((i >= 0 && p->variables[i].assigned) || !dot)
		return i;
	tuple = bt_variable(p, name, (size_t)(dot - name));
	return tuple >= 0 && p->variables[tuple].open ? tuple : i;
}

static int variable(struct binder *b, struct node *n)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const char *name = name_of(b, n);
	const int i = bt_read(now, name, n->length);
	char text[BT_NAME];
	int tuple = 0;

	if (n->length < BT_NAME) {
		snprintf(text, sizeof(text), "%.*s", n->length, name);
		tuple = bt_tuple_variable(b, n, text);
	}
	if (tuple)
		return tuple;
	if (i < 0 || !now->variables[i].assigned)
		return WRONG(b, n, "%.*s has no value yet: nothing before this assigns one",
			     n->length, name);
	bt_read_variable(b, n, &now->variables[i]);
	return 1;
}

struct name {
	const char *name;
	int (*infer)(struct binder *b, struct node *n, const struct name *row);
	const char *input;
};

static int identity(struct binder *b, struct node *n, const struct name *row)
{
	return bind_identity(b, n, row->input, 8) ? -1 : 1;
}

/* A number of 32 bits, which bswap() turns round. */
static int short_identity(struct binder *b, struct node *n, const struct name *row)
{
	if (bind_identity(b, n, row->input, 8))
		return -1;
	n->type.align = 4;
	return 1;
}

/* The time since sonde read the script. */
static int elapsed(struct binder *b, struct node *n, const struct name *row)
{
	const struct c_type type = c_integer(8, false);
	struct node *now = new_node(b, NODE_NAME, n->at),
		    *start = number_node(b, n->at, bt_of(b->t)->started, type);

	if (!now || !start)
		return fail(b->err, "out of memory");
	if (identity(b, now, row) < 0)
		return -1;
	make_binary(n, '-', now, start, type);
	return 1;
}

static int text(struct binder *b, struct node *n, const struct name *row)
{
	(void)row;
	return bt_bind_comm(b, n) ? -1 : 1;
}

static int named(struct binder *b, struct node *n, const struct name *row)
{
	return bt_bind_probe(b, n, *row->name == 'p' ? BT_PROBE : BT_FUNCTION) ? -1 : 1;
}

static int stack(struct binder *b, struct node *n, const struct name *row)
{
	if (n->op == BT_STACK_LENGTH)
		return WRONG(b, n, "how long a stack is becomes known when it is shown: print the "
			     "length with %%d or print(), or take it as the key of what is "
			     "counted");
	return WRONG(b, n, "%s is a stack: print it with %%s or print(), or take it as the key of "
		     "what is counted", row->name);
}

static int user_name(struct binder *b, struct node *n, const struct name *row)
{
	(void)row;
	return bt_bind_username(b, n) ? -1 : 1;
}

/* What events of the kernel have, and sonde's own task for its own events. */
static int of_task(struct binder *b, struct node *n, const struct name *row)
{
	if (bt_of(b->t)->now->when == BT_KERNEL && !row->input)
		return bind_task(b, n) ? -1 : 1;
	if (bt_of(b->t)->now->when == BT_KERNEL)
		return identity(b, n, row);
	if (!row->input)
		return bt_bind_own_task(b, n) ? -1 : 1;
	if (*row->name == 'c')
		return bt_bind_own_cgroup(b, n) ? -1 : 1;
	make_number(n, (uint64_t)getppid(), c_integer(8, false));
	return 1;
}

/* 1 where an event is of user space. */
static int user_mode(struct binder *b, struct node *n, const struct name *row)
{
	const struct bt_probe *p = bt_of(b->t)->now;

	(void)row;
	if (b->s->tracepoint || p->frequency || p->on->probe.raw)
		return WRONG(b, n, "only functions tell where they run: the kstack of a sample in "
			     "user space is empty");
	make_number(n, p->when != BT_KERNEL || b->s->user_space || b->s->usdt, c_integer(8, false));
	n->type.align = 1;
	return 1;
}

static int cpus(struct binder *b, struct node *n, const struct name *row)
{
	(void)b;
	(void)row;
	make_number(n, (uint64_t)sysconf(_SC_NPROCESSORS_CONF), c_integer(8, false));
	return 1;
}

/* The process of the command, which waits for the probes; 0: there is none. */
static int command_process(struct binder *b, struct node *n, const struct name *row)
{
	struct run *run = bt_of(b->t)->run;
	const int pid = run ? run_command_process(run, b->err) : 0;

	if (pid < 0)
		return -1;
	make_number(n, *row->name == 'h' ? pid != 0 : (uint64_t)pid,
		    *row->name == 'h' ? c_bool() : c_integer(8, false));
	return 1;
}

static int random_number(struct binder *b, struct node *n, const struct name *row)
{
	(void)row;
	return bt_bind_random(b, n);
}

static int numa_node(struct binder *b, struct node *n, const struct name *row)
{
	(void)row;
	return bt_bind_numa_node(b, n);
}

static int jiffies(struct binder *b, struct node *n, const struct name *row)
{
	(void)row;
	return bt_bind_jiffies(b, n);
}

/* A text that is known: "kprobe". */
static int probe_type(struct binder *b, struct node *n, const struct name *row)
{
	const struct bt_probe *p = bt_of(b->t)->now;
	const bool special = p->when == BT_BEGIN || p->when == BT_END || p->when == BT_SIGNALLED;
	const char *type = special ? "special" : p->type;

	(void)row;
	n->kind = NODE_TEXT;
	n->text = strdup(type);
	if (!n->text)
		return fail(b->err, "out of memory");
	n->length = (uint16_t)strlen(type);
	n->type = (struct c_type){ .base = C_TEXT };
	return 1;
}

/* The name of another task, which the current one's struct leads to. */
static int other_name(struct binder *b, struct node *n, const struct name *row)
{
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG(b, n, "BEGIN, END, interval and iter have no %s: they are sonde's own",
			     row->name);
	return bt_bind_task_name(b, n, row->input) ? -1 : 1;
}

static int truth(struct binder *b, struct node *n, const struct name *row)
{
	(void)b;
	make_number(n, *row->name == 't', c_bool());
	return 1;
}

static const struct name names[] = {
	{ "true", truth, NULL },
	{ "false", truth, NULL },
	{ "pid", short_identity, "tgid" },
	{ "tid", short_identity, "tid" },
	{ "uid", identity, "uid" },
	{ "gid", identity, "gid" },
	{ "cpu", short_identity, "cpu" },
	{ "nsecs", identity, "time" },
	{ "elapsed", elapsed, "time" },
	{ "comm", text, NULL },
	{ "probe", named, NULL },
	{ "func", named, NULL },
	{ "ppid", of_task, "ppid" },
	{ "cgroup", of_task, "cgroup" },
	{ "curtask", of_task, NULL },
	{ "usermode", user_mode, NULL },
	{ "ncpus", cpus, NULL },
	{ "cpid", command_process, NULL },
	{ "has_cpid", command_process, NULL },
	{ "rand", random_number, NULL },
	{ "numaid", numa_node, NULL },
	{ "jiffies", jiffies, NULL },
	{ "probetype", probe_type, NULL },
	{ "pcomm", other_name, "+{task_struct.comm}(+{task_struct.real_parent}($current))" },
	{ "leader_comm", other_name, "+{task_struct.comm}(+{task_struct.group_leader}($current))" },
	{ "username", user_name, NULL },
	{ "kstack", stack, NULL },
	{ "ustack", stack, NULL },
};

/* bpftrace's names that this language has not yet, and what does instead. */
static const struct {
	const char *name, *instead;
} missing[] = {
	{ "ctx", "arguments are arg0 to arg9" },
};

static int unknown(struct binder *b, const struct node *n)
{
	struct nearest near = { .word = name_of(b, n), .length = n->length };

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (is_name(b, n, missing[i].name))
			return WRONG(b, n, "%s is not in sonde's language yet: %s",
				     missing[i].name, missing[i].instead);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		nearest_of(&near, names[i].name);
	if (near.name)
		return WRONG(b, n, "there is no `%.*s`; did you mean %s?", n->length, near.word,
			     near.name);
	return 0;
}

/* An enumerator or a macro. Returns 1; 0: there is none; -1, with err set. */
static int constant(struct binder *b, struct node *n)
{
	struct error why;
	const int found = types_number(b->t->types, name_of(b, n), n->length, &n->value, &n->type,
				       &why);
	struct c_type type;

	if (found <= 0)
		return found ? CAUSE(b, n, &why) : 0;
	type = c_integer(8, c_signed(&n->type));
	type.source = n->type.source;
	type.id = n->type.id;
	type.align = type.id ? 8 : 0;	/* a macro is as wide as its text, an enumerator is not */
	n->kind = NODE_NUMBER;
	n->type = type;
	return 1;
}

/* The N of argN; -1: it is another name. */
static int argument_number(const char *name, size_t length)
{
	if (length < 4 || length > 5 || memcmp(name, "arg", 3))
		return -1;
	for (size_t i = 3; i < length; i++)
		if (!isdigit((unsigned char)name[i]))
			return -1;
	return length == 4 ? name[3] - '0' : 10 * (name[3] - '0') + name[4] - '0';
}

/* Arguments are numbered from 0. A signed one is of the kernel's word. */
static int argument(struct binder *b, struct node *n, int number)
{
	const struct c_type type = c_integer(b->s->word, true);
	const struct bt_probe *p = bt_of(b->t)->now;

	if (p->when != BT_KERNEL || p->frequency || p->on->probe.iterator)
		return WRONG(b, n, "only functions have arguments: a kprobe or uprobe");
	if (b->s->call)
		return WRONG(b, n, "a system call's function has its arguments elsewhere: take "
			     "tracepoint:syscalls:sys_enter_%s and its args", b->s->call);
	if (b->s->usdt)
		return bind_usdt_argument(b, n, (unsigned int)number + 1) ? -1 : 1;
	if (number > 9)
		return WRONG(b, n, "arguments of functions are arg0 to arg9");
	return bind_argument(b, n, number + 1, &type) ? -1 : 1;
}

/* The result of fexit, with its type. */
static int typed_result(struct binder *b, struct node *n)
{
	struct parameter list[PARAMETERS_MOST];
	struct c_type type;
	struct node *bits;

	if (!b->s->function || types_function(b->t->types, b->s->function, list, &type) < 0)
		return WRONG(b, n, "the type of this result is unknown here: take kretprobe and "
			     "(int32)retval, or another type");
	if (!c_number(&type))
		return WRONG(b, n, "%s has no number as its result", b->s->function);
	if (type.pointers)
		return to_input(b, n, type, "$retval", ":uW") ? -1 : 1;
	bits = new_node(b, NODE_NAME, n->at);
	if (!bits)
		return fail(b->err, "out of memory");
	if (to_input(b, bits, c_integer(b->s->word, false), "$retval", ":uW"))
		return -1;
	n->kind = NODE_CAST;
	n->a = bits;
	n->type = type;
	return 1;
}

/* What names take in brackets: nsecs(boot), pid(init). */
static const struct {
	const char *name, *word;
	int (*bind)(struct binder *b, struct node *n);	/* NULL: as without the word */
} words[] = {
	{ "nsecs", "monotonic", NULL }, { "nsecs", "boot", bt_bind_boot },
	{ "nsecs", "tai", bt_bind_tai }, { "nsecs", "sw_tai", bt_bind_sw_tai },
	{ "pid", "init", NULL }, { "tid", "init", NULL },
	{ "pid", "curr_ns", bt_bind_own_ids }, { "tid", "curr_ns", bt_bind_own_ids },
};
#define WORDS (sizeof(words) / sizeof(words[0]))

static bool is_of_event(struct binder *b, const struct node *n)
{
	if (is_name(b, n, "retval") || argument_number(name_of(b, n), n->length) >= 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_name(b, n, names[i].name) && names[i].infer != truth)
			return true;
	return false;
}

int bt_name(struct binder *b, struct node *n)
{
	static const char inner[] = "__builtin_";
	const char *name = name_of(b, n);
	int found;

	if (*name == '$')
		return variable(b, n);
	/* What bpftrace's own macros, as pid, stand for. */
	if (n->length > strlen(inner) && !strncmp(name, inner, strlen(inner))) {
		n->at = (uint32_t)(n->at + strlen(inner));
		n->length = (uint16_t)(n->length - strlen(inner));
		name += strlen(inner);
	}
	if (is_name(b, n, "ctx") && bt_goes_through(bt_of(b->t)->now))
		return bt_bind_item(b, n);
	if (bt_of(b->t)->now->aside && is_of_event(b, n))
		return WRONG(b, n, BT_ASIDE);
	if (n->op && words[n->op - 1].bind && is_name(b, n, words[n->op - 1].name))
		return words[n->op - 1].bind(b, n);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_name(b, n, names[i].name))
			return names[i].infer(b, n, &names[i]);
	found = argument_number(name, n->length);
	if (found >= 0)
		return argument(b, n, found);
	if (is_name(b, n, "retval"))
		return bt_of(b->t)->now->typed && b->s->returns ? typed_result(b, n) : 0;
	if (is_name(b, n, "args"))
		return WRONG(b, n, b->s->tracepoint ? "a field is missing: args.NAME" :
			     "only tracepoints have args; arguments of functions are arg0, arg1 "
			     "...");
	found = constant(b, n);
	return found ? found : unknown(b, n);
}

/* ---- texts ---- */

int bt_make_comparison(struct binder *b, struct node *n, uint8_t op, bool with, uint64_t letters)
{
	const struct c_type type = with ? c_bool() : c_integer(4, true);
	struct node *same = new_node(b, NODE_CALL, n->at),
		    *other = number_node(b, n->at, with, type);

	if (!same || !other)
		return fail(b->err, "out of memory");
	same->function = &bt_same;
	same->a = n->a;
	same->b = n->b;
	same->value = letters;
	same->type = type;
	make_binary(n, op, same, other, type);
	return 0;
}

/* TEXT == TEXT */
int bt_binary(struct binder *b, struct node *n)
{
	struct node *const sides[] = { n->a, n->b };
	struct bt_shape shapes[2];

	if (bt_shape_of(b, n->a, &shapes[0]) || bt_shape_of(b, n->b, &shapes[1]))
		return -1;
	if (is_number(&shapes[0]) && is_number(&shapes[1]))
		return 0;
	if (shapes[0].kind == BT_TUPLE && shapes[1].kind == BT_TUPLE)
		return bt_compare_tuples(b, n) ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (shapes[i].kind == BT_TUPLE || shapes[i].kind == BT_NOTHING)
			return WRONG(b, sides[i], "this is %s, and the other side is none",
				     bt_kind_of(&shapes[i]));
	if (n->op != OP_EQ && n->op != OP_NE)
		return WRONG(b, n, "texts can be compared with == and != only");
	if (bt_is_name_of_probe(b, n->a) || bt_is_name_of_probe(b, n->b))
		return bt_compare_names(b, n) ? -1 : 1;
	if (shapes[0].block == shapes[1].block && shapes[0].format == shapes[1].format &&
	    (shapes[0].block == BT_BYTES || shapes[0].block == BT_BUFFER))
		return bt_make_comparison(b, n, n->op, true, 0) ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (shapes[i].block || shapes[i].kind == BT_SHOWN || shapes[i].kind == BT_STACK)
			return WRONG(b, sides[i], "%s can be shown and be a key, not compared: "
				     "compare the numbers that it is made of",
				     bt_kind_of(&shapes[i]));
		else if (shapes[i].kind == BT_NUMBER)
			return WRONG(b, sides[i], "this is a number: str() makes a text of an "
				     "address");
	return bt_make_comparison(b, n, n->op, true, 0) ? -1 : 1;
}

/* NUMBER ? TEXT : TEXT */
int bt_choice(struct binder *b, struct node *n)
{
	struct bt_shape shape, other;

	if (bt_shape_of(b, n->b, &shape) || bt_shape_of(b, n->c, &other))
		return -1;
	if (is_number(&shape) && is_number(&other))
		return 0;
	if (want_number(b, n->a))
		return -1;
	if (shape.kind == BT_TUPLE && other.kind == BT_TUPLE)
		return bt_choose_tuple(b, n) ? -1 : 1;
	if (shape.kind == BT_NOTHING && other.kind == BT_NOTHING) {
		n->type = n->b->type;
		return 1;
	}
	if (!bt_shape_join(NULL, &shape, &other))
		return WRONG(b, n, "the first value is %s, and the other one %s",
			     bt_kind_of(&shape), bt_kind_of(&other));
	n->faults = n->a->faults || n->b->faults || n->c->faults;
	bt_type_text(n, &shape);
	return 1;
}

int bt_choose(struct binder *b, struct node *n)
{
	const int own = bt_choice(b, n);
	struct bt_shape shape, other;

	if (own)
		return own < 0 ? -1 : 0;
	if (bt_shape_of(b, n->b, &shape) || bt_shape_of(b, n->c, &other))
		return -1;
	bt_shape_join(NULL, &shape, &other);
	bt_type_read(n, &shape, &(struct c_type){ });
	n->faults = n->a->faults || n->b->faults || n->c->faults;
	return 0;
}

const struct function bt_same = { .name = "==", .emit = bt_emit_same };

/* ---- values that begin in bpftrace's way ---- */

static bool is_builtin(const struct parser *p)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (parser_is_word(p, names[i].name))
			return true;
	return parser_is_word(p, "retval") || argument_number(parser_text(p), p->now.length) >= 0;
}

/* The token is between the brackets of a name. n->op becomes the row's number plus 1. */
static int word_of_name(struct parser *p, struct node *n)
{
	const char *name = p->t->source.text + n->at;
	char list[80] = "";

	for (size_t i = 0; i < WORDS; i++) {
		if (strlen(words[i].name) != n->length || memcmp(words[i].name, name, n->length))
			continue;
		if (parser_is_word(p, words[i].word)) {
			n->op = (uint8_t)(i + 1);
			return parser_step(p);
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			 *list ? ", " : "", words[i].word);
	}
	return *list ? NOT_HERE(p, "%.*s() takes one of these words: %s", n->length, name, list) :
	       NOT_HERE(p, "%.*s() takes no arguments here", n->length, name);
}

/* pid(), which is pid. The token is the name. */
static struct node *name_with_brackets(struct parser *p)
{
	struct node *n = parser_node(p, NODE_NAME, p->now.at);

	if (!n)
		return NULL;
	n->length = (uint16_t)p->now.length;
	if (parser_step(p) || parser_expect(p, '(') ||
	    (!parser_is(p, ')') && word_of_name(p, n)))
		return NULL;
	return parser_expect(p, ')') ? NULL : n;
}

/* bpftrace's functions of values that this language has not yet, and what does instead. */
static const struct {
	const char *name, *instead;
} missing_functions[] = {
	{ "skboutput", "tcpdump writes packets into files" },
	{ "config", "write the value of the setting" },
	{ "kfunc_exist", "a probe that is not there is left out" },
	{ "kfunc_allowed", "sonde calls no functions of the kernel" },
	{ "dw_ustack", "ustack with --unwind dwarf finds callers" },
	{ "socket_cookie", "the address of the socket tells sockets apart" },
};

/* The token is a name with a bracket behind it. */
static struct node *call(struct parser *p, bool *own)
{
	*own = true;
	if (is_builtin(p))
		return name_with_brackets(p);
	if (bt_is_call(p))
		return bt_inner_call(p);
	for (size_t i = 0; i < sizeof(missing_functions) / sizeof(missing_functions[0]); i++)
		if (parser_is_word(p, missing_functions[i].name)) {
			NOT_HERE(p, "%s() is not in sonde's language yet: %s",
				 missing_functions[i].name, missing_functions[i].instead);
			return NULL;
		}
	*own = false;
	return NULL;
}

bool bt_is_function(const struct parser *p)
{
	static const char *const others[] = { "has_key", "len", "delete", "if" };

	for (size_t i = 0; i < sizeof(missing_functions) / sizeof(missing_functions[0]); i++)
		if (parser_is_word(p, missing_functions[i].name))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (parser_is_word(p, others[i]) && !bt_is_call(p))
			return true;
	for (const struct function *const *family = p->t->functions; *family; family++)
		for (const struct function *f = *family; f->name; f++)
			if (parser_is_word(p, f->name))
				return true;
	return is_builtin(p);
}

struct node *bt_primary(struct parser *p, bool *own)
{
	const char *text = parser_text(p);
	const bool number = p->now.kind == TOKEN_NUMBER;
	struct node *n;

	*own = true;
	if (p->now.kind == TOKEN_NAME && strchr("@$", *text) && bt_is_stepped(p))
		return bt_inner_step(p);
	if (p->now.kind == TOKEN_NAME && *text == '@')
		return bt_map_node(p);
	if (p->now.kind == TOKEN_NAME && *text == '$' && (isdigit((unsigned char)text[1]) ||
							  text[1] == '#'))
		return bt_parameter(p);
	if (p->now.kind == TOKEN_OPERATOR && (p->now.op == BT_OP_INCREMENT ||
					      p->now.op == BT_OP_DECREMENT))
		return bt_inner_step(p);
	if (parser_is(p, '{'))
		return bt_inner_block(p);
	if (parser_is_word(p, "if"))
		return bt_inner_if(p);
	if (parser_is_word(p, "kstack") || parser_is_word(p, "ustack"))
		return bt_stack_name(p);
	n = bt_map_function(p, own);
	if (*own)
		return n;
	n = p->now.kind == TOKEN_NAME && bt_has_bracket(p) ? call(p, own) : bt_tuple_read(p, own);
	if (*own)
		return n;
	/* All literals have 64 bits. */
	if (number && p->now.longs < 2)
		p->now.longs = 2;
	return NULL;
}
