/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILES_INTERNAL_H
#define SONDE_FILES_INTERNAL_H

#include <sys/types.h>
#include <time.h>

#include "compat/base/hash.h"
#include "src/lib/symbols/files.h"

/* What files.c and files_open.c share. */

/* A file by its identity: several paths may lead to it. */
struct image {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
	int fd;				/* -1: not held open */
	uint32_t number;		/* of its first path */
	bool loaded, failed;		/* state of `table` */
	unsigned int reads;		/* how often the table was read */
	uint64_t used;			/* files.clock at the last use of the table */
	struct table table;
	/* positions of files_want(), sorted before reading; NULL: all */
	uint64_t *wanted;
	uint32_t n_wanted;
	struct unwind {			/* the rows of files_unwind() */
		bool loaded, failed;
		uint64_t used;
		struct unwind_rows rows;
	} unwind;
};

/* A path. */
struct file {
	struct file_key key;
	struct file_mapped by;
	char *path;
	uint32_t name;			/* where the file's name begins in the path */
	uint32_t next;			/* next file in the same slot of the hash table */
	bool tried;			/* of a recording: it was opened, or could not be */
	bool identified;		/* its build id was read from it */
	uint8_t build_id[BUILD_ID];
	bool several;			/* of a recording: another file has the same path */
	int32_t image;			/* index in files.images; -1: none */
};

struct files {
	const volatile sig_atomic_t *stop;
	struct file *files;		/* [0] has the number FILES_FIRST */
	uint32_t n, opened;		/* files; files that files_open() has tried */
	uint32_t *slots, n_slots;	/* hash table of numbers; 0: empty */
	struct image *images;
	uint32_t n_images, n_open, open_most;	/* images; open descriptors, and their limit */
	struct image vdso[2];		/* of 32 and 64 bits */
	pid_t vdso_of;			/* the last process whose vDSO was read */
	size_t bytes;			/* of all tables */
	uint64_t clock;			/* counts uses */
	bool proc;			/* see files_new() */
	const struct recording *recording;	/* see files_of_recording(); NULL: of none */
	const char *symfs;
	bool identify;			/* build ids of files that are opened are read */
	struct hash paths;		/* of a recording: uint32_t, a file of this path, plus 1 */
	/* of a recording: files that were asked for, without a build id; that are not here */
	struct files_absent unidentified, unfound;
	struct lacks lacks;		/* see files_lacks() */
};

/* Opens the files from this index on, before `to`; what hangs is told. */
void files_open_range(struct files *f, uint32_t from, uint32_t to);

/*
 * Of a recording (recorded/recorded_names.c): completes the key of a file, tells of a new one, and
 * opens one if that was not tried.
 */
void files_recorded_key(const struct files *f, struct file_key *key, const char *path);
void files_recorded_new(struct files *f, uint32_t number);
void files_recorded_open(struct files *f, struct file *file);
/* files_find() in the recording itself. */
bool files_recorded_find(const struct files *f, uint32_t number, uint64_t position,
			 const char **name, uint64_t *offset);

#endif
