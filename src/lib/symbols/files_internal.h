/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILES_INTERNAL_H
#define SONDE_FILES_INTERNAL_H

#include <sys/types.h>
#include <time.h>

#include "src/lib/symbols/files.h"

/* What files.c and files_open.c share. */

/* A file by what it is itself. */
struct image {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
	int fd;				/* -1: it can't be held open */
	uint32_t number;		/* of the first path that it has */
	bool loaded, failed;
	unsigned int reads;
	uint64_t used;			/* by the clock of f */
	struct table table;
	uint64_t *wanted;		/* sorted when they are read; NULL: all are */
	uint32_t n_wanted;
	struct unwind {			/* and how to get to callers */
		bool loaded, failed;
		uint64_t used;
		struct unwind_rows rows;
	} unwind;
};

struct file {
	struct file_key key;
	struct file_mapped by;
	char *path;
	uint32_t name;			/* where in the path its name begins */
	uint32_t next;			/* of the same hash */
	bool tried;
	int32_t image;			/* -1: none */
};

struct files {
	const volatile sig_atomic_t *stop;
	struct file *files;		/* [0] is number FILES_FIRST */
	uint32_t n, opened;		/* opened: those before it were tried */
	uint32_t *slots, n_slots;	/* number by hash; 0: empty */
	struct image *images;
	uint32_t n_images, n_open, open_most;
	struct image vdso[2];		/* of 32 and 64 bits */
	pid_t vdso_of;			/* the last process that one was read from */
	size_t bytes;			/* of all tables */
	uint64_t clock;
	bool proc;
	struct lines lacks;
};

#endif
