/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_TRIGGER_H
#define SONDE_FLIGHT_TRIGGER_H

#include <poll.h>
#include <stdbool.h>

#include "compat/base/error.h"
#include "src/session/limits.h"
#include "src/toolkit/process.h"

/* A tool in a process of its own, whose rows ask for a file. */
#define TRIGGER_ROW 8192	/* of a longer row only the beginning is kept */
struct trigger {
	const char *line;		/* as the user wrote it: "runqslower 50000" */
	struct process process;
	char row[TRIGGER_ROW];		/* what was read of a row so far */
	size_t n;
	bool skips;			/* the rest of a row that is too long */
};

/* Starts `sonde TOOL --json OPTION...`. Returns -1 and sets err on failure. */
int trigger_start(struct trigger *t, const char *line, struct limits *limits, struct error *err);
/* Ends the tool, and waits for it some seconds. */
void trigger_end(struct trigger *t);

/*
 * Reads what there is, and calls row() for each row of the tool; not for the end object, nor for
 * rows about this process, which writes files. Returns 1; 0: the tool has ended by itself, without
 * an error; -1 and sets err if it has ended with one.
 */
int trigger_read(struct trigger *t, void (*row)(void *arg, const struct trigger *t), void *arg,
		 struct error *err);

#endif
