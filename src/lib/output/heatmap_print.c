// SPDX-License-Identifier: GPL-2.0
/*
 * Heat maps in characters, turned by a right angle: time runs downwards, so that each interval can
 * be printed once.
 */
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/output/heatmap.h"

#define TIME 11				/* columns for the time and the bar behind it */
#define TOTAL 10			/* for the total, and the bar before it */
#define HEADING 20			/* lines between two headings */
#define LEAST 8				/* cells, in however narrow a window */

/* Few to many: 1 3 10 30 100 300 1k 3k 10k. */
static const char shades[] = " .:-=+*#%@";
#define LARGEST 10000

/*
 * The axis is the same in all lines, so it has to be there before the first value is: from 0 to
 * some minutes. The last cell is for all that is above.
 */
static struct heatmap_rows axis(const struct heatmap *m, const char *unit, unsigned int cells)
{
	static const struct { const char *unit; unsigned int bits; } tops[] = {
		{ "nsecs", 37 }, { "usecs", 27 }, { "msecs", 17 }, { "secs", 16 },
	};
	unsigned int bits = 32;

	if (m->step)
		return heatmap_fold_steps(m, cells - 1);
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++)
		if (!strcmp(tops[i].unit, unit))
			bits = tops[i].bits;
	return heatmap_fold(0, heatmap_slot((1ULL << bits) - 1), cells - 1);
}

static void put_marks(FILE *file, const struct heatmap_rows *r, const char *unit)
{
	struct heatmap_mark marks[HEATMAP_MARKS];
	unsigned int n = heatmap_marks(r, unit, 6, marks), at = 0;

	for (unsigned int row = 0; row < r->n; row++)
		for (unsigned int i = 0; i < n; i++)
			if (marks[i].row == row && row + strlen(marks[i].label) < r->n) {
				fprintf(file, "%*s%s", (int)(row - at), "", marks[i].label);
				at = row + strlen(marks[i].label);
			}
	fprintf(file, "%*s>\n", at < r->n ? (int)(r->n - at) : 0, "");
}

static void put_heading(FILE *file, const struct heatmap_rows *r, const char *unit,
			const struct heatmap_scale *s)
{
	char label[16];

	fputs("count:", file);
	for (unsigned int i = 0; i < s->n; i++) {
		heatmap_label(label, sizeof(label), s->least[i], "");
		fprintf(file, "  %c %s", shades[i + 1], label);
	}
	fprintf(file, "\n%-*s", TIME, heatmap_unit_is_time(unit) ? "" : unit);
	put_marks(file, r, unit);
}

static void put_group(FILE *file, const struct heatmap *m, const struct heatmap_group *g,
		      unsigned int cells,
		      struct heatmap_lines *lines)
{
	const struct heatmap_column *column = &m->columns[m->n_columns - 1];
	const struct heatmap_cells *c = g ? &g->cells[m->n_columns - 1] :
		&(struct heatmap_cells){ };
	const char *unit = g ? g->unit : *lines->unit ? lines->unit : "usecs";
	struct heatmap_rows r = axis(m, unit, cells);
	uint64_t counts[HIST_SLOTS], inside = 0;
	struct heatmap_scale s;
	char time[32];

	heatmap_scale(&s, SERIES_1_3, LARGEST);
	if (lines->n % HEADING == 0 || strncmp(lines->unit, unit, sizeof(lines->unit) - 1)) {
		put_heading(file, &r, unit, &s);
		text_cut(lines->unit, sizeof(lines->unit), "%s", unit);
		lines->n = 0;
	}
	lines->n++;
	heatmap_column_rows(c, &r, counts);
	heatmap_time(m, time, sizeof(time), column->start);
	fprintf(file, "%-*.*s|", TIME - 1, TIME - 1, time);
	for (unsigned int row = 0; row < r.n; row++) {
		fputc(shades[heatmap_level(&s, counts[row])], file);
		inside += counts[row];
	}
	fprintf(file, "%c| %llu", shades[heatmap_level(&s, c->total - inside)],
		(unsigned long long)c->total);
	if (c->total && *g->name)
		fprintf(file, "  %s", g->name);
	fputc('\n', file);
}

void heatmap_print(FILE *file, const struct heatmap *m, unsigned int width,
		   struct heatmap_lines *lines)
{
	unsigned int cells = width > TIME + TOTAL + LEAST ? width - TIME - TOTAL : LEAST;
	uint64_t lost = m->columns[m->n_columns - 1].lost;
	bool any = false;

	for (unsigned int i = 0; i < m->n_groups; i++)
		if (m->groups[i].cells[m->n_columns - 1].total) {
			put_group(file, m, &m->groups[i], cells, lines);
			any = true;
		}
	if (!any)
		put_group(file, m, m->n_groups ? &m->groups[0] : NULL, cells, lines);
	/*
	 * On a line of its own: those above may fill the window, and all groups together lost
	 * these.
	 */
	if (lost)
		fprintf(file, "%*s! lost %llu\n", TIME, "", (unsigned long long)lost);
}
