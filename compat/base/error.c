// SPDX-License-Identifier: GPL-2.0
#include "compat/base/error.h"

#include <stdarg.h>
#include <stdio.h>

int fail(struct error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}
