// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/called.h"

#include <string.h>

#include "compat/base/text.h"

#define NAME 16

void called_all(struct called *c, uint32_t pid, const char *name)
{
	char *known;

	c->processes.value_size = NAME;
	if (!*name || c->processes.index.n == CALLED_MOST)
		hash_remove(&c->processes, &pid, sizeof(pid));
	known = *name && c->processes.index.n < CALLED_MOST ?
		hash_add(&c->processes, &pid, sizeof(pid)) : NULL;
	if (known)
		text_cut(known, NAME, "%s", name);
}

void called_one(struct called *c, uint32_t pid, const char *name)
{
	const char *known = hash_find(&c->processes, &pid, sizeof(pid));

	if (known && strncmp(known, name, NAME - 1))
		hash_remove(&c->processes, &pid, sizeof(pid));
}

const char *called_name(const struct called *c, uint32_t pid)
{
	const char *known = hash_find(&c->processes, &pid, sizeof(pid));

	return known ? known : "";
}

void called_free(struct called *c)
{
	hash_clear(&c->processes);
}
