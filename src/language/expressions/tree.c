// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/tree.h"

#include <stdlib.h>

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

void tree_free(struct tree *t)
{
	while (t->nodes) {
		struct node *n = t->nodes;

		t->nodes = n->next;
		free(n->text);
		free(n);
	}
}
