// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "compat/kernel/kernel_internal.h"

#define V(major, minor) ((major) << 16 | (minor) << 8)

static const enum feature nothing[] = { FEATURES };

#define NEEDS(...) (const enum feature[]){ __VA_ARGS__, FEATURES }

/*
 * Ids of tracepoints and definitions of probes are in tracefs; BPF programs are attached to perf
 * events.
 */
static const enum feature *const needs[FEATURES] = {
	[FEATURE_BPF_KPROBE] = NEEDS(FEATURE_BPF, FEATURE_PERF, FEATURE_KPROBES),
	[FEATURE_BPF_UPROBE] = NEEDS(FEATURE_BPF, FEATURE_PERF, FEATURE_UPROBES),
	[FEATURE_BPF_TRACEPOINT] = NEEDS(FEATURE_BPF, FEATURE_PERF),
	[FEATURE_BPF_RAW] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_SAMPLE] = NEEDS(FEATURE_BPF, FEATURE_PERF),
	[FEATURE_BPF_SYSCALL] = NEEDS(FEATURE_BPF_TRACEPOINT, FEATURE_SYSCALLS),
	[FEATURE_BPF_IDENTITY] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_OUTPUT] = NEEDS(FEATURE_BPF, FEATURE_PERF),
	[FEATURE_BPF_RINGBUF] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_READ_STR] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_READ_SPLIT] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_TASK] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_TASK_REGS] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_CGROUP] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_UNDER_CGROUP] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_PERCPU] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_STACK] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_MULTI] = NEEDS(FEATURE_BPF, FEATURE_PERF),
	[FEATURE_KPROBE_MULTI] = NEEDS(FEATURE_BPF),
	[FEATURE_UPROBE_MULTI] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_NAMES] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_INFO] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_BATCH] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_FULL] = NEEDS(FEATURE_BPF_OUTPUT),
	[FEATURE_BPF_CMPXCHG] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_MISSED] = NEEDS(FEATURE_BPF_INFO),
	[FEATURE_PERF] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_PERF_CLOCKID] = NEEDS(FEATURE_PERF),
	[FEATURE_PERF_LOST] = NEEDS(FEATURE_PERF),
	[FEATURE_PERF_NAMESPACES] = NEEDS(FEATURE_PERF),
	[FEATURE_PERF_CGROUP] = NEEDS(FEATURE_PERF),
	[FEATURE_PERF_LONG] = NEEDS(FEATURE_PERF),
	[FEATURE_USER_REGISTERS] = NEEDS(FEATURE_PERF),
	[FEATURE_PMU] = NEEDS(FEATURE_PERF),
	[FEATURE_PMU_CACHE] = NEEDS(FEATURE_PERF),
	[FEATURE_KPROBE_PMU] = NEEDS(FEATURE_PERF, FEATURE_KPROBES),
	[FEATURE_KPROBE_UNIQUE] = NEEDS(FEATURE_KPROBE_PMU),
	/* Without: when sonde is killed, the kernel may close their files first. */
	[FEATURE_UPROBE_PMU] = NEEDS(FEATURE_PERF, FEATURE_UPROBE_MOUNT),
	[FEATURE_INSTANCES] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_CLOCK_MONO] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_FUNCTION_TRACER] = NEEDS(FEATURE_INSTANCES),
	[FEATURE_FTRACE_STACKS] = NEEDS(FEATURE_INSTANCES),
	[FEATURE_KPROBES] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_KRETPROBE_ROOM] = NEEDS(FEATURE_KPROBES),
	[FEATURE_KRETPROBE_MISSED] = NEEDS(FEATURE_KPROBES),
	[FEATURE_UPROBES] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_UPROBE_FETCH] = NEEDS(FEATURE_UPROBES),
	[FEATURE_UPROBE_INSTANCES] = NEEDS(FEATURE_UPROBES, FEATURE_INSTANCES),
	[FEATURE_UPROBE_MOUNT] = NEEDS(FEATURE_UPROBES),
	[FEATURE_UPROBE_SEMAPHORE] = NEEDS(FEATURE_UPROBES),
	[FEATURE_URETPROBE_SECCOMP] = NEEDS(FEATURE_UPROBES),
	[FEATURE_UPROBE_32] = NEEDS(FEATURE_UPROBES),
	[FEATURE_URETPROBE_32] = NEEDS(FEATURE_UPROBES),
	[FEATURE_SYSCALLS] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_SWITCH_STATES] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_FETCH_ARG] = NEEDS(FEATURE_KPROBES),
	[FEATURE_FETCH_STRING] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_FETCH_USTRING] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_FETCH_ARRAY] = NEEDS(FEATURE_TRACEFS),
	[FEATURE_FETCH_ZERO] = NEEDS(FEATURE_TRACEFS),
};

