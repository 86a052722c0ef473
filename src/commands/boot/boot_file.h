#ifndef SONDE_BOOT_FILE_H
#define SONDE_BOOT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "compat/base/error.h"

/* Where a copy of the recording is. */
struct boot_copy {
	const char *path;		/* NULL: nowhere */
	struct stat folder;		/* that it was put in */
};

/*
 * Copies an open file, from its beginning, to an absolute path, or with NULL to the first of the
 * usual places that can be written. Returns -1 and sets err on failure.
 */
int boot_copy(struct boot_copy *c, int from, const char *path, struct error *err);
/* The path leads to another folder now: a file system was mounted over it, or the root changed. */
bool boot_copy_covered(const struct boot_copy *c);

#endif
