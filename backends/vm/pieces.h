/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PIECES_H
#define SONDE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Texts and pointers of user memory, read by probes of kernels that give 0 for an unreadable number
 * (compat/resolve/build_pieces.c). Both are `size` bytes of a record, from `at` on: the address, of
 * `word` bytes, then what was read there.
 *
 * A 0 is believed if something else was read from its page in the same record: the page was there.
 */
#define PIECES_TEXT 512		/* bytes of the longest */

/*
 * Joins a text from pieces of 8 bytes, each of which begins with the last byte of the one before.
 * The text is copied without its NUL, which may be behind the last piece. Returns its length; -1 if
 * it is unknown: some of it was unreadable, or the address has more than `pointer` bytes.
 */
int pieces_text(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer,
		char text[PIECES_TEXT]);

/*
 * For a row of pointers, each `pointer` bytes. Returns false if the first 0 in it may be an
 * unreadable pointer.
 */
bool pieces_row_ends(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer);

#endif
