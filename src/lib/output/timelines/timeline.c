// SPDX-License-Identifier: GPL-2.0
/* Rows as spans and moments: which columns say when, how long, whose and what. */
#include "src/lib/output/timelines/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/output/writer.h"

#define TASKS_KEPT 16384		/* names that are not told again */
#define NAME_MOST 256			/* bytes of a track's name */

struct task {
	char comm[16];
};

uint64_t timeline_id(uint64_t seed, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint64_t id = 0xcbf29ce484222325 ^ seed;	/* FNV-1a */

	for (; n; n--)
		id = (id ^ *at++) * 0x100000001b3;
	return id ? id : 1;
}

/* ---- columns ---- */

static unsigned int cell_named(const struct output *o, const char *name)
{
	for (unsigned int i = 0; i < o->n_cells; i++)
		if (!strcmp(o->cells[i].column->name, name))
			return i;
	return TIMELINE_NO_CELL;
}

static unsigned int cell_of_span(const struct output *o, enum column_span span)
{
	for (unsigned int i = 0; i < o->n_cells; i++)
		if (o->cells[i].column->span == span)
			return i;
	return TIMELINE_NO_CELL;
}

static bool is_row_time(const struct column *c)
{
	return c->field && (!strcmp(c->name, "time") || !strcmp(c->name, "time_s"));
}

bool timeline_has_times(const struct column *columns)
{
	while (columns && columns->head && !is_row_time(columns))
		columns++;
	return columns && columns->head;
}

/*
 * A row has its time also where the user did not ask to see it. Other options than these show
 * another kind of rows.
 */
static bool has_time(const struct output_source *s, const struct column *c)
{
	static const char *const asks[] = { "time", "timestamp", "utc" };
	bool shown = !c->option || s->shown(s->arg, c->option);

	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		shown |= c->option && !strcmp(c->option, asks[i]);
	return shown && (!c->unless || !s->shown(s->arg, c->unless) ||
			 !strcmp(c->unless, "timestamp") || !strcmp(c->unless, "utc"));
}

static void find_time(struct timeline *t)
{
	const struct output_source *s = &t->o->source;

	for (const struct column *c = s->columns; c && c->head; c++) {
		struct cell cell = { .column = c };

		if (is_row_time(c) && has_time(s, c) && cell_find(&cell, s) &&
		    cell.field->type == FIELD_TIME) {
			t->columns.time = cell;
			return;
		}
	}
}

/* Fields have more digits than the column shows: it is read as a fraction of its unit. */
static int find_length(struct timeline *t)
{
	struct timeline_columns *is = &t->columns;
	struct column *exact;

	is->from = is->length == TIMELINE_NO_CELL;
	if (is->from)
		is->length = cell_of_span(t->o, SPAN_LENGTH_FROM);
	if (is->length == TIMELINE_NO_CELL)
		return 0;
	is->exact = t->o->cells[is->length];
	if (!is->exact.field || is->exact.column->type != COLUMN_INTEGER)
		return 0;
	exact = malloc(sizeof(*exact));
	if (!exact)
		return -1;
	*exact = *is->exact.column;
	exact->type = COLUMN_REAL;
	is->exact.column = exact;
	cell_find(&is->exact, &t->o->source);
	return 0;
}

int timeline_begin(struct output *o, const struct timeline_writer *writer)
{
	struct timeline *t = calloc(1, sizeof(*t));
	struct timeline_columns *is;

	o->state = t;
	if (!t)
		return -1;
	t->o = o;
	t->writer = writer;
	t->lane_name = o->source.name ? o->source.name : "sonde";
	t->tasks.value_size = sizeof(struct task);
	is = &t->columns;
	is->pid = cell_named(o, "pid");
	is->tid = cell_named(o, "tid");
	is->ppid = cell_named(o, "ppid");
	is->comm = cell_named(o, "comm");
	is->name = cell_of_span(o, SPAN_NAME);
	is->track = cell_of_span(o, SPAN_TRACK);
	is->length = cell_of_span(o, SPAN_LENGTH);
	find_time(t);
	return find_length(t);
}

void timeline_free(struct output *o)
{
	struct timeline *t = o->state;

	if (t->columns.length != TIMELINE_NO_CELL &&
	    t->columns.exact.column != o->cells[t->columns.length].column)
		free((void *)t->columns.exact.column);
	tracks_free(&t->tracks);
	hash_clear(&t->tasks);
	hash_clear(&t->series);
	free(t->out.s);
}

