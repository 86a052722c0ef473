// SPDX-License-Identifier: GPL-2.0
/*
 * The bpf engine: programs run in the kernel, attached to perf events by PERF_EVENT_IOC_SET_BPF.
 * sonde reads their records and the maps they fill. File descriptors hold programs, maps and
 * events, so the kernel removes them however the process ends.
 */
#include "backends/backend.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "backends/bpf/bpf_attach.h"
#include "backends/bpf/bpf_load.h"
#include "backends/bpf/bpf_order.h"
#include "backends/bpf/bpf_output.h"
#include "backends/bpf/bpf_refuse.h"
#include "backends/bpf/bpf_stacks.h"
#include "backends/bpf/bpf_step.h"
#include "backends/bpf/bpf_take.h"
#include "backends/kinds/kinds.h"
#include "backends/poll.h"
#include "backends/stream/delay.h"
#include "backends/tracefs/detach.h"
#include "compat/base/bpf.h"
#include "compat/base/clock.h"
#include "compat/probing/bpf_permission.h"
#include "insns/lower/whose.h"

/*
 * Bytes of records that may wait to be put in order, beside two fillings of the rings. If more
 * records wait, all of them are handed over, and later records may be out of order.
 */
#define ORDER_BYTES (4 * 1024 * 1024)
/* Times that the last read waits a millisecond for a program that was interrupted in a record. */
#define BUSY_TRIES 50

struct engine {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	unsigned int wait_ms;		/* as in engine_options */
	/* file descriptors of the plan's maps; outputs close theirs themselves */
	int *maps;
	unsigned int *cpus;	/* for each map: values of an entry */
	struct bpf_step **steps;	/* of the maps that add() adds to */
	unsigned int possible;	/* values of an entry of a per-CPU array; 0: not known yet */
	int state, epoch;	/* the file descriptors of .state and .epoch; -1: there is none */
	int epoll;
	unsigned int n_outputs;
	struct bpf_output **outputs;
	struct bpf_order *order;
	struct bpf_programs programs;
	struct bpf_events *events;
	struct bpf_take *take;
	struct bpf_stacks stacks;
	bool attached, stopped, drained;
	uint64_t started_at, stopped_at;	/* records of other times are left out */
	uint64_t base[STATE_SLOTS];	/* the counters of .state at start() */
	uint64_t final[STATE_SLOTS];	/* and at stop() */
	uint64_t seen;
	int whose;			/* MAP_WHOSE, whose records are no events; -1: none */
	record_fn record;		/* during poll() */
	void *arg;
};

/* An administrator may have set fewer addresses than sonde's maps have room for (4.8). */
#define MAX_STACK "/proc/sys/kernel/perf_event_max_stack"

static uint32_t value_size(struct kernel *k, const struct map *m)
{
	const char *text = m->kind == MAP_STACKS ? kernel_text(k, MAX_STACK) : NULL;
	unsigned long depth = text ? strtoul(text, NULL, 10) : 0;

	return depth && 8 * depth < m->value_size ? 8 * (uint32_t)depth : m->value_size;
}

static int map_refused(struct engine *e, const struct map *m, int error, struct error *err)
{
	switch (error) {
	case EPERM:
		return fail_with(err, error, "can't create the map %s: %m\n%s", m->name,
				 bpf_not_permitted(e->kernel));
	case ENOSYS:
		return fail(err, "can't create the map %s: this kernel was built without bpf(2)\n"
			    "use --backend perf or --backend ftrace", m->name);
	case ENOMEM:
	case E2BIG:
		return fail_with(err, error, "can't create the map %s of %u entries: %m\n"
				 "the kernel does not have enough memory for it", m->name,
				 m->entries);
	case EMFILE:		/* others need more */
		return fail_with(err, error, "can't create the map %s: %m", m->name);
	default:
		return fail_with(err, error, "can't create the map %s: %m\n"
				 "try --backend perf or --backend ftrace", m->name);
	}
}

#define LEAST_STACKS 64

static bool first_of_kind(const struct plan *p, unsigned int map)
{
	for (unsigned int i = 0; i < map; i++)
		if (p->maps[i].kind == p->maps[map].kind)
			return false;
	return true;
}

