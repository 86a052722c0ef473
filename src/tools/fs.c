// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on files of one file system: the slower family shows those that take long, the dist
 * family counts them all by their time. fileslower shows reads and writes of all file systems.
 */
#include "insns/programs/fs.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/base/text.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

/* A file system: the names of its programs' options, and the hooks that some kernels lack. */
static const struct fs {
	const char *name, *title;
	uint32_t magic;				/* of its superblocks */
	const char *getattr_dist, *getattr_slower;	/* where bcc's families show getattr */
	const char *read, *open;		/* hooks that need the magic on some kernels */
} btrfs = {
	"btrfs", "btrfs", 0x9123683e, .read = "btrfs.read_enter", .open = "btrfs.open_enter",
}, ext4 = {
	"ext4", "ext4", 0xef53, .getattr_dist = "ext4_getattr", .read = "ext4.read_enter",
}, f2fs = {
	"f2fs", "F2FS", 0xf2f52010, .getattr_dist = "f2fs_getattr",
	.read = "f2fs.read_enter", .open = "f2fs.open_enter",
}, nfs = {
	"nfs", "NFS", 0x6969, .getattr_dist = "nfs_getattr", .getattr_slower = "nfs_getattr",
}, xfs = {
	"xfs", "XFS", 0x58465342,
}, zfs = {
	"zfs", "ZFS", 0x2fc12fc1,
}, vfs = {
	"vfs", "sync read/writes",
};

static const struct fs *const types[] = { &btrfs, &ext4, &f2fs, &nfs, &xfs, &zfs, NULL };
#define TYPE_NAMES "btrfs|ext4|f2fs|nfs|xfs|zfs"

/* The directories of an operation whose own record has not come yet: one a CPU at most. */
struct pending {
	uint64_t time, pid_tgid;
	uint64_t directories;
	struct path_name names[FS_DIRECTORIES];
};
#define PENDING 64

struct state {
	const struct fs *fs;
	struct pending *pending;		/* PENDING of them, with -F */
	unsigned int next;			/* whose place is taken next: the oldest */
	char path[(FS_DIRECTORIES + 1) * (PATH_SHOWN + 1) + 4];
};

/* The slower family. */

