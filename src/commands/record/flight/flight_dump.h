/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_DUMP_H
#define SONDE_FLIGHT_DUMP_H

#include "backends/recorder/recorder.h"
#include "backends/recorder/ring_backward.h"
#include "compat/recordings/perf/perf_write.h"
#include "src/commands/record/flight/flight_names.h"

/* Copies of all rings, taken at one time. */
struct flight_rings {
	struct backward *list;		/* of each CPU */
	unsigned int n;
	struct backward_times times;
	uint64_t end;			/* the time before the first one was copied */
	uint64_t reach;			/* no ring lacks an event since this time */
	unsigned int shortest;		/* the CPU whose ring is the reason for it */
};

/*
 * Copies all rings. `began`: the time since when all events are on. Returns -1 and sets err on
 * failure.
 */
int flight_rings_take(struct flight_rings *rings, struct recorder *from, uint64_t began,
		      struct error *err);
void flight_rings_free(struct flight_rings *rings);

/* The number of a file's events, and the time that it covers, ns. */
struct flight_written {
	uint64_t events, from, to;
};
/*
 * Writes all records of the rings from written->from to written->to, and the names of tasks between
 * them. Counts the events. Returns -1 and sets err on failure.
 */
int flight_write(const struct flight_rings *rings, const struct flight_names *names,
		 struct perf_writer *w, struct flight_written *written, struct error *err);

#endif
