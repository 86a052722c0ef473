/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ESCAPE_H
#define SONDE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The one place where bytes that others chose are made fit for output.
 *
 * Text: control bytes, DEL, C1 controls, invalid UTF-8, bidirectional and other invisible format
 * characters become \n \t \xHH (\u{HHHH}); a backslash becomes \\ ; printable UTF-8 stays. QUOTED:
 * the same, but a backslash stays. JSON: valid JSON strings; an invalid UTF-8 byte becomes
 * U+DC80+byte-0x80 as \udcHH (Python's surrogateescape: reversible). CSV: the escapes of text, then
 * the quotes of RFC 4180.
 */
enum escape_style { ESCAPE_TEXT, ESCAPE_QUOTED, ESCAPE_JSON, ESCAPE_CSV };
typedef void (*escape_put)(void *arg, const char *bytes, size_t n);
/*
 * Hands the escaped text to `put`, which may be NULL. cut: "..." follows in text and CSV. Returns
 * the columns on a terminal.
 */
size_t escape(enum escape_style style, const char *s, size_t length, bool cut, escape_put put,
	      void *arg);

/* Write escaped text to a file. escape_json() and json_string() write the quotes too. */
void escape_text(FILE *file, const char *s, size_t length);
void escape_json(FILE *file, const char *s, size_t length);
void escape_csv(FILE *file, const char *s, size_t length);
void json_string(FILE *file, const char *s);
/* The columns of escape_text() on a terminal. */
size_t escape_width(const char *s, size_t length);
/* Returns how many bytes of an escaped text fit into so many columns of a terminal. */
size_t escape_fit(const char *escaped, size_t length, size_t columns);

#endif
