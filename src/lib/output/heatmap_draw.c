// SPDX-License-Identifier: GPL-2.0
/* Heat maps in colours, for terminals. */
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/output/heatmap.h"

#define LEFT 8				/* the labels of the rows, and the axis */
#define AROUND 4			/* lines: status, axis, times, legend */
#define LEAST_LINES 3			/* of a map */
#define MIN_WIDTH 24
#define MIN_HEIGHT (AROUND + LEAST_LINES)
#define MAX_HEIGHT 128

struct colour {
	uint8_t red, green, blue;
};

/*
 * Few to many: dark to bright, over a black plot whatever the terminal's own background is. The
 * lightness grows all the way, so that it reads without the hues as well.
 */
static const struct colour stops[] = {
	{ 88, 0, 28 }, { 160, 8, 32 }, { 220, 40, 28 }, { 248, 112, 36 }, { 253, 180, 60 },
	{ 255, 232, 130 },
	{ 255, 255, 240 },
};
#define STOPS (sizeof(stops) / sizeof(stops[0]))
static const uint8_t cube[] = { 52, 88, 124, 160, 196, 202, 208, 214, 220, 226, 227, 228, 229,
				230, 231 };
#define BLACK 16
#define UPPER_HALF "\342\226\200"

struct picture {
	FILE *file;
	const struct heatmap *m;
	const struct heatmap_look *look;
	bool live;
	unsigned int begin, n;		/* columns shown */
	unsigned int width;		/* of the plot */
	unsigned int lines;		/* written so far */
	const struct heatmap_group *groups[HEATMAP_GROUPS + 1];	/* those shown */
	unsigned int n_groups;
	struct heatmap_scale scale;
	int front, back;		/* levels that are set on the terminal; -1: none */
};

static struct colour mix(unsigned int step, unsigned int steps)
{
	unsigned int place = steps > 1 ? step * (STOPS - 1) * 256 / (steps - 1) : (STOPS - 1) * 128;
	unsigned int stop = place / 256, part = place % 256;
	const struct colour *a = &stops[stop], *b = part ? a + 1 : a;

#define MIX(PART) (uint8_t)((a->PART * (256 - part) + b->PART * part) / 256)
	return (struct colour){ MIX(red), MIX(green), MIX(blue) };
#undef MIX
}

/* base 38: what is written, 48: what is behind it. */
static void set_level(struct picture *p, int base, int level)
{
	int *set = base == 38 ? &p->front : &p->back;
	unsigned int step = level - 1, steps = p->scale.n;

	if (*set == level)
		return;
	*set = level;
	if (p->look->colours == COLOURS_TRUE) {
		struct colour c = level ? mix(step, steps) : (struct colour){ 0, 0, 0 };

		fprintf(p->file, "\033[%d;2;%u;%u;%um", base, c.red, c.green, c.blue);
	} else {
		fprintf(p->file, "\033[%d;5;%um", base,
			!level ? BLACK : cube[steps > 1 ? step * (sizeof(cube) - 1) / (steps - 1) :
					      sizeof(cube) / 2]);
	}
}

static void set_plain(struct picture *p)
{
	if (p->front >= 0 || p->back >= 0)
		fputs("\033[m", p->file);
	p->front = p->back = -1;
}

/* Lines are as many as the window has: a line feed behind the last one would scroll. */
static void end_line(struct picture *p)
{
	set_plain(p);
	if (!p->live)
		fputc('\n', p->file);
	else
		fputs(p->lines + 1 < p->look->height ? "\033[K\r\n" : "\033[K", p->file);
	p->lines++;
}

/*
 * Text without bytes of several columns: names are escaped, but may be UTF-8, and are cut by
 * columns.
 */
static void put_cut(struct picture *p, const char *s)
{
	size_t length = strlen(s);

	while (length && escape_width(s, length) > p->look->width)
		length--;
	fwrite(s, 1, length, p->file);
	end_line(p);
}

static uint64_t shown_total(const struct picture *p, const struct heatmap_group *g)
{
	uint64_t total = 0;

	for (unsigned int c = 0; c < p->n; c++)
		total += g->cells[p->begin + c].total;
	return total;
}

