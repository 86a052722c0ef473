// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as JSON of chrome://tracing, an array of events, each on a line. With sched_switch
 * each CPU is a thread of a process of its own, whose spans are the tasks that ran; all other
 * tracepoints are moments on the track of their thread. Times are in us.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/jsonw.h"
#include "compat/base/text.h"
#include "src/commands/convert/formats.h"
#include "src/lib/output/sink.h"
#include "src/toolkit/recorded/fields.h"

/* What belongs to no process: numbers that no process can have. */
enum { CPUS = 4194305, NOBODY };

/* The task that runs on a CPU, since its last sched_switch. */
struct running {
	bool known;
	uint64_t since;
	uint32_t tid;
	char comm[16];
};

struct chrome {
	struct jsonw w;
	struct running *running;	/* by CPU */
	unsigned int n_cpus;
	bool *told;			/* by event: its track has a name */
	bool switches;
};

static int begin(struct convert *c, struct error *err)
{
	struct chrome *ch = c->own;

	ch->w.to = c->to;
	ch->n_cpus = recording_cpus(c->recording);
	ch->running = calloc(ch->n_cpus + 1, sizeof(*ch->running));
	ch->told = calloc(c->n_events + 1, sizeof(*ch->told));
	if (!ch->running || !ch->told)
		return fail(err, "out of memory");
	jsonw_open(&ch->w, NULL, '[');
	return 0;
}

static void put_time(struct jsonw *w, const char *name, uint64_t ns)
{
	jsonw_name(w, name);
	fprintf(w->to, "%" PRIu64 ".%03u", ns / 1000, (unsigned int)(ns % 1000));
}

/* Each event has a line. */
static void open_event(struct jsonw *w, const char *phase, const char *name, size_t n,
		       uint64_t pid, uint64_t tid)
{
	if (w->behind)
		fputs(",\n", w->to);
	w->behind = false;
	jsonw_open(w, NULL, '{');
	jsonw_text(w, "ph", phase);
	jsonw_bytes(w, "name", name, n);
	jsonw_unsigned(w, "pid", pid);
	jsonw_unsigned(w, "tid", tid);
}

static void put_name(struct jsonw *w, const char *what, uint64_t pid, uint64_t tid,
		     const char *name, size_t n)
{
	open_event(w, "M", what, strlen(what), pid, tid);
	jsonw_open(w, "args", '{');
	jsonw_bytes(w, "name", name, n);
	jsonw_close(w, '}');
	jsonw_close(w, '}');
}

static void put_task(struct convert *c, uint32_t tid, struct convert_task *task)
{
	struct chrome *ch = c->own;
	const size_t n = strnlen(task->comm, sizeof(task->comm));

	if (n && tid == task->pid)
		put_name(&ch->w, "process_name", task->pid, tid, task->comm, n);
	if (n)
		put_name(&ch->w, "thread_name", task->pid, tid, task->comm, n);
}

static void put_field(struct jsonw *w, const struct field *f, const struct recorded *rec)
{
	const char *s;
	uint64_t v;
	size_t n;

	if (recorded_number(f, rec, &v) && f->is_signed)
		jsonw_integer(w, f->name, (int64_t)v);
	else if (recorded_number(f, rec, &v))
		jsonw_unsigned(w, f->name, v);
	else if (recorded_chars(f, rec, &s, &n))
		jsonw_bytes(w, f->name, s, n);
}

static void put_fields(struct jsonw *w, const struct format *f, const struct recorded *rec)
{
	jsonw_open(w, "args", '{');
	for (unsigned int i = 0; i < f->n_fields; i++)
		if (convert_shows(&f->fields[i]))
			put_field(w, &f->fields[i], rec);
	jsonw_close(w, '}');
}

/* ---- CPUs ---- */

static bool field_of(const struct format *f, const char *name, const struct recorded *rec,
		     uint64_t *to)
{
	const struct field *field = format_field(f, name);

	return field && recorded_number(field, rec, to);
}