/* Shares a map that was made outside of the engine. */
static int share_map(struct engine *e, unsigned int map, struct error *err)
{
	e->maps[map] = fcntl(e->plan->maps[map].fd, F_DUPFD_CLOEXEC, 0);
	e->cpus[map] = 1;
	return e->maps[map] < 0 ? fail_with(err, errno, "can't share the map %s: %m",
					    e->plan->maps[map].name) : 0;
}

/*
 * The kernel allocates the entries of hashes in advance, if it can, because programs also run where
 * the kernel may not allocate memory.
 */
static int create_map(struct engine *e, unsigned int map, struct memlock *memlock,
		      struct error *err)
{
	const struct map *m = &e->plan->maps[map];
	struct bpf_map_shape shape = {
		.type = m->kind == MAP_HASH ? BPF_MAP_TYPE_HASH :
			m->kind == MAP_STACKS ? BPF_MAP_TYPE_STACK_TRACE :
			m->kind == MAP_CGROUP ? BPF_MAP_TYPE_CGROUP_ARRAY : BPF_MAP_TYPE_ARRAY,
		.key_size = m->key_size,
		.value_size = value_size(e->kernel, m),
		.entries = m->entries,
		.name = kernel_has(e->kernel, FEATURE_BPF_NAMES) ? m->name : NULL,
	};
	if (m->kind == MAP_PERCPU_ARRAY && kernel_has(e->kernel, FEATURE_BPF_PERCPU)) {
		if (m->value_size % 8)
			return fail(err, "the map %s: the values of a per-CPU array are u64",
				    m->name);
		shape.type = BPF_MAP_TYPE_PERCPU_ARRAY;
	}
	if (m->role == ROLE_HINT)
		shape.type = BPF_MAP_TYPE_LRU_HASH;
	e->maps[map] = bpf_map_make(&shape, memlock);
	/* Before 4.10 there are no LRU hashes. A plain hash that is full takes no new entries. */
	if (e->maps[map] == -EINVAL && m->role == ROLE_HINT) {
		shape.type = BPF_MAP_TYPE_HASH;
		e->maps[map] = bpf_map_make(&shape, memlock);
	}
	/* Further tables, for stacks without a place in the first, get as much room as there is. */
	while (e->maps[map] == -ENOMEM && m->kind == MAP_STACKS && !first_of_kind(e->plan, map) &&
	       shape.entries > LEAST_STACKS) {
		shape.entries /= 2;
		e->maps[map] = bpf_map_make(&shape, memlock);
	}
	if (e->maps[map] < 0)
		return map_refused(e, m, -e->maps[map], err);
	if (shape.type == BPF_MAP_TYPE_PERCPU_ARRAY && !e->possible)
		e->possible = bpf_values_count(e->maps[map], m->value_size);
	e->cpus[map] = shape.type == BPF_MAP_TYPE_PERCPU_ARRAY ? e->possible : 1;
	if (!e->cpus[map])
		return fail_with(err, errno, "can't read the map %s: %m\n"
				 "try --backend perf or --backend ftrace", m->name);
	if (!strcmp(m->name, MAP_STATE))
		e->state = e->maps[map];
	if (!strcmp(m->name, MAP_EPOCH))
		e->epoch = e->maps[map];
	return 0;
}

static int create_output(struct engine *e, unsigned int map, const struct engine_options *o,
			 struct memlock *memlock, struct error *err)
{
	const struct bpf_output_setup s = {
		.kernel = e->kernel,
		.memlock = memlock,
		.name = e->plan->maps[map].name,
		.number = map,
		.pages = o->buffer_pages,
		.epoll = e->epoll,
		.verbose = o->verbose,
	};
	struct bpf_output *output = bpf_output_new(&s, err);

	if (!output)
		return -1;
	e->outputs[e->n_outputs++] = output;
	e->maps[map] = bpf_output_map(output);
	return 0;
}

static int create_step(struct engine *e, unsigned int map, struct memlock *memlock,
		       struct error *err)
{
	const struct map *m = &e->plan->maps[map];
	const struct bpf_step_setup setup = {
		.kernel = e->kernel, .name = m->name, .key_size = m->key_size,
		.map = e->maps[map], .memlock = memlock,
	};

	e->steps[map] = bpf_step_new(&setup, err);
	if (e->steps[map] && e->verbose)
		fprintf(e->verbose, "bpf: attached the program that adds to %s to a socket\n",
			m->name);
	return e->steps[map] ? 0 : -1;
}

