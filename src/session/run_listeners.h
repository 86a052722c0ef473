/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUN_LISTENERS_H
#define SONDE_RUN_LISTENERS_H

#include "src/run/run_listener.h"

/* All listeners of sonde, in the order of calls; ends with NULL. */
extern const struct run_listener *const all_run_listeners[];

#endif
