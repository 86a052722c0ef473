// SPDX-License-Identifier: GPL-2.0
#include "compat/base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

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
	char *line;

	if (vasprintf(&line, format, args) >= 0 && keep(l, line))
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
	size_t size;
	FILE *out;

	free(l->text);
	l->text = NULL;
	out = l->n ? open_memstream(&l->text, &size) : NULL;
	for (unsigned int i = 0; out && i < l->n; i++)
		fprintf(out, "%s%s", i ? "\n" : "", l->list[i]);
	if (out && l->more)
		fprintf(out, "\nand %u more", l->more);
	return out && !fclose(out) ? l->text : NULL;
}

void lines_free(struct lines *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		free(l->list[i]);
	free(l->list);
	free(l->text);
	*l = (struct lines){ };
}
