// SPDX-License-Identifier: GPL-2.0
/* Columns say what they are by their roles and units, so no tool is known here. */
#include "src/lib/metrics/metrics_listener.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/lib/metrics/metric_names.h"
#include "src/lib/metrics/metrics.h"
#include "src/lib/output/records.h"
#include "src/lib/output/writer.h"

#define NAME 128
#define HELP 256

/* A column whose values are added to a family. */
struct quantity {
	struct column column;		/* without its divisor: values are not rounded */
	struct cell cell;
	struct metric_family *family;
};

struct counting {
	struct metrics *metrics;
	struct quantity *quantities;
	unsigned int n_quantities;
	const struct cell *labels[METRIC_LABELS];
	unsigned int n_labels;
	struct metric_family *events;	/* NULL: rows are of intervals */
};

static bool is_asked(const struct counting *c, const struct cell *cell)
{
	const char *name = cell->column->name;

	if (cell->role != IS_IDENTITY && cell->role != IS_LABEL)
		return false;
	return c->n_labels < METRIC_LABELS && metric_label_wanted(name, c->metrics->asked);
}

static struct metric_about about_of(const struct counting *c, const char *name, const char *help)
{
	struct metric_about a = { .name = name, .unit = "", .help = help, .scale = 1 };

	for (unsigned int i = 0; i < c->n_labels; i++) {
		a.labels[a.n_labels++] = c->labels[i]->column->name;
		a.passing |= metric_label_passes(c->labels[i]->column->name);
	}
	return a;
}

/* Returns false if values of the column can't be added up. */
static bool unit_of(const struct cell *cell, struct metric_unit *to)
{
	if (!column_adds(cell->column))
		return false;
	if (cell->column->type == COLUMN_SECONDS && cell->column->span == SPAN_LENGTH)
		return metric_unit_of(IN_NS, to);
	if (cell->column->type != COLUMN_INTEGER && cell->column->type != COLUMN_REAL)
		return false;
	if (cell->role != IS_COUNT)
		return cell->role == IS_VALUE && metric_unit_of(cell->unit, to);
	*to = (struct metric_unit){ "", 1 };
	return true;
}

/* Two columns may show the same, as KB and as bytes: the first of a name stays. */
static bool is_named(const struct counting *c, const char *name)
{
	for (unsigned int i = 0; i < c->n_quantities; i++)
		if (!strcmp(c->quantities[i].family->about.name, name))
			return true;
	return false;
}

/* Times of events become histograms, since their sum alone says little. */
static void add_quantity(struct output *o, const struct cell *cell)
{
	struct counting *c = o->state;
	struct quantity *q = &c->quantities[c->n_quantities];
	struct metric_unit unit;
	struct metric_about a;
	char name[NAME], help[HELP];

	if (!unit_of(cell, &unit))
		return;
	metric_name(o->source.name, cell->column->name, &unit, name, sizeof(name));
	if (is_named(c, name))
		return;
	text_cut(help, sizeof(help), "%s %s: %s%s%s", o->source.name, cell->column->head,
		 cell->column->help ? cell->column->help : cell->column->name,
		 *unit.name ? "; here as " : "", unit.name);
	*q = (struct quantity){ *cell->column, *cell, NULL };
	if (cell->field && cell->column->divisor > 1) {
		unit.scale /= cell->column->divisor;
		q->column.divisor = 0;
	}
	a = about_of(c, name, help);
	a.unit = unit.name;
	a.scale = unit.scale;
	if (c->events && !strcmp(unit.name, "seconds")) {
		a.type = METRIC_HISTOGRAM;
		a.sums = true;
	}
	q->family = metrics_family(c->metrics, &a);
	c->n_quantities += q->family != NULL;
}

static int begin(struct output *o)
{
	struct counting *c;
	char name[NAME], help[HELP];

	if (!o->source.metrics)
		return 0;
	c = o->state = calloc(1, sizeof(*c));
	if (!c)
		return -1;
	c->metrics = o->source.metrics;
	c->quantities = calloc(o->n_cells + 1, sizeof(*c->quantities));
	if (!c->quantities)
		return -1;
	for (unsigned int i = 0; i < o->n_cells; i++)
		if (is_asked(c, &o->cells[i]))
			c->labels[c->n_labels++] = &o->cells[i];
	if (!o->source.summed && o->n_cells) {
		const struct metric_unit none = { "", 1 };
		struct metric_about a;

		metric_name(o->source.name, "events", &none, name, sizeof(name));
		text_cut(help, sizeof(help), "rows of %s", o->source.name);
		a = about_of(c, name, help);
		c->events = metrics_family(c->metrics, &a);
	}
	for (unsigned int i = 0; i < o->n_cells; i++)
		add_quantity(o, &o->cells[i]);
	return c->metrics->failed ? -1 : 0;
}

