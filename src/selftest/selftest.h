/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_H
#define SONDE_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/selftest/json.h"

/*
 * The contract of a check: `sonde selftest` does something small whose every detail is known, while
 * a tool traces it, and compares. A check is a row of tables and, for each of its parts, a workload
 * and perhaps a function that judges.
 *
 * For each engine and part the runner makes a process for the workload, which calls prepare() and
 * waits; starts the tool with `--backend ENGINE --json --verbose` and the part's options; when that
 * says it traces, lets the process go on with work(); ends the tool as by Ctrl-C; and judges in its
 * own process, by check() or, where there is none, by rows_compare(). So files, sockets and the
 * like made in prepare() are not seen by the tool, and whatever work() does is, if it is in the
 * process itself: work() must do nothing else that the tool would show.
 *
 * The folder is emptied after each part and all the workload's processes are killed; what else
 * prepare() makes must go with them (a loop device that detaches itself), or be removed by
 * cleanup().
 */

/* ---- the workload: in a process of its own ---- */

struct work {
	const char *folder;	/* where files may be made; empty at first */
	const char *name;	/* of the process (comm), and in the folder's name: nobody else's */
	/* pids here are not those the tools show: a pid namespace of its own */
	bool foreign;
	void *state;		/* from prepare() to work(): state_size zeroed bytes */
	FILE *said;
	unsigned int members;	/* of the row that is being said */
};

/*
 * A row the tool should show, with the members to compare, in the order of time: begin, members,
 * end.
 */
void want_begin(struct work *w);
void want_integer(struct work *w, const char *member, int64_t value);
void want_text(struct work *w, const char *member, const char *s, size_t length);
void want_true(struct work *w, const char *member);
/* The hook that tells of the row: if the tool says that it is missing, the row may be, too. */
#define WANT_HOOK "(hook)"
void want_hook(struct work *w, const char *hook);
void want_end(struct work *w);

/*
 * Something check(), cleanup() or an option (as "%NAME") needs to know; before the end of prepare()
 * for options.
 */
void say_integer(struct work *w, const char *name, int64_t value);
void say_text(struct work *w, const char *name, const char *value);

/*
 * The workload can't be done on this machine, and why ("no block device to use"). -1, for prepare()
 * and work().
 */
int not_here(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* fork() for workloads: the child dies with its parent. */
int work_fork(void);

/* ---- verdicts ---- */

enum verdict { VERDICT_OK, VERDICT_DEGRADED, VERDICT_NOT_HERE, VERDICT_WRONG };

/* What is known of a tool on an engine. */
struct cell {
	enum verdict verdict;
	char why[1024];			/* of this verdict; pieces by "; " */
	/* what the machine did not let us try, without being less than ok */
	char note[256];
	char hooks[2048];		/* pieces by "; " */
	/* rows or values compared; events that were reported as lost */
	int64_t wanted, got, lost;
};

/* A worse verdict replaces what was said; the same one adds to it, unless it was said already. */
void cell_verdict(struct cell *c, enum verdict v, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
void cell_note(struct cell *c, const char *note);
void cell_hooks(struct cell *c, const char *hooks);
const char *verdict_name(enum verdict v);

/* ---- judging: in the runner ---- */

/* Rows of JSON, in the order they came. */
struct json_rows {
	struct json *rows;
	size_t n;
};

/* What came of one part. */
struct found {
	const struct selftest *test;
	struct cell *cell;
	struct json_rows rows;		/* the tool's, without the end object */
	struct json end;		/* what is in the end object; n = 0: there was none */
	struct json_rows wants, says;	/* the workload's */
	bool foreign;
	/* the tool reported texts that were gone before it read them */
	bool text_lost;
};

/*
 * Rows against wants, in order, by the members of each want. A null is no difference where the end
 * object says that this member's input is missing. Rows that are not there are WRONG unless the
 * tool reported losses; a row that nobody caused is WRONG in any case. Ids of processes are not
 * compared where they are foreign.
 */
void rows_compare(struct found *f);

/* What the workload said; 0 if it did not. */
int64_t said_integer(const struct found *f, const char *name);
bool said_text(const struct found *f, const char *name, char *to, size_t size);
/* The sum of an integer member over all rows; false if it is null in one. */
bool found_sum(const struct found *f, const char *member, int64_t *sum);
/* How many values the histograms hold whose `member` ends with `suffix` (NULL: all histograms). */
int64_t found_counted(const struct found *f, const char *member, const char *suffix);
/*
 * The sum of the lowest values of all slots, each as often as it was counted: not more than all
 * took together.
 */
int64_t found_total(const struct found *f);
/*
 * Does the end object name this hook, HOOK.INPUT, or input of any hook, as missing? The verdict
 * says so already.
 */
bool found_missing(const struct found *f, const char *name);
/*
 * Between low and high; below low is no error where losses were reported. Adds to the cell's
 * `wanted` and `got`.
 */
void found_between(struct found *f, const char *what, int64_t low, int64_t got, int64_t high);

/* ---- the tables ---- */

struct selftest_part {
	/* put before what is said of this part; NULL if it is the only one */
	const char *what;
	/* of the tool; NULL at the end; "%pid", "%name" or what prepare() said */
	const char *const *options;
	const char *const *foreign;	/* instead, in a pid namespace of its own; NULL: the same */
	int (*prepare)(struct work *w);	/* NULL: nothing; -1: not_here() */
	int (*work)(struct work *w);
	void (*check)(struct found *f);	/* NULL: rows_compare() */
};

/*
 * A member that has another name than the input that it comes from: HOOK.INPUT, or INPUT of any
 * hook.
 */
struct selftest_input {
	const char *member, *input;
};

struct selftest {
	const char *tool;
	const struct selftest_part *parts;	/* ends with an empty row */
	const struct selftest_input *inputs;	/* ends with an empty row; NULL: none */
	/* what stands for a word (texts without blanks) that could not be read: "[?]" */
	const char *unknown;
	/* others' doings count too: tried again before it is called WRONG */
	bool machine_wide;
	size_t state_size;
	/* in the runner, when the workload is gone, however it ended */
	void (*cleanup)(const struct found *f);
};

/*
 * The registration of a tool's check, at the beginning of a line, as that of a tool (src/tool.h).
 */
#define SELFTEST(NAME, ...) const struct selftest selftest_##NAME = { #NAME, __VA_ARGS__ }

extern const struct selftest *const selftests[];	/* of all registrations; NULL-terminated */

/* `sonde selftest`; for src/commands/commands.c. */
int selftest_main(int argc, char **argv);

#endif
