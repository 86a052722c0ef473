/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_OPTIONS_H
#define SONDE_FLIGHT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"

/* What `sonde record --last` takes beside the options of `sonde record`. */
struct flight_options {
	uint64_t last_ns;		/* how much a file has; 0: this is no flight recorder */
	struct lines when;		/* the triggers, as written */
	bool by_signal;			/* SIGUSR1, beside the triggers */
	uint64_t every_ns;		/* one file in this time at most; see given_every */
	bool given_every;
	uint64_t files, bytes;		/* limits of all files together; 0: none */
};

/* Values of getopt_long(3). */
enum flight_letter {
	FLIGHT_LAST = 256, FLIGHT_WHEN, FLIGHT_SIGNAL, FLIGHT_EVERY, FLIGHT_FILES, FLIGHT_SIZE,
};
#define FLIGHT_LONGS \
	{ "last", required_argument, NULL, FLIGHT_LAST }, \
	{ "when", required_argument, NULL, FLIGHT_WHEN }, \
	{ "signal", no_argument, NULL, FLIGHT_SIGNAL }, \
	{ "every", required_argument, NULL, FLIGHT_EVERY }, \
	{ "files", required_argument, NULL, FLIGHT_FILES }, \
	{ "max-size", required_argument, NULL, FLIGHT_SIZE }
#define FLIGHT_HELP \
	"Flight recorder: keep the last seconds in memory, and write them when a trigger asks\n" \
	"  --last TIME             how much a file has, as 30s or 5m; -o: their folder\n" \
	"  --when 'TOOL OPTION...' write a file when this tool has a row; repeatable\n" \
	"  --signal                write a file by SIGUSR1, too (default without --when)\n" \
	"  --every TIME            one file in this time at most (default: that of --last)\n" \
	"  --files N               keep the last N files\n" \
	"  --max-size SIZE         keep so many bytes of files: 500M, 2G\n\n"

/* Returns -1 and sets err to a mistake. */
int flight_option(struct flight_options *o, int letter, const char *value, struct error *err);
/* Looks whether the options go together. Returns -1 and sets err to a mistake. */
int flight_options_end(struct flight_options *o, struct error *err);
void flight_options_free(struct flight_options *o);

#endif
