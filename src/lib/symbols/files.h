/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_FILES_H
#define SONDE_SYMBOL_FILES_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/lines.h"
#include "src/lib/symbols/readers/load.h"
#include "src/lib/unwind/rows.h"

/*
 * The files that processes have mapped, by number, and their symbols. A file is opened soon after
 * it was seen, so that it can be read when it was removed, or its process has ended. What are
 * several paths of one file has its symbols once, in memory that is bounded: those used least
 * recently are given up, and read again when they are asked for.
 */
struct files;

/* What can be mapped beside files. */
enum { FILES_NOTHING, FILES_ANONYMOUS, FILES_VDSO, FILES_FIRST };

struct file_key {			/* as the kernel shows it, in /proc/PID/maps and events */
	uint32_t major, minor;
	uint64_t inode;			/* 0: not known */
	uint64_t generation;		/* 0: not known */
};

struct file_mapped {			/* who has mapped it, where: it can be opened by this */
	uint32_t pid;
	uint64_t start, end;
};

/* `proc`: /proc is that of the processes. NULL: no memory. */
struct files *files_new(bool proc, const volatile sig_atomic_t *stop);
void files_free(struct files *f);

/* The number of what the path says, which ends with " (deleted)" if it was removed. */
uint32_t files_number(struct files *f, const struct file_key *key, const char *path,
		      const struct file_mapped *by);
/* Opens those that are new. */
void files_open(struct files *f);

/* Its name, without the folder; NULL: it has none. Valid as long as f is. */
const char *files_name(const struct files *f, uint32_t number);
/*
 * The symbol at a position of the file. `caller`: as in table_find(). The name is valid until the
 * next call.
 */
bool files_find(struct files *f, uint32_t number, uint64_t position, bool caller,
		const char **name, uint64_t *offset);
/*
 * files_find() will be called for this position: where all that are wanted of a file are known
 * before the first one is asked for, only these are kept. Others are still found, at the price of
 * reading the file once more.
 */
void files_want(struct files *f, uint32_t number, uint64_t position);
/* The same of the vDSO: of programs with words of `bits`. */
bool files_find_vdso(struct files *f, unsigned int bits, const struct vdso_source *where,
		     uint64_t position, const char **name, uint64_t *offset);

/*
 * How to get from the function at a position of the file, or of the vDSO, to its caller; NULL: it
 * does not say. Valid until the next call.
 */
const struct unwind_row *files_unwind(struct files *f, uint32_t number, uint64_t position);

/* What could not be read, and why: a line each. */
struct lines *files_lacks(struct files *f);

#endif
