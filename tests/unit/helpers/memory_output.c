// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/memory_output.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

bool shown_if_same(void *arg, const char *option)
{
	return arg && !strcmp(arg, option);
}

struct output *memory_output(char **s, FILE **file, const struct output_format *format,
			     const struct column *c, const char *option)
{
	static size_t size;

	const struct output_source source = { .columns = c, .shown = shown_if_same,
					      .arg = (void *)option };

	*file = open_memstream(s, &size);
	return output_new(*file, format, &source);
}

void check_output(struct output *o, FILE *file, char **s, const char *expected)
{
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	ck_assert_str_eq(*s, expected);
	free(*s);
}
