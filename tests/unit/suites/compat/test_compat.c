// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "compat/kernel/constants.h"
#include "compat/kernel/doubt.h"
#include "compat/kernel/kernel.h"
#include "compat/kernel/kernel_internal.h"
#include "compat/listing/listing.h"
#include "compat/probing/probe.h"
#include "compat/probing/running.h"
#include "compat/report/report.h"
#include "compat/base/escape.h"
#include "compat/report/snapshot_write.h"
#include "tests/unit/helpers/temporary.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_compat(void);

#define OLD KERNELS "/3.10"
#define NEW KERNELS "/6.1"

static struct kernel *snapshot(const char *dir)
{
	struct error err;
	struct kernel *k = kernel_snapshot(dir, &err);

	ck_assert_msg(k != NULL, "%s", err.text);
	return k;
}

/* Equal strings, or both NULL. */
static void assert_same(const char *a, const char *b)
{
	ck_assert_str_eq(a ? a : "(none)", b ? b : "(none)");
}

/* Snapshots */

static const struct {
	const char *dir, *release, *tracefs;
	unsigned int code;
} identities[] = {
	{ OLD, "3.10.108", "/sys/kernel/debug/tracing", 3 << 16 | 10 << 8 | 108 },
	{ NEW, "6.1.0-50-cloud-amd64", "/sys/kernel/tracing", 6 << 16 | 1 << 8 | 176 },
};

START_TEST(identity_of_snapshots)
{
	struct kernel *k = snapshot(identities[_i].dir);

	ck_assert(!kernel_live(k));
	ck_assert_str_eq(kernel_release(k), identities[_i].release);
	ck_assert_uint_eq(kernel_version_code(k), identities[_i].code);
	ck_assert_str_eq(kernel_arch(k)->name, "x86_64");
	ck_assert_str_eq(kernel_tracefs(k), identities[_i].tracefs);
	kernel_free(k);
}
END_TEST

/* What `uname -a` says in other houses, and what is made of it. */
static const struct {
	const char *text, *release, *arch;
	unsigned int code;
} unames[] = {
	{ "Linux h 4.14.336 #1 SMP Tue Feb 1 2024 armv7l GNU/Linux\n", "4.14.336", "armv7l",
	  4 << 16 | 14 << 8 | 255 },
	{ "Linux h 5.15.0-91-generic #101-Ubuntu SMP x86_64 x86_64 x86_64 GNU/Linux",
	  "5.15.0-91-generic", "x86_64",
	  5 << 16 | 15 << 8 },
	{ "Linux h 4.9.0-12-arm64 #1 SMP Debian 4.9.210-1 (2020-01-20) aarch64", "4.9.0-12-arm64",
	  "aarch64",
	  4 << 16 | 9 << 8 | 210 },
	{ "Linux h 6.6.1 #1 s390x GNU/Linux", "6.6.1", "s390x", 6 << 16 | 6 << 8 | 1 },
	{ "Linux h 6.6.1 #1 sparc64 GNU/Linux", "6.6.1", "unknown", 6 << 16 | 6 << 8 | 1 },
	{ "Linux h next #1 x86_64 GNU/Linux", NULL, NULL, 0 },
	{ "Linux h", NULL, NULL, 0 },
	{ "", NULL, NULL, 0 },
};

START_TEST(identity_by_uname)
{
	struct error err;
	struct kernel *k;
	char *dir = temporary();

	write_text(dir, "uname", unames[_i].text);
	k = kernel_snapshot(dir, &err);
	if (!unames[_i].release) {
		ck_assert_ptr_null(k);
		ck_assert_ptr_nonnull(strstr(err.text, "is not a snapshot of a kernel"));
	} else {
		ck_assert_ptr_nonnull(k);
		ck_assert_str_eq(kernel_release(k), unames[_i].release);
		ck_assert_str_eq(kernel_arch(k)->name, unames[_i].arch);
		ck_assert_uint_eq(kernel_version_code(k), unames[_i].code);
		/* A folder with no more than this: nothing is there, nothing crashes. */
		ck_assert_ptr_null(kernel_tracefs(k));
		ck_assert_int_eq(kernel_feature(k, FEATURE_TRACEFS), NO);
		ck_assert_ptr_null(kernel_format(k, "sched", "sched_switch"));
		ck_assert_ptr_null(kernel_function(k, "vfs_read"));
		for (enum feature f = 0; f < FEATURES; f++)
			ck_assert_ptr_nonnull(kernel_feature_reason(k, f).text);
	}
	kernel_free(k);
	remove_all(dir);
}
END_TEST

