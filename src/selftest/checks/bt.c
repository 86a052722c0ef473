// SPDX-License-Identifier: GPL-2.0
/* bt: a script that counts the calls of a library's function by its argument. */
#include <stdio.h>
#include <string.h>

#include "src/selftest/library.h"
#include "src/selftest/selftest.h"

#define CALLS 20

struct state {
	void *base;
};

static int prepare(struct work *w)
{
	static const char *const functions[] = { "bt_call", NULL };
	struct state *s = w->state;
	char path[WORK_PATH], script[700];

	s->base = work_library(w, "libbt.so", functions, path);
	if (!s->base)
		return -1;
	snprintf(script, sizeof(script), "BEGIN { @begun = 1; } uprobe:%s:bt_call { "
		 "@calls[str(arg0)] = count(); @all++; }", path);
	say_text(w, "script", script);
	return 0;
}

static void *answer(const char *name)
{
	return (void *)name;
}

static void want_entry(struct work *w, const char *map, const char *key, int64_t value)
{
	want_begin(w);
	want_text(w, "map", map, strlen(map));
	if (key)
		want_text(w, "key", key, strlen(key));
	want_integer(w, "value", value);
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
	want_entry(w, "@all", NULL, CALLS + CALLS / 4);
	want_entry(w, "@begun", NULL, 1);
	want_entry(w, "@calls", "seldom", CALLS / 4);
	want_entry(w, "@calls", "often", CALLS);
	return 0;
}

static const char *const options[] = { "-e", "%script", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = options, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(bt, parts, .state_size = sizeof(struct state));
