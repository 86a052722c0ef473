/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LISTENERS_H
#define SONDE_LISTENERS_H

#include "src/run/run.h"

/*
 * Makes the run's output, and all listeners that the user's options ask for. Files are emptied only
 * here, when the engine is open. Returns -1 and sets err on failure.
 */
int listeners_open(struct run *r, struct error *err);

#endif
