// SPDX-License-Identifier: GPL-2.0
#include "compat/base/strbuf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char dots[] = "...";

struct strbuf strbuf_over(char *room, size_t size)
{
	assert(size);
	*room = '\0';
	return (struct strbuf){ .s = room, .size = size, .fixed = true };
}

/*
 * What is added has no room. Of a fixed one, which is full now, "..." takes the end: no part of a
 * UTF-8 character stays before it.
 */
static void cut(struct strbuf *b)
{
	const size_t most = b->size - 1, length = most < sizeof(dots) - 1 ? most : sizeof(dots) - 1;
	size_t at = most - length;

	b->cut = true;
	if (b->fixed) {
		while (at && (b->s[at] & 0xc0) == 0x80)
			at--;
		memcpy(b->s + at, dots, length);
		b->n = at + length;
	}
	if (b->s)
		b->s[b->n] = '\0';
}

/* Makes room for n more bytes and the NUL. Returns false if there is none. */
static bool has_room(struct strbuf *b, size_t n)
{
	const size_t least = b->n + n + 1, size = 2 * b->size > least ? 2 * b->size : least;
	char *more;

	if (n < b->size - b->n)
		return true;
	more = b->fixed || n > SIZE_MAX / 4 ? NULL : realloc(b->s, size);
	if (!more)
		return false;
	b->s = more;
	b->size = size;
	return true;
}

void strbuf_add(struct strbuf *b, const char *bytes, size_t n)
{
	if (b->cut)
		return;
	if (has_room(b, n)) {
		memcpy(b->s + b->n, bytes, n);
		b->n += n;
		b->s[b->n] = '\0';
		return;
	}
	if (b->fixed)
		memcpy(b->s + b->n, bytes, b->size - b->n - 1);
	cut(b);
}

void strbuf_vaddf(struct strbuf *b, const char *format, va_list args)
{
	size_t room = b->size - b->n, n;
	va_list again;

	if (b->cut)
		return;
	va_copy(again, args);
	n = (size_t)vsnprintf(b->s ? b->s + b->n : NULL, room, format, args);
	if (n >= room && has_room(b, n)) {
		room = b->size - b->n;
		n = (size_t)vsnprintf(b->s + b->n, room, format, again);
	}
	if (n < room)
		b->n += n;
	else
		cut(b);
	va_end(again);
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(b, format, args);
	va_end(args);
}

void strbuf_between(struct strbuf *b, const char *separator)
{
	if (b->n)
		strbuf_add(b, separator, strlen(separator));
}

char *strbuf_take(struct strbuf *b)
{
	char *text;

	assert(!b->fixed);
	strbuf_add(b, "", 0);
	if (b->cut)
		free(b->s);
	text = b->cut ? NULL : b->s;
	*b = (struct strbuf){ };
	return text;
}
