// SPDX-License-Identifier: GPL-2.0
/*
 * Tries features of the running kernel, except BPF's. Each trial asks the kernel itself, and takes
 * 0.1 ms at most, unless it waits for a sample.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/probing/probe_internal.h"
#include "compat/tasks/namespace.h"
#include "compat/types/btf.h"

/*
 * CPUs that choose their own frequency do not tell it to the kernel. The kernel then has no event
 * for a change.
 */
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

/* The file shows that the kernel has the feature: there is nothing more to try. */
static void probe_path(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const paths[FEATURES] = {
		[FEATURE_KPROBE_PMU] = "/sys/bus/event_source/devices/kprobe/type",
		[FEATURE_UPROBE_PMU] = "/sys/bus/event_source/devices/uprobe/type",
		[FEATURE_BTF] = BTF_OF_KERNEL,
	};
	const int error = access(paths[f], R_OK) ? errno : 0;

	(void)k;
	if (!error) {
		verdict_set(v, YES, "%s", "");
	} else {
		verdict_set(v, NO, "%s: %s", paths[f], strerror(error));
		verdict_error(v, error);
	}
}

static void probe_by_readme(struct kernel *k, enum feature f, struct verdict *v)
{
	if (!feature_by_readme(k, f, v))
		feature_by_version(k, f, v);
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
	const int initial = namespace_pid_initial();

	(void)k, (void)f;
	v->unknown = initial < 0;
	v->error = initial < 0 ? -initial : 0;
	if (initial < 0)
		verdict_set(v, NO, "/proc/self/ns/pid: %s%s", strerror(-initial),
			    initial == -ENOENT && access("/proc/self/stat", F_OK) ?
			    ": /proc is not mounted" : "");
	else if (!initial)
		verdict_set(v, NO, "sonde is not in the initial pid namespace");
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
		[FEATURE_KERNEL_STACKS] = probe_kernel_stacks,
		[FEATURE_BTF] = probe_path,
		[FEATURE_PERF_SAMPLES] = probe_perf,
		[FEATURE_PERF] = probe_perf,
		[FEATURE_PERF_CLOCKID] = probe_clockid,
		[FEATURE_PERF_LOST] = probe_lost,
		[FEATURE_PERF_NAMESPACES] = probe_namespaces,
		[FEATURE_PERF_CGROUP] = probe_cgroup,
		[FEATURE_PERF_LONG] = probe_by_readme,
		[FEATURE_USER_REGISTERS] = probe_user_registers,
		[FEATURE_PMU] = probe_pmu,
		[FEATURE_PMU_CACHE] = probe_pmu_cache,
		[FEATURE_CPU_FREQUENCY] = probe_frequency,
		[FEATURE_KPROBE_PMU] = probe_path,
		[FEATURE_KPROBE_DOTS] = feature_by_version,
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
		[FEATURE_WRITTEN_ZEROES] = feature_by_version,
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
