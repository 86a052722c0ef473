// SPDX-License-Identifier: GPL-2.0
/*
 * The tree as SVG. What is drawn is of basic shapes and attributes, which everything that shows SVG
 * knows; the script at its end only moves what is there. Positions of frames have more decimals
 * than a screen can show, because they are magnified.
 */
#include <string.h>

#include "compat/base/error.h"
#include "src/lib/flame/colours.h"
#include "src/lib/flame/drawing.h"
#include "src/lib/output/svg.h"

#define ROW 16				/* px; flame.js knows these three, too */
#define CHARACTER 6.7			/* of a monospaced font of 11 px */
#define LABEL 3				/* columns: a shorter one says nothing */
#define NARROW 2			/* px: the gaps beside it would be most of it */
#define BAR 15				/* of a row */
#define HEAD 24				/* the baseline of the title */
#define LINE 17				/* from one line above the picture to the next */
#define GAP 12
#define STATUS 20			/* where the frame is told that is pointed at */
#define LEGEND 26
#define BUTTONS 180
#define TITLE_CHARACTER 9
#define LINE_CHARACTER 7
#define NAME_MOST 500			/* bytes of a name */
#define UNIT_MOST 40
#define PAGE 1000			/* px: of a higher picture one end is seen when it opens */

/* src/lib/flame/flame.js, by the build */
extern const char flame_script[];

/* Without zeros at its end. */
static void put_position(const struct drawing *d, double x)
{
	char s[48];
	int n = snprintf(s, sizeof(s), "%.*f", d->decimals, x);

	while (n > 1 && s[n - 1] == '0')
		n--;
	n -= n > 1 && s[n - 1] == '.';
	fwrite(s, 1, (size_t)n, d->file);
}

static void put_class(const struct drawing *d, const struct flame_node *n)
{
	const struct flame_name *name = &d->f->names[n->name];
	double change;
	int level;

	if (!d->look->old) {
		fprintf(d->file, "%c%u", colours_letter(name->kind),
			colours_shade(d->f->bytes + name->offset, name->length));
		return;
	}
	change = drawing_change(d, n);
	level = change ? (int)(LEVELS * (change < 0 ? -change : change) / d->seen.change +
			       0.999999) : 0;
	colours_level(d->file, change < 0 ? -level : level);
}

static void put_title(const struct drawing *d, const struct flame_node *n, const char *name,
		      size_t length)
{
	char total[NUMBER];

	fputs("<g><title>", d->file);
	svg_line(d->file, name, length, NAME_MOST);
	fprintf(d->file, " (%s ", value_text(d->f, total, n->total));
	svg_line(d->file, d->look->unit, strlen(d->look->unit), UNIT_MOST);
	fprintf(d->file, ", %.2f %%", 100 * drawing_share(d, FLAME_NEW, n->total));
	if (d->look->old)
		fprintf(d->file, "; own %.2f %%, was %.2f %%",
			100 * drawing_share(d, FLAME_NEW, n->self[FLAME_NEW]),
			100 * drawing_share(d, FLAME_OLD, n->self[FLAME_OLD]));
	fputs(")</title>", d->file);
}

static void put_frame(struct drawing *d, const struct place *p)
{
	double x = FLAME_LEFT + drawing_width(d, p->left), width = drawing_width(d, p->node->total);
	unsigned int row = d->inverted ? p->depth : d->seen.deepest - p->depth,
		y = d->top + row * ROW;
	size_t length, room = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
	const char *name = tree_name(d->f, p->node, &length);

	if (!length) {
		name = "[no name]";
		length = strlen(name);
	}
	put_title(d, p->node, name, length);
	fputs("<rect class=\"", d->file);
	put_class(d, p->node);
	fputs(width < NARROW ? " n\" x=\"" : "\" x=\"", d->file);
	put_position(d, x);
	fprintf(d->file, "\" y=\"%u\" width=\"", y);
	put_position(d, width);
	fprintf(d->file, "\" height=\"%u\"/>", BAR);
	if (room >= LABEL) {
		fputs("<text x=\"", d->file);
		put_position(d, x + 3);
		fprintf(d->file, "\" y=\"%u\">", y + 12);
		svg_label(d->file, name, length, room);
		fputs("</text>", d->file);
	}
	fputs("</g>\n", d->file);
}

static void put_style(const struct drawing *d)
{
	fputs("<style>text{font:12px sans-serif;fill:#222}.h{font:bold 15px sans-serif}"
	      ".r{text-anchor:end}.f text{font:11px monospace;fill:#000;pointer-events:none}"
	      ".f rect{stroke:#fff;stroke-width:.5}.f .n{stroke:none}.live .f rect{cursor:pointer}"
	      ".f .a{opacity:.5}.f .x rect{fill:#d46cf0}"
	      ".f g:hover rect{stroke:#000;stroke-width:1}"
	      ".s,.z{display:none;fill:#05b;cursor:pointer}"
	      ".live .s,.zoomed .z{display:inline}"
	      "@media print{svg{width:100%;height:auto}.s,.z{display:none!important}}", d->file);
	if (d->look->old)
		colours_of_difference(d->file);
	else
		for (enum flame_kind kind = 0; kind < FLAME_KINDS; kind++)
			if (d->seen.kinds[kind])
				colours_of_kind(d->file, kind);
	fputs("</style>\n", d->file);
}

