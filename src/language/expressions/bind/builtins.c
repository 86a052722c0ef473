// SPDX-License-Identifier: GPL-2.0
/* Names that begin with a $: values that all kinds of events have, or nearly all. */
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/lib/options/words.h"

struct builtin {
	const char *name;
	int (*infer)(struct binder *b, struct node *n, const struct builtin *row);
	const char *input;
	uint8_t size;
};

int bind_identity(struct binder *b, struct node *n, const char *input, unsigned int size)
{
	struct lang_input in = { .identity = true };
	int number;

	text_all(in.name, sizeof(in.name), "%s", input);
	text_all(in.fetch, sizeof(in.fetch), "%s", input);
	number = binder_input(b, n, in);
	if (number < 0)
		return -1;
	n->kind = NODE_INPUT;
	n->value = (uint64_t)number;
	n->type = c_integer(size, false);
	return 0;
}

static int identity(struct binder *b, struct node *n, const struct builtin *row)
{
	return bind_identity(b, n, row->input, row->size);
}

static int of_function(struct binder *b, struct node *n, const struct builtin *row)
{
	return b->s->event.tracepoint ? WRONG(b, n, "a tracepoint has no %s", row->name) :
	       identity(b, n, row);
}

static int comm(struct binder *b, struct node *n, const struct builtin *row)
{
	(void)row;
	return WRONG(b, n, "$comm is a string: show it with %%s");
}

int bind_task(struct binder *b, struct node *n)
{
	struct c_type type = { .base = C_STRUCT, .tag = "task_struct" };
	struct error why;

	if (types_complete(b->t->types, &type, false, &why) && b->wants_struct)
		return CAUSE(b, n, &why);
	type.pointers = 1;
	type.kernel = b->s->kernel_word;
	return to_input(b, n, type, "$current", ":uW");
}

static int task(struct binder *b, struct node *n, const struct builtin *row)
{
	(void)row;
	return bind_task(b, n);
}

/* Some values have bcc's names as well. */
static const struct builtin rows[] = {
	{ "$pid", identity, "tid", 4 },
	{ "$tid", identity, "tid", 4 },
	{ "$tgid", identity, "tgid", 4 },
	{ "$PID", identity, "tgid", 4 },
	{ "$uid", identity, "uid", 4 },
	{ "$gid", identity, "gid", 4 },
	{ "$cpu", identity, "cpu", 4 },
	{ "$nsecs", identity, "time", 8 },
	{ "$ip", of_function, "ip", 8 },
	{ "$cgroup", identity, "cgroup", 8 },
	{ "$comm", comm, NULL, 0 },
	{ "$COMM", comm, NULL, 0 },
	{ "$task", task, NULL, 0 },
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static int unknown(struct binder *b, const struct node *n)
{
	struct nearest near = { .word = name_of(b, n), .length = n->length };

	for (size_t i = 0; i < N_ROWS; i++)
		nearest_of(&near, rows[i].name);
	/* These names are short: at a distance of two letters nearly all names are near. */
	if (near.name && near.distance == 1)
		return WRONG(b, n, "there is no %.*s; did you mean %s?", n->length, near.word,
			     near.name);
	return WRONG(b, n, "there is no %.*s; there are $pid, $tid, $tgid, $uid, $gid, $cpu, "
		     "$nsecs, $ip, $comm, $task and $cgroup", n->length, near.word);
}

int bind_builtin(struct binder *b, struct node *n)
{
	if (is_name(b, n, "$latency") && b->s->frame.latency) {
		n->kind = NODE_SLOT;
		n->value = (uint64_t)b->s->frame.latency;
		n->type = c_integer(8, false);
		return 0;
	}
	for (size_t i = 0; i < N_ROWS; i++)
		if (is_name(b, n, rows[i].name))
			return rows[i].infer(b, n, &rows[i]);
	return unknown(b, n);
}
