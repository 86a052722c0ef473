/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMPLETION_H
#define SONDE_COMPLETION_H

#include <stdio.h>

/*
 * Runs `sonde completion`: prints the shells' scripts, or completes the words that a script hands
 * over. Returns the exit status.
 */
int completion_main(int argc, char **argv);

/*
 * Prints completions of the last word, which may be empty: a line each, WORD or WORD<TAB>MEANING.
 * The first word is a tool or a command. The lines `:files`, `:directories` and `:command` ask the
 * shell to complete files, folders or commands by itself.
 */
void complete_words(FILE *out, char **words, unsigned int n);

/* The files of the folder completion, which the build puts into the binary. */
extern const char completion_bash[], completion_zsh[], completion_fish[];

#endif
