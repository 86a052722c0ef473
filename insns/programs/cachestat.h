/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CACHESTAT_H
#define SONDE_CACHESTAT_H

#include "insns/program.h"

enum { CACHE_ACCESS, CACHE_ADD, CACHE_DIRTY, CACHE_BUFFER, CACHE_COUNTS };

extern const struct program_set cachestat_programs;

#endif
