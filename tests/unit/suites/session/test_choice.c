// SPDX-License-Identifier: GPL-2.0
/* Which engine a kernel gives a tool, by which probes, why not the others, and who else pays. */
#include <string.h>

#include "compat/events/event.h"
#include "compat/kinds/costs.h"
#include "src/run/tool.h"
#include "src/session/choice.h"
#include "src/session/wording.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_choice(void);

/* Without options, or asked for what users would name. */
static const struct {
	const char *kernel, *tool, *engine, *first, *bpf;
} rows[] = {
	/* Hooks that were made of a name on the command line are told when that is gone. */
	{ "4.1", "funccount", "perf", "function.hit: kprobe vfs_read",
	  "BPF programs of this kernel can't tell which task is current (since 4.2)" },
	{ "6.1", "trace", "bpf", "probe1.hit: kprobe vfs_read" },
	/* Where no program is taken on tracepoints, it does not matter which of them there are. */
	{ "4.4", "biosnoop", "perf", "block.request: tracepoint block:block_getrq",
	  "this kernel takes no BPF programs on tracepoints (since 4.7)" },
	{ "4.4", "runqlat", "perf", "sched.wakeup: tracepoint sched:sched_wakeup",
	  "this kernel takes no BPF programs on tracepoints (since 4.7)" },
	{ "4.4", "execsnoop", "perf", "exec.enter: kprobe sys_execve",
	  "this kernel takes no BPF programs on tracepoints (since 4.7)" },
	{ "4.12", "tcprtt", .bpf = "this kernel has no tracepoint tcp:tcp_probe (since 4.16)" },
};

/* The verdict on a tool, on a kernel that lacks features. The caller frees both. */
static struct kernel *verdict_on(const char *version, const char *without, const char *tool,
				 struct tool_verdict *v)
{
	char path[200];
	struct error err;
	struct kernel *k;
	struct source here;

	ck_assert_int_eq(source_open(&here, NULL, NULL, NULL, &err), 0);
	snprintf(path, sizeof(path), KERNELS "/%s", version);
	k = kernel_snapshot(path, &err);
	ck_assert_ptr_nonnull(k);
	if (without)
		ck_assert_int_eq(kernel_without(k, without, &err), 0);
	ck_assert_int_eq(choice_verdict(tool_named(tool), &here, k, v), 0);
	return k;
}

START_TEST(verdicts)
{
	struct tool_verdict v;
	struct kernel *k = verdict_on(rows[_i].kernel, NULL, rows[_i].tool, &v);
	struct lines lines;

	if (rows[_i].engine)
		ck_assert_str_eq(v.engine, rows[_i].engine);
	else
		ck_assert_ptr_null(v.engine);
	lines = chosen_lines(&v.resolution);
	ck_assert_int_eq(lines.n > 0, rows[_i].first != NULL);
	if (rows[_i].first)
		ck_assert_str_eq(lines.list[0], rows[_i].first);
	lines_free(&lines);
	ck_assert_int_eq(v.why.n > 0, rows[_i].bpf != NULL);
	if (rows[_i].bpf)
		ck_assert_str_eq(v.why.list[0].brief, rows[_i].bpf);
	tool_verdict_free(&v);
	kernel_free(k);
}
END_TEST

/* Execs where nothing but the file is told of them: the last choice, of the first engine. */
static const struct {
	const char *without, *engine, *missing;
} last_resorts[] = {
	{ "kprobes", "bpf", "" },
	{ "kprobes,bpf-syscalls", "bpf", "failures\narguments" },
	{ "kprobes,syscall-tracepoints", "bpf", "failures\narguments" },
	{ "kprobes,bpf", "perf", "exec.done.uid\nfailures\narguments" },
	{ "kprobes,bpf,perf", "ftrace", "exec.done.uid\nfailures\narguments" },
	{ "kprobes,tracepoint:sched:sched_process_exec", NULL, "" },
};

START_TEST(last_resort)
{
	struct tool_verdict v;
	struct kernel *k = verdict_on("6.1", last_resorts[_i].without, "execsnoop", &v);
	struct lines lines = missing_lines(&v.resolution);
	const char *text = lines_text(&lines);

	ck_assert_pstr_eq(v.engine, last_resorts[_i].engine);
	ck_assert_str_eq(text ? text : "", last_resorts[_i].missing);
	lines_free(&lines);
	tool_verdict_free(&v);
	kernel_free(k);
}
END_TEST

#define NO_KPROBES	"it needs kprobes, which --without takes away\n"
#define SAYS_MORE	"`sonde features execsnoop` says more"

