// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/stream/handlers.h"
#include "backends/stream/tables/members.h"
#include "backends/stream/parts.h"
#include "backends/stream/stacked.h"
#include "backends/stream/stream_output.h"
#include "backends/stream/switches.h"
#include "compat/base/clock.h"
#include "compat/base/rare.h"
#include "compat/resolve/identity.h"
#include "insns/lower/whose.h"

/* beside the numbers of attachments and task events */
#define KIND_GAP UINT32_MAX
#define KIND_SET (UINT32_MAX - 1)	/* the record: a map's number, a key, a value */

/* What perf's side band tells of tasks has numbers behind those of the followed tracepoints. */
enum { TOLD_NAMESPACES, TOLD_LIFE, TOLD };

struct gap {
	uint64_t to;
	uint32_t share;
};

struct stream {
	const struct plan *plan;
	struct handler *handlers;
	struct vm *vm;
	struct merge *merge;
	struct tasks *tasks;	/* NULL: the plan needs none */
	struct members *members;	/* NULL: the plan has no scope */
	bool has_cgroups;	/* the last 8 bytes of each record are the id of a cgroup */
	/* of such an id; NULL: the plan's scope has no cgroups */
	enum in_scope (*find_cgroup)(void *arg, uint64_t id);
	void *cgroups;
	uint64_t cgroup;	/* of the event that a program runs on; 0: unknown */
	int whose;		/* the plan's MAP_WHOSE; -1: nothing is told there */
	struct event *followed;	/* the events of `tasks`, and then those of `members` */
	unsigned int n_tasks, n_followed;
	struct parts *parts;	/* NULL: no event has parts */
	struct switches switches;
	struct delay delay;
	unsigned int cpus;
	bool has_joins;
	bool clocked;		/* user space can read the clock of the times */
	bool one_ring;		/* see stream_one_ring() */
	bool running;
	uint64_t ran;		/* time of the youngest event that was run */
	bool in_gap;
	uint64_t gap_until;
	struct stream_output output;
	const struct sample *event;	/* the event that a program runs on */
	uint64_t seen, lost, late, unpaired;
};

static void tell_whose(struct stream *r, const void *record)
{
	struct whose_record whose = {
		.pid_tgid = (uint64_t)r->event->tgid << 32 | r->event->tid, .cgroup = r->cgroup,
	};

	memcpy(&whose.time, record, sizeof(whose.time));
	stream_output(&r->output, (unsigned int)r->whose, &whose, sizeof(whose));
}

/* Gets the records of programs from the virtual machine. */
static void take_output(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct stream *r = arg;

	if (r->whose >= 0 && r->cgroup)
		tell_whose(r, record);
	if (r->plan->maps[output].whole)
		stream_output_whole(&r->output, output, record, size, r->event);
	else
		stream_output(&r->output, output, record, size);
}

/* Programs have the plan's numbers in the virtual machine, too. */
static int load(struct stream *r, struct error *err)
{
	const struct plan_program *programs = r->plan->programs;

	for (unsigned int i = 0; i < r->plan->n_programs; i++)
		if (vm_load(r->vm, programs[i].code.insns, programs[i].code.n, err) < 0)
			return -1;
	return 0;
}

/*
 * Events of the tables of tasks come before the plan's events of the same time, because these need
 * the tables.
 */
static unsigned int queue_of(const struct stream *r, bool is_task, uint32_t cpu)
{
	return is_task ? cpu : r->cpus + cpu;
}

/* Where an event goes. */
static unsigned int queue_for(const struct stream *r, bool is_task, uint32_t cpu)
{
	return queue_of(r, is_task && !r->one_ring, cpu);
}

/* Makes the tables of tasks, and the list of the events that update them. */
static int make_tables(struct stream *r, struct kernel *k, struct error *err)
{
	const struct event *events = NULL;
	unsigned int n = 0;

	if (r->plan->needs_tasks && !(r->tasks = tasks_new(k, r->cpus, err)))
		return -1;
	if (r->plan->scope && !(r->members = members_new(k, r->plan->scope, err)))
		return -1;
	r->n_tasks = r->tasks && !stream_wants_lives(r) ? TASK_EVENTS : 0;
	if (r->members)
		events = members_events(r->members, &n);
	r->n_followed = r->n_tasks + n;
	r->followed = calloc(r->n_followed + 1, sizeof(*r->followed));
	if (!r->followed)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < r->n_followed; i++)
		r->followed[i] = i < r->n_tasks ? tasks_events(r->tasks)[i] :
				 events[i - r->n_tasks];
	return 0;
}

