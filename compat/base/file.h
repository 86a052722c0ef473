/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILE_H
#define SONDE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files of /proc, /sys and tracefs do not tell their size, and come in pieces of a page: they
 * are read until nothing comes.
 */

/*
 * Reads a small file, NUL-terminated; its length or -errno. -EFBIG: there is more than size - 1
 * bytes, of which `to` has the first size, not terminated.
 */
int file_read(const char *path, char *to, size_t size);
/*
 * What one read(2) of a file below an open directory (or AT_FDCWD) brings, at most size - 1
 * bytes, NUL-terminated: for files whose beginning is enough. Its length or -errno; then `to` is
 * empty.
 */
int file_begin(int dir, const char *path, char *to, size_t size);
/* The first line of such a file, without its newline; false if it can't be read. */
bool file_line(const char *path, char *to, size_t size);
/*
 * All of a file, or only its first `max` bytes, NUL-terminated beyond its length (which may be
 * NULL); NULL and errno. The caller frees. gz_text() uncompresses on the way.
 */
char *file_text(const char *path, size_t max, size_t *length);
char *gz_text(const char *path, size_t max, size_t *length);

/*
 * Writes text with one write(2), as files of tracefs want it. Never with O_TRUNC, which would
 * remove everybody's probes from kprobe_events. 0 or -errno.
 */
int file_write(const char *path, const char *text);

#endif
