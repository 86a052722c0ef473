// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_trigger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/argv.h"
#include "compat/base/file.h"
#include "compat/base/jsonr.h"

#define WORDS 64
#define END_MS 10000		/* taking probes off may last */

static int split(char *text, char *words[WORDS], struct error *err)
{
	unsigned int n = 0;
	char *word;

	words[n++] = (char *)"sonde";
	while ((word = argv_word(&text))) {
		if (n + 2 >= WORDS)
			return fail(err, "--when has too many words");
		words[n++] = word;
		if (n == 2)
			words[n++] = (char *)"--json";
	}
	words[n] = NULL;
	return n > 1 ? 0 : fail(err, "--when takes a tool with its options, as 'runqslower 10000'");
}

int trigger_start(struct trigger *t, const char *line, struct limits *limits, struct error *err)
{
	char *words[WORDS], *copy = strdup(line), self[4096];
	int out, n;

	*t = (struct trigger){ .line = line, .process.fds = { -1, -1 } };
	if (!copy)
		return fail(err, "out of memory");
	if (split(copy, words, err)) {
		free(copy);
		return -1;
	}
	n = process_fork(&t->process, SIGTERM, &out, NULL);
	if (!n) {
		limits_restore(limits);
		file_link(AT_FDCWD, "/proc/self/exe", self, sizeof(self));
		process_run_self(*self ? self : NULL, words, out, STDERR_FILENO);
	}
	free(copy);
	return n < 0 ? fail_with(err, errno, "can't start the trigger %s: %m", line) : 0;
}

void trigger_end(struct trigger *t)
{
	if (t->process.pid > 0) {
		kill(t->process.pid, SIGTERM);
		process_wait(&t->process, END_MS);
	}
	process_free(&t->process);
}

/* What this process does, as to write a slow file, is no reason for the next one. */
static bool is_own(struct json row)
{
	struct json value;
	int64_t id;

	return (json_member(row, "pid", &value) || json_member(row, "tid", &value)) &&
	       json_integer(value, &id) && id == getpid();
}

static bool is_row(const struct trigger *t)
{
	struct json row, end;

	if (t->row[0] != '{')
		return false;
	if (t->skips || !json_read(t->row, t->n, &row))
		return strncmp(t->row, "{\"end\"", 6);
	return !json_member(row, "end", &end) && !is_own(row);
}

static void take(struct trigger *t, char byte, void (*row)(void *arg, const struct trigger *t),
		 void *arg)
{
	if (byte != '\n') {
		t->skips |= t->n + 1 == sizeof(t->row);
		if (!t->skips)
			t->row[t->n++] = byte;
		return;
	}
	t->row[t->n] = '\0';
	if (is_row(t))
		row(arg, t);
	t->n = 0;
	t->skips = false;
}

static int ended(struct trigger *t, struct error *err)
{
	close(t->process.fds[0]);
	t->process.fds[0] = -1;
	if (!process_wait(&t->process, END_MS))
		return fail(err, "the trigger %s does not end", t->line);
	if (WIFSIGNALED(t->process.status))
		return fail(err, "the trigger %s was ended by signal %d: nothing asks for files "
				 "any more", t->line, WTERMSIG(t->process.status));
	if (WEXITSTATUS(t->process.status))
		return fail(err, "the trigger %s has ended with status %d: nothing asks for files "
				 "any more\nits own message says why", t->line,
			    WEXITSTATUS(t->process.status));
	return 0;
}

int trigger_read(struct trigger *t, void (*row)(void *arg, const struct trigger *t), void *arg,
		 struct error *err)
{
	char bytes[16384];
	const ssize_t n = read(t->process.fds[0], bytes, sizeof(bytes));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 1;
	if (n <= 0)
		return ended(t, err);
	for (ssize_t i = 0; i < n; i++)
		take(t, bytes[i], row, arg);
	return 1;
}
