/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_UNWIND_H
#define SONDE_PERF_UNWIND_H

#include <stddef.h>

#include "backends/backend.h"

/* A sample's stacks, and what is behind its raw record: copies of the registers and the stack. */
struct perf_stacked {
	uint64_t n;
	const uint8_t *addresses;	/* not aligned, as all that follows */
	const uint8_t *raw;
	uint32_t size;			/* of raw */
	const uint8_t *copies, *end;
};

struct perf_unwound {
	uint8_t *bytes;			/* n, addresses, size and raw, as the stream takes them */
	size_t room;
};

/*
 * Puts the sample together again with what the unwinder finds in the place of the kernel's stack of
 * user space, or within that stack. Its size; 0: the unwinder finds nothing, and the sample stays
 * as it is.
 */
uint32_t perf_unwind(const struct unwinder *u, const struct perf_stacked *from, uint32_t pid,
		     uint64_t time, struct perf_unwound *to);

#endif
