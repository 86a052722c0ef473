// SPDX-License-Identifier: GPL-2.0
/* numasched: a process goes to a CPU of another NUMA node and back, each time one row. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/selftest/selftest.h"

#define HOPS 20

struct state {
	struct place {
		unsigned int cpu, node;
	} places[2];
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

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(numasched, parts, .state_size = sizeof(struct state));
