/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKENDS_FIND_H
#define SONDE_BACKENDS_FIND_H

#include "compat/types/offsets.h"

/*
 * A finder_fn: makes two objects, reads the memory of their structs and finds members there. Takes
 * a fraction of a second.
 */
void find_offsets(struct kernel *k, enum object object, struct finding *found);

#endif