static int create_maps(struct engine *e, const struct engine_options *o,
		       struct memlock *memlock, struct error *err)
{
	for (unsigned int i = 0; i < e->plan->n_maps; i++) {
		bool output = e->plan->maps[i].kind == MAP_OUTPUT;

		if (e->plan->maps[i].fd ? share_map(e, i, err) :
		    output ? create_output(e, i, o, memlock, err) : create_map(e, i, memlock, err))
			return -1;
		if (e->plan->maps[i].added && create_step(e, i, memlock, err))
			return -1;
	}
	return e->state < 0 ? fail(err, "the plan has no map " MAP_STATE) : 0;
}

static int attach(struct engine *e, struct error *err)
{
	for (unsigned int i = 0; i < e->plan->n_attachments; i++) {
		const unsigned int turn = bpf_events_turn(e->events, i);
		const struct attachment *a = &e->plan->attachments[turn];

		if (a->program && bpf_events_attach(e->events, turn,
						    bpf_program_of(&e->programs, e->plan, a), err))
			return -1;
	}
	e->attached = true;
	return plan_events_left(e->plan);
}

static bool any_early(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (event_ops(plan->attachments[i].event)->early)
			return true;
	return false;
}

static int make(struct engine *e, const struct engine_options *o, struct memlock *memlock,
		struct error *err)
{
	const struct bpf_loading loading = {
		.kernel = e->kernel,
		.plan = e->plan,
		.maps = e->maps,
		.memlock = memlock,
		.verbose = o->verbose,
	};
	struct bpf_take_setup taking;

	if (create_maps(e, o, memlock, err))
		return -1;
	taking = (struct bpf_take_setup){
		.kernel = e->kernel,
		.maps = e->plan->maps,
		.fds = e->maps,
		.cpus = e->cpus,
		.n = e->plan->n_maps,
		.epoch = e->epoch,
	};
	e->take = bpf_take_new(&taking, err);
	e->stacks = (struct bpf_stacks){
		.plan = e->plan, .fds = e->maps, .state = e->state, .take = e->take,
		.verbose = o->verbose,
	};
	if (!e->take || bpf_programs_load(&e->programs, &loading, err))
		return -1;
	e->events = bpf_events_new(e->kernel, e->plan, o->verbose);
	if (!e->events)
		return fail(err, "out of memory");
	if (bpf_events_open(e->events, err))
		return -1;
	/*
	 * Programs run as soon as they are attached, so they are attached at start(). But a kernel
	 * that takes one program for each event may refuse sonde's (EEXIST), and functions may be
	 * taken (struct event_ops). This must be known now, so such programs are attached here.
	 */
	if (kernel_has(e->kernel, FEATURE_BPF_MULTI) && !any_early(e->plan))
		return 0;
	bpf_take_hold(e->take);
	return attach(e, err);
}

/* Frees the rings and results first, because closing the events takes long. */
static void end(void *arg)
{
	struct engine *e = arg;

	for (unsigned int i = 0; i < e->n_outputs; i++)
		bpf_output_free(e->outputs[i]);
	bpf_order_free(e->order);
	bpf_take_free(e->take);
	bpf_events_close(e->events);
	bpf_programs_unload(&e->programs);
	for (unsigned int i = 0; e->steps && i < e->plan->n_maps; i++)
		bpf_step_free(e->steps[i]);
	for (unsigned int i = 0; e->maps && i < e->plan->n_maps; i++)
		if (e->maps[i] >= 0 && e->plan->maps[i].kind != MAP_OUTPUT)
			close(e->maps[i]);
	if (e->epoll >= 0)
		close(e->epoll);
	free(e->outputs);
	free(e->steps);
	free(e->maps);
	free(e->cpus);
	free(e);
}

static void bpf_close(struct engine *e)
{
	if (e->verbose && e->order && bpf_order_late(e->order))
		fprintf(e->verbose,
			"bpf: %llu records came more than %llu ms late and are out of order\n",
			(unsigned long long)bpf_order_late(e->order), DELAY_NS / 1000000);
	detach(e->kernel, end, e, bpf_events_named(e->events), bpf_events_holder(e->events));
}

/* NULL: errno says why. */
static struct engine *allocate(struct kernel *k, const struct plan *plan, FILE *verbose)
{
	struct engine *e = calloc(1, sizeof(*e));
	int error;

