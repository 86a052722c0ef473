// SPDX-License-Identifier: GPL-2.0
#include "compat/base/lines.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"

/* Keeps the line, which the list then owns. Returns -1 if the list does not keep it. */
static int keep(struct lines *l, char *line)
{
	for (unsigned int i = l->n; i-- > 0;)
		if (!strcmp(l->list[i], line))
			return -1;
	if (l->most && l->n == l->most) {
		l->more++;
		return -1;
	}
	if (array_room(&l->list, l->n + 1, sizeof(*l->list)))	/* one more: the NULL */
		return -1;
	l->list[l->n++] = line;
	l->list[l->n] = NULL;
	return 0;
}

void lines_vadd(struct lines *l, const char *format, va_list args)
{
	struct strbuf text = { };
	char *line;

	strbuf_vaddf(&text, format, args);
	line = strbuf_take(&text);
	if (line && keep(l, line))
		free(line);
}

void lines_add(struct lines *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lines_vadd(l, format, args);
	va_end(args);
}

const char *lines_text(struct lines *l)
{
	struct strbuf text = { };

	free(l->text);
	for (unsigned int i = 0; i < l->n; i++)
		strbuf_addf(&text, "%s%s", i ? "\n" : "", l->list[i]);
	if (l->n && l->more)
		strbuf_addf(&text, "\nand %u more", l->more);
	l->text = l->n ? strbuf_take(&text) : NULL;
	return l->text;
}

void lines_free(struct lines *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		free(l->list[i]);
	free(l->list);
	free(l->text);
	*l = (struct lines){ };
}
