/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPEN_FILE_H
#define SONDE_OPEN_FILE_H

/*
 * Opens a regular file for reading. Other files are refused: opening them could block, or have
 * effects. Returns -1 and sets errno on failure.
 */
int open_file(const char *path);
/* The same for a descriptor made with O_PATH, which is closed. fd -1: the earlier open failed. */
int open_file_at(int fd);

#endif