struct row {
	const struct fs_record *record;
	int64_t bytes, error, end_us;
	struct text file;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define PEOPLE		.readers = FOR_PEOPLE
#define MACHINES	.readers = FOR_MACHINES

#define BYTES_COLUMN \
	{ "BYTES", "", COLUMN_INTEGER, -7, AT(bytes), PEOPLE, \
	  .help = "bytes read or written, -: it failed" }
#define LAST_COLUMNS \
	{ "LAT(ms)", "", COLUMN_REAL, 7, .field = "nsecs", .divisor = 1000000, .digits = 2, \
	  PEOPLE, .help = "how long it took" }, \
	{ "FILENAME", "", COLUMN_TEXT, 0, AT(file), PEOPLE, \
	  .help = "name of the file, -F: with its directories; -: not known" }
/* The first eight are those of bcc's CSV. */
#define MACHINE_COLUMNS(OFFSET) \
	{ "ENDTIME_us", "end_us", COLUMN_INTEGER, 0, AT(end_us), .role = IS_TIME, MACHINES, \
	  .help = "when it ended, since boot; this column and the next in JSON and CSV" }, \
	{ "TASK", "comm", COLUMN_TEXT, 0, .field = "comm", MACHINES }, \
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid", MACHINES }, \
	{ "TYPE", "type", COLUMN_TEXT, 0, .field = "operation", MACHINES }, \
	{ "BYTES", "bytes", COLUMN_INTEGER, 0, AT(bytes), MACHINES }, \
	OFFSET \
	{ "LATENCY_us", "lat_us", COLUMN_INTEGER, 0, .field = "nsecs", \
	  .span = SPAN_LENGTH, .divisor = 1000, MACHINES }, \
	{ "FILE", "file", COLUMN_TEXT, 0, AT(file), .span = SPAN_NAME, MACHINES }, \
	{ "TIME", "time", COLUMN_CLOCK, 0, .field = "time", .digits = 6, MACHINES }, \
	{ "TID", "tid", COLUMN_INTEGER, 0, .field = "tid", MACHINES }, \
	{ "ERRNO", "errno", COLUMN_INTEGER, 0, AT(error), MACHINES, \
	  .help = "error number, 0: none" }

#define OFFSET_COLUMN \
	{ "OFFSET_b", "offset", COLUMN_INTEGER, 0, .field = "pos", .unit = IN_BYTES, \
	  .level = true, MACHINES },

static const struct column fs_columns[] = {
	{ "TIME", "", COLUMN_CLOCK, -8, .field = "time", PEOPLE,
	  .help = "time of day, when it ended" },
	{ "COMM", "", COLUMN_TEXT, -14, .field = "comm", PEOPLE, .help = "name of the task" },
	{ "PID", "", COLUMN_INTEGER, -6, .field = "pid", PEOPLE, .help = "process id" },
	{ "T", "", COLUMN_TEXT, -1, .field = "operation", PEOPLE,
	  .help = "R read, W write, O open, S fsync, G getattr" },
	BYTES_COLUMN,
	{ "OFF_KB", "", COLUMN_INTEGER, -8, .field = "pos", .divisor = 1024, PEOPLE,
	  .help = "where in the file, in units of 1024 bytes; -: at its end, or not known" },
	LAST_COLUMNS,
	MACHINE_COLUMNS(OFFSET_COLUMN),
	{ }
}, file_columns[] = {
	{ "TIME(s)", "", COLUMN_SECONDS, -8, .field = "time", .digits = 3, .role = IS_TIME, PEOPLE,
	  .help = "seconds since the first line" },
	{ "COMM", "", COLUMN_TEXT, -14, .field = "comm", PEOPLE, .help = "name of the task" },
	{ "TID", "", COLUMN_INTEGER, -7, .field = "tid", PEOPLE, .help = "thread id" },
	{ "D", "", COLUMN_TEXT, -1, .field = "operation", PEOPLE, .help = "R read, W write" },
	BYTES_COLUMN,
	LAST_COLUMNS,
	MACHINE_COLUMNS(),
	{ }
};

static const struct part parts[] = {
	{ &fs_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct fs_options {
	bool all_files, full_path, milliseconds;
	int64_t min_ms;
	const char *type;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct fs_options, MEMBER)

#define SLOWER_OPTIONS(CSV) \
	{ CSV, "csv" }, \
	{ 'p', "pid" }, \
	{ 'd', "duration" }, \
	{ 'F', "full-path", "show the file's directories too; requires BPF", OPTION_FLAG, \
	  TO(full_path) }, \
	{ 'm', "min-ms", "only operations that take min_ms or more; 0: all", \
	  OPTION_NUMBER, "min_ms", 0, INT32_MAX, 10, .positional = true, TO(min_ms) }
#define TYPE_OPTION \
	{ 't', "type", "the file system (default ext4)", OPTION_TEXT, TYPE_NAMES, \
	  .names = type_names, TO(type) }

static const struct option_name type_names[] = {
	{ "btrfs", 0 }, { "ext4", 0 }, { "f2fs", 0 }, { "nfs", 0 }, { "xfs", 0 }, { "zfs", 0 }, { }
};

static const struct option slower_options[] = {
	SLOWER_OPTIONS('j'),
	{ }
}, f2fs_options[] = {
	SLOWER_OPTIONS('s'),
	{ }
}, fsslower_options[] = {
	TYPE_OPTION,
	SLOWER_OPTIONS('c'),
	{ }
}, fileslower_options[] = {
	{ 'a', "all-files", "show pipes, sockets and terminals too", OPTION_FLAG, TO(all_files) },
	SLOWER_OPTIONS(0),
	{ }
};

/* fs: the file system that the tool's name says; NULL: option -t says it. */
static int prepare(struct run *r, const struct fs *fs, bool slower, struct error *err)
{
	const struct fs_options *o = run_asked(r);
	const char *type = fs ? NULL : o->type;
	struct state *s = run_state(r);

	for (const struct fs *const *t = types; type && *t; t++)
		if (!strcmp((*t)->name, type))
			fs = *t;
	if (!fs)
		fs = &ext4;
	s->fs = fs;
	run_constant(r, fs->name, 1);
	run_constant(r, "magic", fs->magic);
	run_constant(r, slower ? "slower" : "histogram", 1);
	run_constant(r, slower ? "histogram" : "slower", 0);
	run_constant(r, "regular", fs == &vfs && !o->all_files);
	if (o->full_path) {
		s->pending = calloc(PENDING, sizeof(*s->pending));
		if (!s->pending)
			return fail(err, "out of memory");
	}
	if (slower)
		run_constant(r, "min_ns", o->min_ms * 1000000);
	if (slower ? fs->getattr_slower : fs->getattr_dist)
		run_constant(r, fs->getattr_dist, 1);
	return 0;
}

/* What this kernel can't show is most of what files are used for: stderr says so. */
static void say_unseen(struct run *r)
{
	const struct fs *fs = ((const struct state *)run_state(r))->fs;
	const struct {
		const char *what, *hook;
	} apart[] = { { "reads", fs->read }, { "opens", fs->open } };

	for (int i = 0; i < 2; i++)
		if (apart[i].hook && !run_has_hook(r, apart[i].hook))
			run_note(r, "%s are not shown: this kernel can't tell %s from other file "
				    "systems there", apart[i].what, fs->title);
	if (fs == &vfs && !run_has_hook(r, "vfs.vector_enter"))
		run_note(r, "readv(2), writev(2) and the like are not shown: this kernel has no "
			 "function for them that can be probed");
}

static int slower_started(struct run *r, struct error *err)
{
	const struct fs_options *o = run_asked(r);
	const struct state *s = run_state(r);
	long long ms = o->min_ms;
	const char *what = s->fs == &vfs ? "" : " operations";

	(void)err;
	say_unseen(r);
	if (ms)
		output_line(run_output(r), "Tracing %s%s slower than %lld ms", s->fs->title, what,
			    ms);
	else
		output_line(run_output(r), "Tracing %s%s", s->fs->title, what);
	return 0;
}

static struct text path_text(const struct path_name *name)
{
	return read_text(name->path, name->length, PATH_SHOWN, PATH_READ);
}

static struct pending *find_pending(struct state *s, const struct fs_record *rec)
{
	for (unsigned int i = 0; i < PENDING; i++)
		if (s->pending[i].time == rec->time && s->pending[i].pid_tgid == rec->pid_tgid)
			return &s->pending[i];
	return NULL;
}

static void keep_directory(struct state *s, const struct fs_record *rec)
{
	struct pending *p = find_pending(s, rec);

	if (!p) {
		p = &s->pending[s->next++ % PENDING];
		*p = (struct pending){ .time = rec->time, .pid_tgid = rec->pid_tgid };
	}
	/* If one is lost, the place of those that follow is not known. */
	if (rec->directories == p->directories + 1 && p->directories < FS_DIRECTORIES)
		p->names[p->directories++] = rec->name;
}

/*
 * The directories before the name; "..." for those that are not known: above the eighth, or lost.
 * The topmost known one is the root of the file system if its name is "/". What is in no directory,
 * such as a pipe, has only its name.
 */
static struct text path_of(struct state *s, const struct fs_record *rec, struct text name)
{
	struct pending *p = find_pending(s, rec);
	uint64_t n = p ? p->directories : 0;
	bool whole = n && n == rec->directories && p->names[n - 1].path[0] == '/';
	char *to = s->path;

	if (!name.s || !rec->directories)
		return name;
	to += sprintf(to, whole ? "" : "...");
	for (n = n == rec->directories ? n - whole : 0; n--;) {
		struct text dir = path_text(&p->names[n]);

		to += sprintf(to, "/%.*s", dir.s ? (int)dir.length : 3, dir.s ? dir.s : "...");
	}
	to += sprintf(to, "/%.*s", (int)name.length, name.s);
	if (p)
		p->time = 0;
	return (struct text){ .s = s->path, .length = (uint32_t)(to - s->path), .cut = name.cut };
}

static void done(struct run *r, const struct record *record)
{
	const struct fs_record *rec = record->bytes;
	struct state *s = run_state(r);
	struct row row;

	if (rec->operation > FS_DIRECTORY)
		return;
	if (rec->operation == FS_DIRECTORY) {
		keep_directory(s, rec);
		return;
	}
	/* nfs_atomic_open() returns 1 before 4.19 where it only looked the file up. */
	if (rec->operation == FS_OPEN && rec->ret > 0)
		return;
	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.bytes = rec->ret < 0 ? NOTHING : rec->ret,
		.error = rec->ret < 0 ? -rec->ret : 0,
		.end_us = (int64_t)(rec->time / 1000),
		.file = path_text(&rec->name),
	};
	if (s->pending)
		row.file = path_of(s, rec, row.file);
	output_row(run_output(r), &row);
}

static void cleanup(struct run *r)
{
	free(((struct state *)run_state(r))->pending);
}

/* The dist family. */

static const struct option dist_options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'p', "pid" },
	{ }
}, fsdist_options[] = {
	TYPE_OPTION,
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'p', "pid" },
	{ }
};

