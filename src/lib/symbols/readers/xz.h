/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_XZ_H
#define SONDE_XZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * What is compressed as .gnu_debugdata is: an .xz file of one stream with the LZMA2 filter alone.
 * Returns the bytes, which the caller frees, or NULL: it is something else, broken, or more than
 * `most` bytes. Checksums are not looked at: what is in it is not believed anyway.
 */
uint8_t *xz_unpack(const uint8_t *from, size_t n, size_t most, size_t *size);

#endif
