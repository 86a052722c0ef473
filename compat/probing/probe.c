// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/base/perf_event.h"
#include "compat/probing/probe.h"
#include "compat/user/registers.h"

/*
 * Probes of the running kernel's features, except BPF's. Each asks the kernel itself, and takes
 * 0.1 ms at most, except where a sample is waited for.
 */
#define SAMPLE_NS (10 * NS_PER_MS)	/* a counter that works brings one after some 10 us */

/* "TRACEFS/file" */
static const char *below(struct kernel *k, const char *file, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", kernel_tracefs(k), file);
	return path;
}

static void probe_tracefs(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *dir = kernel_tracefs(k), *lockdown;
	char path[128];
	int fd, error;

	(void)f;
	if (!dir) {
		verdict_no(v, geteuid() ? CAUSE_RIGHTS : CAUSE_OTHER,
			   "tracefs is not at /sys/kernel/tracing or /sys/kernel/debug/tracing, "
			   "and could not be mounted: %s", geteuid() ? "run as root" :
			   "the kernel lacks it, or this container may not mount it");
		return;
	}
	fd = open(below(k, "README", path, sizeof(path)), O_RDONLY | O_CLOEXEC);
	error = errno;
	if (fd >= 0) {
		close(fd);
		verdict_set(v, YES, "%s", dir);
		return;
	}
	lockdown = kernel_text(k, "/sys/kernel/security/lockdown");
	verdict_no(v, error == EACCES ? CAUSE_RIGHTS : CAUSE_OTHER, "%s: %s%s", path,
		   strerror(error), error == EACCES ?
		   ": run as root, or let a group read it (mount -o remount,gid=GROUP,mode=750)" :
		   lockdown && !strstr(lockdown, "[none]") ? ": the kernel is locked down" : "");
}

/*
 * For all tasks on this CPU, as the engines do it: an event of one task makes the kernel wait for
 * all CPUs.
 */
static int perf_open(struct perf_event_attr *attr)
{
	attr->disabled = 1;
	return perf_event_open(attr, ANY_TASK, sched_getcpu());
}

/*
 * Opening a tracepoint is quick, but closing the last event on one waits 70 ms for all CPUs. So
 * this asks for an id that no tracepoint has. EINVAL says that the kernel knows tracepoints, and
 * lets us open them.
 */
static void probe_perf(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = 0x7fffffff,
					.sample_period = 1 };
	const char *paranoid = kernel_text(k, "/proc/sys/kernel/perf_event_paranoid");
	int fd = perf_open(&attr), error = errno;

	(void)f;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || error == EINVAL)
		verdict_set(v, YES, "%s", "");
	else if (error == ENOSYS)
		verdict_set(v, NO, "the kernel has no perf_event_open(2)");
	else if (error == ENOENT || error == ENODEV)
		verdict_set(v, NO, "perf_event_open(2) knows no tracepoints");
	else if (error != EACCES && error != EPERM)
		verdict_set(v, NO, "perf_event_open(2): %s", strerror(error));
	else if (!kernel_capable(k, 38) && !kernel_capable(k, 21))
		verdict_no(v, geteuid() ? CAUSE_RIGHTS : CAUSE_OTHER,
			   "%s: %s CAP_PERFMON (CAP_SYS_ADMIN before 5.8); "
			   "kernel.perf_event_paranoid is %d",
			   strerror(error), geteuid() ? "run as root, or with" : "root here lacks",
			   paranoid ? atoi(paranoid) : 0);
	/* Debian's and Ubuntu's own level */
	else if (!kernel_capable(k, 21) && paranoid && atoi(paranoid) > 2)
		verdict_set(v, NO, "%s: kernel.perf_event_paranoid is %d, which asks for "
				   "CAP_SYS_ADMIN: set it to 2",
			    strerror(error), atoi(paranoid));
	else
		verdict_set(v, NO, "%s: kernel lockdown, or a container's seccomp filter",
			    strerror(error));
}

