/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_NAMES_H
#define SONDE_RECORD_NAMES_H

#include <signal.h>

#include "compat/recordings/perf/perf_write.h"

/* Names of functions for a recording with stacks (src/lib/symbols/recorded/hits.h). */

/* Writes what processes have mapped now. Returns -1 and sets err if it can't be written. */
int record_names_begin(struct perf_writer *w, const volatile sig_atomic_t *stop,
		       struct error *err);
/*
 * Reads the recording, whose records are complete, and adds the names of its functions. What has no
 * name is told; *stop ends the reading. Returns -1 and sets err if it can't be written.
 */
int record_names_end(struct perf_writer *w, const char *path, const struct perf_head *head,
		     const volatile sig_atomic_t *stop, struct error *err);

#endif