/* A missing text is an empty label, which is none. */
static void add_text(struct metric_labels *to, const struct text *text)
{
	metric_label(to, text->s ? text->s : "", text->s ? text->length : 0);
}

static void add_label(struct output *o, const struct cell *cell, const void *row,
		      struct metric_labels *to)
{
	char s[VALUE_TEXT];
	union value room;
	const void *value = cell_value(o, cell, row, &room);
	struct text text = { .s = s };

	if (cell->column->type == COLUMN_TEXT)
		memcpy(&text, value, sizeof(text));
	else
		text.length = format_value(o, cell->column, value, s);
	add_text(to, &text);
}

/* Returns false if the value is missing, or is no amount. */
static bool read_amount(struct output *o, struct quantity *q, const void *row, double *to)
{
	union value room;
	const void *value;
	int64_t integer;

	q->cell.column = &q->column;
	value = cell_value(o, &q->cell, row, &room);
	if (q->column.type == COLUMN_REAL) {
		memcpy(to, value, sizeof(*to));
		return *to >= 0;
	}
	memcpy(&integer, value, sizeof(integer));
	*to = (double)integer;
	return integer != NOTHING && integer >= 0;
}

static void add_amount(struct metric_family *f, const struct metric_labels *labels, uint64_t now,
		       double amount)
{
	struct metric_series *s = metric_series(f, labels, now);

	if (!s)
		return;
	s->value += amount;
	if (s->buckets)
		s->buckets[metric_bucket(amount)]++;
}

static void show_row(struct output *o, const void *row)
{
	struct counting *c = o->state;
	struct metric_labels labels;
	const uint64_t now = monotonic_ns();
	double amount;

	if (!c)
		return;
	labels.n = 0;
	for (unsigned int i = 0; i < c->n_labels; i++)
		add_label(o, c->labels[i], row, &labels);
	if (c->events)
		add_amount(c->events, &labels, now, 1);
	for (unsigned int i = 0; i < c->n_quantities; i++)
		if (read_amount(o, &c->quantities[i], row, &amount))
			add_amount(c->quantities[i].family, &labels, now, amount);
}

static const char *section_label(const struct counting *c, const struct histogram *h)
{
	const char *name = h->section ? h->section->name : NULL;

	return name && metric_label_wanted(name, c->metrics->asked) ? name : NULL;
}

/*
 * An empty one adds nothing. A slot that two buckets share can't be told apart: only those of steps
 * of one have none.
 */
static bool fits(const struct histogram *h)
{
	bool empty = true;

	for (unsigned int i = 0; i < h->n && empty; i++)
		empty = !h->counts[i];
	return !empty && (!h->linear || (h->step == 1 && h->first >= 0));
}

static void show_hist(struct output *o, const struct histogram *h)
{
	struct counting *c = o->state;
	const char *label = c ? section_label(c, h) : NULL;
	struct metric_unit unit = { "", 1 };
	struct metric_about a = { .type = METRIC_HISTOGRAM };
	struct metric_labels labels;
	struct metric_family *f;
	struct metric_series *s;
	char name[NAME], help[HELP];

	if (!c || !fits(h))
		return;
	metric_unit_named(h->unit, &unit);
	metric_name(o->source.name, h->name, &unit, name, sizeof(name));
	text_cut(help, sizeof(help), "%s: a histogram, %s%s%s", o->source.name, h->name,
		 *unit.name ? " as " : "", unit.name);
	a.name = name;
	a.help = help;
	a.unit = unit.name;
	a.scale = unit.scale;
	a.sums = h->totals || h->linear;
	labels.n = 0;
	if (label) {
		a.labels[a.n_labels++] = label;
		a.passing = metric_label_passes(label);
		add_text(&labels, &h->section->value);
	}
	f = metrics_family(c->metrics, &a);
	s = f ? metric_series(f, &labels, monotonic_ns()) : NULL;
	/* Exact ones count each value where the one below it is (VALUE_SLOT in insns/hist.h). */
	for (unsigned int i = 0; s && i < h->n; i++)
		if (h->counts[i])
			s->buckets[metric_bucket((double)histogram_high(h, i) + !!h->totals)] +=
				h->counts[i];
	/* In steps of one a count tells its value. */
	for (unsigned int i = 0; s && h->linear && i < h->n; i++)
		s->value += (double)histogram_high(h, i) * (double)h->counts[i];
	if (s && h->totals)
		s->value += (double)h->totals->sum;
}

static void free_state(struct output *o)
{
	struct counting *c = o->state;

	if (c)
		free(c->quantities);
}

static const struct output_listener listener = {
	.begin = begin, .row = show_row, .hist = show_hist, .free = free_state,
};

const struct output_format metrics_format = {
	.title = "metrics", .writer = &listener, .objects = true,
};