static void try_software_event(struct perf_event_attr *attr, struct verdict *v)
{
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	fd = perf_open(attr);
	if (fd < 0) {
		verdict_set(v, NO, "%s", strerror(errno));
		return;
	}
	close(fd);
	verdict_set(v, YES, "%s", "");
}

/*
 * Whether a sample of the event reaches its ring while this thread runs. The ring is on the CPU
 * that the thread runs on, which may change meanwhile: then a second look tells.
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
 * The machine's. That of a virtual one may refuse samples, or may count and never interrupt, as
 * QEMU's POWER does: so a sample has to come.
 */
static void probe_pmu(struct kernel *k, enum feature f, struct verdict *v)
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
			verdict_set(v, NO, "no cycles: %s", strerror(errno));
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

static void probe_user_registers(struct kernel *k, enum feature f, struct verdict *v)
{
	const struct arch *arch = kernel_arch(k);
	struct error why = { };

	(void)f;
	if (!arch || !arch->perf_sp)
		verdict_set(v, NO, "what they mean on this machine is not known");
	else if (registers_try(arch->perf_sp, &why))
		verdict_set(v, NO, "%s", why.text);
	else
		verdict_set(v, YES, "%s", "");
}

static void probe_pmu_cache(struct kernel *k, enum feature f, struct verdict *v)
{
	static const struct { const char *name; uint64_t config; } counters[] = {
		{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
		{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	};

	(void)f;
	if (!kernel_has(k, FEATURE_PMU)) {	/* the same counters' interrupt */
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
			verdict_set(v, NO, "no %s: %s", counters[i].name, strerror(errno));
			return;
		}
		close(fd);
	}
	verdict_set(v, YES, "%s", "");
}

/* CPUs that choose for themselves do not tell the kernel, which then has no event for it. */
static bool chooses_itself(unsigned int cpu, char driver[64])
{
	static const char *const drivers[] = { "intel_pstate", "amd-pstate-epp", "amd_pstate_epp" };
	unsigned int i = 0;
	char path[96];

	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cpufreq/scaling_driver", cpu);
	if (!file_line(path, driver, 64))
		return false;
	while (i < sizeof(drivers) / sizeof(drivers[0]) && strcmp(drivers[i], driver))
		i++;
	return i < sizeof(drivers) / sizeof(drivers[0]);
}

static void probe_frequency(struct kernel *k, enum feature f, struct verdict *v)
{
	unsigned int n = cpu_list_limit(kernel_text(k, CPUS_POSSIBLE)), cpu = 0;
	char driver[64];

	(void)f;
	while (cpu < n && !cpu_frequency(cpu))
		cpu++;
	if (cpu == n)
		verdict_set(v, NO, CPU_FOLDER "/cpu0/cpufreq/scaling_cur_freq is missing, as in "
				   "most virtual machines");
	else if (chooses_itself(cpu, driver))
		verdict_set(v, NO, "its CPUs choose their frequency themselves (driver %s): the "
				   "kernel is told in the driver's passive mode only",
			    driver);
	else
		verdict_set(v, YES, "%s", "");
}

static void probe_clockid(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .use_clockid = 1, .clockid = CLOCK_MONOTONIC };

	(void)k, (void)f;
	try_software_event(&attr, v);
}

static void probe_lost(struct kernel *k, enum feature f, struct verdict *v)
{
	struct perf_event_attr attr = { .read_format = 1 << 4 };	/* PERF_FORMAT_LOST, 6.0 */

	(void)k, (void)f;
	try_software_event(&attr, v);
}

