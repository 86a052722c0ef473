/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PIECES_H
#define SONDE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What probes read of user memory on kernels where a number that can't be read is 0
 * (compat/resolve/build_pieces.c), and what it tells. Both are `size` bytes of a record, from `at`
 * on: the address that was read, of `word` bytes, and what was found there.
 *
 * A 0 is believed where the page it comes from was there: something else was read from it in the
 * same record.
 */
#define PIECES_TEXT 512		/* bytes of the longest */

/*
 * A text, in pieces of 8 bytes, each of which begins with the last byte of the one before. Copies
 * it, without its NUL, which may be further on than the last piece. Its length; -1: it can't be
 * told, because some of it could not be read, or because the address has more than `pointer` bytes.
 */
int pieces_text(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer,
		char text[PIECES_TEXT]);

/* A row of pointers, each `pointer` bytes: is the first 0 in it, if there is one, truly there? */
bool pieces_row_ends(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer);

#endif
