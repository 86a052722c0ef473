// SPDX-License-Identifier: GPL-2.0
#include "src/session/wording.h"

#include "compat/binaries/binaries.h"
#include "compat/kinds/kinds.h"

struct lines chosen_lines(const struct resolution *resolved)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < resolved->n; i++) {
		const struct event *e = resolved->events[i].event;
		const char *where = e->binary ? e->binary->path : e->system;

		if (!e->is_part)
			lines_add(&lines, "%s: %s %.300s%s%s", resolved->events[i].hook,
				  event_traits(e->kind)->title, where, *where ? ":" : "", e->name);
	}
	return lines;
}

struct lines missing_lines(const struct resolution *resolved)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < resolved->n_lacks; i++)
		lines_add(&lines, "%s%s%s", resolved->lacks[i].hook,
			  *resolved->lacks[i].input ? "." : "", resolved->lacks[i].input);
	return lines;
}

struct lines doubt_lines(const struct resolution *resolved)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < resolved->n_lacks; i++)
		if (resolved->lacks[i].doubt)
			lines_add(&lines, "%s may be incomplete: %s", resolved->lacks[i].hook,
				  resolved->lacks[i].doubt);
	return lines;
}

struct lines loss_lines(const struct engine_stats *s, uint64_t untimed, bool live,
			bool ftrace)
{
	const struct { uint64_t n; const char *what; } losses[] = {
		{ s->lost - s->left_out, live ? "lost between the kernel and sonde (--buffer-pages "
						"N makes the buffers larger)" :
						"lost between the kernel and the records" },
		{ s->left_out, ftrace ? "lost: the kernel counted them, and left them out of "
			       "buffers that had room (try --backend ftrace)" :
			       "lost: the kernel counted them, and left them out of buffers that "
			       "had room" },
		{ s->late, "left out: they came too late to be put in order" },
		{ s->unpaired, "left out: they waited for their other half when events were lost" },
		{ s->full, "left out: a table had no room for them" },
		{ s->missed - s->switches - s->returns,
		  "left out: the kernel skipped their probe, because it was busy with another "
		  "probe" },
		{ s->returns, "left out: calls whose return the kernel missed, because too many "
			      "calls were under way" },
		{ s->unreturned, "without an end: these calls go on, or the kernel missed their "
				 "return" },
		{ s->switches, "left out: switches of tasks that the kernel did not record" },
		{ untimed, "could not be told apart from others at the same place: they are "
			   "counted here, and have no time" },
		{ s->strings, "without a text: the text was gone before sonde read it" },
	};
	struct lines lines = { };

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			lines_add(&lines, "%llu event%s %s", (unsigned long long)losses[i].n,
				  losses[i].n == 1 ? "" : "s", losses[i].what);
	return lines;
}
