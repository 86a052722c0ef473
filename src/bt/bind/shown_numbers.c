// SPDX-License-Identifier: GPL-2.0
/* Numbers that are shown as texts: functions of expressions, and the name of the user. */
#include <string.h>

#include "compat/base/array.h"
#include "src/bt/bind/bind.h"
#include "src/bt/show/show.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

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
	const struct bt_shape shape = { .kind = BT_SHOWN, .size = 8,
					.shown = { .show = (uint8_t)show, .format = format } };

	if (bind_node(b, &value) || want_number(b, value) ||
	    (!value->type.pointers &&
	     convert(b, &value, c_integer(8, c_signed(&value->type)))))
		return -1;
	bt_make_call(n, &bt_shown_number, 0);
	n->a = value;
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

	return !uid || bind_identity(b, uid, "uid", 8) || make_shown(b, n, uid, BT_SHOW_USER, 0) ?
	       -1 : 1;
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
