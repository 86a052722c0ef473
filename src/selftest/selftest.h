/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_H
#define SONDE_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/selftest/json.h"

/*
 * The contract of a check: `sonde selftest` runs a small workload whose every detail is known,
 * while a tool traces it, and compares. A check is a row of tables. Each of its parts has a
 * workload, and may have a function that judges.
 *
 * For each engine and part the runner makes a process for the workload, which calls prepare() and
 * waits. It starts the tool with `--backend ENGINE --json --verbose` and the part's options. When
 * the tool says that it traces, the process goes on with work(). Then the runner ends the tool as
 * by Ctrl-C, and judges in its own process, by check() or, if there is none, by rows_compare(). So
 * the tool does not see what prepare() makes, files and sockets, and sees what work() does in the
 * process itself: work() must do nothing else that the tool would show.
 *
 * After each part the folder is emptied, and all the workload's processes are killed. What else
 * prepare() makes must end with them (a loop device that detaches itself), or cleanup() removes it.
 */

/* ---- the workload: in a process of its own ---- */

struct work {
	const char *folder;	/* for files; empty at first */
	const char *name;	/* of the process (comm), and in the folder's name; unique */
	/* a pid namespace of its own: the tools show other pids */
	bool foreign;
	void *state;		/* from prepare() to work(): state_size zeroed bytes */
	FILE *said;
	unsigned int members;	/* of the row that is written now */
};

/*
 * A row that the tool should show, with the members to compare: begin, members, end. Rows are in
 * the order of time.
 */
void want_begin(struct work *w);
void want_integer(struct work *w, const char *member, int64_t value);
void want_text(struct work *w, const char *member, const char *s, size_t length);
void want_true(struct work *w, const char *member);
/* The hook that the row comes from: if the tool says that it is missing, so may be the row. */
#define WANT_HOOK "(hook)"
void want_hook(struct work *w, const char *hook);
void want_end(struct work *w);

/*
 * What check(), cleanup() or an option (as "%NAME") needs to know; for options before the end of
 * prepare().
 */
void say_integer(struct work *w, const char *name, int64_t value);
void say_text(struct work *w, const char *name, const char *value);

/*
 * Why this machine can't run the workload ("no block device to use"). -1, for prepare() and work().
 */
int not_here(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Holds the process, and those that it makes from now on, on the CPU it is on. -1: not_here() was
 * told why.
 */
int work_hold(struct work *w);
/* fork() for workloads: the child dies with its parent. */
int work_fork(void);
#define WORK_PATH 512
/*
 * A library of these functions (library.h), as `file` in the workload's folder, and mapped; `path`
 * gets where it is. NULL: not_here() was told why.
 */
void *work_library(struct work *w, const char *file, const char *const *names,
		   char path[WORK_PATH]);

/* ---- verdicts ---- */

enum verdict { VERDICT_OK, VERDICT_DEGRADED, VERDICT_NOT_HERE, VERDICT_WRONG };

/* What is known of a tool on an engine. */
struct cell {
	enum verdict verdict;
	char why[1024];			/* why this verdict; pieces with "; " between */
	/* what could not be tried here, which is still ok */
	char note[256];
	char hooks[2048];		/* pieces with "; " between */
	/* rows or values; events that were reported as lost */
	int64_t wanted, got, lost;
};

/* A worse verdict replaces the one before; the same one adds its reason. */
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

/* The results of one part. */
struct found {
	const struct selftest *test;
	struct cell *cell;
	struct json_rows rows;		/* the tool's, without the end object */
	struct json end;		/* what is in the end object; n = 0: there was none */
	struct json_rows wants, says;	/* the workload's */
	bool foreign;
	/* the tool said that it could not read some texts */
	bool text_lost;
};

/*
 * Compares rows with wants, in their order, by the members of each want. A null is right if the end
 * object says that the member's input is missing. A missing row is WRONG unless the tool reported
 * losses; a row too many is always WRONG. Ids of processes are not compared in a foreign pid
 * namespace.
 */
void rows_compare(struct found *f);

/* What the workload said; 0 if it said nothing. */
int64_t said_integer(const struct found *f, const char *name);
bool said_text(const struct found *f, const char *name, char *to, size_t size);
/* The sum of an integer member over all rows; false if a row has null. */
bool found_sum(const struct found *f, const char *member, int64_t *sum);
/* The number of values in the histograms whose `member` ends with `suffix` (NULL: in all). */
int64_t found_counted(const struct found *f, const char *member, const char *suffix);
/* The sum of all values, each taken as the lowest of its slot: a lower bound of what all took. */
int64_t found_total(const struct found *f);
/*
 * Does the end object say that this hook, HOOK.INPUT, or input of any hook is missing? The verdict
 * says so already.
 */
bool found_missing(const struct found *f, const char *name);
/*
 * `got` must be between low and high; less is no error if losses were reported. Adds to the cell's
 * `wanted` and `got`.
 */
void found_between(struct found *f, const char *what, int64_t low, int64_t got, int64_t high);

/* ---- the tables ---- */

struct selftest_part {
	/* put before the messages of this part; NULL if it is the only one */
	const char *what;
	/* of the tool; NULL at the end; "%pid", "%name" or what prepare() said */
	const char *const *options;
	const char *const *foreign;	/* those in a pid namespace of its own; NULL: the same */
	int (*prepare)(struct work *w);	/* NULL: nothing; -1: not_here() */
	int (*work)(struct work *w);
	void (*check)(struct found *f);	/* NULL: rows_compare() */
};

/* A member whose input has another name: HOOK.INPUT, or INPUT of any hook. */
struct selftest_input {
	const char *member, *input;
};

struct selftest {
	const char *tool;
	const struct selftest_part *parts;	/* ends with an empty row */
	const struct selftest_input *inputs;	/* ends with an empty row; NULL: none */
	/* what is shown for a word that could not be read: "[?]" */
	const char *unknown;
	/* other processes count too: a WRONG is tried again */
	bool machine_wide;
	size_t state_size;
	/* in the runner, after the workload's end */
	void (*cleanup)(const struct found *f);
};

/* The registration of a check, at the beginning of a line, like that of a tool (src/tool.h). */
#define SELFTEST(NAME, ...) const struct selftest selftest_##NAME = { #NAME, __VA_ARGS__ }

extern const struct selftest *const selftests[];	/* of all registrations; NULL-terminated */

/* `sonde selftest`; for src/commands/commands.c. */
int selftest_main(int argc, char **argv);

#endif
