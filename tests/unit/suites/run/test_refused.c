// SPDX-License-Identifier: GPL-2.0
/* Options that a tool refuses: what, why, and what to do instead. */
#include <stdlib.h>
#include <string.h>

#include "src/run/options/tool_options.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_refused(void);

static const struct {
	const char *command, *message;
} rows[] = {
	/* filters by task */
	{ "softirqs --pid 1",
	  "--pid would do nothing: this tool's events belong to no single task, so it shows all" },
	{ "tcpstates --uid 0",
	  "--uid would do nothing: this tool's events belong to no single task, so it shows all" },
	{ "softirqs --name x",
	  "--name would do nothing: this tool's events belong to no single task, so it shows all" },
	{ "cachestat --sort misses",
	  "cachestat: --sort goes with --by-process: without it each interval is a line" },
	{ "cachestat -T --by-process",
	  "cachestat: --timestamp and --by-process exclude each other: the time is above each "
	  "table" },
	{ "runqlat --uid 0",
	  "--uid would do nothing: this tool shows tasks that wait, and knows nothing but ids of "
	  "them: take --pid or --tid instead" },
	{ "runqslower --exec true",
	  "--exec would do nothing: this tool shows tasks that wait, and knows nothing but ids of "
	  "them: take --pid or --tid instead" },
	{ "syscount --name x",
	  "--name would do nothing: this tool adds up events without looking at names: take --pid "
	  "instead" },
	{ "runqlat --name x",
	  "--name would do nothing: this tool adds up events without looking at names: take --pid "
	  "instead" },
	{ "tcpconnect --count --name x",
	  "--count adds up connections without looking at names: take --pid instead of --name" },
	{ "tcpconnlat --dist --name x",
	  "--dist adds up times without looking at names: take --pid instead of --name" },
	{ "syscount -c system.slice", "-c takes a whole number from 1 to 4194304, not "
	  "\"system.slice\"; did you mean --cgroup?" },
	{ "stackcount -c /sys/fs/cgroup/a x", "-c takes a whole number from 0 to 8191, not "
	  "\"/sys/fs/cgroup/a\"; did you mean --cgroup?" },
	/* what is drawn, and stacks */
	{ "opensnoop --heatmap", "--heatmap would do nothing: this tool prints no histograms; "
	  "biolatency, runqlat and funclatency do" },
	{ "opensnoop --folded", "--folded would do nothing: this tool shows no stacks; profile, "
	  "offcputime and stackcount do" },
	{ "stacksnoop vfs_read --flame=x.svg", "--flame would do nothing: this tool does not add "
	  "up its stacks; stackcount does" },
	{ "profile --inverted", "--inverted goes with --flame=FILE.svg: it turns that picture" },
	{ "opensnoop --inverted", "--inverted goes with --flame=FILE.svg: it turns that picture" },
	/* its own, as bcc's: how many stacks */
	{ "memleak --top", "--top needs a value: --top N" },
	{ "profile --top --csv",
	  "--top and --csv exclude each other: --top is a table for people, of functions" },
	{ "profile --annotate main", "profile: --annotate shows the hottest addresses of a "
	  "function: it takes --top" },
	{ "profile --top -A --annotate main", "profile: --annotate and --addresses exclude each "
	  "other: with --addresses functions have no names" },
	{ "profile --top --folded",
	  "--top and --folded exclude each other: --top is a table for people, of functions" },
	{ "profile --by-cgroup --top", "--top and --by-cgroup exclude each other: --top is a table "
	  "for people, of functions" },
	{ "profile --by-cgroup --heatmap", "--heatmap and --by-cgroup exclude each other" },
	{ "profile --by-cgroup -A", "profile: --addresses goes with stacks, which --by-cgroup "
	  "shows only with --folded or --flame" },
	{ "softirqs --min 5 -d", "softirqs: --min and --dist exclude each other: with --min each "
	  "slow interrupt is a line" },
	{ "softirqs --min 5 -C", "--events and --min exclude each other" },
	{ "hardirqs --min 5 1", "hardirqs: --min takes no interval: with --min each slow interrupt "
	  "is a line; --duration ends it after a time" },
	/* one table a file */
	{ "memleak --csv -a", "--show-allocs and --csv exclude each other: CSV is one table, that "
	  "of stacks; take --json instead" },
	{ "memleak --csv -t", "--trace and --csv exclude each other: CSV is one table, that of "
	  "stacks; take --json instead" },
	/* bcc's, which sonde has not */
	{ "tcpconnect -d", "there is no option -d: sonde reads no answers of DNS; gethostlatency "
	  "shows which names programs look up, and when" },
	{ "tcpconnect -td", "there is no option -d: sonde reads no answers" },
	{ "tcpconnect --dns -t", "there is no option --dns: sonde reads no answers" },
	{ "tcpconnect --dn", "there is no option --dn\n" },
	/* tools that trace nothing */
	{ "tplist --duration 3",
	  "--duration would do nothing: this tool only lists, and traces nothing" },
	{ "tplist --uid 0", "--uid would do nothing: this tool only lists, and traces nothing" },
};

START_TEST(refusals)
{
	struct trial t;

	ck_assert_msg(trial_start(&t, rows[_i].command, trial_kernel("6.1")), "%s is taken",
		      rows[_i].command);
	ck_assert_msg(strstr(t.err.text, rows[_i].message) != NULL, "%s: %s", rows[_i].command,
		      t.err.text);
	trial_end(&t);
}
END_TEST

/* An option that is always refused is not in --help. */
START_TEST(refused_is_not_offered)
{
	unsigned int n;
	struct option_row *of = tool_option_rows(tool_named("memleak"), &n);

	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(of[i].option.name, "top"))
			ck_assert(!option_served(tool_named("memleak"), &of[i]));
	free(of);
	of = tool_option_rows(tool_named("tcpconnect"), &n);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_int_eq(option_served(tool_named("tcpconnect"), &of[i]) &&
				 of[i].option.letter == 'd', false);
	free(of);
}
END_TEST

Suite *suite_refused(void)
{
	Suite *s = suite_create("refused");

	add_tests(s, "messages", refusals, COUNT_OF(rows));
	add_tests(s, "help", refused_is_not_offered, 1);
	return s;
}
