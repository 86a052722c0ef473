/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_WRITER_H
#define SONDE_OUTPUT_WRITER_H

#include <time.h>

#include "src/output/output.h"

/*
 * What the files of src/output share: the stream with its line buffer, and the pieces every format is made of.
 * A line is collected and handed to stdio as one piece: a tool prints up to 100 000 rows a second.
 */
struct output {
	FILE *file;
	enum output_format format;
	unsigned int n_columns;
	const struct column **columns;	/* those shown */
	int *widths;			/* as in printf; never less than the head's, or it would not stand above */
	bool header_done, hist_header_done;
	struct heatmap *map;	/* of output_map() */
	bool map_only;
	int error;			/* errno of the first write that failed; nothing is written after it */
	unsigned int blanks;		/* owed: written only if something follows, so no line ends with blanks */
	time_t clock_second;		/* what clock_text is of */
	char clock_text[16];
	size_t used;
	char line[8192];
};

void put(struct output *o, const char *bytes, size_t n);
void put_string(struct output *o, const char *s);
/* Hands the line to stdio. Every function of output.h that prints ends with it. */
void put_end(struct output *o);

/* Numbers as text, without a terminating NUL; their length. Buffers of 24 bytes suffice. */
unsigned int format_unsigned(char *s, uint64_t v);
unsigned int format_signed(char *s, int64_t v);
unsigned int format_octal(char *s, uint64_t v, unsigned int digits);
/* Nanoseconds as seconds with `digits` decimals, rounded half away from zero. */
unsigned int format_seconds(char *s, int64_t ns, unsigned int digits);

/* JSON numbers: strings above 2^53, where a reader that knows only doubles would change them. */
void put_json_unsigned(struct output *o, uint64_t v);
void put_json_signed(struct output *o, int64_t v);
void put_json_key(struct output *o, const char *name);	/* "name": */
void put_json_string(struct output *o, const char *s);	/* NULL: null */
void put_json_clock(struct output *o, int64_t ns);	/* ISO 8601, UTC */
/* "name":"...", and "name_cut":true if it was cut. */
void put_json_text(struct output *o, const char *name, const struct text *t);
const char *clock_text(struct output *o, int64_t ns);	/* HH:MM:SS, local time */

/* Escaped for the output's format, quoted where the format quotes; the columns it takes on a terminal. */
size_t put_text(struct output *o, const struct text *t);

void put_hist_csv_header(struct output *o);	/* once */

#endif
