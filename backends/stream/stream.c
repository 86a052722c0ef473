// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/kinds/kinds.h"
#include "backends/stream/parts.h"
#include "backends/stream/switches.h"
#include "backends/stream/tasks.h"
#include "compat/base/clock.h"
#include "compat/base/rare.h"
#include "compat/resolve/identity.h"

#define KIND_GAP UINT32_MAX	/* beside the numbers of attachments and task events */

struct gap {
	uint64_t to;
	uint32_t share;
};

/* What to do with the events of one attachment. */
struct handler {
	int program;		/* of the machine; -1: none */
	/* false: another attachment before it counts the same kernel event */
	bool counted;
	bool is_part;
	bool stacked;		/* stacks come before its records */
	bool switches;		/* its records are followed (switches.h) */
	/* its program takes records as they are: no texts, no stacks, no tasks' names */
	bool plain;
	uint32_t main;		/* of a part: its main event, and the number of its first text */
	uint32_t part;
	uint32_t n_texts;	/* that its parts bring */
};

struct kept {
	uint32_t output, size;
};

struct stream {
	const struct plan *plan;
	struct handler *handlers;
	struct vm *vm;
	struct merge *merge;
	struct tasks *tasks;	/* NULL: the plan needs none */
	struct parts *parts;	/* NULL: no event has parts */
	struct switches switches;
	struct delay delay;
	unsigned int cpus;
	bool has_joins;
	bool running;
	uint64_t ran;		/* time of the youngest event that was run */
	bool in_gap;
	uint64_t gap_until;
	record_fn record;
	void *arg;
	unsigned int n_records;
	uint8_t *kept;		/* records nobody took yet, a struct kept before each */
	size_t n_kept, kept_size;
	const struct sample *event;	/* while a program runs on it */
	uint8_t *whole;			/* what it handed over, and the event's record behind */
	size_t whole_size;
	uint64_t seen, lost, late, unpaired;
};

static void keep(struct stream *r, unsigned int output, const void *record, uint32_t size)
{
	struct kept head = { output, size };
	size_t need = r->n_kept + sizeof(head) + size;

	if (need > r->kept_size) {
		uint8_t *kept = realloc(r->kept, need * 2);

		if (!kept) {
			r->lost++;
			return;
		}
		r->kept = kept;
		r->kept_size = need * 2;
	}
	memcpy(r->kept + r->n_kept, &head, sizeof(head));
	memcpy(r->kept + r->n_kept + sizeof(head), record, size);
	r->n_kept = need;
}

static void hand_over(struct stream *r, unsigned int output, const void *record, uint32_t size)
{
	if (!r->record) {
		keep(r, output, record, size);
		return;
	}
	r->n_records++;
	r->record(r->arg, output, record, size);
}

static RARE void hand_over_whole(struct stream *r, unsigned int output, const void *record,
				 uint32_t size)
{
	const size_t need = (size_t)size + r->event->size;

	if (need > r->whole_size) {
		uint8_t *whole = realloc(r->whole, need * 2);

		if (!whole) {
			r->lost++;
			return;
		}
		r->whole = whole;
		r->whole_size = need * 2;
	}
	memcpy(r->whole, record, size);
	memcpy(r->whole + size, r->event->record, r->event->size);
	hand_over(r, output, r->whole, (uint32_t)need);
}

/* The machine's output. */
static void take_output(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct stream *r = arg;

	if (r->plan->maps[output].whole)
		hand_over_whole(r, output, record, size);
	else
		hand_over(r, output, record, size);
}

static const char *definition(const struct event *e)
{
	return e->layout->fetch ? e->layout->fetch : "";
}

/* 0: the same event of the kernel. */
static int compare_events(const struct event *a, const struct event *b)
{
	int order = strcmp(a->name, b->name);

	if (!order)
		order = (a->group > b->group) - (a->group < b->group);
	if (!order)
		order = strcmp(a->system, b->system);
	if (!order)
		order = (int)a->kind - (int)b->kind;
	if (!order)
		order = (a->address > b->address) - (a->address < b->address);
	return order || a->layout == b->layout ? order : strcmp(definition(a), definition(b));
}

static int by_event(const void *a, const void *b)
{
	const struct attachment *x = *(const struct attachment *const *)a,
		*y = *(const struct attachment *const *)b;
	int order = compare_events(x->event, y->event);

	return order ? order : (x > y) - (x < y);
}

/*
 * One event of the kernel, however many attachments it has: its losses are counted once, and so is
 * it.
 */
