// SPDX-License-Identifier: GPL-2.0
/*
 * --help: what one screen should say of a tool, from its tables.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/lib/output/pager.h"
#include "src/lib/output/sink.h"
#include "src/lib/output/terminal.h"
#include "src/run/options/tool_options.h"

#define LINES 24			/* where the terminal has no more */
#define COLUMNS 100			/* where it has no less, and into a file */
#define COLUMNS_LEAST 40
#define INDENT 10			/* behind "Examples:" and its like */
#define SPELLING 30			/* an option's spelling takes at most this much of a line */

/* Words set into lines. */
struct flow {
	FILE *file;
	unsigned int column, indent, columns;
};

static void flow_gap(struct flow *f, size_t length, unsigned int blanks)
{
	if (f->column > f->indent && f->column + blanks + length > f->columns) {
		fputc('\n', f->file);
		f->column = 0;
	} else if (f->column > f->indent) {
		f->column += fprintf(f->file, "%*s", blanks, "");
	}
	if (f->column < f->indent)
		f->column += fprintf(f->file, "%*s", f->indent - f->column, "");
}

/* Something that stays together, `blanks` behind what is before it. */
static void flow_item(struct flow *f, const char *item, size_t length, unsigned int blanks)
{
	flow_gap(f, length, blanks);
	f->column += fprintf(f->file, "%.*s", (int)length, item);
}

static void flow_text(struct flow *f, const char *text)
{
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		flow_item(f, text, length, 1);
		text += length;
	}
}

static void flow_label(struct flow *f, const char *label)
{
	f->column = fprintf(f->file, "%s", label);
}

static void flow_end(struct flow *f)
{
	fputc('\n', f->file);
	f->column = 0;
}

static void spell(char *s, size_t size, const struct option *o, const char *no_letter)
{
	char letter[] = { '-', o->letter, ',', ' ', '\0' };

	text_cut(s, size, "%s--%s%s%s%s", o->letter ? letter : no_letter, o->name,
		 o->optional ? "[=" : o->arg ? " " : "", o->arg ? o->arg : "",
		 o->optional ? "]" : "");
}

/* A tool's tables, and where the text goes. */
struct help {
	FILE *file;
	const struct tool *tool;
	const struct option_row *rows;
	unsigned int n;
	unsigned int columns, lines;
	/* common options to which the tool gives a letter have a line each */
	bool lettered;
};

static void section_usage(const struct help *h)
{
	static const char *const takes[] = { "", " [interval]", " [interval [count]]" };
	const struct tool *t = h->tool;

	const struct option_row *own = option_positional(h->rows, h->n, 1);

	fprintf(h->file, "%s: %s\n", t->name, t->summary);
	if (own) {
		fprintf(h->file, t->asks ? "Usage: sonde %s [options] %s" :
			"Usage: sonde %s [options] [%s]", t->name, own->option.arg);
		for (unsigned int i = 2; (own = option_positional(h->rows, h->n, i)); i++)
			fprintf(h->file, " [%s]", own->option.arg);
		fputc('\n', h->file);
	} else {
		fprintf(h->file, "Usage: sonde %s [options]%s\n", t->name,
			takes[t->positionals < 2 ? t->positionals : 2]);
	}
}

static void option_line(const struct help *h, const char *label, unsigned int width,
			const char *text, const char *more)
{
	struct flow f = { .file = h->file, .indent = 2 + width + 2, .columns = h->columns };

	f.column = fprintf(h->file, "  %-*s", width, label);
	if (f.column > f.indent)
		flow_end(&f);
	flow_text(&f, text);
	flow_text(&f, more);
	flow_end(&f);
}

static const char *default_text(char *s, size_t size, int64_t initial)
{
	*s = '\0';
	if (initial)
		snprintf(s, size, "(default %lld)", (long long)initial);
	return s;
}

static void interval_line(const struct help *h, unsigned int width)
{
	const struct tool *t = h->tool;
	bool count = t->positionals > 1;
	char more[64];

	option_line(h, count ? "interval, count" : "interval", width,
		    count ? "seconds between summaries, and how many of them" :
		    "seconds between summaries",
		    t->interval ? default_text(more, sizeof(more), t->interval) :
		    "(default: one, at the end)");
}

