// SPDX-License-Identifier: GPL-2.0
#include "src/language/event_text/number_names.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"

static int add(struct number_names *s, uint64_t number, const char *name, size_t length)
{
	char *copy;

	if (array_room(&s->list, s->n, sizeof(*s->list)))
		return -1;
	copy = strndup(name, length);
	if (!copy)
		return -1;
	s->list[s->n++] = (struct number_name){ number, copy };
	return 0;
}

/* A number, or a sum: `0x040 + 13`. *end: what is behind it. */
static uint64_t read_number(const char *at, char **end)
{
	uint64_t number = strtoull(at, end, 0);

	for (;;) {
		*end += strspn(*end, " uUlL");
		if (**end != '+')
			return number;
		number += strtoull(*end + 1, end, 0);
	}
}

/* Rows `{ NUMBER, "NAME" }`, with commas between, up to a parenthesis. */
static int read_rows(struct number_names *s, const char *at)
{
	for (;;) {
		const char *name, *quote;
		char *end;
		uint64_t number;

		at += strspn(at, ", ");
		if (*at != '{')
			return 0;
		number = read_number(at + 1, &end);
		if (*end != ',')
			return 0;	/* a name that the kernel did not replace */
		name = end + 1 + strspn(end + 1, " ");
		quote = *name == '"' ? strchr(name + 1, '"') : NULL;
		if (!quote)
			return 0;
		if (add(s, number, name + 1, (size_t)(quote - name - 1)))
			return -1;
		at = quote + 1 + strspn(quote + 1, " ");
		if (*at != '}')
			return 0;
		at++;
	}
}

int number_names_read(struct number_names *s, const struct format *f, const char *field)
{
	char begin[96];
	const char *at;

	*s = (struct number_names){ };
	text_all(begin, sizeof(begin), "__print_symbolic(REC->%s,", field);
	at = strstr(f->print, begin);
	return at ? read_rows(s, at + strlen(begin)) : 0;
}

const char *number_names_name(const struct number_names *s, uint64_t number)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].number == number)
			return s->list[i].name;
	return NULL;
}

uint64_t number_names_number(const struct number_names *s, const char *name, uint64_t none)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->list[i].name, name))
			return s->list[i].number;
	return none;
}

void number_names_free(struct number_names *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].name);
	free(s->list);
	*s = (struct number_names){ };
}
