// SPDX-License-Identifier: GPL-2.0
/*
 * trace: a row for each call that the filter lets pass; then for each hit of a probe (USDT) of a
 * library of our own, with its text; then for each call of its function, with two texts, which the
 * rings get as events of their own.
 */
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/sleeps.h"

#define QUESTION SLEEPS_FUNCTION " ($tgid * 2 / 2 == $tgid && $cpu >= -1LL) \"%d %s\", $tid, $comm"

struct state {
	library_function *ask;
};

/* The question about the library at this path. */
static int prepare_for(struct work *w, const char *before, const char *behind)
{
	static const char *const functions[] = { "ask", NULL };
	struct state *s = w->state;
	char path[WORK_PATH], question[WORK_PATH + 64];
	void *base;

	base = work_library(w, "libtrace.so", functions, path);
	if (!base)
		return -1;
	s->ask = library_at(base, 0);
	text_all(question, sizeof(question), "%s%s%s", before, path, behind);
	say_text(w, "question", question);
	return 0;
}

static int prepare_usdt(struct work *w)
{
	return prepare_for(w, "u:", ":sonde:ask \"%s\", arg1");
}

static int prepare_texts(struct work *w)
{
	return prepare_for(w, "p:", ":ask \"%s, %s\", arg1, arg3");
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

		text_cut(text, sizeof(text), "%s", texts[i]);
		s->ask(text, answer);
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_text(w, "func", "ask", 3);
		want_text(w, "message", texts[i], strlen(texts[i]));
		want_end(w);
	}
	return 0;
}

static void two_texts(struct work *w, const char *one, const char *other)
{
	typedef void *function(const char *text, void *(*inner)(const char *), const char *other);
	const struct state *s = w->state;
	char texts[2][16], message[32];

	text_cut(texts[0], sizeof(texts[0]), "%s", one);
	text_cut(texts[1], sizeof(texts[1]), "%s", other);
	text_cut(message, sizeof(message), "%s, %s", one, other);
	((function *)(void (*)(void))s->ask)(texts[0], answer, texts[1]);
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "message", message, strlen(message));
	want_text(w, "value1", one, strlen(one));
	want_text(w, "value2", other, strlen(other));
	want_end(w);
}

static int asks_two(struct work *w)
{
	two_texts(w, "one", "two");
	two_texts(w, "", "four");
	two_texts(w, "five", "");
	two_texts(w, "seven", "eight");
	return 0;
}

static const char *const options[] = { "--pid", "%pid", QUESTION, NULL };
static const char *const foreign[] = { "--name", "%name", QUESTION, NULL };
static const char *const library[] = { "--pid", "%pid", "%question", NULL };
static const char *const foreign_library[] = { "--name", "%name", "%question", NULL };

static const struct selftest_part parts[] = {
	{ .what = "function of the kernel", .options = options, .foreign = foreign,
	  .work = sleeps_rows },
	{ .what = "USDT", .options = library, .foreign = foreign_library, .prepare = prepare_usdt,
	  .work = asks },
	{ .what = "two texts", .options = library, .foreign = foreign_library,
	  .prepare = prepare_texts, .work = asks_two },
	{ }
};

SELFTEST(trace, parts, .state_size = sizeof(struct state));
