/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_H
#define SONDE_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/jsonw.h"
#include "compat/base/jsonr.h"

/*
 * The contract of a check: `sonde selftest` runs a small workload whose every detail is known while
 * a tool traces it, and compares. A check is a row of tables. Each of its parts has a workload, and
 * may have a function that judges the tool's output.
 *
 * For each engine and part the runner makes a process for the workload, which calls prepare() and
 * waits. The runner starts the tool with `--backend ENGINE --json --verbose` and the part's
 * options. When the tool says that it traces, the process calls work(). Then the runner ends the
 * tool as Ctrl-C does, and judges in its own process, by check() or, if that is NULL, by
 * rows_compare(). So the tool does not see prepare(), which makes files and sockets, and it sees
 * everything in work(): work() must do nothing more that the tool would show.
 *
 * A tool that only lists is run once, with `--json` alone: it lists what work() has left there.
 *
 * After each part the runner empties the folder, and kills all processes of the workload. Anything
 * else that prepare() makes must end with the processes (a loop device that detaches itself), or
 * cleanup() removes it.
 */

/* ---- the workload: in a process of its own ---- */

struct work {
	const char *folder;	/* for files; empty at first */
	const char *name;	/* of the process (comm), and in the folder's name; unique */
	/* the pid namespace is not the first: the tools show other pids */
	bool foreign;
	void *state;		/* from prepare() to work(): state_size zeroed bytes */
	struct jsonw said;	/* a pipe to the runner */
};

/*
 * Say a row that the tool must show: begin, the members to compare, end. Rows are in the order of
 * time.
 */
void want_begin(struct work *w);
void want_integer(struct work *w, const char *member, int64_t value);
void want_text(struct work *w, const char *member, const char *s, size_t length);
void want_true(struct work *w, const char *member);
/* Names the hook that the row depends on: if the tool reports it as missing, the row may miss. */
#define WANT_HOOK "(hook)"
void want_hook(struct work *w, const char *hook);
void want_end(struct work *w);

/*
 * Say a value for check(), for cleanup(), or for an option (as "%NAME"). Values for options must be
 * said in prepare().
 */
void say_integer(struct work *w, const char *name, int64_t value);
void say_text(struct work *w, const char *name, const char *value);

/*
 * Says why this machine can't run the workload ("no block device to use"). Returns -1, which
 * prepare() and work() return.
 */