static bool has_line(const struct help *h, const struct option_row *row)
{
	return row->own && row->option.type != OPTION_REFUSED &&
	       (row->group == GROUP_OWN || h->lettered);
}

static void section_options(const struct help *h)
{
	unsigned int width = h->tool->positionals ? strlen("interval, count") : 0, i;
	char label[128], more[64];

	for (i = 0; i < h->n; i++) {
		if (!has_line(h, &h->rows[i]))
			continue;
		spell(label, sizeof(label), &h->rows[i].option, "    ");
		if (strlen(label) > width && strlen(label) <= SPELLING)
			width = strlen(label);
	}
	for (i = 0; i < h->n; i++) {
		const struct option *o = &h->rows[i].option;

		if (!has_line(h, &h->rows[i]))
			continue;
		spell(label, sizeof(label), o, "    ");
		default_text(more, sizeof(more),
			     o->type == OPTION_NUMBER && o->initial >= o->min ?
			     o->initial / (o->parts ? o->parts : 1) : 0);
		option_line(h, label, width, o->help ? o->help : "", more);
	}
	if (h->tool->positionals)
		interval_line(h, width);
}

/* Only how they are spelled: they mean the same for every tool, and sonde(8) says what. */
static void section_common(const struct help *h)
{
	static const char *const labels[] = {
		[GROUP_FILTERS] = "Filters:", [GROUP_OUTPUT] = "Output:",
		[GROUP_ENGINE] = "Engine:",
	};
	enum option_group group;
	char label[128];
	unsigned int i;

	for (group = GROUP_OWN + 1; group < GROUPS; group++) {
		struct flow f = { .file = h->file, .indent = INDENT, .columns = h->columns };

		for (i = 0; i < h->n; i++) {
			if (h->rows[i].group != group || has_line(h, &h->rows[i]) ||
			    !option_served(h->tool, &h->rows[i]))
				continue;
			if (!f.column)
				flow_label(&f, labels[group]);
			spell(label, sizeof(label), &h->rows[i].option, "");
			flow_item(&f, label, strlen(label), 2);
		}
		if (f.column)
			flow_end(&f);
	}
}

/* How to get a column that is not always there. */
static void column_option(const struct help *h, const char *name, char *s, size_t size)
{
	const struct option_row *row = name ? option_by_name(h->rows, h->n, name, strlen(name)) :
		NULL;

	*s = '\0';
	if (row && row->option.letter)
		snprintf(s, size, " (-%c)", row->option.letter);
	else if (row)
		text_cut(s, size, " (--%s)", row->option.name);
}

/* Others are forms of these: for other readers, or the manual says what they are. */
static bool is_explained(const struct column *c)
{
	return !c->readers || c->help;
}

static void section_columns(const struct help *h)
{
	struct flow f = { .file = h->file, .indent = INDENT, .columns = h->columns };
	const struct column *c = h->tool->columns;
	char text[512], option[64];

	if (!c || !c->head)
		return;
	flow_label(&f, "Columns:");
	for (; c->head; c++) {
		if (!is_explained(c))
			continue;
		column_option(h, c->option, option, sizeof(option));
		text_cut(text, sizeof(text), "%s%s%s%s.", c->head, c->help ? ": " : "",
			 c->help ? c->help : "", option);
		flow_text(&f, text);
	}
	flow_end(&f);
}

/* The same column below another option is one here. */
static bool is_repeated(const struct column *columns, const struct column *c)
{
	for (const struct column *before = columns; before < c; before++)
		if (is_explained(before) && !strcmp(before->head, c->head) &&
		    column_role(before) == column_role(c))
			return true;
	return false;
}

/* "value: LAT(ms), HITRATIO (percent)." Returns false if no column has the role. */
static bool role_line(const struct column *columns, enum column_role role, struct strbuf *to)
{
	const char *gap = ": ";

	strbuf_addf(to, "%s", role_text(role));
	for (const struct column *c = columns; c->head; c++) {
		const char *unit = column_shows_unit(c) ? NULL : unit_text(column_unit(c));

		if (column_role(c) != role || !is_explained(c) || is_repeated(columns, c))
			continue;
		strbuf_addf(to, "%s%s%s%s%s", gap, c->head, unit ? " (" : "", unit ? unit : "",
			    unit ? ")" : "");
		gap = ", ";
	}
	strbuf_add(to, ".", 1);
	return *gap == ',';
}

