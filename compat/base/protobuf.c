// SPDX-License-Identifier: GPL-2.0
#include "compat/base/protobuf.h"

#include <string.h>

/* Wire types. */
enum { NUMBER, EIGHT_BYTES, BYTES };
#define NUMBER_MOST 10			/* bytes of a number */

static unsigned int encode(char *to, uint64_t value)
{
	unsigned int n = 0;

	for (; value > 0x7f; value >>= 7)
		to[n++] = (char)(value | 0x80);
	to[n++] = (char)value;
	return n;
}

void proto_packed(struct strbuf *to, uint64_t value)
{
	char bytes[NUMBER_MOST];

	strbuf_add(to, bytes, encode(bytes, value));
}

static void put_key(struct strbuf *to, unsigned int field, unsigned int type)
{
	proto_packed(to, (uint64_t)field << 3 | type);
}

void proto_number(struct strbuf *to, unsigned int field, uint64_t value)
{
	put_key(to, field, NUMBER);
	proto_packed(to, value);
}

void proto_real(struct strbuf *to, unsigned int field, double value)
{
	char bytes[8];
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(bits >> 8 * i);
	put_key(to, field, EIGHT_BYTES);
	strbuf_add(to, bytes, sizeof(bytes));
}

void proto_bytes(struct strbuf *to, unsigned int field, const void *bytes, size_t n)
{
	put_key(to, field, BYTES);
	proto_packed(to, n);
	if (n)
		strbuf_add(to, bytes, n);
}

void proto_string(struct strbuf *to, unsigned int field, const char *s)
{
	proto_bytes(to, field, s, strlen(s));
}

size_t proto_open(struct strbuf *to, unsigned int field)
{
	put_key(to, field, BYTES);
	return to->n;
}

/* The length is known only now: the bytes behind it move. */
void proto_close(struct strbuf *to, size_t at)
{
	const size_t n = to->n - at;
	char length[NUMBER_MOST];
	const unsigned int size = encode(length, n);

	strbuf_add(to, length, size);
	if (to->cut)
		return;
	memmove(to->s + at + size, to->s + at, n);
	memcpy(to->s + at, length, size);
}
