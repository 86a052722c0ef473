/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACING_DATA_H
#define SONDE_TRACING_DATA_H

#include "compat/recordings/cursor.h"
#include "compat/recordings/recording_internal.h"

/*
 * What trace-cmd and perf write before the records: formats of events, symbols, names of tasks
 * (trace-cmd.dat.v6(5) describes it; perf has it as a section).
 */

/*
 * Reads it: formats become facts, tracepoints events of the recording. `c` is then behind it.
 * Returns -1 and sets err if it is damaged.
 */
int tracing_data_read(struct recording *r, struct cursor *c, struct error *err);

#endif
