// SPDX-License-Identifier: GPL-2.0
/* Warnings about a script, in the form of bpftrace's. */
#include <string.h>

#include "src/bt/passes.h"

void bt_warn(struct bt *b, const struct error *why)
{
	static const char error[] = ": ERROR: ", missing[] = "No matches for ";
	const char *at = strstr(why->text, error), *text = at ? at + strlen(error) : "", *detail;

	detail = strncmp(text, missing, strlen(missing)) ? NULL : strstr(text, ": ");
	if (detail)
		lines_add(&b->warnings, "%.*s: WARNING: %.*s. Skipping%s", (int)(at - why->text),
			  why->text, (int)(detail - text), text, detail);
	else if (at)
		lines_add(&b->warnings, "%.*s: WARNING: %s", (int)(at - why->text), why->text,
			  text);
}