/* ---- values ---- */

int64_t timeline_integer(const struct timeline *t, unsigned int cell, const void *row)
{
	int64_t v = NOTHING;
	union value room;

	if (cell != TIMELINE_NO_CELL && t->o->cells[cell].column->type == COLUMN_INTEGER)
		memcpy(&v, cell_value(t->o, &t->o->cells[cell], row, &room), sizeof(v));
	return v;
}

struct text timeline_text(const struct timeline *t, unsigned int cell, const void *row)
{
	struct text text = { };
	union value room;

	if (cell != TIMELINE_NO_CELL && t->o->cells[cell].column->type == COLUMN_TEXT)
		memcpy(&text, cell_value(t->o, &t->o->cells[cell], row, &room), sizeof(text));
	return text;
}

static int64_t time_of(const struct timeline *t, const void *row)
{
	const struct cell *c = &t->columns.time;
	const char *record = (const char *)row + c->part->offset;

	if (c->part->pointer)
		memcpy(&record, record, sizeof(record));
	return (int64_t)field_number(c->field, record);
}

static double unit_ns(enum column_unit unit)
{
	return unit == IN_S ? 1e9 : unit == IN_MS ? 1e6 : unit == IN_US ? 1e3 : 1;
}

/* In ns; NOTHING: it has none, or an unknown one. */
static int64_t length_of(const struct timeline *t, const void *row)
{
	const struct cell *c = &t->columns.exact;
	union value v, room;

	if (!c->column)
		return NOTHING;
	memcpy(&v, cell_value(t->o, c, row, &room),
	       c->column->type == COLUMN_REAL ? sizeof(v.real) : sizeof(v.integer));
	if (c->column->type == COLUMN_SECONDS)
		return v.integer < 0 ? NOTHING : v.integer;
	if (c->column->type == COLUMN_INTEGER)
		v.real = v.integer == NOTHING ? NAN : (double)v.integer;
	v.real *= unit_ns(c->unit);
	return v.real >= 0 && v.real < 9e18 ? (int64_t)(v.real + 0.5) : NOTHING;
}

void timeline_each_argument(const struct timeline *t, const void *row,
			    void (*each)(void *arg, const struct timeline_argument *a), void *arg)
{
	for (unsigned int i = 0; i < t->o->n_cells; i++) {
		const struct cell *c = &t->o->cells[i];
		struct timeline_argument a = { .column = c->column };
		union value room;
		const void *value;
		char s[VALUE_TEXT];

		if (i == t->columns.length || is_row_time(c->column))
			continue;
		value = cell_value(t->o, c, row, &room);
		switch (c->column->type) {
		case COLUMN_TEXT:
			memcpy(&a.value.text, value, sizeof(a.value.text));
			a.type = ARGUMENT_TEXT;
			break;
		case COLUMN_INTEGER:
			memcpy(&a.value.integer, value, sizeof(a.value.integer));
			break;
		case COLUMN_REAL:
			memcpy(&a.value.real, value, sizeof(a.value.real));
			a.type = ARGUMENT_REAL;
			break;
		default:
			a.type = ARGUMENT_TEXT;
			a.value.text = (struct text){
				.s = s, .length = format_value(t->o, c->column, value, s),
			};
			a.value.text.s = a.value.text.length ? s : NULL;
		}
		if (a.type == ARGUMENT_TEXT ? a.value.text.s != NULL :
		    a.type == ARGUMENT_REAL ? isfinite(a.value.real) : a.value.integer != NOTHING)
			each(arg, &a);
	}
}

/* ---- the file ---- */

void timeline_put(struct timeline *t)
{
	if (t->out.cut)
		t->o->error = t->o->error ? t->o->error : ENOMEM;
	else
		put(t->o, t->out.s, t->out.n);
	t->out.n = 0;
	t->out.cut = false;
}

void timeline_start(struct timeline *t)
{
	struct output_moment now = { NOTHING, NOTHING, NOTHING, NOTHING };

	if (t->begun)
		return;
	t->begun = true;
	if (t->o->source.moment)
		t->o->source.moment(t->o->source.arg, &now);
	t->writer->begin(t, &now);
}

