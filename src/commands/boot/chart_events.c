// SPDX-License-Identifier: GPL-2.0
/* From the records of a recording to events of a chart, in the order of their times. */
#include "src/commands/boot/chart_events.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/events/event.h"
#include "src/run/stop.h"
#include "src/toolkit/recorded/fields.h"

#define HELD (1U << 20)			/* events, of a recording without rounds */
#define THREAD 0x10000			/* CLONE_THREAD */
#define SECTOR 512
#define COMM 16

enum source {
	SWITCH, FORK, NEWTASK, EXEC, EXIT, COMPLETE, SOURCES
};

enum { FIELDS = 5 };

/* Tracepoints, and those of their fields that make() takes by their numbers. */
static const struct {
	const char *system, *event, *fields[FIELDS];
	bool life;			/* perf's own records tell more */
} sources[SOURCES] = {
	[SWITCH] = { "sched", "sched_switch",
		     { "prev_pid", "next_pid", "next_comm", "prev_state" }, false },
	[FORK] = { "sched", "sched_process_fork", { "child_pid", "parent_pid", "child_comm" },
		   true },
	[NEWTASK] = { "task", "task_newtask",
		      { "pid", "clone_flags", "comm", "common_pid" }, true },
	[EXEC] = { "sched", "sched_process_exec", { "pid", NULL, "filename" }, false },
	[EXIT] = { "sched", "sched_process_exit", { "pid" }, true },
	[COMPLETE] = { "block", "block_rq_complete", { NULL, "nr_sector", "rwbs" }, false },
};

struct held {
	struct chart_event e;
	uint64_t number;		/* as it was read: of one time, the first is first */
};

struct reader {
	struct chart *chart;
	struct chart_events *to;
	/* by the number of an event of the recording: its source plus 1; 0: none */
	uint8_t *source;
	const struct field *fields[SOURCES][FIELDS];
	bool has[SOURCES];
	bool lives;			/* the recording's own */
	struct held *held;
	size_t n;
	uint64_t number;
};

/* ---- fields ---- */

static uint64_t number_of(const struct reader *r, const struct recorded *rec, enum source source,
			  unsigned int field)
{
	const struct field *f = r->fields[source][field];
	uint64_t n;

	return f && recorded_number(f, rec, &n) ? n : 0;
}

/* The last part of a path, cut as the kernel cuts the name of a process. */
static void text_of(const struct reader *r, const struct recorded *rec, enum source source,
		    unsigned int field, char to[COMM])
{
	const struct field *f = r->fields[source][field];
	const char *text, *slash;
	size_t size;

	if (!f || !recorded_chars(f, rec, &text, &size))
		return;
	slash = source == EXEC && size ? memrchr(text, '/', size) : NULL;
	if (slash) {
		size -= (size_t)(slash + 1 - text);
		text = slash + 1;
	}
	memset(to, 0, COMM);
	memcpy(to, text, size < COMM ? size : COMM - 1);
}

/*
 * Uninterruptible, and nothing beside: so the kernel's own tasks that only sleep are none. Before
 * 4.14 the bit of those that may be killed is beside.
 */
static bool waits(uint64_t state)
{
	return (state & ~0x80ULL) == 2;
}

/* Returns false if nothing is to be done. */
static bool make(const struct reader *r, const struct recorded *rec, enum source source,
		 struct chart_event *e)
{
	static const enum chart_what what[] = {
		[SWITCH] = CHART_SWITCH, [FORK] = CHART_MADE, [NEWTASK] = CHART_MADE,
		[EXEC] = CHART_RUNS, [EXIT] = CHART_ENDED, [COMPLETE] = CHART_DISK,
	};
	char rwbs[COMM] = "";

	e->what = what[source];
	e->tid = (uint32_t)number_of(r, rec, source, 0);
	if (source == COMPLETE) {
		text_of(r, rec, source, 2, rwbs);
		e->bytes = (uint32_t)number_of(r, rec, source, 1) * SECTOR;
		e->flag = strchr(rwbs, 'W');
		return e->flag || strchr(rwbs, 'R');
	}
	text_of(r, rec, source, 2, e->comm);
	switch (source) {
	case SWITCH:
		e->other = (uint32_t)number_of(r, rec, source, 1);
		e->flag = waits(number_of(r, rec, source, 3));
		return true;
	case FORK:
		e->other = (uint32_t)number_of(r, rec, source, 1);
		return !r->has[NEWTASK] && e->tid;
	case NEWTASK:
		e->other = (uint32_t)number_of(r, rec, source, 3);
		if (number_of(r, rec, source, 1) & THREAD)
			e->process = e->other;
		return e->tid;		/* a CPU comes online with an idle task, which is 0 */
	default:
		return true;
	}
}

