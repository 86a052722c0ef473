/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROCESS_H
#define SONDE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Our own processes, and what they write: for commands that run sonde's tools as users do. */

struct written {
	char *s;			/* NUL-terminated, or NULL */
	size_t n, room, most;
	bool full;			/* there was more than `most`; it was read and dropped */
	unsigned long lines;		/* of all text, what was dropped too */
};
#define TEXT_MOST (4 << 20)

/* A process in a group of its own. */
struct process {
	pid_t pid;			/* 0: none, or waited for */
	int status;			/* as of wait(2) */
	int fds[2];			/* -1: closed */
	/* of stdout and stderr; the limit is TEXT_MOST, unless the caller sets another */
	struct written texts[2];
};

/*
 * Forks: 0 in the child, whose stdin is empty, and which gets `signal` when we end; -1 and errno.
 */
int process_fork(struct process *p, int signal, int *out, int *err);

/*
 * In the child: executes sonde with these arguments and outputs. It takes `path` if that is given
 * and still exists: a process that is executed as /proc/self/exe has the name `exe`.
 */
void process_run_self(const char *path, char **argv, int out, int err) __attribute__((noreturn));

/* When to stop reading what processes write. */
struct process_until {
	bool (*until)(void *arg);
	void *arg;
	const volatile sig_atomic_t *stop;	/* the signal that asks to end; 0: none yet */
	int ms;
};
#define PROCESSES_MOST 16
/*
 * Reads from up to PROCESSES_MOST processes until `until` is true, all have closed, or the time is
 * over. True if `until` is.
 */
bool processes_read(struct process *list, unsigned int n, const struct process_until *u);
/* Waits until it has ended; true if it ended in time. */
bool process_wait(struct process *p, int ms);
void process_kill(struct process *p);	/* and its group */
void process_free(struct process *p);

/* Why a tool did not run, on one line: from what it wrote to stderr. */
void boil_down(const char *text, char *to, size_t size);

#endif
