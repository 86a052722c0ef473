// SPDX-License-Identifier: GPL-2.0
/* TIME CPU TID EVENT [INPUT=VALUE]...: an event, for all attachments that it means. */
#include <stdlib.h>
#include <string.h>

#include "backends/kinds/kinds.h"
#include "backends/replay/readers/record.h"
#include "compat/resolve/identity.h"

/*
 * Returns true if this is the event's name: p:FUNCTION or r:FUNCTION if its kind has a definition,
 * SYSTEM:EVENT otherwise.
 */
static bool is_named(const struct event *e, const char *name)
{
	const struct definition *d = event_ops(e)->definition;

	if (d)
		return name[0] == d->letter && name[1] == ':' && !strcmp(name + 2, e->name);
	return tracepoint_named(name, e->system, e->name);
}

/* Writes stacks and record in the form that stream_push() takes. */
static void put_stacks(const struct made_record *record, uint8_t *body, struct sample *s)
{
	const uint64_t n = record->n_stack;
	uint8_t *to = body;

	memcpy(to, &n, sizeof(n));
	to += sizeof(n);
	memcpy(to, record->stack, n * sizeof(n));
	to += n * sizeof(n);
	memcpy(to, &record->size, sizeof(record->size));
	to += sizeof(record->size);
	memcpy(to, record->bytes, record->size);
	s->record = body;
	s->size = (uint32_t)(to - body) + record->size;
}

static int push(struct reader *r, const struct event *e, uint32_t number, bool shared,
		struct sample *s)
{
	struct made_record record;
	uint8_t body[STREAM_STACKED_HEAD + sizeof(record.stack) + RECORD_SIZE];
	const char *start = r->at;
	int result;

	record.shared = shared;
	if (record_read(r, e, s->tid, &record))
		return -1;
	s->event = number;
	s->size = record.size;
	s->record = record.bytes;
	if (layout_wants_stack(e->layout))
		put_stacks(&record, body, s);
	result = stream_push(r->records->stream, s);
	reader_saw(r, s->time, s->time);
	r->at = start;		/* another attachment may make its record of the same text */
	return result ? reader_fails(r, "there is no room for this event") : 0;
}

/* Does this name, or @N, mean the plan's attachment number i? */
static bool means(const struct plan *plan, const char *name, unsigned int i)
{
	const struct event *e = plan->attachments[i].event;

	return name[0] == '@' ? strtoul(name + 1, NULL, 10) == i : !e->is_part && is_named(e, name);
}

static int read_event(struct reader *r)
{
	const struct plan *plan = r->records->plan;
	uint64_t time, cpu, tid;
	unsigned int n_tasks, found = 0;
	const struct event *tasks = stream_task_events(r->records->stream, &n_tasks);
	char name[256];
	struct sample s = { .tgid = (uint32_t)-1 };
	bool shared = false;

	if (reader_number(r, &time) || reader_cpu(r, &cpu) || reader_number(r, &tid) ||
	    reader_word(r, name, sizeof(name)))
		return -1;
	s.time = time;
	s.cpu = cpu;
	s.tid = tid;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		shared |= means(plan, name, i);
	for (unsigned int i = 0; i < n_tasks; i++)
		if (is_named(&tasks[i], name) && ++found &&
		    push(r, &tasks[i], STREAM_TASK_EVENT + i, shared, &s))
			return -1;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (means(plan, name, i) && ++found &&
		    push(r, plan->attachments[i].event, i, false, &s))
			return -1;
	/* A file may have events of the task table although the plan does not need them. */
	return found || !strncmp(name, "task:", 5) || !strncmp(name, "sched:sched_process_", 20) ?
	       0 : reader_fails(r, "the plan has no such event (--dump shows its events)");
}

const struct record_reader event_reader = { "", read_event };
