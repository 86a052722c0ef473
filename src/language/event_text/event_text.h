/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EVENT_TEXT_H
#define SONDE_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Events of tracepoints and probes as the kernel itself prints them: by the `print fmt` of their
 * formats, which libtraceevent reads. Formats are trusted, whether they are the kernel's or a
 * snapshot's: libtraceevent's parser crashes on some malformed ones. Records are not trusted:
 * safe.c checks them first, and libtraceevent gets a copy that ends with zeros.
 *
 * If libtraceevent can't parse a print fmt, or would compute it wrong, the fields are shown
 * instead: NAME=VALUE ...
 */
struct event_texts;

/* Returns the name of a function of the kernel, valid until the next call; NULL: unknown. */
typedef const char *(*event_function_fn)(void *arg, uint64_t address, uint64_t *begin);

/* Returns NULL if there is no memory. */
struct event_texts *event_texts_new(struct kernel *k, event_function_fn function, void *arg);
void event_texts_free(struct event_texts *t);

struct event_text;			/* one event */

/* The event, owned by `t`. Returns NULL if there is no such event, or no memory. */
struct event_text *event_text_find(struct event_texts *t, const char *system, const char *event);

/* Returns why the event's fields are shown; NULL: its print fmt is used. */
const char *event_text_why_fields(const struct event_text *e);
/* Returns true if the text has names of functions. */
bool event_text_names(const struct event_text *e);
/*
 * Writes field `number`, without counting the common fields: "int pid", "char comm[16]". Returns
 * false if there is no such field.
 */
bool event_text_field(const struct event_text *e, unsigned int number, char *to, size_t size);

/*
 * The text of one record, without a newline at its end, valid until the next call. A record that
 * does not fit its format is shown by its fields. The text may have any bytes.
 */
const char *event_text(struct event_text *e, const void *record, size_t size, size_t *length);

/* ---- between the files of this folder ---- */

/*
 * Rewrites a print fmt so that libtraceevent computes it as C does. libtraceevent mixes up
 * operators beside parentheses: operands with operators get parentheses of their own, and so do
 * casts. It ignores the signs of short fields: casts are added by `format` (NULL: not). %p becomes
 * digits. The caller frees. Returns NULL if the text is not a print fmt, or if there is no memory.
 */
char *print_fmt_plain(const char *text, unsigned int word, const struct format *format);

struct tep_event;
/* Returns NULL if the event can be printed safely; otherwise why not. */
const char *event_safe(struct tep_event *e, unsigned int word);
/* Returns true if the print fmt prints names of functions. */
bool event_names_functions(const struct tep_event *e);
/* Returns true if libtraceevent may read this record. It is followed by zeros, which end texts. */
bool event_fits(struct tep_event *e, const uint8_t *record, size_t size);

/* Writes the fields of a record, "a=1 b=text". Returns the bytes needed, as snprintf() does. */
size_t event_fields(const struct format *f, bool big_endian, const uint8_t *record, size_t size,
		    char *to, size_t room);

#endif
