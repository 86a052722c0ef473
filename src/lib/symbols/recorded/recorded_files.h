/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_FILES_H
#define SONDE_RECORDED_FILES_H

#include "compat/kernel/build_id.h"
#include "compat/recordings/recording.h"

/*
 * Files that processes of a recording had mapped, as this machine has them: only a file of the same
 * build id is the same.
 */

/*
 * Opens the file of this path and build id: below the folder `symfs`, or in it by the build id, as
 * perf's cache has files; without a folder on this machine, and in perf's cache of this user
 * (~/.debug). Returns a descriptor, or -1. A process of its own must call it (compat/user/guard.h).
 */
int recorded_file_open(const char *symfs, const char *path, const uint8_t id[BUILD_ID]);

/* Returns true if the open file has this build id. A process of its own must call it. */
bool recorded_file_is(int fd, const uint8_t id[BUILD_ID]);

#endif
