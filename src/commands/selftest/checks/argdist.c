// SPDX-License-Identifier: GPL-2.0
/* argdist: counts of a library's function by its argument. */
#include <string.h>

#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define CALLS 20

struct state {
	void *base;
};

static int prepare(struct work *w)
{
	static const char *const functions[] = { "argdist_call", NULL };
	struct state *s = w->state;
	char path[WORK_PATH], spec[700];

	s->base = work_library(w, "libargdist.so", functions, path);
	if (!s->base)
		return -1;
	text_all(spec, sizeof(spec), "p:%s:argdist_call(char *name):char*:name#calls", path);
	say_text(w, "spec", spec);
	return 0;
}

static void *answer(const char *name)
{
	return (void *)name;
}

static void want_name(struct work *w, const char *name, int64_t count)
{
	want_begin(w);
	want_text(w, "spec", "calls", 5);
	want_integer(w, "count", count);
	want_text(w, "value1", name, strlen(name));
	want_end(w);
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	/* On the stack: a program can't read a page of the file that nobody has touched yet. */
	char often[] = "often", seldom[] = "seldom";

	for (int i = 0; i < CALLS; i++) {
		library_at(s->base, 0)(often, answer);
		if (i % 4 == 0)
			library_at(s->base, 0)(seldom, answer);
	}
	want_name(w, "seldom", CALLS / 4);
	want_name(w, "often", CALLS);
	return 0;
}

static const char *const options[] = { "-i", "1000", "-C", "%spec", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = options, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(argdist, parts, .state_size = sizeof(struct state));
