/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_BOOT_H
#define SONDE_RECORD_BOOT_H

#include <stdio.h>

#include "compat/kernel/kernel.h"
#include "src/commands/record/record_events.h"

/*
 * `sonde record --print-bootconfig`: the configuration by which a kernel records events from its
 * own start on, into rings that --input tracefs reads.
 */

#define RECORD_BOOT_INSTANCE "sonde"

/* Events of a boot's picture; ends with NULL. */
extern const char *const record_chart_events[];

/*
 * Adds the events that tell processes and their names, and if there are no events yet, those of a
 * boot's picture: as far as this kernel has them. Returns -1 and sets err on failure.
 */
int record_boot_events(struct kernel *k, struct record_events *events, struct error *err);
/*
 * Writes the configuration. `words`: of the command line, for a comment; it ends with NULL.
 * `bytes`: of each CPU's ring. Returns -1 and sets err if a kernel can't record these events so.
 */
int record_boot_print(FILE *file, struct kernel *k, const struct record_events *events,
		      char *const *words, uint64_t bytes, struct error *err);

#endif
