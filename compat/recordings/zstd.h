/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ZSTD_H
#define SONDE_ZSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Unpacking what zstd compressed. Its decoder is a fifth of a megabyte, so it is in sonde only if
 * the build asked for it (make ZSTD=1): zstd_there(). Without it all else fails.
 */
bool zstd_there(void);

/* Unpacks `size` bytes, a whole frame, into exactly `n`. Returns -1 if they are damaged. */
int zstd_unpack(const uint8_t *bytes, size_t size, uint8_t *to, size_t n);

/* A stream that comes in parts. Returns NULL if there is no memory. NULL may be freed. */
struct zstd_stream;
struct zstd_stream *zstd_stream_new(void);
void zstd_stream_free(struct zstd_stream *s);
/*
 * Unpacks from bytes + *at on, up to `size`, and sets *at behind what was used. Returns how many
 * bytes it has put into `to`, at most n; fewer: the rest is not there yet; -1: it is damaged.
 */
ssize_t zstd_stream_unpack(struct zstd_stream *s, const uint8_t *bytes, size_t size, size_t *at,
			   uint8_t *to, size_t n);

#endif
