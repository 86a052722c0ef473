// SPDX-License-Identifier: GPL-2.0
/*
 * The JSON of chrome://tracing, an array of events, each on a line; also read by Perfetto and
 * speedscope. The array's end may be missing. Times are in us.
 */
#include <inttypes.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/escape.h"
#include "src/lib/output/timelines/timeline.h"
#include "src/lib/output/writer.h"

/* What belongs to no process: the first number that no process can have. */
#define NOBODY 4194305
#define NAME_OF_NOBODY "sonde"

static void put_escaped(void *to, const char *bytes, size_t n)
{
	strbuf_add(to, bytes, n);
}

static void put_quoted(struct strbuf *to, const struct text *t)
{
	escape(ESCAPE_JSON, t->s, t->length, false, put_escaped, to);
	if (t->cut && !to->cut) {
		to->n--;
		strbuf_addf(to, "...\"");
	}
}

static void put_name(struct strbuf *to, const char *s)
{
	const struct text text = { .s = s, .length = (uint32_t)strlen(s) };

	put_quoted(to, &text);
}

static void put_time(struct strbuf *to, const char *name, int64_t ns)
{
	strbuf_addf(to, ",\"%s\":%" PRId64 ".%03d", name, ns / 1000, (int)(ns % 1000));
}

/* The name of a process or thread, or of what is shown as one. */
static void put_named(struct timeline *t, const char *what, int64_t pid, int64_t tid,
		      const struct text *name)
{
	strbuf_addf(&t->out, ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId64, what, pid);
	if (tid >= 0)
		strbuf_addf(&t->out, ",\"tid\":%" PRId64, tid);
	strbuf_addf(&t->out, ",\"args\":{\"name\":");
	put_quoted(&t->out, name);
	strbuf_addf(&t->out, "}}");
}

/* The first event has no comma before it. */
static void put_begin(struct timeline *t, const struct output_moment *now)
{
	const struct text name = { .s = NAME_OF_NOBODY, .length = sizeof(NAME_OF_NOBODY) - 1 };

	(void)now;
	put_named(t, "process_name", NOBODY, -1, &name);
	if (!t->out.cut)
		t->out.s[0] = '[';
}

static void put_process(struct timeline *t, int64_t pid, int64_t ppid, const struct text *comm)
{
	(void)ppid;
	if (comm->s)
		put_named(t, "process_name", pid, -1, comm);
}

static void put_thread(struct timeline *t, int64_t pid, int64_t tid, const struct text *comm)
{
	if (comm->s)
		put_named(t, "thread_name", pid, tid, comm);
}

/* Devices and so on are shown as threads of nobody. */
static int64_t thread_of(const struct track *track)
{
	return track->kind == TRACK_NAMED ? (int64_t)(track->id & 0x3fffffff) :
	       track->tid < 0 ? track->pid : track->tid;
}

static void put_track(struct timeline *t, const struct track *track)
{
	struct text name;

	if (track->kind != TRACK_NAMED)
		return;
	name = (struct text){ .s = track->name, .length = (uint32_t)strlen(track->name) };
	put_named(t, "thread_name", NOBODY, thread_of(track), &name);
}

static void put_argument(void *arg, const struct timeline_argument *a)
{
	struct timeline *t = arg;
	char s[VALUE_TEXT];

	strbuf_addf(&t->out, "%s", t->out.s[t->out.n - 1] == '{' ? "" : ",");
	put_name(&t->out, a->column->name);
	strbuf_addf(&t->out, ":");
	if (a->type == ARGUMENT_TEXT)
		put_quoted(&t->out, &a->value.text);
	else
		strbuf_add(&t->out, s, format_value(t->o, a->column, &a->value, s));
}

static void put_head(struct timeline *t, const struct timeline_event *e, const char *phase,
		     int64_t time)
{
	const struct track *track = e->track;

	strbuf_addf(&t->out, ",\n{\"ph\":\"%s\",\"cat\":", phase);
	put_name(&t->out, t->lane_name);
	strbuf_addf(&t->out, ",\"name\":");
	put_quoted(&t->out, &e->name);
	strbuf_addf(&t->out, ",\"pid\":%" PRId64 ",\"tid\":%" PRId64,
		    track->kind == TRACK_NAMED ? NOBODY : track->pid, thread_of(track));
	put_time(&t->out, "ts", time);
}

static void put_arguments(struct timeline *t, const struct timeline_event *e)
{
	strbuf_addf(&t->out, ",\"args\":{");
	if (!t->out.cut)
		timeline_each_argument(t, e->row, put_argument, t);
	strbuf_addf(&t->out, "}}");
}

/* Spans that overlap others, and those of a process without a thread, are pairs with a number. */
static void put_event(struct timeline *t, const struct timeline_event *e)
{
	const bool pair = e->span && (e->lane || e->track->kind == TRACK_PROCESS);
	const uint64_t id = track_lane_id(e->track, e->lane);

	put_head(t, e, pair ? "b" : e->span ? "X" : "i", e->begin);
	if (pair)
		strbuf_addf(&t->out, ",\"id\":\"0x%" PRIx64 "\"", id);
	else if (e->span)
		put_time(&t->out, "dur", e->end - e->begin);
	else
		strbuf_addf(&t->out, ",\"s\":\"%s\"",
			    e->track->kind == TRACK_PROCESS ? "p" : "t");
	put_arguments(t, e);
	if (!pair)
		return;
	put_head(t, e, "e", e->end);
	strbuf_addf(&t->out, ",\"id\":\"0x%" PRIx64 "\"}", id);
}

static void put_counter(struct timeline *t, const struct timeline_counter *c)
{
	strbuf_addf(&t->out, ",\n{\"ph\":\"C\",\"name\":");
	put_name(&t->out, c->name);
	strbuf_addf(&t->out, ",\"pid\":%" PRId64, c->pid >= 0 ? c->pid : NOBODY);
	put_time(&t->out, "ts", c->time);
	if (c->real)
		strbuf_addf(&t->out, ",\"args\":{\"value\":%.17g}}", c->value.real);
	else
		strbuf_addf(&t->out, ",\"args\":{\"value\":%" PRId64 "}}", c->value.integer);
}

static void end_array(struct timeline *t)
{
	strbuf_addf(&t->out, "\n]\n");
}

static const struct timeline_writer writer = {
	.begin = put_begin, .process = put_process, .thread = put_thread, .track = put_track,
	.event = put_event, .counter = put_counter, .end = end_array,
};

static int begin(struct output *o)
{
	return timeline_begin(o, &writer);
}

static const struct output_listener chrome = {
	.begin = begin, .row = timeline_row, .hist = timeline_hist, .end = timeline_end,
	.free = timeline_free,
};

const struct output_format timeline_chrome = {
	.title = "Chrome's JSON", .writer = &chrome, .objects = true,
};
