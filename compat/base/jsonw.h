/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_JSONW_H
#define SONDE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes JSON to a file: objects and arrays with commas where they belong, and texts as valid
 * strings. Rows of tools have a writer of their own (src/lib/output/formats/json.c).
 *
 * All functions that write a value take its name first: NULL for an element of an array, or for the
 * value that is the whole text.
 */
struct jsonw {
	FILE *to;
	bool spaced;		/* {"a": 1, "b": 2} instead of {"a":1,"b":2} */
	bool behind;		/* a member or an element is before, in the same brackets */
	bool named;		/* the name of the next value is written already */
};

/* Open an object or array with its bracket, and close it with the other one. */
void jsonw_open(struct jsonw *w, const char *name, char bracket);
void jsonw_close(struct jsonw *w, char bracket);
/* Closes the object that is a whole line. */
void jsonw_end(struct jsonw *w);
/* Write a text. NULL is null; for the last function an empty text is null as well. */
void jsonw_text(struct jsonw *w, const char *name, const char *s);
void jsonw_bytes(struct jsonw *w, const char *name, const char *s, size_t n);
void jsonw_words(struct jsonw *w, const char *name, const char *s);
/* Write numbers, true or false. */
void jsonw_integer(struct jsonw *w, const char *name, int64_t number);
void jsonw_unsigned(struct jsonw *w, const char *name, uint64_t number);
void jsonw_bool(struct jsonw *w, const char *name, bool value);
/*
 * Write what is before a value. The caller writes that, or calls a function with NULL for the name.
 * Of jsonw_key() the name may have any n bytes.
 */
void jsonw_name(struct jsonw *w, const char *name);
void jsonw_key(struct jsonw *w, const char *name, size_t n);

#endif
