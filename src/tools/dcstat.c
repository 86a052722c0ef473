// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/dcstat.h"

#include <math.h>

#include "src/run/tools.h"

enum { REFS, SLOW, MISSES, SHOWN };

/* How many names there were, and how many a second. */
struct row {
	int64_t clock, length, n[SHOWN], rate[SHOWN];
	double hits;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

/* Text has rates, as in bcc; machines get counts, which they can add up. */
#define NAMES(HEAD, NAME, N, WHAT) \
	{ HEAD "/s", "", COLUMN_INTEGER, 8, AT(rate[N]), \
	  .readers = FOR_PEOPLE, .help = WHAT }, \
	{ HEAD, NAME, COLUMN_INTEGER, 8, AT(n[N]), .role = IS_COUNT, .readers = FOR_MACHINES }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .help = "end of the interval" },
	{ "SECONDS", "seconds", COLUMN_SECONDS, 8, AT(length), .digits = 3,
	  .readers = FOR_MACHINES, .help = "length of the interval, in JSON and CSV" },
	NAMES("REFS", "refs", REFS, "names of files that were looked up"),
	NAMES("SLOW", "slow", SLOW, "names that were not found without a lock"),
	NAMES("MISS", "misses", MISSES, "names that were not in the cache"),
	{ "HIT%", "hit_percent", COLUMN_REAL, 8, AT(hits), .digits = 2,
	  .help = "names in the cache, in percent" },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde dcstat", "lookups of names and misses, each second" },
	{ "sonde dcstat -p 181 5 12", "by one process, for a minute" },
	{ }
};

static int show(struct run *r, struct error *err)
{
	int64_t counts[NAMES_COUNTS] = { };
	struct row row = {
		.clock = run_interval_clock(r), .length = run_interval_length(r), .hits = NAN,
	};

	if (run_take_counts(r, "counts", counts, NAMES_COUNTS, err))
		return -1;
	row.n[MISSES] = counts[NAMES_MISSED];
	row.n[SLOW] = counts[NAMES_SLOW] + counts[NAMES_MISSED];
	row.n[REFS] = counts[NAMES_FAST] + row.n[SLOW];
	for (int i = 0; i < SHOWN; i++)
		row.rate[i] = (int64_t)((double)row.n[i] * 1e9 / (double)row.length + 0.5);
	if (row.n[REFS])
		row.hits = 100.0 * (double)(row.n[REFS] - row.n[MISSES]) / (double)row.n[REFS];
	output_row(run_output(r), &row);
	return 0;
}

/* support: bpf: full (4.6) | no | perf, ftrace: full | no */
TOOL(dcstat, "files", "count lookups in the directory entry cache, and its misses",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &dcstat_programs,
	.options = options,
	.columns = columns,
	.notes = "Text shows how many there were a second; JSON and CSV how many in the interval.",
	.examples = examples,
	.interval_end = show,
);
