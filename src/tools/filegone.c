// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/filegone.h"

#include <fcntl.h>
#include <stdio.h>

#include "src/run/tools.h"

#define EXCHANGE 2		/* RENAME_EXCHANGE of renameat2(2) */

/* An old path whose new path has not come yet: one a CPU at most. */
#define PENDING 64

struct state {
	struct filegone_record pending[PENDING];	/* time 0: free */
	unsigned int next;		/* whose place is taken next: the oldest */
};

struct row {
	const struct filegone_record *record;
	struct text action, file, from, to;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define PEOPLE		.readers = FOR_PEOPLE
#define MACHINES	.readers = FOR_MACHINES

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, 0, .field = "tid", MACHINES },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "ACTION", "action", COLUMN_TEXT, -8, AT(action),
	  .help = "DELETE, RMDIR, RENAME, or EXCHANGE: both names stay" },
	{ "FILE", "", COLUMN_TEXT, 0, AT(file), PEOPLE,
	  .help = "path as the program gave it, of a rename both; -: could not be read" },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(from), .span = SPAN_NAME, MACHINES },
	{ "TO", "to", COLUMN_TEXT, 0, AT(to), MACHINES },
	{ }
};

static const struct part parts[] = {
	{ &filegone_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde filegone", "removed and renamed files" },
	{ "sonde filegone -p 181", "files that one process removes and renames" },
	{ }
};

static const char *action_of(const struct filegone_record *rec)
{
	switch (rec->call) {
	case GONE_UNLINK:
		return rec->flags & AT_REMOVEDIR ? "RMDIR" : "DELETE";
	case GONE_RMDIR:
		return "RMDIR";
	default:
		return rec->flags & EXCHANGE ? "EXCHANGE" : "RENAME";
	}
}

static void keep(struct state *s, const struct filegone_record *rec)
{
	s->pending[s->next++ % PENDING] = *rec;
}

/* The record with the old path of a rename. Returns NULL if it was lost. */
static struct filegone_record *old_path(struct state *s, const struct filegone_record *rec)
{
	for (unsigned int i = 0; i < PENDING; i++)
		if (s->pending[i].time == rec->time && s->pending[i].pid_tgid == rec->pid_tgid)
			return &s->pending[i];
	return NULL;
}

static struct text path_of(const struct filegone_record *rec)
{
	return read_text(rec->path.path, rec->path.length, PATH_SHOWN, PATH_READ);
}

/* "OLD > NEW"; a path that is not known is `-`. */
static struct text both(const struct text *from, const struct text *to, char *line, size_t size)
{
	int n = snprintf(line, size, "%.*s%s > %.*s", from->s ? (int)from->length : 1,
			 from->s ? from->s : "-", from->cut ? "..." : "",
			 to->s ? (int)to->length : 1, to->s ? to->s : "-");

	return (struct text){ .s = line, .length = (uint32_t)n, .cut = to->cut };
}

static void gone(struct run *r, const struct record *record)
{
	const struct filegone_record *rec = record->bytes;
	char line[2 * PATH_SHOWN + 16];
	struct row row;

	if (rec->call >= GONE_CALLS)
		return;
	if (rec->more) {
		keep(run_state(r), rec);
		return;
	}
	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.action = text_of(action_of(rec), 8),
		.from = path_of(rec),
	};
	row.file = row.from;
	if (rec->call == GONE_RENAME) {
		struct filegone_record *old = old_path(run_state(r), rec);

		row.to = row.from;
		row.from = old ? path_of(old) : (struct text){ };
		row.file = both(&row.from, &row.to, line, sizeof(line));
		output_row(run_output(r), &row);
		if (old)
			old->time = 0;
		return;
	}
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf (to 4.19, from 5.15), ftrace: [2] |
 *	    no; perf, ftrace from 7.x: [1] [2] */
TOOL(filegone, "files", "trace files that are removed or renamed: tasks and names",
	.shape = SHAPE_EVENTS,
	.programs = &filegone_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.requests = { REQUEST(UNLINKAT) | REQUEST(RENAMEAT), "removals and renames",
		      "gone.enter" },
	.notes = "Shows calls that succeed. A relative path is relative to the directory of the "
		 "task, or to the open directory that it gave.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.record = gone,
);
