// SPDX-License-Identifier: GPL-2.0
/*
 * Tries whether the kernel walks its own stacks. A kernel without frame pointers that has no tables
 * of another kind ends them at once, or takes any word on the stack that may be a return address.
 */
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/perf_event.h"
#include "compat/probing/probe_internal.h"

#define PAGES 16
#define TRIES 4
#define NAP_NS (100 * 1000)
/* A sleep is in the scheduler, a timer, the system call and its entry: 5 or more functions. */
#define FUNCTIONS_LEAST 3

struct sample {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t n, addresses[];
};

/* The addresses in a stack, without the marks between its parts. */
static unsigned int functions_of(const struct sample *s)
{
	unsigned int n = 0;

	for (uint64_t i = 0; i < s->n && sizeof(*s) + 8 * (i + 1) <= s->header.size; i++)
		n += s->addresses[i] < (uint64_t)PERF_CONTEXT_MAX;
	return n;
}

/* Returns the functions in this thread's largest stack; 0: it has none here. */
static unsigned int longest(const struct perf_event_mmap_page *ring, size_t page)
{
	const uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	const uint32_t self = (uint32_t)syscall(SYS_gettid);
	unsigned int most = 0;
	const struct sample *s;

	for (uint64_t at = 0; at + sizeof(*s) <= head && head <= PAGES * page;
	     at += s->header.size) {
		s = (const void *)((const uint8_t *)ring + page + at);
		if (s->header.size < sizeof(s->header))
			break;
		if (s->header.type == PERF_RECORD_SAMPLE && s->tid == self &&
		    functions_of(s) > most)
			most = functions_of(s);
	}
	return most;
}

/*
 * Sleeps once, with an event of all switches on this CPU: for an event of one task the kernel would
 * wait for all CPUs. Returns as longest().
 */
static unsigned int walk_a_sleep(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN,
		.exclude_callchain_user = 1, .disabled = 1,
	};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (PAGES + 1) * page;
	const int fd = perf_event_open(&attr, ANY_TASK, sched_getcpu());
	struct perf_event_mmap_page *ring;
	unsigned int n = 0;

	if (fd < 0)
		return 0;
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring != MAP_FAILED) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		sleep_ns(NAP_NS);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		n = longest(ring, page);
		munmap(ring, size);
	}
	close(fd);
	return n;
}

/* Between 4.9 and 4.14, when the option came, x86 without frame pointers always guesses. */
static bool guesses(struct kernel *k)
{
	const unsigned int code = kernel_version_code(k);
	const char *config = kernel_text(k, "config");

	if (!config)
		return false;
	if (strstr(config, "\nCONFIG_UNWINDER_GUESS=y\n") ||
	    strstr(config, "\nCONFIG_GUESS_UNWINDER=y\n"))
		return true;
	return code >= (4U << 16 | 9 << 8) && code < (4U << 16 | 14 << 8) &&
	       strstr(config, "\nCONFIG_X86=y\n") &&
	       !strstr(config, "\nCONFIG_FRAME_POINTER=y\n");
}

/* The thread may move to another CPU in between, and has no stack here then. */
void probe_kernel_stacks(struct kernel *k, enum feature f, struct verdict *v)
{
	unsigned int n = 0;

	if (guesses(k)) {
		verdict_set(v, NO, "it was built without frame pointers and guesses callers: "
				   "functions may be among them that called nothing "
				   "(CONFIG_UNWINDER_GUESS)");
		return;
	}
	for (int i = 0; !n && i < TRIES; i++)
		n = walk_a_sleep();
	if (!n)
		feature_by_version(k, f, v);
	else if (n < FUNCTIONS_LEAST)
		verdict_set(v, NO, "of a sleep it finds %u function%s: it was built without frame "
				   "pointers (CONFIG_FRAME_POINTER), or tables instead", n,
			    n > 1 ? "s" : "");
	else
		verdict_set(v, YES, "%s", "");
}
