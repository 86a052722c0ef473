// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/lacks.h"

#include "compat/kernel/doubt.h"

void lacks_add(struct lacks *l, int number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lines_vadd(&l->all, format, args);
	va_end(args);
	if (!error_passes(number) || l->unread.n)
		return;
	va_start(args, format);
	lines_vadd(&l->unread, format, args);
	va_end(args);
}

void lacks_free(struct lacks *l)
{
	lines_free(&l->all);
	lines_free(&l->unread);
}
