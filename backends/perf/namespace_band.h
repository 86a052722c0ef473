/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMESPACE_BAND_H
#define SONDE_NAMESPACE_BAND_H

#include "backends/perf/side_band.h"
#include "backends/stream/stream.h"

/*
 * perf's records of tasks' namespaces, for the stream of any ring engine with times of
 * CLOCK_MONOTONIC. All zero: closed; also if the plan's scope has no namespaces.
 */
struct namespace_band {
	struct side_band *band;
	struct stream *stream;
	uint64_t losses;		/* losses that the stream was told */
	uint64_t read;			/* time up to which records were read */
};

/* Begins to record, if the plan's scope has namespaces. Returns -1 and sets err on failure. */
int namespace_band_open(struct namespace_band *b, struct kernel *k, const struct plan *plan,
			struct stream *stream, FILE *verbose, struct error *err);
void namespace_band_close(struct namespace_band *b);
/*
 * Pushes all records up to now. To be called before each stream_run(), when its `until` is known.
 * Returns -1 and sets err if they can't be read.
 */
int namespace_band_read(struct namespace_band *b, struct error *err);

#endif
