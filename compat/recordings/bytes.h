/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BYTES_H
#define SONDE_BYTES_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "compat/base/error.h"

/*
 * The bytes of a recording, from a file or a pipe, in order. They are read, not mapped: whoever
 * owns a mapped file can cut it, and the reader gets SIGBUS.
 */
struct bytes {
	int fd;
	char *path;			/* for messages */
	bool file;			/* bytes_at() can read anywhere */
	uint64_t size;			/* of a file */
	uint64_t offset;		/* of the next byte */
	uint8_t *buffer;
	size_t room, from, to;		/* what is in the buffer and was not taken */
	const volatile sig_atomic_t *stop;	/* reading ends when it is not 0; NULL: never */
};

/*
 * Opens a file, or a pipe; "-": standard input. Returns -1 and sets err if it can't be opened.
 * bytes_close() accepts all zeros.
 */
int bytes_open(struct bytes *b, const char *path, const volatile sig_atomic_t *stop,
	       struct error *err);
void bytes_close(struct bytes *b);

/* The bytes behind the last ones that were taken which were read already. */
static inline size_t bytes_left(const struct bytes *b)
{
	return b->to - b->from;
}

/* Reads on until n bytes are left so. Returns as bytes_look(). */
int bytes_fill(struct bytes *b, size_t n, struct error *err);

/*
 * Sets *to to the next n bytes; they stay until the next call. Returns 1; 0: fewer are left, or
 * reading was stopped; -1 and sets err if they can't be read.
 */
static inline int bytes_look(struct bytes *b, size_t n, uint8_t **to, struct error *err)
{
	const int result = bytes_left(b) >= n ? 1 : bytes_fill(b, n, err);

	*to = b->buffer + b->from;
	return result;
}

/* The same, and goes behind them. */
static inline int bytes_take(struct bytes *b, size_t n, uint8_t **to, struct error *err)
{
	const int result = bytes_look(b, n, to, err);

	if (result > 0) {
		b->from += n;
		b->offset += n;
	}
	return result;
}

/* Goes behind n bytes. Returns as above. */
int bytes_skip(struct bytes *b, uint64_t n, struct error *err);

/* A file goes on at this offset. */
void bytes_seek(struct bytes *b, uint64_t offset);
/*
 * Reads up to n bytes at an offset of a file. Returns how many; -1 and sets err if they can't be
 * read.
 */
ssize_t bytes_read(const struct bytes *b, uint64_t offset, uint8_t *to, size_t n,
		   struct error *err);
/*
 * Reads n bytes at an offset of a file, and adds a NUL. The caller frees. Returns NULL and sets err
 * if the file does not have them, or has more than `most`.
 */
uint8_t *bytes_at(struct bytes *b, uint64_t offset, uint64_t n, size_t most, struct error *err);

#endif
