/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDS_H
#define SONDE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A store of many names in little memory. Names of functions consist of few different words between
 * underscores. Each word is kept once, and a name is encoded as the numbers of its words: eight
 * bytes instead of 24 on average. All zero: an empty store.
 */
struct words {
	char *text;			/* all words, without gaps */
	/* where each word begins in `text`; then the end of the last */
	uint32_t *starts;
	uint32_t n;			/* words */
	size_t text_length, text_room, starts_room;	/* used, allocated */
	uint32_t *slots;		/* hash table: a word's number + 1; 0: empty */
	uint32_t n_slots;
};

#define WORDS_NAME_MOST 1023		/* characters of a name */
#define WORDS_CODE_MOST (3 * WORDS_NAME_MOST)

/*
 * Encodes a name into `to`, which has room for three times its length. Returns the bytes written; 0
 * if there is no memory, or the name is empty or longer than WORDS_NAME_MOST.
 */
size_t words_encode(struct words *w, const char *name, size_t length, uint8_t *to);
/* Writes the name of a code, cut to `size` bytes with its NUL. */
void words_decode(const struct words *w, const uint8_t *code, char *to, size_t size);
/* Returns the first byte behind a code. */
const uint8_t *words_skip(const uint8_t *code);
/* Frees the memory that only encoding needs: no name may be encoded after it. */
void words_done(struct words *w);
void words_free(struct words *w);

#endif