static int set_up(struct stream *r, struct kernel *k, struct error *err)
{
	const unsigned int most = handlers_texts(r->plan);

	r->handlers = handlers_new(r->plan);
	r->merge = merge_new(2 * r->cpus);
	if (!r->handlers || !r->merge)
		return fail(err, "out of memory");
	for (uint32_t cpu = 0; cpu < r->cpus; cpu++)
		for (unsigned int are_tasks = 0; are_tasks < 2; are_tasks++)
			r->merge->queues[queue_of(r, are_tasks, cpu)].owner = cpu;
	if (most > PARTS_MOST)
		return fail(err, "an event has %u strings, and the ring engines can put together "
				 "%d",
			    most, PARTS_MOST);
	if (most && !(r->parts = parts_new(most)))
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < r->plan->n_maps; i++)
		r->has_joins |= r->plan->maps[i].role == ROLE_JOIN ||
				r->plan->maps[i].role == ROLE_HINT;
	if (make_tables(r, k, err))
		return -1;
	r->vm = vm_new(r->plan->maps, r->plan->n_maps, take_output, r, err);
	return r->vm ? load(r, err) : -1;
}

struct stream *stream_new(struct kernel *k, const struct plan *plan, unsigned int cpus,
		      struct error *err)
{
	struct stream *r = calloc(1, sizeof(*r));

	assert(cpus && plan->target == TARGET_RING);
	if (!r) {
		fail(err, "out of memory");
		return NULL;
	}
	r->plan = plan;
	r->cpus = cpus;
	r->delay.ns = DELAY_NS;
	r->whose = -1;
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
	members_free(r->members);
	free(r->followed);
	parts_free(r->parts);
	switches_free(&r->switches);
	free(r->handlers);
	stream_output_free(&r->output);
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
	r->clocked = true;
	if (r->tasks)
		tasks_clock(r->tasks, now);
	if (r->members)
		members_clock(r->members, now);
}

void stream_cgroups(struct stream *r, enum in_scope (*find)(void *arg, uint64_t id), void *arg)
{
	r->has_cgroups = true;
	r->find_cgroup = find;
	r->cgroups = arg;
}

void stream_tells_whose(struct stream *r)
{
	r->whose = whose_map(r->plan->maps, r->plan->n_maps);
}

uint64_t stream_delay(const struct stream *r)
{
	return r->delay.ns;
}

void stream_wait_for_writers(const struct stream *r)
{
	sleep_ns(r->delay.ns);
}

void stream_saw(struct stream *r, uint64_t began, uint64_t expected)
{
	delay_saw(&r->delay, began, monotonic_ns(), expected);
}

/*
 * Drops the join entries from before `time`, and all parts. The event that they wait for may have
 * been lost.
 */
static void drop_joins(struct stream *r, uint64_t time)
{
	if (r->has_joins)
		r->unpaired += vm_gap(r->vm, time);
	if (r->parts)
		parts_clear(r->parts);
}

static void tables_gap(struct stream *r, uint64_t to)
{
	if (r->tasks)
		tasks_gap(r->tasks, to);
	if (r->members)
		members_gap(r->members, to);
}

/*
 * Younger events have run already, so the late event would run out of order. It is dropped, with
 * the same effects as a loss.
 */
static void late(struct stream *r, const struct sample *s)
{
	delay_missed(&r->delay, r->ran - s->time);
	if (s->event >= STREAM_TASK_EVENT) {
		tables_gap(r, r->ran);
		return;
	}
	r->late += r->handlers[s->event].counted;
	switches_forget(&r->switches, s->cpu);
	drop_joins(r, r->ran);
}

void stream_one_ring(struct stream *r)
{
	r->one_ring = true;
}

struct merge_queue *stream_queue(struct stream *r, enum stream_share share, uint32_t cpu)
{
	const bool are_tasks = share == STREAM_TASKS;

	assert(share == STREAM_EVENTS || share == STREAM_TASKS);
	if (cpu >= r->cpus || r->running || (are_tasks && !r->n_followed))
		return NULL;
	return &r->merge->queues[queue_for(r, are_tasks, cpu)];
}

int stream_push(struct stream *r, const struct sample *s)
{
	bool is_task = s->event >= STREAM_TASK_EVENT;
	struct merge_entry *e;

	assert(s->record || !s->size);
	if (s->cpu >= r->cpus || r->running)
		return -1;
	if (is_task ? s->event >= STREAM_TASK_EVENT + r->n_followed + TOLD :
	    s->event >= r->plan->n_attachments)
		return -1;
	if (s->time < r->ran) {
		late(r, s);
		return 0;
	}
	e = merge_push(r->merge, queue_for(r, is_task, s->cpu), s->time, s->size);
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
	if (gap->share & STREAM_TASKS)
		tables_gap(r, gap->to);
	if (gap->share & STREAM_EVENTS) {
		r->gap_until = r->in_gap && r->gap_until > gap->to ? r->gap_until : gap->to;
		r->in_gap = true;
		switches_forget(&r->switches, cpu);
	}
}

