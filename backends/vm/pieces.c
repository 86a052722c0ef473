// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/pieces.h"

#include <string.h>

#define PIECE 8U
#define STRIDE (PIECE - 1)
#define PAGE_BITS 12		/* of the smallest pages of all machines */

/*
 * Numbers of `size` bytes. In memory they are `stride` bytes apart, from `address` on. In the
 * record nothing is between them.
 */
struct numbers {
	uint64_t address;
	const uint8_t *first;
	uint32_t n, size, stride;
};

static uint64_t load(const uint8_t *at, uint32_t size)
{
	uint64_t wide;
	uint32_t narrow;

	memcpy(size == 8 ? (void *)&wide : &narrow, at, size == 8 ? 8 : 4);
	return size == 8 ? wide : narrow;
}

static struct numbers numbers_at(const uint8_t *at, uint32_t size, uint32_t word, uint32_t number,
				 uint32_t stride)
{
	struct numbers t = { .first = at + word, .size = number, .stride = stride };

	if (size < word)
		return t;
	t.address = load(at, word);
	t.n = (size - word) / number;
	return t;
}

static bool is_zero(const struct numbers *t, uint32_t i)
{
	return !load(t->first + i * t->size, t->size);
}

/* Returns true if a number other than 0 was read from the page of this address. */
static bool page_was_there(const struct numbers *t, uint64_t address)
{
	uint64_t page = address >> PAGE_BITS;

	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t from = t->address + i * t->stride, to = from + t->size - 1;

		if (!is_zero(t, i) && (from >> PAGE_BITS == page || to >> PAGE_BITS == page))
			return true;
	}
	return false;
}

/*
 * For a number that is 0. Returns true if it was read; false if the 0 may mean that reading failed.
 */
static bool true_zero(const struct numbers *t, uint32_t i)
{
	uint64_t from = t->address + i * t->stride;

	return t->address && page_was_there(t, from) && page_was_there(t, from + t->size - 1);
}

int pieces_text(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer,
		char text[PIECES_TEXT])
{
	struct numbers t = numbers_at(at, size, word, PIECE, STRIDE);
	uint32_t length = 0;

	if (!t.n || (pointer < 8 && t.address >> 8 * pointer) ||
	    (is_zero(&t, 0) && !true_zero(&t, 0)))
		return -1;
	for (uint32_t i = 0; i < t.n && length + PIECE <= PIECES_TEXT; i++) {
		const uint8_t *piece = t.first + i * PIECE;

		if (i && piece[0] != (uint8_t)text[--length])
			return -1;
		for (uint32_t j = 0; j < PIECE; j++) {
			if (!piece[j])
				return (int)length;
			text[length++] = (char)piece[j];
		}
	}
	return (int)length;
}

bool pieces_row_ends(const uint8_t *at, uint32_t size, uint32_t word, uint32_t pointer)
{
	struct numbers t = numbers_at(at, size, word, pointer, pointer);

	for (uint32_t i = 0; i < t.n; i++)
		if (is_zero(&t, i))
			return true_zero(&t, i);
	return true;
}
