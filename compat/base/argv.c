// SPDX-License-Identifier: GPL-2.0
#include "compat/base/argv.h"

#include <stdlib.h>
#include <string.h>

char **argv_copy(char *const *words)
{
	unsigned int n = 0;
	char **copy;

	while (words[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	for (unsigned int i = 0; copy && i < n; i++) {
		copy[i] = strdup(words[i]);
		if (!copy[i]) {
			argv_free(copy);
			return NULL;
		}
	}
	return copy;
}

void argv_free(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}

char *argv_word(char **at)
{
	char *to, *word, quote = 0;

	*at += strspn(*at, " \t\n");
	if (!**at)
		return NULL;
	for (word = to = *at; **at && (quote || !strchr(" \t\n", **at)); ++*at) {
		if (quote ? **at == quote : **at == '\'' || **at == '"')
			quote = quote ? 0 : **at;
		else
			*to++ = **at;
	}
	*at += **at != '\0';
	*to = '\0';
	return word;
}
