// SPDX-License-Identifier: GPL-2.0
#include "compat/base/perf_event.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_event_open_beside(struct perf_event_attr *attr, pid_t task, int cpu, int leader)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = (int)syscall(SYS_perf_event_open, attr, task, cpu, leader, 0UL);
	if (fd >= 0)	/* PERF_FLAG_FD_CLOEXEC came with 3.14; sonde serves older kernels */
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int perf_event_open(struct perf_event_attr *attr, pid_t task, int cpu)
{
	return perf_event_open_beside(attr, task, cpu, -1);
}

bool perf_event_counts_ns(const char *system, const char *name)
{
	return !strcmp(system, "sched") && !strncmp(name, "sched_stat_", strlen("sched_stat_"));
}
