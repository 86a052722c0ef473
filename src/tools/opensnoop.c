// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/opensnoop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "src/run/tools.h"

struct row {
	const struct opensnoop_record *record;
	int64_t fd, error, flags, mode;
	struct text unsure, path;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, .field = "time", .digits = 9,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid",
	  .option = "print-uid", .help = "user id" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid",
	  .unless = "tid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, .field = "tid",
	  .option = "tid", .help = "thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "FD", "fd", COLUMN_INTEGER, 4, AT(fd),
	  .help = "file descriptor, -1: it failed, -: none, or unknown" },
	{ "ERR", "errno", COLUMN_INTEGER, 3, AT(error),
	  .help = "error number, 0: none, -: unknown" },
	{ "FLAGS", "flags", COLUMN_OCTAL, -8, AT(flags), .digits = 8,
	  .option = "extended_fields", .help = "flags, octal" },
	{ "MODE", "mode", COLUMN_OCTAL, -4, AT(mode), .digits = 4,
	  .option = "extended_fields", .help = "mode, octal, -: nothing is created" },
	{ "?", "path_unsure", COLUMN_TEXT, -1, AT(unsure),
	  .option = "full-path", .help = "the directory is not certain" },
	{ "PATH", "path", COLUMN_TEXT, 0, AT(path), .span = SPAN_NAME,
	  .help = "as the program gave it, -: could not be read" },
	{ }
};

static const struct option_name flag_names[] = {
	{ "O_WRONLY", O_WRONLY }, { "O_RDWR", O_RDWR }, { "O_CREAT", O_CREAT },
	{ "O_EXCL", O_EXCL }, { "O_NOCTTY", O_NOCTTY }, { "O_TRUNC", O_TRUNC },
	{ "O_APPEND", O_APPEND }, { "O_NONBLOCK", O_NONBLOCK }, { "O_DSYNC", O_DSYNC },
	{ "O_DIRECT", O_DIRECT }, { "O_DIRECTORY", O_DIRECTORY }, { "O_NOFOLLOW", O_NOFOLLOW },
	{ "O_NOATIME", O_NOATIME }, { "O_CLOEXEC", O_CLOEXEC }, { "O_SYNC", O_SYNC },
	{ "O_PATH", O_PATH }, { "O_TMPFILE", O_TMPFILE },
	{ }
};

/* What the functions below read of the options. */
struct opensnoop_options {
	bool full_path;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct opensnoop_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'x', "failed", "show failures only", OPTION_FLAG },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'u', "uid" },
	{ 'd', "duration" },
	{ 'n', "name" },
	{ 'e', "extended_fields", "show flags and mode", OPTION_FLAG, .alias = "extended-fields" },
	{ 'f', "flag-filter", "only opens with this flag (O_WRONLY), repeatable",
	  OPTION_FLAGS, "FLAG", .names = flag_names, .alias = "flag_filter" },
	{ 'F', "full-path", "put the directory before relative paths", OPTION_FLAG,
	  TO(full_path) },
	{ 'b', "buffer-pages" },
	{ }
};

static const struct example examples[] = {
	{ "sonde opensnoop -x", "opens that fail" },
	{ "sonde opensnoop -T --exec make", "files that make and its children open" },
	{ }
};

static const struct part parts[] = {
	{ &opensnoop_record_layout, AT(record), .pointer = true },
	{ }
};

/* What does not change from row to row. */
struct state {
	bool has_flags, has_mode;
};

static int started(struct run *r, struct error *err)
{
	struct state *s = run_state(r);

	(void)err;
	s->has_flags = run_has_input(r, "open.enter", "flags");
	s->has_mode = run_has_input(r, "open.enter", "mode");
	return 0;
}

/* The kernel adds it for 64-bit tasks. Not all probes tell whether the task asked for it. */
static int64_t without_largefile(struct run *r, uint64_t flags)
{
	return (int64_t)(flags & ~(uint64_t)kernel_arch(run_kernel(r))->o_largefile);
}

/* Reads a link of /proc; false if it can't be read. */
static bool read_link(char *to, size_t size, const char *format, long pid, long number)
{
	char path[64];

	text_all(path, sizeof(path), format, pid, number);
	return file_link(AT_FDCWD, path, to, size) > 0;
}

/*
 * The directory of a relative path is read from /proc when the record comes, which may be too late.
 * It is certain only if the file is still open, and its name is the one that results.
 */
static void complete_path(const struct run *r, struct row *row, char *full, size_t size)
{
	const struct opensnoop_record *rec = row->record;
	char dir[PATH_MAX], opened[PATH_MAX];
	int64_t pid = tgid_of(rec->pid_tgid);
	bool known = false;
	int n;

	row->unsure = (struct text){ };
	if (!row->path.s || !row->path.length || row->path.s[0] == '/')
		return;
	if (pid != NOTHING && run_ids_are_procs(r))
		known = rec->dfd == AT_FDCWD ?
			read_link(dir, sizeof(dir), "/proc/%ld/cwd", pid, 0) :
			read_link(dir, sizeof(dir), "/proc/%ld/fd/%ld", pid, rec->dfd);
	row->unsure = (struct text){ .s = "?", .length = 1 };
	if (!known)
		return;
	n = snprintf(full, size, "%s/%.*s", dir[1] ? dir : "", (int)row->path.length,
		     row->path.s);
	if (n < 0 || (size_t)n >= size)
		return;
	row->path.s = full;
	row->path.length = (uint32_t)n;
	if (rec->ret >= 0 && !row->path.cut &&
	    read_link(opened, sizeof(opened), "/proc/%ld/fd/%ld", pid, rec->ret) &&
	    !strcmp(opened, full))
		row->unsure = (struct text){ };
}

static void opened(struct run *r, const struct record *record)
{
	const struct opensnoop_record *rec = record->bytes;
	const struct opensnoop_options *o = run_asked(r);
	const struct state *s = run_state(r);
	char full[2 * PATH_MAX];
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.fd = rec->ret >= 0 ? rec->ret : rec->ret > OPEN_UNKNOWN ? -1 : NOTHING,
		.error = rec->ret >= 0 || rec->ret == OPEN_SLOT ? 0 :
			 rec->ret == OPEN_UNKNOWN ? NOTHING : -rec->ret,
		.flags = NOTHING,
		.mode = NOTHING,
		.path = read_text(rec->path, rec->path_length, PATH_SHOWN, PATH_READ),
	};
	/* ENOENT before the kernel has copied a path: it is empty. */
	if (!row.path.s && rec->ret == -ENOENT)
		row.path = (struct text){ .s = "", .length = 0 };
	if (s->has_flags)
		row.flags = without_largefile(r, rec->flags);
	if (s->has_mode && (rec->flags & O_CREAT || (rec->flags & O_TMPFILE) == O_TMPFILE))
		row.mode = rec->mode;
	if (o->full_path)
		complete_path(r, &row, full, sizeof(full));
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [2] |
 *	    no; perf, ftrace from 7.x: [1] [2] [3] */
TOOL(opensnoop, "files", "trace open() calls: tasks, files and errors",
	.shape = SHAPE_EVENTS,
	.programs = &opensnoop_programs,
	.options = options,
	.options_size = sizeof(struct opensnoop_options),
	.columns = columns,
	.parts = parts,
	.requests = { REQUEST(OPENAT) | REQUEST(OPENAT2), "opens", "uring.open_exit" },
	.examples = examples,
	.state_size = sizeof(struct state),
	.started = started,
	.record = opened,
);
