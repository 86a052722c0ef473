/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_FORMATS_H
#define SONDE_OUTPUT_FORMATS_H

#include <stdbool.h>

/*
 * The formats of tables, histograms and stacks. A new format is a row of `formats` and a writer:
 * options, --help, completion and messages are made from the row. Other code asks for a property of
 * a format, never for its name.
 */
struct output_format {
	const char *option;	/* long name of its option: "json"; NULL: the default format */
	const char *title;	/* its name in messages: "JSON" */
	const char *help;	/* of the option; one line */
	const struct output_listener *writer;
	/* for people: numbers are rounded, columns are aligned, extra lines inform */
	bool people;
	/* each line is an object that names its values: a stream can hold several kinds of them */
	bool objects;
	/* the stream is one table: its first line has the heads, all others the same columns */
	bool one_table;
};

/* Ends with a row without a writer. The first row is the default format. */
extern const struct output_format formats[];
/* The format with `objects`: of files that other programs read. */
#define FORMAT_OF_FILES (&formats[1])

/* Writes the formats' options for messages: "--json, --csv and -x", if `last` is "-x". */
void formats_list(char *text, unsigned int size, const char *last);

/*
 * Returns a usage line with "[--FORMAT]" replaced by the options of all formats: "[--json]
 * [--csv]". The caller frees. Returns NULL if there is no memory.
 */
char *formats_usage(const char *usage);

#endif
