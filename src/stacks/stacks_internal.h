/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_INTERNAL_H
#define SONDE_STACKS_INTERNAL_H

#include "src/stacks/lives.h"
#include "src/stacks/stacks.h"
#include "src/symbols/symbols.h"

/* What a run knows of processes whose stacks it shows. */
struct stacks {
	struct symbols *symbols;
	struct side_band *side_band;	/* NULL: this kernel or user does not have it */
	uint64_t losses;		/* of the side band, that were dealt with */
	struct lives lives;
	uint64_t lost;			/* stacks that the table had no room for */
	uint64_t unrecorded;		/* stacks that the kernel did not record */
	/* values of stacks of user space: of all, and of those with one function */
	uint64_t user, lonely;
};

#endif