/* Ids come again while sonde runs: a changed name is told as well. */
static bool is_news(struct timeline *t, int64_t pid, int64_t tid, const struct text *comm)
{
	const int64_t key[] = { pid, tid };
	struct task *task = hash_find(&t->tasks, key, sizeof(key));
	char name[sizeof(task->comm)] = "";

	memcpy(name, comm->s ? comm->s : "", comm->s && comm->length < sizeof(name) ?
	       comm->length : comm->s ? sizeof(name) : 0);
	if (task && (!comm->s || !memcmp(task->comm, name, sizeof(name))))
		return false;
	if (!task && t->tasks.index.n >= TASKS_KEPT)
		hash_clear(&t->tasks);
	task = task ? task : hash_add(&t->tasks, key, sizeof(key));
	if (task)
		memcpy(task->comm, name, sizeof(name));
	return true;
}

void timeline_task(struct timeline *t, int64_t pid, int64_t tid, int64_t ppid,
		   const struct text *comm)
{
	static const struct text none;

	if (pid < 0)
		return;
	/* The name of a process is that of its first thread. */
	if (is_news(t, pid, NOTHING, tid == pid || tid < 0 ? comm : &none))
		t->writer->process(t, pid, ppid, tid == pid || tid < 0 ? comm : &none);
	if (tid >= 0 && is_news(t, pid, tid, comm))
		t->writer->thread(t, pid, tid, comm);
}

/* ---- rows ---- */

/* "disk sda": the column and its value. */
static bool track_name(const struct timeline *t, const void *row, char *name)
{
	const struct cell *c;
	struct text text;
	int64_t number;

	if (t->columns.track == TIMELINE_NO_CELL)
		return false;
	c = &t->o->cells[t->columns.track];
	text = timeline_text(t, t->columns.track, row);
	number = timeline_integer(t, t->columns.track, row);
	if (text.s)
		text_cut(name, NAME_MOST, "%s %.*s", c->column->name, (int)text.length, text.s);
	else if (number != NOTHING)
		text_cut(name, NAME_MOST, "%s %lld", c->column->name, (long long)number);
	return text.s || number != NOTHING;
}

static struct track *track_of_row(struct timeline *t, const void *row, char *name)
{
	const int64_t pid = timeline_integer(t, t->columns.pid, row),
		      tid = timeline_integer(t, t->columns.tid, row);
	const struct text comm = timeline_text(t, t->columns.comm, row);

	if (track_name(t, row, name))
		return track_of_name(&t->tracks, name);
	if (pid >= 0) {
		timeline_task(t, pid, tid, timeline_integer(t, t->columns.ppid, row), &comm);
		return track_of_task(&t->tracks, pid, tid < 0 ? -1 : tid);
	}
	/* Readers take no thread without its process. */
	if (tid >= 0)
		text_cut(name, NAME_MOST, "%.*s %lld", comm.s ? (int)comm.length : 1,
			 comm.s ? comm.s : "-", (long long)tid);
	else
		text_cut(name, NAME_MOST, "%s", t->lane_name);
	return track_of_name(&t->tracks, name);
}

void timeline_row(struct output *o, const void *row)
{
	struct timeline *t = o->state;
	struct timeline_event e = { .row = row };
	struct track *track;
	char name[NAME_MOST];
	int64_t length;

	if (!t->columns.time.column) {
		timeline_count_row(t, row);
		timeline_put(t);
		return;
	}
	timeline_start(t);
	track = track_of_row(t, row, name);
	length = length_of(t, row);
	e.begin = e.end = time_of(t, row);
	e.span = length != NOTHING && (t->columns.from || length <= e.end);
	if (e.span && t->columns.from)
		e.end += length;
	else if (e.span)
		e.begin -= length;
	e.name = timeline_text(t, t->columns.name, row);
	if (!e.name.s)
		e.name = (struct text){ .s = t->lane_name,
					.length = (uint32_t)strlen(t->lane_name) };
	e.track = track;
	if (track && !track->told && track->kind != TRACK_THREAD)
		t->writer->track(t, track);
	if (track) {
		track->told = true;
		if (e.span)
			e.lane = track_place(&t->tracks, track, e.begin, e.end, &e.new_lane);
		t->writer->event(t, &e);
	} else {
		o->error = o->error ? o->error : ENOMEM;
	}
	timeline_put(t);
}

void timeline_hist(struct output *o, const struct histogram *h)
{
	timeline_count_hist(o->state, h);
	timeline_put(o->state);
}

void timeline_end(struct output *o, const struct output_end *end)
{
	struct timeline *t = o->state;

	(void)end;
	timeline_start(t);
	timeline_count_end(t);
	if (t->writer->end)
		t->writer->end(t);
	timeline_put(t);
}
