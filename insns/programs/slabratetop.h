/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SLABRATETOP_H
#define SONDE_SLABRATETOP_H

#include <stdint.h>

#include "insns/program.h"

/*
 * Key of "counts". A cache is its address. What kmalloc() takes is known by its size: that is the
 * negated size, where no kernel has a cache.
 */
struct slab_key {
	uint32_t epoch;
	uint32_t cpu;
	u64 cache;
};

struct slab_counts {
	u64 objects;
};

#define SLAB_NAME 64

/* With the first count of a cache on a CPU in an interval comes its name. */
struct slab_record {
	u64 time;
	u64 cache;			/* of the key */
	u64 size;			/* of an object; 0: unknown */
	int64_t length;			/* of the name, with its NUL; negative: unknown */
	char name[SLAB_NAME];
};

RECORD_LAYOUT(slab_key,
	FIELD_OF(slab_key, cpu, NUMBER),
	FIELD_OF(slab_key, cache, NUMBER));
RECORD_LAYOUT(slab_counts,
	FIELD_OF(slab_counts, objects, NUMBER));
RECORD_LAYOUT(slab_record,
	FIELD_OF(slab_record, time, TIME),
	FIELD_OF(slab_record, cache, NUMBER),
	FIELD_OF(slab_record, size, NUMBER, .unit = "bytes"),
	FIELD_OF(slab_record, length, NUMBER),
	FIELD_OF(slab_record, name, CHARS));

extern const struct program_set slabratetop_programs;

#endif
