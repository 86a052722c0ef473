// SPDX-License-Identifier: GPL-2.0
/* Compressed parts of trace.dat. zlib is in sonde in any case. */
#include <string.h>
#include <zlib.h>

#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/zstd.h"

static int zlib_unpack(const uint8_t *bytes, size_t size, uint8_t *to, size_t n)
{
	uLongf got = n;

	return uncompress(to, &got, bytes, size) == Z_OK && got == n ? 0 : -1;
}

static const struct trace_packing {
	const char *name;		/* in the head of the file */
	int (*unpack)(const uint8_t *bytes, size_t size, uint8_t *to, size_t n);
} packings[] = {
	{ "zlib", zlib_unpack }, { "zstd", zstd_unpack },
};

const struct trace_packing *trace_packing_of(const char *name)
{
	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++)
		if (!strcmp(packings[i].name, name))
			return &packings[i];
	return NULL;
}

int trace_unpack(struct recording *r, const uint8_t *bytes, size_t size, uint8_t *to, size_t n,
		 struct error *err)
{
	const struct trace_packing *p = trace_data_of(r)->packing;

	if (!p || (p->unpack == zstd_unpack && !zstd_there()))
		return fail(err, "%s is compressed in a way that sonde can't read%s\n"
				 "`trace-cmd convert -i FILE -o NEW --compression none` writes it "
				 "without compression; `trace-cmd record --compression none` "
				 "records so", r->bytes.path,
			    p ? ": it was built without zstd (make ZSTD=1)" : "");
	if (p->unpack(bytes, size, to, n))
		return trace_fails(r, "a compressed part can't be unpacked", err);
	return 0;
}
