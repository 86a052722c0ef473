/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SAMPLING_H
#define SONDE_SAMPLING_H

#include "src/run/tool.h"

/* How samples of CPU time are taken, or were taken if the run is of a recording. */
struct sampling {
	const char *by;			/* of a recording: cycles, cpu-clock, ...; NULL: live */
	int64_t frequency;		/* samples a second of each CPU */
	int64_t period;			/* instead, ns for each sample; 0: none */
};

/*
 * For a tool's prepare(): *s is what its options say, which are not `given` if it is the tool's
 * default. Of a recording with samples *s becomes how these were taken, and so do the constants
 * `frequency` and `period`. Returns -1 and sets err if the user asked for others.
 */
int sampling_prepare(struct run *r, struct sampling *s, bool given, struct error *err);
/* For started(): says what of a recording is not shown. Nothing if the run is live. */
void sampling_notes(const struct run *r, bool idle);

#endif
