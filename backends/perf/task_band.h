/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_BAND_H
#define SONDE_TASK_BAND_H

#include "backends/perf/side_band.h"
#include "backends/stream/stream.h"

/*
 * What perf tells of tasks, for the stream of any ring engine: their namespaces, or their lives and
 * names. All zero: closed.
 */
struct task_band {
	struct side_band *band;
	struct stream *stream;
	uint64_t losses;		/* losses that the stream was told */
	uint64_t read;			/* time up to which records were read */
};

/*
 * Begins to record the namespaces of tasks, if the plan's scope has namespaces; the stream's times
 * are those of CLOCK_MONOTONIC. Returns -1 and sets err on failure.
 */
int task_band_of_namespaces(struct task_band *b, struct kernel *k, const struct plan *plan,
			    struct stream *stream, FILE *verbose, struct error *err);
/*
 * Begins to record tasks' lives and names, if the stream has no events for them
 * (stream_wants_lives()). `clock` as in side_band_open(). Returns -1 and sets err on failure.
 */
int task_band_of_lives(struct task_band *b, struct kernel *k, struct stream *stream,
		       const struct local_clock *clock, FILE *verbose, struct error *err);
void task_band_close(struct task_band *b);
/*
 * Pushes all records up to now. To be called before each stream_run(), when its `until` is known.
 * Returns -1 and sets err if they can't be read.
 */
int task_band_read(struct task_band *b, struct error *err);

#endif
