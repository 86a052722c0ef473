// SPDX-License-Identifier: GPL-2.0
/* Differences of the recordings that are none of the machine. */
#include <string.h>

#include "src/commands/diff/report.h"

static const char *const names[DIFF_SIDES] = { "OLD", "NEW" };

static void note_losses(struct lines *to, const struct diff_file *f, const struct diff_end *e,
			const char *name)
{
	if (f->lost)
		lines_add(to, "%s lacks %llu events that its recorder lost: its values may be "
			      "larger than shown", name, (unsigned long long)f->lost);
	else if (e->losses)
		lines_add(to, "%s lacks events (%s): its values may be larger than shown", name,
			  e->what);
	if (e->untraced_ms)
		lines_add(to, "%s was not traced for %llu ms on some CPUs", name,
			  (unsigned long long)e->untraced_ms);
	for (unsigned int i = 0; i < f->notes.n; i++)
		lines_add(to, "%s: %s", name, f->notes.list[i]);
}

static void note_machines(struct lines *to, const struct diff_file f[DIFF_SIDES])
{
	if (!f[DIFF_OLD].recording || !f[DIFF_NEW].recording)
		return;
	if (strcmp(f[DIFF_OLD].release, f[DIFF_NEW].release) ||
	    strcmp(f[DIFF_OLD].machine, f[DIFF_NEW].machine))
		lines_add(to, "the kernels are not the same");
	if (f[DIFF_OLD].cpus != f[DIFF_NEW].cpus)
		lines_add(to, "%u CPUs, then %u: values are those of all CPUs",
			  f[DIFF_OLD].cpus, f[DIFF_NEW].cpus);
	if (strcmp(f[DIFF_OLD].sampling, f[DIFF_NEW].sampling))
		lines_add(to, "samples were taken in different ways (%s; %s): their counts can't "
			      "be compared, their shares can",
			  *f[DIFF_OLD].sampling ? f[DIFF_OLD].sampling : "none",
			  *f[DIFF_NEW].sampling ? f[DIFF_NEW].sampling : "none");
}

/* The end of a table's first rows is no end of what happened. */
static void note_limit(struct lines *to, const struct diff_file f[DIFF_SIDES],
		       const struct tool *t)
{
	const struct option *limit = diff_limit(t);

	if (limit && !(f[DIFF_OLD].recording && f[DIFF_NEW].recording))
		lines_add(to, "%s writes the largest rows only, unless --%s asks for more: new "
			      "rows, and rows that are gone, may have been too small",
			  t->name, limit->name);
}

struct lines diff_notes(const struct diff_file files[DIFF_SIDES], const struct diff_reader *r)
{
	const struct diff_end *ends = r->ends;
	struct lines to = { };

	note_machines(&to, files);
	note_limit(&to, files, r->tool);
	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		note_losses(&to, &files[i], &ends[i], names[i]);
	if (strcmp(ends[DIFF_OLD].engine, ends[DIFF_NEW].engine))
		lines_add(&to, "the engines are not the same: %s, then %s", ends[DIFF_OLD].engine,
			  ends[DIFF_NEW].engine);
	if (ends[DIFF_OLD].missing && ends[DIFF_NEW].missing &&
	    strcmp(ends[DIFF_OLD].missing, ends[DIFF_NEW].missing))
		lines_add(&to, "the missing parts are not the same: %s, then %s",
			  ends[DIFF_OLD].missing, ends[DIFF_NEW].missing);
	if (r->table.crowded)
		lines_add(&to, "more than %u different rows: %llu later ones are in [others]",
			  DIFF_KEYS, (unsigned long long)r->table.crowded);
	if (r->table.no_slots)
		lines_add(&to, "no percentiles: there are more than %u different values",
			  DIFF_SLOTS);
	if (r->crowded)
		lines_add(&to, "some columns were left out: there are more than %d, or more than "
			       "%d values to compare", DIFF_MEMBERS, DIFF_MEASURES);
	return to;
}