START_TEST(no_snapshot_there)
{
	struct error err;

	ck_assert_ptr_null(kernel_snapshot("/nonexistent", &err));
	ck_assert_str_eq(err.text,
			 "/nonexistent is not a snapshot of a kernel: No such file or directory\n"
				   "make one with `sonde snapshot DIR`");
}
END_TEST

static const struct {
	const char *dir, *path, *text;
} texts[] = {
	{ NEW, "/proc/sys/kernel/perf_event_paranoid", "3" },
	{ NEW, "/proc/sys/kernel/perf_event", NULL },
	{ NEW, "/proc/sys/kernel/nosuch", NULL },
	{ NEW, "/sys/bus/event_source/devices/uprobe/type", "7" },
	{ NEW, "/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset", "config:32-63" },
	{ NEW, "/sys/bus/event_source/devices/nosuch/type", NULL },
	{ OLD, "/sys/bus/event_source/devices/kprobe/type", NULL },
	{ OLD, "tracefs:trace_clock", "[local] global counter uptime perf x86-tsc\n" },
	{ OLD, "tracefs:nosuch", NULL },
	{ OLD, "/proc/self/status", NULL },
};

START_TEST(texts_of_snapshots)
{
	struct kernel *k = snapshot(texts[_i].dir);

	assert_same(kernel_text(k, texts[_i].path), texts[_i].text);
	assert_same(kernel_text(k, texts[_i].path), texts[_i].text);
	kernel_free(k);
}
END_TEST

START_TEST(formats_of_snapshots)
{
	struct kernel *k = snapshot(OLD);
	const struct format *f = kernel_format(k, "sched", "sched_switch");

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_eq(f, kernel_format(k, "sched", "sched_switch"));
	ck_assert_uint_eq(format_field(f, "prev_state")->size, 8);
	ck_assert(format_field(f, "prev_state")->is_signed);
	ck_assert_ptr_null(kernel_format(k, "sched", "nosuch"));
	ck_assert_ptr_null(kernel_format(k, "sock", "inet_sock_set_state"));
	ck_assert_ptr_null(kernel_format(k, "block/../sched", "sched_switch"));
	ck_assert_ptr_null(kernel_format(k, "block", "../sched/sched_switch"));
	kernel_free(k);
}
END_TEST

static const struct {
	const char *dir, *name, *symbol;
} snapshot_functions[] = {
	{ OLD, "do_filp_open", "do_filp_open" },
	{ OLD, "finish_task_switch", "finish_task_switch" },
	{ OLD, "account_page_dirtied", "account_page_dirtied" },
	{ NEW, "finish_task_switch", "finish_task_switch.isra.0" },
	{ NEW, "account_page_dirtied", NULL },
	{ NEW, "__ia32_compat_sys_openat", "__ia32_compat_sys_openat" },
	{ NEW, "do_execveat_common", "do_execveat_common.isra.0" },
	{ NEW, "__ia32_sys_nosuch", NULL },
};

START_TEST(functions_of_snapshots)
{
	struct kernel *k = snapshot(snapshot_functions[_i].dir);
	const char *symbol = kernel_function(k, snapshot_functions[_i].name);

	assert_same(symbol, snapshot_functions[_i].symbol);
	ck_assert_ptr_eq(symbol, kernel_function(k, snapshot_functions[_i].name));
	kernel_free(k);
}
END_TEST

/* The letters are answers in the order of features.def: y(es), n(o), e(xpected), u(nexpected). */
static const struct {
	const char *kernel, *answers;
} known[] = {
	{ KERNELS "/3.10",
	  "nnnnnnnnnnnnnnnnnnnnnnnneuennnnnnnnnnnn" "u" "yyuuuuuuuee" "nnnu"
	  "yenueyuuyuuuueeuy" "ueueuue" "ue" },
	{ KERNELS "/6.1",
	  "yyeyeeeeeeeeyeeyeeeeeeyyeueeeueeeeeeeeu" "e" "yyeeeeeeuee" "yeuy"
	  "yeyeeyeuyeeeeeeey" "ueeeeeu" "ee" },
	{ KERNELS "/4.1",
	  "yyunuuuuuuuununnuuuuuunneueuuuuuunuuuuu" "u" "yyeuuuueuee" "nnnu"
	  "yeyueyuuyeeuueeuy" "ueueuue" "ue" },
	{ KERNELS "/4.4",
	  "yyenuuuuuuuuneenuuuuuunneueuuuuuuuuuuuu" "u" "yyeuuuueuee" "nnnu"
	  "yeyueyuuyeeuueeuy" "ueueuue" "ee" },
	{ KERNELS "/4.9",
	  "yyeyuuuuuuueneenuueuueyyeueuuuuuuuuuuuu" "u" "yyeuuuueuee" "nnnu"
	  "yeyueyuuyeeuueeuy" "ueueuue" "ee" },
	{ KERNELS "/4.12",
	  "yyeyuuuuuuueneeneueuueyyeueuuuuuuuuuuuu" "u" "yyeueuueuee" "nnnu"
	  "yeyueyuuyeeuueeuy" "ueueuue" "ee" },
	{ KERNELS "/4.19",
	  "yyeyuuuuuuueyeeneueueeyyeueeuueeuuuuuuu" "u" "yyeueuueuee" "yuuy"
	  "yeyueyeuyeeeueuuy" "ueueuue" "ee" },
	{ KERNELS "/5.10",
	  "yyeyeeeeueeeyeeyeeeueeyyeueeuueeeeeueuu" "e" "yyeueeueuee" "yeuy"
	  "yeyeeyeuyeeeeeeey" "ueeeeeu" "ee" },
	{ KERNELS "/6.12",
	  "yyeyeeeeeueeyeeyeeeeeeyyeueeeeeeeeeeeee" "e" "yyeeeeeeuee" "yeey"
	  "yeyeeyeeyeeeeeeey" "ueeeeeu" "ee" },
	{ KERNELS "/7.2",
	  "yyeyeeeeeuueyeeyeeeeeeyyeueeeeeeeeeeeee" "e" "yyeeeeeeuee" "yeey"
	  "yeyeeyeeyeeeeeeey" "eeeeeeu" "ee" },
};