/* What the kernel lists is there: nothing more could be tried. */
static void probe_path(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const paths[FEATURES] = {
		[FEATURE_KPROBE_PMU] = "/sys/bus/event_source/devices/kprobe/type",
		[FEATURE_UPROBE_PMU] = "/sys/bus/event_source/devices/uprobe/type",
		[FEATURE_BTF] = "/sys/kernel/btf/vmlinux",
	};

	(void)k;
	if (access(paths[f], R_OK) == 0)
		verdict_set(v, YES, "%s", "");
	else
		verdict_set(v, NO, "%s: %s", paths[f], strerror(errno));
}

static void probe_clock(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *clocks = kernel_text(k, "tracefs:trace_clock");

	(void)f;
	if (clocks && has_word(clocks, "mono"))
		verdict_set(v, YES, "%s", "");
	else
		verdict_set(v, NO, "trace_clock does not list it");
}

/* Whether it takes numbers the release tells: that would have to be tried in an instance. */
static void probe_tracer(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *tracers = kernel_text(k, "tracefs:available_tracers");

	if (tracers && has_word(tracers, "function"))
		feature_by_version(k, f, v);
	else
		verdict_no(v, CAUSE_NOT_BUILT, "available_tracers does not list `function`");
}

/* A file of tracefs tells whether the feature is built in. */
static void not_built(enum feature f, const char *path, int error, struct verdict *v)
{
	verdict_no(v, error == ENOENT ? CAUSE_NOT_BUILT : CAUSE_OTHER, "%s: %s (%s)", path,
		   strerror(error), feature_config(f));
}

static void probe_syscalls(struct kernel *k, enum feature f, struct verdict *v)
{
	char path[128];

	if (access(below(k, "events/syscalls", path, sizeof(path)), X_OK) == 0)
		verdict_set(v, YES, "%s", "");
	else
		not_built(f, path, errno, v);
}

/* Not that of who removes (turn.h): they wait for whoever starts, who would wait for them. */
#define TRYING "options"

int probe_take_turn(struct kernel *k)
{
	char path[128];
	int lock = open(below(k, TRYING, path, sizeof(path)), O_RDONLY | O_CLOEXEC);

	if (lock >= 0)
		flock(lock, LOCK_EX);
	return lock;
}

