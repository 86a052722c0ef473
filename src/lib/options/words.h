/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDS_H
#define SONDE_WORDS_H

#include <stddef.h>

/*
 * Finds the word most like a misspelled one: nearest_of() is called for each candidate, and the
 * first of the nearest stays.
 */
struct nearest {
	const char *word;		/* the misspelled word, `length` bytes */
	size_t length;
	const char *name;		/* the nearest candidate; NULL: none is similar */
	unsigned int distance;
};
void nearest_of(struct nearest *n, const char *word);
/* The number of letters to add, drop, change or swap to get from one word to the other. */
unsigned int word_distance(const char *a, size_t n_a, const char *b, size_t n_b);

#endif