START_TEST(features_of_kernels)
{
	static const char letters[] = { [NO] = 'n', [YES] = 'y', [UNEXPECTED] = 'u',
					[EXPECTED] = 'e' };
	struct kernel *k = snapshot(known[_i].kernel);

	ck_assert_uint_eq(strlen(known[_i].answers), FEATURES);
	for (enum feature f = 0; f < FEATURES; f++) {
		char letter = letters[kernel_feature(k, f)];

		ck_assert_ptr_nonnull(kernel_feature_reason(k, f).text);
		ck_assert_msg(letter == known[_i].answers[f], "%s: %s is %c (%s), not %c",
			      known[_i].kernel,
			      feature_name(f), letter, kernel_feature_reason(k, f).text,
			      known[_i].answers[f]);
	}
	kernel_free(k);
}
END_TEST

/* What the kernel has, what no kernel has, and what this one does not tell. */
START_TEST(constants_of_kernels)
{
	struct kernel *k = snapshot(known[_i].kernel);
	struct error err;
	int64_t value;

	ck_assert_int_eq(kernel_constant(k, "sleeping_states", &value, &err), 1);
	ck_assert_int_eq(value + 1, (int64_t)format_preempted_bit(kernel_format(k, "sched",
										"sched_switch")));
	ck_assert_int_eq(kernel_constant(k, "states_shifted", &value, &err), 1);
	ck_assert_int_eq(value, 0);
	ck_assert_int_eq(kernel_without(k, "switch-states", &err), 0);
	ck_assert_int_eq(kernel_constant(k, "states_shifted", &value, &err), 1);
	ck_assert_int_eq(value, 1);
	ck_assert_int_eq(kernel_constant(k, "sleeping_states", &value, &err), 1);
	ck_assert_int_eq(2 * (value + 1), (int64_t)format_preempted_bit(
						kernel_format(k, "sched", "sched_switch")));
	ck_assert_int_eq(kernel_constant(k, "no_such_bit", &value, &err), 0);
	ck_assert_int_eq(kernel_without(k, "tracepoint:sched:sched_switch", &err), 0);
	ck_assert_int_eq(kernel_constant(k, "sleeping_states", &value, &err), -1);
	ck_assert_str_eq(err.text, "sched_switch does not tell its flag for preempted tasks");
	kernel_free(k);
}
END_TEST

