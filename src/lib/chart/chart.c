// SPDX-License-Identifier: GPL-2.0
#include "src/lib/chart/model.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

#define KTHREADD 2
#define CPUS 65536

struct chart_thread {
	uint32_t process;
	bool waits;
	uint64_t since;			/* it waits */
	uint64_t losses;		/* of all CPUs then: after more, when it woke is unknown */
};

struct chart *chart_new(void)
{
	struct chart *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->threads.value_size = sizeof(struct chart_thread);
	c->shift = BIN_SHIFT;
	if (array_room(&c->list, 0, sizeof(*c->list))) {
		free(c);
		return NULL;
	}
	c->list[c->n++] = (struct chart_process){ };
	return c;
}

void chart_free(struct chart *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->n; i++)
		free(c->list[i].bins.list);
	free(c->list);
	free(c->cpus);
	free(c->all.list);
	free(c->disk.list);
	hash_clear(&c->threads);
	free(c);
}

/* ---- time ---- */

/* Makes bins wide enough for this time. */
static void reach(struct chart *c, uint64_t time)
{
	while ((time - c->start) >> c->shift >= BINS - 1) {
		for (uint32_t i = 0; i < c->n; i++)
			bins_halve(&c->list[i].bins);
		bins_halve(&c->all);
		bins_halve(&c->disk);
		c->shift++;
	}
}

static int spread(struct chart *c, struct bins *b, uint64_t from, uint64_t to, enum bin_of what,
		  double value)
{
	return bins_add(b, c->shift, from - c->start, to - c->start, what, value);
}

/* What all CPUs did since this changed last. One that idles waits for a disk if a task does. */
static int pass(struct chart *c, uint64_t time)
{
	const uint64_t ns = time - c->changed;
	const uint32_t idle = c->seen - c->running;
	const uint32_t waiting = c->waiting < idle ? c->waiting : idle;
	const uint64_t from = c->changed;

	c->changed = time;
	c->run += ns * c->running;
	if (ns && c->running &&
	    spread(c, &c->all, from, time, BIN_RUN, (double)ns * c->running))
		return -1;
	return ns && waiting ?
	       spread(c, &c->all, from, time, BIN_WAIT, (double)ns * waiting) : 0;
}

/* ---- processes ---- */

static struct chart_thread *find(const struct chart *c, uint32_t tid)
{
	return hash_find(&c->threads, &tid, sizeof(tid));
}

static bool waits(const struct chart *c, const struct chart_thread *t)
{
	return t->waits && t->losses == c->losses;
}

static uint32_t process_of(const struct chart *c, uint32_t tid)
{
	const struct chart_thread *t = find(c, tid);

	return t ? t->process : 0;
}

static void name(struct chart_process *p, const char comm[16])
{
	if (*comm)
		memcpy(p->comm, comm, sizeof(p->comm));
}

/* A new process, or number 0. */
static int make_process(struct chart *c, const struct chart_event *e, uint32_t pid, bool before,
			uint32_t *number)
{
	const uint32_t parent = before ? 0 : process_of(c, e->other);
	struct chart_process *p;

	*number = 0;
	if (c->n == CHART_PROCESSES) {
		c->more++;
		return 0;
	}
	if (array_room(&c->list, c->n, sizeof(*c->list)))
		return -1;
	*number = c->n++;
	p = &c->list[*number];
	*p = (struct chart_process){
		.pid = pid, .parent = parent, .before = before,
		.begin = before ? c->start : e->time,
		.kernel = pid == KTHREADD || (parent && c->list[parent].kernel),
	};
	name(p, *e->comm ? e->comm : c->list[parent].comm);
	return 0;
}

static void forget(struct chart *c, uint32_t tid)
{
	struct chart_thread *t = find(c, tid);

	if (!t)
		return;
	c->waiting -= waits(c, t);
	hash_remove(&c->threads, &tid, sizeof(tid));
}

