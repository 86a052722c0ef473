// SPDX-License-Identifier: GPL-2.0
#include "backends/replay/readers/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"
#include "compat/kinds/kinds.h"
#include "compat/kinds/recorded_sample.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/resolve/identity.h"

/* An event of the plan, or of the table of tasks, that takes the records of an event. */
struct recorded_target {
	uint32_t recorded;		/* the event's number in the recording */
	uint32_t event;			/* of stream_push() */
	bool stacked;
};

struct recorded_targets {
	struct recording *recording;
	const struct recorded_event *events;
	unsigned int n_events;
	struct recorded_target *list;		/* in the order of the events of the recording */
	unsigned int n;
	unsigned int *first;		/* by event of the recording: its first target */
	/* by attachment: the number of its samples, or of its probe; -1: a tracepoint */
	int *numbers;
};

static bool is_named(const struct event *e, const char *name)
{
	return name && *e->system && !event_traits(e->kind)->timed &&
	       tracepoint_named(name, e->system, e->name);
}

static int add_target(struct recorded_targets *t, uint32_t recorded, const struct event *e,
		      uint32_t number)
{
	if (array_room(&t->list, t->n, sizeof(*t->list)))
		return -1;
	t->list[t->n++] = (struct recorded_target){
		.recorded = recorded, .event = number, .stacked = layout_wants_stack(e->layout),
	};
	return 0;
}

/* A tool shows nothing of an event without records, and this is why. */
static void note_absent(struct recorded_targets *t, const struct plan *plan)
{
	for (unsigned int i = 0; i < t->n_events; i++) {
		bool wanted = false;

		for (unsigned int j = 0; j < plan->n_attachments && t->events[i].absent; j++)
			wanted |= is_named(plan->attachments[j].event, t->events[i].name);
		if (wanted)
			recording_note_absent(t->recording, &t->events[i]);
	}
}

/* Nor of what it can't know of tasks. */
static void note_tasks(struct recorded_targets *t, const struct records *records)
{
	if (kernel_recorder(records->kernel)->tasks && stream_wants_lives(records->stream))
		recording_note_tasks(t->recording);
}

static int add_targets(struct recorded_targets *t, const struct records *records)
{
	const struct plan *plan = records->plan;
	unsigned int n_tasks;
	const struct event *tasks = stream_task_events(records->stream, &n_tasks);
	int result = 0;

	for (uint32_t i = 0; i < t->n_events && !result; i++) {
		t->first[i] = t->n;
		for (unsigned int j = 0; j < n_tasks && !result; j++)
			if (is_named(&tasks[j], t->events[i].name))
				result = add_target(t, i, &tasks[j], STREAM_TASK_EVENT + j);
		for (unsigned int j = 0; j < plan->n_attachments && !result; j++)
			if (t->numbers[j] == (int)i ||
			    is_named(plan->attachments[j].event, t->events[i].name))
				result = add_target(t, i, plan->attachments[j].event, j);
		t->first[i + 1] = t->n;
	}
	return result;
}

/* Parts go with their main event: another one may have the same. */
static const struct recorded_probe *find_probe(struct recording *recording, const struct event *e)
{
	const char *file = e->binary ? e->binary->file : NULL;
	const struct recorded_probe *p = recorded_probe_of(recording, e, file, true);

	return p ? p : recorded_probe_of(recording, e, file, false);
}

static const char *name_of(const struct recorded_event *e)
{
	return e->name ? e->name : recorded_counter(e);
}

/* The number of a tracepoint or probe in the recording; -1: it is not there. */
static int find_event(struct recording *recording, const struct event *e)
{
	unsigned int n;
	const struct recorded_event *events = recording_events(recording, &n);

	if (recorded_kind(e->kind)) {
		const struct recorded_probe *p = find_probe(recording, e);

		return p ? p->number : -1;
	}
	for (unsigned int i = 0; i < n; i++)
		if (events[i].name && is_named(e, events[i].name))
			return (int)i;
	return -1;
}

static int refuse_event(struct kernel *k, const struct event *e, struct error *err)
{
	struct recording *recording = recording_of(k);
	const bool timed = event_traits(e->kind)->timed;
	unsigned int n;
	const struct recorded_event *events = recording_events(recording, &n);
	const int number = timed ? recorded_samples_for(recording, e, err) :
			   find_event(recording, e);

	if (number < 0)
		return timed ? -1 : 0;
	if (timed && events[number].no_cpu && event_input(e, "cpu"))
		return fail(err, "the recording does not tell the CPUs of its samples: `perf "
				 "record -a` and `--sample-cpu` do");
	if (layout_wants_stack(e->layout) && !events[number].stacks)
		return fail(err, kernel_recorder(k)->stacks ?
			    "the recording has no stacks of %s: `perf record -g` records them" :
			    "sonde reads no stacks of %s from this recording, only from one of "
			    "`perf record -g`", name_of(&events[number]));
	return 0;
}

int recorded_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (refuse_event(k, plan->attachments[i].event, err))
			return -1;
	return 0;
}

/* The recorded format has the last word: anybody may have written the list of probes. */
static int check_probe(struct kernel *k, const struct event *e, const char *name, struct error *err)
{
	const struct format *format = kernel_format_named(k, name);

	return format ? probes_check(e, format, err) :
	       fail(err, "the recording has no format of %s", name);
}

