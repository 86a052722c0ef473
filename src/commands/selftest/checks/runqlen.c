// SPDX-License-Identifier: GPL-2.0
/*
 * runqlen and cpuunclaimed: three processes run on one CPU for a second, so that two wait in each
 * sample of it. Other tasks make it more, and a slow or stolen CPU has fewer samples.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/selftest/selftest.h"

#define SPINNERS 3
#define SECONDS 1
#define SAMPLES 50		/* of 99 */

/* All run on the first CPU that they may use. */
static int prepare(struct work *w)
{
	cpu_set_t set;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return not_here(w, "sched_getaffinity: %s", strerror(errno));
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set))
		cpu++;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return not_here(w, "sched_setaffinity: %s", strerror(errno));
	return 0;
}

static int work(struct work *w)
{
	uint64_t end = monotonic_ns() + SECONDS * NS_PER_SECOND;

	for (int i = 0; i < SPINNERS; i++) {
		int pid = work_fork();

		if (pid < 0)
			return not_here(w, "fork: %s", strerror(errno));
		if (pid)
			continue;
		while (monotonic_ns() < end)
			;
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

static void check(struct found *f)
{
	found_between(f, "samples", SAMPLES, found_counted(f, NULL, NULL), INT64_MAX);
	found_between(f, "waiting", (SPINNERS - 1) * SAMPLES, found_total(f), INT64_MAX);
}

static const char *const options[] = { "3600", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .prepare = prepare, .work = work, .check = check },
	{ }
};

SELFTEST(runqlen, parts, .machine_wide = true);

/* The first CPU is busy while the processes run; others may be, too. */
static void check_unclaimed(struct found *f)
{
	int64_t moments = 0;

	found_sum(f, "samples", &moments);
	found_between(f, "samples", SAMPLES, moments, INT64_MAX);
}

static const struct selftest_part unclaimed_parts[] = {
	{ .options = options, .prepare = prepare, .work = work, .check = check_unclaimed },
	{ }
};

SELFTEST(cpuunclaimed, unclaimed_parts, .machine_wide = true);
