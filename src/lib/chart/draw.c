// SPDX-License-Identifier: GPL-2.0
/*
 * The chart as SVG: one file that needs nothing else, of basic shapes and attributes, as heat maps
 * and flame graphs are. A row says more when it is pointed at.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "src/lib/chart/model.h"
#include "src/lib/output/svg.h"

#define WIDTH 1280
#define MARGIN 14
#define NAMES 230			/* px of the names of processes */
#define LEFT (MARGIN + NAMES)
#define RIGHT 30
#define PLOT (WIDTH - LEFT - RIGHT)
#define ROWS 250
#define ROW 15
#define BAR 11
#define INDENT 8
#define DEPTH 10			/* deeper ones are not further to the right */
#define CHARACTER 6			/* the width of one, in px */
#define HEAD 26
#define LINE 16
#define AXIS 30			/* px above the first row */
#define LEGEND 24
#define GRAPH 70
#define GRAPH_TITLE 30
#define TICK 90				/* px between two times, at least */
#define TENTHS 10			/* positions are tenths of a px */

struct drawing {
	FILE *file;
	const struct chart *c;
	const struct chart_look *look;
	struct chart_rows rows;
	struct lines lines;
	unsigned int top, bottom;	/* of the rows */
	unsigned int height;
	uint64_t tick;			/* ns between two times */
	uint64_t origin;		/* the time 0 of the axis */
};

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SECOND;
}

/* ---- time ---- */

/* In tenths of a px from the left of the plot. */
static unsigned int place(const struct drawing *d, uint64_t time)
{
	const double share = (double)(time - d->c->start) / (double)(d->c->now - d->c->start);

	return (unsigned int)(share * PLOT * TENTHS + 0.5);
}

static void put_tenths(const struct drawing *d, unsigned int tenths)
{
	fprintf(d->file, tenths % TENTHS ? "%u.%u" : "%u", tenths / TENTHS, tenths % TENTHS);
}

/* A part of a path: a box from y on, downwards, or with a negative height upwards. */
static void put_box(const struct drawing *d, unsigned int x, unsigned int y, unsigned int width,
		    int height)
{
	fputc('M', d->file);
	put_tenths(d, x);
	fprintf(d->file, " %uh", y);
	put_tenths(d, width);
	fprintf(d->file, "v%dh-", height);
	put_tenths(d, width);
	fputc('z', d->file);
}

static unsigned int place_of_bin(const struct drawing *d, uint32_t bin)
{
	const uint64_t time = d->c->start + ((uint64_t)bin << d->c->shift);

	return place(d, time < d->c->now ? time : d->c->now);
}

static uint64_t find_tick(uint64_t span)
{
	static const unsigned int steps[] = { 2, 5, 10 };
	uint64_t decade = NS_PER_MS / 1000, tick = decade;

	for (unsigned int i = 0; span / tick > PLOT / TICK; i = (i + 1) % 3) {
		tick = decade * steps[i];
		decade *= i == 2 ? 10 : 1;
	}
	return tick;
}

/* The clock of a machine that has just started is that of its kernel's log. */
static uint64_t find_origin(const struct chart *c)
{
	return c->start > 1000 * NS_PER_SECOND ? c->start : 0;
}

/* ---- the frame ---- */

static void put_text(const struct drawing *d, const char *class, unsigned int x, unsigned int y,
		     const char *text)
{
	fprintf(d->file, "<text%s%s%s x=\"%u\" y=\"%u\">", *class ? " class=\"" : "", class,
		*class ? "\"" : "", x, y);
	svg_label(d->file, text, strlen(text), (WIDTH - 2 * MARGIN) / CHARACTER);
	fputs("</text>\n", d->file);
}

static void put_head(const struct drawing *d)
{
	unsigned int y = HEAD;

	fprintf(d->file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\">\n<title>", WIDTH, d->height, WIDTH, d->height);
	svg_line(d->file, d->look->title, strlen(d->look->title), 1000);
	fputs("</title>\n<style>text{font:11px sans-serif;fill:#222}.h{font:bold 15px sans-serif}"
	      ".c{text-anchor:middle}.r{text-anchor:end}.p{fill:#777}.g{stroke:#e6e6e6}"
	      ".l{fill:#dfe5ee}.u{fill:#3574c4}.w{fill:#e0533f}.i{fill:#2f9e6e}.o{fill:#d99021}"
	      "g:hover .l{fill:#c8d2e2}</style>\n", d->file);
	fprintf(d->file, "<path fill=\"#fff\" d=\"M0 0h%uv%uh-%uz\"/>\n", WIDTH, d->height, WIDTH);
	put_text(d, "h", MARGIN, y, d->look->title);
	for (unsigned int i = 0; i < d->lines.n; i++)
		put_text(d, "", MARGIN, y += LINE, d->lines.list[i]);
}

