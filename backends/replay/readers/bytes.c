// SPDX-License-Identifier: GPL-2.0
/* Bytes of a line: as digits, and as text. */
#include <ctype.h>
#include <string.h>

#include "backends/replay/readers/reader.h"

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	c = tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int reader_hex(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size)
{
	*size = 0;
	while (hex_digit(r->at[0]) >= 0) {
		if (hex_digit(r->at[1]) < 0 || *size >= room)
			return reader_fails(r, "an odd number of digits, or too many");
		bytes[(*size)++] = hex_digit(r->at[0]) << 4 | hex_digit(r->at[1]);
		r->at += 2;
	}
	return 0;
}

static int read_escape(struct reader *r, uint8_t *byte)
{
	static const char names[] = "nt\"\\", means[] = "\n\t\"\\";
	const char *name = *r->at ? strchr(names, *r->at) : NULL;

	if (name) {
		*byte = means[name - names];
		r->at++;
		return 0;
	}
	if (r->at[0] != 'x' || hex_digit(r->at[1]) < 0 || hex_digit(r->at[2]) < 0)
		return reader_fails(r, "no such escape");
	*byte = hex_digit(r->at[1]) << 4 | hex_digit(r->at[2]);
	r->at += 3;
	return 0;
}

int reader_text(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size)
{
	for (*size = 0; *r->at != '"'; (*size)++) {
		if (!*r->at || *size >= room)
			return reader_fails(r, "a string without end, or too long");
		if (*r->at != '\\') {
			bytes[*size] = *r->at++;
			continue;
		}
		r->at++;
		if (read_escape(r, &bytes[*size]))
			return -1;
	}
	r->at++;
	return 0;
}
