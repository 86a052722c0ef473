// SPDX-License-Identifier: GPL-2.0
#include "src/session/wording.h"

#include "compat/base/strbuf.h"
#include "compat/binaries/binaries.h"
#include "compat/hooks/hooks.h"
#include "compat/kinds/costs.h"
#include "compat/kinds/kinds.h"
#include "compat/kinds/many.h"

void event_place(const struct event *e, char *to, size_t size)
{
	const char *where = e->binary ? e->binary->path : e->system;
	struct strbuf place = strbuf_over(to, size);

	strbuf_addf(&place, "%.300s%s%s", where, *where ? ":" : "", e->name);
	if (e->many && e->many->n > 1)
		strbuf_addf(&place, " and %u more", e->many->n - 1);
}

struct lines chosen_lines(const struct resolution *resolved)
{
	struct lines lines = { };
	char place[EVENT_PLACE];

	for (unsigned int i = 0; i < resolved->n; i++) {
		const struct event *e = resolved->events[i].event;

		if (e->is_part)
			continue;
		event_place(e, place, sizeof(place));
		lines_add(&lines, "%s: %s %s", resolved->events[i].hook,
			  event_traits(e->kind)->title, place);
	}
	return lines;
}

struct lines cost_lines(const struct resolution *resolved)
{
	struct lines lines = { };

	for (unsigned int i = 0; i < resolved->n; i++) {
		const struct event_cost *cost = event_cost(resolved->events[i].event);

		if (cost && cost->ns)
			lines_add(&lines, "%s: about %u ns", cost->text, cost->ns);
		else if (cost)
			lines_add(&lines, "%s", cost->text);
	}
	for (unsigned int i = 0; i < resolved->n; i++) {
		const struct hook *h = hook_by_name(resolved->events[i].hook);

		if (h && h->often)
			lines_add(&lines, "%s takes longer", h->often);
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

struct lines loss_lines(const struct engine_stats *s, uint64_t untimed, bool live, bool ftrace,
			bool shared)
{
	const struct { uint64_t n; const char *what; } losses[] = {
		{ s->lost - s->left_out - s->undecided,
		  live && shared ?
			 "of all tasks lost between the kernel and sonde: at most so many of the "
			 "wanted tasks (--buffer-pages N makes the buffers larger)" :
		  live ? "lost between the kernel and sonde (--buffer-pages N makes the buffers "
			 "larger)" : "lost between the kernel and the records" },
		{ s->left_out, ftrace ? "lost: the kernel counted them, and left them out of "
			       "buffers that had room (try --backend ftrace)" :
			       "lost: the kernel counted them, and left them out of buffers that "
			       "had room" },
		{ s->undecided, "left out: it is unknown whether their task was asked for" },
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
		{ s->strings, "without a string: the string was gone before sonde read it" },
	};
	struct lines lines = { };

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			lines_add(&lines, "%llu event%s %s", (unsigned long long)losses[i].n,
				  losses[i].n == 1 ? "" : "s", losses[i].what);
	return lines;
}
