/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUESTS_H
#define SONDE_GUESTS_H

#include "src/run/guest.h"

/* All guests of sonde, in the order of calls; ends with NULL. */
extern const struct guest *const all_guests[];

#endif
