/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_UNWIND_H
#define SONDE_PERF_UNWIND_H

#include <stddef.h>

#include "backends/backend.h"

/* A sample's stacks, its raw record, and behind it copies of the registers and the stack. */
struct perf_stacked {
	uint64_t n;
	const uint8_t *addresses;	/* not aligned, like the other members */
	const uint8_t *raw;
	uint32_t size;			/* of raw */
	const uint8_t *copies, *end;
};

struct perf_unwound {
	uint8_t *bytes;			/* n, addresses, size and raw, in the stream's form */
	size_t room;
};

/*
 * Writes the sample with the unwinder's addresses, which replace the kernel's user stack or are
 * inserted into it. Returns its size; 0 if the unwinder finds nothing: the sample is used as it is.
 */
uint32_t perf_unwind(const struct unwinder *u, const struct perf_stacked *from, uint32_t pid,
		     uint64_t time, struct perf_unwound *to);

#endif
