// SPDX-License-Identifier: GPL-2.0
/* JSON: an object a line, and one at the end that says what was seen and what was not. */
#include "src/lib/output/heatmap.h"
#include "src/lib/output/writer.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"

static int begin(struct output *o)
{
	size_t size;
	FILE *file = open_memstream(&o->keys, &size);
	char *at;

	if (!file)
		return -1;
	for (unsigned int i = 0; i < o->n_cells; i++) {
		fputs(i ? "," : "{", file);
		json_string(file, o->cells[i].column->name);
		fputc(':', file);
		fputc('\0', file);
	}
	if (fclose(file))
		return -1;
	at = o->keys;
	for (unsigned int i = 0; i < o->n_cells; i++) {
		o->cells[i].key = at;
		o->cells[i].key_length = (unsigned int)strlen(at);
		at += o->cells[i].key_length + 1;
	}
	return 0;
}

/* Strings above 2^53, where a reader that knows only doubles would change them. */
#define EXACT_IN_DOUBLES (1ULL << 53)

static void put_digits(struct output *o, const char *digits, unsigned int n, uint64_t size)
{
	unsigned int quote = size > EXACT_IN_DOUBLES;

	put(o, "\"", quote);
	put(o, digits, n);
	put(o, "\"", quote);
}

static void put_signed(struct output *o, int64_t v)
{
	char s[24];

	put_digits(o, s, format_signed(s, v), v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static void put_unsigned(struct output *o, uint64_t v)
{
	char s[24];

	put_digits(o, s, format_unsigned(s, v), v);
}

static void put_name(struct output *o, const char *s)
{
	struct text t = { .s = s, .length = s ? (uint32_t)strlen(s) : 0 };

	if (s)
		put_text(o, &t);
	else
		put(o, "null", 4);
}

static void put_key(struct output *o, const char *name)
{
	put_name(o, name);
	put(o, ":", 1);
}

/* What follows "name":, and "name_cut":true if it was cut. */
static void put_text_value(struct output *o, const char *name, const struct text *t)
{
	if (!t->s) {
		put(o, "null", 4);
		return;
	}
	if (t->is_number)
		put(o, t->s, t->length);
	else
		put_text(o, t);
	if (t->cut) {
		put(o, ",\"", 2);
		put_string(o, name);
		put_string(o, "_cut\":true");
	}
}

/* ISO 8601, UTC; rounded down, before the epoch too. */
static void put_clock(struct output *o, int64_t ns)
{
	int64_t part = ns % NS_PER_SECOND;
	struct date date = date_utc(ns);
	char s[64];

	part += part < 0 ? NS_PER_SECOND : 0;
	text_cut(s, sizeof(s), "\"%sT%s.%06dZ\"", date.day, date.time, (int)(part / 1000));
	put_string(o, s);
}

static void put_value(struct output *o, const struct column *c, const void *value)
{
	char s[VALUE_TEXT];
	unsigned int n = format_value(o, c, value, s), quote = c->type == COLUMN_ADDRESS;
	int64_t v = NOTHING;

	if (!n) {
		put(o, "null", 4);
		return;
	}
	switch (c->type) {
	case COLUMN_INTEGER:
	case COLUMN_OCTAL:
		memcpy(&v, value, sizeof(v));
		put_signed(o, v);
		break;
	case COLUMN_CLOCK:
	case COLUMN_UTC:
		memcpy(&v, value, sizeof(v));
		put_clock(o, v);
		break;
	default:
		put(o, "\"", quote);
		put(o, s, n);
		put(o, "\"", quote);
	}
}

static void row(struct output *o, const void *row)
{
	for (unsigned int i = 0; i < o->n_cells; i++) {
		const struct cell *cell = &o->cells[i];
		union value room;
		const void *value = cell_value(o, cell, row, &room);

		put(o, cell->key, cell->key_length);
		if (cell->column->type == COLUMN_TEXT)
			put_text_value(o, cell->column->name, value);
		else
			put_value(o, cell->column, value);
	}
	put(o, "}\n", 2);
}

static void hist_heading(struct output *o, const struct histogram *h)
{
	put_string(o, "{\"histogram\":");
	put_name(o, h->name);
	put_string(o, ",\"unit\":");
	put_name(o, h->unit);
	if (h->clock_ns != NOTHING) {
		put_string(o, ",\"time\":");
		put_clock(o, h->clock_ns);
	}
	if (h->section && h->section->name) {
		put(o, ",", 1);
		put_key(o, h->section->name);
		if (h->section->is_number)
			put(o, h->section->value.s, h->section->value.length);
		else
			put_text_value(o, h->section->name, &h->section->value);
	}
}

static void put_bound(struct output *o, uint64_t v, bool is_signed)
{
	if (is_signed)
		put_signed(o, (int64_t)v);
	else
		put_unsigned(o, v);
}

static void hist_totals(struct output *o, const struct hist_totals *t)
{
	put_string(o, ",\"avg\":");
	if (t->count)
		put_unsigned(o, t->sum / t->count);
	else
		put(o, "null", 4);
	put_string(o, ",\"total\":");
	put_unsigned(o, t->sum);
	put_string(o, ",\"count\":");
	put_unsigned(o, t->count);
}

static void hist_percentiles(struct output *o, const struct histogram *h)
{
	uint64_t values[PERCENTILES + 1];
	bool known = histogram_percentiles(o, h, values);

	put_string(o, ",\"percentiles\":{");
	for (unsigned int i = 0; i < o->percentiles.n; i++) {
		put(o, ",", i > 0);
		put_key(o, o->percentiles.list[i].name);
		if (known)
			put_bound(o, values[i], h->linear);
		else
			put(o, "null", 4);
	}
	put(o, "}", 1);
}

static void put_slots(struct output *o, const struct histogram *h)
{
	const char *separator = "";

	put_string(o, ",\"slots\":[");
	for (unsigned int i = 0; i < h->n; i++) {
		if (!h->counts[i])
			continue;
		put_string(o, separator);
		put_string(o, "{\"low\":");
		put_bound(o, histogram_low(h, i), h->linear);
		put_string(o, ",\"high\":");
		put_bound(o, histogram_high(h, i), h->linear);
		put_string(o, ",\"count\":");
		put_unsigned(o, h->counts[i]);
		put(o, "}", 1);
		separator = ",";
	}
	put(o, "]", 1);
}

static void hist(struct output *o, const struct histogram *h)
{
	hist_heading(o, h);
	put_slots(o, h);
	if (o->percentiles.n)
		hist_percentiles(o, h);
	if (h->totals)
		hist_totals(o, h->totals);
	put(o, "}\n", 2);
}

/* Its histograms are the objects before it. */
static void map(struct output *o, const struct heatmap_column *c, const struct histogram *h)
{
	put_string(o, "{\"heatmap\":");
	put_name(o, h->name);
	put_string(o, ",\"start\":");
	put_clock(o, c->start);
	put_string(o, ",\"time\":");
	put_clock(o, c->end);
	put_string(o, ",\"lost\":");
	put_unsigned(o, c->lost);
	if (h->n) {
		put_string(o, ",\"unit\":");
		put_name(o, h->unit);
		put_slots(o, h);
	}
	put(o, "}\n", 2);
}

static void put_frames(struct output *o, const char *name, const struct stack_frame *f,
		       unsigned int n)
{
	char s[48];

	put(o, ",", 1);
	put_key(o, name);
	put(o, "[", 1);
	for (unsigned int i = 0; i < n; i++) {
		put_string(o, i ? ",{\"name\":" : "{\"name\":");
		put_name(o, f[i].name);
		if (f[i].kind != FRAME_MARK) {
			put_string(o, ",\"module\":");
			put_name(o, f[i].module);
			put_string(o, ",\"offset\":");
			put_unsigned(o, f[i].offset);
			snprintf(s, sizeof(s), ",\"address\":\"0x%llx\"",
				 (unsigned long long)f[i].address);
			put_string(o, s);
		}
		put(o, "}", 1);
	}
	put(o, "]", 1);
}

static void put_id(struct output *o, const char *name, int64_t id)
{
	put(o, ",", 1);
	put_key(o, name);
	if (id == NOTHING)
		put(o, "null", 4);
	else
		put_signed(o, id);
}

static void stack(struct output *o, const struct stack_shown *s)
{
	put_string(o, "{\"stack\":");
	put_name(o, s->name);
	if (s->clock_ns != NOTHING) {
		put_string(o, ",\"time\":");
		put_clock(o, s->clock_ns);
	}
	put_id(o, "pid", s->pid);
	if (s->tid)
		put_id(o, "tid", s->tid);
	put_string(o, ",\"comm\":");
	put_text_value(o, "comm", &s->comm);
	if (s->grouped) {
		put_string(o, ",\"cgroup\":");
		put_text_value(o, "cgroup", &s->group);
	}
	if (!s->waker || s->kernel || s->user) {
		put_frames(o, "kernel_stack", s->kernel, s->n_kernel);
		put_frames(o, "user_stack", s->user, s->n_user);
	}
	if (s->waker) {
		put_id(o, "waker_pid", s->waker->pid);
		put_string(o, ",\"waker_comm\":");
		put_text_value(o, "waker_comm", &s->waker->comm);
		put_frames(o, "waker_kernel_stack", s->waker->kernel, s->waker->n_kernel);
		put_frames(o, "waker_user_stack", s->waker->user, s->waker->n_user);
	}
	for (unsigned int i = 0; i < s->n_values; i++) {
		put(o, ",", 1);
		put_key(o, s->values[i].unit);
		put_unsigned(o, s->values[i].value);
	}
	put(o, "}\n", 2);
}

static void put_strings(struct output *o, const char *name, const char *const *strings)
{
	const char *separator = "";

	put(o, ",", 1);
	put_key(o, name);
	put(o, "[", 1);
	for (; strings && *strings; strings++) {
		put_string(o, separator);
		put_name(o, *strings);
		separator = ",";
	}
	put(o, "]", 1);
}

/* None of a tool that can show rows, and has shown something else. */
static void put_columns(struct output *o)
{
	const unsigned int n = o->header_done || o->has_rows ? o->n_cells : 0;

	put_string(o, ",\"columns\":[");
	for (unsigned int i = 0; i < n; i++) {
		const struct cell *cell = &o->cells[i];

		put_string(o, i ? ",{\"name\":" : "{\"name\":");
		put_name(o, cell->column->name);
		put_string(o, ",\"role\":");
		put_name(o, role_text(cell->role));
		if (cell->unit) {
			put_string(o, ",\"unit\":");
			put_name(o, unit_text(cell->unit));
		}
		put(o, "}", 1);
	}
	put(o, "]", 1);
}

static void end(struct output *o, const struct output_end *end)
{
	const struct {
		const char *name;
		uint64_t value;
		bool shown, known;
	} counts[] = {
		{ "seen", end->seen, true, true },
		{ "lost", end->lost, true, true },
		{ "late", end->late, true, true },
		{ "unpaired", end->unpaired, true, true },
		{ "full", end->full, true, true },
		{ "missed", end->missed, true, end->missed_known },
		{ "strings", end->strings, true, true },
		{ "unreturned", end->unreturned, end->unreturned, true },
		{ "ran_ms", end->ran_ms, end->ran_ms, true },
		{ "untraced_ms", end->untraced_ms, end->untraced_ms, true },
		{ "untimed", end->untimed, end->untimed, true },
		{ "requests", end->requests, end->requests, true },
		{ "stacks_lost", end->stacks_lost, end->stacks_lost, true },
		{ "stacks_unrecorded", end->stacks_unrecorded, end->stacks_unrecorded, true },
	};

	put_string(o, "{\"end\":{\"tool\":");
	put_name(o, end->tool);
	put_string(o, ",\"engine\":");
	put_name(o, end->engine);
	put_strings(o, "hooks", end->hooks);
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (!counts[i].shown)
			continue;
		put(o, ",", 1);
		put_key(o, counts[i].name);
		if (counts[i].known)
			put_unsigned(o, counts[i].value);
		else
			put(o, "null", 4);
	}
	put_strings(o, "missing", end->missing);
	put_columns(o);
	put_string(o, "}}\n");
}

static void members(struct output *o, const char *name, const struct output_member *members,
		    unsigned int n)
{
	put(o, "{", 1);
	put_key(o, name);
	for (unsigned int i = 0; i < n; i++) {
		put_string(o, i ? "," : "{");
		put_key(o, members[i].name);
		put_text_value(o, members[i].name, &members[i].value);
	}
	put_string(o, "}}\n");
}

const struct output_listener json_writer = {
	.style = ESCAPE_JSON,
	.quoted = ESCAPE_JSON,
	.begin = begin,
	.row = row,
	.hist = hist,
	.map = map,
	.stack = stack,
	.end = end,
	.members = members,
};