static int dist_started(struct run *r, struct error *err)
{
	const struct state *s = run_state(r);

	(void)err;
	say_unseen(r);
	output_line(run_output(r), "Tracing %s operation latency... Hit Ctrl-C to end.",
		    s->fs->title);
	return 0;
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	static const char *const names[FS_OPERATIONS] = {
		"read", "write", "open", "fsync", "getattr",
	};

	(void)r;
	s->name = "operation";
	text_cut(value, HISTS_VALUE, "%s", g->id < FS_OPERATIONS ? names[g->id] : "?");
}

static int show(struct run *r, struct error *err)
{
	const struct fs_options *o = run_asked(r);
	struct hists_shown shown = {
		.name = "latency",
		.unit = o->milliseconds ? "msecs" : "usecs",
		.grouped = true, .section = section,
	};

	return hists_show(r, &shown, err);
}

/* What each tool of a family has of its own, beside its registration. */
#define SLOWER(NAME, FS, COMMAND) \
	static int prepare_##NAME(struct run *r, struct error *err) \
	{ \
		return prepare(r, FS, true, err); \
	} \
	static const struct example examples_##NAME[] = { \
		{ "sonde " COMMAND, "operations of 10 ms and more" }, \
		{ "sonde " COMMAND " 1 --pid 181", "1 ms and more, of process 181" }, \
		{ } \
	}

