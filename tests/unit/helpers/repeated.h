/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPEATED_H
#define SONDE_REPEATED_H

#include <stdio.h>

/*
 * A text with `again` 200000 times in the middle: nested so deeply that a recursive parser would
 * overflow its stack. The caller frees.
 */
static inline char *repeated(const char *before, const char *again, const char *behind,
			     size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	fputs(before, f);
	for (int i = 0; i < 200000; i++)
		fputs(again, f);
	fputs(behind, f);
	fclose(f);
	return text;
}

#endif