/* A line down the whole picture at each time, which is written above and below. */
static void put_times(const struct drawing *d)
{
	const uint64_t first = (d->c->start - d->origin + d->tick - 1) / d->tick * d->tick;

	for (uint64_t at = first + d->origin; at <= d->c->now; at += d->tick) {
		const unsigned int x = LEFT * TENTHS + place(d, at);
		const unsigned int ys[] = { d->top - 8, d->height - 10 };

		fputs("<path class=\"g\" d=\"M", d->file);
		put_tenths(d, x);
		fprintf(d->file, " %uV%u\"/>", d->top - 4, d->height - 24);
		for (unsigned int i = 0; i < 2; i++) {
			fputs("<text class=\"c\" x=\"", d->file);
			put_tenths(d, x);
			fprintf(d->file, "\" y=\"%u\">%.6g s</text>", ys[i],
				seconds(at - d->origin));
		}
		fputc('\n', d->file);
	}
}

static unsigned int put_key(const struct drawing *d, unsigned int x, unsigned int y, char class,
			    const char *text)
{
	fprintf(d->file, "<path class=\"%c\" d=\"", class);
	put_box(d, x * TENTHS, y - 10, 11 * TENTHS, 11);
	fputs("\"/>", d->file);
	put_text(d, "", x + 16, y, text);
	return x + 16 + (unsigned int)strlen(text) * CHARACTER + 18;
}

/* ---- columns ---- */

/* A shape of columns of whole px; those of one height are one. */
struct columns {
	char class;
	unsigned int base;		/* y of the bottom */
	bool open;			/* the path is begun */
	unsigned int from, height, shift;	/* of the column that is not drawn yet */
};

static void put_column(const struct drawing *d, struct columns *k, unsigned int to)
{
	if (!k->height || to == k->from)
		return;
	if (!k->open)
		fprintf(d->file, "<path class=\"%c\" d=\"", k->class);
	k->open = true;
	put_box(d, LEFT * TENTHS + k->from, k->base - k->shift, to - k->from, -(int)k->height);
}

static void add_column(const struct drawing *d, struct columns *k, unsigned int at,
		       unsigned int height, unsigned int shift)
{
	if (height == k->height && shift == k->shift)
		return;
	put_column(d, k, at);
	k->from = at;
	k->height = height;
	k->shift = shift;
}

static void end_columns(const struct drawing *d, struct columns *k, unsigned int at)
{
	add_column(d, k, at, 0, 0);
	if (k->open)
		fputs("\"/>", d->file);
}

/* What is there at all has a px. */
static unsigned int high(double share, unsigned int most)
{
	const unsigned int height = (unsigned int)(share * most + 0.5);

	if (height >= most)
		return most;
	return height ? height : share > 0;
}

/* Both sums of bins, the second on top of the first; `full` is the value of the whole height. */
static void put_bins(const struct drawing *d, const struct bins *b, const char classes[2],
		     unsigned int base, unsigned int most, double full)
{
	for (enum bin_of what = 0; what < BIN_SUMS; what++) {
		struct columns k = { .class = classes[what], .base = base };

		for (uint32_t i = 0; i < b->n; i++) {
			const uint32_t bin = b->first + i;
			const unsigned int below = high(bins_at(b, bin, BIN_RUN) / full, most);
			const unsigned int above = high(bins_at(b, bin, BIN_WAIT) / full,
							most - below);

			add_column(d, &k, place_of_bin(d, bin), what ? above : below,
				   what ? below : 0);
		}
		end_columns(d, &k, place_of_bin(d, b->first + b->n));
	}
}

/* ---- rows ---- */

static void put_name(const struct drawing *d, const struct chart_row *row, unsigned int y)
{
	const struct chart_process *p = &d->c->list[row->process];
	const unsigned int depth = row->depth < DEPTH ? row->depth : DEPTH;
	const unsigned int room = (NAMES - depth * INDENT) / CHARACTER;
	char after[40];
	const int n = snprintf(after, sizeof(after), row->merged ? "%u +%u" : "%u", p->pid,
			       row->merged);

	fprintf(d->file, "<text x=\"%u\" y=\"%u\">", MARGIN + depth * INDENT, y + 10);
	svg_label(d->file, p->comm, strnlen(p->comm, sizeof(p->comm)), room - (unsigned int)n - 1);
	fprintf(d->file, "<tspan class=\"p\" dx=\"4\">%s</tspan></text>", after);
}

static void put_story(const struct drawing *d, const struct chart_process *p)
{
	fputs("<title>", d->file);
	svg_line(d->file, p->comm, strnlen(p->comm, sizeof(p->comm)), 64);
	fprintf(d->file, " (%u)", p->pid);
	if (p->parent) {
		const struct chart_process *parent = &d->c->list[p->parent];

		fputs(" of ", d->file);
		svg_line(d->file, parent->comm, strnlen(parent->comm, sizeof(parent->comm)), 64);
		fprintf(d->file, " (%u)", parent->pid);
	}
	if (!p->before)
		fprintf(d->file, ", from %.3f s", seconds(p->begin - d->origin));
	if (p->end)
		fprintf(d->file, ", to %.3f s", seconds(p->end - d->origin));
	fprintf(d->file, ": %.3f s, ran %.3f s, waited %.3f s</title>",
		seconds(chart_life(d->c, p)), seconds(p->run), seconds(p->wait));
}

