/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MAPPINGS_H
#define SONDE_MAPPINGS_H

#include <stdbool.h>

#include "insns/programs/memleak.h"

/* What processes have mapped, and not unmapped yet: parts of it, where they unmapped others. */
struct mapping {
	uint64_t start, end;
	uint32_t tgid;
	struct memleak_held held;	/* its size is not kept; its time: when the call returned */
};

struct mappings {
	struct mapping *list;
	size_t n;
};

/*
 * A call of mmap, munmap or mremap has returned. Calls of several threads may be told in another
 * order than the kernel's: one unmaps what was there when it began. false: out of memory.
 */
bool mappings_call(struct mappings *m, const struct memleak_record *call, bool wanted);
/* The process has called exec: nothing of before is there any more. */
void mappings_exec(struct mappings *m, uint32_t tgid, uint64_t time);
/* What was mapped before is not known any more. */
void mappings_forget(struct mappings *m, uint64_t time);
void mappings_free(struct mappings *m);

#endif
