// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/filetop.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "compat/base/array.h"
#include "compat/base/hash.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/run/tools.h"
#include "src/toolkit/files/mounts.h"
#include "src/toolkit/top.h"

#define PATH_ROOM ((FILETOP_DIRECTORIES + 2) * (PATH_SHOWN + 4))

/*
 * The names of a file in this interval, the nearest first. Each thread tells those of its files,
 * one after the other.
 */
struct named_key {
	uint64_t inode, dentry, pid_tgid;
};

struct named {
	uint64_t number;		/* the inode's; 0: unknown */
	uint32_t dev;			/* of the file system, as the kernel has it; 0: unknown */
	unsigned int levels;		/* names so far */
	bool broken;			/* one was lost, or could not be read */
	char *names[FILETOP_DIRECTORIES + 1];
};

struct row {
	struct top_group group;
	struct filetop_key key;
	struct filetop_sums sums;
	int64_t clock;
	char *path;			/* NULL: unknown */
	struct text file, type;
	int64_t order;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .unless = BY_CGROUP,
	  .help = "thread id" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .unless = BY_CGROUP,
	  .readers = FOR_MACHINES },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .unless = BY_CGROUP,
	  .help = "name of the thread" },
	{ "READS", "reads", COLUMN_INTEGER, -6, .field = "reads", .role = IS_COUNT,
	  .help = "calls that read, and did not fail" },
	{ "WRITES", "writes", COLUMN_INTEGER, -6, .field = "writes", .role = IS_COUNT,
	  .help = "calls that wrote, and did not fail" },
	{ "R_Kb", "read_kb", COLUMN_INTEGER, -7, .field = "read_bytes", .divisor = 1024,
	  .readers = FOR_PEOPLE, .help = "bytes read, in units of 1024" },
	{ "W_Kb", "written_kb", COLUMN_INTEGER, -7, .field = "written_bytes", .divisor = 1024,
	  .readers = FOR_PEOPLE, .help = "bytes written, in units of 1024" },
	{ "R_BYTES", "read_bytes", COLUMN_INTEGER, 0, .field = "read_bytes",
	  .readers = FOR_MACHINES },
	{ "W_BYTES", "written_bytes", COLUMN_INTEGER, 0, .field = "written_bytes",
	  .readers = FOR_MACHINES },
	{ "T", "type", COLUMN_TEXT, 1, AT(type), .unless = "merged",
	  .help = "R regular file, S socket, P pipe, O other" },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(file), .role = IS_IDENTITY, .unless = "merged",
	  .help = "the file, with BPF its whole path; -: unknown" },
	{ "DIRECTORY", "directory", COLUMN_TEXT, 0, AT(file), .role = IS_IDENTITY,
	  .option = "by-dir", .help = "with --by-dir: the directory of the files" },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
};

static const struct part parts[] = {
	{ &filetop_key_layout, AT(key) },
	{ &filetop_sums_layout, AT(sums) },
	{ }
};

static const struct option_name orders[] = {
	{ "all", 0 }, { "reads", 0 }, { "writes", 0 }, { "rbytes", 0 }, { "wbytes", 0 }, { }
};

/* What the functions below read of the options. */
struct filetop_options {
	bool by_cgroup, all, by_dir, read_only, write_only;
	const char *directory, *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct filetop_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	{ 'a', "all", "show sockets, pipes, terminals and the like too", OPTION_FLAG, TO(all) },
	{ 's', "sort", "sort key (default all: bytes)", OPTION_TEXT,
	  "all|reads|writes|rbytes|wbytes", .names = orders, TO(sort) },
	{ 'p', "pid" },
	{ 'd', "directory", "only files in this directory, and below it; requires BPF",
	  OPTION_TEXT, "DIR", TO(directory) },
	{ 0, "by-dir", "add up the files of each directory; requires BPF", OPTION_FLAG,
	  TO(by_dir) },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, .excludes = "by-dir", TO(by_cgroup) },
	{ 0, "read-only", "only reads", OPTION_FLAG, .excludes = "write-only",
	  TO(read_only) },
	{ 0, "write-only", "only writes", OPTION_FLAG, TO(write_only) },
	{ }
};

static const struct example examples[] = {
	{ "sonde filetop", "each second, files that are used most" },
	{ "sonde filetop --by-dir -C 10 1", "by directory, for ten seconds" },
	{ }
};

struct state {
	struct hash named;		/* by struct named_key */
	struct mounts mounts;
	struct top top;
	bool failed;			/* out of memory */
};

