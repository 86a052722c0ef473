// SPDX-License-Identifier: GPL-2.0
/* ttysnoop: each write to a terminal of its own is a row. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

static int prepare(struct work *w)
{
	char path[WORK_PATH];

	if (work_terminal(w, w->state, path))
		return -1;
	say_text(w, "terminal", path);
	return 0;
}

static int work(struct work *w)
{
	static const char *const texts[] = { "one", "\x1b[31mred\x1b[0m\n", "\\\"\xff" };
	const struct terminal *s = w->state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const ssize_t n = (ssize_t)strlen(texts[i]);

		if (write(s->other, texts[i], (size_t)n) != n)
			return not_here(w, "a terminal: %s", strerror(errno));
		want_begin(w);
		if (!w->foreign)
			want_integer(w, "pid", getpid());
		want_text(w, "comm", w->name, strlen(w->name));
		want_integer(w, "bytes", n);
		want_text(w, "data", texts[i], (size_t)n);
		want_end(w);
	}
	return 0;
}

static const char *const options[] = { "%terminal", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = options, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(ttysnoop, parts, .state_size = sizeof(struct terminal));
