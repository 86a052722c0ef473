// SPDX-License-Identifier: GPL-2.0
/* Compressed parts of trace.dat. zlib is in sonde in any case. */
#include <zlib.h>

#include "compat/recordings/trace/trace_data.h"

int trace_unpack(struct recording *r, const uint8_t *bytes, size_t size, uint8_t *to, size_t n,
		 struct error *err)
{
	uLongf got = n;

	if (!trace_data_of(r)->zlib)
		return fail(err, "%s is compressed in a way that sonde can't read\n"
				 "`trace-cmd convert -i FILE -o NEW --compression none` writes it "
				 "without compression; `trace-cmd record --compression none` "
				 "records so", r->bytes.path);
	if (uncompress(to, &got, bytes, size) != Z_OK || got != n)
		return trace_fails(r, "a compressed part can't be unpacked", err);
	return 0;
}