static int prepare(struct run *r, struct error *err)
{
	const struct filetop_options *o = run_asked(r);
	const char *dir = o->directory;

	if (dir && *dir != '/')
		return fail(err, "filetop: --directory: `%s` does not begin with a slash: give its "
			    "whole path", dir);
	run_constant(r, "regular", !o->all);
	run_constant(r, "merged", o->by_dir || o->by_cgroup);
	run_constant(r, "directories", dir || o->by_dir);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct filetop_options *o = run_asked(r);

	if (o->directory != NULL &&
	    !run_has_input(r, "moved.enter", "dev") && !run_has_input(r, "moved.returns", "dev"))
		return fail(err, "filetop: --directory: this kernel has no type information (BTF), "
			    "so the place where a file system is mounted is unknown; --by-dir "
			    "shows paths within file systems");
	if (!run_has_hook(r, "moved.vector_enter") && !run_has_hook(r, "moved.vector_returns"))
		run_note(r, "readv(2), writev(2) and the like are not shown: this kernel has no "
			 "function for them that can be probed");
	if (!run_has_hook(r, "moved.from_enter"))
		run_note(r, "sendfile(2), splice(2) and copy_file_range(2) are not shown: this "
			 "kernel has no function for them that can be probed");
	return 0;
}

/* Names. */

static void named_clear(struct named *n)
{
	for (unsigned int i = 0; i < n->levels; i++)
		free(n->names[i]);
	n->levels = 0;
	n->broken = false;
}

static void forget_names(struct state *s)
{
	struct named *n;

	for (uint32_t at = 0; (n = hash_next(&s->named, &at));)
		named_clear(n);
	hash_clear(&s->named);
}

static struct named *named_of(struct state *s, const struct filetop_name *rec)
{
	const struct named_key key = { rec->inode, rec->dentry, rec->pid_tgid };
	struct named *n = hash_find(&s->named, &key, sizeof(key));

	if (n)
		return n;
	s->named.value_size = sizeof(*n);
	n = hash_add(&s->named, &key, sizeof(key));
	if (!n) {
		s->failed = true;
		return NULL;
	}
	n->number = rec->number;
	n->dev = rec->dev;
	return n;
}

/* A thread with another name tells the names again. */
static void name(struct run *r, const struct record *record)
{
	const struct filetop_name *rec = record->bytes;
	struct text text = read_text(rec->name.path, rec->name.length, PATH_SHOWN, PATH_READ);
	struct named *n = named_of(run_state(r), rec);

	if (!n)
		return;
	if (!rec->level)
		named_clear(n);
	if (rec->level != n->levels || n->levels > FILETOP_DIRECTORIES || !text.s) {
		n->broken = rec->level >= n->levels;
		return;
	}
	n->names[n->levels] = strndup(text.s, text.length);
	if (n->names[n->levels])
		n->levels++;
}

/*
 * The path within the file system, if it is known up to its root; else the known end of it, with
 * "..." before. A name that is in no directory, as of a pipe, is alone.
 */
static bool join(const struct named *n, char *to, size_t size)
{
	unsigned int top = n->levels - 1;
	bool whole = top && !strcmp(n->names[top], "/");
	struct strbuf path = strbuf_over(to, size);

	if (!top) {
		strbuf_addf(&path, "%s", n->names[0]);
		return false;
	}
	if (!whole)
		strbuf_addf(&path, "...");
	for (unsigned int i = top + !whole; i-- > 0;)
		strbuf_addf(&path, "/%s", n->names[i]);
	return whole && !n->broken;
}

static const char *kind_of(uint32_t mode)
{
	return S_ISREG(mode) ? "R" : S_ISSOCK(mode) ? "S" : S_ISFIFO(mode) ? "P" : "O";
}

/* Pipes and sockets have no names: they are shown as in /proc/PID/fd. */
static char *unnamed(uint32_t mode, uint64_t number)
{
	const char *kind = S_ISSOCK(mode) ? "socket" : S_ISFIFO(mode) ? "pipe" : NULL;
	char text[64];

	if (!kind)
		return NULL;
	if (number)
		text_cut(text, sizeof(text), "%s:[%llu]", kind, (unsigned long long)number);
	else
		text_cut(text, sizeof(text), "%s", kind);
	return strdup(text);
}

static char *path_of(struct state *s, const struct filetop_key *key)
{
	const struct named_key of = { key->inode, key->dentry, key->pid_tgid };
	const struct named *n = hash_find(&s->named, &of, sizeof(of));
	char inner[PATH_ROOM], path[PATH_ROOM + 4096];

	if (!n || !n->levels || (n->levels == 1 && !*n->names[0]))
		return unnamed(key->mode, n ? n->number : 0);
	if (join(n, inner, sizeof(inner)) && n->dev &&
	    mounts_path(&s->mounts, n->dev, inner, path, sizeof(path)))
		return strdup(path);
	return strdup(inner);
}

/* Tables. */

static void add(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->sums, value, sizeof(row->sums));
	row->key.epoch = 0;
	row->group.owner = (int64_t)row->key.pid_tgid;
}