/* What the columns are to a program that knows no tool. */
static void section_roles(const struct help *h)
{
	struct flow f = { .file = h->file, .indent = INDENT, .columns = h->columns };
	char text[1024];

	if (!h->tool->columns || !h->tool->columns->head)
		return;
	flow_label(&f, "Roles:");
	for (enum column_role role = IS_NAMED + 1; role < COLUMN_ROLES; role++) {
		struct strbuf line = strbuf_over(text, sizeof(text));

		if (role_line(h->tool->columns, role, &line))
			flow_text(&f, text);
	}
	flow_end(&f);
}

static void section_notes(const struct help *h)
{
	struct flow f = { .file = h->file, .columns = h->columns };
	const char *s = h->tool->notes;

	while (s && *s) {
		size_t length = strcspn(s, "\n");
		char *line = strndup(s, length);

		if (line)
			flow_text(&f, line);
		flow_end(&f);
		free(line);
		s += length + !!s[length];
	}
}

static void section_examples(const struct help *h)
{
	const struct example *e;
	unsigned int width = 0;

	for (e = h->tool->examples; e && e->command; e++)
		if (strlen(e->command) > width)
			width = strlen(e->command);
	for (e = h->tool->examples; e && e->command; e++) {
		struct flow f = { .file = h->file, .indent = INDENT + width + 2,
				  .columns = h->columns };

		f.column = (unsigned int)fprintf(h->file, "%-*s%-*s", INDENT,
						 e == h->tool->examples ? "Examples:" : "", width,
						 e->command);
		flow_text(&f, e->text);
		flow_end(&f);
	}
}

static unsigned int count_lines(const char *s)
{
	unsigned int n = 0;

	for (; (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

static void (*const sections[])(const struct help *h) = {
	section_usage, section_options, section_common, section_columns, section_roles,
	section_notes, section_examples,
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* The sections' texts; the lines they take together. */
static unsigned int write_sections(struct help *h, char *texts[SECTIONS])
{
	unsigned int lines = 0, i;
	size_t size;

	for (i = 0; i < SECTIONS; i++) {
		free(texts[i]);
		texts[i] = NULL;
		h->file = open_memstream(&texts[i], &size);
		if (!h->file)
			continue;
		sections[i](h);
		fclose(h->file);
		lines += count_lines(texts[i]);
	}
	return lines;
}

/* A narrow one gets narrow lines, a high one more of them; neither more than is good to read. */
static void fit_terminal(struct help *h, const FILE *file)
{
	unsigned int width, height;

	if (file != sink_out() || !isatty(STDOUT_FILENO))
		return;
	terminal_size(STDOUT_FILENO, &width, &height);
	if (width < COLUMNS)
		h->columns = width > COLUMNS_LEAST ? width : COLUMNS_LEAST;
	if (height > LINES)
		h->lines = height - 1;		/* the prompt's */
}

void options_help(const struct tool *t, FILE *file)
{
	struct help h = { .tool = t, .lettered = true, .columns = COLUMNS, .lines = LINES };
	char *texts[SECTIONS] = { NULL };
	unsigned int lines, filled = 0, i;
	struct option_row *rows;
	const char *gap;

	h.rows = rows = tool_option_rows(t, &h.n);
	if (!rows)
		return;
	fit_terminal(&h, file);
	lines = write_sections(&h, texts);
	if (lines > h.lines) {
		h.lettered = false;
		lines = write_sections(&h, texts);
	}
	for (i = 0; i < SECTIONS; i++)
		filled += texts[i] && *texts[i];
	/* Blank lines between the sections, as long as all fits the screen. */
	gap = lines + filled - 1 <= h.lines ? "\n" : "";
	if (file == sink_out())
		pager_begin(*gap ? lines + filled - 1 : lines);
	for (i = 0; i < SECTIONS; i++) {
		if (texts[i] && *texts[i])
			fprintf(file, "%s%s", i ? gap : "", texts[i]);
		free(texts[i]);
	}
	free(rows);
}