/* Its number is used again: the end of what had it was not seen. */
static int make(struct chart *c, const struct chart_event *e, uint32_t tid, uint32_t leader,
		bool before)
{
	struct chart_thread *t;
	uint32_t number = 0;

	forget(c, tid);
	if (leader && leader != tid)
		number = process_of(c, leader);
	if (!number && make_process(c, e, leader ? leader : tid, before, &number))
		return -1;
	t = hash_add(&c->threads, &tid, sizeof(tid));
	if (!t)
		return -1;
	t->process = number;
	if (!leader || leader == tid || find(c, leader))
		return 0;
	t = hash_add(&c->threads, &leader, sizeof(leader));
	if (!t)
		return -1;
	t->process = number;
	return 0;
}

/* The task, which was there before if nothing told of it yet. Returns NULL without memory. */
static struct chart_thread *take(struct chart *c, const struct chart_event *e, uint32_t tid)
{
	struct chart_thread *t = find(c, tid);

	if (t)
		return t;
	return make(c, e, tid, e->what == CHART_NAMED ? e->process : 0, true) ? NULL : find(c, tid);
}

static bool is_leader(const struct chart *c, const struct chart_thread *t, uint32_t tid)
{
	return t->process && c->list[t->process].pid == tid;
}

static int take_name(struct chart *c, const struct chart_event *e)
{
	const struct chart_thread *t = take(c, e, e->tid);

	if (!t)
		return -1;
	/* A thread that executes a program becomes the first of its process. */
	if (e->what == CHART_RUNS && e->cpu < c->n_cpus && c->cpus[e->cpu].tid)
		c->cpus[e->cpu].tid = e->tid;
	if (is_leader(c, t, e->tid)) {
		struct chart_process *p = &c->list[t->process];

		name(p, e->comm);
		p->runs |= e->what == CHART_RUNS;
		p->kernel &= e->what != CHART_RUNS;
	}
	return 0;
}

static void end(struct chart *c, const struct chart_event *e)
{
	const struct chart_thread *t = find(c, e->tid);

	if (t && is_leader(c, t, e->tid))
		c->list[t->process].end = e->time;
	forget(c, e->tid);
}

/* ---- CPUs ---- */

static void end_gap(struct chart *c, uint64_t time, uint32_t process)
{
	struct chart_gap gap = { c->idle_since, time, process };

	if (!gap.from || gap.to == gap.from)
		return;
	c->idle_since = 0;
	c->gap_sum += gap.to - gap.from;
	for (unsigned int i = 0; i < CHART_GAPS; i++) {
		struct chart_gap other = c->gaps[i];

		if (other.to - other.from >= gap.to - gap.from)
			continue;
		c->gaps[i] = gap;
		gap = other;
	}
}

/* Gaps before are none: a CPU ran unseen. */
static void forget_gaps(struct chart *c)
{
	memset(c->gaps, 0, sizeof(c->gaps));
	c->gap_sum = 0;
	c->idle_since = 0;
}

/* Returns NULL without memory. */
static struct chart_cpu *take_cpu(struct chart *c, uint32_t cpu)
{
	while (c->n_cpus <= cpu) {
		if (array_room(&c->cpus, c->n_cpus, sizeof(*c->cpus)))
			return NULL;
		c->cpus[c->n_cpus++] = (struct chart_cpu){ };
	}
	return &c->cpus[cpu];
}

static int leave(struct chart *c, struct chart_cpu *cpu, const struct chart_event *e)
{
	struct chart_process *p = &c->list[cpu->process];

	if (!cpu->tid)
		return 0;
	c->running--;
	p->run += e->time - cpu->since;
	return spread(c, &p->bins, cpu->since, e->time, BIN_RUN, (double)(e->time - cpu->since));
}

static int wake(struct chart *c, struct chart_thread *t, uint64_t time)
{
	struct chart_process *p = &c->list[t->process];

	if (!waits(c, t))
		return 0;
	t->waits = false;
	c->waiting--;
	p->wait += time - t->since;
	return spread(c, &p->bins, t->since, time, BIN_WAIT, (double)(time - t->since));
}