/* With --by-dir the path loses its last name. */
static void to_directory(char *path)
{
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		slash[slash == path] = '\0';
}

static bool in_directory(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	while (n && dir[n - 1] == '/')
		n--;
	return path && !strncmp(path, dir, n) && (path[n] == '/' || !path[n]);
}

static int64_t order_of(const struct run *r, const struct row *row)
{
	const struct filetop_options *o = run_asked(r);
	const char *sort = o->sort;
	const struct filetop_sums *sums = &row->sums;

	if (!sort || !strcmp(sort, "all"))
		return (int64_t)(sums->read_bytes + sums->written_bytes);
	if (!strcmp(sort, "reads"))
		return (int64_t)sums->reads;
	if (!strcmp(sort, "writes"))
		return (int64_t)sums->writes;
	return (int64_t)(!strcmp(sort, "rbytes") ? sums->read_bytes : sums->written_bytes);
}

static bool wanted(const struct run *r, struct row *row)
{
	const struct filetop_options *o = run_asked(r);
	const char *dir = o->directory;

	if (o->read_only)
		row->sums.writes = row->sums.written_bytes = 0;
	if (o->write_only)
		row->sums.reads = row->sums.read_bytes = 0;
	return (row->sums.reads || row->sums.writes) && (!dir || in_directory(row->path, dir));
}

static int by_directory(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key.pid_tgid != y->key.pid_tgid)
		return x->key.pid_tgid < y->key.pid_tgid ? -1 : 1;
	if (!x->path || !y->path)
		return !!x->path - !!y->path;
	return strcmp(x->path, y->path);
}

static void merge(void *to, const void *from)
{
	struct filetop_sums *sums = &((struct row *)to)->sums;
	const struct row *row = from;

	sums->reads += row->sums.reads;
	sums->writes += row->sums.writes;
	sums->read_bytes += row->sums.read_bytes;
	sums->written_bytes += row->sums.written_bytes;
	free(row->path);
}

/* Paths, and what was asked for. Rows that are left out are freed. */
static void prepare_rows(struct run *r, struct state *s)
{
	const struct filetop_options *o = run_asked(r);
	struct row *rows = s->top.rows;
	size_t n = 0;

	for (size_t i = 0; i < s->top.n; i++) {
		rows[i].path = path_of(s, &rows[i].key);
		if (wanted(r, &rows[i]))
			rows[n++] = rows[i];
		else
			free(rows[i].path);
	}
	s->top.n = n;
	if (o->by_dir) {
		for (size_t i = 0; i < n; i++)
			to_directory(rows[i].path);
		top_merge(&s->top, by_directory, merge);
	}
	top_by_cgroup(r, &s->top, merge);
	for (size_t i = 0; i < s->top.n; i++)
		rows[i].order = order_of(r, &rows[i]);
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	uint64_t calls[2] = { x->sums.reads + x->sums.writes, y->sums.reads + y->sums.writes };

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	if (calls[0] != calls[1])
		return calls[0] < calls[1] ? 1 : -1;
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

static void print(struct run *r, void *shown)
{
	struct row *row = shown;

	row->clock = run_interval_clock(r);
	row->type = text_of(kind_of(row->key.mode), 1);
	if (row->path)
		row->file = (struct text){ .s = row->path, .length = (uint32_t)strlen(row->path) };
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	char **paths = NULL;
	size_t n = 0;
	int result;

	s->top = (struct top){ .size = sizeof(struct row) };
	if (top_take(r, "files", add, &s->top, err))
		return -1;
	if (run_is_live(r))
		mounts_read(&s->mounts);
	prepare_rows(r, s);
	/* top_show() frees the rows, not what they point to. */
	paths = calloc(s->top.n + 1, sizeof(*paths));
	for (size_t i = 0; paths && i < s->top.n; i++)
		paths[n++] = ((struct row *)s->top.rows)[i].path;
	result = top_show(r, &s->top, most_first, print, err);
	while (n > 0)
		free(paths[--n]);
	if (!paths || s->failed)
		result = fail(err, "out of memory");
	free(paths);
	forget_names(s);
	return result;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	forget_names(s);
	mounts_free(&s->mounts);
}

/* support: bpf: full (4.6) | no | perf, ftrace: [2] [20] | no */
TOOL(filetop, "files", "which files are read and written most, as top shows it",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &filetop_programs,
	.options = options,
	.options_size = sizeof(struct filetop_options),
	.columns = columns,
	.parts = parts,
	.tables = true,
	.notes = "Bytes count as calls move them. Memory that is mapped, io_uring and AIO are "
		 "not counted.",
	.requests = { REQUESTS_READ | REQUESTS_WRITE, "reads and writes" },
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = name,
	.interval_end = show,
	.cleanup = cleanup,
);
