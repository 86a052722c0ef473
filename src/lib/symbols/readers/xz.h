/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_XZ_H
#define SONDE_XZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Unpacks data compressed as .gnu_debugdata is: an .xz file of one stream with only the LZMA2
 * filter. Returns the bytes, which the caller frees; *size gets their number. Returns NULL if the
 * data is in another format, broken, or unpacks to more than `most` bytes. Checksums are ignored:
 * the content is not trusted anyway.
 */
uint8_t *xz_unpack(const uint8_t *from, size_t n, size_t most, size_t *size);

#endif