static void put_row(const struct drawing *d, unsigned int number)
{
	const struct chart_row *row = &d->rows.list[number];
	const struct chart_process *p = &d->c->list[row->process];
	const unsigned int y = d->top + number * ROW, from = place(d, p->begin);
	unsigned int to = place(d, p->end ? p->end : d->c->now);
	const uint64_t life = chart_life(d->c, p);
	const double whole = (double)(1ULL << d->c->shift);

	to = to > from + TENTHS ? to : from + TENTHS;
	fputs("<g>", d->file);
	put_story(d, p);
	put_name(d, row, y);
	fputs("<path class=\"l\" d=\"", d->file);
	put_box(d, LEFT * TENTHS + from, y + 1, to - from, BAR);
	fputs("\"/>", d->file);
	put_bins(d, &p->bins, "uw", y + 1 + BAR, BAR, whole);
	if (p->end && to < (PLOT - 44) * TENTHS) {
		fputs("<text class=\"p\" x=\"", d->file);
		put_tenths(d, LEFT * TENTHS + to + 4 * TENTHS);
		fprintf(d->file, life < NS_PER_SECOND ? "\" y=\"%u\">%.0f ms</text>" :
			"\" y=\"%u\">%.2f s</text>", y + 10,
			life < NS_PER_SECOND ? (double)life / NS_PER_MS : seconds(life));
	}
	fputs("</g>\n", d->file);
}

/* ---- below ---- */

static void put_graph(const struct drawing *d, unsigned int y, const struct bins *b,
		      const char classes[2], double full, const char *most)
{
	fputs("<path class=\"g\" fill=\"none\" d=\"", d->file);
	put_box(d, LEFT * TENTHS, y, PLOT * TENTHS, GRAPH);
	fputs("\"/>", d->file);
	put_text(d, "r", LEFT - 6, y + 9, most);
	put_text(d, "r", LEFT - 6, y + GRAPH, "0");
	put_bins(d, b, classes, y + GRAPH, GRAPH, full);
	fputc('\n', d->file);
}

static void put_cpus(const struct drawing *d, unsigned int y)
{
	const uint32_t n = chart_cpus(d->c);
	unsigned int x;

	x = put_key(d, LEFT, y + 18, 'u', "CPUs run");
	put_key(d, x, y + 18, 'w', "CPUs are idle while processes wait for disks");
	put_graph(d, y + GRAPH_TITLE, &d->c->all, "uw",
		  (double)(1ULL << d->c->shift) * (n ? n : 1), "100 %");
}

static void put_disks(const struct drawing *d, unsigned int y)
{
	const struct bins *b = &d->c->disk;
	double most = 0;
	char text[40];
	unsigned int x;

	for (uint32_t i = 0; i < b->n; i++) {
		const double sum = bins_at(b, b->first + i, BIN_RUN) +
				   bins_at(b, b->first + i, BIN_WAIT);

		most = sum > most ? sum : most;
	}
	snprintf(text, sizeof(text), "%.3g MB/s",
		 most * NS_PER_SECOND / (double)(1ULL << d->c->shift) / 1e6);
	x = put_key(d, LEFT, y + 18, 'i', "disks read");
	put_key(d, x, y + 18, 'o', "disks write");
	put_graph(d, y + GRAPH_TITLE, b, "io", most > 0 ? most : 1, text);
}

static void lay_out(struct drawing *d)
{
	d->tick = find_tick(d->c->now - d->c->start);
	d->origin = find_origin(d->c);
	d->top = HEAD + d->lines.n * LINE + (d->look->switches ? LEGEND : 0) + AXIS;
	d->bottom = d->top + d->rows.n * ROW;
	d->height = d->bottom + 30;
	if (d->look->switches)
		d->height += GRAPH + GRAPH_TITLE;
	if (d->look->disks)
		d->height += GRAPH + GRAPH_TITLE;
}

static void draw(struct drawing *d)
{
	unsigned int y = d->bottom;

	put_head(d);
	put_times(d);
	if (d->look->switches) {
		const unsigned int at = d->top - AXIS;
		unsigned int x = put_key(d, LEFT, at, 'u', "runs");

		x = put_key(d, x, at, 'w', "waits uninterruptibly, mostly for a disk");
		put_key(d, x, at, 'l', "sleeps, or waits for a CPU");
	}
	for (uint32_t i = 0; i < d->rows.n; i++)
		put_row(d, i);
	if (d->look->switches) {
		put_cpus(d, y);
		y += GRAPH + GRAPH_TITLE;
	}
	if (d->look->disks)
		put_disks(d, y);
	fputs("</svg>\n", d->file);
}

int chart_svg(FILE *file, const struct chart *c, const struct chart_look *look, struct error *err)
{
	struct drawing d = { .file = file, .c = c, .look = look };

	if (chart_rows(c, ROWS, &d.rows))
		return fail(err, "out of memory");
	chart_say(c, &d.rows, look, &d.lines);
	lay_out(&d);
	draw(&d);
	lines_free(&d.lines);
	free(d.rows.list);
	return 0;
}
