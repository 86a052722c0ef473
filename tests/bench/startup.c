// SPDX-License-Identifier: GPL-2.0
/*
 * startup TOOL ARGS...
 * How long a tool takes from its exec to its first output, and how much of that is its own: all but
 * the system calls in which the kernel makes and attaches probes, programs and maps. Prints
 *
 *	wall_ms		from exec to the first write to its standard output
 *	own_ms		the same without bpf(2), perf_event_open(2) and ioctl(2)
 *	calls		system calls until then
 *
 * The calls are seen through the raw_syscalls tracepoints of this one process, which cost it about
 * half a microsecond each; its output goes to a terminal, so that it is written when there is a
 * line of it. Then the tool gets SIGINT.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES 1024		/* of the ring: room for tens of thousands of calls */

/*
 * What the tracepoints record: raw_syscalls:sys_enter and sys_exit have the number at one place,
 * then this differs.
 */
struct call {
	struct perf_event_header header;
	uint64_t time;
	uint32_t size;
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
	int64_t number;
	uint64_t first;		/* argument, or result */
} __attribute__((packed));

static void die(const char *what)
{
	fprintf(stderr, "startup: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int event_id(const char *name)
{
	char path[128];
	FILE *f;
	int id = 0;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/raw_syscalls/%s/id", name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &id) != 1)
		die(path);
	fclose(f);
	return id;
}

/* An event that begins when the process execs. */
static int open_event(int id, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = (uint64_t)id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW, .disabled = 1,
		.enable_on_exec = 1,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC, .watermark = 1,
		.wakeup_watermark = PAGES * 4096 / 2,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void print_times(const struct perf_event_mmap_page *ring, int enter, int64_t begin)
{
	const uint8_t *data = (const uint8_t *)ring + ring->data_offset;
	uint64_t at = 0, head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), entered = 0;
	int64_t attaching = 0;
	unsigned int calls = 0;

	while (at < head) {
		const struct call *c = (const struct call *)(data + at);

		at += c->header.size;
		if (c->header.type != PERF_RECORD_SAMPLE)
			continue;
		if (c->type == enter) {
			entered = c->time;
			calls++;
			if (c->number == SYS_write && c->first == 1) {
				printf("wall_ms %.3f\n", (double)((int64_t)c->time - begin) / 1e6);
				printf("own_ms %.3f\n", (double)((int64_t)c->time - begin -
								 attaching) / 1e6);
				printf("calls %u\n", calls);
				return;
			}
		} else if (entered && (c->number == SYS_bpf || c->number == SYS_perf_event_open ||
				       c->number == SYS_ioctl)) {
			attaching += (int64_t)(c->time - entered);
		}
	}
	fprintf(stderr, "startup: it wrote nothing\n");
	exit(1);
}

int main(int argc, char **argv)
{
	int enter = event_id("sys_enter"), exit_ = event_id("sys_exit");
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), user, go[2], events[2];
	int64_t *begin = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			      0);
	struct perf_event_mmap_page *ring;
	struct pollfd ready;
	pid_t pid;
	char c;

	if (argc < 2) {
		fprintf(stderr, "usage: startup TOOL ARGS...\n");
		return 2;
	}
	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) || pipe2(go, O_CLOEXEC) ||
	    begin == MAP_FAILED)
		die("terminal");
	user = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		dup2(user, 0);
		dup2(user, 1);
		dup2(user, 2);
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		*begin = now_ns();
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	close(user);
	events[0] = open_event(enter, pid);
	events[1] = open_event(exit_, pid);
	ring = mmap(NULL, (PAGES + 1) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, events[0], 0);
	if (ring == MAP_FAILED || ioctl(events[1], PERF_EVENT_IOC_SET_OUTPUT, events[0]))
		die("ring");
	if (write(go[1], "", 1) != 1)
		die("pipe");
	ready = (struct pollfd){ .fd = terminal, .events = POLLIN };
	poll(&ready, 1, 20000);
	/* until it wrote to its standard output too, if that was another thing */
	usleep(300000);
	kill(pid, SIGINT);
	while (read(terminal, &(char[4096]){ 0 }, 4096) > 0)
		;
	waitpid(pid, NULL, 0);
	print_times(ring, enter, *begin);
	return 0;
}
