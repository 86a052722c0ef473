/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_RUNNER_H
#define SONDE_SELFTEST_RUNNER_H

#include <signal.h>
#include <sys/types.h>

#include "src/toolkit/process.h"
#include "src/selftest/selftest.h"

/*
 * How long each step of a cell may take: an emulated machine is slow, and may have 2 million
 * symbols.
 */
#define STEP_MS 90000

/* What is the same for all cells. */
struct runner {
	const char *folder, *name;
	char *const *without;	/* options for the tool, NULL-terminated: "--without", LIST */
	bool foreign;
	const volatile sig_atomic_t *stop;	/* the signal that asks to end; 0: none yet */
	bool killed;		/* a tool had to be killed: it may have left something in tracefs */
};

/* One tool on one engine. Afterwards the folder is empty, and no process is left. */
void run_cell(struct runner *r, const struct selftest *test, const char *backend, struct cell *c);

/* Splits lines of JSON; false: a line is not valid. The caller frees the rows. */
bool split_rows(const char *text, size_t n, struct json_rows *rows);

/*
 * A folder of our own in TMPDIR. Its keeper, a process that waits for our end, removes it, also
 * after a SIGKILL. `name` is unique, like the folder's.
 */
struct folder {
	char path[3000], name[16];
	pid_t keeper;
	int alive;		/* closed when we and our workload have ended */
};
int folder_make(struct folder *f);	/* -1 and a message on stderr */
void folder_empty(const char *path);
void folder_remove(struct folder *f);

#endif
