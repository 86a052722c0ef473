/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MAPPINGS_H
#define SONDE_MAPPINGS_H

#include <stdbool.h>

#include "insns/programs/memleak.h"

/*
 * Memory that processes have mapped and not unmapped yet. Where a process unmapped a part of a
 * mapping, the remaining parts are mappings.
 */
struct mapping {
	uint64_t start, end;		/* addresses */
	uint32_t tgid;
	struct memleak_held held;	/* its time: when the call returned; its size is unused */
};

struct mappings {
	struct mapping *list;
	size_t n;
};

/*
 * A call of mmap, munmap or mremap has returned. `wanted`: a new mapping is kept. Calls of several
 * threads may arrive in another order than the kernel ran them. So a call unmaps only mappings
 * whose call returned before it began. Returns false if there is no memory.
 */
bool mappings_call(struct mappings *m, const struct memleak_record *call, bool wanted);
/* The process has called exec: its mappings made before `time` are gone. */
void mappings_exec(struct mappings *m, uint32_t tgid, uint64_t time);
/* Calls were lost: drops the mappings of all processes made before `time`. */
void mappings_forget(struct mappings *m, uint64_t time);
void mappings_free(struct mappings *m);

#endif
