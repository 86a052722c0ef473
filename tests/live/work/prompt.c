// SPDX-License-Identifier: GPL-2.0
/* How long a tool takes to begin and to give the prompt back. */
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>

#include "work.h"

#define READY "sonde: tracing\n"
#define READY_MS 120000
#define PAUSE_MS 5

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void sleep_ms(long ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static pid_t run_on(int out, char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		signal(SIGINT, SIG_DFL);
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
		execvp(argv[0], argv);
		die(argv[0]);
	}
	return pid;
}

struct seen {
	size_t matched;		/* of READY */
	int64_t ready, last;	/* us; when it was there, when the last output was */
};

/* Output until `end`, or that of the stream: 0. */
static int take(int fd, struct seen *s, int64_t end)
{
	char bytes[4096];
	int64_t left;

	while ((left = end - now_us()) > 0) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (poll(&p, 1, left / 1000 < READY_MS ? (int)(left / 1000) + 1 : READY_MS) <= 0)
			continue;
		n = read(fd, bytes, sizeof(bytes));
		if (n <= 0)
			return 0;
		s->last = now_us();
		for (ssize_t i = 0; i < n && !s->ready; i++) {
			s->matched = bytes[i] == READY[s->matched] ? s->matched + 1 :
				bytes[i] == READY[0];
			if (!READY[s->matched])
				s->ready = s->last;
		}
	}
	return 1;
}

/*
 * ATTACH PROMPT DETACH STATUS: ms from the start to "tracing", from the last line to the end, and
 * until all is gone.
 */
static int job_prompt(int argc, char **argv)
{
	int64_t began = now_us(), stopped, ended, left_alone;
	int tracefs = open(argv[1], O_RDONLY | O_CLOEXEC), out[2], status;
	struct seen s = { 0 };
	pid_t pid;

	(void)argc;
	if (pipe2(out, O_CLOEXEC))
		die("pipe");
	pid = run_on(out[1], argv + 3);
	close(out[1]);
	while (!s.ready && now_us() < began + READY_MS * 1000LL)
		if (!take(out[0], &s, now_us() + PAUSE_MS * 1000))
			break;
	if (s.ready) {
		take(out[0], &s, now_us() + number(argv[2]) * 1000);
		kill(pid, SIGINT);
	} else {
		kill(pid, SIGKILL);
	}
	stopped = s.last = now_us();
	/* Until nobody has the pipe: not the detacher either. */
	while (take(out[0], &s, now_us() + READY_MS * 1000LL))
		;
	waitpid(pid, &status, 0);
	ended = now_us();
	while (tracefs >= 0 && flock(tracefs, LOCK_EX | LOCK_NB) &&
	       now_us() < ended + READY_MS * 1000LL)
		sleep_ms(PAUSE_MS);
	left_alone = now_us();
	if (!s.ready)
		return 1;
	say("%lld\t%lld\t%lld\t%d\n", (long long)(s.ready - began + 500) / 1000,
	    (long long)(ended - (s.last > stopped ? s.last : stopped) + 500) / 1000,
	    (long long)(left_alone - ended + 500) / 1000,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}

static int job_holding(int argc, char **argv)
{
	int fd = open(argv[1], O_RDWR);

	(void)argc;
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB))
		die(argv[1]);
	execvp(argv[2], argv + 2);
	die(argv[2]);
}

const struct job prompt_jobs[] = {
	{ "holding", "FILE COMMAND...", 2, job_holding,
	  "runs a command that has inherited this file and its lock" },
	{ "prompt", "TRACEFS MS COMMAND...", 3, job_prompt,
	  "runs sonde TOOL -v for so long: ms until it traces, until the prompt, until it is "
	  "detached; its status" },
	{ 0 }
};
