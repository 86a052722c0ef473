// SPDX-License-Identifier: GPL-2.0
#include "src/commands/convert/events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/stream/merge.h"
#include "compat/kinds/recorded_sample.h"
#include "src/commands/convert/stacks.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/session/source.h"
#include "src/toolkit/recorded/fields.h"

#define ROOM 65536			/* bytes that are written at once */
#define TASKS_MOST 65536		/* threads that are kept, unless all of them live */

/* ---- tasks ---- */

struct convert_task *convert_task(struct convert *c, uint32_t tid)
{
	return hash_find(&c->tasks, &tid, sizeof(tid));
}

/* A task that ended runs on for a moment; only when there are many are these forgotten. */
static void forget_ended(struct convert *c)
{
	struct convert_task *t, *next;
	uint32_t at = 0;

	for (t = hash_next(&c->tasks, &at); t; t = next) {
		next = hash_next(&c->tasks, &at);
		if (t->ended)
			hash_remove(&c->tasks, hash_key(&c->tasks, t), sizeof(uint32_t));
	}
}

static struct convert_task *add_task(struct convert *c, uint32_t tid)
{
	if (c->tasks.index.n >= TASKS_MOST && !convert_task(c, tid))
		forget_ended(c);
	return hash_add(&c->tasks, &tid, sizeof(tid));
}

static void take_task(struct convert *c, const struct recorded *rec)
{
	struct convert_task *task = rec->tid ? add_task(c, rec->tid) : NULL, *maker;

	if (!task)
		return;
	task->ended = rec->kind == RECORDED_EXIT;
	if (task->ended)
		return;
	task->pid = rec->pid;
	maker = rec->kind == RECORDED_NEW ? convert_task(c, rec->made.maker) : NULL;
	if (rec->kind == RECORDED_NAME)
		memcpy(task->comm, rec->name.comm, sizeof(task->comm));
	else if (maker)
		memcpy(task->comm, maker->comm, sizeof(task->comm));
	if (c->writer->task)
		c->writer->task(c, rec->tid, task);
}

/* ---- order ---- */

/* In an entry: the struct, the stack, then the record. */
static size_t stack_size(const struct recorded *rec)
{
	uint64_t n;

	if (rec->kind != RECORDED_EVENT || !rec->event.stack)
		return 0;
	memcpy(&n, rec->event.stack, sizeof(n));
	return sizeof(n) * (n + 1);
}

static int keep(struct merge *m, const struct recorded *rec, struct error *err)
{
	const unsigned int queue = rec->cpu < m->n_queues ? rec->cpu : m->n_queues - 1;
	const size_t stack = stack_size(rec),
		     size = rec->kind == RECORDED_EVENT ? rec->event.size : 0;
	struct merge_entry *e = merge_push(m, queue, rec->time,
					   (uint32_t)(sizeof(*rec) + stack + size));

	if (!e)
		return fail(err, "out of memory: the recording has too many events between two "
				 "marks of their order");
	memcpy(e->data, rec, sizeof(*rec));
	if (stack)
		memcpy(e->data + sizeof(*rec), rec->event.stack, stack);
	if (size)
		memcpy(e->data + sizeof(*rec) + stack, rec->event.record, size);
	return 0;
}

/* perf has no thread for the last events of one that ends; the record has it. */
static uint32_t thread_of(const struct convert_event *e, const struct recorded *rec)
{
	const struct field *pid = e->format ? format_field(e->format, "common_pid") : NULL;
	uint64_t tid;

	return pid && recorded_number(pid, rec, &tid) ? (uint32_t)tid : rec->tid;
}

static void take(struct convert *c, const struct merge_entry *e)
{
	struct recorded rec;
	size_t stack;

	memcpy(&rec, e->data, sizeof(rec));
	if (rec.kind == RECORDED_EVENT) {
		if (rec.event.stack)
			rec.event.stack = e->data + sizeof(rec);
		stack = stack_size(&rec);
		rec.event.record = e->data + sizeof(rec) + stack;
		c->samples += c->events[rec.event.number].sampled;
		rec.tid = thread_of(&c->events[rec.event.number], &rec);
		if (c->stacks)
			convert_stacks_until(c->stacks, rec.time);
		if (c->writer->event)
			c->writer->event(c, &rec);
	} else if (rec.kind == RECORDED_LOST) {
		c->lost += rec.lost.count ? rec.lost.count : 1;
		if (c->writer->lost)
			c->writer->lost(c, &rec);
	} else {
		take_task(c, &rec);
	}
}