int stream_gap_in(struct stream *r, unsigned int share, uint32_t cpu, uint64_t from, uint64_t to,
		uint64_t count)
{
	/* Times of one CPU may go back a little, so `to` may be older than `from`. */
	struct gap gap = { .to = from < to ? to : from, .share = share };
	uint64_t begin = from < to ? from : to;
	unsigned int queue = queue_of(r, share == STREAM_TASKS, cpu);
	struct merge_entry *e = NULL;

	assert(share && !(share & ~(STREAM_EVENTS | STREAM_TASKS)));
	if (cpu >= r->cpus)
		return -1;
	r->lost += count;
	if (!r->running)
		e = merge_push(r->merge, queue, begin < r->ran ? r->ran : begin, sizeof(gap));
	if (!e) {
		enter_gap(r, cpu, &gap);	/* a gap before its turn does no harm */
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
 * The thread of a part or main event. A thread may change its CPU between two parts. The idle tasks
 * of all CPUs have the id 0, but they stay on their CPUs, so the CPU tells them apart.
 */
static uint32_t thread_of(const struct sample *s)
{
	return s->tid ? s->tid : ~s->cpu;
}

/*
 * Keeps the texts of a part until the main event of the same thread. Programs read handle 0 as an
 * unknown text, which is counted.
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

/*
 * A record that is too short for its program, or for its stacks, counts as lost. Join entries are
 * dropped, as at a gap.
 */
static RARE void not_run(struct stream *r, const struct handler *t, uint64_t time)
{
	r->seen -= t->counted;
	r->lost += t->counted;
	drop_joins(r, time);
}

/*
 * A switch of this CPU was missed. Entries that wait for the CPU's next switch, or for the next
 * switch of the task that this switch leaves, waited for the missed one: they are dropped.
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

static enum in_scope scope_of(struct stream *r, const struct sample *s, uint64_t cgroup)
{
	const enum in_scope found = members_find(r->members, s);
	enum in_scope by_id;

	if (!r->find_cgroup || found == SCOPE_OUT)
		return found;
	by_id = r->find_cgroup(r->cgroups, cgroup);
	return by_id == SCOPE_IN ? found : by_id;
}

/* Takes off the record's end the id of its task's cgroup; 0: there is none. */
static uint64_t take_cgroup(const struct stream *r, struct sample *s)
{
	uint64_t id = 0;

	if (r->has_cgroups && s->size >= sizeof(id)) {
		s->size -= (uint32_t)sizeof(id);
		memcpy(&id, (const uint8_t *)s->record + s->size, sizeof(id));
	}
	return id;
}

/* Runs an event that is not plain (handlers.h). */
static RARE void run_rich(struct stream *r, const struct handler *t, struct sample *s)
{
	const uint64_t *handles = NULL;

	r->cgroup = take_cgroup(r, s);
	if (t->is_part)
		run_part(r, t, s);
	if (t->program < 0)
		return;
	if (r->tasks)
		tasks_find(r->tasks, s);
	if (r->members)
		s->scope = scope_of(r, s, r->cgroup);
	if (t->n_texts && r->parts)
		handles = parts_take(r->parts, thread_of(s), s->event);
	if (t->stacked && stacked_apart(s)) {
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

/* It has room: nothing but the first process of a command is set so. */
static RARE void run_set(struct stream *r, const struct merge_entry *e)
{
	uint32_t map;

	memcpy(&map, e->data, sizeof(map));
	vm_set(r->vm, map, e->data + sizeof(map),
	       e->data + sizeof(map) + r->plan->maps[map].key_size);
}

/* Runs what is no event of the plan: a gap, an entry of a map, an event of the tables of tasks. */
static RARE void run_other(struct stream *r, const struct merge_entry *e, uint32_t cpu)
{
	struct sample s = sample_of(e, cpu);
	unsigned int number;
	struct gap gap;

	if (e->kind == KIND_GAP) {
		memcpy(&gap, e->data, sizeof(gap));
		enter_gap(r, cpu, &gap);
		return;
	}
	r->ran = e->time;
	if (e->kind == KIND_SET) {
		run_set(r, e);
		return;
	}
	number = e->kind - STREAM_TASK_EVENT;
	if (number == r->n_followed + TOLD_NAMESPACES)
		members_namespaces(r->members, s.tid, s.time, s.record);
	else if (number == r->n_followed + TOLD_LIFE)
		tasks_live(r->tasks, s.time, s.record);
	else if (number < r->n_tasks)
		tasks_apply(r->tasks, number, &s);
	else
		members_apply(r->members, number - r->n_tasks, &s);
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

int stream_run(struct stream *r, uint64_t until, record_fn record, void *arg)
{
	struct merge *m = r->merge;
	const struct merge_entry *e;

	if (r->running)
		return 0;
	r->running = true;
	stream_output_to(&r->output, record, arg);
	while ((e = merge_next(m, until)))
		run_entry(r, e, m->taken->owner);
	r->running = false;
	return r->output.n_records;
}

const struct event *stream_task_events(struct stream *r, unsigned int *n)
{
	*n = r->n_followed;
	return r->followed;
}

int stream_namespaces(struct stream *r, uint32_t cpu, uint64_t time, uint32_t tid,
		      const uint32_t numbers[SCOPE_NAMESPACES])
{
	const struct sample s = {
		.time = time, .cpu = cpu, .tid = tid,
		.event = STREAM_TASK_EVENT + r->n_followed + TOLD_NAMESPACES,
		.size = SCOPE_NAMESPACES * sizeof(*numbers), .record = numbers,
	};

	return r->members ? stream_push(r, &s) : -1;
}

bool stream_wants_lives(const struct stream *r)
{
	return r->tasks && tasks_are_told(r->tasks);
}

int stream_life(struct stream *r, uint32_t cpu, uint64_t time, const struct task_life *life)
{
	const struct sample s = {
		.time = time, .cpu = cpu, .tid = life->tid,
		.event = STREAM_TASK_EVENT + r->n_followed + TOLD_LIFE,
		.size = sizeof(*life), .record = life,
	};

	return r->tasks ? stream_push(r, &s) : -1;
}

void stream_seed(struct stream *r)
{
	if (r->tasks)
		tasks_seed(r->tasks);
	if (r->members)
		members_seed(r->members);
}

void stream_task(struct stream *r, uint32_t tid, uint32_t tgid, const char *comm)
{
	if (r->tasks)
		tasks_put(r->tasks, tid, tgid, comm);
}

void stream_take(struct stream *r, unsigned int map, entry_fn entry, void *arg)
{
	vm_take(r->vm, map, entry, arg);
}

/* Puts the entry among the events, before those of its time. Returns false if there is no room. */
static bool set_later(struct stream *r, uint32_t map, const struct entry *entry)
{
	const struct map *m = &r->plan->maps[map];
	const uint32_t size = sizeof(map) + m->key_size + m->value_size;
	struct merge_entry *e;

	if (!r->clocked || !entry->value || r->running || entry->from <= r->ran)
		return false;
	e = merge_push(r->merge, queue_of(r, true, 0), entry->from, size);
	if (!e)
		return false;
	e->kind = KIND_SET;
	e->tid = 0;
	memcpy(e->data, &map, sizeof(map));
	memcpy(e->data + sizeof(map), entry->key, m->key_size);
	memcpy(e->data + sizeof(map) + m->key_size, entry->value, m->value_size);
	return true;
}

int stream_set(struct stream *r, unsigned int map, const struct entry *entry, struct error *err)
{
	const struct map *m = &r->plan->maps[map];

	assert(map < r->plan->n_maps && entry->key);
	if (m->kind == MAP_OUTPUT)
		return fail(err, "the map %s has no entries to set", m->name);
	/* value NULL: the entry need not be there. */
	if (set_later(r, map, entry) || !vm_set(r->vm, map, entry->key, entry->value))
		return 0;
	return !entry->value ? 1 : fail(err, "the map %s is full: it has room for %u entries",
					m->name, m->entries);
}

int stream_get(struct stream *r, unsigned int map, const void *key, void *value)
{
	return vm_get(r->vm, map, key, value);
}

int stream_renew(struct stream *r, const struct stack_holders *holders, struct error *err)
{
	assert(holders->held);
	return vm_renew(r->vm, holders->taken, holders->held, holders->arg) ?
	       fail(err, "out of memory") : 0;
}

/* A count that programs keep (enum state_slot). */
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
	s->undecided = vm.unknown;
	s->lost = r->lost + r->output.lost + s->undecided;
	s->late = r->late;
	s->unpaired = r->unpaired;
	s->full = vm.full;
	s->strings = vm.strings;
	s->switches = r->switches.missed;
	s->returns = counted(r, STATE_RETURNS);
	s->unreturned = counted(r, STATE_UNRETURNED);
	s->missed = s->switches + s->returns;
}
