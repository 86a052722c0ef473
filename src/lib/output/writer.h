/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_WRITER_H
#define SONDE_OUTPUT_WRITER_H

#include "compat/base/clock.h"
#include "src/lib/output/listener.h"

/* What formats are made of: the buffer, and values as text. Each format is a listener. */

/* Append bytes, or a string, to the buffer. */
void put(struct output *o, const char *bytes, size_t n);
void put_string(struct output *o, const char *s);
/* Ends one or more lines. Every function of output.h that prints ends with this call. */
void put_end(struct output *o);
/* Hands the buffer to stdio. */
void put_over(struct output *o);

/* Write numbers as text without a NUL. Return the length; buffers of 24 bytes are enough. */
unsigned int format_unsigned(char *s, uint64_t v);
unsigned int format_signed(char *s, int64_t v);
unsigned int format_octal(char *s, uint64_t v, unsigned int digits);
/* Nanoseconds as seconds with `digits` decimals, rounded half away from zero. */
unsigned int format_seconds(char *s, int64_t ns, unsigned int digits);
/* Appends a decimal number. */
void put_decimal(struct output *o, uint64_t v, bool is_signed);
/* HH:MM:SS in local time, valid until the next call; `ns` since the epoch. */
const char *clock_text(struct output *o, int64_t ns);

/* The longest number: DBL_MAX with 255 decimals. */
#define VALUE_TEXT 640
/* Writes a value that is not text. Returns the length; 0: the value is missing. */
unsigned int format_value(struct output *o, const struct column *c, const void *value,
			  char s[VALUE_TEXT]);

/* Appends text, escaped and quoted as the format does. Returns its columns on a terminal. */
size_t put_text(struct output *o, const struct text *t);
/* `-`: how text shows a missing value. */
extern const struct text text_nothing;
/* Appends a histogram as text. */
void put_text_hist(struct output *o, const struct histogram *h);
/* Appends stacks as one line: "comm;main;read;vfs_read". */
void put_folded(struct output *o, const struct stack_shown *s);
/* Appends stacks as text, a frame a line. */
void put_text_stack(struct output *o, const struct stack_shown *s);

#endif
