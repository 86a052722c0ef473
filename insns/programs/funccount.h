/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCCOUNT_H
#define SONDE_FUNCCOUNT_H

#include "insns/program.h"

/*
 * Its hook, "function.hit", is made at run time (src/toolkit/patterns/patterns.h). The tool gives
 * "counts" an entry for each function.
 */
extern const struct program_set funccount_programs;

#endif
