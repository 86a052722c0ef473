// SPDX-License-Identifier: GPL-2.0
/* Tries perf's events, counters that take samples, and what the engine perf needs of them. */
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/perf_event.h"
#include "compat/probing/probe_internal.h"
#include "compat/user/registers.h"

#define SAMPLE_NS (10 * NS_PER_MS)	/* a working counter brings a sample after some 10 us */

/*
 * Opens an event for all tasks on this CPU, as the engines do. For an event of one task the kernel
 * waits for all CPUs.
 */
static int perf_open(struct perf_event_attr *attr)
{
	attr->disabled = 1;
	return perf_event_open(attr, ANY_TASK, sched_getcpu());
}

/*
 * Opening a tracepoint is quick, but closing the last event on one waits 70 ms for all CPUs. So
 * this opens an id that no tracepoint has. EINVAL means that the kernel knows tracepoints, and lets
 * sonde open them. The clock needs the same rights.
 */
void probe_perf(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = 0x7fffffff,
					.sample_period = 1 },
			       clock = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK };
	const char *paranoid = kernel_text(k, "/proc/sys/kernel/perf_event_paranoid");
	int fd = perf_open(f == FEATURE_PERF ? &attr : &clock), error = errno;

	if (fd >= 0)
		close(fd);
	if (fd >= 0 || (f == FEATURE_PERF && error == EINVAL))
		verdict_set(v, YES, "%s", "");
	else if (error == ENOSYS)
		verdict_set(v, NO, "the kernel has no perf_event_open(2)");
	else if (error == ENOENT || error == ENODEV)
		verdict_set(v, NO, "perf_event_open(2) knows no %s",
			    f == FEATURE_PERF ? "tracepoints" : "clock");
	else if (error != EACCES && error != EPERM)
		verdict_set(v, NO, "perf_event_open(2): %s", strerror(error));
	else if (!kernel_capable(k, CAP_PERFMON) && !kernel_capable(k, CAP_SYS_ADMIN))
		verdict_no(v, geteuid() ? CAUSE_RIGHTS : CAUSE_OTHER,
			   "%s: %s CAP_PERFMON (CAP_SYS_ADMIN before 5.8); "
			   "kernel.perf_event_paranoid is %d",
			   strerror(error), geteuid() ? "run as root, or with" : "root here lacks",
			   paranoid ? atoi(paranoid) : 0);
	/* Debian's and Ubuntu's own level */
	else if (!kernel_capable(k, CAP_SYS_ADMIN) && paranoid && atoi(paranoid) > 2)
		verdict_set(v, NO, "%s: kernel.perf_event_paranoid is %d, which asks for "
				   "CAP_SYS_ADMIN: set it to 2",
			    strerror(error), atoi(paranoid));
	else
		verdict_set(v, NO, "%s: kernel lockdown, or a container's seccomp filter",
			    strerror(error));
	verdict_error(v, error);
}

static void try_software_event(struct perf_event_attr *attr, struct verdict *v)
{
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	fd = perf_open(attr);
	if (fd < 0) {
		const int error = errno;

		verdict_set(v, NO, "%s", strerror(error));
		verdict_error(v, error);
		return;
	}
	close(fd);
	verdict_set(v, YES, "%s", "");
}

/*
 * Returns true if a sample of the event reaches its ring while this thread runs. The ring is that
 * of one CPU. If the thread moves to another CPU meanwhile, the caller must try again.
 */
static bool sample_comes(int fd, int cpu)
{
	size_t size = 2 * sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring;
	uint64_t begin, head = 0;

	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		return false;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (!head && clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin < SAMPLE_NS &&
	       sched_getcpu() == cpu)
		head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	munmap(ring, size);
	return head;
}

/*
 * Tries the machine's counter of cycles. The counter of a virtual machine may refuse samples, or
 * may count and never interrupt, as on QEMU's POWER: so a sample has to come.
 */
void probe_pmu(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = 20000, .disabled = 1,
	};
	bool came = false;

	(void)k, (void)f;
	for (int tries = 0; !came && tries < 4; tries++) {
		int cpu = sched_getcpu(), fd = perf_event_open(&attr, ANY_TASK, cpu);

		if (fd < 0) {
			const int error = errno;

			verdict_set(v, NO, "no cycles: %s", strerror(error));
			verdict_error(v, error);
			return;
		}
		came = sample_comes(fd, cpu);
		close(fd);
		if (sched_getcpu() == cpu)
			break;
	}
	if (came)
		verdict_set(v, YES, "%s", "");
	else
		verdict_set(v, NO, "the counter of cycles brings no samples");
}

void probe_user_registers(struct kernel *k, enum feature f, struct verdict *v)
{
	const struct arch *arch = kernel_arch(k);
	struct error why = { };

	(void)f;
	if (!arch || !arch->perf_sp) {
		verdict_set(v, NO, "their meaning on this machine is not known");
		return;
	}
	if (!registers_try(arch->perf_sp, &why)) {
		verdict_set(v, YES, "%s", "");
		return;
	}
	verdict_set(v, NO, "%s", why.text);
	verdict_error(v, why.number);
}

void probe_pmu_cache(struct kernel *k, enum feature f, struct verdict *v)
{
	static const struct { const char *name; uint64_t config; } counters[] = {
		{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
		{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	};

	(void)f;
	if (!kernel_has(k, FEATURE_PMU)) {	/* they use the same interrupt */
		verdict_set(v, NO, "cycles bring no samples either");
		return;
	}
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_HARDWARE, .config = counters[i].config,
			.sample_period = 1000000,
		};
		int fd = perf_open(&attr);

		if (fd < 0) {
			const int error = errno;

			verdict_set(v, NO, "no %s: %s", counters[i].name, strerror(error));
			verdict_error(v, error);
			return;
		}
		close(fd);
	}
	verdict_set(v, YES, "%s", "");
}

void probe_clockid(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .use_clockid = 1, .clockid = CLOCK_MONOTONIC };

	(void)k, (void)f;
	try_software_event(&attr, v);
}

void probe_lost(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .read_format = 1 << 4 };	/* PERF_FORMAT_LOST, 6.0 */

	(void)k, (void)f;
	try_software_event(&attr, v);
}

void probe_namespaces(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .namespaces = 1 };

	(void)k, (void)f;
	try_software_event(&attr, v);
}

void probe_cgroup(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_CGROUP, .cgroup = 1 };

	(void)k, (void)f;
	try_software_event(&attr, v);
}
