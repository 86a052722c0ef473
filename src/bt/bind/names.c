// SPDX-License-Identifier: GPL-2.0
/* Names and values that bpftrace has and C has not: builtins, $variables, @maps, $1. */
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/lib/options/words.h"
#include "src/run/tool.h"

/* ---- names ---- */

static bool is_number(const struct bt_shape *shape)
{
	return shape->kind == BT_NUMBER || shape->kind == BT_UNSET;
}

static int variable(struct binder *b, struct node *n)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const char *name = name_of(b, n);
	const int i = bt_read(now, name, n->length);
	char text[BT_NAME];
	int tuple = 0;

	if (n->length < BT_NAME) {
		text_cut(text, sizeof(text), "%.*s", n->length, name);
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

static int identity(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	return bind_identity(b, n, row->input, 8) ? -1 : 1;
}

/* A number of 32 bits, which bswap() turns round. */
static int short_identity(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	if (bind_identity(b, n, row->input, 8))
		return -1;
	n->type.width = 4;
	return 1;
}

/* The time since sonde read the script. */
static int elapsed(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	const struct c_type type = c_integer(8, false);
	struct node *now = new_node(b, NODE_NAME, n->at),
		    *start = number_node(b, n->at, bt_of(b->t)->started, type);

	if (!now || !start || identity(b, now, row) < 0)
		return -1;
	make_binary(n, '-', now, start, type);
	return 1;
}

static int named(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	return bt_bind_probe(b, n, row->value) ? -1 : 1;
}

static int stack(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	if (n->op == BT_STACK_LENGTH)
		return WRONG(b, n, "how long a stack is becomes known when it is shown: print the "
			     "length with %%d or print(), or take it as the key of an "
			     "aggregation");
	return WRONG(b, n, "%s is a stack: print it with %%s or print(), or take it as the key of "
		     "an aggregation", row->name);
}

/* What events of the kernel have, and sonde's own task for its own events. */
static int of_task(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	if (bt_of(b->t)->now->when == BT_KERNEL && !row->input)
		return bind_task(b, n) ? -1 : 1;
	if (bt_of(b->t)->now->when == BT_KERNEL)
		return identity(b, n, row);
	if (!row->input)
		return bt_bind_own_task(b, n) ? -1 : 1;
	if (row->value)
		return bt_bind_own_cgroup(b, n) ? -1 : 1;
	make_number(n, (uint64_t)getppid(), c_integer(8, false));
	return 1;
}

/* 1 where an event is of user space. */
static int user_mode(struct binder *b, struct node *n)
{
	const struct bt_probe *p = bt_of(b->t)->now;

	if (b->s->event.tracepoint || p->frequency || p->on->probe.raw)
		return WRONG(b, n, "only functions tell where they run: the kstack of a sample in "
			     "user space is empty");
	make_number(n, p->when != BT_KERNEL || b->s->user_space || b->s->event.usdt,
		    c_integer(8, false));
	n->type.width = 1;
	return 1;
}

static int cpus(struct binder *b, struct node *n)
{
	(void)b;
	make_number(n, (uint64_t)sysconf(_SC_NPROCESSORS_CONF), c_integer(8, false));
	return 1;
}

/* The process of the command, which waits for the probes; 0: there is none. */
static int command_process(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	struct run *run = bt_of(b->t)->run;
	const int pid = run ? run_command_process(run, b->err) : 0;

	if (pid < 0)
		return -1;
	make_number(n, row->value ? pid != 0 : (uint64_t)pid,
		    row->value ? c_bool() : c_integer(8, false));
	return 1;
}

/* A text that is known: "kprobe". */
static int probe_type(struct binder *b, struct node *n)
{
	const struct bt_probe *p = bt_of(b->t)->now;
	const bool special = p->when == BT_BEGIN || p->when == BT_END || p->when == BT_SIGNALLED;

	return bt_make_literal(b, n, special ? "special" : p->type) ? -1 : 1;
}

/* The name of another task, which the current one's struct leads to. */
static int other_name(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG(b, n, "BEGIN, END, interval and iter have no %s: they are sonde's own",
			     row->name);
	return bt_bind_task_name(b, n, row->input) ? -1 : 1;
}

static int truth(struct binder *b, struct node *n, const struct bt_name_row *row)
{
	(void)b;
	make_number(n, row->value, c_bool());
	return 1;
}

const struct bt_name_row bt_names[] = {
	{ "true", truth, NULL, true },
	{ "false", truth, NULL, false },
	{ "pid", short_identity, "tgid" },
	{ "tid", short_identity, "tid" },
	{ "uid", identity, "uid" },
	{ "gid", identity, "gid" },
	{ "cpu", short_identity, "cpu" },
	{ "nsecs", identity, "time" },
	{ "elapsed", elapsed, "time" },
	{ "comm", .bind = bt_bind_comm },
	{ "probe", named, NULL, BT_PROBE },
	{ "func", named, NULL, BT_FUNCTION },
	{ "ppid", of_task, "ppid" },
	{ "cgroup", of_task, "cgroup", true },
	{ "curtask", of_task, NULL },
	{ "usermode", .bind = user_mode },
	{ "ncpus", .bind = cpus },
	{ "cpid", command_process, NULL },
	{ "has_cpid", command_process, NULL, true },
	{ "rand", .bind = bt_bind_random },
	{ "numaid", .bind = bt_bind_numa_node },
	{ "jiffies", .bind = bt_bind_jiffies },
	{ "probetype", .bind = probe_type },
	{ "pcomm", other_name, "+{task_struct.comm}(+{task_struct.real_parent}($current))" },
	{ "leader_comm", other_name, "+{task_struct.comm}(+{task_struct.group_leader}($current))" },
	{ "username", .bind = bt_bind_username },
	{ "kstack", stack, NULL },
	{ "ustack", stack, NULL },
	{ }
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
	for (const struct bt_name_row *row = bt_names; row->name; row++)
		nearest_of(&near, row->name);
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
	type.width = type.id ? 8 : 0;	/* a macro is as wide as its text, an enumerator is not */
	n->kind = NODE_NUMBER;
	n->type = type;
	return 1;
}

/* Arguments are numbered from 0. A signed one is of the kernel's word. */
static int argument(struct binder *b, struct node *n, int number)
{
	const struct c_type type = c_integer(b->s->word, true);
	const struct bt_probe *p = bt_of(b->t)->now;

	if (p->when != BT_KERNEL || p->frequency || p->on->probe.iterator)
		return WRONG(b, n, "only functions have arguments: a kprobe or uprobe");
	if (b->s->called.call)
		return WRONG(b, n, "a system call's function has its arguments elsewhere: take "
			     "tracepoint:syscalls:sys_enter_%s and its args", b->s->called.call);
	if (b->s->event.usdt)
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

	if (!b->s->called.name || types_function(b->t->types, b->s->called.name, list, &type) < 0)
		return WRONG(b, n, "the type of this result is unknown here: take kretprobe and "
			     "(int32)retval, or another type");
	if (!c_number(&type))
		return WRONG(b, n, "%s has no number as its result", b->s->called.name);
	if (type.pointers)
		return to_input(b, n, type, "$retval", ":uW") ? -1 : 1;
	bits = new_node(b, NODE_NAME, n->at);
	if (!bits || to_input(b, bits, c_integer(b->s->word, false), "$retval", ":uW"))
		return -1;
	n->kind = NODE_CAST;
	n->a = bits;
	n->type = type;
	return 1;
}

const struct bt_word_row bt_words[] = {
	{ "nsecs", "monotonic", NULL }, { "nsecs", "boot", bt_bind_boot },
	{ "nsecs", "tai", bt_bind_tai }, { "nsecs", "sw_tai", bt_bind_sw_tai },
	{ "pid", "init", NULL }, { "tid", "init", NULL },
	{ "pid", "curr_ns", bt_bind_own_ids }, { "tid", "curr_ns", bt_bind_own_ids },
	{ }
};

static bool is_of_event(struct binder *b, const struct node *n)
{
	if (is_name(b, n, "retval") || syntax_argument_number(name_of(b, n), n->length) >= 0)
		return true;
	for (const struct bt_name_row *row = bt_names; row->name; row++)
		if (is_name(b, n, row->name) && row->infer != truth)
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
	if (n->op && bt_words[n->op - 1].bind && is_name(b, n, bt_words[n->op - 1].name))
		return bt_words[n->op - 1].bind(b, n);
	for (const struct bt_name_row *row = bt_names; row->name; row++)
		if (is_name(b, n, row->name))
			return row->bind ? row->bind(b, n) : row->infer(b, n, row);
	found = syntax_argument_number(name, n->length);
	if (found >= 0)
		return argument(b, n, found);
	if (is_name(b, n, "retval"))
		return bt_of(b->t)->now->typed && b->s->called.returns ? typed_result(b, n) : 0;
	if (is_name(b, n, "args"))
		return WRONG(b, n, b->s->event.tracepoint ? "a field is missing: args.NAME" :
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
		return -1;
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
		return WRONG(b, n, "strings can be compared with == and != only");
	if (bt_is_name_of_probe(b, n->a) || bt_is_name_of_probe(b, n->b))
		return bt_compare_names(b, n) ? -1 : 1;
	if ((bt_block_of(&shapes[0]) == BT_BYTES || bt_block_of(&shapes[0]) == BT_BUFFER) &&
	    shapes[1].kind == BT_TEXT && shapes[0].text.block == shapes[1].text.block &&
	    shapes[0].text.type == shapes[1].text.type)
		return bt_make_comparison(b, n, n->op, true, 0) ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (bt_block_of(&shapes[i]) || shapes[i].kind == BT_SHOWN ||
		    shapes[i].kind == BT_STACK)
			return WRONG(b, sides[i], "%s can be shown and be a key, not compared: "
				     "compare the numbers that it is made of",
				     bt_kind_of(&shapes[i]));
		else if (shapes[i].kind == BT_NUMBER)
			return WRONG(b, sides[i], "this is a number: str() makes a string of "
				     "an address");
	return bt_make_comparison(b, n, n->op, true, 0) ? -1 : 1;
}

static int different(struct binder *b, const struct node *n, const struct bt_shape *x,
		     const struct bt_shape *y)
{
	return WRONG(b, n, "the first value is %s, and the other one %s", bt_kind_of(x),
		     bt_kind_of(y));
}

/* NUMBER ? TEXT : TEXT */
int bt_choice(struct binder *b, struct node *n)
{
	struct bt_shape shape, other;

	if (bt_shape_of(b, n->b ? n->b : n->a, &shape) || bt_shape_of(b, n->c, &other))
		return -1;
	if (is_number(&shape) && is_number(&other))
		return 0;
	if (want_number(b, n->a))
		return -1;
	if (!n->b)			/* it is a number */
		return different(b, n, &shape, &other);
	if (shape.kind == BT_TUPLE && other.kind == BT_TUPLE)
		return bt_choose_tuple(b, n) ? -1 : 1;
	if (shape.kind == BT_NOTHING && other.kind == BT_NOTHING) {
		n->type = n->b->type;
		return 1;
	}
	if (!bt_shape_join(NULL, &shape, &other))
		return different(b, n, &shape, &other);
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
