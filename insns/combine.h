/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMBINE_H
#define SONDE_COMBINE_H

#include "insns/program.h"

/* Makes `to`, a value of a result map, one of both values. Values need not be aligned. */
void map_combine(const struct map *m, void *to, const void *from);

#endif
