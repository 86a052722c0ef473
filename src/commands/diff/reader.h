/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DIFF_READER_H
#define SONDE_DIFF_READER_H

#include "compat/base/error.h"
#include "compat/base/jsonr.h"
#include "compat/base/strbuf.h"
#include "src/commands/diff/table.h"
#include "src/lib/flame/flame.h"
#include "src/run/tool.h"

/*
 * Lines of JSON that a tool wrote, added up: rows by the roles of their columns, histograms by
 * their sections, stacks by their functions.
 */
#define DIFF_MEMBERS 64
#define DIFF_BY 8
#define DIFF_KEY_TEXT 1000		/* bytes of a text in a key; longer ones are cut */

enum diff_use { USE_NOT, USE_KEY, USE_SUM, USE_MEAN };

/* A column of rows, or another thing that tells what a line is about. */
struct diff_member {
	char name[64];
	enum diff_use use;
	bool heard;			/* lines had it; otherwise only the last line named it */
	bool sides[DIFF_SIDES];		/* rows had it */
	int measure;			/* of USE_SUM, USE_MEAN; -1: there was no room */
};

/* What a tool's last line says. */
struct diff_end {
	bool read;
	double seconds;			/* 0: the line does not tell */
	uint64_t losses;		/* events, calls or values */
	char what[128];			/* which: "lost 3, unpaired 1" */
	uint64_t untraced_ms;
	char engine[16];
	char *missing;			/* the list, as JSON */
};

struct diff_reader {
	const struct tool *tool;
	const char *by[DIFF_BY];	/* the columns of --by */
	unsigned int n_by;
	struct diff_table table;
	struct flame *flame;		/* NULL: no picture is wanted */
	char unit[32];			/* of stacks */
	struct diff_member members[DIFF_MEMBERS];
	unsigned int n_members;
	bool crowded;			/* there were more members, or more measures */
	uint64_t lines[DIFF_SIDES];	/* rows, histograms and stacks */
	uint64_t stacks[DIFF_SIDES];
	struct diff_end ends[DIFF_SIDES];
	struct strbuf key, text;	/* of the line */
	struct error *err;
};

/* The caller sets tool, by, flame and err first. */
void diff_reader_init(struct diff_reader *r);
void diff_reader_free(struct diff_reader *r);
/* Adds a line. Returns -1 and sets r->err if it is no line of the tool. */
int diff_line(struct diff_reader *r, enum diff_side side, const char *s, size_t n);
/*
 * The columns' roles of a tool's last line, before its first line: with it roles are those of the
 * run. Returns -1 and sets r->err if it is no last line, or that of another tool.
 */
int diff_read_end(struct diff_reader *r, enum diff_side side, const char *s, size_t n);

/* For reader_*.c. The member of a name, which is made for a value `v`; NULL: there is no room. */
struct diff_member *diff_member(struct diff_reader *r, struct json name, struct json v,
				unsigned int hint);
/* The same of a section, or of a stack's task: it can only be a part of the key. */
struct diff_member *diff_key_member(struct diff_reader *r, const char *name);
/* Adds a member's value to the key of the line. */
void diff_key(struct diff_reader *r, const struct diff_member *m, struct json v);
/* The same of a text. */
void diff_key_text(struct diff_reader *r, const struct diff_member *m, const char *s, size_t n);
/* Adds a value to the amount of the line's key. Returns -1 without memory. */
int diff_add(struct diff_reader *r, enum diff_side side, int measure, double value);
int diff_hist_line(struct diff_reader *r, enum diff_side side, struct json line);
int diff_stack_line(struct diff_reader *r, enum diff_side side, struct json line);

/*
 * The parts of a key, one after the other: the number of a member, and its text. Returns false at
 * the end.
 */
struct diff_part {
	unsigned int member;
	bool null, number;
	const char *s;
	size_t n;
};
bool diff_part_next(const char **at, const char *end, struct diff_part *part);

#endif
