// SPDX-License-Identifier: GPL-2.0
/* The inputs of a hook: numbers, and the text that the resolver reads. */
#include "src/language/expressions/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/bind/binder.h"

const char *name_of(const struct binder *b, const struct node *n)
{
	return n->text && n->kind != NODE_TEXT ? n->text : b->t->source.text + n->at;
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

	for (number = 0; number < s->needs.n_inputs; number++)
		/* A field may have the name of an identity: uid, comm. */
		if (s->needs.inputs[number].identity == wanted.identity &&
		    !strcmp(s->needs.inputs[number].fetch, wanted.fetch) &&
		    !strcmp(s->needs.inputs[number].type, wanted.type))
			return (int)number;
	if (number >= INPUTS_MOST)
		return WRONG(b, n, "a probe may read %d different values", INPUTS_MOST);
	if (!wanted.identity)
		snprintf(wanted.name, sizeof(wanted.name), "a%u", number);
	s->needs.inputs[number] = wanted;
	s->needs.n_inputs = number + 1;
	return (int)number;
}

int to_input(struct binder *b, struct node *n, struct c_type type, const char *fetch,
	     const char *input_type)
{
	struct lang_input in = { };
	int number;

	text_all(in.type, sizeof(in.type), "%s", input_type);
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

const char *binder_function(const struct binder *b)
{
	const struct scope_function *f = &b->s->called;

	return f->written ? f->written : f->name ? f->name : "FUNCTION";
}

char *inputs_text(const struct scope_needs *n)
{
	char *text = calloc(n->n_inputs + 1, INPUT_FETCH + 24), *end = text;

	for (unsigned int i = 0; text && i < n->n_inputs; i++)
		if (!n->inputs[i].identity)
			end += sprintf(end, "%s%s=%s%s", end == text ? "" : " ",
				       n->inputs[i].name, n->inputs[i].fetch, n->inputs[i].type);
	return text;
}

bool inputs_may_fail(const struct scope_needs *n)
{
	if (n->follows)
		return true;
	for (unsigned int i = 0; i < n->n_inputs; i++)
		if (n->inputs[i].memory)
			return true;
	return false;
}