const enum feature *feature_needs(enum feature f)
{
	return needs[f] ? needs[f] : nothing;
}

/*
 * The release a feature came with. Vendors backport some: this is used only where nothing better is
 * known.
 */
static const unsigned int since[FEATURES] = {
	[FEATURE_BPF] = V(3, 19),
	[FEATURE_BPF_KPROBE] = V(4, 1),
	[FEATURE_BPF_UPROBE] = V(4, 3),
	[FEATURE_BPF_TRACEPOINT] = V(4, 7),
	[FEATURE_BPF_RAW] = V(4, 17),
	[FEATURE_BPF_SAMPLE] = V(4, 9),
	[FEATURE_BPF_SYSCALL] = V(4, 14),
	[FEATURE_BPF_IDENTITY] = V(4, 2),
	[FEATURE_BPF_OUTPUT] = V(4, 4),
	[FEATURE_BPF_RINGBUF] = V(5, 8),
	[FEATURE_BPF_READ_STR] = V(4, 11),
	[FEATURE_BPF_READ_SPLIT] = V(5, 5),
	[FEATURE_BPF_TASK] = V(4, 8),
	[FEATURE_BPF_TASK_REGS] = V(5, 15),
	[FEATURE_BPF_CGROUP] = V(4, 18),
	[FEATURE_BPF_UNDER_CGROUP] = V(4, 9),
	[FEATURE_BPF_PERCPU] = V(4, 6),
	[FEATURE_BPF_STACK] = V(4, 6),
	[FEATURE_BPF_MULTI] = V(4, 15),
	[FEATURE_KPROBE_MULTI] = V(5, 18),
	[FEATURE_UPROBE_MULTI] = V(6, 6),
	[FEATURE_BPF_NAMES] = V(4, 15),
	[FEATURE_BPF_INFO] = V(4, 13),
	[FEATURE_BPF_BATCH] = V(5, 6),
	[FEATURE_BPF_FULL] = V(5, 1),
	[FEATURE_BPF_CMPXCHG] = V(5, 12),
	/*
	 * recursion_misses is there since 5.12, but programs on tracepoints and kprobes count in it
	 * only from this release on, and no kernel tells. A backport is not assumed, here and for
	 * kretprobes' counts: a 0 might be wrong.
	 */
	[FEATURE_BPF_MISSED] = V(6, 7),
	[FEATURE_BTF] = V(5, 4),
	[FEATURE_PERF_CLOCKID] = V(4, 1),
	[FEATURE_PERF_LOST] = V(6, 0),
	[FEATURE_PERF_NAMESPACES] = V(4, 12),
	[FEATURE_PERF_CGROUP] = V(5, 7),
	[FEATURE_PERF_LONG] = V(5, 15),
	[FEATURE_USER_REGISTERS] = V(3, 19),
	[FEATURE_KPROBE_PMU] = V(4, 17),
	[FEATURE_KPROBE_UNIQUE] = V(6, 6),
	[FEATURE_UPROBE_PMU] = V(4, 17),
	[FEATURE_INSTANCES] = V(3, 10),
	[FEATURE_CLOCK_MONO] = V(4, 1),
	[FEATURE_FUNCTION_TRACER] = V(5, 1),
	[FEATURE_KRETPROBE_ROOM] = V(4, 12),
	[FEATURE_KRETPROBE_MISSED] = V(6, 2),
	[FEATURE_UPROBES] = V(3, 5),
	[FEATURE_UPROBE_FETCH] = V(3, 14),
	[FEATURE_UPROBE_INSTANCES] = V(3, 14),
	[FEATURE_UPROBE_MOUNT] = V(4, 18),	/* trying it may crash the kernel */
	[FEATURE_UPROBE_SEMAPHORE] = V(4, 20),
	[FEATURE_FETCH_ARG] = V(4, 20),
	[FEATURE_FETCH_USTRING] = V(5, 3),
	[FEATURE_FETCH_ARRAY] = V(4, 20),
	[FEATURE_MEMBARRIER] = V(4, 3),
};

/*
 * Releases that lack what others have: from the first of each row up to, not including, the last;
 * `arch` NULL: on all machines.
 *
 * From 6.11 on a return probe of x86_64 uses a system call of its own, which the seccomp filters of
 * containers and services do not know: the process dies when the function returns. The fix, of
 * February 2025, lets the call pass all filters; from these releases on all stable kernels have it.
 *
 * Probes damage the stacks of 32-bit programs: on returns always, on `push` since 4.15
 * (compat/probing/probe_narrow.c). The later ones of these stable kernels have the fix.
 *
 * sched_switch tells states one bit too high (compat/probing/probe_switch.c); later ones of these
 * stable kernels do not.
 *
 * From 4.20 on a probe that can't read leaves in the record what was in the ring's memory before.
 */
