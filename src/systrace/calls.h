/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYSTRACE_CALLS_H
#define SONDE_SYSTRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "insns/programs/systrace.h"

/* System calls and their arguments: names, kinds, and how each is shown. */

/* An argument: parts of a constant text. */
struct argument {
	const char *kind, *name;
	size_t kind_length, name_length;
};

/* The arguments of a call, as words; NULL: the call is not in the table. */
const char *call_arguments(const char *call);
/* Reads the next word of call_arguments(), and moves *at behind it. Returns false at the end. */
bool next_argument(const char **at, struct argument *a);
bool argument_is(const struct argument *a, const char *kind);

/* What a program has to do with a call (enum systrace_plan). `call` NULL: it has no name. */
uint64_t call_plan(const char *call);

/*
 * Writes a number by the names that its kind has: "RDONLY|CLOEXEC". Returns false if the kind has
 * no names.
 */
bool names_text(const struct argument *a, uint64_t number, char *to, size_t size);

/*
 * Writes a call's arguments: `dfd: CWD, filename: "/etc/passwd"`. Quotes and backslashes in texts
 * are escaped. `word` is the size of the task's pointers, 4 or 8; `texts` says whether the record
 * has its texts. What does not fit is cut.
 */
void arguments_text(const struct systrace_record *rec, const char *call, unsigned int word,
		    bool texts, char *to, size_t size);

#endif
