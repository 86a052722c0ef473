// SPDX-License-Identifier: GPL-2.0
#include "src/language/event_text/event_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"

/*
 * Offsets in records have 16 bits, and elements of arrays are looked up below INDEX_MOST of
 * safe.c: so many zeros behind a record end each text in it.
 */
#define RECORD_MOST 65536
#define ZEROS (65536 + 8 * 4096 + 4096)
#define FIELDS_MOST 16384		/* letters of a record's fields */

struct event_text {
	struct event_text *next;
	struct event_texts *all;
	const struct format *format;
	struct tep_event *event;	/* NULL: its fields are shown */
	const char *why;
	bool names;
};

struct event_texts {
	struct kernel *k;
	struct tep_handle *tep;
	event_function_fn function;
	void *arg;
	struct event_text *list;
	struct trace_seq text;
	bool printk_known;
	uint8_t *record;		/* a copy, and zeros behind it */
	size_t record_size;		/* of the one before */
	char fields[FIELDS_MOST];
};

/* tep_func_resolver_t */
static char *resolve(void *arg, unsigned long long *address, char **module)
{
	struct event_texts *t = arg;
	uint64_t begin = *address;
	const char *name = t->function ? t->function(t->arg, *address, &begin) : NULL;

	*module = NULL;
	*address = begin;
	return (char *)name;
}

struct event_texts *event_texts_new(struct kernel *k, event_function_fn function, void *arg)
{
	struct event_texts *t = calloc(1, sizeof(*t));
	const struct arch *arch = kernel_arch(k);

	if (!t)
		return NULL;
	*t = (struct event_texts){ .k = k, .function = function, .arg = arg };
	t->record = calloc(1, RECORD_MOST + ZEROS);
	t->tep = tep_alloc();
	if (!t->record || !t->tep) {
		event_texts_free(t);
		return NULL;
	}
	trace_seq_init(&t->text);
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(t->tep, arch->word);
	tep_set_file_bigendian(t->tep, arch->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (function)
		tep_set_function_resolver(t->tep, resolve, t);
	return t;
}

void event_texts_free(struct event_texts *t)
{
	struct event_text *next;

	if (!t)
		return;
	for (struct event_text *e = t->list; e; e = next) {
		next = e->next;
		free(e);
	}
	if (t->text.buffer)
		trace_seq_destroy(&t->text);
	if (t->tep)
		tep_free(t->tep);
	free(t->record);
	free(t);
}

/* ---- formats ---- */

/* The format's text, with the print fmt that libtraceevent reads right; the caller frees. */
static char *format_text(struct event_texts *t, const struct format *f)
{
	const unsigned int word = kernel_arch(t->k)->word;
	char path[256], *print = f->print ? print_fmt_plain(f->print, word, f) : NULL, *text = NULL;
	const char *whole, *end;

	text_all(path, sizeof(path), "tracefs:events/%s/%s/format", f->system, f->event);
	whole = print ? kernel_text(t->k, path) : NULL;
	end = whole ? strstr(whole, "print fmt:") : NULL;
	if (end && asprintf(&text, "%.*sprint fmt: %s\n", (int)(end - whole), whole, print) < 0)
		text = NULL;
	free(print);
	return text;
}

/*
 * Lines `0xffffffff81234567 : "text"`: pointers to text that events have. libtraceevent takes the
 * closing quote away, and reads what is two bytes before it, also where the text is shorter.
 */
#define PRINTK_LEAST 2
static void read_printk_formats(struct event_texts *t)
{
	const char *line = kernel_text(t->k, "tracefs:printk_formats");

	t->printk_known = true;
	for (; line && *line; line += strcspn(line, "\n") + 1) {
		const char *at = line;
		uint64_t address;
		size_t n;
		char *text;

		if (scan_text(&at, "0x") && scan_hex(&at, UINT64_MAX, &address) &&
		    scan_text(&at, " : \"")) {
			n = strcspn(at, "\n");
			text = n > PRINTK_LEAST && at[n - 1] == '"' ? strndup(at, n) : NULL;
			if (text)
				tep_register_print_string(t->tep, text, address);
			free(text);
		}
		if (!line[strcspn(line, "\n")])
			break;
	}
}

static bool has_pointer_text(const struct tep_event *e)
{
	return e->print_fmt.format && strstr(e->print_fmt.format, "%s");
}

static void parse(struct event_texts *t, struct event_text *e)
{
	const struct format *f = e->format;
	char *text = format_text(t, f);
	struct tep_event *event;

	if (text)
		tep_parse_event(t->tep, text, strlen(text), f->system);
	free(text);
	event = text ? tep_find_event_by_name(t->tep, f->system, f->event) : NULL;
	e->why = event ? event_safe(event, kernel_arch(t->k)->word) :
		 "it has expressions that sonde can't read";
	if (!event || e->why)
		return;
	e->event = event;
	e->names = event_names_functions(event);
	if (!t->printk_known && has_pointer_text(event))
		read_printk_formats(t);
}

struct event_text *event_text_find(struct event_texts *t, const char *system, const char *event)
{
	const struct format *f = kernel_format(t->k, system, event);
	struct event_text *e;

