/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ESCAPE_H
#define SONDE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The one place where bytes that others chose become something that may be shown. Text: control
 * bytes, DEL, C1 controls, invalid UTF-8, bidirectional and other invisible format characters
 * become \n \t \xHH (\u{HHHH}), a backslash \\ ; valid printable UTF-8 passes. QUOTED: as text, but
 * a backslash passes. JSON: valid JSON strings; invalid UTF-8 bytes become U+DC80+byte-0x80 as
 * \udcHH (Python's surrogateescape: reversible). CSV: RFC 4180 quoting over the text escaping.
 */
enum escape_style { ESCAPE_TEXT, ESCAPE_QUOTED, ESCAPE_JSON, ESCAPE_CSV };
typedef void (*escape_put)(void *arg, const char *bytes, size_t n);
/* Text that was cut gets "..." in text and CSV. `put` may be NULL. Returns the columns. */
size_t escape(enum escape_style style, const char *s, size_t length, bool cut, escape_put put,
	      void *arg);

void escape_text(FILE *file, const char *s, size_t length);
void escape_json(FILE *file, const char *s, size_t length);	/* with the quotes */
void escape_csv(FILE *file, const char *s, size_t length);
/* the same as escape_json(), of a C string */
void json_string(FILE *file, const char *s);
/* The columns of a terminal that escape_text() takes. */
size_t escape_width(const char *s, size_t length);

#endif