static int take_until(struct convert *c, struct merge *m, uint64_t time, struct error *err)
{
	const struct merge_entry *e;

	while ((e = merge_next(m, time)))
		if (!stop_signal && !ferror(c->to)) {
			take(c, e);
			if (c->writer->hand_over && c->writer->hand_over(c, false, err))
				return -1;
		}
	return 0;
}

static int read_merged(struct convert *c, struct merge *m, struct error *err)
{
	struct recorded rec;
	int result;

	while ((result = recording_next(c->recording, &rec, err)) > 0 && !stop_signal &&
	       !ferror(c->to))
		if (rec.kind == RECORDED_ROUND ? take_until(c, m, rec.time, err) :
						 keep(m, &rec, err))
			return -1;
	if (take_until(c, m, UINT64_MAX, err))
		return -1;
	return result < 0 ? -1 : c->writer->hand_over ? c->writer->hand_over(c, true, err) : 0;
}

/* ---- the recording ---- */

static void find_event(struct convert *c, const struct recorded_event *from,
		       struct convert_event *e)
{
	e->format = from->name ? kernel_format_named(c->kernel, from->name) : NULL;
	e->sampled = !from->name;
	e->name = e->sampled ? recorded_counter(from) : from->name;
}

static int read_all(struct convert *c, const struct convert_asked *asked, struct error *err)
{
	const struct recorded_event *events = recording_events(c->recording, &c->n_events);
	const unsigned int cpus = recording_cpus(c->recording);
	struct merge *m = merge_new(cpus ? cpus : 1);
	int result = -1;

	c->events = calloc(c->n_events + 1, sizeof(*c->events));
	c->own = calloc(1, c->writer->own + 1);
	if (c->writer->stacks)
		c->stacks = convert_stacks_new(c->recording, asked);
	if (!m || !c->events || !c->own || (c->writer->stacks && !c->stacks)) {
		fail(err, "out of memory");
	} else {
		for (unsigned int i = 0; i < c->n_events; i++)
			find_event(c, &events[i], &c->events[i]);
		if (!c->writer->begin || !c->writer->begin(c, err))
			result = read_merged(c, m, err);
		if (!result && c->stacks)
			result = convert_stacks_check(c->stacks, err);
	}
	merge_free(m);
	return result;
}

static void report(struct convert *c)
{
	const struct lines *notes = recording_notes(c->recording);

	if (c->writer->report)
		c->writer->report(c);
	if (c->lost)
		fprintf(sink_err(), "sonde: convert: the recording lost %" PRIu64 " events or "
				    "more\n", c->lost);
	if (c->stacks)
		convert_stacks_report(c->stacks);
	for (unsigned int i = 0; i < notes->n; i++)
		fprintf(sink_err(), "sonde: convert: %s\n", notes->list[i]);
}

static int convert(const struct convert_asked *asked, FILE *to,
		   const struct convert_writer *writer, struct error *err)
{
	struct convert c = {
		.writer = writer, .to = to, .tasks.value_size = sizeof(struct convert_task),
	};
	struct source source = { };
	int result = source_open(&source, asked->file, NULL, &stop_signal, err);

	if (!result && !source.recording)
		result = fail(err, "convert: '%s' is no recording of perf, trace-cmd or sonde",
			      asked->file);
	if (!result) {
		c.recording = source.recording;
		c.kernel = source_kernel(&source, NULL, err);
		result = c.kernel ? read_all(&c, asked, err) : -1;
	}
	if (!result && !fflush(to) && !ferror(to))
		report(&c);
	if (c.own && writer->free)
		writer->free(&c);
	convert_stacks_free(c.stacks);
	kernel_free(c.kernel);
	free(c.events);
	free(c.own);
	hash_clear(&c.tasks);
	source_close(&source);
	return result;
}

/* A sink has no room of its own: each piece of a line would be a call of write(2). */
int convert_events(const struct convert_asked *asked, FILE *to,
		   const struct convert_writer *writer, struct error *err)
{
	char *room = malloc(ROOM);
	int result;

	if (!room)
		return fail(err, "out of memory");
	setvbuf(to, room, _IOFBF, ROOM);
	result = convert(asked, to, writer, err);
	fflush(to);
	/* Of a file the sink has told it. That nobody reads any more is no error. */
	if (sink_rows_error() && sink_rows_error() != EPIPE)
		result = fail(err, "convert: can't write the output: %s",
			      sink_error(sink_rows_error()));
	setvbuf(to, NULL, _IONBF, 0);
	free(room);
	return result;
}
