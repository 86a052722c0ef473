// SPDX-License-Identifier: GPL-2.0
#include "compat/base/protobuf.h"

#define BYTES 2			/* the wire type of messages, strings and packed numbers */

void protobuf_number(struct strbuf *to, uint64_t value)
{
	do {
		const char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

		strbuf_add(to, &byte, 1);
		value >>= 7;
	} while (value);
}

void protobuf_field(struct strbuf *to, unsigned int field, uint64_t value)
{
	protobuf_number(to, field << 3);
	protobuf_number(to, value);
}

void protobuf_bytes(struct strbuf *to, unsigned int field, const void *bytes, size_t n)
{
	protobuf_number(to, field << 3 | BYTES);
	protobuf_number(to, n);
	strbuf_add(to, bytes, n);
}