	if (!e)
		return NULL;
	e->kernel = k;
	e->plan = plan;
	e->verbose = verbose;
	e->state = e->epoch = -1;
	e->whose = whose_map(plan->maps, plan->n_maps);
	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	error = e->epoll < 0 ? errno : ENOMEM;
	e->order = bpf_order_new();
	e->outputs = calloc(plan->n_maps + 1, sizeof(*e->outputs));
	e->cpus = calloc(plan->n_maps + 1, sizeof(*e->cpus));
	e->steps = calloc(plan->n_maps + 1, sizeof(*e->steps));
	e->maps = malloc((plan->n_maps + 1) * sizeof(*e->maps));
	for (unsigned int i = 0; e->maps && i < plan->n_maps; i++)
		e->maps[i] = -1;
	if (e->epoll >= 0 && e->order && e->outputs && e->cpus && e->steps && e->maps)
		return e;
	bpf_close(e);
	errno = error;
	return NULL;
}

static struct engine *bpf_open(struct kernel *k, struct plan *plan, const struct engine_options *o,
			       struct error *err)
{
	struct engine *e = allocate(k, plan, o->verbose);
	struct memlock memlock = { 0 };
	int result;

	if (!e) {
		fail_with(err, errno, "can't start the bpf engine: %m");
		return NULL;
	}
	e->wait_ms = o->wait_ms;
	result = make(e, o, &memlock, err);
	memlock_restore(&memlock);
	if (!result)
		return e;
	bpf_close(e);
	return NULL;
}

static void read_state(const struct engine *e, uint64_t slots[STATE_SLOTS])
{
	for (uint32_t i = 0; i < STATE_SLOTS; i++)
		if (bpf_map_lookup_elem(e->state, &i, &slots[i]))
			slots[i] = 0;
}

/* Drops the results from before start(): programs that were attached early have made some. */
static int forget_results(struct engine *e, struct error *err)
{
	for (unsigned int i = 0; i < e->plan->n_maps; i++)
		if (e->plan->maps[i].role == ROLE_RESULT && e->plan->maps[i].kind != MAP_OUTPUT &&
		    bpf_take(e->take, i, NULL, NULL, err))
			return -1;
	read_state(e, e->base);
	return 0;
}

/*
 * The time is taken first: what comes while results are dropped may be in new results, whose first
 * entries some programs explain by records.
 */
static int bpf_start(struct engine *e, struct error *err)
{
	e->started_at = monotonic_ns();
	if (e->attached && (forget_results(e, err) || bpf_take_start(e->take, err)))
		return -1;
	if (!e->attached && attach(e, err))
		return -1;
	bpf_events_start(e->events);
	return 0;
}

static void deliver(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct engine *e = arg;
	uint64_t time = 0;

	memcpy(&time, record, size < sizeof(time) ? size : sizeof(time));
	if (time < e->started_at || (e->stopped && time > e->stopped_at))
		return;
	e->seen += (int)output != e->whose;
	e->record(e->arg, output, record, size);
}

static int read_outputs(struct engine *e, bool *busy, struct error *err)
{
	int result = 0;

	*busy = false;
	for (unsigned int i = 0; i < e->n_outputs; i++)
		if (bpf_output_read(e->outputs[i], e->order, busy, err))
			result = -1;
	return result;
}

/*
 * Reads all records from before stop(), also the record that a program was interrupted in writing.
 */
static int read_last(struct engine *e, struct error *err)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	bool busy, more = false;
	int result = read_outputs(e, &busy, err);

	for (unsigned int i = 0; !result && busy && i < BUSY_TRIES; i++) {
		nanosleep(&pause, NULL);
		result = read_outputs(e, &busy, err);
	}
	for (unsigned int i = 0; !result && i < e->n_outputs; i++)
		more |= bpf_output_flush(e->outputs[i]);
	if (more)
		result = read_outputs(e, &busy, err);
	e->drained = true;
	return result;
}

static uint64_t order_limit(const struct engine *e)
{
	uint64_t bytes = ORDER_BYTES;

	for (unsigned int i = 0; i < e->n_outputs; i++)
		bytes += 2 * bpf_output_bytes(e->outputs[i]);
	return bytes;
}

static int bpf_poll(struct engine *e, uint64_t until, record_fn record, void *arg,
		    struct error *err)
{
	struct epoll_event ready[8];
	const int ms = poll_ms(until, e->wait_ms);
	uint64_t complete, before = e->seen;
	bool busy;

