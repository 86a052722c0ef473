// SPDX-License-Identifier: GPL-2.0
#include "compat/listing/listing.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

int listing_add(struct listing *l, const struct listed *one, const char *name, size_t length)
{
	struct listed *to;

	if (l->n == LISTED_MOST || array_room(&l->list, l->n, sizeof(*l->list)))
		return -1;
	to = &l->list[l->n];
	*to = *one;
	to->name = strndup(name, length);
	if (!to->name)
		return -1;
	l->n++;
	return 0;
}

static int text_order(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !b - !a;
}

static int order(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int result = strcmp(x->name, y->name);

	if (!result)
		result = text_order(y->module, x->module);
	if (!result && x->binary != y->binary)
		return x->binary < y->binary ? -1 : 1;
	return result ? result : (x->address > y->address) - (x->address < y->address);
}

void listing_sort(struct listing *l)
{
	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), order);
}

void listed_free(struct listed *one)
{
	free(one->name);
	free(one->module);
	free(one->arguments);
}

void listing_free(struct listing *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		listed_free(&l->list[i]);
	free(l->list);
	*l = (struct listing){ };
}