static void put_head(const struct drawing *d)
{
	const char *title = d->look->title;
	unsigned int width = d->look->width, y = HEAD;

	fprintf(d->file, "<path fill=\"#fff\" d=\"M0 0h%uv%uh-%uz\"/>\n", width, d->height, width);
	fprintf(d->file, "<text class=\"h\" x=\"%u\" y=\"%u\">", FLAME_LEFT, y);
	svg_line(d->file, title, strlen(title), (width - BUTTONS) / TITLE_CHARACTER - 3);
	fprintf(d->file, "</text>\n<text class=\"z r\" x=\"%u\" y=\"%u\">Reset zoom</text>\n"
			 "<text class=\"s r\" x=\"%u\" y=\"%u\">Search</text>\n",
		width - FLAME_LEFT - 60, y, width - FLAME_LEFT, y);
	for (unsigned int i = 0; i < d->lines.n; i++) {
		const char *line = d->lines.list[i];

		y += LINE;
		fprintf(d->file, "<text x=\"%u\" y=\"%u\">", FLAME_LEFT, y);
		svg_line(d->file, line, strlen(line), d->columns);
		fputs("</text>\n", d->file);
	}
}

static void put_legend(const struct drawing *d)
{
	unsigned int x = FLAME_LEFT, y = d->legend;

	fprintf(d->file, "<text class=\"d\" x=\"%u\" y=\"%u\"></text>\n"
			 "<text class=\"q r\" x=\"%u\" y=\"%u\"></text>\n",
		FLAME_LEFT, d->status, d->look->width - FLAME_LEFT, d->status);
	for (enum flame_kind kind = 0; !d->look->old && kind < FLAME_KINDS; kind++) {
		const char *title = colours_title(kind);

		if (!d->seen.kinds[kind])
			continue;
		fprintf(d->file, "<path class=\"%c4\" d=\"M%u %uh12v12h-12z\"/>"
				 "<text x=\"%u\" y=\"%u\">%s</text>\n",
			colours_letter(kind), x, y - 10, x + 17, y, title);
		x += 17 + (unsigned int)strlen(title) * LINE_CHARACTER + 14;
	}
	if (!d->look->old)
		return;
	fprintf(d->file, "<text x=\"%u\" y=\"%u\">own share: %.2f points less</text>\n", x, y,
		100 * d->seen.change);
	x += 180;
	for (int level = -LEVELS; level <= LEVELS; level++, x += 12) {
		fputs("<path class=\"", d->file);
		colours_level(d->file, level);
		fprintf(d->file, "\" d=\"M%u %uh12v12h-12z\"/>\n", x, y - 10);
	}
	fprintf(d->file, "<text x=\"%u\" y=\"%u\">%.2f points more</text>\n", x + 6, y,
		100 * d->seen.change);
}

static void lay_out(struct drawing *d)
{
	unsigned int rows = (d->seen.deepest + 1) * ROW;

	d->inverted = d->look->inverted || rows > PAGE;
	d->top = HEAD + d->lines.n * LINE + GAP;
	if (d->inverted) {
		d->status = d->top + 4;
		d->top += STATUS - 6;
	}
	d->bottom = d->top + rows;
	if (!d->inverted)
		d->status = d->bottom + STATUS - 4;
	d->legend = (d->inverted ? d->bottom : d->status) + LEGEND - 6;
	d->height = d->legend + 14;
}

static void draw(struct drawing *d)
{
	unsigned int width = d->look->width;

	fprintf(d->file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
			 "viewBox=\"0 0 %u %u\">\n<title>", width, d->height, width, d->height);
	svg_line(d->file, d->look->title, strlen(d->look->title), 2 * NAME_MOST);
	fputs("</title>\n", d->file);
	put_style(d);
	put_head(d);
	fprintf(d->file, "<g class=\"f%s\">\n", d->seen.narrow ? " part" : "");
	drawing_walk(d, put_frame);
	fputs("</g>\n", d->file);
	put_legend(d);
	fprintf(d->file, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
}

int flame_svg(FILE *file, struct flame *f, const struct flame_look *look, struct error *err)
{
	struct drawing d = { .file = file, .f = f, .look = look, .decimals = 4 };
	int status = tree_order(f);

	if (!status) {
		for (double x = look->narrowest; x < 0.1 && d.decimals < 12; x *= 10)
			d.decimals++;
		d.columns = (look->width - 2 * FLAME_LEFT) / LINE_CHARACTER * 6 / 5;
		drawing_see(&d);
		drawing_say(&d);
		lay_out(&d);
		draw(&d);
	}
	lines_free(&d.lines);
	return status ? fail(err, "out of memory") : 0;
}
