// SPDX-License-Identifier: GPL-2.0
#include "src/bt/scripts/scripts.h"

#include <string.h>

const struct bt_script *bt_script_named(const char *name)
{
	for (const struct bt_script *s = bt_scripts; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

void bt_scripts_list(FILE *to)
{
	for (const struct bt_script *s = bt_scripts; s->name; s++) {
		const char *question = s->text + strspn(s->text, "/* \n");

		fprintf(to, "%-14s %.*s\n", s->name, (int)strcspn(question, "?\n") + 1, question);
	}
}
