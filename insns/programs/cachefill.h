/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CACHEFILL_H
#define SONDE_CACHEFILL_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "files": a file; with --by-cgroup, `whose` of pages. */
struct cachefill_key {
	uint32_t epoch;
	uint32_t dev;			/* of the file system, as the kernel has it */
	u64 inode;
};

struct cachefill_counts {
	u64 pages;
};

RECORD_LAYOUT(cachefill_key,
	FIELD_OF(cachefill_key, dev, NUMBER),
	FIELD_OF(cachefill_key, inode, NUMBER));
RECORD_LAYOUT(cachefill_counts,
	FIELD_OF(cachefill_counts, pages, NUMBER, .unit = "pages"));

extern const struct program_set cachefill_programs;

#endif
