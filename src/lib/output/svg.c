// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/svg.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/escape.h"

static void put_xml(void *arg, const char *bytes, size_t n)
{
	FILE *file = arg;

	for (; n; bytes++, n--) {
		switch (*bytes) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			fputc(*bytes, file);
		}
	}
}

void svg_text(FILE *file, const char *s)
{
	put_xml(file, s, strlen(s));
}

static void put_to_file(void *file, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, file);
}

/*
 * A backslash passes: names in files may have been escaped before. NULL if there is no memory: a
 * name that is missing does less harm than none of the picture.
 */
static char *escaped(const char *s, size_t length, size_t *n)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, n);

	if (!file)
		return NULL;
	escape(ESCAPE_QUOTED, s, length, false, put_to_file, file);
	if (fclose(file)) {
		free(text);
		return NULL;
	}
	return text;
}

static bool inside_character(char byte)
{
	return (byte & 0xc0) == 0x80;
}

void svg_line(FILE *file, const char *s, size_t length, size_t most)
{
	/* What is far beyond is not even looked at; half a character there is cut off anyway. */
	size_t n, looked_at = length < most + 8 ? length : most + 8;
	char *text = escaped(s, looked_at, &n);

	if (!text)
		return;
	if (n > most) {
		while (most && inside_character(text[most]))
			most--;
		put_xml(file, text, most);
		fputs("...", file);
	} else {
		put_xml(file, text, n);
	}
	free(text);
}

static size_t columns_of(const char *s, size_t n)
{
	return escape(ESCAPE_QUOTED, s, n, false, NULL, NULL);
}

void svg_label(FILE *file, const char *s, size_t length, size_t columns)
{
	size_t n, end = 0, used = 0, most = 16 * columns;
	char *text = escaped(s, length < most ? length : most, &n);

	if (!text)
		return;
	if (columns_of(text, n) <= columns) {
		put_xml(file, text, n);
		free(text);
		return;
	}
	while (end < n) {
		size_t next = end + 1;

		while (next < n && inside_character(text[next]))
			next++;
		used += columns_of(text + end, next - end);
		if (used + 2 > columns)
			break;
		end = next;
	}
	put_xml(file, text, end);
	fputs("..", file);
	free(text);
}
