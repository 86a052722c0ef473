/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_MEMORY_H
#define SONDE_TRACEFS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"

/* Memory of machines that have little: what is there, and what detachers are about to free. */

/*
 * The bytes that are available by the text of /proc/meminfo, without the KB that the kernel keeps
 * for itself. Returns 0 if the text does not tell.
 */
uint64_t memory_available(const char *meminfo, uint64_t kept_kb);
/* The same of the running kernel. Returns false if it is unknown. */
bool memory_now(struct kernel *k, uint64_t *bytes);

/*
 * Waits until there is memory for a run; for one more instance of tracefs, too: as long as a
 * detacher of any sonde may still free some, for 15 s at most, or until a signal.
 */
void memory_for_run(struct kernel *k);
void memory_for_instance(struct kernel *k);

#endif
