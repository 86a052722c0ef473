// SPDX-License-Identifier: GPL-2.0
/* $entry: values of a call that are known at its return. */
#include <string.h>

#include "src/language/expressions/functions/functions.h"
#include "src/language/questions/values.h"

/* A text is read at the return. Only its address, or another number, can be kept. */
static int check(struct binder *b, const struct node *n)
{
	const bool comm = n->kind == NODE_NAME && (is_name(b, n, "$comm") ||
						   is_name(b, n, "$COMM"));

	if (!comm && n->kind != NODE_TEXT)
		return 0;
	return WRONG(b, n, "$entry keeps numbers and addresses: %s",
		     comm ? "$COMM is the same string without it" :
		     "this string is known without it");
}

/* $entry(a): the value of a when the function began. The probe on the call has kept it. */
static int entry(struct binder *b, struct node **at)
{
	struct kept_values *kept = b->s->frame.kept;
	struct lang_value *v;
	struct node *n = *at;

	if (!kept)
		return WRONG(b, n, "$entry is of argdist's returns: r:FUNCTION(SIGNATURE)");
	if (check(b, n->a) || bind_number(b->t, kept->calls, &n->a, b->err))
		return -1;
	if (kept->n == kept->most)
		return WRONG(b, n, "there are %u $entry at most", kept->most);
	v = &kept->list[kept->n];
	v->node = n->a;
	v->offset = (uint16_t)(8 * kept->n);
	n->kind = NODE_SLOT;
	n->type = n->a->type;
	n->faults = n->a->faults;
	n->op = (uint8_t)kept->n++;
	n->value = (uint64_t)(int64_t)(kept->at + v->offset);
	n->a = NULL;
	return 0;
}

const struct function call_functions[] = {
	{ "$entry", "$entry(VALUE)", { ARGUMENT_VALUE }, entry, NULL },
	{ }
};
