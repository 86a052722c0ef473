// SPDX-License-Identifier: GPL-2.0
/* https://github.com/google/snappy, format_description.txt */
#include "src/commands/export/pages/snappy.h"

#include "compat/base/protobuf.h"

#define SHORT_MOST 60			/* bytes of a literal whose length is in its tag */
#define LENGTH_OF_TWO 61		/* the length, less one, is in the next two bytes */
#define LITERAL_MOST 65536

void snappy_literals(struct strbuf *to, const char *bytes, size_t n)
{
	proto_packed(to, n);		/* both formats write lengths in the same way */
	while (n) {
		const size_t length = n < LITERAL_MOST ? n : LITERAL_MOST, last = length - 1;
		const bool fits = length <= SHORT_MOST;
		const char tag[] = {
			(char)((fits ? last : LENGTH_OF_TWO) << 2), (char)last, (char)(last >> 8),
		};

		strbuf_add(to, tag, fits ? 1 : sizeof(tag));
		strbuf_add(to, bytes, length);
		bytes += length;
		n -= length;
	}
}
