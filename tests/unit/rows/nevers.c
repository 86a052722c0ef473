// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/rows/nevers.h"

const struct never nevers[] = {
	{ "insns/programs/cachestat.c", { "by-process", "tasks" }, { 1, 0 } },
	{ "insns/programs/irqs.c", { "dist", "sums" }, { 1, 1 } },
	{ "insns/programs/runqlat.c", { "slower", "histogram" }, { 1, 1 } },
	{ "insns/programs/syscount.c", { "by_call", "slots" }, { 1, 0 } },
	{ }
};
