// SPDX-License-Identifier: GPL-2.0
/* Why a tool can't run: what the engines said, and what a person is told of it. */
#include <string.h>

#include "src/reasons.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_reasons(void);

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

#define NO_KPROBES "open.enter: this kernel has no kprobes, for do_sys_open()\nopen.enter: a:b " \
		   "has no field c"
#define MODULE(F) "xfs.enter: this kernel has no function " F \
" to probe; if xfs is a module, load it first: modprobe xfs"

static const struct {
	const char *bpf, *perf, *ftrace;	/* what they said; NULL: was not asked */
	const char *brief, *line;
} rows[] = {
	{ NULL, NULL, NULL, "no engine was tried", "no engine was tried" },
	{ NO_KPROBES, NO_KPROBES, NO_KPROBES, "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)",
	  "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)" },
	{ "--without", NO_KPROBES, NO_KPROBES,
	  "bpf     --without takes it away\nperf, ftrace  this kernel has no kprobes "
	  "(CONFIG_KPROBE_EVENTS)",
	  "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)" },
	{ "--without", "--without", "--without", "--without takes it away",
	  "--without takes it away" },
	/* Of alternatives the first; what is no alternative is advice. */
	{ NULL, MODULE("f") "\n" MODULE("g"), NULL,
	  "xfs is not loaded (modprobe xfs), or has no f() here",
	  "xfs is not loaded (modprobe xfs), or has no f() here" },
	{ "can't make a map: Cannot allocate memory\nfree some", NULL, NULL,
	  "can't make a map: Cannot allocate memory\nfree some",
	  "can't make a map: Cannot allocate memory" },
	{ "needs tracefs: it is not there", "it is not there", NULL, "it is not there",
	  "it is not there" },
	{ "x.y: no z", "x.y: no w", NULL, "bpf     no z\nperf    no w",
	  "bpf     no z; perf    no w" },
};

START_TEST(brief)
{
	const char *said[] = { rows[_i].bpf, rows[_i].perf, rows[_i].ftrace };
	static const char *const engines[] = { "bpf", "perf", "ftrace" };
	struct reasons r = { };
	char text[900];

	for (int i = 0; i < COUNT(said); i++)
		if (said[i])
			reasons_add(&r, NULL, engines[i], said[i]);
	reasons_brief(&r, text, sizeof(text));
	ck_assert_str_eq(text, rows[_i].brief);
	reasons_line(&r, text, sizeof(text));
	ck_assert_str_eq(text, rows[_i].line);
}
END_TEST

START_TEST(all)
{
	struct reasons r = { };

	reasons_add(&r, NULL, "bpf", "--without");
	reasons_add(&r, NULL, "perf", NO_KPROBES);
	ck_assert_str_eq(r.all.text, "bpf     --without\n"
			 "perf    open.enter: this kernel has no kprobes, for do_sys_open()\n"
			 "        open.enter: a:b has no field c");
}
END_TEST

/* However much there is to say, all stays within its bounds. */
START_TEST(bounds)
{
	char why[5000], text[64];
	struct reasons r = { };

	memset(why, 'x', sizeof(why) - 1);
	why[sizeof(why) - 1] = '\0';
	for (int i = 0; i < 10; i++)
		reasons_add(&r, NULL, i % 2 ? "bpf" : "perf", why + i);
	ck_assert_uint_eq(r.n, REASONS_MOST);
	ck_assert_uint_lt(strlen(r.all.text), sizeof(r.all.text));
	reasons_brief(&r, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
	reasons_line(&r, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
}
END_TEST

Suite *suite_reasons(void)
{
	Suite *suite = suite_create("reasons");

	add_tests(suite, "brief", brief, COUNT(rows));
	add_tests(suite, "all", all, 1);
	add_tests(suite, "bounds", bounds, 1);
	return suite;
}
