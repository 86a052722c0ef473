// SPDX-License-Identifier: GPL-2.0
/*
 * syscount: a call that the workload makes nowhere else, counted by name, and its failures by
 * process, which all engines serve.
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define NOBODY 2147480000	/* above every pid_max */
#define TIMES 500

static void calls(void)
{
	for (int i = 0; i < TIMES; i++) {
		syscall(SYS_getsid, 0);
		syscall(SYS_getsid, NOBODY);
	}
}

static int by_call(struct work *w)
{
	calls();
	want_begin(w);
	want_text(w, "syscall", "getsid", 6);
	want_integer(w, "nr", SYS_getsid);
	want_integer(w, "count", 2 * TIMES);
	want_end(w);
	return 0;
}

static int by_process(struct work *w)
{
	calls();
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "count", TIMES);
	want_end(w);
	return 0;
}

static const char *const call_options[] = { "--syscall", "getsid", "--pid", "%pid", NULL };
static const char *const call_foreign[] = { "--syscall", "getsid", NULL };
static const char *const process_options[] = { "--process", "--errno", "ESRCH", "--pid",
					       "%pid", NULL };
static const char *const process_foreign[] = { "--process", "--errno", "ESRCH", NULL };

static const struct selftest_part parts[] = {
	{ .what = "by call", .options = call_options, .foreign = call_foreign, .work = by_call },
	{ .what = "by process", .options = process_options, .foreign = process_foreign,
	  .work = by_process },
	{ }
};

SELFTEST(syscount, parts, .machine_wide = true);
