// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/lib/output/sink.h"

#define TICK_MS 100		/* a signal may come just before the wait */

static void in_child(pid_t parent, int signal_number)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, signal_number);
	if (getppid() != parent)
		_exit(1);
}

static void close_both(const int fds[2])
{
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

int process_fork(struct process *p, int signal_number, int *out, int *err)
{
	int first[2] = { -1, -1 }, second[2] = { -1, -1 };
	pid_t parent = getpid();

	memset(p, 0, sizeof(*p));
	p->fds[0] = p->fds[1] = -1;
	p->texts[0].most = p->texts[1].most = TEXT_MOST;
	if (pipe2(first, O_CLOEXEC) || (err && pipe2(second, O_CLOEXEC)))
		goto failed;
	p->pid = fork();
	if (p->pid < 0)
		goto failed;
	if (!p->pid) {
		in_child(parent, signal_number);
		close(first[0]);
		if (err)
			close(second[0]);
		*out = first[1];
		if (err)
			*err = second[1];
		return 0;
	}
	setpgid(p->pid, p->pid);
	close(first[1]);
	if (err)
		close(second[1]);
	p->fds[0] = first[0];
	p->fds[1] = second[0];
	return 1;
failed:
	p->pid = 0;
	close_both(first);
	close_both(second);
	return -1;
}

void process_run_self(const char *path, char **argv, int out, int err)
{
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	if (path)
		execv(path, argv);
	execv("/proc/self/exe", argv);
	fprintf(sink_err(), "sonde: can't run /proc/self/exe: %s\nmount /proc\n",
		strerror(errno));
	_exit(1);
}

static void append(struct written *t, const char *bytes, size_t n)
{
	for (const char *at = bytes; (at = memchr(at, '\n', n - (size_t)(at - bytes))); at++)
		t->lines++;
	t->full |= t->n + n > t->most;
	if (t->full)
		return;
	if (t->n + n + 1 > t->room) {
		size_t room = 2 * (t->n + n + 1);
		char *more = realloc(t->s, room);

		if (!more) {
			t->full = true;
			return;
		}
		t->s = more;
		t->room = room;
	}
	memcpy(t->s + t->n, bytes, n);
	t->n += n;
	t->s[t->n] = '\0';
}

/* Reads what there is; closes at the end. */
static void read_some(int *fd, struct written *t)
{
	char bytes[4096];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n > 0) {
		append(t, bytes, (size_t)n);
		if (t->take && t->s)
			t->take(t, t->arg);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		close(*fd);
		*fd = -1;
	}
}

bool processes_read(struct process *list, unsigned int n, const struct process_until *u)
{
	int64_t end = monotonic_ms() + u->ms;

	while (!u->until(u->arg) && !*u->stop && monotonic_ms() < end) {
		struct pollfd polls[2 * PROCESSES_MOST];
		int *fds[2 * PROCESSES_MOST];
		struct written *texts[2 * PROCESSES_MOST];
		unsigned int m = 0;

		for (unsigned int i = 0; i < 2 * n && m < 2 * PROCESSES_MOST; i++) {
			struct process *p = &list[i / 2];

			if (p->fds[i % 2] < 0)
				continue;
			fds[m] = &p->fds[i % 2];
			texts[m] = &p->texts[i % 2];
			polls[m++] = (struct pollfd){ .fd = p->fds[i % 2], .events = POLLIN };
		}
		if (!m)
			return u->until(u->arg);
		if (poll(polls, m, TICK_MS) <= 0)
			continue;
		for (unsigned int i = 0; i < m; i++)
			if (polls[i].revents)
				read_some(fds[i], texts[i]);
	}
	return u->until(u->arg);
}

bool process_wait(struct process *p, int ms)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	int64_t end = monotonic_ms() + ms;

	while (p->pid > 0) {
		pid_t got = waitpid(p->pid, &p->status, WNOHANG);

		if (got == p->pid || (got < 0 && errno != EINTR)) {
			p->pid = 0;
			break;
		}
		if (monotonic_ms() > end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

void process_kill(struct process *p)
{
	pid_t pid = p->pid;

	if (pid <= 0)
		return;
	/* Its children are in its group; if it has not made one yet, only itself. */
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, &p->status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
}

void process_free(struct process *p)
{
	process_kill(p);
	close_both(p->fds);
	p->fds[0] = p->fds[1] = -1;
	for (int i = 0; i < 2; i++) {
		free(p->texts[i].s);
		p->texts[i] = (struct written){ };
	}
}

/* Its last message begins with its name; a reason may have more lines. */
void boil_down(const char *text, char *to, size_t size)
{
	static const char cant_run[] = " can't run here";
	const char *last = NULL, *at = text, *said;
	size_t n = 0;

	*to = '\0';
	for (; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, "sonde: ", 7))
			last = at;
	at = last ? last + 7 : text;
	/* Behind it: the engine that was asked for, and after a colon the reason, if it is one. */
	said = at ? strstr(at, cant_run) : NULL;
	said = said ? strstr(said, ": ") : NULL;
	if (said && said < at + strcspn(at, "\n")) {
		said += strlen(": ");
		text_cut(to, size, "%.*s", (int)strcspn(said, "\n"), said);
		return;
	}
	while (at && *at) {
		size_t length = strcspn(at, "\n");
		const char *line = at + strspn(at, " "), *end = at + length;

		at = end + (*end == '\n');
		/*
		 * The verdict `not here` says "TOOL can't run here:" already; advice is given once,
		 * elsewhere.
		 */
		if (line >= end || end[-1] == ':' || *line == '`')
			continue;
		if (n + 2 + (size_t)(end - line) + 1 > size)
			break;
		n += (size_t)sprintf(to + n, "%s%.*s", n ? "; " : "", (int)(end - line), line);
	}
}
