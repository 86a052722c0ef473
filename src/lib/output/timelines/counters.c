// SPDX-License-Identifier: GPL-2.0
/*
 * Rows and histograms of intervals as counters. The value of an interval is written at its begin,
 * since it holds until its end. An interval without a row of that name had nothing to count: the
 * counter is 0 from the end of the last one that had it.
 */
#include "src/lib/output/timelines/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/lib/output/writer.h"

struct series {
	int64_t until;			/* the end of the last interval that had it */
	int64_t pid;
	uint64_t id;
};

/* The interval of what is shown now. False: there is none, so there is nothing to count. */
static bool interval_of(const struct timeline *t, int64_t *began, int64_t *ended)
{
	const struct output_source *s = &t->o->source;

	return s->interval && s->interval(s->arg, began, ended);
}

static const char *name_of(const struct timeline *t, const struct series *s)
{
	return hash_key(&t->series, s);
}

static void put_zero(struct timeline *t, const struct series *s)
{
	const struct timeline_counter zero = {
		.id = s->id, .name = name_of(t, s), .pid = s->pid, .time = s->until,
	};

	t->writer->counter(t, &zero);
}

/* Ends all that no row of the interval just before this one had. */
static void next_interval(struct timeline *t, int64_t began, int64_t ended)
{
	struct series *s, *next;
	uint32_t at = 0;

	if (t->interval == ended)
		return;
	for (s = hash_next(&t->series, &at); s; s = next) {
		next = hash_next(&t->series, &at);
		if (s->until == began)
			continue;
		put_zero(t, s);
		hash_remove(&t->series, name_of(t, s), strlen(name_of(t, s)) + 1);
	}
	t->interval = ended;
}

void timeline_count_end(struct timeline *t)
{
	struct series *s;

	for (uint32_t at = 0; (s = hash_next(&t->series, &at));)
		put_zero(t, s);
}

/* What a row counts, but for its name's end and its value. */
struct counted {
	struct timeline *t;
	int64_t began, ended;
	struct strbuf name;
	size_t head;			/* bytes of the name that all values of the row share */
	struct timeline_counter counter;
};

static void put_counter(struct counted *c, const char *what, const char *unit)
{
	struct series *s;

	c->name.n = c->head;
	strbuf_addf(&c->name, " %s", what);
	if (c->name.cut)
		return;
	s = hash_find(&c->t->series, c->name.s, c->name.n + 1);
	c->counter.first = !s;
	s = s ? s : hash_add(&c->t->series, c->name.s, c->name.n + 1);
	if (!s)
		return;
	*s = (struct series){ c->ended, c->counter.pid, timeline_id(2, c->name.s, c->name.n) };
	c->counter.id = s->id;
	c->counter.name = c->name.s;
	c->counter.unit = unit;
	c->counter.time = c->began;
	c->t->writer->counter(c->t, &c->counter);
}

static int begin(struct timeline *t, struct counted *c)
{
	*c = (struct counted){ .t = t, .counter.pid = NOTHING };
	if (!interval_of(t, &c->began, &c->ended))
		return -1;
	timeline_start(t);
	t->series.value_size = sizeof(struct series);
	next_interval(t, c->began, c->ended);
	return 0;
}

static void finish(struct counted *c)
{
	if (c->name.cut)
		c->t->o->error = ENOMEM;
	free(c->name.s);
}

static void add_value(struct counted *c, const struct cell *cell, const void *value)
{
	char s[VALUE_TEXT];
	struct text text = { .s = s };

	if (cell->column->type == COLUMN_TEXT)
		memcpy(&text, value, sizeof(text));
	else
		text.length = format_value(c->t->o, cell->column, value, s);
	if (text.s && text.length)
		strbuf_addf(&c->name, " %s=%.*s", cell->column->name, (int)text.length, text.s);
}

/* What tells the row from others is in the name of its counters. */
static void add_names(struct counted *c, const void *row)
{
	const struct output *o = c->t->o;
	union value room;

	strbuf_addf(&c->name, "%s", c->t->lane_name);
	for (unsigned int i = 0; i < o->n_cells; i++)
		if (o->cells[i].role == IS_IDENTITY || o->cells[i].role == IS_LABEL)
			add_value(c, &o->cells[i], cell_value(c->t->o, &o->cells[i], row, &room));
	c->head = c->name.n;
}

/* Returns false if the value is missing. */
static bool read_value(struct counted *c, const struct cell *cell, const void *value)
{
	union value *v = &c->counter.value;
	const uint8_t type = cell->column->type;

	c->counter.real = type == COLUMN_REAL || type == COLUMN_SECONDS;
	if (type == COLUMN_REAL)
		memcpy(&v->real, value, sizeof(v->real));
	else if (type == COLUMN_INTEGER || type == COLUMN_SECONDS)
		memcpy(&v->integer, value, sizeof(v->integer));
	else
		return false;
	if (type != COLUMN_REAL && v->integer == NOTHING)
		return false;
	if (type == COLUMN_SECONDS)
		v->real = (double)v->integer / NS_PER_SECOND;
	return !c->counter.real || isfinite(v->real);
}

void timeline_count_row(struct timeline *t, const void *row)
{
	struct counted c;

	if (begin(t, &c))
		return;
	c.counter.pid = timeline_integer(t, t->columns.pid, row);
	if (c.counter.pid >= 0) {
		const struct text comm = timeline_text(t, t->columns.comm, row);

		timeline_task(t, c.counter.pid, NOTHING, NOTHING, &comm);
	}
	add_names(&c, row);
	for (unsigned int i = 0; i < t->o->n_cells; i++) {
		const struct cell *cell = &t->o->cells[i];
		union value room;

		if ((cell->role == IS_COUNT || cell->role == IS_VALUE) &&
		    read_value(&c, cell, cell_value(t->o, cell, row, &room)))
			put_counter(&c, cell->column->name, unit_text(cell->unit));
	}
	finish(&c);
}

static void put_percentiles(struct counted *c, const struct histogram *h)
{
	uint64_t values[PERCENTILES + 1];

	if (!histogram_percentiles(c->t->o, h, values))
		return;
	for (unsigned int i = 0; i < c->t->o->percentiles.n; i++) {
		c->counter.value.integer = (int64_t)values[i];
		put_counter(c, c->t->o->percentiles.list[i].name, h->unit);
	}
}

/* How many values it has, and its percentiles: those that the user named, or the usual ones. */
void timeline_count_hist(struct timeline *t, const struct histogram *h)
{
	struct counted c;
	uint64_t n = 0;

	if (!t->o->percentiles.n)
		percentiles_read(NULL, &t->o->percentiles);
	if (begin(t, &c))
		return;
	for (unsigned int i = 0; i < h->n; i++)
		n += h->counts[i];
	strbuf_addf(&c.name, "%s", h->name);
	if (h->section && h->section->name)
		strbuf_addf(&c.name, " %s=%.*s", h->section->name, (int)h->section->value.length,
			    h->section->value.s ? h->section->value.s : "");
	c.head = c.name.n;
	if (n) {
		c.counter.value.integer = (int64_t)n;
		put_counter(&c, "count", NULL);
		put_percentiles(&c, h);
	}
	finish(&c);
}
