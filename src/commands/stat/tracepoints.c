// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "compat/kernel/doubt.h"
#include "compat/kernel/format.h"
#include "compat/listing/listing.h"
#include "src/commands/stat/event.h"

static int add(struct kernel *k, const char *name, struct stat_events *to, struct error *err)
{
	const struct format *format = kernel_format_named(k, name);
	struct stat_event *e;

	if (!format)
		return kernel_lacks(k, err, "this kernel has no tracepoint %s\n`sonde tplist` "
				    "lists all tracepoints", name);
	e = stat_event_add(to, name, err);
	if (!e)
		return -1;
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = (uint64_t)format->id;
	if (perf_event_counts_ns(format->system, name + strcspn(name, ":") + 1)) {
		e->scale = 1;
		text_cut(e->unit, sizeof(e->unit), "ns");
	}
	return 0;
}

static bool matches(void *glob, const char *name)
{
	return expression_matches(glob, name);
}

static int add_all(struct kernel *k, const char *pattern, struct stat_events *to,
		   struct error *err)
{
	struct expression *glob = expression_of_glob(pattern, err);
	const struct wanted_names w = { matches, glob, NULL };
	struct listing l = { };
	int status = glob ? list_tracepoints(k, &w, &l, err) : -1;

	if (!status && !l.n)
		status = fail(err, "no tracepoint of this kernel matches %s\n`sonde tplist` lists "
				   "all tracepoints", pattern);
	for (unsigned int i = 0; i < l.n && !status; i++) {
		/* Some are listed and have no number: perf can't take them. */
		struct error none = { };

		if (add(k, l.list[i].name, to, &none) && to->n == STAT_EVENTS_MOST)
			status = fail_with(err, none.number, "%s: %s", pattern, none.text);
	}
	listing_free(&l);
	expression_free(glob);
	return status;
}

int stat_tracepoints_add(struct kernel *k, const char *system, const char *event, size_t n,
			 struct stat_events *to, struct error *err)
{
	struct feature_reason why = kernel_feature_reason(k, FEATURE_TRACEFS);
	char words[FEATURE_REASON], *name;
	int status;

	if (!kernel_has(k, FEATURE_TRACEFS)) {
		feature_reason_words(&why, words, sizeof(words));
		return fail(err, "%s:%.*s: the numbers of tracepoints are in tracefs, which can't "
				 "be read: %s", system, (int)n, event, words);
	}
	if (asprintf(&name, "%s:%.*s", system, (int)n, event) < 0)
		return fail(err, "out of memory");
	status = name[strcspn(name, "*?[")] ? add_all(k, name, to, err) : add(k, name, to, err);
	free(name);
	return status;
}
