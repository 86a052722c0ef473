// SPDX-License-Identifier: GPL-2.0
#include "backends/cpu_watch.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

void cpu_watch_open(struct cpu_watch *w, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(attr),
	};

	w->count = 0;
	w->fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0UL);
	if (w->fd >= 0)	/* PERF_FLAG_FD_CLOEXEC is newer than the kernels we run on */
		fcntl(w->fd, F_SETFD, FD_CLOEXEC);
}

/* The clock that it counts by never stands still on a CPU that is there. */
bool cpu_watch_was_away(struct cpu_watch *w)
{
	uint64_t before = w->count;

	if (w->fd < 0)
		return false;
	return read(w->fd, &w->count, sizeof(w->count)) != sizeof(w->count) || w->count == before;
}

void cpu_watch_close(struct cpu_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