static int enter(struct chart *c, struct chart_cpu *cpu, const struct chart_event *e)
{
	struct chart_thread *t = e->other ? take(c, e, e->other) : NULL;

	if (e->other && (!t || wake(c, t, e->time)))
		return -1;
	cpu->tid = e->other;
	cpu->process = t ? t->process : 0;
	cpu->since = e->time;
	if (cpu->tid && !c->running++)
		end_gap(c, e->time, cpu->process);
	return 0;
}

static int switch_tasks(struct chart *c, const struct chart_event *e)
{
	struct chart_cpu *cpu = take_cpu(c, e->cpu);
	struct chart_thread *t = find(c, e->tid);

	if (!cpu)
		return -1;
	c->switches++;
	if (!cpu->known) {
		c->seen++;
		c->lost -= cpu->lost;
		if (e->tid && !cpu->lost)
			forget_gaps(c);
		*cpu = (struct chart_cpu){ .known = true, .ever = true };
	} else if (cpu->tid != e->tid) {
		c->missed++;
		c->running -= cpu->tid != 0;
		forget_gaps(c);
	} else if (leave(c, cpu, e)) {
		return -1;
	}
	if (t && e->flag && !waits(c, t)) {
		t->waits = true;
		t->since = e->time;
		t->losses = c->losses;
		c->waiting++;
	}
	if (enter(c, cpu, e))
		return -1;
	if (!c->running && !c->lost && !c->idle_since)
		c->idle_since = e->time;
	return 0;
}

/* What it ran meanwhile is unknown. */
static int lose(struct chart *c, const struct chart_event *e)
{
	struct chart_cpu *cpu = take_cpu(c, e->cpu);

	if (!cpu)
		return -1;
	c->losses++;
	c->waiting = 0;
	c->idle_since = 0;
	if (!cpu->known)
		return 0;
	c->running -= cpu->tid != 0;
	c->seen--;
	c->lost++;
	*cpu = (struct chart_cpu){ .lost = true, .ever = true };
	return 0;
}

/* ---- all ---- */

static int add(struct chart *c, const struct chart_event *e)
{
	switch (e->what) {
	case CHART_MADE:
		return make(c, e, e->tid, e->process, false);
	case CHART_NAMED:
	case CHART_RUNS:
		return take_name(c, e);
	case CHART_ENDED:
		end(c, e);
		return 0;
	case CHART_SWITCH:
		return switch_tasks(c, e);
	case CHART_DISK:
		return spread(c, &c->disk, e->time, e->time, e->flag ? BIN_WAIT : BIN_RUN,
			      e->bytes);
	default:
		return lose(c, e);
	}
}

int chart_add(struct chart *c, const struct chart_event *in)
{
	struct chart_event e = *in;

	if (e.cpu >= CPUS)
		return 0;
	/* Names of what was there come before the first event. */
	if (!e.time)
		return e.what == CHART_NAMED ? take_name(c, &e) : 0;
	if (!c->started) {
		c->started = true;
		c->start = c->now = c->changed = e.time;
		for (uint32_t i = 1; i < c->n; i++)
			c->list[i].begin = e.time;
	}
	/* A clock that goes back would make times before the beginning. */
	if (e.time < c->now)
		e.time = c->now;
	c->now = e.time;
	reach(c, e.time);
	return pass(c, e.time) ? -1 : add(c, &e);
}

void chart_end(struct chart *c)
{
	const struct chart_event e = { .time = c->now };
	struct chart_thread *t;

	for (uint32_t i = 0; i < c->n_cpus; i++)
		if (c->cpus[i].known)
			leave(c, &c->cpus[i], &e);
	for (uint32_t at = 0; (t = hash_next(&c->threads, &at));)
		wake(c, t, c->now);
	end_gap(c, c->now, 0);
	c->partial = c->missed * 20 > c->switches;
}

bool chart_is_empty(const struct chart *c)
{
	return !c->started || c->now == c->start;
}

uint32_t chart_cpus(const struct chart *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_cpus; i++)
		n += c->cpus[i].ever;
	return n;
}
