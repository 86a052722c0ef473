// SPDX-License-Identifier: GPL-2.0
/*
 * Heat maps as SVG: one file that needs nothing else. A cell says what it means when it is
 * pointed at. What is drawn is of basic shapes and attributes, which everything that shows SVG
 * knows.
 */
#include <string.h>

#include "compat/time/date.h"
#include "src/lib/output/heatmap.h"
#include "src/lib/output/svg.h"

#define LEFT 64
#define TOP 58
#define RIGHT 24
#define PLOT_WIDTH 960
#define PLOT_HEIGHT 384
#define ROWS 96				/* at most: 16 a decade over six decades */
#define CELL_MIN 2
#define CELL_MAX 84			/* room for the time of each column */
#define ROW_MAX 12
#define TITLE 22			/* above each map of several */
#define TIMES 34			/* below each map */
#define LEGEND 52
#define SWATCH 32
#define TICK CELL_MAX			/* between two times */
#define CHARACTER 7			/* its width at most, in text and in the title */
#define TITLE_CHARACTER 9
#define HOST_MOST 24
#define COMMAND_MOST 1000

struct drawing {
	FILE *file;
	const struct heatmap *m;
	unsigned int cell;		/* width of a column */
	unsigned int width;		/* of the picture */
	struct heatmap_scale scale;
};

/*
 * Few to many: light to dark, so that paper stays white where nothing was. The lightness falls all
 * the way.
 */
static void put_colour(FILE *file, unsigned int step, unsigned int steps)
{
	static const uint8_t stops[][3] = {
		{ 255, 237, 160 }, { 254, 178, 76 }, { 250, 100, 45 }, { 200, 10, 38 },
		{ 110, 0, 34 }, { 40, 0, 16 },
	};
	const unsigned int last = sizeof(stops) / sizeof(stops[0]) - 1;
	unsigned int place = steps > 1 ? step * last * 256 / (steps - 1) : last * 128;
	unsigned int stop = place / 256, part = place % 256;

	fputc('#', file);
	for (unsigned int i = 0; i < 3; i++)
		fprintf(file, "%02x", (stops[stop][i] * (256 - part) +
				       stops[part ? stop + 1 : stop][i] * part) / 256);
}

static struct heatmap_rows rows_of(const struct heatmap *m, const struct heatmap_group *g)
{
	return heatmap_rows_of(m, 0, g->unit, ROWS);
}

static unsigned int row_height(const struct heatmap_rows *r)
{
	unsigned int height = PLOT_HEIGHT / r->n;

	return height < ROW_MAX ? height : ROW_MAX;
}

static bool has_title(const struct heatmap_group *g)
{
	return *g->name || !heatmap_unit_is_time(g->unit);
}

/* Classes of the levels, so that a cell need not name its colour. */
static void put_style(struct drawing *d)
{
	fputs("<style>text{font-family:sans-serif;font-size:12px;fill:#222}"
	      ".h{font-size:15px;font-weight:bold}"
	      ".r{text-anchor:end}.g{stroke:#ddd;stroke-width:1}"
	      ".f{fill:none;stroke:#444;stroke-width:1}"
	      ".x{fill:#06c}", d->file);
	for (unsigned int i = 0; i < d->scale.n; i++) {
		fprintf(d->file, ".c%u{fill:", i + 1);
		put_colour(d->file, i, d->scale.n);
		fputc('}', d->file);
	}
	fputs("</style>\n", d->file);
}

static void put_span(struct drawing *d, const struct heatmap_column *c)
{
	char from[32], to[32];

	heatmap_time(d->m, from, sizeof(from), c->start);
	heatmap_time(d->m, to, sizeof(to), c->end);
	fprintf(d->file, "<title>%s-%s", from, to);
}

