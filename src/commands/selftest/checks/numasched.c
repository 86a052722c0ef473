// SPDX-License-Identifier: GPL-2.0
/*
 * numasched: a process goes to a CPU of another NUMA node and back, each time one row. numamove:
 * there it uses memory of the first node, which moves to it, page by page.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "src/commands/selftest/selftest.h"

#define HOPS 20
#define PAGES 256
#define SPARE_MS 1000			/* before and after the workload */
#define MOST_MS 15000			/* the kernel begins when a task has run for 1 to 2 s */

struct state {
	struct place {
		unsigned int cpu, node;
	} places[2];
	char *memory;
	size_t page;
};

static int go_to(struct place *p)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(p->cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ||
	       syscall(SYS_getcpu, NULL, &p->node, NULL) ? -1 : 0;
}

/* Two CPUs that may be used, of two nodes; it waits on the first one. */
static int prepare(struct work *w)
{
	struct place *p = ((struct state *)w->state)->places;
	size_t n = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return not_here(w, "sched_getaffinity: %s", strerror(errno));
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++) {
		p[n].cpu = cpu;
		if (CPU_ISSET(cpu, &set) && !go_to(&p[n]) && (!n || p[1].node != p[0].node))
			n++;
	}
	if (n < 2)
		return not_here(w, "all CPUs that the workload may use are of one NUMA node");
	if (go_to(&p[0]))
		return not_here(w, "sched_setaffinity: %s", strerror(errno));
	return 0;
}

static int work(struct work *w)
{
	struct place *p = ((struct state *)w->state)->places;

	for (unsigned int i = 0; i < HOPS; i++) {
		if (go_to(&p[(i + 1) % 2]))
			return not_here(w, "sched_setaffinity: %s", strerror(errno));
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_integer(w, "tid", getpid());
		want_integer(w, "src_nid", p[i % 2].node);
		want_integer(w, "dst_nid", p[(i + 1) % 2].node);
		want_text(w, "reason", "other", 5);
		want_text(w, "comm", w->name, strlen(w->name));
		want_end(w);
	}
	return 0;
}

/* ---- numamove ---- */

/* Pages that the kernel has moved to their users since it runs. */
#define MOVED "numa_pages_migrated"

/* Memory of the first node, on which the process waits. */
static int prepare_memory(struct work *w)
{
	struct state *s = w->state;
	char line[16];
	size_t size;

	if (prepare(w))
		return -1;
	if (file_line("/proc/sys/kernel/numa_balancing", line, sizeof(line)) && *line == '0')
		return not_here(w, "kernel.numa_balancing is 0");
	s->page = (size_t)sysconf(_SC_PAGESIZE);
	size = PAGES * s->page;
	s->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s->memory == MAP_FAILED)
		return not_here(w, "no memory: %s", strerror(errno));
	madvise(s->memory, size, MADV_NOHUGEPAGE);
	memset(s->memory, 1, size);
	say_integer(w, "before", vmstat_count(MOVED));
	return 0;
}

/* How many pages of the process are on this node; -1: unknown. */
static int64_t pages_on(const struct state *s, unsigned int node)
{
	void *pages[PAGES];
	int nodes[PAGES];
	int64_t n = 0;

	for (size_t i = 0; i < PAGES; i++)
		pages[i] = s->memory + i * s->page;
	if (syscall(SYS_move_pages, 0, (long)PAGES, pages, NULL, nodes, 0))
		return -1;
	for (size_t i = 0; i < PAGES; i++)
		n += nodes[i] == (int)node;
	return n;
}

static int work_memory(struct work *w)
{
	struct state *s = w->state;
	const int64_t start = monotonic_ms(), before = pages_on(s, s->places[1].node);
	int64_t moved = 0, ms = 0;

	if (before)
		return not_here(w, "its memory is not on one node");
	if (go_to(&s->places[1]))
		return not_here(w, "sched_setaffinity: %s", strerror(errno));
	while (moved < PAGES / 2 && ms < MOST_MS) {
		for (int times = 0; times < 100; times++)
			for (size_t i = 0; i < PAGES; i++)
				((volatile char *)s->memory)[i * s->page]++;
		moved = pages_on(s, s->places[1].node);
		ms = monotonic_ms() - start;
	}
	if (moved <= 0)
		return not_here(w, "the kernel moved no memory within %d s", MOST_MS / 1000);
	say_integer(w, "moved", moved);
	say_integer(w, "ms", ms);
	return 0;
}

/* All of the machine is counted. Few calls are in vain: what they find can't be moved. */
static void check_moves(struct found *f)
{
	const int64_t own = said_integer(f, "moved");
	const int64_t most = vmstat_count(MOVED) - said_integer(f, "before");
	const int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t calls = 0, pages = 0, us = 0;

	if (!found_sum(f, "migrations", &calls) || !found_sum(f, "pages", &pages))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a count");
	for (size_t i = 0; i < f->rows.n; i++) {
		struct json ms;
		int64_t row = 0;

		json_member(f->rows.rows[i], "migrations_ms", &ms);
		json_decimal(ms, 3, &row);
		us += row;
	}
	found_between(f, "calls", own, calls, most + most / 2 + 100);
	found_between(f, "pages", own, pages, most);
	found_between(f, "us in calls", 1, us, (said_integer(f, "ms") + SPARE_MS) * 1000 * cpus);
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};
static const struct selftest_part move_parts[] = {
	{ .prepare = prepare_memory, .work = work_memory, .check = check_moves },
	{ }
};

SELFTEST(numasched, parts, .state_size = sizeof(struct state));
SELFTEST(numamove, move_parts, .machine_wide = true, .state_size = sizeof(struct state));
