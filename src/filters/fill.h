/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILL_H
#define SONDE_FILL_H

#include "src/filters/filters.h"

/* Fills the plan's maps of ids. The run's engine is open, and does not run yet. -1 and err. */
int filters_fill(const struct filters *f, struct run *r, struct error *err);

#endif
