// SPDX-License-Identifier: GPL-2.0
/* CSV as of RFC 4180: a head, then a line a row. Histograms have a line a slot. */
#include "src/lib/output/writer.h"

#include <string.h>

static void put_string_cell(struct output *o, const char *s)
{
	struct text t = { .s = s, .length = s ? (uint32_t)strlen(s) : 0 };

	if (s)
		put_text(o, &t);
}

static void hist_heads(struct output *o)
{
	if (o->hist_header_done)
		return;
	put_string(o, "time,histogram,unit,section,value,low,high,count,total");
	put_string(o, o->percentiles.n ? ",percentile\n" : "\n");
	o->hist_header_done = true;
}

static void heads(struct output *o)
{
	if (!o->n_cells) {
		hist_heads(o);
		return;
	}
	for (unsigned int i = 0; i < o->n_cells; i++) {
		put(o, ",", i > 0);
		put_string_cell(o, o->cells[i].column->head);
	}
	put(o, "\n", 1);
}

static void row(struct output *o, const void *row)
{
	for (unsigned int i = 0; i < o->n_cells; i++) {
		const struct column *c = o->cells[i].column;
		union value room;
		const void *value = cell_value(o, &o->cells[i], row, &room);
		const struct text *t = value;
		char s[VALUE_TEXT];

		put(o, ",", i > 0);
		if (c->type != COLUMN_TEXT)
			put(o, s, format_value(o, c, value, s));
		else if (t->s)
			put_text(o, t);
	}
	put(o, "\n", 1);
}

/* The cells before `low`. */
static void hist_heading(struct output *o, const struct histogram *h)
{
	bool section = h->section && h->section->name;

	put_string_cell(o, h->clock_ns != NOTHING ? clock_text(o, h->clock_ns) : NULL);
	put(o, ",", 1);
	put_string_cell(o, h->name);
	put(o, ",", 1);
	put_string_cell(o, h->unit);
	put(o, ",", 1);
	put_string_cell(o, section ? h->section->name : NULL);
	put(o, ",", 1);
	if (section && h->section->value.s)
		put_text(o, &h->section->value);
	put(o, ",", 1);
}

/* Ends a line, whose last cell is empty if there are percentiles. */
static void hist_end(struct output *o)
{
	put(o, ",", o->percentiles.n > 0);
	put(o, "\n", 1);
}

/* A line has the name of its percentile, and its value as the upper bound. */
static void hist_percentiles(struct output *o, const struct histogram *h)
{
	uint64_t values[PERCENTILES + 1];

	if (!histogram_percentiles(o, h, values))
		return;
	for (unsigned int i = 0; i < o->percentiles.n; i++) {
		hist_heading(o, h);
		put(o, ",", 1);
		put_decimal(o, values[i], h->linear);
		put(o, ",,,", 3);
		put_string_cell(o, o->percentiles.list[i].name);
		put(o, "\n", 1);
	}
}

/* The line of totals, the last one, has no bounds. */
static void hist(struct output *o, const struct histogram *h)
{
	hist_heads(o);
	for (unsigned int i = 0; i < h->n; i++) {
		if (!h->counts[i])
			continue;
		hist_heading(o, h);
		put_decimal(o, histogram_low(h, i), h->linear);
		put(o, ",", 1);
		put_decimal(o, histogram_high(h, i), h->linear);
		put(o, ",", 1);
		put_decimal(o, h->counts[i], false);
		put(o, ",", 1);
		hist_end(o);
	}
	hist_percentiles(o, h);
	if (!h->totals)
		return;
	hist_heading(o, h);
	put(o, ",,", 2);
	put_decimal(o, h->totals->count, false);
	put(o, ",", 1);
	put_decimal(o, h->totals->sum, false);
	hist_end(o);
}

static void stack_heads(struct output *o, const struct stack_shown *s)
{
	put_string(o, "time,pid,");
	put_string(o, s->tid ? "tid,comm," : "comm,");
	put_string(o, s->grouped ? "cgroup," : "");
	put_string(o, s->waker ? "waker_pid,waker_comm,stack" : "stack");
	for (unsigned int i = 0; i < s->n_values; i++) {
		put(o, ",", 1);
		put_string_cell(o, s->values[i].unit);
	}
	put(o, "\n", 1);
}

static void task_cells(struct output *o, const struct stack_shown *s)
{
	if (s->pid != NOTHING)
		put_decimal(o, (uint64_t)s->pid, true);
	put(o, ",", 1);
	if (s->tid) {
		put_decimal(o, (uint64_t)s->tid, true);
		put(o, ",", 1);
	}
	if (s->comm.s)
		put_text(o, &s->comm);
	put(o, ",", 1);
}

static void stack(struct output *o, const struct stack_shown *s)
{
	if (!o->hist_header_done) {
		stack_heads(o, s);
		o->hist_header_done = true;
	}
	put_string_cell(o, s->clock_ns != NOTHING ? clock_text(o, s->clock_ns) : NULL);
	put(o, ",", 1);
	task_cells(o, s);
	if (s->grouped) {
		if (s->group.s)
			put_text(o, &s->group);
		put(o, ",", 1);
	}
	if (s->waker)
		task_cells(o, s->waker);
	put_folded(o, s);
	for (unsigned int i = 0; i < s->n_values; i++) {
		put(o, ",", 1);
		put_decimal(o, s->values[i].value, false);
	}
	put(o, "\n", 1);
}

const struct output_listener csv_writer = {
	.style = ESCAPE_CSV,
	.quoted = ESCAPE_CSV,
	.heads = heads,
	.row = row,
	.hist = hist,
	.stack = stack,
};
