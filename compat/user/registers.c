// SPDX-License-Identifier: GPL-2.0
#include "compat/user/registers.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/perf_event.h"

#define TURNS 4
#define ROOM (64 << 10)
#define CALL_BYTES 4096			/* of the stack, at most, from a function to a call in it */

struct registers_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t abi, sp;
};

/* Returns the end of the stack, about. */
static __attribute__((noinline)) uint64_t sleep_here(long ns)
{
	const struct timespec moment = { .tv_nsec = ns };

	nanosleep(&moment, NULL);
	return (uint64_t)(uintptr_t)__builtin_frame_address(0);
}

static __attribute__((noinline)) uint64_t sleep_below(long ns)
{
	volatile char room[ROOM];
	uint64_t at;

	room[0] = 0;
	at = sleep_here(ns);
	room[ROOM - 1] = room[0];
	return at;
}

/*
 * Counts the turns that have a record of this thread with their stack pointer, one after the other.
 * There may be more records, of places where the thread was preempted. `own`: the thread has
 * records.
 */
static unsigned int seen(const struct perf_event_mmap_page *ring, const uint64_t *turns, bool *own)
{
	const uint8_t *data = (const uint8_t *)ring + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), at = 0;
	const pid_t self = (pid_t)syscall(SYS_gettid);
	struct registers_record record;
	unsigned int n = 0;

	*own = false;
	/* The kernel does not write more than the ring has room for. */
	while (at + sizeof(record) <= head && head <= (uint64_t)sysconf(_SC_PAGESIZE)) {
		memcpy(&record, data + at, sizeof(record));
		if (record.header.size < sizeof(record.header))
			break;
		at += record.header.size;
		if (record.header.type != PERF_RECORD_SAMPLE ||
		    record.header.size < sizeof(record) || (pid_t)record.tid != self)
			continue;
		*own = true;
		n += n < TURNS && record.sp < turns[n] && turns[n] - record.sp <= CALL_BYTES;
	}
	return n;
}

/* The event samples one CPU, so the thread must not move to another CPU. */
static void sleep_in_turns(int fd, int cpu, long ns, uint64_t turns[TURNS])
{
	cpu_set_t all, one;
	bool held;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	held = !sched_getaffinity(0, sizeof(all), &all) && !sched_setaffinity(0, sizeof(one), &one);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (unsigned int i = 0; i < TURNS; i++)
		turns[i] = i % 2 ? sleep_below(ns) : sleep_here(ns);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (held)
		sched_setaffinity(0, sizeof(all), &all);
}

static int try_for(long ns, unsigned int sp, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER,
		.sample_regs_user = 1ULL << sp, .disabled = 1,
	};
	const size_t size = 2 * (size_t)sysconf(_SC_PAGESIZE);
	const int cpu = sched_getcpu(), fd = perf_event_open(&attr, ANY_TASK, cpu);
	struct perf_event_mmap_page *ring;
	uint64_t turns[TURNS];
	int result = 0;
	bool own;

	if (fd < 0)
		return fail_with(err, errno, "%m");
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		result = fail_with(err, errno, "%m");
		close(fd);
		return result;
	}
	sleep_in_turns(fd, cpu, ns, turns);
	if (seen(ring, turns, &own) < TURNS)
		result = own ? fail(err, "they have another stack pointer in a system call") :
			 fail_with(err, EAGAIN, "no samples come");
	munmap(ring, size);
	close(fd);
	return result;
}

/*
 * On a slow machine the time may be over before the thread sleeps: then it does not switch, and a
 * longer time is tried; the longest one only if no sample has come.
 */
int registers_try(unsigned int sp, struct error *err)
{
	static const long times[] = { 1, NS_PER_MS, 20 * NS_PER_MS };
	const unsigned int last = sizeof(times) / sizeof(times[0]) - 1;
	int result = -1;

	for (unsigned int i = 0; result && i < last; i++)
		result = try_for(times[i], sp, err);
	return result && err->number == EAGAIN ? try_for(times[last], sp, err) : result;
}
