// SPDX-License-Identifier: GPL-2.0
/* The word that somebody may have meant. */
#include "src/lib/options/words.h"

#include <string.h>

#define WORD 32
#define NEAR 2				/* letters that may differ */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int word_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned int d[WORD + 1][WORD + 1], i, j;

	if (n_a > WORD || n_b > WORD)
		return WORD;
	for (i = 0; i <= n_a; i++) {
		for (j = 0; j <= n_b; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = least(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n_a][n_b];
}

void nearest_of(struct nearest *n, const char *word)
{
	size_t length = strlen(word);
	unsigned int d = word_distance(n->word, n->length, word, length);

	/* The beginning of a word is near it; but two letters that both differ are not. */
	if (n->length > 1 && n->length < length && !memcmp(n->word, word, n->length))
		d = 1;
	if (d >= n->length || (n->name ? d >= n->distance : d > NEAR))
		return;
	n->distance = d;
	n->name = word;
}
