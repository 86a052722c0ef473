// SPDX-License-Identifier: GPL-2.0
/*
 * Tries whether sched_switch tells states as they are. From 4.14 to 4.19.5, except stable kernels
 * with the fix, it tells the next higher bit. A task that could run on seems to sleep (1, not 0). A
 * sleeping task seems to wait uninterruptibly (2, not 1). So sonde sleeps, and the kernel counts
 * the states by filters.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/probing/probe.h"

#define SLEEPS 5
#define SLEEPING 1
#define ABOVE 2

/* Returns a counter of this thread's switches with that state, or -1. */
static int open_state(uint64_t id, unsigned int state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id };
	char filter[32];
	int fd = perf_event_open(&attr, 0, ANY_CPU);

	snprintf(filter, sizeof(filter), "prev_state == %u", state);
	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static uint64_t count_of(int fd)
{
	uint64_t count;

	return fd >= 0 && read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

void probe_switch_states(struct kernel *k, enum feature f, struct verdict *v)
{
	char path[PATH_MAX], id[24];
	int sleeping, above;

	feature_by_version(k, f, v);
	text_all(path, sizeof(path), "%s/events/sched/sched_switch/id", kernel_tracefs(k));
	if (!file_line(path, id, sizeof(id)))
		return;
	sleeping = open_state(strtoul(id, NULL, 10), SLEEPING);
	above = open_state(strtoul(id, NULL, 10), ABOVE);
	for (unsigned int i = 0; i < SLEEPS && sleeping >= 0 && above >= 0; i++)
		pause_ms(1);
	if (count_of(above) >= SLEEPS)
		verdict_set(v, NO, "the state 1 (asleep) is told as 2; fixed in 4.20");
	else if (count_of(sleeping) >= SLEEPS)
		verdict_set(v, YES, "%s", "");
	if (sleeping >= 0)
		close(sleeping);
	if (above >= 0)
		close(above);
}
