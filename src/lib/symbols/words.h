/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDS_H
#define SONDE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Many names in little memory. Names of functions are made of few different words between
 * underscores, so each word is kept once, and a name is the numbers of its words: eight bytes where
 * it has 24 characters. All zero: no words yet.
 */
struct words {
	char *text;			/* all words, one behind the other */
	uint32_t *starts;		/* where each begins there; one more for the end */
	uint32_t n;
	size_t text_length, text_room, starts_room;
	uint32_t *slots;		/* number + 1 by hash; 0: empty */
	uint32_t n_slots;
};

#define WORDS_NAME_MOST 1023		/* characters of a name */
#define WORDS_CODE_MOST (3 * WORDS_NAME_MOST)

/*
 * Bytes of the code of a name, written to `to`, which has room for three times its length. 0: no
 * memory, or the name is empty or longer than WORDS_NAME_MOST.
 */
size_t words_encode(struct words *w, const char *name, size_t length, uint8_t *to);
/* The name of a code, with its NUL, cut to size. */
void words_decode(const struct words *w, const uint8_t *code, char *to, size_t size);
/* What is behind a code. */
const uint8_t *words_skip(const uint8_t *code);
/* No more names will be encoded: frees what only that needs. */
void words_done(struct words *w);
void words_free(struct words *w);

#endif