static int mark_counted(struct stream *r)
{
	const struct attachment *all = r->plan->attachments, **sorted;
	unsigned int n = r->plan->n_attachments;

	sorted = calloc(n + 1, sizeof(*sorted));
	if (!sorted)
		return -1;
	for (unsigned int i = 0; i < n; i++)
		sorted[i] = &all[i];
	qsort(sorted, n, sizeof(*sorted), by_event);
	for (unsigned int i = 0; i < n; i++)
		r->handlers[sorted[i] - all].counted = !i ||
			compare_events(sorted[i - 1]->event, sorted[i]->event);
	free(sorted);
	return 0;
}

/* The machine numbers programs as the plan does. */
static int load(struct stream *r, struct error *err)
{
	const struct plan_program *programs = r->plan->programs;
	const struct attachment *all = r->plan->attachments;

	for (unsigned int i = 0; i < r->plan->n_programs; i++)
		if (vm_load(r->vm, programs[i].code.insns, programs[i].code.n, err) < 0)
			return -1;
	if (mark_counted(r))
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < r->plan->n_attachments; i++) {
		struct handler *t = &r->handlers[i];

		t->is_part = all[i].event->is_part;
		t->stacked = layout_wants_stack(all[i].event->layout);
		for (unsigned int part = i - all[i].n_parts; part < i; part++) {
			r->handlers[part].main = i;
			r->handlers[part].part = t->n_texts;
			t->n_texts += all[part].event->layout->n_inputs;
		}
		t->program = all[i].program && !t->is_part ? (int)(all[i].program - programs) : -1;
		t->plain = t->program >= 0 && !r->tasks && !t->n_texts && !t->stacked;
	}
	return 0;
}

/* Task events go first among events of the same time: they say who the others are. */
static unsigned int queue_of(const struct stream *r, bool is_task, uint32_t cpu)
{
	return is_task ? cpu : r->cpus + cpu;
}

static int set_up(struct stream *r, struct kernel *k, struct error *err)
{
	unsigned int most = 0;

	r->handlers = calloc(r->plan->n_attachments + 1, sizeof(*r->handlers));
	r->merge = merge_new(2 * r->cpus);
	if (!r->handlers || !r->merge)
		return fail(err, "out of memory");
	for (uint32_t cpu = 0; cpu < r->cpus; cpu++)
		for (unsigned int are_tasks = 0; are_tasks < 2; are_tasks++)
			r->merge->queues[queue_of(r, are_tasks, cpu)].owner = cpu;
	for (unsigned int i = 0; i < r->plan->n_attachments; i++) {
		unsigned int texts = 0;

		for (unsigned int part = i - r->plan->attachments[i].n_parts; part < i; part++)
			texts += r->plan->attachments[part].event->layout->n_inputs;
		most = texts > most ? texts : most;
	}
	if (most > PARTS_MOST)
		return fail(err, "an event has %u strings, and the ring engines can put together "
				 "%d",
			    most, PARTS_MOST);
	if (most && !(r->parts = parts_new(most)))
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < r->plan->n_maps; i++)
		r->has_joins |= r->plan->maps[i].role == ROLE_JOIN ||
				r->plan->maps[i].role == ROLE_HINT;
	if (r->plan->needs_tasks && !(r->tasks = tasks_new(k, r->cpus, err)))
		return -1;
	r->vm = vm_new(r->plan->maps, r->plan->n_maps, take_output, r, err);
	return r->vm ? load(r, err) : -1;
}

struct stream *stream_new(struct kernel *k, const struct plan *plan, unsigned int cpus,
		      struct error *err)
{
	struct stream *r = calloc(1, sizeof(*r));

	if (!r) {
		fail(err, "out of memory");
		return NULL;
	}
	r->plan = plan;
	r->cpus = cpus;
	r->delay.ns = DELAY_NS;
	if (set_up(r, k, err)) {
		stream_free(r);
		return NULL;
	}
	return r;
}

void stream_free(struct stream *r)
{
	if (!r)
		return;
	if (r->vm)
		vm_free(r->vm);
	merge_free(r->merge);
	tasks_free(r->tasks);
	parts_free(r->parts);
	switches_free(&r->switches);
	free(r->handlers);
	free(r->kept);
	free(r->whole);
	free(r);
}

int stream_follow_switches(struct stream *r, struct kernel *k, struct error *err)
{
	int attachment = switches_attachment(r->plan);

	if (attachment < 0)
		return 0;
	if (switches_init(&r->switches, k, r->cpus))
		return fail(err, "out of memory, or sched_switch does not tell its tasks");
	r->handlers[attachment].switches = true;
	return 0;
}

