// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/tree.h"

#include <stdlib.h>
#include <string.h>

struct node *tree_node(struct tree *t, enum node_kind kind, size_t at)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = (uint8_t)kind;
	n->at = (uint32_t)at;
	n->next = t->nodes;
	t->nodes = n;
	return n;
}

/* *to = a copy of n; all of it is there if there is a copy. */
static bool copy_below(struct tree *t, struct node **to, const struct node *n)
{
	*to = n ? tree_copy(t, n) : NULL;
	return !n || *to;
}

struct node *tree_copy(struct tree *t, const struct node *n)
{
	struct node *copy = tree_node(t, n->kind, n->at), *next;

	if (!copy)
		return NULL;
	next = copy->next;
	*copy = *n;
	copy->next = next;
	copy->text = NULL;
	if (n->text) {
		copy->text = calloc(1, n->length + 1U);
		if (!copy->text)
			return NULL;
		memcpy(copy->text, n->text, n->length);
	}
	return copy_below(t, &copy->a, n->a) && copy_below(t, &copy->b, n->b) &&
	       copy_below(t, &copy->c, n->c) ? copy : NULL;
}

void tree_free(struct tree *t)
{
	while (t->nodes) {
		struct node *n = t->nodes;

		t->nodes = n->next;
		free(n->text);
		free(n);
	}
}