void probe_end_turn(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* Makes an instance for a moment. */
static void probe_instances(struct kernel *k, enum feature f, struct verdict *v)
{
	char path[128];
	int lock;

	(void)f;
	if (access(below(k, "instances", path, sizeof(path)), W_OK | X_OK) != 0) {
		verdict_set(v, NO, "%s: %s", path, strerror(errno));
		return;
	}
	verdict_set(v, EXPECTED, "the folder `instances` is there");
	if (!kernel_thorough(k))
		return;
	lock = probe_take_turn(k);
	below(k, "instances/sonde_try", path, sizeof(path));
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		verdict_set(v, NO, "making one: %s", strerror(errno));
	else if (rmdir(path) != 0)
		verdict_set(v, NO, "removing one: %s", strerror(errno));
	else
		verdict_set(v, YES, "%s", "");
	probe_end_turn(lock);
}

void probe_forget(struct kernel *k, const char *events, const char *name)
{
	char path[160], line[64];

	snprintf(path, sizeof(path), "%s/events/sonde_try/%s", kernel_tracefs(k), name);
	if (access(path, F_OK) != 0)
		return;
	snprintf(line, sizeof(line), "-:sonde_try/%s\n", name);
	file_write(below(k, events, path, sizeof(path)), line);
}

int probe_define(struct kernel *k, bool uprobe, const char *fetch)
{
	static const char *const functions[] = { "vfs_read", "do_nanosleep", "schedule" };
	const char *events = uprobe ? "uprobe_events" : "kprobe_events", *function = NULL;
	char path[128], line[256];
	int result, lock;

	for (size_t i = 0; !uprobe && !function && i < sizeof(functions) / sizeof(*functions); i++)
		function = kernel_function(k, functions[i]);
	if (!uprobe && !function)
		return -ENOENT;
	snprintf(line, sizeof(line), "p:sonde_try/try %s %s\n",
		 uprobe ? "/proc/self/exe:0x1000" : function, fetch);
	lock = probe_take_turn(k);
	probe_forget(k, events, "try");
	result = file_write(below(k, events, path, sizeof(path)), line);
	probe_forget(k, events, "try");
	probe_end_turn(lock);
	return result;
}

static void probe_events(struct kernel *k, enum feature f, struct verdict *v)
{
	bool uprobe = f == FEATURE_UPROBES;
	char path[128];
	int error;

	below(k, uprobe ? "uprobe_events" : "kprobe_events", path, sizeof(path));
	if (access(path, W_OK) != 0) {
		not_built(f, path, errno, v);
		return;
	}
	verdict_set(v, EXPECTED, "%s is there", path + strlen(kernel_tracefs(k)) + 1);
	if (!kernel_thorough(k) && (uprobe || !kernel_arch(k)->kprobes_tell))
		return;
	error = probe_define(k, uprobe, "");
	if (error == -EINVAL && !uprobe)
		verdict_set(v, NO, "it refuses them where functions begin: %s", strerror(EINVAL));
	else if (error)
		verdict_set(v, NO, "defining one: %s", strerror(-error));
	else
		verdict_set(v, YES, "%s", "");
}

/* Fetch arguments are tried on a kprobe; without kprobes on a uprobe, which has most of them. */
static void probe_fetch(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const fetch[FEATURES] = {
		[FEATURE_FETCH_ARG] = "x=$arg1",
		[FEATURE_FETCH_STRING] = "x=+0(%%%s):string",
		[FEATURE_FETCH_USTRING] = "x=+u0(%%%s):ustring",
		[FEATURE_FETCH_ARRAY] = "x=+0(%%%s):x64[2]",
	};
	bool kprobes = kernel_has(k, FEATURE_KPROBES);
	const char *name = kernel_arch(k)->args[0].name;
	char argument[64];
	int error;

	if (!kprobes && !kernel_has(k, FEATURE_UPROBES)) {
		verdict_set(v, NO, "needs kprobes or uprobes");
		return;
	}
	if (!kernel_thorough(k) || (f != FEATURE_FETCH_ARG && !name[0])) {
		if (!feature_by_readme(k, f, v))
			feature_by_version(k, f, v);
		return;
	}
	if (f == FEATURE_FETCH_ARG)
		snprintf(argument, sizeof(argument), "%s", fetch[f]);
	else
		snprintf(argument, sizeof(argument), fetch[f], name);
	error = probe_define(k, !kprobes, argument);
	verdict_set(v, error ? NO : YES, "%s `%s`%s%s", kprobes ? "kprobe" : "uprobe", argument,
		    error ? ": " : "", error ? strerror(-error) : "");
}

/* Before 3.14 uprobes read registers only; vendors may have backported the rest. */
static void probe_uprobe_fetch(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *name = kernel_arch(k)->result.name;
	char argument[64];
	int error;

	feature_by_version(k, f, v);
	if (!name[0] || (v->answer == EXPECTED && !kernel_thorough(k)))
		return;
	snprintf(argument, sizeof(argument), "x=+0(%%%s):u64", name);
	error = probe_define(k, true, argument);
	verdict_set(v, error ? NO : YES, "uprobe `%s`%s%s", argument, error ? ": " : "",
		    error ? strerror(-error) : "");
}

/* What is probed: nothing calls it. */
static __attribute__((noinline, used)) void never(void)
{
	__asm__ volatile("");
}

/* The place in this program's file of what is at an address in it. */
struct in_file {
	uintptr_t address;
	uint64_t offset;	/* 0: not found */
};

static int look_at(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct in_file *at = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && at->address - begin < p->p_filesz)
			at->offset = at->address - begin + p->p_offset;
	}
	return 1;	/* the first is the program */
}

