// SPDX-License-Identifier: GPL-2.0
/* threadsnoop: one row for each call of our own library, with the address of what it was given. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define CALLS 5

struct state {
	void *base;
};

static int prepare(struct work *w)
{
	static const char *const functions[] = { "pthread_create", NULL };
	struct state *s = w->state;
	char path[WORK_PATH];

	s->base = work_library(w, "libpthread.so.0", functions, path);
	if (!s->base)
		return -1;
	say_text(w, "library", path);
	return 0;
}

static void *answer(const char *text)
{
	(void)text;
	return NULL;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < CALLS; i++) {
		library_at(s->base, 0)("", answer);
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_integer(w, "tid", getpid());
		want_text(w, "comm", w->name, strlen(w->name));
		want_end(w);
	}
	return 0;
}

static const char *const options[] = { "--libc", "%library", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--libc", "%library", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(threadsnoop, parts, .state_size = sizeof(struct state));
