/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMESPACE_BAND_H
#define SONDE_NAMESPACE_BAND_H

#include "backends/perf/side_band.h"
#include "backends/stream/stream.h"

/*
 * What perf tells of the namespaces of tasks, for the stream of any engine of rings whose times are
 * of CLOCK_MONOTONIC. All zero: closed, as where the plan's scope asks for no namespaces.
 */
struct namespace_band {
	struct side_band *band;
	struct stream *stream;
	uint64_t losses;		/* that the stream knows of */
	uint64_t read;			/* up to here it has all that was told */
};

/* From now on it is told, if the plan's scope asks for it. -1 and err: it can't be told. */
int namespace_band_open(struct namespace_band *b, struct kernel *k, const struct plan *plan,
			struct stream *stream, FILE *verbose, struct error *err);
void namespace_band_close(struct namespace_band *b);
/*
 * Pushes all that was told up to now. Before each stream_run(), when its `until` is known. -1 and
 * err: it can't be read any more.
 */
int namespace_band_read(struct namespace_band *b, struct error *err);

#endif
