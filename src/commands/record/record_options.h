/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_OPTIONS_H
#define SONDE_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "src/commands/record/flight/flight_options.h"

/* The command line of `sonde record`. */
struct record_options {
	const char *output;		/* "-": standard output; with --last a folder */
	struct lines events;		/* of -e, as written: a pattern or a probe each */
	bool stacks, verbose, help;
	bool bootconfig;		/* print a configuration, and record nothing */
	uint64_t seconds;		/* 0: until a signal */
	uint64_t pages;			/* of each CPU's ring; 0: not given */
	const char *script;		/* a file; NULL: none */
	uint64_t frequency;		/* samples a second; 0: none */
	const char *backend;		/* "perf", "ftrace"; NULL: the first that there is */
	struct flight_options flight;
	char **tools;			/* the words of the tools; NULL: there are none */
	char **command;			/* NULL: none */
};

/* Returns -1 and sets err to a mistake. record_options_free() in any case. */
int record_options_read(struct record_options *o, int argc, char **argv, struct error *err);
void record_options_free(struct record_options *o);
/* Prints --help. */
void record_help(FILE *file);

#endif
