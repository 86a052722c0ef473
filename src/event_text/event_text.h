/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EVENT_TEXT_H
#define SONDE_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Events of tracepoints and probes as the kernel itself prints them: by the `print fmt` of their
 * formats, which libtraceevent reads. Formats are the kernel's, or those of a snapshot: they are
 * trusted, because libtraceevent's parser crashes on some that nobody would write. Records are not:
 * what it would read is checked first (safe.c), and is a copy that ends with zeros.
 *
 * What libtraceevent can't parse, or would read or compute wrong, has its fields shown instead:
 * NAME=VALUE ...
 */
struct event_texts;

/* The name of a function of the kernel; NULL: not known. Valid until the next call. */
typedef const char *(*event_function_fn)(void *arg, uint64_t address, uint64_t *begin);

/* NULL: out of memory. */
struct event_texts *event_texts_new(struct kernel *k, event_function_fn function, void *arg);
void event_texts_free(struct event_texts *t);

struct event_text;			/* of one event */

/* Owned by `t`; NULL: there is no such event, or out of memory. */
struct event_text *event_text_find(struct event_texts *t, const char *system, const char *event);

/* NULL: its print fmt is used; else why its fields are shown. */
const char *event_text_why_fields(const struct event_text *e);
/* Does it show names of functions? */
bool event_text_names(const struct event_text *e);
/* "int pid", "char comm[16]": its fields but the common ones. False: there are no more. */
bool event_text_field(const struct event_text *e, unsigned int number, char *to, size_t size);

/*
 * The text of one record, without a newline at its end; of one that is not what its format says,
 * the fields. It may have any bytes: texts in records are others'. Valid until the next call.
 */
const char *event_text(struct event_text *e, const void *record, size_t size, size_t *length);

/* ---- between the files of this folder ---- */

/*
 * A print fmt whose expressions libtraceevent computes as C does: it mixes up operators that are
 * beside parentheses, so that each operand that has some of its own gets them, and a cast; and it
 * forgets the signs of short fields, which it is told by the format (NULL: not). %p is written as
 * digits. NULL: it is no print fmt, or out of memory. The caller frees.
 */
char *print_fmt_plain(const char *text, unsigned int word, const struct format *format);

struct tep_event;
/* Can it be printed, if a record fits? NULL: yes; else why not. */
const char *event_safe(struct tep_event *e, unsigned int word);
bool event_names_functions(const struct tep_event *e);
/* May it read this record? Behind it are so many zeros that texts in it end. */
bool event_fits(struct tep_event *e, const uint8_t *record, size_t size);

/* "a=1 b=text": the fields of a record; the number of bytes that it needs, as snprintf() has it. */
size_t event_fields(const struct format *f, bool big_endian, const uint8_t *record, size_t size,
		    char *to, size_t room);

#endif