	if (!f)
		return NULL;
	for (e = t->list; e; e = e->next)
		if (e->format == f)
			return e;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	*e = (struct event_text){ .next = t->list, .all = t, .format = f };
	t->list = e;
	parse(t, e);
	return e;
}

const char *event_text_why_fields(const struct event_text *e)
{
	return e->why;
}

bool event_text_names(const struct event_text *e)
{
	return e->names;
}

bool event_text_field(const struct event_text *e, unsigned int number, char *to, size_t size)
{
	for (unsigned int i = 0; i < e->format->n_fields; i++) {
		const struct field *f = &e->format->fields[i];

		if (!strncmp(f->name, "common_", 7) || number--)
			continue;
		if (f->is_data_loc)
			text_cut(to, size, "%s %s[]", f->type, f->name);
		else if (f->is_array)
			text_cut(to, size, "%s %s[] (%u bytes)", f->type, f->name, f->size);
		else
			text_cut(to, size, "%s %s", f->type, f->name);
		return true;
	}
	return false;
}

/* ---- records ---- */

static const char *text_of_fields(struct event_text *e, size_t size, size_t *length)
{
	struct event_texts *t = e->all;

	*length = event_fields(e->format, kernel_arch(t->k)->big_endian, t->record, size, t->fields,
			       sizeof(t->fields));
	if (*length > sizeof(t->fields))
		*length = sizeof(t->fields);
	return t->fields;
}

static const char *text_of_print(struct event_text *e, size_t size, size_t *length)
{
	struct tep_record record = { .data = e->all->record, .size = (int)size };
	struct trace_seq *s = &e->all->text;

	trace_seq_reset(s);
	tep_print_event(e->all->tep, s, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(s);
	if (s->state != TRACE_SEQ__GOOD)
		return NULL;
	*length = s->len;
	while (*length && s->buffer[*length - 1] == '\n')
		--*length;
	return s->buffer;
}

/* libtraceevent finds the event by the number in the record. */
static bool is_of(const struct event_text *e, const uint8_t *record, size_t size)
{
	const struct field *type = format_field(e->format, "common_type");

	return type && type->size == 2 && type->offset + 2 <= size &&
	       tep_read_number(e->all->tep, record + type->offset, 2) ==
		       (unsigned long long)e->format->id;
}

const char *event_text(struct event_text *e, const void *record, size_t size, size_t *length)
{
	struct event_texts *t = e->all;
	const char *text = NULL;

	if (size > RECORD_MOST)
		size = RECORD_MOST;
	memcpy(t->record, record, size);
	if (t->record_size > size)
		memset(t->record + size, 0, t->record_size - size);
	t->record_size = size;
	if (e->event && is_of(e, t->record, size) && event_fits(e->event, t->record, size))
		text = text_of_print(e, size, length);
	return text ? text : text_of_fields(e, size, length);
}
