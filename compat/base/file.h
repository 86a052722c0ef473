/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILE_H
#define SONDE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files of /proc, /sys and tracefs do not tell their size, and a read returns at most a page. These
 * functions read until a read returns nothing.
 */

/*
 * Reads a small file, and adds a NUL. Returns the length or -errno. -EFBIG: the file has more than
 * size - 1 bytes; `to` then has the first `size` bytes, without a NUL.
 */
int file_read(const char *path, char *to, size_t size);
/*
 * Reads the beginning of a file below an open directory (or AT_FDCWD) with one read(2): at most
 * size - 1 bytes, and adds a NUL. Returns the length, or -errno; then `to` is empty.
 */
int file_begin(int dir, const char *path, char *to, size_t size);
/*
 * Reads the first line, without its newline. Returns false if the file can't be read, or if the
 * line is longer than size - 2 bytes; then `to` is empty.
 */
bool file_line(const char *path, char *to, size_t size);
/*
 * Where a link below an open directory (or AT_FDCWD) leads, with a NUL. Returns the length, or
 * -errno; then `to` is empty. -ENAMETOOLONG: that has more than size - 1 bytes.
 */
int file_link(int dir, const char *path, char *to, size_t size);
/*
 * Returns the content, at most its first `max` bytes, with a NUL behind it. The caller frees.
 * `length` may be NULL. Returns NULL and sets errno on failure. gz_text() also uncompresses.
 */
char *file_text(const char *path, size_t max, size_t *length);
char *gz_text(const char *path, size_t max, size_t *length);

/*
 * Writes text with one write(2), as files of tracefs require. Never uses O_TRUNC: it would remove
 * all probes from kprobe_events, also those of others. Returns 0 or -errno.
 */
int file_write(const char *path, const char *text);

/* Writes all bytes to an open file; signals make a write(2) short. Returns 0 or -errno. */
int file_write_all(int fd, const void *bytes, size_t n);

/*
 * Makes or empties a file that the user named, and opens it for writing. The path may be a link
 * only if root or this user made it: in /tmp a link of somebody else would choose which file is
 * emptied. Returns the descriptor, or -errno. -ELOOP: such a link.
 */
int file_create(const char *path);
/* The same, for what other users do: it can be read by its owner alone, unless it was there. */
int file_create_private(const char *path);
#define FILE_FOREIGN_LINK "it is a link that another user made"

/*
 * For a forked process: closes all descriptors except those for which kept() returns true. Standard
 * input, output and error become /dev/null.
 */
void file_close_all(bool (*kept)(void *arg, int fd), void *arg);

#endif
