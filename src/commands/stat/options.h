/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_OPTIONS_H
#define SONDE_STAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "src/lib/output/formats/formats.h"

/* The command line of `sonde stat`. */
struct stat_options {
	struct lines events;		/* of each -e; none: the defaults */
	unsigned int detail;		/* number of -d */
	bool system_wide;
	const char *cpus;		/* of -C; NULL: all */
	struct lines pids, tids;
	char **command;			/* NULL: none */
	uint64_t interval_ms, count, timeout_ms, runs;
	bool per_cpu, no_inherit, verbose, help, version;
	const struct output_format *format;	/* that an option asks for; NULL: none does */
	bool formats_differ;		/* two options ask for different formats */
	const char *separator;		/* of -x; NULL: none */
	const char *output;		/* a file; NULL: none */
};

/* Reads the command line. Returns -1 and sets err to the mistake. */
int stat_options(int argc, char **argv, struct stat_options *o, struct error *err);
void stat_options_free(struct stat_options *o);
/* Prints --help. */
void stat_help(FILE *file);

#endif
