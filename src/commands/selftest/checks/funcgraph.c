// SPDX-License-Identifier: GPL-2.0
/* funcgraph: a tree for each call, here of one level. */
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/sleeps.h"

static int work(struct work *w)
{
	for (int i = 0; i < SLEEPS; i++) {
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_integer(w, "depth", 0);
		want_text(w, "function", SLEEPS_FUNCTION, strlen(SLEEPS_FUNCTION));
		want_end(w);
	}
	return sleeps_work(w);
}

static const char *const options[] = { "-m", "1", "--pid", "%pid", SLEEPS_FUNCTION, NULL };
static const char *const foreign[] = { "-m", "1", "--name", "%name", SLEEPS_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ }
};

SELFTEST(funcgraph, parts);