/* The largest `n` groups, in the order of their first appearance. */
static void choose_groups(struct picture *p, unsigned int n)
{
	const struct heatmap *m = p->m;

	for (unsigned int i = 0; i < m->n_groups; i++) {
		uint64_t total = shown_total(p, &m->groups[i]);
		unsigned int larger = 0;

		for (unsigned int j = 0; j < m->n_groups; j++) {
			uint64_t other = shown_total(p, &m->groups[j]);

			larger += other > total || (other == total && j < i);
		}
		if (larger < n)
			p->groups[p->n_groups++] = &m->groups[i];
	}
}

static bool has_title(const struct heatmap_group *g)
{
	return *g->name || !heatmap_unit_is_time(g->unit);
}

static struct heatmap_rows rows_of(const struct picture *p, const struct heatmap_group *g,
				   unsigned int lines)
{
	return heatmap_rows_of(p->m, p->begin, g->unit, p->look->blocks ? 2 * lines : lines);
}

static void find_scale(struct picture *p, unsigned int lines)
{
	uint64_t counts[HIST_SLOTS], largest = 0;

	for (unsigned int i = 0; i < p->n_groups; i++) {
		struct heatmap_rows r = rows_of(p, p->groups[i], lines - has_title(p->groups[i]));

		for (unsigned int c = 0; c < p->n; c++) {
			heatmap_column_rows(&p->groups[i]->cells[p->begin + c], &r, counts);
			for (unsigned int row = 0; row < r.n; row++)
				largest = counts[row] > largest ? counts[row] : largest;
		}
	}
	heatmap_scale(&p->scale, SERIES_1_2_5, largest);
}

/* Levels of one or two rows of a column. */
static void put_cell(struct picture *p, unsigned int upper, unsigned int lower)
{
	set_level(p, 48, lower);
	if (upper == lower) {
		fputc(' ', p->file);
		return;
	}
	set_level(p, 38, upper);
	fputs(UPPER_HALF, p->file);
}

static void draw_map(struct picture *p, const struct heatmap_group *g, unsigned int lines)
{
	struct heatmap_rows r = rows_of(p, g, lines);
	struct heatmap_mark marks[HEATMAP_MARKS];
	unsigned int per = p->look->blocks ? 2 : 1,
		n_marks = heatmap_marks(&r, g->unit, 2 * per, marks);

	for (unsigned int line = (r.n + per - 1) / per; line--;) {
		const char *label = "";

		for (unsigned int i = 0; i < n_marks; i++)
			if (marks[i].row / per == line)
				label = marks[i].label;
		fprintf(p->file, "%*s ", LEFT - 1, label);
		for (unsigned int c = 0; c < (p->live ? p->width : p->n); c++) {
			uint64_t counts[HIST_SLOTS];
			unsigned int lower = 0, upper = 0;

			if (c < p->n) {
				heatmap_column_rows(&g->cells[p->begin + c], &r, counts);
				lower = heatmap_level(&p->scale, counts[per * line]);
				upper = per == 1 ? lower :
					per * line + 1 < r.n ?
						heatmap_level(&p->scale, counts[per * line + 1]) :
						0;
			}
			put_cell(p, upper, lower);
		}
		end_line(p);
	}
}

static void draw_title(struct picture *p, const struct heatmap_group *g, bool last)
{
	unsigned int left_out = p->m->n_groups - p->n_groups;
	char title[512], unit[64] = "", more[64] = "";

	if (!heatmap_unit_is_time(g->unit))
		text_cut(unit, sizeof(unit), "%s%s", *g->name ? ", " : "", g->unit);
	if (last && left_out)
		snprintf(more, sizeof(more), "  (no room for %u more)", left_out);
	text_cut(title, sizeof(title), "%8llu  %s%s%s", (unsigned long long)shown_total(p, g),
		 g->name, unit, more);
	put_cut(p, title);
}

/* What matters most comes first. */
static void draw_status(struct picture *p)
{
	const struct heatmap *m = p->m;
	char time[32] = "", parts[5][64] = { "" };
	size_t used = strlen(m->tool);
	uint64_t last = 0;

	for (unsigned int i = 0; i < m->n_groups && m->n_columns; i++)
		last += m->groups[i].cells[m->n_columns - 1].total;
	if (m->n_columns)
		heatmap_time(m, time, sizeof(time), m->columns[m->n_columns - 1].end);
	if (m->failed)
		snprintf(parts[0], sizeof(parts[0]), "! out of memory");
	if (m->lost)
		snprintf(parts[1], sizeof(parts[1]), "! lost %llu", (unsigned long long)m->lost);
	text_cut(parts[2], sizeof(parts[2]), "%s", time);
	snprintf(parts[3], sizeof(parts[3]), "total %llu", (unsigned long long)m->total);
	snprintf(parts[4], sizeof(parts[4]), "last %llu", (unsigned long long)last);
	fputs(m->tool, p->file);
	for (unsigned int i = 0; i < 5; i++) {
		/* What has no room is left out as a whole: half a number is another one. */
		if (!*parts[i] || used + 2 + strlen(parts[i]) > p->look->width)
			continue;
		used += fprintf(p->file, "  %s", parts[i]);
	}
	end_line(p);
}

