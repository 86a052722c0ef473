/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BOOT_FILE_H
#define SONDE_BOOT_FILE_H

#include "compat/base/error.h"

/*
 * Copies the rest of an open file to a path, or with NULL to the first of the usual places that can
 * be written. A path whose folder is not there yet, or can't be written yet, is tried for a minute,
 * then the usual places. Returns the path of the copy; NULL and sets err on failure. It also sets
 * err if the path was not the one that was asked for.
 */
const char *boot_file_keep(int fd, const char *path, struct error *err);

#endif
