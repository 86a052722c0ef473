// SPDX-License-Identifier: GPL-2.0
#include "src/session/wording.h"

#include "compat/user/binaries.h"

struct lines chosen_lines(const struct resolution *r)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < r->n; i++) {
		const struct event *e = r->events[i].event;
		const char *where = e->binary ? e->binary->path : e->system;

		if (!e->is_part)
			lines_add(&lines, "%s: %s %.300s%s%s", r->events[i].hook,
				  event_traits(e->kind)->title, where,
				  *where ? ":" : "", e->name);
	}
	return lines;
}

struct lines missing_lines(const struct resolution *r)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < r->n_lacks; i++)
		lines_add(&lines, "%s%s%s", r->lacks[i].hook, *r->lacks[i].input ? "." : "",
			  r->lacks[i].input);
	return lines;
}

struct lines doubt_lines(const struct resolution *r)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < r->n_lacks; i++)
		if (r->lacks[i].doubt)
			lines_add(&lines, "%s may be incomplete: %s", r->lacks[i].hook,
				  r->lacks[i].doubt);
	return lines;
}
