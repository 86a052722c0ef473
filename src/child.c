// SPDX-License-Identifier: GPL-2.0
#include "src/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/lib/output/sink.h"

bool child_file(const char *command, char path[PATH_MAX])
{
	const char *list = strchr(command, '/') ? "" : getenv("PATH");

	if (!list)
		list = "/bin:/usr/bin";		/* so does execvp(3) */
	for (;;) {
		const int n = (int)strcspn(list, ":");

		if (snprintf(path, PATH_MAX, "%.*s%s%s", n, list, n ? "/" : "", command) <
		    PATH_MAX && !access(path, X_OK))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

static void run(char *const *command, int failed) __attribute__((noreturn));
static void run(char *const *command, int failed)
{
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	fprintf(sink_err(), "sonde: can't run %s: %s\n", command[0], strerror(errno));
	_exit(write(failed, "", 1) == 1 ? 127 : 126);
}

int child_start(struct child *c, char *const *command, void (*prepare)(void *arg), void *arg,
		struct error *err)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC))
		return fail(err, "can't make a pipe for the command: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC | O_NONBLOCK)) {
		close(go[0]);
		close(go[1]);
		return fail(err, "can't make a pipe for the command: %s", strerror(errno));
	}
	c->pid = fork();
	if (!c->pid) {
		char byte;

		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		if (prepare)
			prepare(arg);
		run(command, failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	close(c->go);
	close(c->failed);
	return fail(err, "can't start the command: %s", strerror(errno));
}

void child_release(struct child *c)
{
	if (!c->pid)
		return;
	if (write(c->go, "", 1) != 1)
		fprintf(sink_err(), "sonde: the command ended before it was run\n");
	close(c->go);
}

bool child_ended(struct child *c, struct child_end *end)
{
	char byte;

	if (!c->pid || wait4(c->pid, &end->status, WNOHANG, &end->usage) != c->pid)
		return false;
	c->pid = 0;
	end->did_not_run = read(c->failed, &byte, 1) == 1;
	close(c->failed);
	return true;
}
