// SPDX-License-Identifier: GPL-2.0
/* What the kernel itself leaves out of perf's rings. */
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include "work.h"

#define ROOM (512L << 10)	/* of a ring's pages, on machines with any size of pages */

static long event_id(const char *file)
{
	FILE *f = fopen(file, "re");
	long id;

	if (!f || fscanf(f, "%ld", &id) != 1)
		die(file);
	fclose(f);
	return id;
}

/* The sample records in a ring that has been written from its beginning. */
static long count_samples(const struct perf_event_mmap_page *ring, long page)
{
	const char *data = (const char *)ring + page;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;
	long n = 0;

	for (uint64_t at = 0; at + sizeof(header) <= head; at += header.size) {
		memcpy(&header, data + at, sizeof(header));
		if (!header.size)
			break;
		n += header.type == PERF_RECORD_SAMPLE;
	}
	return n;
}

static void ended(int number)
{
	(void)number;	/* what it waits for is interrupted */
}

/*
 * samples PID COUNTED WRITTEN: on each CPU, with one and the same perf event of a tracepoint (the
 * file with its id is given, and a filter, if any), how often it fired in MS milliseconds or until
 * SIGTERM, and how many samples of that are in its ring, which had room for all. The first line
 * says that it counts.
 */
static int job_samples(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
		.sample_type = PERF_SAMPLE_TID, .disabled = 1, .config = event_id(argv[1]),
	};
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), page = sysconf(_SC_PAGESIZE),
		ms = number(argv[2]), samples = 0;
	struct perf_event_mmap_page **rings = calloc(cpus, sizeof(*rings));
	int *fds = calloc(cpus, sizeof(*fds));
	struct sigaction on_term = { .sa_handler = ended };
	uint64_t total = 0, n;

	for (long i = 0; i < cpus; i++) {
		fds[i] = syscall(SYS_perf_event_open, &attr, -1, i, -1, 0);
		if (fds[i] < 0)
			die("perf_event_open");
		if (argc > 3 && ioctl(fds[i], PERF_EVENT_IOC_SET_FILTER, argv[3]))
			die("PERF_EVENT_IOC_SET_FILTER");
		rings[i] = mmap(NULL, page + ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fds[i], 0);
		if (rings[i] == MAP_FAILED)
			die("mmap");
	}
	sigaction(SIGTERM, &on_term, NULL);
	for (long i = 0; i < cpus; i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	if (argc > 3)
		say("counting\n");
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
	for (long i = 0; i < cpus; i++)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	for (long i = 0; i < cpus; i++) {
		if (read(fds[i], &n, sizeof(n)) != sizeof(n))
			die("read");
		total += n;
		samples += count_samples(rings[i], page);
		if (rings[i]->data_head + page > (uint64_t)ROOM) {
			fprintf(stderr, "work: more events than there is room for\n");
			return 1;
		}
		close(fds[i]);
	}
	say("samples\t%d\t%llu\t%ld\n", getpid(), (unsigned long long)total, samples);
	free(rings);
	free(fds);
	return 0;
}

const struct job samples_jobs[] = {
	{ "samples", "ID-FILE MS [FILTER]", 2, job_samples,
	  "samples PID COUNTED WRITTEN; with a filter, \"counting\" before" },
	{ 0 }
};
