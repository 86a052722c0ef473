/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILL_H
#define SONDE_FILL_H

#include "src/run/filters/filters.h"

/*
 * Fills the plan's maps of ids, after the run's engine is opened and before it runs. Returns -1 and
 * sets err on failure.
 */
int filters_fill(const struct filters *f, struct run *r, struct error *err);

#endif