/* One write: file_write() begins anew where the answer is EINTR. */
static int enable_try(const char *instance)
{
	char path[160];
	int fd, error;

	snprintf(path, sizeof(path), "%s/events/sonde_try/try/enable", instance);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = write(fd, "1", 1) == 1 ? 0 : -errno;
	close(fd);
	return error;
}

static void disable_try(const char *instance)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/events/sonde_try/try/enable", instance);
	file_write(path, "0");
}

/*
 * Whether events of uprobes reach instances: before 3.14, and on kernels with what vendors took of
 * it alone, they all go to the ring that is no instance's. There an event is enabled but once: a
 * second instance that wants it is refused (EINTR). Where instances get their own, each enables it
 * for itself. So nothing has to happen, and nobody's ring gets anything.
 *
 * What a killed one left goes first. 0 or -errno, of the second instance where `known`.
 */
static int try_instances(struct kernel *k, uint64_t offset, bool *known)
{
	static const char file[] = "uprobe_events";
	char events[128], one[128], two[128], line[128];
	int error;

	*known = false;
	snprintf(one, sizeof(one), "%s/instances/sonde_try", kernel_tracefs(k));
	snprintf(two, sizeof(two), "%s/instances/sonde_try2", kernel_tracefs(k));
	snprintf(line, sizeof(line), "p:sonde_try/try /proc/self/exe:0x%llx\n",
		 (unsigned long long)offset);
	disable_try(one);
	disable_try(two);
	probe_forget(k, file, "try");
	if ((mkdir(one, 0700) && errno != EEXIST) || (mkdir(two, 0700) && errno != EEXIST)) {
		error = -errno;
	} else {
		error = file_write(below(k, file, events, sizeof(events)), line);
		if (!error)
			error = enable_try(one);
		if (!error) {
			*known = true;
			error = enable_try(two);
			disable_try(two);
			disable_try(one);
		}
		probe_forget(k, file, "try");
	}
	rmdir(two);
	rmdir(one);
	return error;
}

static void probe_uprobe_instances(struct kernel *k, enum feature f, struct verdict *v)
{
	struct in_file at = { .address = (uintptr_t)never & ~(uintptr_t)1 };	/* Thumb code */
	int error, lock;
	bool known;

	feature_by_version(k, f, v);
	if (v->answer == EXPECTED && !kernel_thorough(k))
		return;
	dl_iterate_phdr(look_at, &at);
	if (!at.offset)
		return;
	lock = probe_take_turn(k);
	error = try_instances(k, at.offset, &known);
	probe_end_turn(lock);
	if (known && !error)
		verdict_set(v, YES, "%s", "");
	else if (known && error == -EINTR)
		verdict_set(v, NO, "for a second instance: %s", strerror(EINTR));
}

static void probe_by_readme(struct kernel *k, enum feature f, struct verdict *v)
{
	if (!feature_by_readme(k, f, v))
		feature_by_version(k, f, v);
}

/*
 * 4.12 takes it, and its README, which tells of fetch arguments since 4.9, does not say so. Where
 * it is known, more than 4096 are refused before anything else is looked at; other kernels pass
 * over the number, and refuse the argument.
 */
static void probe_room(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char line[] = "r4097:sonde_try/try vfs_read x=%sonde\n";
	char path[128];

	if (!feature_by_readme(k, f, v)) {
		feature_by_version(k, f, v);
		return;
	}
	if (v->answer == EXPECTED)
		return;
	if (file_write(below(k, "kprobe_events", path, sizeof(path)), line) == -E2BIG)
		verdict_set(v, YES, "kprobe `r4097:`: %s", strerror(E2BIG));
}

static void probe_built(struct kernel *k, enum feature f, struct verdict *v)
{
	if (!feature_by_config(k, f, v))
		feature_by_machine(k, f, v);
}

