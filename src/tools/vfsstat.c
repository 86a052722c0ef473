// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/vfsstat.h"

#include "src/run/tools.h"

/* How many calls there were, and how many a second. */
struct row {
	int64_t clock, length, n[VFS_COUNTS], rate[VFS_COUNTS];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

/* Text has rates, as in bcc; machines get counts, which they can add up. */
#define CALL(HEAD, NAME, N, WIDTH, WHAT) \
	{ HEAD "/s", "", COLUMN_INTEGER, WIDTH, AT(rate[N]), \
	  .readers = FOR_PEOPLE, .help = WHAT }, \
	{ HEAD, NAME, COLUMN_INTEGER, 8, AT(n[N]), .role = IS_COUNT, .readers = FOR_MACHINES }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .help = "end of the interval" },
	{ "SECONDS", "seconds", COLUMN_SECONDS, 8, AT(length), .digits = 3,
	  .readers = FOR_MACHINES, .help = "length of the interval, in JSON and CSV" },
	CALL("READ", "reads", VFS_READ, 10, "calls of vfs_read() and vfs_readv()"),
	CALL("WRITE", "writes", VFS_WRITE, 8, "calls of vfs_write() and vfs_writev()"),
	CALL("FSYNC", "fsyncs", VFS_FSYNC, 8, "fsync() and fdatasync() calls"),
	CALL("OPEN", "opens", VFS_OPEN, 8, "files opened"),
	CALL("CREATE", "creates", VFS_CREATE, 8, "files created"),
	CALL("UNLINK", "unlinks", VFS_UNLINK, 8, "names of files removed"),
	CALL("MKDIR", "mkdirs", VFS_MKDIR, 8, "directories created"),
	CALL("RMDIR", "rmdirs", VFS_RMDIR, 8, "directories removed"),
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde vfsstat", "calls on files, each second" },
	{ "sonde vfsstat -p 181 5 12", "by one process, for a minute" },
	{ }
};

static int started(struct run *r, struct error *err)
{
	(void)err;
	if (!run_has_hook(r, "vfs.vector_enter"))
		run_note(r, "readv(2), writev(2) and the like are not counted: this kernel has no "
			    "function for them that can be probed");
	return 0;
}

static int show(struct run *r, struct error *err)
{
	static const char *const hooks[] = {
		[VFS_READ] = "vfs.read", [VFS_WRITE] = "vfs.write", [VFS_FSYNC] = "vfs.fsync",
		[VFS_OPEN] = "vfs.open", [VFS_CREATE] = "made.file", [VFS_UNLINK] = "vfs.unlink",
		[VFS_MKDIR] = "vfs.mkdir", [VFS_RMDIR] = "vfs.rmdir",
	};
	struct row row = { .clock = run_interval_clock(r), .length = run_interval_length(r) };

	if (run_take_counts(r, "counts", row.n, VFS_COUNTS, err))
		return -1;
	for (int i = 0; i < VFS_COUNTS; i++) {
		row.rate[i] = (int64_t)((double)row.n[i] * 1e9 / (double)row.length + 0.5);
		if (!run_has_hook(r, hooks[i]))
			row.n[i] = row.rate[i] = NOTHING;
	}
	output_row(run_output(r), &row);
	return 0;
}

/* support: bpf: full (4.6) | no | perf, ftrace: full | no */
TOOL(vfsstat, "files", "count calls of the virtual file system: reads, writes, opens ...",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &vfsstat_programs,
	.options = options,
	.columns = columns,
	.notes = "Text shows how many there were a second; JSON and CSV how many in the interval.",
	.requests = { REQUESTS_READ | REQUESTS_WRITE | REQUEST(FSYNC),
		      "reads, writes and fsyncs" },
	.examples = examples,
	.started = started,
	.interval_end = show,
);
