// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/kernel_internal.h"

#define V(major, minor) ((major) << 16 | (minor) << 8)

static const enum feature nothing[] = { FEATURES };

#define NEEDS(...) (const enum feature[]){ __VA_ARGS__, FEATURES }

/*
 * tracefs has the ids of tracepoints and the definitions of probes; samples of clocks and counters
 * need nothing of it. BPF programs are attached to perf events.
 */
static const enum feature *const needs[FEATURES] = {
	[FEATURE_BPF_KPROBE] = NEEDS(FEATURE_BPF, FEATURE_PERF, FEATURE_KPROBES),
	[FEATURE_BPF_UPROBE] = NEEDS(FEATURE_BPF, FEATURE_PERF, FEATURE_UPROBES),
	[FEATURE_BPF_TRACEPOINT] = NEEDS(FEATURE_BPF, FEATURE_PERF),
	[FEATURE_BPF_RAW] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_TYPED] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_FENTRY] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_ITER] = NEEDS(FEATURE_BPF, FEATURE_BTF),
	[FEATURE_BPF_PATH] = NEEDS(FEATURE_BPF_ITER),
	[FEATURE_FENTRY_WHOLE] = NEEDS(FEATURE_BPF_FENTRY),
	[FEATURE_RAW_WHOLE] = NEEDS(FEATURE_BPF_RAW),
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
	[FEATURE_BPF_DIRECT] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_CMPXCHG] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_BACK] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_LOOP] = NEEDS(FEATURE_BPF),
	[FEATURE_BPF_MISSED] = NEEDS(FEATURE_BPF_INFO),
	[FEATURE_PERF] = NEEDS(FEATURE_TRACEFS, FEATURE_PERF_SAMPLES),
	[FEATURE_PERF_CLOCKID] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PERF_LOST] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PERF_NAMESPACES] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PERF_CGROUP] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PERF_LONG] = NEEDS(FEATURE_PERF),
	[FEATURE_USER_REGISTERS] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PMU] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_PMU_CACHE] = NEEDS(FEATURE_PERF_SAMPLES),
	[FEATURE_KPROBE_PMU] = NEEDS(FEATURE_PERF, FEATURE_KPROBES),
	[FEATURE_KPROBE_DOTS] = NEEDS(FEATURE_KPROBE_PMU),
	[FEATURE_KPROBE_UNIQUE] = NEEDS(FEATURE_KPROBE_PMU),
	/*
	 * Without UPROBE_MOUNT a probe does not keep its file system mounted. When sonde is killed,
	 * the kernel may close the probed files before the events.
	 */
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
 * The release that introduced a feature. Vendors backport some features, so the release decides
 * only if nothing better is known.
 */
static const unsigned int since[FEATURES] = {
	[FEATURE_BPF] = V(3, 19),
	[FEATURE_BPF_KPROBE] = V(4, 1),
	[FEATURE_BPF_UPROBE] = V(4, 3),
	[FEATURE_BPF_TRACEPOINT] = V(4, 7),
	[FEATURE_BPF_RAW] = V(4, 17),
	[FEATURE_BPF_TYPED] = V(5, 5),
	[FEATURE_BPF_FENTRY] = V(5, 5),
	[FEATURE_BPF_ITER] = V(5, 8),
	[FEATURE_BPF_PATH] = V(5, 12),
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
	[FEATURE_BPF_DIRECT] = V(5, 2),
	[FEATURE_BPF_CMPXCHG] = V(5, 12),
	[FEATURE_BPF_BACK] = V(5, 3),
	[FEATURE_BPF_LOOP] = V(5, 17),
	/*
	 * The kernel has recursion_misses since 5.12, but programs on tracepoints and kprobes count
	 * in it only since this release. No kernel tells whether they do. A backport is not
	 * assumed, here and for the counts of kretprobes: a count of 0 might be wrong.
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
	/* The event has the function's name. 4.19 takes no dot in one, 5.10 does. */
	[FEATURE_KPROBE_DOTS] = V(5, 10),
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
	[FEATURE_UPROBE_MOUNT] = V(4, 18),	/* a trial may crash the kernel */
	[FEATURE_UPROBE_SEMAPHORE] = V(4, 20),
	[FEATURE_FETCH_ARG] = V(4, 20),
	[FEATURE_FETCH_USTRING] = V(5, 3),
	[FEATURE_FETCH_ARRAY] = V(4, 20),
	[FEATURE_MEMBARRIER] = V(4, 3),
	[FEATURE_WRITTEN_ZEROES] = V(6, 19),
};