/* What is taken away takes along what rests on it, and nothing else. */
static const struct {
	const char *without;
	enum feature feature;
	bool has;
} taken[] = {
	{ "bpf", FEATURE_BPF, false },
	{ "bpf", FEATURE_BPF_SYSCALL, false },
	{ "bpf", FEATURE_BPF_RINGBUF, false },
	{ "bpf", FEATURE_PERF, true },
	{ "bpf", FEATURE_KPROBES, true },
	{ "kprobes", FEATURE_BPF_KPROBE, false },
	{ "kprobes", FEATURE_KPROBE_PMU, false },
	{ "kprobes", FEATURE_FETCH_ARG, false },
	{ "kprobes", FEATURE_BPF_TRACEPOINT, true },
	{ "kprobes", FEATURE_UPROBES, true },
	{ "kprobes", FEATURE_BPF_UPROBE, true },
	{ "uprobes", FEATURE_BPF_UPROBE, false },
	{ "uprobes", FEATURE_UPROBE_FETCH, false },
	{ "uprobes", FEATURE_UPROBE_PMU, false },
	{ "uprobe-mount", FEATURE_UPROBE_PMU, false },
	{ "bpf-tracepoint", FEATURE_BPF_SYSCALL, false },
	{ "bpf-tracepoint", FEATURE_BPF_KPROBE, true },
	{ "syscall-tracepoints", FEATURE_BPF_SYSCALL, false },
	{ "perf", FEATURE_BPF_OUTPUT, false },
	{ "perf", FEATURE_INSTANCES, true },
	{ "tracefs", FEATURE_KPROBES, false },
	{ "tracefs", FEATURE_INSTANCES, false },
	{ "tracefs", FEATURE_PERF, false },
	{ "tracefs", FEATURE_PERF_SAMPLES, true },
	{ "tracefs", FEATURE_PERF_CLOCKID, true },
	{ "tracefs", FEATURE_SYSCALLS, false },
	{ "ringbuf,probe_read_str", FEATURE_BPF_RINGBUF, false },
	{ "ringbuf,probe_read_str", FEATURE_BPF_READ_STR, false },
	{ "ringbuf,probe_read_str", FEATURE_BPF_READ_SPLIT, true },
	/* Releases: what came after them. */
	{ "3.10", FEATURE_BPF, false },
	{ "3.10", FEATURE_PERF_CLOCKID, false },
	{ "3.10", FEATURE_INSTANCES, true },
	{ "4.1", FEATURE_BPF_KPROBE, true },
	{ "4.1", FEATURE_BPF_IDENTITY, false },
	{ "4.1", FEATURE_BPF_UPROBE, false },
	{ "3.13", FEATURE_UPROBE_FETCH, false },
	{ "4.1", FEATURE_UPROBE_FETCH, true },
	{ "4.4", FEATURE_BPF_OUTPUT, true },
	{ "4.4", FEATURE_BPF_PERCPU, false },
	{ "4.9", FEATURE_BPF_TRACEPOINT, true },
	{ "4.9", FEATURE_BPF_SYSCALL, false },
	{ "4.10", FEATURE_BPF_READ_STR, false },
	{ "4.14", FEATURE_BPF_SYSCALL, true },
	{ "4.17", FEATURE_KPROBE_PMU, true },
	{ "4.17", FEATURE_UPROBE_MOUNT, false },
	{ "4.18", FEATURE_UPROBE_MOUNT, true },
	{ "4.17", FEATURE_FETCH_ARG, false },
	{ "5.4", FEATURE_BPF_READ_SPLIT, false },
	{ "5.4", FEATURE_FETCH_USTRING, true },
	{ "5.4,kprobes", FEATURE_KPROBE_PMU, false },
	{ "6.1", FEATURE_PERF_LOST, true },
	{ "5.0", FEATURE_BPF_FULL, false },
	{ "5.1", FEATURE_BPF_FULL, true },
	{ "bpf-output", FEATURE_BPF_FULL, false },
	{ "4.19", FEATURE_BPF_DIRECT, false },
	{ "5.10", FEATURE_BPF_DIRECT, true },
	{ "5.10", FEATURE_BPF_CMPXCHG, false },
	{ "5.12", FEATURE_BPF_CMPXCHG, true },
	{ "5.14", FEATURE_BPF_TASK_REGS, false },
	{ "5.15", FEATURE_BPF_TASK_REGS, true },
	{ "btf", FEATURE_BPF_TASK_REGS, false },
	{ "3.10", FEATURE_URETPROBE_SECCOMP, true },
	{ "uprobes", FEATURE_URETPROBE_SECCOMP, false },
	{ "uprobes", FEATURE_URETPROBE_32, false },
	{ "uprobe-32", FEATURE_UPROBE_32, false },
	{ "uprobe-32", FEATURE_URETPROBE_32, true },
};

START_TEST(without_features)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	/* also: what was answered before is forgotten */
	ck_assert(kernel_has(k, taken[_i].feature));
	ck_assert_int_eq(kernel_without(k, taken[_i].without, &err), 0);
	ck_assert_int_eq(kernel_has(k, taken[_i].feature), taken[_i].has);
	if (!taken[_i].has) {
		ck_assert_ptr_nonnull(strstr(kernel_feature_reason(k, taken[_i].feature).text,
					     "--without"));
		ck_assert_int_eq(kernel_feature_reason(k, taken[_i].feature).cause, CAUSE_WITHOUT);
	}
	kernel_free(k);
}
END_TEST

