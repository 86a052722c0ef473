/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_DUMP_H
#define SONDE_PLAN_DUMP_H

#include <stdio.h>

#include "backends/backend.h"

/*
 * A plan as --dump shows it: its maps; then each program once, in the order of their first events,
 * behind a line for each event that runs it and for the parts of that event.
 */
void plan_dump(FILE *out, const struct plan *p);

#endif