/* Times are where their column is, and scroll with it. A column that lacks events has a mark. */
static void draw_times(struct picture *p)
{
	const struct heatmap *m = p->m;
	char time[32] = "";
	unsigned int step, at = 0;

	if (p->n)
		heatmap_time(m, time, sizeof(time), m->columns[p->begin].start);
	step = strlen(time) + 2;
	fprintf(p->file, "%*s", LEFT, "+");
	for (unsigned int c = 0; c < p->n; c++)
		fputc(m->columns[p->begin + c].lost ? '!' : (m->dropped + p->begin + c) % step ?
		      '-' : '|', p->file);
	end_line(p);
	fprintf(p->file, "%*s", LEFT, "");
	for (unsigned int c = 0; c < p->n; c++) {
		if ((m->dropped + p->begin + c) % step || c + step - 2 > p->width)
			continue;
		heatmap_time(m, time, sizeof(time), m->columns[p->begin + c].start);
		fprintf(p->file, "%*s%s", (int)(c - at), "", time);
		at = c + strlen(time);
	}
	end_line(p);
}

/* Each colour, and the least count it means; where there is no room, not for all. */
static void draw_legend(struct picture *p)
{
	unsigned int every = 0, width;
	char label[16];

	do {
		every++;
		width = LEFT;
		for (unsigned int i = 0; i < p->scale.n; i++) {
			heatmap_label(label, sizeof(label), p->scale.least[i], "");
			width += 2 + (i % every ? 0 : 1 + strlen(label));
		}
	} while (width > p->look->width && every < p->scale.n);
	fprintf(p->file, "%*s", LEFT - 1, "count");
	width = LEFT - 1;
	for (unsigned int i = 0; i < p->scale.n && width + 3 <= p->look->width; i++) {
		if (i % every == 0) {
			set_plain(p);
			fputc(' ', p->file);
			width++;
		}
		set_level(p, 48, i + 1);
		fputs("  ", p->file);
		width += 2;
		heatmap_label(label, sizeof(label), p->scale.least[i], "");
		if (i % every || width + strlen(label) > p->look->width)
			continue;
		set_plain(p);
		width += fprintf(p->file, "%s", label);
	}
	end_line(p);
}

static void draw_all(struct picture *p)
{
	static const struct heatmap_group none = { .unit = "usecs", .name = "" };
	unsigned int lines = p->look->height - AROUND, fit = lines / (LEAST_LINES + 1);

	choose_groups(p, fit ? fit : 1);
	lines /= p->n_groups ? p->n_groups : 1;
	find_scale(p, lines);
	draw_status(p);
	for (unsigned int i = 0; i < p->n_groups; i++) {
		if (has_title(p->groups[i]))
			draw_title(p, p->groups[i], i + 1 == p->n_groups);
		draw_map(p, p->groups[i], lines - has_title(p->groups[i]));
	}
	if (!p->n_groups) {
		struct picture empty = *p;

		empty.n = 0;
		draw_map(&empty, &none, lines);
		p->lines = empty.lines;
	}
	draw_times(p);
	draw_legend(p);
}

void heatmap_draw(FILE *file, const struct heatmap *m, const struct heatmap_look *look, bool live)
{
	struct heatmap_look l = *look;
	struct picture p = { .file = file, .m = m, .look = &l, .live = live, .front = -1,
			     .back = -1 };

	l.height = l.height < MAX_HEIGHT ? l.height : MAX_HEIGHT;
	if (live)
		fputs("\033[H", file);
	if (l.width < MIN_WIDTH || l.height < MIN_HEIGHT) {
		put_cut(&p, "window too small");
	} else {
		p.width = l.width - LEFT;
		p.n = m->n_columns < p.width ? m->n_columns : p.width;
		p.begin = m->n_columns - p.n;
		draw_all(&p);
	}
	if (live)
		fputs("\033[J", file);
}
