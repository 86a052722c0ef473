/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHILD_H
#define SONDE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "compat/base/error.h"

/* A command that the user gave. It waits until it is let go, so that it is followed by then. */
struct child {
	pid_t pid;		/* 0: none, or it has ended */
	int go;			/* what it waits on before it execs */
	int failed;		/* where it says that it could not */
};

/* The file that it will exec, by $PATH; false: there is none. */
bool child_file(const char *command, char path[PATH_MAX]);
/* Forks. The child calls prepare(), if there is one, before it execs. -1 and err. */
int child_start(struct child *c, char *const *command, void (*prepare)(void *arg), void *arg,
		struct error *err);
/* Lets it exec; says so if it has ended before. */
void child_release(struct child *c);
/* What became of it. */
struct child_end {
	int status;		/* as of wait(2) */
	struct rusage usage;	/* of it and its children */
	bool did_not_run;	/* it could not be executed */
};
/* Has it ended? Never waits. */
bool child_ended(struct child *c, struct child_end *end);

#endif
