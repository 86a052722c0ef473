/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILE_H
#define SONDE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files of /proc, /sys and tracefs do not tell their size, and a read returns a page at most: they
 * are read until a read returns nothing.
 */

/*
 * Reads a small file, NUL-terminated; its length or -errno. -EFBIG: there are more than size - 1
 * bytes, and `to` has the first `size` of them, not terminated.
 */
int file_read(const char *path, char *to, size_t size);
/*
 * Reads the beginning of a file below an open directory (or AT_FDCWD) with one read(2): at most
 * size - 1 bytes, NUL-terminated. Returns the length, or -errno; then `to` is empty.
 */
int file_begin(int dir, const char *path, char *to, size_t size);
/* The first line of a file, without its newline; false if it can't be read. */
bool file_line(const char *path, char *to, size_t size);
/*
 * All of a file, or only its first `max` bytes, with a NUL behind them; `length` may be NULL. NULL
 * and errno on failure. The caller frees. gz_text() uncompresses on the way.
 */
char *file_text(const char *path, size_t max, size_t *length);
char *gz_text(const char *path, size_t max, size_t *length);

/*
 * Writes text with one write(2), as files of tracefs require. Never with O_TRUNC, which would
 * remove everybody's probes from kprobe_events. 0 or -errno.
 */
int file_write(const char *path, const char *text);

/*
 * For a process that goes on alone: closes all descriptors but those that are `kept`. Standard
 * input, output and error become /dev/null's.
 */
void file_close_all(bool (*kept)(void *arg, int fd), void *arg);

#endif
