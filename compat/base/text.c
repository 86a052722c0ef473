// SPDX-License-Identifier: GPL-2.0
#include "compat/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"

bool text_all(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, size, format, args);
	va_end(args);
	if ((size_t)n < size)
		return true;
	*to = '\0';
	errno = ENAMETOOLONG;
	return false;
}

void text_cut(char *to, size_t size, const char *format, ...)
{
	struct strbuf b = strbuf_over(to, size);
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&b, format, args);
	va_end(args);
}

static void cut_middle(char *to, size_t size, const char *whole, size_t n)
{
	const char *end = whole + n + 1 - size / 2;

	while ((*end & 0xc0) == 0x80)		/* no part of a UTF-8 character */
		end++;
	text_cut(to, size / 2, "%s", whole);
	memcpy(to + strlen(to), end, strlen(end) + 1);
}

void text_vcut(char *to, size_t size, const char *format, va_list args)
{
	const int error = errno;		/* for %m */
	va_list again;
	char *whole;
	size_t n;

	va_copy(again, args);
	n = (size_t)vsnprintf(to, size, format, args);
	errno = error;
	if (n >= size && vasprintf(&whole, format, again) >= 0) {
		cut_middle(to, size, whole, n);
		free(whole);
	}
	va_end(again);
}
