/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USER_FILES_H
#define SONDE_USER_FILES_H

#include "compat/binaries/binaries_internal.h"

/* For what lists things of user space: the files of a name, and reading them. */

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

/* What is said of a file: each message begins with this. */
struct user_message {
	enum { USER_SAYS, USER_FAILED, USER_END } kind;
	unsigned int file;		/* its number among the library's */
};

/* Zeroed but for what it begins with. */
struct user_reading {
	struct kernel *k;
	const struct library *library;
	/* In a process of its own: hands over what a file has, by user_say(). -1 and err. */
	int (*read)(struct user_reading *r, struct file *file, struct error *err);
	/* In sonde: takes a message. -1: out of memory. */
	int (*take)(struct user_reading *r, struct file *file, const void *message, size_t size);
	void *arg;
	/* its own */
	unsigned int file, skip;
	int out;
	bool no_memory;
};

/* All its files; those that can't be read, or hold the process, are left out. -1 and err. */
int user_files_read(struct user_reading *r, struct error *err);
/* Adds a file and what is said of it to `m`, which is the beginning of `size` bytes. */
void user_say(struct user_reading *r, struct user_message *m, size_t size);

#endif
