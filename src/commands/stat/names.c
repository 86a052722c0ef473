// SPDX-License-Identifier: GPL-2.0
/* Names of events: those that perf gives to what perf_event_open(2) has numbers for. */
#include "src/commands/stat/names.h"

#include <linux/perf_event.h>
#include <string.h>

#include "src/lib/options/words.h"

#define HW(NAME, ALIAS, NUMBER) \
	{ NAME, ALIAS, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##NUMBER }
#define SW(NAME, ALIAS, NUMBER, ...) \
	{ NAME, ALIAS, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##NUMBER, __VA_ARGS__ }

#define SW_CGROUP_SWITCHES 11		/* since 5.11; not in older headers */

static const struct stat_name names[] = {
	HW("cycles", "cpu-cycles", CPU_CYCLES),
	HW("instructions", NULL, INSTRUCTIONS),
	HW("branches", "branch-instructions", BRANCH_INSTRUCTIONS),
	HW("branch-misses", NULL, BRANCH_MISSES),
	HW("cache-references", NULL, CACHE_REFERENCES),
	HW("cache-misses", NULL, CACHE_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES),
	HW("ref-cycles", NULL, REF_CPU_CYCLES),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND),

	SW("task-clock", NULL, TASK_CLOCK, .clock = true),
	SW("cpu-clock", NULL, CPU_CLOCK, .clock = true),
	SW("page-faults", "faults", PAGE_FAULTS),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ),
	SW("context-switches", "cs", CONTEXT_SWITCHES, .kernel_only = true),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS, .kernel_only = true),
	{ "cgroup-switches", NULL, PERF_TYPE_SOFTWARE, SW_CGROUP_SWITCHES, .kernel_only = true },
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SW("emulation-faults", NULL, EMULATION_FAULTS),
	SW("bpf-output", NULL, BPF_OUTPUT),
	SW("dummy", NULL, DUMMY),
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

/* A word of a cache's event, and its other spellings. */
#define SPELLINGS 5
struct word {
	const char *spelled[SPELLINGS];
	unsigned int value;
	unsigned int operations;	/* of a cache: bits, which it has */
};

#define READS (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITES (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCHES (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const struct word caches[] = {
	{ { "L1-dcache", "l1d", "l1-d", "L1-data" }, PERF_COUNT_HW_CACHE_L1D,
	  READS | WRITES | PREFETCHES },
	{ { "L1-icache", "l1i", "l1-i", "L1-instruction" }, PERF_COUNT_HW_CACHE_L1I,
	  READS | PREFETCHES },
	{ { "LLC", "L2" }, PERF_COUNT_HW_CACHE_LL, READS | WRITES | PREFETCHES },
	{ { "dTLB", "d-tlb", "Data-TLB" }, PERF_COUNT_HW_CACHE_DTLB,
	  READS | WRITES | PREFETCHES },
	{ { "iTLB", "i-tlb", "Instruction-TLB" }, PERF_COUNT_HW_CACHE_ITLB, READS },
	{ { "branch", "bpu", "btb", "bpc" }, PERF_COUNT_HW_CACHE_BPU, READS },
	{ { "node" }, PERF_COUNT_HW_CACHE_NODE, READS | WRITES | PREFETCHES },
};

static const struct word operations[] = {
	{ { "loads", "load", "read" }, PERF_COUNT_HW_CACHE_OP_READ },
	{ { "stores", "store", "write" }, PERF_COUNT_HW_CACHE_OP_WRITE },
	{ { "prefetches", "prefetch", "speculative-read", "speculative-load" },
	  PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static const struct word results[] = {
	{ { "refs", "ref", "access", "ops", "Reference" }, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ { "misses", "miss" }, PERF_COUNT_HW_CACHE_RESULT_MISS },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *const stat_defaults[] = {
	"task-clock", "context-switches", "cpu-migrations", "page-faults", "cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "instructions", "branches",
	"branch-misses", NULL
};

const char *const stat_details[STAT_DETAILS] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
	"iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static bool is(const char *word, const char *name, size_t n)
{
	return word && strlen(word) == n && !memcmp(word, name, n);
}

/* The word that comes next, with the dash before it; false: none of these is there. */
static bool next_word(const char **at, const char *end, const struct word *words, size_t n,
		      const struct word **found)
{
	const char *from = *at;
	size_t longest = 0;

	for (size_t i = 0; i < n; i++) {
		for (unsigned int j = 0; j < SPELLINGS && words[i].spelled[j]; j++) {
			size_t length = strlen(words[i].spelled[j]);

			if (length <= longest || length > (size_t)(end - from) ||
			    memcmp(from, words[i].spelled[j], length) ||
			    (from + length < end && from[length] != '-'))
				continue;
			longest = length;
			*found = &words[i];
		}
	}
	*at += longest;
	*at += longest && *at < end;
	return longest;
}

/* L1-dcache-load-misses: a cache, an operation (loads if it has none), a result (all of them). */
static bool find_cache(const char *name, size_t n, struct stat_name *to)
{
	const struct word *cache, *operation = &operations[0], *result = &results[0];
	const char *at = name, *end = name + n;

	if (!n || end[-1] == '-' || !next_word(&at, end, caches, COUNT(caches), &cache))
		return false;
	next_word(&at, end, operations, COUNT(operations), &operation);
	next_word(&at, end, results, COUNT(results), &result);
	if (at != end || !(cache->operations & 1 << operation->value))
		return false;
	*to = (struct stat_name){
		.type = PERF_TYPE_HW_CACHE,
		.config = cache->value | operation->value << 8 | result->value << 16,
	};
	return true;
}

bool stat_name_find(const char *name, size_t n, struct stat_name *to)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		if (is(names[i].name, name, n) || is(names[i].alias, name, n)) {
			*to = names[i];
			return true;
		}
	}
	return find_cache(name, n, to);
}

const char *stat_name_nearest(const char *name, size_t n)
{
	struct nearest nearest = { .word = name, .length = n };

	for (size_t i = 0; i < N_NAMES; i++) {
		nearest_of(&nearest, names[i].name);
		if (names[i].alias)
			nearest_of(&nearest, names[i].alias);
	}
	return nearest.name;
}

#define LINE 90				/* columns of --help */

/* With commas between them, broken into lines. */
static void print_word(FILE *file, const char *word, unsigned int *column)
{
	unsigned int length = (unsigned int)strlen(word);

	if (*column && *column + 2 + length > LINE) {
		fputs(",\n  ", file);
		*column = 2;
	} else {
		fputs(*column ? ", " : "  ", file);
		*column += 2;
	}
	fputs(word, file);
	*column += length;
}

void stat_names_print(FILE *file)
{
	static const struct { const char *title; uint32_t type; } kinds[] = {
		{ "Hardware", PERF_TYPE_HARDWARE }, { "Software", PERF_TYPE_SOFTWARE },
	};
	unsigned int column;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		fprintf(file, "%s:\n", kinds[i].title);
		column = 0;
		for (size_t j = 0; j < N_NAMES; j++)
			if (names[j].type == kinds[i].type)
				print_word(file, names[j].name, &column);
		fputc('\n', file);
	}
	fputs("Caches:\n", file);
	column = 0;
	for (size_t i = 0; i < COUNT(caches); i++)
		print_word(file, caches[i].spelled[0], &column);
	fputs("\n  with -loads, -load-misses, -stores, -store-misses, -prefetches, "
	      "-prefetch-misses behind it\n", file);
}
