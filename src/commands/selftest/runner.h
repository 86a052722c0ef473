/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_RUNNER_H
#define SONDE_SELFTEST_RUNNER_H

#include <signal.h>
#include <sys/types.h>

#include "src/commands/selftest/selftest.h"
#include "src/toolkit/process.h"

/* Limit of each step of a cell: an emulated machine is slow, and may have 2 million symbols. */
#define STEP_MS 90000

/* What all cells have in common. */
struct runner {
	const char *folder, *name;	/* of struct folder */
	char *const *without;	/* options for the tool, NULL-terminated: "--without", LIST */
	bool foreign;		/* sonde runs in a pid namespace of its own */
	const volatile sig_atomic_t *stop;	/* the signal that asks to end; 0: none yet */
	bool killed;		/* a tool was killed: it may have left something in tracefs */
};

/*
 * Runs one tool on one engine (NULL: it only lists). Afterwards the folder is empty, and no process
 * is left.
 */
void run_cell(struct runner *r, const struct selftest *test, const char *backend, struct cell *c);

/* Splits lines of JSON. The caller frees the rows. Returns false if a line is invalid. */
bool split_rows(const char *text, size_t n, struct json_rows *rows);

/*
 * A folder in TMPDIR. Its keeper, a process that waits for sonde's end, removes it, even after a
 * SIGKILL. `name` is unique, and in the folder's name.
 */
struct folder {
	char path[3000], name[16];
	pid_t keeper;
	int alive;		/* a pipe: it closes when sonde and its workload have ended */
};
/* Makes the folder. Returns -1 after a message on stderr. */
int folder_make(struct folder *f);
/* Removes the content of a folder; removes the folder and ends its keeper. */
void folder_empty(const char *path);
void folder_remove(struct folder *f);

#endif
