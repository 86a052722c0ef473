/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARGV_H
#define SONDE_ARGV_H

/* Words of a command line: an array that ends with NULL. */

/* A copy, for argv_free(). Returns NULL if there is no memory. */
char **argv_copy(char *const *words);
/* Accepts NULL. */
void argv_free(char **words);
/*
 * Cuts the next word off a text, and goes behind it; within quotes of both kinds blanks are part of
 * it. Returns NULL at the end.
 */
char *argv_word(char **at);

#endif
