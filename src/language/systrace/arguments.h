/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYSTRACE_ARGUMENTS_H
#define SONDE_SYSTRACE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/strbuf.h"
#include "insns/programs/systrace.h"
#include "src/language/calls/calls.h"

/* The arguments of a system call: their names and kinds, and how each is shown. */

/* An argument: parts of a constant text, and its place among the registers. */
struct argument {
	const char *kind, *name;
	uint8_t kind_length, name_length;
	uint8_t at, registers;		/* its first register; 1 or 2 of them */
	bool high_first;		/* of two: the upper half is first */
};

/* A walk along the arguments of a call. */
struct argument_walk {
	const char *words;		/* call_words(); NULL: unknown, there is no argument */
	struct call_registers registers;
	uint8_t at;			/* the next register */
};

/* Reads the next argument. Returns false at the end. */
bool next_argument(struct argument_walk *w, struct argument *a);
bool argument_is(const struct argument *a, const char *kind);

/* Returns true for numbers that are in two registers on every machine. */
bool is_halves(const struct argument *a);

/* What a program has to do with the call in a slot (enum systrace_plan). */
uint64_t call_plan(const struct arch *arch, uint32_t slot);

/*
 * Writes a number by the names that its kind has: "RDONLY|CLOEXEC". Returns false if the kind has
 * no names.
 */
bool names_text(const struct argument *a, uint64_t number, char *to, size_t size);

/* Returns true if the arguments behind this one depend on it, as on the command of fcntl(2). */
bool selects_arguments(const struct argument *a);
/*
 * Changes the kind of an argument to what `value`, the last of such an argument, makes it. Returns
 * false if the call does not read it.
 */
bool argument_used(struct argument *a, const struct argument *selector, uint64_t value);

/* In quotes; control characters, quotes and backslashes are escaped. */
void add_quoted(struct strbuf *w, const char *s, size_t length);
/* A struct sockaddr; false: it was not read. */
bool add_address(struct strbuf *w, const struct systrace_address *a);

/*
 * Writes a call's arguments: `dfd: CWD, filename: "/etc/passwd"`. `memory` says whether the record
 * has what was read of memory.
 */
void arguments_text(const struct systrace_record *rec, const struct arch *arch, bool memory,
		    char *to, size_t size);

#endif