/* ---- order ---- */

static int by_time(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->e.time != y->e.time)
		return x->e.time < y->e.time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Nothing that is read later is older than `until`. */
static int pass(struct reader *r, uint64_t until, struct error *err)
{
	size_t i = 0;

	qsort(r->held, r->n, sizeof(*r->held), by_time);
	for (; i < r->n && r->held[i].e.time <= until; i++)
		if (chart_add(r->chart, &r->held[i].e))
			return fail(err, "out of memory");
	memmove(r->held, r->held + i, (r->n - i) * sizeof(*r->held));
	r->n -= i;
	return 0;
}

static int hold(struct reader *r, const struct chart_event *e, struct error *err)
{
	if (r->n == HELD && pass(r, r->held[HELD / 2].e.time, err))
		return -1;
	if (array_room(&r->held, r->n, sizeof(*r->held)))
		return fail(err, "out of memory");
	r->held[r->n++] = (struct held){ *e, r->number++ };
	return 0;
}

/* ---- records ---- */

static bool of_event(struct reader *r, const struct recorded *rec, struct chart_event *e)
{
	const uint8_t source = r->source[rec->event.number];

	r->to->n++;
	return source && make(r, rec, (enum source)(source - 1), e);
}

static int take(struct reader *r, const struct recorded *rec, struct error *err)
{
	struct chart_event e = {
		.time = rec->time, .cpu = rec->cpu, .tid = rec->tid, .process = rec->pid,
	};

	switch (rec->kind) {
	case RECORDED_EVENT:
		e.process = 0;
		return of_event(r, rec, &e) ? hold(r, &e, err) : 0;
	case RECORDED_ROUND:
		return pass(r, rec->time, err);
	case RECORDED_LOST:
		e.what = CHART_LOST;
		return hold(r, &e, err);
	case RECORDED_NEW:
		e.what = CHART_MADE;
		e.other = rec->made.maker;
		break;
	case RECORDED_NAME:
		e.what = CHART_NAMED;
		memcpy(e.comm, rec->name.comm, sizeof(e.comm));
		break;
	default:
		e.what = CHART_ENDED;
	}
	return r->lives ? hold(r, &e, err) : 0;
}

static void find_sources(struct reader *r, const struct recorded_event *events, unsigned int n,
			 struct kernel *k)
{
	for (enum source s = 0; s < SOURCES; s++) {
		const struct format *f = kernel_format(k, sources[s].system, sources[s].event);

		for (unsigned int i = 0; f && i < n; i++) {
			if (!events[i].name ||
			    !tracepoint_named(events[i].name, f->system, f->event))
				continue;
			r->has[s] = true;
			if (!r->lives || !sources[s].life)
				r->source[i] = (uint8_t)(s + 1);
		}
		for (unsigned int i = 0; f && i < FIELDS; i++)
			if (sources[s].fields[i])
				r->fields[s][i] = format_field(f, sources[s].fields[i]);
	}
	r->to->switches = r->has[SWITCH];
	r->to->disks = r->has[COMPLETE];
}

static int check(const struct reader *r, struct kernel *k, struct error *err)
{
	const char *recorder = kernel_recorder(k)->event;

	if (r->lives || (r->has[EXIT] && (r->has[FORK] || r->has[NEWTASK])))
		return 0;
	return fail(err, "the recording does not tell how processes begin and end: `%s "
			 "sched:sched_process_fork`, and sched:sched_process_exec, "
			 "sched:sched_process_exit, sched:sched_switch and "
			 "block:block_rq_complete beside, record a chart", recorder);
}

static int read_all(struct reader *r, struct recording *recording, struct error *err)
{
	struct recorded rec;
	int result;

	while ((result = recording_next(recording, &rec, err)) > 0 && !stop_signal)
		if (take(r, &rec, err))
			return -1;
	if (result < 0)
		return -1;
	if (stop_signal)
		return fail(err, "a signal came before the end of the recording");
	if (pass(r, UINT64_MAX, err))
		return -1;
	chart_end(r->chart);
	return 0;
}

int chart_events_read(struct recording *recording, struct kernel *k, struct chart *c,
		      struct chart_events *to, struct error *err)
{
	unsigned int n;
	const struct recorded_event *events = recording_events(recording, &n);
	struct reader r = {
		.chart = c, .to = to, .source = calloc(n + 1, 1),
		.lives = !kernel_recorder(k)->tasks,
	};
	int result = -1;

	*to = (struct chart_events){ };
	if (!r.source) {
		fail(err, "out of memory");
	} else {
		find_sources(&r, events, n, k);
		result = check(&r, k, err) ? -1 : read_all(&r, recording, err);
	}
	free(r.source);
	free(r.held);
	return result;
}
