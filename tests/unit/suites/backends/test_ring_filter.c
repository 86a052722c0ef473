// SPDX-License-Identifier: GPL-2.0
/* What of a question's filter becomes the event filter of the rings: exactly that, or nothing. */
#include <string.h>

#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

static const struct {
	const char *command, *filter, *without;
} rows[] = {
	{ "trace vfs_read\t(arg3>20000)", "a0 > 20000" },
	{ "trace vfs_read\t(20000<arg3)", NULL },
	{ "trace vfs_read\t(arg3>20000&&arg2!=0)", "(a0 > 20000) && (a1 != 0)" },
	{ "trace vfs_read\t(arg3>20000&&arg2+1!=0)", "a0 > 20000" },
	{ "trace vfs_read\t(arg3>20000||arg2+1!=0)", NULL },
	{ "trace vfs_read\t(arg3>5||arg2==0&&$tid==7)",
	  "(a0 > 5) || ((a1 == 0) && (common_pid == 7))" },
	{ "trace vfs_read\t(!(arg3>5))", NULL },
	{ "trace vfs_read(int\ta)\t(a==3)", NULL },		/* the low half of a field */
	{ "trace vfs_read(size_t\ta)\t(a>=3)", "a0 >= 3" },
	{ "trace vfs_read\t((long)arg1<0)", NULL },		/* the field has no sign */
	{ "trace vfs_read\t(arg1==-1)", "a0 == 18446744073709551615" },
	{ "trace vfs_read\t($tid==-1)", NULL },
	{ "trace vfs_read\t($cpu==1)", NULL },
	{ "trace t:block:block_rq_issue\t(args->nr_sector==7)", "nr_sector == 7" },
	{ "trace t:block:block_rq_issue\t(args->nr_sector>4294967296)", NULL },
	{ "trace t:block:block_rq_issue\t(args->sector>4294967296)", "sector > 4294967296" },
	{ "trace t:sched:sched_process_exit\t(args->pid<0&&args->prio<=100)",
	  "(pid < 0) && (prio <= 100)" },
	{ "trace t:sched:sched_process_exit\t(args->pid>1u)", NULL },
	{ "trace t:sched:sched_process_exit\t((u64)args->pid>1)", NULL },
	{ "trace t:sched:sched_process_exit\t((long)args->pid==-1)", "pid == -1" },
	{ "trace t:sched:sched_process_exit\t((long)args->pid==4294967296)", NULL },
	{ "trace t:sched:sched_process_exit\t(STRCMP(\"a\",args->comm))", NULL },
	{ "argdist -C p::vfs_read(u64\ta):u64:a:a>3", "a0 > 3" },
	{ "argdist -C r::vfs_read():u64:$latency:retval>3", NULL },
	{ "trace sys_read\t(arg3>20000)", "count > 20000", "kprobes" },
	/* The kernel takes a pointer to char for a text. */
	{ "trace sys_openat\t(arg2!=0&&arg3>4)", NULL, "kprobes" },
	{ "trace sys_openat\t(arg2!=0)", NULL, "kprobes" },
	{ "trace t:syscalls:sys_enter_openat\t(args->filename==0)", NULL },
	{ "trace r::sys_read\t(retval>20000)", NULL, "kprobes" },
	{ "trace r::sys_read\t(retval>20000)", "a0 > 20000" },
};

START_TEST(ring_filter)
{
	const char *found = NULL;
	struct trial t;
	struct kernel *k = trial_kernel("6.1");

	if (rows[_i].without)
		ck_assert_int_eq(kernel_without(k, rows[_i].without, NULL), 0);
	ck_assert_msg(!trial_start(&t, rows[_i].command, k) && !trial_plan(&t, TARGET_RING),
		      "%s: %s", rows[_i].command, t.err.text);
	for (unsigned int i = 0; i < t.run.plan.resolution.n; i++) {
		const struct resolved *r = &t.run.plan.resolution.events[i];

		if (!strncmp(r->hook, "probe", 5) || !strncmp(r->hook, "spec", 4))
			found = r->event->filter;
	}
	ck_assert_msg(!found == !rows[_i].filter && (!found || !strcmp(found, rows[_i].filter)),
		      "%s: %s", rows[_i].command, found ? found : "none");
	trial_end(&t);
}
END_TEST

Suite *suite_ring_filter(void);
Suite *suite_ring_filter(void)
{
	Suite *s = suite_create("ring_filter");

	add_tests(s, "filters", ring_filter, (int)(sizeof(rows) / sizeof(rows[0])));
	return s;
}
