// SPDX-License-Identifier: GPL-2.0
/*
 * bt: scripts about the calls of a library's function: maps that programs read and write, texts,
 * loops and results; lines as calls happen; returns; a statically defined probe (USDT).
 */
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define CALLS 20
#define SELDOM (CALLS / 4)

struct state {
	void *base;
};

/* The script is about the library at this path, which comes behind `before`. */
static int prepare_for(struct work *w, const char *before, const char *behind)
{
	static const char *const functions[] = { "bt_call", NULL };
	struct state *s = w->state;
	char path[WORK_PATH], script[WORK_PATH + 800];

	s->base = work_library(w, "libbt.so", functions, path);
	if (!s->base)
		return -1;
	text_all(script, sizeof(script), "%s%s%s", before, path, behind);
	say_text(w, "script", script);
	return 0;
}

static int prepare_maps(struct work *w)
{
	return prepare_for(w, "BEGIN { @begun = 1; } uprobe:", ":bt_call { $name = str(arg0); "
			   "@calls[$name] = count(); @all++; @letters[$name] = sum(strlen($name)); "
			   "if ($name != @last) { @changes++; } @last = $name; "
			   "for ($i : 0..9) { if ($i == 3) { break; } @turns[$i, \"x\"] += 2; } "
			   "@length = hist(strlen($name)); "
			   "@found = sum(strcontains($name, \"eld\")); } "
			   "END { @ended = @all * 10; clear(@last); }");
}

static int prepare_lines(struct work *w)
{
	return prepare_for(w, "uprobe:", ":bt_call /strncmp(str(arg0), \"sel\", 3) == 0/ { @n++; "
			   "printf(\"%s %03d\", str(arg0), @n * 2); print((@n, \"x\")); } "
			   "END { clear(@n); }");
}

static int prepare_returns(struct work *w)
{
	return prepare_for(w, "uretprobe:", ":bt_call { @returned[str(retval)] = count(); }");
}

static int prepare_usdt(struct work *w)
{
	return prepare_for(w, "usdt:", ":sonde:bt_call { @hit[str(arg0)] = count(); }");
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

static void want_line(struct work *w, const char *type, const char *text)
{
	want_begin(w);
	want_text(w, "type", type, strlen(type));
	want_text(w, "text", text, strlen(text));
	want_end(w);
}

static void call(const struct work *w)
{
	const struct state *s = w->state;
	/* On the stack: a program can't read a page of the file that nobody has touched yet. */
	char often[] = "often", seldom[] = "seldom";

	for (int i = 0; i < CALLS; i++) {
		library_at(s->base, 0)(often, answer);
		if (i % 4 == 0)
			library_at(s->base, 0)(seldom, answer);
	}
}

static int work_maps(struct work *w)
{
	static const char *const turns[] = { "0, x", "1, x", "2, x" };

	call(w);
	want_entry(w, "@all", NULL, CALLS + SELDOM);
	want_entry(w, "@begun", NULL, 1);
	want_entry(w, "@calls", "seldom", SELDOM);
	want_entry(w, "@calls", "often", CALLS);
	want_entry(w, "@changes", NULL, 2 * SELDOM + 1);
	want_entry(w, "@ended", NULL, 10 * (CALLS + SELDOM));
	want_entry(w, "@found", NULL, SELDOM);
	want_begin(w);
	want_text(w, "map", "@length", strlen("@length"));
	want_integer(w, "low", 4);
	want_integer(w, "high", 7);
	want_integer(w, "count", CALLS + SELDOM);
	want_end(w);
	want_entry(w, "@letters", "seldom", SELDOM * (int64_t)strlen("seldom"));
	want_entry(w, "@letters", "often", CALLS * (int64_t)strlen("often"));
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
		want_entry(w, "@turns", turns[i], 2 * (CALLS + SELDOM));
	return 0;
}

static int work_lines(struct work *w)
{
	char text[40];

	call(w);
	for (int i = 1; i <= SELDOM; i++) {
		snprintf(text, sizeof(text), "seldom %03d", 2 * i);
		want_line(w, "printf", text);
		snprintf(text, sizeof(text), "(%d, x)", i);
		want_line(w, "value", text);
	}
	return 0;
}

static int work_returns(struct work *w)
{
	call(w);
	want_entry(w, "@returned", "seldom", SELDOM);
	want_entry(w, "@returned", "often", CALLS);
	return 0;
}

static int work_usdt(struct work *w)
{
	call(w);
	want_entry(w, "@hit", "seldom", SELDOM);
	want_entry(w, "@hit", "often", CALLS);
	return 0;
}

static const char *const options[] = { "-e", "%script", NULL };

#define PART(NAME) \
	{ .options = options, .foreign = options, .prepare = prepare_##NAME, .work = work_##NAME }

static const struct selftest_part parts[] = {
	PART(maps), PART(lines), PART(returns), PART(usdt), { }
};

SELFTEST(bt, parts, .state_size = sizeof(struct state));