void stream_clock(struct stream *r, uint64_t (*now)(void))
{
	if (r->tasks)
		tasks_clock(r->tasks, now);
}

uint64_t stream_delay(const struct stream *r)
{
	return r->delay.ns;
}

void stream_wait_for_writers(const struct stream *r)
{
	const struct timespec delay = { .tv_nsec = (long)r->delay.ns };

	nanosleep(&delay, NULL);
}

void stream_saw(struct stream *r, uint64_t began, uint64_t expected)
{
	delay_saw(&r->delay, began, monotonic_ns(), expected);
}

/* What waits for its other half and is older than `time` may have missed it. */
static void drop_joins(struct stream *r, uint64_t time)
{
	if (r->has_joins)
		r->unpaired += vm_gap(r->vm, time);
	if (r->parts)
		parts_clear(r->parts);
}

/*
 * Came after younger events were run: running it now would be out of order, so it is as good as
 * lost.
 */
static void late(struct stream *r, const struct sample *s)
{
	delay_missed(&r->delay, r->ran - s->time);
	if (s->event >= STREAM_TASK_EVENT) {
		tasks_gap(r->tasks, r->ran);
		return;
	}
	r->late += r->handlers[s->event].counted;
	switches_forget(&r->switches, s->cpu);
	drop_joins(r, r->ran);
}

struct merge_queue *stream_queue(struct stream *r, enum stream_share share, uint32_t cpu)
{
	const bool are_tasks = share == STREAM_TASKS;

	if (cpu >= r->cpus || r->running || (are_tasks && !r->tasks))
		return NULL;
	return &r->merge->queues[queue_of(r, are_tasks, cpu)];
}

int stream_push(struct stream *r, const struct sample *s)
{
	bool is_task = s->event >= STREAM_TASK_EVENT;
	struct merge_entry *e;

	if (s->cpu >= r->cpus || r->running)
		return -1;
	if (is_task ? !r->tasks || s->event >= STREAM_TASK_EVENT + TASK_EVENTS :
	    s->event >= r->plan->n_attachments)
		return -1;
	if (s->time < r->ran) {
		late(r, s);
		return 0;
	}
	e = merge_push(r->merge, queue_of(r, is_task, s->cpu), s->time, s->size);
	if (e) {
		e->kind = s->event;
		e->tid = s->tid;
		memcpy(e->data, s->record, s->size);
		return 0;
	}
	stream_gap_in(r, is_task ? STREAM_TASKS : STREAM_EVENTS, s->cpu, s->time, s->time,
		    is_task ? 0 : 1);
	return -1;
}

static void enter_gap(struct stream *r, uint32_t cpu, const struct gap *gap)
{
	if (gap->share & STREAM_TASKS && r->tasks)
		tasks_gap(r->tasks, gap->to);
	if (gap->share & STREAM_EVENTS) {
		r->gap_until = r->in_gap && r->gap_until > gap->to ? r->gap_until : gap->to;
		r->in_gap = true;
		switches_forget(&r->switches, cpu);
	}
}

int stream_gap_in(struct stream *r, unsigned int share, uint32_t cpu, uint64_t from, uint64_t to,
		uint64_t count)
{
	/* The times of one CPU may go back a little, so `to` may come out older. */
	struct gap gap = { .to = from < to ? to : from, .share = share };
	uint64_t begin = from < to ? from : to;
	unsigned int queue = queue_of(r, share == STREAM_TASKS, cpu);
	struct merge_entry *e = NULL;

	if (cpu >= r->cpus)
		return -1;
	r->lost += count;
	if (!r->running)
		e = merge_push(r->merge, queue, begin < r->ran ? r->ran : begin, sizeof(gap));
	if (!e) {
		enter_gap(r, cpu, &gap);	/* earlier than its turn does no harm */
		return 0;
	}
	e->kind = KIND_GAP;
	e->tid = 0;
	memcpy(e->data, &gap, sizeof(gap));
	return 0;
}

int stream_gap(struct stream *r, uint32_t cpu, uint64_t from, uint64_t to, uint64_t count)
{
	return stream_gap_in(r, STREAM_EVENTS | STREAM_TASKS, cpu, from, to, count);
}

/*
 * Whose parts these are. A thread may change its CPU between two of them; the idle tasks of all
 * CPUs have the number 0, and each stays on its own.
 */