static void put_cells(struct drawing *d, const struct heatmap_group *g,
		      const struct heatmap_rows *r,
		      unsigned int height)
{
	uint64_t counts[HIST_SLOTS];

	for (unsigned int c = 0; c < d->m->n_columns; c++) {
		if (!g->cells[c].n)
			continue;
		fprintf(d->file, "<g transform=\"translate(%u)\">\n", c * d->cell);
		heatmap_column_rows(&g->cells[c], r, counts);
		for (unsigned int row = 0; row < r->n; row++) {
			uint64_t low = heatmap_row_low(r, r->first + row),
				high = heatmap_row_high(r, r->first + row);

			if (!counts[row])
				continue;
			fprintf(d->file, "<path class=\"c%u\" d=\"M0 %uh%uv%uh-%uz\">",
				heatmap_level(&d->scale, counts[row]), (r->n - 1 - row) * height,
				d->cell, height,
				d->cell);
			put_span(d, &d->m->columns[c]);
			fprintf(d->file, low < high ? ", %llu-%llu " : ", %llu ",
				(unsigned long long)low,
				(unsigned long long)high);
			svg_text(d->file, g->unit);
			fprintf(d->file, ": %llu</title></path>\n",
				(unsigned long long)counts[row]);
		}
		fputs("</g>\n", d->file);
	}
}

/* Latency, with a line across the map at each mark. */
static void put_rows(struct drawing *d, const struct heatmap_group *g, const struct heatmap_rows *r,
		     unsigned int height)
{
	struct heatmap_mark marks[HEATMAP_MARKS];
	unsigned int n = heatmap_marks(r, g->unit, 16.0 / height, marks),
		width = d->m->n_columns * d->cell;

	for (unsigned int i = 0; i < n; i++) {
		double y = (r->n - marks[i].place) * height;

		fprintf(d->file, "<path class=\"g\" d=\"M-4 %.1fH%u\"/><text class=\"r\" x=\"-7\" "
				 "y=\"%.1f\">%s</text>\n",
			y, width, y + 4, marks[i].label);
	}
}

/* Times of day, and a mark below each column that lacks events. */
static void put_times(struct drawing *d, unsigned int bottom)
{
	unsigned int every = (TICK + d->cell - 1) / d->cell;

	for (unsigned int c = 0; c < d->m->n_columns; c++) {
		const struct heatmap_column *column = &d->m->columns[c];
		unsigned int x = c * d->cell;
		char time[32];

		if (c % every == 0) {
			heatmap_time(d->m, time, sizeof(time), column->start);
			fprintf(d->file, "<path class=\"f\" d=\"M%u %uv5\"/>", x, bottom);
			/* The last ones may have no room; when it ended is above. */
			if (LEFT + x + strlen(time) * CHARACTER <= d->width)
				fprintf(d->file, "<text x=\"%u\" y=\"%u\">%s</text>", x,
					bottom + 24, time);
			fputc('\n', d->file);
		}
		if (!column->lost)
			continue;
		fprintf(d->file, "<path class=\"x\" d=\"M%u.5 %ul4 8h-8z\">", x + d->cell / 2,
			bottom + 2);
		put_span(d, column);
		fprintf(d->file, ": lost %llu</title></path>\n", (unsigned long long)column->lost);
	}
}

/* Returns its height. */
static unsigned int put_map(struct drawing *d, const struct heatmap_group *g, unsigned int top)
{
	struct heatmap_rows r = rows_of(d->m, g);
	unsigned int height = row_height(&r), title = has_title(g) ? TITLE : 0;
	uint64_t total = 0;

	if (title) {
		for (unsigned int c = 0; c < d->m->n_columns; c++)
			total += g->cells[c].total;
		fprintf(d->file, "<text x=\"%u\" y=\"%u\">", LEFT, top + 14);
		svg_text(d->file, g->name);
		if (!heatmap_unit_is_time(g->unit)) {
			fputs(*g->name ? ", " : "", d->file);
			svg_text(d->file, g->unit);
		}
		fprintf(d->file, " (%llu)</text>\n", (unsigned long long)total);
	}
	fprintf(d->file, "<g transform=\"translate(%u,%u)\">\n", LEFT, top + title);
	put_rows(d, g, &r, height);
	put_cells(d, g, &r, height);
	fprintf(d->file, "<path class=\"f\" d=\"M0 0V%uH%u\"/>\n", r.n * height,
		d->m->n_columns * d->cell);
	put_times(d, r.n * height);
	fputs("</g>\n", d->file);
	return title + r.n * height + TIMES;
}

