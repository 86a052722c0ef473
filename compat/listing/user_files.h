/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USER_FILES_H
#define SONDE_USER_FILES_H

#include "compat/binaries/binaries_internal.h"

/* Finding the files of a name in user space, and reading them. */

/*
 * The library of this name ("c", "pthread"), or a program, or a file by its path. Returns NULL and
 * sets err if there is none.
 */
const struct library *user_library(struct kernel *k, const char *name, struct error *err);
/*
 * The library that now has the functions of a former library: glibc's libc has those of libpthread
 * since 2.34. Returns NULL for any other name.
 */
const char *user_library_now(const char *name);

/* The beginning of every message about a file. */
struct user_message {
	enum { USER_SAYS, USER_FAILED, USER_END } kind;
	unsigned int file;		/* its number among the library's */
};

/* The caller sets the first members; the rest is zero. */
struct user_reading {
	struct kernel *k;
	const struct library *library;
	/*
	 * Runs in a process of its own: sends a file's content by user_say(). Returns -1 and sets
	 * err on failure.
	 */
	int (*read)(struct user_reading *r, struct file *file, struct error *err);
	/* Runs in sonde: takes a message. Returns -1 if there is no memory. */
	int (*take)(struct user_reading *r, struct file *file, const void *message, size_t size);
	void *arg;
	/* internal */
	unsigned int file, skip;
	int out;
	bool no_memory;
};

/*
 * Reads all files of the library. Files that can't be read, or that block the process, are left
 * out. Returns -1 and sets err on failure.
 */
int user_files_read(struct user_reading *r, struct error *err);
/* Completes and sends `m`, which is the beginning of `size` bytes. */
void user_say(struct user_reading *r, struct user_message *m, size_t size);

#endif