	bpf_take_round(e->take);
	if (e->drained)
		return 0;
	if (!e->stopped)
		bpf_events_follow(e->events);
	/* All rings are read, no matter which of them woke sonde. */
	epoll_wait(e->epoll, ready, sizeof(ready) / sizeof(ready[0]), e->stopped ? 0 : ms);
	/* The time is read before the rings: all older records are in the rings by now. */
	complete = monotonic_ns() - DELAY_NS;
	if (e->stopped ? read_last(e, err) : read_outputs(e, &busy, err))
		return -1;
	if (e->stopped || bpf_order_bytes(e->order) > order_limit(e))
		complete = UINT64_MAX;
	e->record = record;
	e->arg = arg;
	bpf_order_run(e->order, complete, deliver, e);
	return (int)(e->seen - before);
}

static int bpf_take_map(struct engine *e, unsigned int map, entry_fn entry, void *arg,
			struct error *err)
{
	assert(map < e->plan->n_maps && entry);
	return bpf_take(e->take, map, entry, arg, err);
}

static int bpf_set(struct engine *e, unsigned int map, const struct entry *entry,
		   struct error *err)
{
	const struct map *m = &e->plan->maps[map];
	const void *key = entry->key, *value = entry->value;
	unsigned char *values = NULL;
	int result;

	assert(map < e->plan->n_maps && key);
	if (m->kind == MAP_OUTPUT || m->kind == MAP_STACKS || m->kind == MAP_WALKED)
		return fail(err, "the map %s has no entries to set", m->name);
	if (!value) {
		result = bpf_map_delete_elem(e->maps[map], key);
		if (!result || result == -ENOENT)
			return result ? 1 : 0;
		return fail_with(err, -result, "can't remove an entry of the map %s: %m", m->name);
	}
	if (e->cpus[map] > 1) {		/* only the sum over CPUs is ever read */
		values = calloc(e->cpus[map], m->value_size);
		if (!values)
			return fail(err, "out of memory");
		memcpy(values, value, m->value_size);
	}
	result = bpf_map_update_elem(e->maps[map], key, values ? values : value, BPF_ANY);
	free(values);
	if (result == -E2BIG)
		return fail(err, "the map %s is full: it has room for %u entries", m->name,
			    m->entries);
	if (result)
		return fail_with(err, -result, "can't set an entry of the map %s: %m", m->name);
	return 0;
}

static int bpf_add(struct engine *e, unsigned int map, const void *key, const void *value,
		   struct error *err)
{
	assert(map < e->plan->n_maps && e->steps[map] && key && value);
	return bpf_step_add(e->steps[map], key, value, err);
}

/* Reads a stack in the form of MAP_STACKS: the addresses, and zeros behind them. */
static int get_walked(int map, const void *key, void *value)
{
	struct walked_stack stack;

	if (bpf_map_lookup_elem(map, key, &stack))
		return -1;
	memset(value, 0, sizeof(stack));
	memcpy(value, stack.addresses, sizeof(stack.addresses));
	return 0;
}

static int bpf_get(struct engine *e, unsigned int map, const void *key, void *value)
{
	const struct map *m = &e->plan->maps[map];
	unsigned int cpus = e->cpus[map], n = m->value_size / sizeof(uint64_t);
	uint64_t *values;
	int result;

	assert(map < e->plan->n_maps && key && value);
	if (m->kind == MAP_OUTPUT)
		return -1;
	memset(value, 0, m->value_size);
	if (m->kind == MAP_STACKS) {
		uint32_t number;

		memcpy(&number, key, sizeof(number));
		return bpf_stacks_get(&e->stacks, map, number, value);
	}
	if (m->kind == MAP_WALKED)
		return get_walked(e->maps[map], key, value);
	if (cpus == 1)
		return bpf_map_lookup_elem(e->maps[map], key, value) ? -1 : 0;
	values = calloc(cpus, m->value_size);
	result = !values || bpf_map_lookup_elem(e->maps[map], key, values) ? -1 : 0;
	for (unsigned int i = 0; !result && i < n; i++)
		for (unsigned int cpu = 1; cpu < cpus; cpu++)
			values[i] += values[cpu * n + i];
	if (!result)
		memcpy(value, values, m->value_size);
	free(values);
	return result;
}