#define DIST(NAME, FS, COMMAND) \
	static int prepare_##NAME(struct run *r, struct error *err) \
	{ \
		return prepare(r, FS, false, err); \
	} \
	static const struct example examples_##NAME[] = { \
		{ "sonde " COMMAND " 1 10", "for ten seconds, each second" }, \
		{ "sonde " COMMAND " -m", "in milliseconds, until Ctrl-C" }, \
		{ } \
	}

#define SLOWER_TOOL(NAME, OPTIONS, COLUMNS, NOTES) \
	.shape = SHAPE_EVENTS, \
	.programs = &fsslower_programs, \
	.options = OPTIONS, \
	.options_size = sizeof(struct fs_options), \
	.columns = COLUMNS, \
	.parts = parts, \
	.notes = NOTES, \
	.examples = examples_##NAME, \
	.state_size = sizeof(struct state), \
	.prepare = prepare_##NAME, \
	.started = slower_started, \
	.record = done, \
	.cleanup = cleanup

#define DIST_TOOL(NAME, OPTIONS) \
	.shape = SHAPE_INTERVALS, \
	.positionals = 2, \
	.programs = &fsdist_programs, \
	.options = OPTIONS, \
	.options_size = sizeof(struct fs_options), \
	.notes = SYNC_NOTE, \
	.examples = examples_##NAME, \
	.state_size = sizeof(struct state), \
	.prepare = prepare_##NAME, \
	.started = dist_started, \
	.interval_end = show

#define SYNC_NOTE "An fsync within a write (O_SYNC) is part of that write."

