// SPDX-License-Identifier: GPL-2.0
/* Sections of perf.data about the machine. */
#include <string.h>
#include <time.h>

#include "compat/base/text.h"
#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/tracing_data.h"

/* bits of the header */
enum { TRACING_DATA = 1, BUILD_ID_TABLE = 2, OSRELEASE = 4, ARCH = 6, NRCPUS = 7, CLOCK_DATA = 29,
       FILE2 = 132 };

/* A length, and so many bytes with NULs at the end. */
static int read_string(struct recording *r, struct cursor *c, char *to, size_t size,
		       struct error *err)
{
	const uint32_t n = cursor_u32(c);
	const char *text = (const char *)cursor_bytes(c, n);

	if (!text)
		return recording_fails(r, "a text about the machine is cut short", err);
	text_cut(to, size, "%.*s", (int)strnlen(text, n), text);
	return 0;
}

static int read_release(struct recording *r, struct cursor *c, struct error *err)
{
	return read_string(r, c, r->release, sizeof(r->release), err);
}

static int read_machine(struct recording *r, struct cursor *c, struct error *err)
{
	return read_string(r, c, r->machine, sizeof(r->machine), err);
}

/* The CPUs that there may be, then those that were online. */
static int read_cpus(struct recording *r, struct cursor *c, struct error *err)
{
	const uint32_t n = cursor_u32(c);

	if (c->broken || !n || n > CPUS_MOST)
		return recording_fails(r, "it has an impossible number of CPUs", err);
	r->cpus = n;
	return 0;
}

/* The time of day at a time of the recorder's clock: `perf record -k CLOCK` notes it. */
static int read_clock(struct recording *r, struct cursor *c, struct error *err)
{
	uint64_t realtime, time;

	cursor_bytes(c, 8);		/* version, number of the clock */
	realtime = cursor_u64(c);
	time = cursor_u64(c);
	if (c->broken)
		return recording_fails(r, "its time of day is cut short", err);
	if (realtime > INT64_MAX / 2 || time > INT64_MAX / 2)
		return recording_fails(r, "its time of day is impossible", err);
	wall_note(&r->wall, (int64_t)time, (int64_t)realtime);
	return 0;
}

static int read_probes(struct recording *r, struct cursor *c, struct error *err)
{
	const size_t n = (size_t)(c->end - c->at);

	return recorded_probes_read(r, cursor_bytes(c, n), n, err);
}

static const struct {
	unsigned int feature;
	int (*read)(struct recording *r, struct cursor *c, struct error *err);
} readers[] = {
	{ TRACING_DATA, tracing_data_read }, { OSRELEASE, read_release }, { ARCH, read_machine },
	{ NRCPUS, read_cpus }, { CLOCK_DATA, read_clock },
	{ BUILD_ID_TABLE, perf_code_build_ids }, { FILE2, perf_symbols_read },
	{ PROBES_FEATURE, read_probes },
};

bool perf_feature_known(unsigned int feature)
{
	for (unsigned int i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].feature == feature)
			return true;
	return false;
}

int perf_feature_read(struct recording *r, unsigned int feature, struct cursor *c,
		      struct error *err)
{
	for (unsigned int i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].feature == feature)
			return readers[i].read(r, c, err);
	return 0;
}
