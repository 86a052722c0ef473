/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHILD_H
#define SONDE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "compat/base/error.h"

/* The user's command, as a child process. It waits for child_release() before it executes. */
struct child {
	pid_t pid;		/* 0: not started, or ended */
	int go;			/* a pipe: the child waits for a byte */
	/* a pipe: the child writes a byte if it can't execute the command */
	int failed;
};

/* Finds the file that the command executes, by $PATH. Returns false if there is none. */
bool child_file(const char *command, char path[PATH_MAX]);
/*
 * Forks. The child calls prepare(), which may be NULL, before it executes the command. Returns -1
 * and sets err on failure.
 */
int child_start(struct child *c, char *const *command, void (*prepare)(void *arg), void *arg,
		struct error *err);
/* Lets the child execute the command. Prints a message if the child has already ended. */
void child_release(struct child *c);
/* How the child ended. */
struct child_end {
	int status;		/* as of wait(2) */
	struct rusage usage;	/* of the child and its children */
	bool did_not_run;	/* the command could not be executed */
};
/* Returns true once, when the child has ended, and fills *end. Never waits. */
bool child_ended(struct child *c, struct child_end *end);

#endif