START_TEST(without_events_and_functions)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	ck_assert_ptr_nonnull(kernel_format(k, "sched", "sched_switch"));
	ck_assert_ptr_nonnull(kernel_function(k, "do_filp_open"));
	ck_assert_int_eq(kernel_without(k, "tracepoint:sched:sched_switch,function:do_filp_open",
					&err), 0);
	ck_assert_ptr_null(kernel_format(k, "sched", "sched_switch"));
	ck_assert_ptr_nonnull(kernel_format(k, "sched", "sched_wakeup"));
	ck_assert_ptr_null(kernel_function(k, "do_filp_open"));
	ck_assert_ptr_nonnull(kernel_function(k, "getname"));
	ck_assert_ptr_nonnull(kernel_format(k, "syscalls", "sys_enter_openat"));
	ck_assert_int_eq(kernel_without(k, "syscall-tracepoints", &err), 0);
	ck_assert_ptr_null(kernel_format(k, "syscalls", "sys_enter_openat"));
	ck_assert_int_eq(kernel_without(k, "tracefs", &err), 0);
	ck_assert_ptr_null(kernel_tracefs(k));
	ck_assert_ptr_null(kernel_format(k, "sched", "sched_wakeup"));
	ck_assert_ptr_null(kernel_text(k, "tracefs:README"));
	kernel_free(k);
}
END_TEST

START_TEST(without_events_of_later_releases)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	ck_assert_int_eq(kernel_without(k, "4.16", &err), 0);
	ck_assert_ptr_nonnull(kernel_format(k, "sock", "inet_sock_set_state"));
	ck_assert_ptr_nonnull(kernel_format(k, "syscalls", "sys_enter_execve"));
	ck_assert_int_eq(kernel_without(k, "4.9", &err), 0);
	ck_assert_ptr_null(kernel_format(k, "sock", "inet_sock_set_state"));
	ck_assert_ptr_nonnull(kernel_format(k, "syscalls", "sys_enter_execve"));
	ck_assert_int_eq(kernel_without(k, "4.4", &err), 0);
	ck_assert_ptr_null(kernel_format(k, "syscalls", "sys_enter_execve"));
	ck_assert_ptr_nonnull(kernel_format(k, "syscalls", "sys_enter_openat"));
	kernel_free(k);
}
END_TEST

static const char *const wrong_lists[] = {
	"nosuch", "bpf,nosuch", "bpf,", ",bpf", "", "BPF", "tracepoint:", "tracepoint:sched",
	"tracepoint:sched:",
	"tracepoint::sched_switch", "function:", "4", "4.", "4.9.1", "4.9x", "4.9-rc1",
	"+4.9", "4.123",
};

START_TEST(without_unknown_features)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	ck_assert_int_eq(kernel_without(k, wrong_lists[_i], &err), -1);
	for (enum feature f = 0; f < FEATURES; f++)
		ck_assert_msg(strstr(err.text, feature_name(f)) != NULL, "no %s in: %s",
			      feature_name(f), err.text);
	ck_assert_ptr_nonnull(strstr(err.text, "tracepoint:SYSTEM:EVENT"));
	ck_assert_ptr_nonnull(strstr(err.text, "function:NAME"));
	ck_assert_int_eq(kernel_without(k, wrong_lists[_i], NULL), -1);
	kernel_free(k);
}
END_TEST

/* Needs of needs come to an end; names are what --without can take. */
START_TEST(needs_and_names_are_sound)
{
	for (enum feature f = 0; f < FEATURES; f++) {
		for (const enum feature *need = feature_needs(f); *need != FEATURES; need++)
			for (const enum feature *further = feature_needs(*need);
			     *further != FEATURES; further++)
				ck_assert_int_ne(*further, f);
		ck_assert_uint_gt(strlen(feature_text(f)), 0);
		ck_assert_ptr_null(strpbrk(feature_name(f), ", :"));
		for (enum feature g = 0; g < f; g++)
			ck_assert_str_ne(feature_name(f), feature_name(g));
	}
}
END_TEST

/* Writing */

static const char *const snapshots[] = { OLD, NEW };