static void probe_membarrier(struct kernel *k, enum feature f, struct verdict *v)
{
	long commands = syscall(SYS_membarrier, 0 /* MEMBARRIER_CMD_QUERY */, 0, 0);

	(void)k, (void)f;
	if (commands < 0)
		verdict_set(v, NO, "%s", strerror(errno));
	else if (!(commands & 1))	/* MEMBARRIER_CMD_GLOBAL: not with nohz_full */
		verdict_set(v, NO, "not for all processes");
	else
		verdict_set(v, YES, "%s", "");
}

static void probe_pidns(struct kernel *k, enum feature f, struct verdict *v)
{
	struct stat st;

	(void)k, (void)f;
	if (stat("/proc/self/ns/pid", &st) != 0)
		verdict_set(v, UNEXPECTED, "/proc/self/ns/pid: %s", strerror(errno));
	else if (st.st_ino != 0xEFFFFFFC)	/* the initial one's, on all kernels since 3.8 */
		verdict_set(v, NO, "pids here are not those of the host");
	else
		verdict_set(v, YES, "%s", "");
}

void probe_feature(struct kernel *k, enum feature f, struct verdict *v)
{
	static void (*const probes[FEATURES])(struct kernel *, enum feature, struct verdict *) = {
		[FEATURE_BPF_FULL] = feature_by_version,
		[FEATURE_BPF_MISSED] = feature_by_version,
		[FEATURE_USER_WALK] = probe_built,
		[FEATURE_FRAME_POINTERS] = probe_built,
		[FEATURE_BTF] = probe_path,
		[FEATURE_PERF] = probe_perf,
		[FEATURE_PERF_CLOCKID] = probe_clockid,
		[FEATURE_PERF_LOST] = probe_lost,
		[FEATURE_PERF_LONG] = probe_by_readme,
		[FEATURE_USER_REGISTERS] = probe_user_registers,
		[FEATURE_PMU] = probe_pmu,
		[FEATURE_PMU_CACHE] = probe_pmu_cache,
		[FEATURE_CPU_FREQUENCY] = probe_frequency,
		[FEATURE_KPROBE_PMU] = probe_path,
		[FEATURE_KPROBE_UNIQUE] = feature_by_version,
		[FEATURE_UPROBE_PMU] = probe_path,
		[FEATURE_TRACEFS] = probe_tracefs,
		[FEATURE_INSTANCES] = probe_instances,
		[FEATURE_CLOCK_MONO] = probe_clock,
		[FEATURE_FUNCTION_TRACER] = probe_tracer,
		[FEATURE_FTRACE_STACKS] = probe_built,
		[FEATURE_KPROBES] = probe_events,
		[FEATURE_KRETPROBE_ROOM] = probe_room,
		[FEATURE_KRETPROBE_MISSED] = feature_by_version,
		[FEATURE_UPROBES] = probe_events,
		[FEATURE_UPROBE_FETCH] = probe_uprobe_fetch,
		[FEATURE_UPROBE_INSTANCES] = probe_uprobe_instances,
		[FEATURE_UPROBE_MOUNT] = feature_by_version,
		[FEATURE_UPROBE_SEMAPHORE] = probe_by_readme,
		[FEATURE_URETPROBE_SECCOMP] = feature_by_version,
		[FEATURE_UPROBE_32] = probe_narrow,
		[FEATURE_URETPROBE_32] = probe_narrow,
		[FEATURE_SYSCALLS] = probe_syscalls,
		[FEATURE_SWITCH_STATES] = probe_switch_states,
		[FEATURE_FETCH_ARG] = probe_fetch,
		[FEATURE_FETCH_STRING] = probe_fetch,
		[FEATURE_FETCH_USTRING] = probe_fetch,
		[FEATURE_FETCH_ARRAY] = probe_fetch,
		[FEATURE_FETCH_ZERO] = feature_by_version,
		[FEATURE_MEMBARRIER] = probe_membarrier,
		[FEATURE_ROOT_PIDNS] = probe_pidns,
	};

	if (probes[f])
		probes[f](k, f, v);
	else
		probe_bpf_feature(k, f, v);
}
