/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDS_H
#define SONDE_WORDS_H

#include <stddef.h>

/* The nearest of several words, offered one by one: the first of those that are as near. */
struct nearest {
	const char *word;		/* what was given, `length` bytes of it */
	size_t length;
	const char *name;		/* what may have been meant; NULL: nothing is near */
	unsigned int distance;
};
void nearest_of(struct nearest *n, const char *word);
/* How far two words are from each other: letters to add, drop, change or swap. */
unsigned int word_distance(const char *a, size_t n_a, const char *b, size_t n_b);

#endif
