/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_RUNNER_H
#define SONDE_SELFTEST_RUNNER_H

#include <signal.h>
#include <sys/types.h>

#include "src/selftest/selftest.h"

#define STEP_MS 30000		/* how long each step of a cell may take: an emulated machine is slow */

/* What is the same for all cells. */
struct runner {
	const char *folder, *name;
	char *const *without;	/* options for the tool, NULL-terminated: "--without", LIST */
	bool foreign;
	const volatile sig_atomic_t *stop;	/* the signal that asks to end; 0: none yet */
	bool killed;		/* a tool had to be killed: it may have left something in tracefs */
};

/* One tool on one engine. The folder is empty afterwards, and no process is left. */
void run_cell(struct runner *r, const struct selftest *test, const char *backend, struct cell *c);

/* Why a tool says that it does not run, on one line: from what it wrote to stderr. */
void boil_down(const char *text, char *to, size_t size);

/* Splits lines of JSON; a line that is not valid is an error (false), the text's rows are the caller's to free. */
bool split_rows(const char *text, size_t n, struct json_rows *rows);

/*
 * A folder of our own in TMPDIR, which goes when we end, even by SIGKILL: its keeper, a process that waits for nothing
 * else, removes it. `name`: nobody else's, from the folder's.
 */
struct folder {
	char path[3000], name[16];
	pid_t keeper;
	int alive;		/* closed by our end and our workload's */
};
int folder_make(struct folder *f);	/* -1 and a message on stderr */
void folder_empty(const char *path);
void folder_remove(struct folder *f);

/* ---- processes ---- */

struct written {
	char *s;			/* NUL-terminated, or NULL */
	size_t n, room;
	bool full;			/* there was more than TEXT_MOST */
};
#define TEXT_MOST (4 << 20)

/* A process in a group of its own, and what it has written: the tool's stdout and stderr, the workload's words. */
struct process {
	pid_t pid;			/* 0: none, or waited for */
	int status;			/* as of wait(2) */
	int fds[2];			/* -1: closed */
	struct written texts[2];
};

/* Forks: 0 in the child, which has stdin from nowhere, and dies of `signal` with us; -1 and errno. */
int process_fork(struct process *p, int signal, int *out, int *err);
/*
 * Reads from both processes until until(arg) holds, all are at their end, the time is up or we are asked to end; true
 * if it holds.
 */
bool processes_read(struct runner *r, struct process *list, unsigned int n, bool (*until)(void *arg), void *arg);
/* Waits until it has ended; true if it did in time. */
bool process_wait(struct process *p, int ms);
void process_kill(struct process *p);	/* and its group */
void process_free(struct process *p);

#endif
