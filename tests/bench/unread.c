// SPDX-License-Identifier: GPL-2.0
/*
 * unread NAME...: these tracepoints, as SYSTEM/NAME, into rings that overwrite their oldest
 * records, one for each CPU, which nobody reads: the least that a flight recorder costs. Says "on",
 * and stays until a signal.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGES 512

static void fail_at(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t id_of(const char *name)
{
	char path[256], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		fail_at(path);
	close(fd);
	return strtoull(text, NULL, 10);
}

static int open_on(uint64_t id, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1, .watermark = 1, .wakeup_watermark = UINT32_MAX,
		.write_backward = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

	if (fd < 0)
		fail_at("perf_event_open");
	return fd;
}

int main(int argc, char **argv)
{
	const long page = sysconf(_SC_PAGESIZE);

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		int first = -1;

		for (int i = 1; i < argc; i++) {
			const int fd = open_on(id_of(argv[i]), cpu);

			if (first < 0 && mmap(NULL, (size_t)((PAGES + 1) * page), PROT_READ,
					      MAP_SHARED, fd, 0) == MAP_FAILED)
				fail_at("mmap");
			if (first >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first))
				fail_at("PERF_EVENT_IOC_SET_OUTPUT");
			first = first < 0 ? fd : first;
		}
	}
	puts("on");
	fflush(stdout);
	pause();
	return 0;
}
