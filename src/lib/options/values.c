// SPDX-License-Identifier: GPL-2.0
/* Values of options: from words of a command line to numbers, lists and texts. */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "src/lib/options/options_internal.h"

bool read_number(const char *s, size_t length, int64_t *v)
{
	bool minus = length && *s == '-';
	uint64_t n = 0, limit = (uint64_t)INT64_MAX + minus;
	size_t i;

	for (i = minus; i < length; i++) {
		if (!isdigit((unsigned char)s[i]) || n > (limit - (s[i] - '0')) / 10)
			return false;
		n = n * 10 + (s[i] - '0');
	}
	*v = minus ? -n : n;
	return length > minus;
}

/* Reads a number with a fraction, in parts. Returns false if it has too many digits. */
static bool read_parts(const char *s, size_t length, int64_t parts, int64_t *v)
{
	const char *point = memchr(s, '.', length);
	const size_t whole = point ? (size_t)(point - s) : length;

	if (!read_number(s, whole, v) || *v < 0 || *v > INT64_MAX / parts - 1)
		return false;
	*v *= parts;
	for (size_t i = whole + 1; i < length; i++) {
		parts /= 10;
		if (!isdigit((unsigned char)s[i]) || !parts)
			return false;
		*v += (s[i] - '0') * parts;
	}
	return whole + 1 != length;
}

static int bounded_number(struct parser *p, const struct given *g, const char *s, size_t length,
			  int64_t *v)
{
	const struct option_row *row = &p->o->rows[g->row];
	const struct option *option = &row->option;
	int64_t min = option->min, max = option->max ? option->max : INT64_MAX;
	bool other = row->shadows && g->spelled[1] != '-' && length && !isdigit((unsigned char)*s);

	if (option->parts && read_parts(s, length, option->parts, v) &&
	    *v >= min * option->parts && *v <= max * option->parts)
		return 0;
	if (!option->parts && read_number(s, length, v) && *v >= min && *v <= max)
		return 0;
	return usage(p, "%s takes a %s from %lld to %lld, not \"%.*s\"%s%s%s", g->spelled,
		     option->parts ? "number (with up to three digits behind a point)" :
		     "whole number", (long long)min, (long long)max, (int)length, s,
		     other ? "; did you mean --" : "", other ? row->shadows : "",
		     other ? "?" : "");
}

/*
 * A static binary can't load the modules getpwnam() asks; the file itself serves those a rescue
 * system has.
 */
static int user_id(struct parser *p, const struct given *g, const char *s, size_t length,
		   int64_t *v)
{
	struct passwd *entry;
	FILE *file;

	if (read_number(s, length, v)) {
		if (*v >= 0 && *v < UINT32_MAX)
			return 0;
		return usage(p, "%s takes user names or ids from 0 to %u, not %lld", g->spelled,
			     UINT32_MAX - 1,
			     (long long)*v);
	}
	file = fopen("/etc/passwd", "re");
	if (!file)
		return usage(p, "%s: can't look up user \"%.*s\": /etc/passwd: %s; give the number "
				"of the user",
			     g->spelled, (int)length, s, strerror(errno));
	while ((entry = fgetpwent(file))) {
		if (strlen(entry->pw_name) == length && !memcmp(entry->pw_name, s, length)) {
			*v = entry->pw_uid;
			break;
		}
	}
	fclose(file);
	if (entry)
		return 0;
	return usage(p, "%s: no user \"%.*s\" in /etc/passwd; give the number of the user",
		     g->spelled, (int)length, s);
}

/* "A, B or C", for messages. */
static void list_names(char *text, size_t size, const struct option_name *names)
{
	struct strbuf list = strbuf_over(text, size);

	for (unsigned int i = 0; names[i].name; i++)
		strbuf_addf(&list, "%s%s", !i ? "" : names[i + 1].name ? ", " : " or ",
			    names[i].name);
}

static int named_value(struct parser *p, const struct given *g, const char *s, size_t length,
		       int64_t *v)
{
	const struct option_name *name = p->o->rows[g->row].option.names;
	char known[512];

	for (; name->name; name++) {
		if (strlen(name->name) == length && !memcmp(name->name, s, length)) {
			*v = name->value;
			return 0;
		}
	}
	list_names(known, sizeof(known), p->o->rows[g->row].option.names);
	return usage(p, "%s takes %s, not \"%.*s\"", g->spelled, known, (int)length, s);
}

static int out_of_memory(struct parser *p)
{
	p->action = ACTION_USAGE_ERROR;
	return fail(p->err, "%s: out of memory", p->o->source.name);
}

static int append(struct parser *p, struct value *value, int64_t v)
{
	if (array_room(&value->list, value->n, sizeof(*value->list)))
		return out_of_memory(p);
	value->list[value->n++] = v;
	return 0;
}

/* OPTION_LIST, OPTION_USERS, OPTION_FLAGS: one or several, by commas. */
static int take_list(struct parser *p, const struct given *g, struct value *value)
{
	static int (*const readers[])(struct parser *p, const struct given *g, const char *s,
				      size_t length,
				      int64_t *v) = {
		[OPTION_LIST] = bounded_number, [OPTION_USERS] = user_id,
		[OPTION_FLAGS] = named_value,
	};
	enum option_type type = p->o->rows[g->row].option.type;
	const char *s = g->value;

	for (;;) {
		size_t length = strcspn(s, ",");
		int64_t v;

		if (!length)
			return usage(p, "%s: an item of the list \"%s\" is empty", g->spelled,
				     g->value);
		if (readers[type](p, g, s, length, &v))
			return -1;
		value->number |= type == OPTION_FLAGS ? v : 0;
		if (type != OPTION_FLAGS && append(p, value, v))
			return -1;
		s += length;
		if (!*s)
			return 0;
		s++;
	}
}

static int take_text(struct parser *p, const struct given *g, struct value *value)
{
	const struct option *option = &p->o->rows[g->row].option;
	char *joined;
	int64_t v;

	if (option->names && named_value(p, g, g->value, strlen(g->value), &v))
		return -1;
	if (!option->joins || !value->given) {
		value->text = g->value;
		return 0;
	}
	if (asprintf(&joined, "%s%c%s", value->text, option->joins, g->value) < 0)
		return out_of_memory(p);
	free(value->joined);
	value->text = value->joined = joined;
	return 0;
}

int take_value(struct parser *p, const struct given *g)
{
	struct value *value = &p->o->values[g->row];
	int64_t v;
	int result;

	if (!*g->value)
		return usage(p, "%s: its value is empty", g->spelled);
	switch (p->o->rows[g->row].option.type) {
	case OPTION_NUMBER:
		result = bounded_number(p, g, g->value, strlen(g->value), &v);
		value->number = result ? 0 : v;
		break;
	case OPTION_TEXT:
		result = take_text(p, g, value);
		break;
	default:
		result = take_list(p, g, value);
	}
	value->given = true;
	return result;
}
