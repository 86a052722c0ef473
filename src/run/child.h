/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHILD_H
#define SONDE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "compat/base/error.h"

struct child_gate;		/* memory that both share */

/* The user's command, as a child process. It waits for child_release() before it executes. */
struct child {
	pid_t pid;		/* 0: not started, or ended */
	int go;			/* a pipe: the child waits for a byte */
	/* a pipe: the child writes a byte if it can't execute the command */
	int failed;
	struct child_gate *gate;
	bool released;		/* it executes the command */
	/*
	 * It has sonde's name until it executes the command, not the command's. To be set before
	 * child_start().
	 */
	bool keeps_name;
};

/* Finds the file that the command executes, by $PATH. Returns false if there is none. */
bool child_file(const char *command, char path[PATH_MAX]);
/*
 * Forks. The child calls prepare(), which may be NULL, before it executes the command. Returns -1
 * and sets err on failure.
 */
int child_start(struct child *c, char *const *command, void (*prepare)(void *arg), void *arg,
		struct error *err);
/*
 * Lets the child execute the command. follow(), which may be NULL, is called when nothing but
 * execve(2) is left for the child to do: what it did before was sonde's, not the command's. Returns
 * -1 and sets err if the child has ended before, or if follow() fails. Without a child it does
 * nothing.
 */
int child_release(struct child *c, int (*follow)(void *arg, struct error *err), void *arg,
		  struct error *err);
/*
 * Ends a child that does not execute the command: it has copies of all descriptors, and with them
 * holds what they are of, as instances of tracefs. Waits for it, at most a second.
 */
void child_abandon(struct child *c);
/* How the child ended. */
struct child_end {
	int status;		/* as of wait(2) */
	struct rusage usage;	/* of the child and its children */
	bool did_not_run;	/* the command could not be executed */
	bool unknown;		/* wait(2) failed, and said so: the status is 1, without usage */
};
/* Returns true once, when the child has ended, and fills *end. Never waits. */
bool child_ended(struct child *c, struct child_end *end);
/*
 * The exit status that shells, env(1) and strace(1) have for it: the command's own; 128 + N: signal
 * N ended it; 127: there is no such command; 126: it can't be executed.
 */
int child_status(const struct child_end *end);

#endif
