/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INODE_PATH_H
#define SONDE_INODE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/toolkit/files/mounts.h"

/* Why no file can be found by its number: not by this kernel, or this user. NULL: files can. */
const char *inode_path_refused(void);
/*
 * Writes the path of a file by its number and its file system's, as the kernel has that. Returns
 * false if it is unknown: the file is gone or not below a mount, or the file system does not find
 * files by their numbers alone (all but ext2 to ext4, and f2fs).
 */
bool inode_path(const struct mounts *m, uint32_t dev, uint64_t inode, char *to, size_t size);

#endif
