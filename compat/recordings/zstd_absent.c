// SPDX-License-Identifier: GPL-2.0
/* In the place of zstd.c, in a sonde that was built without zstd. */
#include "compat/recordings/zstd.h"

bool zstd_there(void)
{
	return false;
}

int zstd_unpack(const uint8_t *bytes, size_t size, uint8_t *to, size_t n)
{
	(void)bytes;
	(void)size;
	(void)to;
	(void)n;
	return -1;
}

struct zstd_stream *zstd_stream_new(void)
{
	return NULL;
}

void zstd_stream_free(struct zstd_stream *s)
{
	(void)s;
}

ssize_t zstd_stream_unpack(struct zstd_stream *s, const uint8_t *bytes, size_t size, size_t *at,
			   uint8_t *to, size_t n)
{
	(void)s;
	(void)bytes;
	(void)size;
	(void)at;
	(void)to;
	(void)n;
	return -1;
}
