/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROCESS_H
#define SONDE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Processes of our own, and what they write: for the commands that run sonde's tools as users do.
 */

struct written {
	char *s;			/* NUL-terminated, or NULL */
	size_t n, room, most;
	bool full;			/* there was more than `most`; it was read and dropped */
	unsigned long lines;		/* of all, what was dropped too */
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
 * Forks: 0 in the child, which has stdin from nowhere, and dies of `signal` with us; -1 and errno.
 */
int process_fork(struct process *p, int signal, int *out, int *err);

/*
 * In the child: becomes sonde with these words, and writes there. By `path`, if it is given and
 * still leads somewhere: what is run by /proc/self/exe is called `exe` by everybody who looks.
 */
void process_run_self(const char *path, char **argv, int out, int err) __attribute__((noreturn));

/* How long to read what processes write. */
struct process_until {
	bool (*until)(void *arg);
	void *arg;
	const volatile sig_atomic_t *stop;	/* a signal that asks to end; 0: none yet */
	int ms;
};
#define PROCESSES_MOST 16
/*
 * Reads from up to PROCESSES_MOST until `until` holds, all are at their end, or the time is up;
 * true if it holds.
 */
bool processes_read(struct process *list, unsigned int n, const struct process_until *u);
/* Waits until it has ended; true if it did in time. */
bool process_wait(struct process *p, int ms);
void process_kill(struct process *p);	/* and its group */
void process_free(struct process *p);

/* What a tool of ours that does not run says is why, on one line: from what it wrote to stderr. */
void boil_down(const char *text, char *to, size_t size);

#endif