static void put_head(struct drawing *d)
{
	const char *title = d->m->command ? d->m->command : d->m->tool;
	const struct heatmap *m = d->m;

	fprintf(d->file, "<text class=\"h\" x=\"%u\" y=\"24\">", LEFT);
	svg_line(d->file, title, strlen(title), (d->width - LEFT) / TITLE_CHARACTER - 3);
	fprintf(d->file, "</text>\n<text x=\"%u\" y=\"44\">", LEFT);
	if (m->host) {
		svg_line(d->file, m->host, strlen(m->host), HOST_MOST);
		fputs(", ", d->file);
	}
	if (m->n_columns) {
		struct date from = date_local(&m->zone, m->columns[0].start),
			to = date_local(&m->zone, m->columns[m->n_columns - 1].end);

		fprintf(d->file, "%s %s to %s %s, ", from.day, from.time, to.day, to.time);
	}
	fprintf(d->file, "%llu counted", (unsigned long long)m->total);
	if (m->lost)
		fprintf(d->file, ", %llu lost", (unsigned long long)m->lost);
	fputs("</text>\n", d->file);
}

static void put_legend(struct drawing *d, unsigned int y)
{
	char label[16];

	for (unsigned int i = 0; i < d->scale.n; i++) {
		heatmap_label(label, sizeof(label), d->scale.least[i], "");
		fprintf(d->file, "<path class=\"c%u\" d=\"M%u %uh%uv12h-%uz\"/><text x=\"%u\" "
				 "y=\"%u\">%s</text>\n", i + 1,
			LEFT + i * SWATCH, y, SWATCH, SWATCH, LEFT + i * SWATCH, y + 26, label);
	}
	fprintf(d->file, "<text x=\"%u\" y=\"%u\">count, from</text>\n",
		LEFT + d->scale.n * SWATCH + 8, y + 26);
	if (d->m->lost)
		fprintf(d->file, "<path class=\"x\" d=\"M%u %ul4 8h-8z\"/><text x=\"%u\" "
				 "y=\"%u\">events were lost: "
			"there were more</text>\n", LEFT + 4, y + 34, LEFT + 14, y + 43);
}

static void find_scale(struct drawing *d)
{
	uint64_t counts[HIST_SLOTS], largest = 0;

	for (unsigned int i = 0; i < d->m->n_groups; i++) {
		struct heatmap_rows r = rows_of(d->m, &d->m->groups[i]);

		for (unsigned int c = 0; c < d->m->n_columns; c++) {
			heatmap_column_rows(&d->m->groups[i].cells[c], &r, counts);
			for (unsigned int row = 0; row < r.n; row++)
				largest = counts[row] > largest ? counts[row] : largest;
		}
	}
	heatmap_scale(&d->scale, SERIES_1_2_5, largest);
}

void heatmap_svg(FILE *file, const struct heatmap *m)
{
	struct drawing d = { .file = file, .m = m, .cell = CELL_MAX };
	unsigned int height = TOP + LEGEND, y = TOP, legend;

	find_scale(&d);
	if (m->n_columns > PLOT_WIDTH / CELL_MAX)
		d.cell = PLOT_WIDTH / m->n_columns > CELL_MIN ? PLOT_WIDTH / m->n_columns :
			CELL_MIN;
	legend = d.scale.n * SWATCH + 72 > 420 ? d.scale.n * SWATCH + 72 : 420;
	d.width = LEFT + RIGHT + (m->n_columns * d.cell > legend ? m->n_columns * d.cell : legend);
	for (unsigned int i = 0; i < m->n_groups; i++) {
		struct heatmap_rows r = rows_of(m, &m->groups[i]);

		height += r.n * row_height(&r) + TIMES + (has_title(&m->groups[i]) ? TITLE : 0);
	}
	fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		      "viewBox=\"0 0 %u %u\" "
		"shape-rendering=\"crispEdges\">\n",
		d.width, height, d.width, height);
	if (m->command) {
		fputs("<title>", file);
		svg_line(file, m->command, strlen(m->command), COMMAND_MOST);
		fputs("</title>\n", file);
	}
	put_style(&d);
	fprintf(file, "<path fill=\"#fff\" d=\"M0 0h%uv%uh-%uz\"/>\n", d.width, height, d.width);
	put_head(&d);
	for (unsigned int i = 0; i < m->n_groups; i++)
		y += put_map(&d, &m->groups[i], y);
	put_legend(&d, y);
	fputs("</svg>\n", file);
}
