// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cachefill.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/run/tools.h"
#include "src/toolkit/disks.h"
#include "src/toolkit/files/inode_path.h"
#include "src/toolkit/top.h"

struct row {
	struct top_group group;
	struct cachefill_key key;
	struct cachefill_counts counts;
	int64_t clock, kb, inode;
	struct text device, file;
};

struct state {
	struct mounts mounts;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "PAGES", "pages", COLUMN_INTEGER, 8, .field = "pages",
	  .help = "pages that came into the cache" },
	{ "KB", "kb", COLUMN_INTEGER, 10, AT(kb), .help = "the same in units of 1024 bytes" },
	{ "DEVICE", "device", COLUMN_TEXT, -10, AT(device), .unless = BY_CGROUP,
	  .help = "of the file system: its disk, or the kernel's number" },
	{ "INODE", "inode", COLUMN_INTEGER, -10, AT(inode), .role = IS_IDENTITY,
	  .unless = BY_CGROUP, .help = "number of the file" },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(file), .role = IS_IDENTITY, .unless = BY_CGROUP,
	  .help = "its path; -: unknown" },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
};

static const struct part parts[] = {
	{ &cachefill_key_layout, AT(key) },
	{ &cachefill_counts_layout, AT(counts) },
	{ }
};

/* What the functions below read of the options. */
struct cachefill_options {
	bool by_cgroup;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct cachefill_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	{ 'p', "pid" },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, TO(by_cgroup) },
	{ }
};

static const struct example examples[] = {
	{ "sonde cachefill", "each second, the files that fill the cache" },
	{ "sonde cachefill -C 10 1", "once, for ten seconds" },
	{ }
};

static int started(struct run *r, struct error *err)
{
	const struct cachefill_options *o = run_asked(r);
	const char *why = run_is_live(r) && !o->by_cgroup ? inode_path_refused() : NULL;

	(void)err;
	if (why)
		run_note(r, "paths of files are unknown: %s", why);
	return 0;
}

static void add(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->counts, value, sizeof(row->counts));
	row->group.owner = (int64_t)row->key.inode;
}

static void merge(void *to, const void *from)
{
	struct row *row = to;

	row->counts.pages += ((const struct row *)from)->counts.pages;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->counts.pages != y->counts.pages)
		return x->counts.pages < y->counts.pages ? 1 : -1;
	if (x->key.dev != y->key.dev)
		return x->key.dev < y->key.dev ? -1 : 1;
	return x->key.inode < y->key.inode ? -1 : x->key.inode > y->key.inode;
}

/* There is no disk of file systems that need none, nor of those that disks themselves are in. */
static void name_device(const struct run *r, uint32_t dev, char *name, size_t size)
{
	disk_name(r, dev, name, size);
	if (!strcmp(name, "?"))
		snprintf(name, size, "%u:%u", dev >> 20, dev & 0xfffff);
}

static void print(struct run *r, void *shown)
{
	const struct state *s = run_state(r);
	struct row *row = shown;
	char device[32], path[4096];

	row->clock = run_interval_clock(r);
	row->kb = (int64_t)(row->counts.pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024);
	row->inode = row->key.inode <= INT64_MAX ? (int64_t)row->key.inode : NOTHING;
	name_device(r, row->key.dev, device, sizeof(device));
	row->device = text_of(device, sizeof(device));
	row->file = inode_path(&s->mounts, row->key.dev, row->key.inode, path, sizeof(path)) ?
		    text_of(path, sizeof(path)) : (struct text){ };
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	struct top t = { .size = sizeof(struct row) };
	struct state *s = run_state(r);

	if (top_take(r, "files", add, &t, err))
		return -1;
	top_by_cgroup(r, &t, merge);
	if (run_is_live(r))
		mounts_read(&s->mounts);
	return top_show(r, &t, most_first, print, err);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	mounts_free(&s->mounts);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(cachefill, "memory", "which files fill the page cache, as top shows it",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &cachefill_programs,
	.options = options,
	.options_size = sizeof(struct cachefill_options),
	.columns = columns,
	.parts = parts,
	.tables = true,
	.notes = "A page counts when it comes into the cache: because it is read, also ahead, or "
		 "written for the first time. Pages that are in the cache already do not count.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.started = started,
	.interval_end = show,
	.cleanup = cleanup,
);
