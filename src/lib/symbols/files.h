/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_FILES_H
#define SONDE_SYMBOL_FILES_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/build_id.h"
#include "compat/recordings/recording.h"
#include "src/lib/symbols/lacks.h"
#include "src/lib/symbols/readers/load.h"
#include "src/lib/unwind/rows.h"

/*
 * The files that processes have mapped, by number, and their symbols. A file is opened soon after
 * its mapping is seen. So it can be read after it was removed, or after its process has ended.
 * Several paths of one file share its symbols. Memory is bounded: the symbols used least recently
 * are dropped, and read again when needed.
 */
struct files;

/* Numbers of mapped memory; files have numbers from FILES_FIRST on. */
enum { FILES_NOTHING, FILES_ANONYMOUS, FILES_VDSO, FILES_FIRST };

struct file_key {			/* as in /proc/PID/maps and in events */
	uint32_t major, minor;
	uint64_t inode;			/* 0: unknown */
	uint64_t generation;		/* 0: unknown */
	bool identified;		/* the build id is known; the numbers above are then 0 */
	uint8_t build_id[BUILD_ID];	/* filled with zeros */
};

struct file_mapped {			/* a mapping through which the file can be opened */
	uint32_t pid;
	uint64_t start, end;
};

/*
 * `proc`: /proc has the processes that the events are of. *stop ends the reading of files. Returns
 * NULL if there is no memory.
 */
struct files *files_new(bool proc, const volatile sig_atomic_t *stop);
void files_free(struct files *f);
/*
 * The processes are those of a recording. Their files are opened when they are asked for, below the
 * folder `symfs` (NULL: on this machine), and only if their build id is known and right. Both must
 * stay. To be called before all others.
 */
void files_of_recording(struct files *f, const struct recording *recording, const char *symfs);

/* Files that are opened from now on are asked for their build ids. */
void files_identify(struct files *f);
/* The build id of a file as far as it is known; NULL: it is not. */
const uint8_t *files_build_id(const struct files *f, uint32_t number);
/* Returns true if other files of the recording have the same path. */
bool files_several(const struct files *f, uint32_t number);
/* The path of a file; NULL: it has none. */
const char *files_path(const struct files *f, uint32_t number);

/* The number of a file. The path ends with " (deleted)" if the file was removed. */
uint32_t files_number(struct files *f, const struct file_key *key, const char *path,
		      const struct file_mapped *by);
/* Opens the files that got their numbers since the last call. */
void files_open(struct files *f);

/* The file's name without its folder, valid as long as f. Returns NULL if it has no name. */
const char *files_name(const struct files *f, uint32_t number);
/*
 * Finds the symbol at a position of the file. `caller`: see table_find(). The name is valid until
 * the next call. Returns false if no symbol is known there.
 */
bool files_find(struct files *f, uint32_t number, uint64_t position, bool caller,
		const char **name, uint64_t *offset);
/*
 * Announces a files_find() of this position. If all positions are announced before the first
 * files_find() of the file, only their symbols are kept in memory. Other positions are still found,
 * but the file is then read once more.
 */
void files_want(struct files *f, uint32_t number, uint64_t position);
/* files_find() for the vDSO of programs with words of `bits`. */
bool files_find_vdso(struct files *f, unsigned int bits, const struct vdso_source *where,
		     uint64_t position, const char **name, uint64_t *offset);

/*
 * The unwind row for a position of the file or of the vDSO, valid until the next call. Returns NULL
 * if the file has none there.
 */
const struct unwind_row *files_unwind(struct files *f, uint32_t number, uint64_t position);

/* Files of a recording whose functions were asked for, and that could not be opened. */
struct files_absent {
	uint32_t n;
	const char *path;		/* of the first */
};
/* Those without a build id, and those that are not here. */
struct files_absent files_unidentified(const struct files *f);
struct files_absent files_unfound(const struct files *f);

/* The files that could not be read, and why. */
struct lacks *files_lacks(struct files *f);

#endif
