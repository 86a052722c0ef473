// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/cpu_watch.h"

#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/perf_event.h"

void cpu_watch_begin(struct cpu_watch *w, int fd)
{
	*w = (struct cpu_watch){ .fd = fd, .asked = monotonic_ns() };
}

void cpu_watch_open(struct cpu_watch *w, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};

	cpu_watch_begin(w, perf_event_open(&attr, ANY_TASK, (int)cpu));
}

/*
 * The clock of the event never pauses on a CPU that is online. But it is not CLOCK_MONOTONIC, so
 * they differ a little. `elapsed` is taken before the event is read: if we have to wait in between,
 * the event has counted more, not less.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w)
{
	uint64_t before = w->count, elapsed = monotonic_ns() - w->asked, counted;

	if (w->fd < 0)
		return 0;
	counted = read(w->fd, &w->count, sizeof(w->count)) == sizeof(w->count) ?
		w->count - before : 0;
	w->asked = monotonic_ns();
	return counted < elapsed - elapsed / 10 ? elapsed - counted : 0;
}

void cpu_watch_close(struct cpu_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
