// SPDX-License-Identifier: GPL-2.0
#include "src/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"

#define LOOK_NS 100000		/* how often sonde looks whether the child has come so far */
#define TURNS_LOOK (1U << 20)	/* how often the child looks whether sonde is still there */

/*
 * The child's last step before execve(2) must be no system call: its return would be an event of
 * the command's process, and so would be all that comes before it. So the child turns in a loop
 * until sonde follows it, some microseconds.
 */
struct child_gate {
	atomic_int ready;		/* the child: only execve() is left */
	atomic_int order;		/* sonde: enum order */
	pid_t parent;			/* sonde, which may end before the child asks for it */
};
enum order { WAIT, RUN, LEAVE };

static bool is_program(const char *path)
{
	struct stat s;

	return !access(path, X_OK) && !stat(path, &s) && S_ISREG(s.st_mode);
}

bool child_file(const char *command, char path[PATH_MAX])
{
	const char *list = strchr(command, '/') ? "" : getenv("PATH");

	if (!list)
		list = "/bin:/usr/bin";		/* so does execvp(3) */
	for (;;) {
		const int n = (int)strcspn(list, ":");

		if (snprintf(path, PATH_MAX, "%.*s%s%s", n, list, n ? "/" : "", command) <
		    PATH_MAX && is_program(path))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

/* As execvp(3) does: a file without a format is a script of the shell. */
static void execute(const char *path, char *const *command, char **shell)
{
	execve(path, command, environ);
	if (errno == ENOEXEC)
		execve(*shell, shell, environ);
}

/* What runs a file without a format; its memory is the child's. Returns NULL if there is none. */
static char **shell_words(char *path, char *const *command)
{
	static char shell[] = "/bin/sh";
	unsigned int n = 0;
	char **words;

	while (command[n])
		n++;
	words = calloc(n + 2, sizeof(*words));
	if (!words)
		return NULL;
	words[0] = shell;
	words[1] = path;
	for (unsigned int i = 1; i < n; i++)
		words[i + 1] = command[i];
	return words;
}

static void name_process(const char *command)
{
	const char *slash = strrchr(command, '/');

	prctl(PR_SET_NAME, slash ? slash + 1 : command);
}

static void wait_for_order(struct child_gate *gate)
{
	unsigned int turns = 0;

	atomic_store(&gate->ready, 1);
	while (atomic_load(&gate->order) == WAIT)
		if (!(++turns % TURNS_LOOK) && getppid() != gate->parent)
			_exit(1);
	if (atomic_load(&gate->order) == LEAVE)
		_exit(1);
}

static void run(struct child_gate *gate, char *const *command,
		int failed) __attribute__((noreturn));
static void run(struct child_gate *gate, char *const *command, int failed)
{
	char path[PATH_MAX], **shell = NULL;
	int why;

	signal(SIGPIPE, SIG_DFL);
	if (child_file(command[0], path))
		shell = shell_words(path, command);
	wait_for_order(gate);
	if (shell)
		execute(path, command, shell);
	else
		execvp(command[0], command);	/* it knows the reason */
	why = errno;
	fprintf(sink_err(), "sonde: can't run %s: %s\n", command[0], strerror(why));
	_exit(write(failed, "", 1) == 1 && why == ENOENT ? 127 : 126);
}

/* The pipes and the memory between sonde and the child; go[0] and failed[1] are the child's. */
static int make_links(struct child *c, int go[2], int failed[2], struct error *err)
{
	if (pipe2(go, O_CLOEXEC))
		return fail_with(err, errno, "can't make a pipe for the command: %m");
	if (pipe2(failed, O_CLOEXEC | O_NONBLOCK)) {
		fail_with(err, errno, "can't make a pipe for the command: %m");
		close(go[0]);
		close(go[1]);
		return -1;
	}
	c->go = go[1];
	c->failed = failed[0];
	c->gate = mmap(NULL, sizeof(*c->gate), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (c->gate != MAP_FAILED) {
		c->gate->parent = getpid();
		return 0;
	}
	for (unsigned int i = 0; i < 2; i++) {
		close(go[i]);
		close(failed[i]);
	}
	return fail(err, "can't start the command: out of memory");
}

static void drop_gate(struct child *c)
{
	if (c->gate)
		munmap(c->gate, sizeof(*c->gate));
	c->gate = NULL;
}

int child_start(struct child *c, char *const *command, void (*prepare)(void *arg), void *arg,
		struct error *err)
{
	int go[2], failed[2];

	if (make_links(c, go, failed, err))
		return -1;
	c->pid = fork();
	if (!c->pid) {
		ssize_t n;
		char byte;

		close(go[1]);
		do
			n = read(go[0], &byte, 1);
		while (n < 0 && errno == EINTR);
		if (n != 1)
			_exit(1);
		if (prepare)
			prepare(arg);
		if (!c->keeps_name)
			name_process(command[0]);
		run(c->gate, command, failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	if (c->pid > 0)
		return 0;
	fail_with(err, errno, "can't start the command: %m%s", errno == EAGAIN ?
		  "\nits user may have no more processes (ulimit -u)" : "");
	c->pid = 0;
	close(c->go);
	close(c->failed);
	drop_gate(c);
	return -1;
}

static int ended_early(const struct child_end *end, struct error *err)
{
	if (WIFSIGNALED(end->status))
		return fail(err, "the command's process was ended before it ran the command, by "
			    "signal %d", WTERMSIG(end->status));
	return fail(err, "the command's process ended before it ran the command");
}

int child_release(struct child *c, int (*follow)(void *arg, struct error *err), void *arg,
		  struct error *err)
{
	struct child_end end;
	int result = 0;
	ssize_t n;

	if (!c->pid)
		return 0;
	do
		n = write(c->go, "", 1);
	while (n < 0 && errno == EINTR);
	/* One that has ended reads nothing: wait4() tells. */
	if (n != 1 && errno != EPIPE)
		return fail_with(err, errno, "can't start the command: %m");
	close(c->go);
	while (!atomic_load(&c->gate->ready) && !stop_signal) {
		if (child_ended(c, &end))
			return ended_early(&end, err);
		sleep_ns(LOOK_NS);
	}
	if (follow && !stop_signal)
		result = follow(arg, err);
	c->released = !result && !stop_signal;
	atomic_store(&c->gate->order, c->released ? RUN : LEAVE);
	drop_gate(c);
	return result;
}

void child_abandon(struct child *c)
{
	struct child_end end;

	if (!c->pid || c->released)
		return;
	kill(c->pid, SIGKILL);
	for (uint64_t waited = 0; !child_ended(c, &end) && waited < NS_PER_SECOND;
	     waited += LOOK_NS)
		sleep_ns(LOOK_NS);
}

bool child_ended(struct child *c, struct child_end *end)
{
	pid_t got = 0;
	char byte;

	/* The caller may not ask again: its SIGCHLD has come already. */
	do
		if (c->pid)
			got = wait4(c->pid, &end->status, WNOHANG, &end->usage);
	while (got < 0 && errno == EINTR);
	if (!got)
		return false;
	if (got < 0) {
		end->unknown = true;
		end->status = 1 << 8;
		fprintf(sink_err(), "sonde: how the command ended is unknown: wait4(2): %s\n",
			strerror(errno));
	}
	/* Of unknown end: if it waits still, it leaves. */
	if (c->gate)
		atomic_store(&c->gate->order, LEAVE);
	c->pid = 0;
	end->did_not_run = read(c->failed, &byte, 1) == 1;
	close(c->failed);
	drop_gate(c);
	return true;
}

int child_status(const struct child_end *end)
{
	return WIFSIGNALED(end->status) ? 128 + WTERMSIG(end->status) : WEXITSTATUS(end->status);
}
