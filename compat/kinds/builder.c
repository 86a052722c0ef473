// SPDX-License-Identifier: GPL-2.0
#include "compat/kinds/builder.h"

#include <stdlib.h>
#include <string.h>

static int find_in(struct builder *b, const char *text, const char *name, struct fetch *f,
		   int *index)
{
	struct error why = { };
	int found;

	while ((found = fetch_next(&text, f, &why)) > 0) {
		size_t n = strlen(f->name);

		*index = 0;
		if (f->indexed && !strncmp(name, f->name, n) && name[n] == '[') {
			*index = atoi(name + n + 1);
			return 1;
		}
		if (!f->indexed && input_named(name, f->name))
			return 1;
	}
	return found < 0 ? not_served(b->refusal, NULL, "%s", why.text) : found;
}

int be_find_fetch(struct builder *b, const char *name, struct fetch *f, int *index)
{
	int found = find_in(b, b->probe->inputs, name, f, index);

	return found || !b->alternative->inputs ? found :
	       find_in(b, b->alternative->inputs, name, f, index);
}

bool be_wants(const struct builder *b, const char *name)
{
	return demand_wants(b->demand, name);
}

bool be_of_usdt(const struct builder *b, const struct fetch *f)
{
	return b->place && b->place->arguments && f->base == FETCH_ARG;
}