/* Records are handed over when they are DELAY_NS old: polls until all present records are older. */
static int settle(struct engine *e, const struct stack_holders *holders, struct error *err)
{
	const uint64_t until = monotonic_ns() + DELAY_NS;
	uint64_t began;

	do {
		began = monotonic_ns();
		if (bpf_poll(e, 1, holders->record, holders->arg, err) < 0)
			return -1;
	} while (e->n_outputs && began <= until);
	return 0;
}

static int bpf_walk(struct engine *e, unsigned int attachment, record_fn record, void *arg,
		    struct error *err)
{
	const struct stack_holders holders = { .record = record, .arg = arg };
	const int more = bpf_events_walk(e->events, attachment);
	char title[BPF_EVENT_TITLE];

	assert(attachment < e->plan->n_attachments && record);
	if (more < 0 && more != -EINTR && more != -EAGAIN)
		return fail_with(err, -more, "can't go through the %s: %m",
				 bpf_event_title(e->plan->attachments[attachment].event, title));
	if (more ? bpf_poll(e, 0, record, arg, err) < 0 : settle(e, &holders, err))
		return -1;
	return more != 0;
}

static int bpf_renew(struct engine *e, const struct stack_holders *holders, struct error *err)
{
	return e->stopped ? 0 : bpf_stacks_renew(&e->stacks, settle, e, holders, err);
}

/*
 * No call switches programs off: PERF_EVENT_IOC_DISABLE stops only the counting of their event, and
 * closing the event takes tens of milliseconds. So programs run until close(), and sonde does not
 * read what they write after this moment.
 */
static void bpf_stop(struct engine *e)
{
	if (e->stopped)
		return;
	e->stopped_at = monotonic_ns();
	read_state(e, e->final);
	bpf_events_stop(e->events);
	e->stopped = true;
	bpf_take_stop(e->take);
}

static void bpf_stats(struct engine *e, struct engine_stats *s)
{
	uint64_t state[STATE_SLOTS], told = 0, dropped = 0, failed;
	bool known;

	if (e->stopped)
		memcpy(state, e->final, sizeof(state));
	else
		read_state(e, state);
	failed = state[STATE_FAILED] - e->base[STATE_FAILED];
	for (unsigned int i = 0; i < e->n_outputs; i++) {
		told += bpf_output_lost(e->outputs[i]);
		dropped += bpf_output_dropped(e->outputs[i]);
	}
	*s = (struct engine_stats){
		.seen = e->seen, .full = state[STATE_FULL] - e->base[STATE_FULL],
		.returns = state[STATE_RETURNS] - e->base[STATE_RETURNS],
		.unreturned = state[STATE_UNRETURNED] - e->base[STATE_UNRETURNED],
		.switches = state[STATE_SWITCHES] - e->base[STATE_SWITCHES],
	};
	/*
	 * The kernel reports to the reader how many records a full perf ring lost. Since 5.1 it
	 * also reports each loss to the program, which counts it among its other failures: `failed`
	 * is then at least as large as `told`. Before 5.1 only the reader knows.
	 */
	s->lost = (told > failed ? told : failed) + dropped;
	known = bpf_programs_missed(&e->programs, e->kernel, &s->missed);
	s->missed += s->returns + s->switches;
	s->uncovered = bpf_events_uncovered(e->events);
	s->removed = bpf_events_removed(e->events);
	s->unseen = bpf_events_unseen(e->events);
	s->missed_known = bpf_events_missed(e->events, &s->missed) && known &&
			  !s->removed;
}

const struct backend backend_bpf = {
	.name = "bpf",
	.target = TARGET_BPF,
	/* Programs are attached to perf events; tracefs has the numbers and formats of these. */
	.needs = (const enum feature[]){ FEATURE_BPF, FEATURE_TRACEFS, FEATURE_PERF, FEATURES },
	.refuse = bpf_refuse,
	.wakeup_bytes = bpf_output_wakeup_bytes,
	.open = bpf_open,
	.start = bpf_start,
	.poll = bpf_poll,
	.now = poll_now,
	.take = bpf_take_map,
	.set = bpf_set,
	.add = bpf_add,
	.get = bpf_get,
	.walk = bpf_walk,
	.renew = bpf_renew,
	.stop = bpf_stop,
	.stats = bpf_stats,
	.close = bpf_close,
};
