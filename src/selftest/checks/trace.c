// SPDX-License-Identifier: GPL-2.0
/*
 * trace: a row for each call that the filter lets pass; then for each hit of a probe (USDT) of a
 * library of our own, with its text.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/selftest/library.h"
#include "src/selftest/sleeps.h"

#define QUESTION SLEEPS_FUNCTION " ($tgid * 2 / 2 == $tgid && $cpu >= -1LL) \"%d %s\", $tid, $comm"

struct state {
	library_function *ask;
};

static int prepare(struct work *w)
{
	static const char *const functions[] = { "ask", NULL };
	struct state *s = w->state;
	char path[WORK_PATH], question[WORK_PATH + 64];
	void *base;

	base = work_library(w, "libtrace.so", functions, path);
	if (!base)
		return -1;
	s->ask = library_at(base, 0);
	snprintf(question, sizeof(question), "u:%s:sonde:ask \"%%s\", arg1", path);
	say_text(w, "question", question);
	return 0;
}

static void *answer(const char *text)
{
	return (void *)text;
}

static int asks(struct work *w)
{
	static const char *const texts[] = { "one", "", "two words" };
	const struct state *s = w->state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		/* On the stack: a program can't read a page that nobody has touched yet. */
		char text[16];

		snprintf(text, sizeof(text), "%s", texts[i]);
		s->ask(text, answer);
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_text(w, "func", "ask", 3);
		want_text(w, "message", texts[i], strlen(texts[i]));
		want_end(w);
	}
	return 0;
}

static const char *const options[] = { "--pid", "%pid", QUESTION, NULL };
static const char *const foreign[] = { "--name", "%name", QUESTION, NULL };
static const char *const usdt[] = { "--pid", "%pid", "%question", NULL };
static const char *const foreign_usdt[] = { "--name", "%name", "%question", NULL };

static const struct selftest_part parts[] = {
	{ .what = "function of the kernel", .options = options, .foreign = foreign,
	  .work = sleeps_rows },
	{ .what = "USDT", .options = usdt, .foreign = foreign_usdt, .prepare = prepare,
	  .work = asks },
	{ }
};

SELFTEST(trace, parts, .state_size = sizeof(struct state));
