// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/cpu_watch.h"

#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/perf_event.h"

void cpu_watch_begin(struct cpu_watch *w, int fd)
{
	uint64_t now = monotonic_ns();

	*w = (struct cpu_watch){ .fd = fd, .asked = now, .alive = now };
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
 * The event's clock never pauses while its CPU is online. It differs a little from CLOCK_MONOTONIC.
 * `now` is taken before the event is read: if sonde has to wait in between, the event has counted
 * more, not less.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w)
{
	uint64_t now = monotonic_ns(), asked = w->asked, elapsed = now - asked, count;

	if (w->fd < 0)
		return 0;
	if (read(w->fd, &count, sizeof(count)) != sizeof(count))
		count = w->count;
	w->asked = monotonic_ns();
	w->doubtful = false;
	if (count == w->count)
		return now > w->alive + w->counted ? now - w->alive - w->counted : 1;
	w->alive = asked;
	w->counted = count - w->count;
	w->count = count;
	w->doubtful = w->counted < elapsed - elapsed / 10;
	return 0;
}

void cpu_watch_close(struct cpu_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