static uint32_t thread_of(const struct sample *s)
{
	return s->tid ? s->tid : ~s->cpu;
}

/*
 * A part brings texts: kept until the main event of the same thread. Handle 0 reads as unknown, and
 * is counted.
 */
static RARE void run_part(struct stream *r, const struct handler *t, const struct sample *s)
{
	const struct layout *l = r->plan->attachments[s->event].event->layout;

	for (unsigned int i = 0; i < l->n_inputs; i++) {
		char pieces[PIECES_TEXT];
		uint32_t length;
		const char *text = part_text(&l->inputs[i], s->record, s->size, pieces, &length);
		uint64_t handle = text ? vm_intern(r->vm, text, length) : 0;

		if (r->parts)
			parts_put(r->parts, thread_of(s), t->main, t->part + i, handle,
				  s->time);
	}
}

/* Takes stacks and record apart; -1: that is no record with stacks. */
static int unstack(struct sample *s)
{
	const uint8_t *from = s->record;
	uint64_t n;
	uint32_t size;

	if (s->size < STREAM_STACKED_HEAD)
		return -1;
	memcpy(&n, from, sizeof(n));
	if (n > (s->size - STREAM_STACKED_HEAD) / sizeof(uint64_t))
		return -1;
	s->stack = from + sizeof(n);
	s->n_stack = (uint32_t)n;
	from += sizeof(n) + n * sizeof(uint64_t);
	memcpy(&size, from, sizeof(size));
	if (size > s->size - STREAM_STACKED_HEAD - n * sizeof(uint64_t))
		return -1;
	s->record = from + sizeof(size);
	/* What perf puts behind the record is the program's, too. */
	s->size -= (uint32_t)(STREAM_STACKED_HEAD + n * sizeof(uint64_t));
	return 0;
}

/* A record shorter than its program reads: so it counts as lost, and breaks joins. */
static RARE void not_run(struct stream *r, const struct handler *t, uint64_t time)
{
	r->seen -= t->counted;
	r->lost += t->counted;
	drop_joins(r, time);
}

/*
 * What waits for this CPU's next switch, or for the task that this one leaves, waited for one that
 * was missed.
 */
static RARE void missed_switch(struct stream *r, uint32_t cpu, uint32_t task)
{
	vm_forget(r->vm, OF_CPU, cpu);
	if (task)
		vm_forget(r->vm, OF_TASK, task);
}

static inline void run_program(struct stream *r, const struct handler *t, const struct sample *s,
			       const uint64_t *handles, unsigned int n_handles)
{
	r->event = s;
	if (vm_run(r->vm, t->program, s, handles, n_handles) < 0)
		not_run(r, t, s->time);
}

static void follow_switch(struct stream *r, const struct sample *s)
{
	int64_t task = switches_follow(&r->switches, s->cpu, s->record, s->size);

	if (task >= 0)
		missed_switch(r, s->cpu, (uint32_t)task);
}

/* An event that brings or wants more than its record. */
static RARE void run_rich(struct stream *r, const struct handler *t, struct sample *s)
{
	const uint64_t *handles = NULL;

	if (t->is_part)
		run_part(r, t, s);
	if (t->program < 0)
		return;
	if (r->tasks)
		tasks_find(r->tasks, s);
	if (t->n_texts && r->parts)
		handles = parts_take(r->parts, thread_of(s), s->event);
	if (t->stacked && unstack(s)) {
		not_run(r, t, s->time);
		return;
	}
	if (t->switches)
		follow_switch(r, s);
	run_program(r, t, s, handles, handles ? t->n_texts : 0);
}

static RARE void leave_gap(struct stream *r, uint64_t time)
{
	drop_joins(r, time < r->gap_until ? time : r->gap_until);
	r->in_gap = time < r->gap_until;
}

static inline struct sample sample_of(const struct merge_entry *e, uint32_t cpu)
{
	return (struct sample){
		.time = e->time, .cpu = cpu, .tid = e->tid, .event = e->kind,
		.size = e->length, .record = e->data, .tgid = (uint32_t)-1,
	};
}

static void run_event(struct stream *r, const struct merge_entry *e, uint32_t cpu)
{
	const struct handler *t = &r->handlers[e->kind];
	struct sample s = sample_of(e, cpu);

	if (r->in_gap)
		leave_gap(r, s.time);
	r->seen += t->counted;
	if (!t->plain) {
		run_rich(r, t, &s);
		return;
	}
	if (t->switches)
		follow_switch(r, &s);
	run_program(r, t, &s, NULL, 0);
}

