/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_SAMPLE_H
#define SONDE_RECORDED_SAMPLE_H

#include "compat/events/event.h"
#include "compat/recordings/recording.h"

/*
 * Samples of CPU time that were recorded: so many a second by cycles, or else by a clock, so many a
 * second or after so many ns. Returns NULL if there are none.
 */
const struct recorded_event *recorded_cpu_time(const struct recording *recording);
/* What triggered samples, by the names that perf has, too. */
const char *recorded_counter(const struct recorded_event *samples);
/*
 * The number of the recorded samples that serve an event of kind EVENT_SAMPLE, as often as it asks
 * for. Returns -1 and sets err if there are none.
 */
int recorded_samples_for(const struct recording *recording, const struct event *e,
			 struct error *err);

#endif
