// SPDX-License-Identifier: GPL-2.0
/* How many of a pattern's matches are traced, and which matches are not. */
#include <stdio.h>

#include "compat/kinds/many.h"
#include "compat/resolve/resolve.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/run/tool.h"
#include "src/toolkit/patterns/found.h"

/* The number of the engine's events on the pattern's first hook. */
static unsigned int count_events(const struct run *r, const struct patterns *p)
{
	const struct resolution *res = run_resolution(r);
	unsigned int n = 0;

	for (unsigned int i = 0; i < res->n; i++) {
		const struct event *e = res->events[i].event;

		if (res->events[i].hook == p->hook->name)
			n += (e->many ? e->many->n : 1) - e->refused;
	}
	return n;
}

unsigned int patterns_traced(const struct run *r, const struct patterns *p)
{
	bool verbose = common_of(run_options(r))->verbose;
	unsigned int found = p->found->listing.n, n = count_events(r, p), out = p->n_left_out;

	if (*p->renamed)
		run_note(r, "%s", p->renamed);
	/* Several tracepoints may replace a function: then there are more events than matches. */
	out += found > n ? found - n : 0;
	if (!out)
		return n;
	run_note(r, "%u more %s match%s and can't be probed%s", out, patterns_what(p, out),
		 out == 1 ? "es" : "", verbose ? "" : "; -v names them");
	for (unsigned int i = 0; verbose && i < p->left_out.n; i++)
		fprintf(sink_err(), "sonde: left out: %s\n", p->left_out.list[i]);
	return n;
}