/* What is no event of the plan: a gap, or an event of a task. */
static RARE void run_other(struct stream *r, const struct merge_entry *e, uint32_t cpu)
{
	struct sample s = sample_of(e, cpu);
	struct gap gap;

	if (e->kind == KIND_GAP) {
		memcpy(&gap, e->data, sizeof(gap));
		enter_gap(r, cpu, &gap);
		return;
	}
	r->ran = e->time;
	tasks_apply(r->tasks, e->kind - STREAM_TASK_EVENT, &s);
}

static void run_entry(struct stream *r, const struct merge_entry *e, uint32_t cpu)
{
	if (e->kind >= STREAM_TASK_EVENT) {
		run_other(r, e, cpu);
		return;
	}
	r->ran = e->time;
	run_event(r, e, cpu);
}

static void hand_over_kept(struct stream *r)
{
	struct kept head;

	for (size_t i = 0; i < r->n_kept; i += sizeof(head) + head.size) {
		memcpy(&head, r->kept + i, sizeof(head));
		hand_over(r, head.output, r->kept + i + sizeof(head), head.size);
	}
	r->n_kept = 0;
}

int stream_run(struct stream *r, uint64_t until, record_fn record, void *arg)
{
	struct merge *m = r->merge;
	const struct merge_entry *e;

	if (r->running)
		return 0;
	r->running = true;
	r->record = record;
	r->arg = arg;
	r->n_records = 0;
	if (record)
		hand_over_kept(r);
	while ((e = merge_next(m, until)))
		run_entry(r, e, m->taken->owner);
	r->running = false;
	return r->n_records;
}

const struct event *stream_task_events(struct stream *r, unsigned int *n)
{
	*n = r->tasks ? TASK_EVENTS : 0;
	return r->tasks ? tasks_events(r->tasks) : NULL;
}

void stream_seed(struct stream *r)
{
	if (r->tasks)
		tasks_seed(r->tasks);
}

void stream_task(struct stream *r, uint32_t tid, uint32_t tgid, const char *comm)
{
	if (r->tasks)
		tasks_put(r->tasks, tid, tgid, comm);
}

void stream_probe_order(const struct plan *plan, unsigned int *order)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		unsigned int parts = plan->attachments[i].n_parts;

		if (plan->attachments[i].event->is_part)
			continue;
		if (event_ops(plan->attachments[i].event)->in_order) {
			for (unsigned int part = 0; part < parts; part++)
				order[n++] = i - parts + part;
			order[n++] = i;
			continue;
		}
		order[n++] = i;
		for (unsigned int part = parts; part-- > 0;)
			order[n++] = i - parts + part;
	}
}

void stream_take(struct stream *r, unsigned int map, entry_fn entry, void *arg)
{
	vm_take(r->vm, map, entry, arg);
}

int stream_set(struct stream *r, unsigned int map, const void *key, const void *value,
	       struct error *err)
{
	const struct map *m = &r->plan->maps[map];

	if (m->kind == MAP_OUTPUT)
		return fail(err, "the map %s has no entries to set", m->name);
	/* An entry that is not there need not be removed. */
	if (!vm_set(r->vm, map, key, value) || !value)
		return 0;
	return fail(err, "the map %s is full: it has room for %u entries", m->name, m->entries);
}

int stream_get(struct stream *r, unsigned int map, const void *key, void *value)
{
	return vm_get(r->vm, map, key, value);
}

int stream_renew(struct stream *r, const struct stack_holders *holders, struct error *err)
{
	return vm_renew(r->vm, holders->taken, holders->held, holders->arg) ?
	       fail(err, "out of memory") : 0;
}

/* What programs counted (enum state_slot). */
static uint64_t counted(const struct stream *r, uint32_t slot)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < r->plan->n_maps; i++)
		if (!strcmp(r->plan->maps[i].name, MAP_STATE))
			vm_get(r->vm, i, &slot, &n);
	return n;
}

void stream_stats(const struct stream *r, struct engine_stats *s)
{
	struct vm_stats vm;

	vm_stats(r->vm, &vm);
	memset(s, 0, sizeof(*s));
	s->seen = r->seen;
	s->lost = r->lost + vm.unknown;
	s->late = r->late;
	s->unpaired = r->unpaired;
	s->full = vm.full;
	s->strings = vm.strings;
	s->switches = r->switches.missed;
	s->returns = counted(r, STATE_RETURNS);
	s->unreturned = counted(r, STATE_UNRETURNED);
	s->missed = s->switches + s->returns;
}