static const struct {
	const char *command, *without, *refused;
} beyond[] = {
	{ "execsnoop -x", "kprobes,syscall-tracepoints", "execsnoop can't run here: " NO_KPROBES
	  "without --fails it runs here, and does not show failures and arguments\n" SAYS_MORE },
	{ "execsnoop -l x -x --backend perf", "kprobes,syscall-tracepoints",
	  "execsnoop can't run here with --backend perf: " NO_KPROBES
	  "without --fails and --line it runs here, and does not show failures and arguments\n"
	  SAYS_MORE },
	/* It would not. */
	{ "execsnoop -x", "kprobes,tracepoint:sched:sched_process_exec",
	  "execsnoop can't run here: " NO_KPROBES SAYS_MORE },
	/* Another engine shows more. */
	{ "execsnoop --backend perf", "kprobes",
	  "execsnoop can't run here with --backend perf: " NO_KPROBES SAYS_MORE },
};

START_TEST(more_than_the_last_resort)
{
	struct source source;
	struct trial t;

	ck_assert_msg(!trial_start(&t, beyond[_i].command, trial_kernel("6.1")), "%s", t.err.text);
	ck_assert_int_eq(kernel_without(t.run.kernel, beyond[_i].without, &t.err), 0);
	ck_assert_int_eq(source_open(&source, NULL, NULL, NULL, &t.err), 0);
	ck_assert_int_eq(choice_dump(&t.run, &source, &t.err), -1);
	ck_assert_str_eq(t.err.text, beyond[_i].refused);
	trial_end(&t);
}
END_TEST

#define SLOWER \
	"each system call of every process takes a slower path through the kernel: about 70 ns"
#define TRAPS \
	"each call of a probed function is a trap, in every process that has mapped its file: " \
	"about 1000 ns"

/* What others pay. */
static const struct {
	const char *kernel, *without, *tool, *costs;
} costs[] = {
	/* Its own functions; tracepoints of calls; the next engine's, where bpf takes none. */
	{ "6.1", NULL, "opensnoop", NULL },
	{ "6.1", "kprobes,fentry", "opensnoop", SLOWER },
	{ "4.4", "kprobes", "killsnoop", SLOWER },
	{ "6.1", NULL, "syscount", SLOWER "\neach system call takes longer" },
	/* Whatever the kind is: typed, and a tracepoint's record. */
	{ "6.1", NULL, "runqlat",
	  "each wakeup of a task takes longer\neach switch of tasks takes longer" },
	{ "4.12", NULL, "runqlat",
	  "each wakeup of a task takes longer\neach switch of tasks takes longer" },
	{ "6.1", NULL, "vfsstat", "each read takes longer\neach write takes longer" },
	{ "6.1", NULL, "profile", "each sample interrupts the task that runs on its CPU" },
	{ "6.1", NULL, "biolatency", NULL },
	{ "6.1", NULL, "tcplife", NULL },
};

START_TEST(others_pay)
{
	struct tool_verdict v;
	struct kernel *k = verdict_on(costs[_i].kernel, costs[_i].without, costs[_i].tool, &v);
	struct lines lines;

	ck_assert_ptr_nonnull(v.engine);
	lines = cost_lines(&v.resolution);
	ck_assert_pstr_eq(lines_text(&lines), costs[_i].costs);
	lines_free(&lines);
	tool_verdict_free(&v);
	kernel_free(k);
}
END_TEST

#define NO_SYSTEM(KIND)	{ .kind = (KIND), .system = "" }

/* Uprobes, return probes, USDT, and many at once are traps; nothing of the kernel's is. */
START_TEST(traps)
{
	static const struct event user[] = {
		NO_SYSTEM(EVENT_UPROBE), NO_SYSTEM(EVENT_URETPROBE), NO_SYSTEM(EVENT_USDT),
		NO_SYSTEM(EVENT_UMULTI), NO_SYSTEM(EVENT_URETMULTI),
	};
	static const struct event kernel[] = {
		NO_SYSTEM(EVENT_KPROBE), NO_SYSTEM(EVENT_KMULTI), NO_SYSTEM(EVENT_TRACED),
		{ .kind = EVENT_TRACEPOINT, .system = "sched" },
	};
	char text[200];

	for (size_t i = 0; i < sizeof(user) / sizeof(user[0]); i++) {
		const struct event_cost *cost = event_cost(&user[i]);

		ck_assert_ptr_nonnull(cost);
		snprintf(text, sizeof(text), "%s: about %u ns", cost->text, cost->ns);
		ck_assert_str_eq(text, TRAPS);
	}
	for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
		ck_assert_ptr_null(event_cost(&kernel[i]));
}
END_TEST

Suite *suite_choice(void)
{
	Suite *s = suite_create("choice");
	TCase *t = tcase_create("verdicts");

	tcase_add_loop_test(t, verdicts, 0, COUNT_OF(rows));
	tcase_add_loop_test(t, last_resort, 0, COUNT_OF(last_resorts));
	tcase_add_loop_test(t, more_than_the_last_resort, 0, COUNT_OF(beyond));
	tcase_add_loop_test(t, others_pay, 0, COUNT_OF(costs));
	tcase_add_test(t, traps);
	suite_add_tcase(s, t);
	return s;
}
