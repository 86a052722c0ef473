// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/cpu_follow.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"

#define READ_NS 100000000ULL	/* how often the list is read */
#define ASK_NS 1000000000ULL	/* how often the CPUs are tested: a test wakes its CPU */
#define LIST_BYTES 4096

static int open_cpu(struct cpu_follow *f, unsigned int cpu, struct error *err)
{
	int result = f->owner->open(f->arg, cpu, err);

	if (result)
		return result;
	f->cpus[cpu].open = true;
	f->n_open++;
	cpu_watch_open(&f->cpus[cpu].watch, cpu);
	return 0;
}

static void say(const struct cpu_follow *f, unsigned int cpu, const char *where)
{
	if (f->verbose)
		fprintf(f->verbose, "%s: CPU %u went %s\n", f->name, cpu, where);
}

/* A CPU went offline. `since`: the last time at which it was online, as far as known. */
static int go(struct cpu_follow *f, unsigned int cpu, uint64_t since, struct error *err)
{
	int result;

	say(f, cpu, "offline");
	result = f->owner->close(f->arg, cpu, err);
	cpu_watch_close(&f->cpus[cpu].watch);
	f->cpus[cpu].open = false;
	f->n_open--;
	if (f->owner->unseen)
		f->owner->unseen(f->arg, cpu, since);
	return result;
}

/* A CPU came online. It may have come right after the last reading of the list. */
static int come(struct cpu_follow *f, unsigned int cpu, struct error *err)
{
	int result = open_cpu(f, cpu, err);

	if (!result)
		say(f, cpu, "online");
	f->uncovered += monotonic_ns() - f->read;
	if (f->owner->unseen)
		f->owner->unseen(f->arg, cpu, f->read);
	return result < 0 ? -1 : 0;
}

/*
 * Tests all open CPUs once a second, and in between the CPUs whose last test left a doubt. A CPU
 * that went and came back is closed here. cpu_follow() opens it again, because the list has it.
 */
static int ask(struct cpu_follow *f, uint64_t now, struct error *err)
{
	bool all = now - f->asked >= ASK_NS;
	int result = 0;

	for (unsigned int i = 0; i < f->n; i++) {
		struct cpu_watch *w = &f->cpus[i].watch;
		uint64_t away = f->cpus[i].open && (all || w->doubtful) ? cpu_watch_absence(w) : 0;

		if (!away)
			continue;
		result |= go(f, i, w->alive, err);
		/* come() adds the time since the last reading of the list. */
		f->uncovered += away > now - f->read ? away - (now - f->read) : 0;
	}
	if (all)
		f->asked = now;
	return result;
}

/* False: the list can't be read. */
static bool read_list(struct cpu_follow *f)
{
	unsigned int first, last;
	char text[LIST_BYTES];
	const char *list = text;

	if (file_read(f->list, text, sizeof(text)) <= 0)
		return false;
	for (unsigned int i = 0; i < f->n; i++)
		f->cpus[i].listed = false;
	while (cpu_list_range(&list, &first, &last))
		for (; first <= last && first < f->n; first++)
			f->cpus[first].listed = true;
	return true;
}

int cpu_follow_begin(struct cpu_follow *f, struct error *err)
{
	f->cpus = calloc(f->n, sizeof(*f->cpus));
	if (!f->cpus)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < f->n; i++)
		f->cpus[i] = (struct followed){ .listed = true, .watch.fd = -1 };
	f->read = f->asked = monotonic_ns();
	read_list(f);
	for (unsigned int i = 0; i < f->n; i++)
		if (f->cpus[i].listed && open_cpu(f, i, err) < 0)
			return -1;
	return 0;
}

int cpu_follow(struct cpu_follow *f, struct error *err)
{
	uint64_t now = monotonic_ns();
	int result;

	if (now - f->read < READ_NS || !read_list(f))
		return 0;
	result = ask(f, now, err);
	for (unsigned int i = 0; i < f->n; i++) {
		if (f->cpus[i].open && !f->cpus[i].listed)
			result |= go(f, i, f->read, err);
		else if (!f->cpus[i].open && f->cpus[i].listed)
			result |= come(f, i, err);
	}
	f->read = now;
	return result;
}

bool cpu_followed(const struct cpu_follow *f, unsigned int cpu)
{
	return f->cpus && f->cpus[cpu].open;
}

void cpu_follow_stop(struct cpu_follow *f)
{
	struct timespec pause = { .tv_nsec = CPU_WATCH_NS };
	bool doubtful = false;

	for (unsigned int i = 0; f->cpus && i < f->n; i++) {
		f->uncovered += f->cpus[i].open ? cpu_watch_absence(&f->cpus[i].watch) : 0;
		doubtful |= f->cpus[i].open && f->cpus[i].watch.doubtful;
	}
	if (!doubtful)
		return;
	while (nanosleep(&pause, &pause) && errno == EINTR)
		;
	for (unsigned int i = 0; i < f->n; i++)
		if (f->cpus[i].open && f->cpus[i].watch.doubtful)
			f->uncovered += cpu_watch_absence(&f->cpus[i].watch);
}

void cpu_follow_free(struct cpu_follow *f)
{
	for (unsigned int i = 0; f->cpus && i < f->n; i++)
		cpu_watch_close(&f->cpus[i].watch);
	free(f->cpus);
	f->cpus = NULL;
}
