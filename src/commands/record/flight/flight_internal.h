/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_INTERNAL_H
#define SONDE_FLIGHT_INTERNAL_H

#include "backends/recorder/lives.h"
#include "compat/base/clock.h"
#include "src/commands/record/flight/flight.h"
#include "src/commands/record/flight/flight_dump.h"
#include "src/commands/record/flight/flight_files.h"
#include "src/commands/record/flight/flight_names.h"
#include "src/commands/record/flight/flight_trigger.h"
#include "src/run/child.h"

#define REASON 1024
#define FLIGHT_AFTER_NS (500ULL * NS_PER_MS)	/* recorded behind a trigger */
/* An ended task runs on for a while: its name is kept so long. */
#define FLIGHT_EXIT_NS (1ULL * NS_PER_SECOND)

struct flight {
	const struct flight_setup *setup;
	struct recorder *recorder;
	struct lives *lives;
	struct flight_names *names;
	uint64_t *ids;			/* of the first event, and of the lives of tasks */
	struct perf_head head;
	struct flight_files files;
	struct limits limits;
	struct child child;
	struct trigger *triggers;	/* as many as setup->options->when */
	unsigned int n_on;		/* triggers that have not ended */
	struct pollfd *polls;		/* of the lives, then of the triggers */
	uint64_t began;			/* ns: all events are on since then */
	/* triggers without a file: the what the first one said, and their number */
	char reason[REASON];
	unsigned int asked;
	uint64_t first, due;		/* the time of the first one, and that of its file */
	uint64_t next;			/* not before this time, for --every */
	unsigned int left_out, written, failed;
};

/* Reads what the rings about tasks have. */
void flight_names_read(struct flight *f);
/* Writes a file for all triggers so far, and tells of it, or of a failure. */
void flight_keep(struct flight *f);

#endif
