/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USER_FILES_H
#define SONDE_USER_FILES_H

#include "compat/user/binaries_internal.h"

/* For what lists things of user space: the files of a name, and reading them. */

/* All files that the processes of -p have mapped. */
#define USER_ANY_FILE "*"

/*
 * The library of this name ("c", "pthread"), or else the program, or the file if it is a path; NULL
 * and err: there is none.
 */
const struct library *user_library(struct kernel *k, const char *name, struct error *err);
/*
 * Libraries that are parts of another one now: libpthread of glibc's libc, since 2.34. The one that
 * has its functions; NULL: it is no such library.
 */
const char *user_library_now(const char *name);
/* Its files, from 0; NULL: there are no more. */
struct file *user_file(const struct kernel *k, const struct library *library, unsigned int number);

struct user_reading {
	struct kernel *k;
	const struct library *library;
	/* as of struct guarded: work() begins with file `skip`, take() counts the files done */
	void (*work)(void *arg, int to);
	void (*take)(void *arg, const void *message, size_t size, int fd);
	void *arg;
	unsigned int *skip;
};

/* In a process that can be ended; a file that holds it is left out. -1 and err. */
int user_files_read(const struct user_reading *r, struct error *err);

#endif