static const struct {
	enum feature feature;
	const char *arch;
	unsigned int from, before;
} lacking[] = {
	{ FEATURE_URETPROBE_SECCOMP, "x86_64", V(6, 11), V(6, 12) + 20 },
	{ FEATURE_URETPROBE_SECCOMP, "x86_64", V(6, 13), V(6, 13) + 8 },
	{ FEATURE_UPROBE_32, "x86_64", V(4, 15), V(5, 3) },
	{ FEATURE_URETPROBE_32, "x86_64", V(3, 10), V(5, 3) },
	{ FEATURE_SWITCH_STATES, NULL, V(4, 14), V(4, 19) + 6 },
	{ FEATURE_FETCH_ZERO, NULL, V(4, 20), UINT_MAX },
};

/*
 * Events and members that came with a release, and only those that tell something new. Not those
 * that replaced another one: older kernels have that. Not events of new system calls: programs make
 * these calls on the newer kernel all the same.
 */
static const struct {
	const char *what;
	unsigned int since;
	bool or_before;			/* at the latest */
} events[] = {
	/* not in 4.4; in between is not known */
	{ "tracepoint:syscalls:sys_enter_execve", V(4, 9), true },
	{ "tracepoint:syscalls:sys_exit_execve", V(4, 9), true },
	{ "tracepoint:syscalls:sys_enter_execveat", V(4, 9), true },
	{ "tracepoint:syscalls:sys_exit_execveat", V(4, 9), true },
	{ "tracepoint:tcp:tcp_probe", V(4, 16) },
	{ "tracepoint:sock:inet_sock_set_state", V(4, 16) },
	{ "tracepoint:block:block_io_start", V(6, 5) },
	{ "member:tcp_sock.bytes_acked", V(4, 1) },
	{ "member:tcp_sock.bytes_received", V(4, 1) },
};

int each_newer(unsigned int code, int (*each)(void *arg, const char *what), void *arg)
{
	int result = 0;

	for (enum feature f = 0; f < FEATURES && !result; f++)
		if (since[f] > code)
			result = each(arg, feature_name(f));
	for (unsigned int i = 0; i < sizeof(events) / sizeof(events[0]) && !result; i++)
		if (events[i].since > code)
			result = each(arg, events[i].what);
	return result;
}

unsigned int kernel_tracepoint_since(const char *name)
{
	static const char tracepoint[] = "tracepoint:";

	for (unsigned int i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!strncmp(events[i].what, tracepoint, strlen(tracepoint)) &&
		    !strcmp(events[i].what + strlen(tracepoint), name) && !events[i].or_before)
			return events[i].since;
	return 0;
}

bool kernel_knows_filesystem(struct kernel *k, const char *type)
{
	const char *list = kernel_text(k, "/proc/filesystems");

	return list && has_word(list, type);
}

/* What was broken for some releases, or removed: the table above. */
static bool release_lacks(struct kernel *k, enum feature f)
{
	unsigned int code = kernel_version_code(k);

	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (lacking[i].feature == f &&
		    code >= lacking[i].from && code < lacking[i].before &&
		    (!lacking[i].arch || !strcmp(kernel_arch(k)->name, lacking[i].arch)))
			return true;
	return false;
}

void feature_by_version(struct kernel *k, enum feature f, struct verdict *v)
{
	unsigned int code = kernel_version_code(k);
	bool there = code >= since[f];

	if (release_lacks(k, f))
		verdict_set(v, UNEXPECTED, "by version: %u.%u.%u lacks it", code >> 16,
			    code >> 8 & 0xff, code & 0xff);
	else if (since[f])
		verdict_set(v, there ? EXPECTED : UNEXPECTED, "by version: since %u.%u",
			    since[f] >> 16, since[f] >> 8 & 0xff);
	else
		verdict_set(v, EXPECTED, "by version: all have it");
}

static const char *const configs[FEATURES] = {
	[FEATURE_BTF] = "CONFIG_DEBUG_INFO_BTF",
	[FEATURE_MEMBARRIER] = "CONFIG_MEMBARRIER",
	[FEATURE_BPF] = "CONFIG_BPF_SYSCALL",
	[FEATURE_FRAME_POINTERS] = "CONFIG_FRAME_POINTER",
	[FEATURE_PERF] = "CONFIG_PERF_EVENTS",
	[FEATURE_FUNCTION_TRACER] = "CONFIG_FUNCTION_TRACER",
	[FEATURE_KPROBES] = "CONFIG_KPROBE_EVENTS",
	[FEATURE_UPROBES] = "CONFIG_UPROBE_EVENTS",
	[FEATURE_SYSCALLS] = "CONFIG_FTRACE_SYSCALLS",
};

