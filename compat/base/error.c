// SPDX-License-Identifier: GPL-2.0
#include "compat/base/error.h"

#include <errno.h>
#include <stdarg.h>

#include "compat/base/text.h"

static int set(struct error *err, int number, const char *format, va_list args)
{
	if (!err)
		return -1;
	errno = number;		/* for %m */
	text_vcut(err->text, sizeof(err->text), format, args);
	err->number = number;
	return -1;
}

int fail(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, 0, format, args);
	va_end(args);
	return -1;
}

int fail_with(struct error *err, int number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, number, format, args);
	va_end(args);
	return -1;
}
