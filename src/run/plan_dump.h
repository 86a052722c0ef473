/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_DUMP_H
#define SONDE_PLAN_DUMP_H

#include <stdio.h>

#include "backends/backend.h"

/*
 * Prints a plan as --dump shows it: the maps, then each program once, in the order of their first
 * events. Above a program is a line for each event that runs it, and for each part of the event.
 */
void plan_dump(FILE *out, const struct plan *p);

#endif
