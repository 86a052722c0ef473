// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "src/run/tool.h"

const struct tool *tool_named(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (!strcmp((*t)->name, name))
			return *t;
	return NULL;
}