/* The samples of each event that takes some, and the probes. Returns -1 and sets err. */
static int find_numbers(struct recorded_targets *t, struct records *records, struct error *err)
{
	const struct plan *plan = records->plan;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		t->numbers[i] = -1;
		if (event_traits(e->kind)->timed) {
			t->numbers[i] = recorded_samples_for(t->recording, e, err);
			if (t->numbers[i] < 0)
				return -1;
		}
		if (!recorded_kind(e->kind))
			continue;
		t->numbers[i] = find_event(t->recording, e);
		if (t->numbers[i] < 0)
			return fail(err, "the recording has no probe of %s", e->name);
		if (check_probe(records->kernel, e, t->events[t->numbers[i]].name, err))
			return -1;
	}
	return 0;
}

int recorded_open(struct records *records, struct recording *recording, struct error *err)
{
	struct recorded_targets *t = records->recorded = calloc(1, sizeof(*t));

	if (!t)
		return fail(err, "out of memory");
	t->recording = recording;
	t->events = recording_events(recording, &t->n_events);
	t->first = calloc(t->n_events + 1, sizeof(*t->first));
	t->numbers = calloc(records->plan->n_attachments + 1, sizeof(*t->numbers));
	if (!t->first || !t->numbers)
		return fail(err, "out of memory");
	if (find_numbers(t, records, err))
		return -1;
	if (add_targets(t, records))
		return fail(err, "out of memory");
	note_absent(t, records->plan);
	note_tasks(t, records);
	stream_one_ring(records->stream);
	records->wall = *recording_wall(recording);
	return 0;
}

void recorded_close(struct recorded_targets *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->first);
	free(t->numbers);
	free(t);
}

static void saw(struct records *records, uint64_t time)
{
	if (time < records->oldest)
		records->oldest = time;
	if (time > records->newest)
		records->newest = time;
}

static int push(struct records *records, const struct recorded *rec,
		const struct recorded_target *target, struct error *err)
{
	struct sample s = {
		.time = rec->time, .cpu = rec->cpu, .tid = rec->tid, .tgid = (uint32_t)-1,
		.event = target->event, .record = rec->event.record, .size = rec->event.size,
	};

	if (target->stacked && !rec->event.stack)
		return fail(err, "the recording is damaged: an event of %s has no stack",
			    name_of(&records->recorded->events[target->recorded]));
	if (target->stacked) {
		s.record = rec->event.stack;
		s.size += (uint32_t)(rec->event.record - rec->event.stack);
	}
	stream_push(records->stream, &s);	/* what has no room counts as lost */
	return 0;
}

static int read_event(struct records *records, const struct recorded *rec, struct error *err)
{
	const struct recorded_targets *t = records->recorded;
	const unsigned int end = t->first[rec->event.number + 1];
	int result = 0;

	for (unsigned int i = t->first[rec->event.number]; i < end && !result; i++)
		result = push(records, rec, &t->list[i], err);
	return result;
}

/* A task of time 0 was there before the first event. */
static void read_life(struct records *records, const struct recorded *rec)
{
	struct task_life life = { .tid = rec->tid, .tgid = rec->pid };

	if (!rec->time && rec->kind == RECORDED_NAME)
		stream_task(records->stream, rec->tid, rec->pid, rec->name.comm);
	if (!rec->time || !stream_wants_lives(records->stream))
		return;
	switch (rec->kind) {
	case RECORDED_NEW:
		life.what = TASK_NEW;
		life.maker = rec->made.maker;
		break;
	case RECORDED_NAME:
		life.what = TASK_RENAME;
		memcpy(life.comm, rec->name.comm, sizeof(life.comm));
		break;
	default:
		life.what = TASK_EXIT;
	}
	stream_life(records->stream, rec->cpu, rec->time, &life);
}

static int read_one(struct records *records, const struct recorded *rec, struct error *err)
{
	switch (rec->kind) {
	case RECORDED_EVENT:
		saw(records, rec->time);
		return read_event(records, rec, err);
	case RECORDED_LOST:
		stream_gap(records->stream, rec->cpu, rec->lost.from, rec->time, rec->lost.count);
		return 0;
	case RECORDED_ROUND:
		return 0;
	default:
		read_life(records, rec);
		return 0;
	}
}

/*
 * A record may be late in its ring (delay.h), and the recorder read on meanwhile. Here nobody waits
 * for rows: the delay is long. It costs memory: a second of a busy CPU has a million events.
 */
static void end_round(struct records *records, uint64_t time)
{
	const uint64_t delay = DELAY_MOST_NS / 2;

	records->until = time > delay ? time - delay : 0;
}

int recorded_read(struct records *records, struct error *err)
{
	struct recording *recording = records->recorded->recording;
	struct recorded rec;
	int result = 1;

	while (result > 0 && !kernel_stopped(records->kernel, NULL)) {
		result = recording_next(recording, &rec, err);
		if (result <= 0)
			break;
		if (rec.kind == RECORDED_ROUND) {
			end_round(records, rec.time);
			return 0;
		}
		if (read_one(records, &rec, err))
			return -1;
	}
	records->read = true;
	records->until = records->newest;
	return result < 0 ? -1 : 0;
}
