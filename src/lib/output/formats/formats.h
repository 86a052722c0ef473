/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_FORMATS_H
#define SONDE_OUTPUT_FORMATS_H

#include <stdbool.h>

/*
 * The formats of tables, histograms and stacks. A new format is a row of `formats` and its writer:
 * options, --help, completion and messages come out of the row. All other code asks for a property
 * of the format, never for its name.
 */
struct output_format {
	const char *option;	/* long name of the option: "json"; NULL: the format without one */
	const char *title;	/* its name in messages: "JSON" */
	const char *help;	/* of the option; one line */
	const struct format_writer *writer;
	/* for people: numbers are rounded, columns are aligned, lines say what happens */
	bool people;
	/* each line is an object that names its values: a stream can hold several kinds of them */
	bool objects;
	/* the stream is one table: its first line has the heads, all others the same columns */
	bool one_table;
};

/* Ends with a row without a writer. The first row is the format without an option. */
extern const struct output_format formats[];

/* A list of the formats' options for messages: "--json, --csv and -x", if `last` is "-x". */
void formats_list(char *text, unsigned int size, const char *last);

/*
 * A usage in which "[--FORMAT]" stands for the options of all formats: "[--json] [--csv]" takes its
 * place. The caller frees; NULL: out of memory.
 */
char *formats_usage(const char *usage);

#endif
