// SPDX-License-Identifier: GPL-2.0
#include "compat/hooks/hooks.h"

#include <stddef.h>
#include <string.h>

#define DECLARE(NAME) extern const struct hook hooks_##NAME[];
HOOK_AREAS(DECLARE)

#define ROW(NAME) hooks_##NAME,
const struct hook *const hooks[] = { HOOK_AREAS(ROW) NULL };

const struct hook *hook_by_name(const char *name)
{
	for (const struct hook *const *area = hooks; *area; area++)
		for (const struct hook *h = *area; h->name; h++)
			if (!strcmp(h->name, name))
				return h;
	return NULL;
}
