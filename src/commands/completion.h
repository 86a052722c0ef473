/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMPLETION_H
#define SONDE_COMPLETION_H

#include <stdio.h>

/* `sonde completion`: the scripts of the shells, and what those ask. */
int completion_main(int argc, char **argv);

/*
 * What the last of these words, which may be empty, can become: a line each, WORD or WORD<TAB>what
 * it is. The first word is a tool or a command. `:files`, `:directories` or `:command` mean
 * what the shell knows itself.
 */
void complete_words(FILE *out, char **words, unsigned int n);

/* The files below completion/, made part of the binary by the build. */
extern const char completion_bash[], completion_zsh[], completion_fish[];

#endif
