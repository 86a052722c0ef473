// SPDX-License-Identifier: GPL-2.0
/* bashreadline: one row for each line that readline() of our own library returns. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

struct state {
	library_function *readline;
};

static int prepare(struct work *w)
{
	static const char *const functions[] = { "readline", NULL };
	struct state *s = w->state;
	char path[WORK_PATH];
	void *base = work_library(w, "bash", functions, path);

	if (!base)
		return -1;
	s->readline = library_at(base, 0);
	say_text(w, "shell", path);
	return 0;
}

/* The typed line is the text that is asked for. */
static void *type(const char *prompt)
{
	return (void *)prompt;
}

static void type_line(struct work *w, const char *line)
{
	const struct state *s = w->state;
	size_t n = strlen(line);

	s->readline(line, type);
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "command", line, n < 255 ? n : 255);
	if (n > 255)
		want_true(w, "command_cut");
	want_end(w);
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	char line[300];

	type_line(w, "dmesg | tail");
	type_line(w, "");
	s->readline(NULL, type);		/* the end of the input: no row */
	type_line(w, "printf '\x1b[31m\\n' \"\xff\"\t#");
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	type_line(w, line);
	line[255] = '\0';
	type_line(w, line);
	return 0;
}

static const char *const options[] = { "--shared", "%shell", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--shared", "%shell", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(bashreadline, parts, .state_size = sizeof(struct state));
