// SPDX-License-Identifier: GPL-2.0
/* Which engine a kernel gives a tool, through what, and which reason the others are given. */
#include <string.h>

#include "src/session/choice.h"
#include "src/session/wording.h"
#include "src/tool.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_choice(void);

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

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
	{ "4.4", "execsnoop", "perf", "exec.enter: kprobe sys_execve",
	  "this kernel takes no BPF programs on tracepoints (since 4.7)" },
	{ "4.12", "tcprtt", .bpf = "this kernel has no tracepoint tcp:tcp_probe (since 4.16)" },
};

START_TEST(verdicts)
{
	char path[200];
	struct error err;
	struct kernel *k;
	struct tool_verdict v;
	struct lines lines;

	snprintf(path, sizeof(path), KERNELS "/%s", rows[_i].kernel);
	k = kernel_snapshot(path, &err);
	ck_assert_ptr_nonnull(k);
	ck_assert_int_eq(choice_verdict(tool_named(rows[_i].tool), k, &v), 0);
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

Suite *suite_choice(void)
{
	Suite *s = suite_create("choice");
	TCase *t = tcase_create("verdicts");

	tcase_add_loop_test(t, verdicts, 0, COUNT(rows));
	suite_add_tcase(s, t);
	return s;
}
