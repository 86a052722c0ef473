/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MOUNTS_H
#define SONDE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where file systems are mounted: as sonde sees them, and behind these, in a chroot or a mount
 * namespace, as process 1 does, whose tree may have what sonde's own lacks.
 */
struct mounts {
	struct mount *list;
	size_t n;
};

/* Reads them again. What can't be read or held is left out. */
void mounts_read(struct mounts *m);
/*
 * Writes the path of a file whose path within its file system is `path`: the place where that is
 * mounted, and the rest. `dev` is the file system's, as the kernel has it: 20 bits of the minor
 * number. The path is sonde's own if there is one, and else that of process 1. Returns false if no
 * mount shows the file.
 */
bool mounts_path(const struct mounts *m, uint32_t dev, const char *path, char *to, size_t size);
/*
 * Opens the directory where a file system is mounted whole, if it is one that finds files by their
 * numbers (ext2 to ext4, f2fs): they never make their user wait for a server. *root becomes the
 * path to the root of its tree, "" or that of process 1. Returns -1 if there is none.
 */
int mounts_open(const struct mounts *m, uint32_t dev, const char **root);
void mounts_free(struct mounts *m);

#endif
