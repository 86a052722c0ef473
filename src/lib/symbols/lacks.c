// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/lacks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/kernel/doubt.h"

void lacks_add(struct lacks *l, int number, const char *format, ...)
{
	va_list args;
	char *line;
	int n;

	va_start(args, format);
	n = vasprintf(&line, format, args);
	va_end(args);
	if (n < 0)
		return;
	lines_add(&l->all, "%s", line);
	if (error_passes(number) && !l->unread.n)
		lines_add(&l->unread, "%s", line);
	free(line);
}

void lacks_free(struct lacks *l)
{
	lines_free(&l->all);
	lines_free(&l->unread);
}
