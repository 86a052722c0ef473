/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_PROBES_H
#define SONDE_RECORD_PROBES_H

#include <stdio.h>

#include "backends/recorder/recorder.h"
#include "backends/recorder/trace_recorder.h"
#include "compat/base/strbuf.h"
#include "src/commands/record/record_events.h"

/*
 * The probes of the tools that are recorded: defined in tracefs as the engine perf does it, and
 * events as others from then on.
 */
struct record_probes;

/*
 * Makes the probes of all plans, and adds their events behind the others. *to is NULL if no plan
 * has one. Returns -1 and sets err on failure; record_probes_end() in any case.
 */
int record_probes_make(struct kernel *k, struct record_events *events, struct record_probes **to,
		       FILE *verbose, struct error *err);
/* Adds the section with the probes, if there are some. */
void record_probes_section(const struct record_probes *p, struct strbuf *to);
/*
 * Closes a recorder, and removes the probes and the instance of tracefs: as the engines do it, in a
 * process of its own that outlives this one. Each of them may be NULL.
 */
void record_probes_end(struct kernel *k, struct record_probes *p, struct recorder *recorder,
		       struct trace_recorder *trace);

#endif