/*
 * Releases that lack a feature which other releases have, on all machines: `from` and later ones,
 * before `before`. Those of one machine are in its row (compat/arch).
 *
 * Since 6.11 a return probe of x86_64 uses a system call of its own. The seccomp filters of
 * containers and services do not know the call, and the process dies when the function returns. The
 * fix, of February 2025, lets the call pass all filters. All stable kernels have it since these
 * releases.
 *
 * Probes damage the stacks of 32-bit programs: on returns always, on `push` since 4.15
 * (compat/probing/probe_narrow.c). Later updates of these stable kernels have the fix.
 *
 * sched_switch tells states one bit too high (compat/probing/probe_switch.c). Later updates of
 * these stable kernels have the fix.
 *
 * Since 4.20 a fetch argument that can't be read keeps the bytes that were in the ring's memory
 * before.
 *
 * Before 5.12 a kernel frees the code between a function and its programs while tasks sleep in the
 * function, and they return into it. 5.10 has the fix. Each machine got this code in a release of
 * its own, and some never.
 */
static const struct arch_lack lacking[] = {
	{ FEATURE_SWITCH_STATES, V(4, 14), V(4, 19) + 6 },
	{ FEATURE_FETCH_ZERO, V(4, 20), UINT_MAX },
	{ FEATURE_BPF_FENTRY, V(5, 5), V(5, 10) },
	{ }
};

/*
 * Events and members that a release introduced, if they tell something new. An event that replaced
 * another event is not here: older kernels have the other event. The event of a new system call is
 * not here: programs make the call on the newer kernel also if the event is hidden.
 */