int not_here(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Binds the process, and the processes it makes from now on, to the current CPU. Returns -1 after
 * not_here().
 */
int work_hold(struct work *w);
/* fork() for workloads: the child dies with its parent. */
int work_fork(void);
/* A terminal: what is written to `ours` can be read from `other`, and the other way round. */
struct terminal {
	int ours, other;
};
#define WORK_PATH 512
/* Makes one; `path`: of `other`. Returns -1 after not_here(). */
int work_terminal(struct work *w, struct terminal *t, char path[WORK_PATH]);
/*
 * Makes a library with these functions (library.h) as `file` in the workload's folder, and maps it.
 * Writes its path to `path`. Returns its base address, or NULL after not_here().
 */
void *work_library(struct work *w, const char *file, const char *const *names,
		   char path[WORK_PATH]);

/* A count of /proc/vmstat; 0 if this kernel does not have it. Checks may call it, too. */
int64_t vmstat_count(const char *name);

/* ---- verdicts ---- */

enum verdict { VERDICT_OK, VERDICT_DEGRADED, VERDICT_NOT_HERE, VERDICT_WRONG };

/* The result for a tool on an engine. */
struct cell {
	enum verdict verdict;
	char why[1024];			/* why this verdict; pieces with "; " between */
	/* what could not be tried here; the verdict may still be ok */
	char note[256];
	char hooks[2048];		/* chosen alternatives, pieces with "; " between */
	/* rows or values: expected and shown; events that the tool reported as lost */
	int64_t wanted, got, lost;
};

/* A worse verdict replaces the one before; the same verdict adds its reason. */
void cell_verdict(struct cell *c, enum verdict v, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
/* Add to the note, and to the hooks. */
void cell_note(struct cell *c, const char *note);
void cell_hooks(struct cell *c, const char *hooks);
/*
 * The verdict where the kernel ended a process because it was out of memory. `what` names the
 * process, `status` is as of wait(2), `kills`: how many processes were ended so meanwhile. Returns
 * false if something else ended it; then there is no verdict.
 */
bool cell_out_of_memory(struct cell *c, const char *what, int status, int64_t kills);
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
	struct json end;		/* content of the end object; n = 0: there was none */
	struct json_rows wants, says;	/* the workload's rows and values */
	bool foreign;			/* see struct work */
	/* the tool reported that it could not read some texts */
	bool text_lost;
};

/*
 * Compares rows with wants, in their order, by the members of each want. A null is right if the end
 * object reports the member's input as missing. A missing row is WRONG unless the tool reported
 * losses; an extra row is always WRONG. Process ids are not compared in a foreign pid namespace.
 */
void rows_compare(struct found *f);

/* A value that the workload said. Return 0 and false if it did not say one. */
int64_t said_integer(const struct found *f, const char *name);
bool said_text(const struct found *f, const char *name, char *to, size_t size);
/* The sum of an integer member over all rows. Returns false if a row has null. */
bool found_sum(const struct found *f, const char *member, int64_t *sum);
/* The number of values in the histograms whose `member` ends with `suffix` (NULL: in all). */
int64_t found_counted(const struct found *f, const char *member, const char *suffix);
/* The sum of all values in histograms, each taken as the lowest of its slot: a lower bound. */
int64_t found_total(const struct found *f);
/*
 * Checks the times of all rows, in ns; `member` is in units of 10^places ns. None is above `high`.
 * Those of rows whose text `name` begins with "slow" (NULL: of all rows) are `low` at least.
 */
void found_times(struct found *f, const char *member, unsigned int places, const char *name,
		 int64_t low, int64_t high);
/*
 * Returns true if the end object reports as missing: this hook, HOOK.INPUT, or the input of any
 * hook. The cell's verdict then has it already.
 */
bool found_missing(const struct found *f, const char *name);
/*
 * Checks that `got` is between low and high; less is no error if losses were reported. Adds to the
 * cell's `wanted` and `got`. `what` names the value in messages.
 */
void found_between(struct found *f, const char *what, int64_t low, int64_t got, int64_t high);

/* ---- the tables ---- */

struct selftest_part {
	/* prefix of this part's messages; NULL if it is the only part */
	const char *what;
	/* for the tool; ends with NULL; may have "%pid", "%name" and names that prepare() said */
	const char *const *options;
	/* the options in a pid namespace that is not the first; NULL: the same */
	const char *const *foreign;
	int (*prepare)(struct work *w);	/* NULL: nothing; returns -1 after not_here() */
	int (*work)(struct work *w);
	void (*check)(struct found *f);	/* NULL: rows_compare() */
};

/* The input that a member shows, if its name differs: HOOK.INPUT, or INPUT of any hook. */
struct selftest_input {
	const char *member, *input;
};

struct selftest {
	const char *tool;
	const struct selftest_part *parts;	/* ends with an empty row */
	const struct selftest_input *inputs;	/* ends with an empty row; NULL: none */
	/* the tool's word for an unreadable text: "[?]" */
	const char *unknown;
	/* other processes count too: a WRONG part is tried again */
	bool machine_wide;
	/* the tool only lists: it has no engine and no end object, and starts after work() */
	bool lists;
	size_t state_size;		/* of work.state, in bytes */
	/* called in the runner, after the workload's end; NULL: nothing */
	void (*cleanup)(const struct found *f);
};

/* The registration of a check, at the beginning of a line, like that of a tool (src/run/tool.h). */
#define SELFTEST(NAME, ...) const struct selftest selftest_##NAME = { #NAME, __VA_ARGS__ }

extern const struct selftest *const selftests[];	/* all registered checks; ends with NULL */

/* Runs `sonde selftest`. Returns the exit status. */
int selftest_main(int argc, char **argv);

#endif
