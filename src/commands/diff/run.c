// SPDX-License-Identifier: GPL-2.0
/* The lines of both files: those that are there, and those that a sonde makes of a recording. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "src/commands/diff/side.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/toolkit/process.h"

#define LINE_MOST (4 << 20)
#define WORDS_OWN 5			/* sonde, the tool, --json, --input, all rows */
#define END_MS 10000

struct feed {
	struct diff_reader *reader;
	enum diff_side side;
	bool failed;
};

/* Hands over whole lines. Returns the bytes of these. */
static size_t take_lines(struct feed *f, const char *s, size_t n)
{
	const char *at = s, *end;

	while (!f->failed && (end = memchr(at, '\n', n - (size_t)(at - s)))) {
		if (end > at)
			f->failed = diff_line(f->reader, f->side, at, (size_t)(end - at));
		at = end + 1;
	}
	return f->failed ? n : (size_t)(at - s);
}

static void take(struct written *t, void *arg)
{
	const size_t n = take_lines(arg, t->s, t->n);

	memmove(t->s, t->s + n, t->n - n);
	t->n -= n;
	t->s[t->n] = '\0';
}

static int read_lines(struct diff_file *file, struct feed *f, struct error *err)
{
	FILE *from = fopen(file->path, "re");
	char *text = malloc(LINE_MOST);
	size_t n = 0, more = 1;
	int result = 0;

	if (!from)
		result = fail_with(err, errno, "it can't be read: %m");
	else if (!text)
		result = fail(err, "out of memory");
	while (!result && !f->failed && !stop_signal && more) {
		size_t taken;

		more = fread(text + n, 1, LINE_MOST - n, from);
		n += more;
		taken = take_lines(f, text, n);
		memmove(text, text + taken, n - taken);
		n -= taken;
		if (n == LINE_MOST)
			result = fail(err, "a line of it has more than %d MB", LINE_MOST >> 20);
	}
	if (!result && from && ferror(from))
		result = fail_with(err, errno, "it can't be read: %m");
	free(text);
	if (from)
		fclose(from);
	return result || f->failed ? -1 : 0;
}

/* ---- children ---- */

const struct option *diff_limit(const struct tool *t)
{
	for (const struct option *o = t->options; o && o->name; o++)
		if (o->type == OPTION_NUMBER && o->initial &&
		    (!strcmp(o->name, "top") || !strcmp(o->name, "most")))
			return o;
	return NULL;
}

static void run_tool(const struct diff_file *file, const struct tool *t, char *const *words,
		     int out, int err) __attribute__((noreturn));
static void run_tool(const struct diff_file *file, const struct tool *t, char *const *words,
		     int out, int err)
{
	const struct option *limit = diff_limit(t);
	char path[PATH_MAX], all[64], **argv, *input;
	unsigned int n = 0;

	while (words[n])
		n++;
	argv = calloc(n + WORDS_OWN + 1, sizeof(*argv));
	if (!argv || asprintf(&input, "--input=%s", file->path) < 0)
		_exit(1);
	n = 0;
	argv[n++] = "sonde";
	argv[n++] = (char *)t->name;
	argv[n++] = "--json";
	argv[n++] = input;
	if (limit && text_all(all, sizeof(all), "--%s=%d", limit->name, INT32_MAX))
		argv[n++] = all;
	for (unsigned int i = 0; words[i]; i++)
		argv[n++] = words[i];
	file_link(AT_FDCWD, "/proc/self/exe", path, sizeof(path));
	process_run_self(path, argv, out, err);
}

static int start(struct process *p, const struct diff_file *file, struct feed *f,
		 char *const *words, struct error *err)
{
	int out, errors, result = process_fork(p, SIGKILL, &out, &errors);

	if (result < 0)
		return fail_with(err, errno, "can't start a process for it: %m");
	if (!result)
		run_tool(file, f->reader->tool, words, out, errors);
	p->texts[0].take = take;
	p->texts[0].arg = f;
	return 0;
}

struct pair {
	struct process processes[DIFF_SIDES];
	struct feed feeds[DIFF_SIDES];
};

static bool all_read(void *arg)
{
	const struct pair *pair = arg;
	bool all = true;

	for (unsigned int i = 0; i < DIFF_SIDES; i++) {
		const struct process *p = &pair->processes[i];

		if (pair->feeds[i].failed)
			return true;
		all &= p->pid <= 0 || (p->fds[0] < 0 && p->fds[1] < 0);
	}
	return all;
}

/* What the tool said, behind the name of the file. */
static void pass_on(const struct diff_file *file, const struct process *p)
{
	const char *at = p->texts[1].s ? p->texts[1].s : "";
	static const char own[] = "sonde: ";

	while (*at) {
		const size_t n = strcspn(at, "\n");

		if (!strncmp(at, own, strlen(own)))
			fprintf(sink_err(), "sonde: diff: %s: %.*s\n", file->path,
				(int)(n - strlen(own)), at + strlen(own));
		else
			fprintf(sink_err(), "%.*s\n", (int)n, at);
		at += n + (at[n] == '\n');
	}
}

static int status_of(const struct process *p)
{
	return WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 1;
}

/* The first tool that failed is told; what is wrong with the options is wrong for both. */
static int end(struct pair *pair, struct diff_file files[DIFF_SIDES], int *status,
	       struct error *err)
{
	for (unsigned int i = 0; i < DIFF_SIDES; i++) {
		struct process *p = &pair->processes[i];

		if (!files[i].recording)
			continue;
		if (!process_wait(p, END_MS))
			process_kill(p);
		pass_on(&files[i], p);
		*status = status_of(p);
		if (*status && !p->texts[1].n)
			return fail(err, "%s: the tool ended without a message", files[i].path);
		if (*status)
			return -1;
		if (p->texts[0].full)
			return fail(err, "%s: a line of the tool has more than %d MB",
				    files[i].path, TEXT_MOST >> 20);
	}
	return 0;
}

int diff_files_read(struct diff_file files[DIFF_SIDES], struct diff_reader *r, char *const *words,
		    int *status, struct error *err)
{
	struct pair pair = { };
	const struct process_until until = { all_read, &pair, &stop_signal, INT_MAX };
	struct error why = { };
	int result = 0;

	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		pair.processes[i].fds[0] = pair.processes[i].fds[1] = -1;
	r->err = &why;
	for (unsigned int i = 0; i < DIFF_SIDES && !result; i++) {
		struct feed *f = &pair.feeds[i];

		*f = (struct feed){ r, (enum diff_side)i, false };
		result = files[i].recording ?
			 start(&pair.processes[i], &files[i], f, words, &why) :
			 read_lines(&files[i], f, &why);
		if (result)
			fail(err, "%s: %s", files[i].path, why.text);
	}
	if (!result)
		processes_read(pair.processes, DIFF_SIDES, &until);
	for (unsigned int i = 0; i < DIFF_SIDES && !result; i++)
		if (pair.feeds[i].failed)
			result = fail(err, "%s: %s", files[i].path, why.text);
	if (!result && stop_signal)
		result = fail(err, "a signal ended it before both files were read: nothing is "
				   "compared");
	if (!result)
		result = end(&pair, files, status, err);
	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		process_free(&pair.processes[i]);
	r->err = NULL;
	return result;
}