static void end_span(struct chrome *ch, const struct running *r, const struct format *f,
		     const struct recorded *rec)
{
	open_event(&ch->w, "X", r->comm, strnlen(r->comm, sizeof(r->comm)), CPUS, rec->cpu);
	jsonw_text(&ch->w, "cat", "sched");
	put_time(&ch->w, "ts", r->since);
	put_time(&ch->w, "dur", rec->time - r->since);
	put_fields(&ch->w, f, rec);
	jsonw_close(&ch->w, '}');
}

static void put_switch(struct chrome *ch, const struct format *f, const struct recorded *rec)
{
	const struct field *comm = format_field(f, "next_comm");
	struct running *r = &ch->running[rec->cpu];
	uint64_t prev, next;
	const char *s;
	char name[24];
	size_t n;

	if (!ch->switches)
		put_name(&ch->w, "process_name", CPUS, 0, "CPUs", 4);
	ch->switches = true;
	if (!r->since && text_all(name, sizeof(name), "CPU %u", rec->cpu))
		put_name(&ch->w, "thread_name", CPUS, rec->cpu, name, strlen(name));
	if (r->known && field_of(f, "prev_pid", rec, &prev) && r->tid == prev &&
	    rec->time >= r->since)
		end_span(ch, r, f, rec);
	memset(r, 0, sizeof(*r));
	r->since = rec->time;
	r->known = field_of(f, "next_pid", rec, &next) && next && comm &&
		   recorded_chars(comm, rec, &s, &n);
	if (!r->known)
		return;
	r->tid = (uint32_t)next;
	memcpy(r->comm, s, n < sizeof(r->comm) ? n : sizeof(r->comm));
}

/* What ran meanwhile is unknown. */
static void note_lost(struct convert *c, const struct recorded *rec)
{
	struct chrome *ch = c->own;

	if (rec->cpu < ch->n_cpus)
		ch->running[rec->cpu].known = false;
}

/* ---- moments ---- */

/* Where the recording does not tell the process, the track is the event's. */
static void put_moment(struct convert *c, const struct convert_event *e, const struct recorded *rec)
{
	struct chrome *ch = c->own;
	const struct convert_task *task = convert_task(c, rec->tid);
	const uint32_t number = rec->event.number + 1;

	if (!task && !ch->told[number - 1]) {
		put_name(&ch->w, "process_name", NOBODY, 0, "events", 6);
		put_name(&ch->w, "thread_name", NOBODY, number, e->name, strlen(e->name));
		ch->told[number - 1] = true;
	}
	open_event(&ch->w, "i", e->format->event, strlen(e->format->event),
		   task ? task->pid : NOBODY, task ? rec->tid : number);
	jsonw_text(&ch->w, "cat", e->format->system);
	put_time(&ch->w, "ts", rec->time);
	jsonw_text(&ch->w, "s", "t");
	put_fields(&ch->w, e->format, rec);
	jsonw_close(&ch->w, '}');
}

static void put_event(struct convert *c, const struct recorded *rec)
{
	const struct convert_event *e = &c->events[rec->event.number];
	struct chrome *ch = c->own;

	if (!e->format)
		return;
	if (!strcmp(e->name, "sched:sched_switch") && rec->cpu < ch->n_cpus)
		put_switch(ch, e->format, rec);
	else
		put_moment(c, e, rec);
}

static int hand_over(struct convert *c, bool end, struct error *err)
{
	struct chrome *ch = c->own;

	(void)err;
	if (!end)
		return 0;
	jsonw_close(&ch->w, ']');
	fputc('\n', c->to);
	return 0;
}

static void report(struct convert *c)
{
	const struct chrome *ch = c->own;

	if (c->samples)
		fprintf(sink_err(), "sonde: convert: %" PRIu64 " samples are left out: take --to "
				    "perfetto or perf-script for them in time\n", c->samples);
	if (!ch->switches)
		fputs("sonde: convert: the recording has no sched:sched_switch: the trace shows "
		      "no CPUs\n", sink_err());
}

static void release(struct convert *c)
{
	struct chrome *ch = c->own;

	free(ch->running);
	free(ch->told);
}

const struct convert_writer convert_chrome = {
	.own = sizeof(struct chrome), .begin = begin, .hand_over = hand_over, .task = put_task,
	.event = put_event, .lost = note_lost, .report = report, .free = release,
};
