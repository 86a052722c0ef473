// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cachestat.h"

#include <math.h>
#include <stdio.h>

#include "compat/base/scan.h"
#include "src/tools.h"

struct row {
	int64_t clock, hits, misses, dirties;
	double ratio, buffers, cached;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock),
	  .option = "timestamp", .help = "time of day" },
	{ "HITS", "hits", COLUMN_INTEGER, 8, AT(hits), .help = "pages found in the cache" },
	{ "MISSES", "misses", COLUMN_INTEGER, 8, AT(misses),
	  .help = "pages that were not in the cache, and were read" },
	{ "DIRTIES", "dirties", COLUMN_INTEGER, 8, AT(dirties),
	  .help = "pages that became dirty" },
	{ "HITRATIO", "hit_percent", COLUMN_REAL, 8, AT(ratio), .digits = 2, .suffix = "%",
	  .help = "HITS in percent of HITS and MISSES" },
	{ "BUFFERS_MB", "buffers_mb", COLUMN_REAL, 12, AT(buffers),
	  .help = "Buffers of /proc/meminfo, in units of 1048576 bytes" },
	{ "CACHED_MB", "cached_mb", COLUMN_REAL, 10, AT(cached),
	  .help = "Cached of it" },
	{ }
};

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde cachestat", "page cache hits and misses, each second" },
	{ "sonde cachestat -T 5 12", "every five seconds, for a minute" },
	{ }
};

static void add(void *arg, const void *key, const void *value)
{
	int64_t *counts = arg, n;
	uint32_t i;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	if (i < CACHE_COUNTS)
		counts[i] = n;
}

static void read_meminfo(const struct run *r, struct row *row)
{
	FILE *f = run_is_live(r) ? fopen("/proc/meminfo", "re") : NULL;
	char line[128];
	uint64_t kb;

	row->buffers = row->cached = NAN;
	while (f && fgets(line, sizeof(line), f)) {
		const char *at = line;
		double *mb = scan_text(&at, "Buffers: ") ? &row->buffers :
			     scan_text(&at, "Cached: ") ? &row->cached : NULL;

		if (mb && scan_number(&at, UINT64_MAX, &kb))
			*mb = (double)kb / 1024;
	}
	if (f)
		fclose(f);
}

/*
 * Accesses include buffers that become dirty, and pages added to the cache include those that are
 * written: both are subtracted. A column shows nothing if this kernel lacks the probe of one of its
 * counters: 0 would be wrong.
 */
static int show(struct run *r, struct error *err)
{
	int64_t counts[CACHE_COUNTS] = { }, total, misses;
	bool access = run_has_hook(r, "cache.access") && run_has_hook(r, "cache.buffer");
	bool add_dirty = run_has_hook(r, "cache.add") && run_has_hook(r, "cache.dirty");
	struct row row = { .hits = NOTHING, .misses = NOTHING, .dirties = NOTHING, .ratio = NAN };

	if (run_take(r, "counts", add, counts, err))
		return -1;
	row.clock = run_interval_clock(r);
	total = counts[CACHE_ACCESS] - counts[CACHE_BUFFER];
	misses = counts[CACHE_ADD] - counts[CACHE_DIRTY];
	total = total > 0 ? total : 0;
	misses = misses > 0 ? misses : 0;
	if (run_has_hook(r, "cache.dirty"))
		row.dirties = counts[CACHE_DIRTY];
	if (add_dirty)
		row.misses = misses;
	if (add_dirty && access) {
		row.misses = misses < total ? misses : total;
		row.hits = total - row.misses;
		row.ratio = total ? 100.0 * (double)row.hits / (double)total : 0;
	}
	read_meminfo(r, &row);
	output_row(run_output(r), &row);
	return 0;
}

/* support: bpf: full (4.1) | bpf (4.7): [5] | perf, ftrace: full | perf, ftrace: [5] */
TOOL(cachestat, "memory", "count page cache hits, misses and dirtied pages",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &cachestat_programs,
	.options = options,
	.columns = columns,
	.examples = examples,
	.interval_end = show,
);
