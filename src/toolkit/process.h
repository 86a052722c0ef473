/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROCESS_H
#define SONDE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Child processes and their output, for commands that run sonde's tools as users do. */

struct written {
	char *s;			/* NUL-terminated; NULL: nothing yet */
	size_t n, room, most;
	bool full;			/* text beyond `most` was dropped */
	unsigned long lines;		/* lines of all text, dropped text too */
	/* NULL; or is called with more text, and may take what it wants from the beginning of it */
	void (*take)(struct written *t, void *arg);
	void *arg;
};
#define TEXT_MOST (4 << 20)

/* A process in a process group of its own. */
struct process {
	pid_t pid;			/* 0: none, or waited for */
	int status;			/* as of wait(2) */
	int fds[2];			/* pipes from stdout and stderr; -1: closed */
	/* text of stdout and stderr; the limit is TEXT_MOST, unless the caller sets another */
	struct written texts[2];
};

/*
 * Forks. The child has an empty stdin, and gets `signal` when sonde ends. Returns 0 in the child;
 * -1 and errno on failure.
 */
int process_fork(struct process *p, int signal, int *out, int *err);

/*
 * In the child: executes sonde with these arguments and outputs. It executes `path` if that is
 * given and exists; otherwise /proc/self/exe, and then the process has the name `exe`.
 */
void process_run_self(const char *path, char **argv, int out, int err) __attribute__((noreturn));

/* When to stop reading the output of processes. */
struct process_until {
	bool (*until)(void *arg);
	void *arg;
	const volatile sig_atomic_t *stop;	/* the signal that asks to end; 0: none yet */
	int ms;					/* limit of time */
};
#define PROCESSES_MOST 16
/*
 * Reads from up to PROCESSES_MOST processes until until() returns true, all have closed their
 * outputs, or the time is over. Returns true if until() returned true.
 */
bool processes_read(struct process *list, unsigned int n, const struct process_until *u);
/* Waits until the process has ended. Returns false if it has not ended in time. */
bool process_wait(struct process *p, int ms);
/* Kills the process and its group. */
void process_kill(struct process *p);
void process_free(struct process *p);

/* Writes why a tool did not run on one line, made from its text on stderr. */
void boil_down(const char *text, char *to, size_t size);

#endif
