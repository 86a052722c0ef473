// SPDX-License-Identifier: GPL-2.0
/* lockstat: a process waits for a pipe's mutex, so often and as long as it is known to. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/held.h"
#include "src/commands/selftest/selftest.h"

#define WAITS 10
#define WAIT_MS 50

static int prepare(struct work *w)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return not_here(w, "no pipe: %s", strerror(errno));
	if (held_start(w->state, ends[1], ends[0], WAIT_MS))
		return not_here(w, "no memory that is provided later (userfaultfd): %s",
				strerror(errno));
	return 0;
}

static int work(struct work *w)
{
	for (int i = 0; i < WAITS; i++)
		if (held_wait(w->state) < 0)
			return not_here(w, "a pipe broke: %s", strerror(errno));
	return 0;
}

static void check(struct found *f)
{
	int64_t count = 0;

	if (!found_sum(f, "count", &count))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a count");
	found_between(f, "waits", WAITS, count, f->foreign ? INT64_MAX : WAITS);
}

/* A part of the time: nobody else holds a lock for so long. */
static const char *const options[] = { "-Y", "mutex", "-m", "10000", "--pid", "%pid", NULL };
static const char *const foreign[] = { "-Y", "mutex", "-m", "10000", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, prepare, work, check },
	{ }
};

SELFTEST(lockstat, parts, .state_size = sizeof(struct held));
