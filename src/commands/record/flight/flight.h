/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_H
#define SONDE_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/recordings/perf/perf_write.h"
#include "src/commands/record/flight/flight_options.h"
#include "src/commands/record/record_events.h"

/* What a flight recorder records, and for whom. */
struct flight_setup {
	const struct flight_options *options;
	struct kernel *kernel;
	struct record_events *events;
	const char *folder;
	unsigned int pages;		/* of each CPU's ring */
	bool stacks;
	uint64_t seconds;		/* 0: until a signal */
	char **command;			/* NULL: none */
	char **words;			/* the command line, for the files */
	const struct perf_written_code *code;	/* NULL: unknown, or not needed */
	const struct strbuf *probes;	/* the section about them; NULL: there are none */
};

/*
 * Keeps the last events in rings that overwrite their oldest ones, and writes them into a file of
 * the folder when a trigger asks for it. Sets the exit status of the command. Returns -1 and sets
 * err on failure.
 */
int flight_record(const struct flight_setup *setup, int *status, struct error *err);

#endif
