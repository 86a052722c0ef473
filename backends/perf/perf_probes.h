/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_PROBES_H
#define SONDE_PERF_PROBES_H

#include <stdio.h>

#include "backends/backend.h"
#include "backends/tracefs/tracefs.h"

/*
 * Makes the probes of a plan in tracefs, in the order in which they have to be there. *probes NULL:
 * makes the group as well, if the plan has a probe. Equal probes of several plans are one.
 * Functions that the user named, and that the kernel refuses, are left out, and told to `verbose`,
 * which may be NULL. Returns -1 and sets err on failure; probes_free() in any case.
 */
int perf_probes_make(struct kernel *k, const struct plan *plan, struct probes **probes,
		     FILE *verbose, struct error *err);

#endif
