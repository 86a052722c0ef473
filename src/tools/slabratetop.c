// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/slabratetop.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/run/tools.h"
#include "src/toolkit/top.h"

#define KMALLOC "kmalloc-"
#define SLABINFO_MOST (1 << 20)		/* bytes */
/* Keys from here on are negated sizes. */
#define LEAST_SIZE (-(uint64_t)UINT32_MAX)

/* A cache: of a program's record, or of /proc/slabinfo. */
struct cache {
	uint64_t address;		/* 0: of /proc/slabinfo */
	uint64_t size;			/* bytes of an object; 0: unknown */
	char name[SLAB_NAME];		/* empty: unknown */
};

struct caches {
	size_t n;
	struct cache *list;
};

struct row {
	uint64_t cache, objects;
	int64_t clock, bytes, size;
	char name[SLAB_NAME];
	struct text text;
};

struct state {
	struct caches seen, listed;
	uint64_t largest;		/* of kmalloc()'s caches: bytes of an object */
	bool failed;			/* out of memory */
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "CACHE", "cache", COLUMN_TEXT, -32, AT(text), .role = IS_IDENTITY,
	  .help = "name of the cache" },
	{ "ALLOCS", "allocs", COLUMN_INTEGER, 6, AT(objects), .role = IS_COUNT,
	  .help = "objects that were asked for" },
	{ "BYTES", "bytes", COLUMN_INTEGER, 10, AT(bytes), .help = "the memory they take" },
	{ "SIZE", "size", COLUMN_INTEGER, 0, AT(size), .unit = IN_BYTES, .level = true,
	  .readers = FOR_MACHINES,
	  .help = "bytes of an object" },
	{ }
};

static const struct option_name orders[] = {
	{ "name", 0 }, { "count", 0 }, { "size", 0 }, { NULL, 0 },
};

/* What the functions below read of the options. */
struct slabratetop_options {
	const char *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct slabratetop_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	{ 's', "sort", "sort key (default size: bytes)", OPTION_TEXT, "name|count|size",
	  .names = orders, TO(sort) },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde slabratetop", "each second, by bytes" },
	{ "sonde slabratetop -s count 10 1", "once, for ten seconds, by objects" },
	{ }
};

/* Returns NULL if there is no memory. */
static struct cache *new_cache(struct state *s, struct caches *c)
{
	if (array_room(&c->list, c->n, sizeof(*c->list))) {
		s->failed = true;
		return NULL;
	}
	return memset(&c->list[c->n++], 0, sizeof(*c->list));
}

static struct cache *seen(const struct state *s, uint64_t address)
{
	for (size_t i = 0; i < s->seen.n; i++)
		if (s->seen.list[i].address == address)
			return &s->seen.list[i];
	return NULL;
}

/* The address of a cache may later be another one's. */
static void name(struct run *r, const struct record *record)
{
	const struct slab_record *rec = record->bytes;
	struct state *s = run_state(r);
	struct cache *c = seen(s, rec->cache);

	if (!c && !(c = new_cache(s, &s->seen)))
		return;
	*c = (struct cache){ .address = rec->cache, .size = rec->size };
	if (rec->length > 0)
		text_cut(c->name, sizeof(c->name), "%s", rec->name);
}

static bool is_kmalloc(const char *name)
{
	const char digit = strncmp(name, KMALLOC, strlen(KMALLOC)) ? 0 : name[strlen(KMALLOC)];

	return digit >= '0' && digit <= '9';
}

/* A line of /proc/slabinfo: the name, objects in use, all objects, bytes of one. */
static void add_line(struct state *s, const char *line)
{
	char word[SLAB_NAME];
	uint64_t size;
	struct cache *c;

	if (*line == '#' || !scan_until(&line, " ", word, sizeof(word)) || !scan_text(&line, " ") ||
	    !scan_pass(&line, 2) || !scan_number(&line, UINT32_MAX, &size) ||
	    !(c = new_cache(s, &s->listed)))
		return;
	c->size = size;
	memcpy(c->name, word, sizeof(c->name));
	if (is_kmalloc(word) && size > s->largest)
		s->largest = size;
}