START_TEST(a_written_snapshot_answers_alike)
{
	static const char *const same[] = {
		"tracefs:README", "tracefs:trace_clock", "tracefs:available_events", "pmu",
		"pmu-formats", "limits",
		"bpf-check",
	};
	struct kernel *k = snapshot(snapshots[_i]), *copy;
	char *dir = temporary(), below[300];
	struct error err;

	snprintf(below, sizeof(below), "%s/new", dir);
	ck_assert_msg(snapshot_write(k, below, &err) == 0, "%s", err.text);
	copy = snapshot(below);
	ck_assert_str_eq(kernel_release(copy), kernel_release(k));
	ck_assert_str_eq(kernel_arch(copy)->name, kernel_arch(k)->name);
	ck_assert_uint_eq(kernel_version_code(copy), kernel_version_code(k));
	ck_assert_str_eq(kernel_tracefs(copy), kernel_tracefs(k));
	for (int i = 0; i < COUNT_OF(same); i++) {
		ck_assert_msg(kernel_text(k, same[i]) && kernel_text(copy, same[i]),
			      "no %s", same[i]);
		ck_assert_str_eq(kernel_text(copy, same[i]), kernel_text(k, same[i]));
	}
	for (enum feature f = 0; f < FEATURES; f++) {
		struct feature_reason read = kernel_feature_reason(copy, f);
		struct feature_reason written = kernel_feature_reason(k, f);

		ck_assert_int_eq(kernel_feature(copy, f), kernel_feature(k, f));
		ck_assert_str_eq(read.text, written.text);
		ck_assert_int_eq(read.root, written.root);
		ck_assert_int_eq(read.cause, written.cause);
	}
	for (int i = 0; i < COUNT_OF(snapshot_functions); i++)
		assert_same(kernel_function(copy, snapshot_functions[i].name),
			    kernel_function(k, snapshot_functions[i].name));
	ck_assert_str_eq(kernel_format(copy, "sched", "sched_switch")->print,
			 kernel_format(k, "sched", "sched_switch")->print);
	ck_assert_ptr_nonnull(kernel_format(copy, "syscalls", "sys_exit_openat"));
	ck_assert_ptr_nonnull(kernel_format(copy, "ftrace", "kernel_stack"));
	/* Twice into one folder would mix two kernels. */
	ck_assert_int_eq(snapshot_write(k, below, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not empty"));
	kernel_free(copy);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/*
 * Doubled functions stay doubled; texts of a configuration, and events people made, stay at home.
 */
START_TEST(nothing_private_is_written)
{
	char *dir = temporary(), from[300], to[300], command[400];
	struct kernel *k, *copy;
	struct error err;

	snprintf(from, sizeof(from), "%s/from", dir);
	snprintf(to, sizeof(to), "%s/to", dir);
	make_dir(dir, "from");
	write_text(from, "uname", "Linux secrethost 5.10.1 #1 SMP x86_64 GNU/Linux\n");
	write_text(from, "tracefs-path", "/sys/kernel/tracing\n");
	write_text(from, "available_events",
		   "sched:sched_switch\nuprobes:secretprobe\nsynthetic:secretlatency\n");
	/* What is not compressed is read as it is. */
	write_text(from, "config.gz", "CONFIG_HZ=250\nCONFIG_DEFAULT_HOSTNAME=\"secret\"\n"
				      "# CONFIG_BTRFS is not set\n");
	write_text(from, "kallsyms-names.gz", "T one\nt two\nt two\nD data\n");
	k = snapshot(from);
	ck_assert_msg(snapshot_write(k, to, &err) == 0, "%s", err.text);
	copy = snapshot(to);
	assert_same(kernel_text(copy, "tracefs:available_events"), "sched:sched_switch\n");
	assert_same(kernel_text(copy, "config"), "CONFIG_HZ=250\n# CONFIG_BTRFS is not set\n");
	assert_same(kernel_function(copy, "one"), "one");
	assert_same(kernel_function(copy, "two"), NULL);
	assert_same(kernel_function(copy, "data"), NULL);
	snprintf(command, sizeof(command), "! grep -rq secret '%s'", to);
	ck_assert_int_eq(system(command), 0);
	kernel_free(copy);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/*
 * The list of tracepoints as the kernel hands it over while probes come and go: lines are missing
 * or come twice, until nobody does that any more.
 */
static char *unsteady_text(struct kernel *k, const char *path, size_t *length)
{
	static const char *const reads[] = {
		"b:two\nsonde_1:p\nc:three\n", "a:one\nb:two\nb:two\n",
		"a:one\nb:two\nc:three\n", "a:one\n",
	};
	static unsigned int n;

	(void)k, (void)path, (void)length;
	return strdup(reads[n++]);
}

static char *any_folder(struct kernel *k)
{
	(void)k;
	return strdup("/none");
}

static bool any_name(void *arg, const char *name)
{
	(void)arg, (void)name;
	return true;
}

START_TEST(tracepoints_while_probes_come_and_go)
{
	const struct facts facts = { .live = true, .tracefs = any_folder, .text = unsteady_text };
	const struct wanted_names all = { .wanted = any_name };
	struct kernel k = { .facts = &facts };
	struct listing l = { };
	struct error err;

	ck_assert_msg(!list_tracepoints(&k, &all, &l, &err), "%s", err.text);
	ck_assert_uint_eq(l.n, 3);
	assert_same(l.list[0].name, "a:one");
	assert_same(l.list[1].name, "b:two");
	assert_same(l.list[2].name, "c:three");
	listing_free(&l);
	free(k.tracefs);
}
END_TEST

START_TEST(nowhere_to_write)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	ck_assert_int_eq(snapshot_write(k, "/nonexistent/dir", &err), -1);
	ck_assert_str_eq(err.text,
			 "can't make the folder /nonexistent/dir: No such file or directory");
	kernel_free(k);
}
END_TEST

/* The report */

static void print_tools(void *arg, FILE *out, struct jsonw *json)
{
	if (!json) {
		fputs(arg, out);
		return;
	}
	jsonw_open(json, arg, '[');
	jsonw_close(json, ']');
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

START_TEST(report_of_a_snapshot)
{
	struct kernel *k = snapshot(NEW);
	char *text = NULL, quoted[64];
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(features_print(k, _i, out, print_tools, _i ? "tools" :
					"tools follow\n"), 0);
	fclose(out);
	for (enum feature f = 0; f < FEATURES; f++) {
		snprintf(quoted, sizeof(quoted), _i ? "\"%s\": {\"answer\": \"" : "\n%s ",
			 feature_name(f));
		ck_assert_msg(strstr(text, quoted) != NULL, "no %s", quoted);
	}
	if (_i) {
		ck_assert(begins(text, "{\"kernel\": \"6.1.0-50-cloud-amd64\", \"version\": "
				       "\"6.1.176\", \"arch\": \"x86_64\""));
		ck_assert_ptr_nonnull(strstr(text,
					     "\"ringbuf\": {\"answer\": \"yes\", \"what\": "));
		ck_assert_ptr_nonnull(strstr(text, "\"perf_event_paranoid\": \"3\""));
		ck_assert_ptr_nonnull(strstr(text, "\"map_types\": [\"hash\", \"array\", "));
		ck_assert_str_eq(text + length - strlen(", \"tools\": []}\n"),
				 ", \"tools\": []}\n");
		ck_assert_ptr_eq(strchr(text, '\n'), text + length - 1);
	} else {
		ck_assert(begins(text, "kernel 6.1.0-50-cloud-amd64 (6.1.176), x86_64, from a "
				       "snapshot\n"));
		ck_assert_str_eq(text + length - strlen("tools follow\n"), "tools follow\n");
	}
	free(text);
	kernel_free(k);
}
END_TEST

START_TEST(json_strings)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	json_string(out, "a\"b\\c\n\x1b[0mé\xff");
	fclose(out);
	ck_assert_str_eq(text, "\"a\\\"b\\\\c\\n\\u001b[0mé\\udcff\"");
	free(text);
}
END_TEST

/*
 * The running kernel, with the tests' rights: every question has an answer, and the same one
 * twice.
 */
START_TEST(the_running_kernel)
{
	struct kernel *k = kernel_running();
	struct utsname name;
	struct error err;
	enum answer answer;

	ck_assert_int_eq(uname(&name), 0);
	ck_assert(kernel_live(k));
	ck_assert_str_eq(kernel_release(k), name.release);
	ck_assert_uint_eq(kernel_version_code(k) >> 8, version_parse(name.release) >> 8);
	ck_assert_ptr_nonnull(kernel_arch(k));
	for (enum feature f = 0; f < FEATURES; f++) {
		answer = kernel_feature(k, f);
		ck_assert_int_eq(kernel_feature(k, f), answer);
		if (answer != YES)
			ck_assert_ptr_nonnull(kernel_feature_reason(k, f).text);
	}
	if (geteuid() != 0) {
		ck_assert_int_eq(snapshot_write(k, "/nonexistent/dir", &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, "needs root"));
	}
	kernel_free(k);
}
END_TEST

/* What bpf(2) answers: of this kernel, or of this process. */
static const struct {
	enum feature root;
	int error;
	bool unknown;
	const char *text;
} bpf_refusals[] = {
	{ FEATURE_BPF, EINVAL, false, "makes no arrays and hashes (since 3.19)" },
	{ FEATURE_BPF, ENOSYS, false, "has no bpf(2)" },
	{ FEATURE_BPF, EMFILE, true, "Too many open files" },
	{ FEATURE_BPF_KPROBE, EINVAL, false, "Invalid argument" },
	{ FEATURE_BPF_KPROBE, ENOMEM, true, "Cannot allocate memory" },
};

START_TEST(refusals_of_bpf)
{
	struct kernel *k = kernel_running();
	struct verdict v = { .root = bpf_refusals[_i].root };

	probe_bpf_refused(k, -bpf_refusals[_i].error, &v);
	ck_assert_int_eq(v.answer, NO);
	ck_assert_int_eq(v.unknown, bpf_refusals[_i].unknown);
	ck_assert_msg(strstr(v.reason, bpf_refusals[_i].text), "%s", v.reason);
	kernel_free(k);
}
END_TEST

/* A fact that could not be read is not one that the kernel lacks. */
START_TEST(doubts)
{
	struct kernel *k = kernel_running();
	struct error err;

	kernel_doubt(k, "tracefs:events/a/b/format", ENOENT);
	kernel_doubt(k, "/proc/self/status", ENOENT);
	ck_assert(!kernel_doubted(k, &err));
	kernel_doubt(k, "tracefs:events/a/b/format", EIO);
	kernel_doubt(k, "tracefs:events/a/c/format", EMFILE);
	ck_assert(kernel_doubted(k, &err));
	ck_assert_str_eq(err.text, "tracefs:events/a/b/format: Input/output error");
	ck_assert_int_eq(err.number, EIO);
	kernel_lacks(k, &err, "this kernel has no event a:b");
	ck_assert_int_eq(err.number, EIO);
	kernel_free(k);
}
END_TEST

static const struct {
	const char *list, *word;
	bool has;
} words[] = {
	{ "local [global] mono mono_raw\n", "mono", true }, { "local [mono]\n", "mono", true },
	{ "local mono_raw\n", "mono", false }, { "", "mono", false }, { "1 27", "7", false },
	{ "1 27", "27", true },
};

START_TEST(words_of_lists)
{
	ck_assert_int_eq(has_word(words[_i].list, words[_i].word), words[_i].has);
}
END_TEST

static const struct {
	size_t size;
	const char *names;
} rooms[] = {
	{ 6, "..." }, { 8, "..." }, { 9, "bpf, ..." }, { 20, "bpf, ..." },
	{ 21, "bpf, bpf-kprobe, ..." }, { 22, "bpf, bpf-kprobe, ..." },
};

/* However many come: whole words, and it is said that there are more. */
START_TEST(names_in_a_room)
{
	char text[64];

	memset(text, 'x', sizeof(text));
	feature_list(text, rooms[_i].size);
	ck_assert_str_eq(text, rooms[_i].names);
	ck_assert_int_eq(text[rooms[_i].size], 'x');
}
END_TEST

/* All of today's have room in the error. */
START_TEST(names_of_all)
{
	struct kernel *k = snapshot(NEW);
	struct error err;

	ck_assert_int_eq(kernel_without(k, "nosuch", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, ", root-pidns,\n"));
	ck_assert_ptr_nonnull(strstr(err.text, "came after it"));
	kernel_free(k);
}
END_TEST

Suite *suite_compat(void)
{
	Suite *s = suite_create("compat");

	add_tests(s, "words", words_of_lists, COUNT_OF(words));
	add_tests(s, "identity", identity_of_snapshots, COUNT_OF(identities));
	add_tests(s, "identity by uname", identity_by_uname, COUNT_OF(unames));
	add_tests(s, "no snapshot", no_snapshot_there, 1);
	add_tests(s, "texts", texts_of_snapshots, COUNT_OF(texts));
	add_tests(s, "formats", formats_of_snapshots, 1);
	add_tests(s, "functions", functions_of_snapshots, COUNT_OF(snapshot_functions));
	add_tests(s, "features of kernels", features_of_kernels, COUNT_OF(known));
	add_tests(s, "constants of kernels", constants_of_kernels, COUNT_OF(known));
	add_tests(s, "without features", without_features, COUNT_OF(taken));
	add_tests(s, "without events and functions", without_events_and_functions, 1);
	add_tests(s, "without events of later releases", without_events_of_later_releases, 1);
	add_tests(s, "without unknown", without_unknown_features, COUNT_OF(wrong_lists));
	add_tests(s, "names in a room", names_in_a_room, COUNT_OF(rooms));
	add_tests(s, "names of all", names_of_all, 1);
	add_tests(s, "needs and names", needs_and_names_are_sound, 1);
	add_tests(s, "written snapshot", a_written_snapshot_answers_alike, COUNT_OF(snapshots));
	add_tests(s, "nothing private", nothing_private_is_written, 1);
	add_tests(s, "unsteady list", tracepoints_while_probes_come_and_go, 1);
	add_tests(s, "nowhere to write", nowhere_to_write, 1);
	add_tests(s, "report", report_of_a_snapshot, 2);
	add_tests(s, "JSON strings", json_strings, 1);
	add_tests(s, "running kernel", the_running_kernel, 1);
	add_tests(s, "refusals of bpf(2)", refusals_of_bpf, COUNT_OF(bpf_refusals));
	add_tests(s, "doubts", doubts, 1);
	return s;
}