SLOWER(fsslower, NULL, "fsslower -t xfs");
SLOWER(ext4slower, &ext4, "ext4slower");
SLOWER(xfsslower, &xfs, "xfsslower");
SLOWER(btrfsslower, &btrfs, "btrfsslower");
SLOWER(zfsslower, &zfs, "zfsslower");
SLOWER(nfsslower, &nfs, "nfsslower");
SLOWER(f2fsslower, &f2fs, "f2fsslower");
SLOWER(fileslower, &vfs, "fileslower");

/* support: bpf: full (4.6) [12] | no | perf, ftrace: [2] [12] [13] | no */
TOOL(fsslower, "files", "trace operations on files of one file system that take long",
	SLOWER_TOOL(fsslower, fsslower_options, fs_columns, SYNC_NOTE)
);
VARIANT(ext4slower, fsslower, "files", "trace operations on files of ext4 that take long",
	SLOWER_TOOL(ext4slower, slower_options, fs_columns, SYNC_NOTE)
);
VARIANT(xfsslower, fsslower, "files", "trace operations on files of XFS that take long",
	SLOWER_TOOL(xfsslower, slower_options, fs_columns, SYNC_NOTE)
);
VARIANT(btrfsslower, fsslower, "files", "trace operations on files of btrfs that take long",
	SLOWER_TOOL(btrfsslower, slower_options, fs_columns, SYNC_NOTE)
);
VARIANT(zfsslower, fsslower, "files", "trace operations on files of ZFS that take long",
	SLOWER_TOOL(zfsslower, slower_options, fs_columns, SYNC_NOTE)
);
VARIANT(nfsslower, fsslower, "files", "trace operations on files of NFS that take long",
	SLOWER_TOOL(nfsslower, slower_options, fs_columns, SYNC_NOTE)
);
VARIANT(f2fsslower, fsslower, "files", "trace operations on files of F2FS that take long",
	SLOWER_TOOL(f2fsslower, f2fs_options, fs_columns, SYNC_NOTE)
);
/* support: bpf: full (4.6) | no | perf, ftrace: [2] [13] | no */
TOOL(fileslower, "files", "trace reads and writes of files that take long",
	SLOWER_TOOL(fileslower, fileslower_options, file_columns,
		    "Shows reads and writes of system calls, on all file systems. I/O by mmap(2), "
		    "sendfile(2), splice(2), copy_file_range(2) and io_uring is not shown."),
	.requests = { REQUESTS_READ | REQUESTS_WRITE, "reads and writes" },
);

DIST(fsdist, NULL, "fsdist -t xfs");
DIST(ext4dist, &ext4, "ext4dist");
DIST(xfsdist, &xfs, "xfsdist");
DIST(btrfsdist, &btrfs, "btrfsdist");
DIST(zfsdist, &zfs, "zfsdist");
DIST(nfsdist, &nfs, "nfsdist");
DIST(f2fsdist, &f2fs, "f2fsdist");

/* support: bpf: full (4.6) [12] | no | perf, ftrace: [2] [12] | no */
TOOL(fsdist, "files", "how long operations on files of one file system take, as histograms",
	DIST_TOOL(fsdist, fsdist_options)
);
VARIANT(ext4dist, fsdist, "files", "how long operations on files of ext4 take, as histograms",
	DIST_TOOL(ext4dist, dist_options)
);
VARIANT(xfsdist, fsdist, "files", "how long operations on files of XFS take, as histograms",
	DIST_TOOL(xfsdist, dist_options)
);
VARIANT(btrfsdist, fsdist, "files", "how long operations on files of btrfs take, as histograms",
	DIST_TOOL(btrfsdist, dist_options)
);
VARIANT(zfsdist, fsdist, "files", "how long operations on files of ZFS take, as histograms",
	DIST_TOOL(zfsdist, dist_options)
);
VARIANT(nfsdist, fsdist, "files", "how long operations on files of NFS take, as histograms",
	DIST_TOOL(nfsdist, dist_options)
);
VARIANT(f2fsdist, fsdist, "files", "how long operations on files of F2FS take, as histograms",
	DIST_TOOL(f2fsdist, dist_options)
);