static int started(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	char *text = run_is_live(r) ? file_text("/proc/slabinfo", SLABINFO_MOST, NULL) : NULL;

	for (const char *line = text; line && *line; line += line[strcspn(line, "\n")] == '\n') {
		add_line(s, line);
		line += strcspn(line, "\n");
	}
	if (!s->largest)
		s->largest = 2 * (uint64_t)sysconf(_SC_PAGESIZE);	/* SLUB's */
	free(text);
	return s->failed ? fail(err, "out of memory") : 0;
}

/* Tables. */

struct taken {
	struct top top;
	const struct state *state;
};

/*
 * What is larger than all of kmalloc()'s caches is in none: it takes pages of its own. Many kernels
 * hit the tracepoint twice for it.
 */
static void add(void *arg, const void *key, const void *value)
{
	const struct slab_counts *counts = value;
	const struct slab_key *k = key;
	struct taken *t = arg;
	struct row *row;

	if (k->cache >= LEAST_SIZE && -k->cache > t->state->largest)
		return;
	row = top_row(&t->top);
	if (!row)
		return;
	row->cache = k->cache;
	row->objects = counts->objects;
}

static int by_cache(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->cache < y->cache ? -1 : x->cache > y->cache;
}

/* The rows of all CPUs become one. */
static void merge(void *to, const void *row)
{
	((struct row *)to)->objects += ((const struct row *)row)->objects;
}

static void name_size(const struct state *s, struct row *row)
{
	const struct cache *c = s->listed.list, *end = c + s->listed.n;

	row->size = -(int64_t)row->cache;
	while (c < end && (!is_kmalloc(c->name) || c->size != (uint64_t)row->size))
		c++;
	if (c < end)
		memcpy(row->name, c->name, sizeof(row->name));
	else
		snprintf(row->name, sizeof(row->name), KMALLOC "%lld", (long long)row->size);
}

static void name_cache(const struct state *s, struct row *row)
{
	const struct cache *c = seen(s, row->cache), *listed = s->listed.list;

	row->size = NOTHING;
	if (c)
		memcpy(row->name, c->name, sizeof(row->name));
	if (c && c->size)
		row->size = (int64_t)c->size;
	for (size_t i = 0; row->size == NOTHING && *row->name && i < s->listed.n; i++)
		if (!strcmp(listed[i].name, row->name))
			row->size = (int64_t)listed[i].size;
}

static void name_row(const struct state *s, struct row *row)
{
	if (row->cache >= LEAST_SIZE)
		name_size(s, row);
	else
		name_cache(s, row);
	row->bytes = row->size == NOTHING ? NOTHING : (int64_t)row->objects * row->size;
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : by_cache(a, b);
}

static int most_objects_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->objects != y->objects ? x->objects < y->objects ? 1 : -1 : by_name(a, b);
}

static int most_bytes_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->bytes != y->bytes ? x->bytes < y->bytes ? 1 : -1 : by_name(a, b);
}

static void print(struct run *r, void *shown)
{
	struct row *row = shown;

	row->clock = run_interval_clock(r);
	row->text = *row->name ? text_of(row->name, sizeof(row->name)) : (struct text){ };
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	const struct slabratetop_options *o = run_asked(r);
	const char *sort = o->sort;
	const struct state *s = run_state(r);
	struct taken t = { .top.size = sizeof(struct row), .state = s };

	if (run_take(r, "counts", add, &t, err)) {
		top_free(&t.top);
		return -1;
	}
	top_merge(&t.top, by_cache, merge);
	for (size_t i = 0; i < t.top.n; i++)
		name_row(s, (struct row *)t.top.rows + i);
	if (s->failed)
		t.top.failed = true;
	return top_show(r, &t.top, !sort || !strcmp(sort, "size") ? most_bytes_first :
			!strcmp(sort, "count") ? most_objects_first : by_name, print, err);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	free(s->seen.list);
	free(s->listed.list);
}

/* support: bpf: full (4.9) | bpf: full (4.9) | perf, ftrace: full | perf, ftrace: full */
TOOL(slabratetop, "memory", "which slab caches are allocated from most, as top shows it",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &slabratetop_programs,
	.options = options,
	.options_size = sizeof(struct slabratetop_options),
	.columns = columns,
	.tables = true,
	.notes = "kmalloc-N is the sum of all caches for memory of this size: kmalloc-cg-N and the "
		 "like are in it.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.started = started,
	.record = name,
	.interval_end = show,
	.cleanup = cleanup,
);
