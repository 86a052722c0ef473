// SPDX-License-Identifier: GPL-2.0
/* In sonde if it was built with ZSTD=1; else zstd_absent.c is. */
#include "compat/recordings/zstd.h"

#include <zstd.h>

bool zstd_there(void)
{
	return true;
}

int zstd_unpack(const uint8_t *bytes, size_t size, uint8_t *to, size_t n)
{
	return ZSTD_decompress(to, n, bytes, size) == n ? 0 : -1;
}

struct zstd_stream *zstd_stream_new(void)
{
	return (struct zstd_stream *)ZSTD_createDCtx();
}

void zstd_stream_free(struct zstd_stream *s)
{
	ZSTD_freeDCtx((ZSTD_DCtx *)s);
}

ssize_t zstd_stream_unpack(struct zstd_stream *s, const uint8_t *bytes, size_t size, size_t *at,
			   uint8_t *to, size_t n)
{
	ZSTD_inBuffer in = { bytes, size, *at };
	ZSTD_outBuffer out = { to, n, 0 };
	size_t before;

	/* What does not fit stays in the decoder: it has more while the room is full. */
	do {
		before = in.pos + out.pos;
		if (ZSTD_isError(ZSTD_decompressStream((ZSTD_DCtx *)s, &out, &in)))
			return -1;
	} while (out.pos < n && in.pos + out.pos > before);
	*at = in.pos;
	return (ssize_t)out.pos;
}
