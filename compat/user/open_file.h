/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPEN_FILE_H
#define SONDE_OPEN_FILE_H

/*
 * Opens a regular file for reading, and nothing else: that could block, or have effects. -1 and
 * errno.
 */
int open_file(const char *path);
/* The same of what was opened with O_PATH, which is closed; -1 is taken for one that failed. */
int open_file_at(int fd);

#endif