static const struct {
	const char *what;
	unsigned int since;
	bool or_before;			/* `since` at the latest */
} events[] = {
	/* 4.4 lacks these; the releases in between are unknown */
	{ "tracepoint:syscalls:sys_enter_execve", V(4, 9), true },
	{ "tracepoint:syscalls:sys_exit_execve", V(4, 9), true },
	{ "tracepoint:syscalls:sys_enter_execveat", V(4, 9), true },
	{ "tracepoint:syscalls:sys_exit_execveat", V(4, 9), true },
	{ "tracepoint:tcp:tcp_probe", V(4, 16) },
	{ "tracepoint:sock:inet_sock_set_state", V(4, 16) },
	{ "tracepoint:block:block_io_start", V(6, 5) },
	{ "tracepoint:sock:sock_send_length", V(6, 3) },
	{ "tracepoint:sock:sock_recv_length", V(6, 3) },
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

static bool among(const struct arch_lack *rows, enum feature f, unsigned int code)
{
	for (const struct arch_lack *row = rows; row->before; row++)
		if (row->feature == f && code >= row->from && code < row->before)
			return true;
	return false;
}

/* Returns true if this release lacks the feature by the tables. */
static bool release_lacks(struct kernel *k, enum feature f)
{
	const unsigned int code = kernel_version_code(k);

	return among(lacking, f, code) || among(kernel_arch(k)->lacks, f, code);
}

void feature_by_version(struct kernel *k, enum feature f, struct verdict *v)
{
	unsigned int code = kernel_version_code(k);
	bool there = code >= since[f];

	if (release_lacks(k, f))
		verdict_set(v, UNEXPECTED, "Linux %u.%u.%u lacks it", code >> 16,
			    code >> 8 & 0xff, code & 0xff);
	else if (since[f])
		verdict_set(v, there ? EXPECTED : UNEXPECTED, "Linux has it since %u.%u",
			    since[f] >> 16, since[f] >> 8 & 0xff);
	else
		verdict_set(v, EXPECTED, "all of Linux has it");
}

static const char *const configs[FEATURES] = {
	[FEATURE_BTF] = "CONFIG_DEBUG_INFO_BTF",
	[FEATURE_MEMBARRIER] = "CONFIG_MEMBARRIER",
	[FEATURE_BPF] = "CONFIG_BPF_SYSCALL",
	[FEATURE_FRAME_POINTERS] = "CONFIG_FRAME_POINTER",
	[FEATURE_PERF_SAMPLES] = "CONFIG_PERF_EVENTS",
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

/* Returns false if no option decides, or if the configuration can't be read. */
bool feature_by_config(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *option = feature_config(f);
	const char *config = option ? kernel_text(k, "config") : NULL;
	char line[64];
	bool have;

	if (!config)
		return false;
	text_all(line, sizeof(line), "\n%s=y\n", option);
	have = strstr(config, line);
	verdict_set(v, have ? EXPECTED : UNEXPECTED, "%s is %sset there", option,
		    have ? "" : "not ");
	return true;
}

/*
 * A kernel of riscv64 reads user frames without telling that the fault must not sleep
 * (pagefault_disable). In an interrupt the fault does not sleep. Below a lock of the scheduler it
 * does not sleep only if the kernel counts disabled preemption. Without the count the fault sleeps,
 * sleeping takes the same lock again, and the machine hangs.
 */
static void user_walk(struct kernel *k, struct verdict *v)
{
	const char *config = kernel_text(k, "config");
	/* The version text has PREEMPT, PREEMPT_DYNAMIC or PREEMPT_RT: all three kinds count. */
	bool counts = strstr(kernel_version_text(k), " PREEMPT") ||
		      (config && strstr(config, "\nCONFIG_PREEMPT_COUNT=y\n"));

	if (!kernel_arch(k)->user_walk_sleeps)
		verdict_set(v, EXPECTED, "all kernels of this machine");
	else
		verdict_set(v, counts ? EXPECTED : UNEXPECTED, "CONFIG_PREEMPT_COUNT is %sset",
			    counts ? "" : "not ");
}

/*
 * All kernels of arm64 have frame pointers. On other machines only the configuration tells: without
 * it frame pointers are not expected.
 */
static void frame_pointers(struct kernel *k, struct verdict *v)
{
	bool have = kernel_arch(k)->frame_pointers;

	verdict_set(v, have ? EXPECTED : UNEXPECTED, have ? "all kernels of this machine" :
		    "its configuration can't be read (/proc/config.gz, /boot/config-RELEASE)");
}

/*
 * ftrace leaves out a fixed number of innermost functions, which should be its own. Where the
 * compiler inlined some of its own functions, ftrace also leaves out functions of the event.
 */
static void ftrace_stacks(struct kernel *k, struct verdict *v)
{
	bool whole = !kernel_arch(k)->ftrace_stacks_cut;

	verdict_set(v, whole ? EXPECTED : UNEXPECTED, "those of this machine that were tried "
		    "%s", whole ? "are" : "lack the innermost functions");
}

/*
 * A kernel that is built so says it in its version: PREEMPT, PREEMPT_DYNAMIC, PREEMPT_RT. One that
 * is DYNAMIC may be told not to do so.
 */
bool kernel_preempts(struct kernel *k)
{
	const char *now = kernel_text(k, "/sys/kernel/debug/sched/preempt");

	return strstr(kernel_version_text(k), " PREEMPT") &&
	       !(now && (strstr(now, "(none)") || strstr(now, "(voluntary)")));
}

void verdict_whole(struct kernel *k, bool skips, struct verdict *v)
{
	const bool preempts = kernel_preempts(k);

	verdict_set(v, skips && preempts ? UNEXPECTED : EXPECTED, "%s",
		    !skips ? "the kernel skips no such program" :
		    preempts ? "tasks may lose the CPU in the middle of such a program, and the "
			       "kernel skips those of others then" :
			       "tasks do not lose the CPU in the middle of such a program");
}

/* The release that began to skip a program which runs already on the CPU. */
static void fentry_whole(struct kernel *k, struct verdict *v)
{
	verdict_whole(k, kernel_version_code(k) >= V(5, 12), v);
}

/* The release whose tracepoints leave preemption on while programs run. */
static void raw_whole(struct kernel *k, struct verdict *v)
{
	const bool open = kernel_version_code(k) >= V(7, 0), preempts = kernel_preempts(k);

	verdict_set(v, open && preempts ? UNEXPECTED : EXPECTED, "%s",
		    open && preempts ? "tasks may lose the CPU in the middle of such a program, "
				       "and the kernel skips those of others then" :
		    "tasks do not lose the CPU in the middle of such a program");
}

bool feature_by_machine(struct kernel *k, enum feature f, struct verdict *v)
{
	static void (*const machines[FEATURES])(struct kernel *, struct verdict *) = {
		[FEATURE_USER_WALK] = user_walk,
		[FEATURE_FRAME_POINTERS] = frame_pointers,
		[FEATURE_FTRACE_STACKS] = ftrace_stacks,
		[FEATURE_FENTRY_WHOLE] = fentry_whole,
		[FEATURE_RAW_WHOLE] = raw_whole,
	};

	if (!machines[f])
		return false;
	machines[f](k, v);
	return true;
}

/* Words of the tracefs README that show the feature. */
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

/* The README lists fetch arguments since 4.9, and only on kernels that have probe events. */
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