const char *feature_config(enum feature f)
{
	return configs[f];
}

/* Where the configuration can be read. */
bool feature_by_config(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *option = feature_config(f);
	const char *config = option ? kernel_text(k, "config") : NULL;
	char line[64];
	bool have;

	if (!config)
		return false;
	snprintf(line, sizeof(line), "\n%s=y\n", option);
	have = strstr(config, line);
	verdict_set(v, have ? EXPECTED : UNEXPECTED, "%s is %sset there", option,
		    have ? "" : "not ");
	return true;
}

/*
 * Kernels for riscv64 read the frames without a word that they can't wait (pagefault_disable). That
 * they are below a lock of the scheduler is known to them only where they count that: elsewhere the
 * fault sleeps, which takes that lock again, and the machine hangs. In an interrupt all know it.
 */
static void user_walk(struct kernel *k, struct verdict *v)
{
	const char *config = kernel_text(k, "config");
	/* The version has PREEMPT, PREEMPT_DYNAMIC or PREEMPT_RT: all of them count. */
	bool counts = strstr(kernel_version_text(k), " PREEMPT") ||
		      (config && strstr(config, "\nCONFIG_PREEMPT_COUNT=y\n"));

	if (strcmp(kernel_arch(k)->name, "riscv64") != 0)
		verdict_set(v, EXPECTED, "all kernels of this machine");
	else
		verdict_set(v, counts ? EXPECTED : UNEXPECTED, "CONFIG_PREEMPT_COUNT is %sset",
			    counts ? "" : "not ");
}

/* Of arm64 all kernels have frame pointers; of others they are not assumed. */
static void frame_pointers(struct kernel *k, struct verdict *v)
{
	bool have = !strcmp(kernel_arch(k)->name, "aarch64");

	verdict_set(v, have ? EXPECTED : UNEXPECTED, have ? "all kernels of this machine" :
		    "its configuration can't be read (/proc/config.gz, /boot/config-RELEASE)");
}

/*
 * ftrace leaves out a fixed number of functions, which should be those that record. Where compilers
 * have put some of these into others, it takes functions of the event's as well.
 */
static void ftrace_stacks(struct kernel *k, struct verdict *v)
{
	bool whole = !kernel_arch(k)->ftrace_stacks_cut;

	verdict_set(v, whole ? EXPECTED : UNEXPECTED, "those of this machine that were tried "
		    "%s", whole ? "are" : "lack the innermost functions");
}

bool feature_by_machine(struct kernel *k, enum feature f, struct verdict *v)
{
	static void (*const machines[FEATURES])(struct kernel *, struct verdict *) = {
		[FEATURE_USER_WALK] = user_walk,
		[FEATURE_FRAME_POINTERS] = frame_pointers,
		[FEATURE_FTRACE_STACKS] = ftrace_stacks,
	};

	if (!machines[f])
		return false;
	machines[f](k, v);
	return true;
}

/* The words of the tracefs README for it. */
static const char *const hints[FEATURES] = {
	[FEATURE_FETCH_ARG] = "$arg<N>",
	[FEATURE_FETCH_STRING] = ", string",
	[FEATURE_FETCH_USTRING] = "ustring",
	[FEATURE_FETCH_ARRAY] = "<array-size>",
	[FEATURE_KRETPROBE_ROOM] = "r[maxactive]",
	[FEATURE_UPROBE_SEMAPHORE] = "(ref_ctr_offset)",
	/* event probes came with the same release as larger records */
	[FEATURE_PERF_LONG] = "e[:",
};

/* It lists fetch arguments from 4.9 on, and only on kernels that have probe events. */
bool feature_by_readme(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *readme = kernel_text(k, "tracefs:README");
	bool there;

	if (!readme || !hints[f] || !strstr(readme, "fetcharg"))
		return false;
	there = strstr(readme, hints[f]);
	verdict_set(v, there ? EXPECTED : UNEXPECTED, "tracefs README %s `%s`",
		    there ? "has" : "lacks", hints[f]);
	return true;
}

bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t n;

		list += strspn(list, " \n\t[]");
		n = strcspn(list, " \n\t[]");
		if (n == length && strncmp(list, word, n) == 0)
			return true;
		list += n;
	}
	return false;
}
