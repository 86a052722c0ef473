// SPDX-License-Identifier: GPL-2.0
#include "insns/verifier/check.h"

#include <string.h>

/*
 * Changes of the kernel's verifier, as far as sonde's programs need them. A row has the rules that
 * were seen in a kernel of that generation. If only the next generation was seen to accept more,
 * the row has the older rule.
 *
 * Since 5.2 the walk is limited to a million instructions, which programs within 4.19's limit can't
 * reach.
 */
#define KERNEL(major, minor, insns, walked, ...) \
	{ .name = #major "." #minor, .target = TARGET_BPF, \
	  .version = KERNEL_VERSION_OF(major, minor), \
	  .max_insns = (insns), .max_walked = (walked), __VA_ARGS__ }

/* The rules that each of these kernels adds to the kernel before. */
#define SINCE_4_7	.tracepoints = true
#define SINCE_4_9	SINCE_4_7, .raw_stack = true, .map_value_arithmetic = true
#define SINCE_4_12	SINCE_4_9, .buffer_in_map = true, .variable_size = true
#define SINCE_4_14	SINCE_4_12, .jump_less = true
#define SINCE_4_19	SINCE_4_14, .key_in_map = true
#define SINCE_5_2	SINCE_4_19, .direct = true
#define SINCE_5_4	SINCE_5_2, .back = true
#define SINCE_5_5	SINCE_5_4, .typed = true
#define SINCE_5_12	SINCE_5_5, .cmpxchg = true
#define SINCE_5_17	SINCE_5_12, .loop = true

const struct generation generations[] = {
	KERNEL(4, 1,	4096,		32768),
	KERNEL(4, 4,	4096,		32768),
	KERNEL(4, 7,	4096,		32768,	SINCE_4_7),
	KERNEL(4, 9,	4096,		98304,	SINCE_4_9),
	KERNEL(4, 12,	4096,		98304,	SINCE_4_12),
	KERNEL(4, 14,	4096,		98304,	SINCE_4_14),
	KERNEL(4, 17,	4096,		98304,	SINCE_4_14),
	KERNEL(4, 19,	4096,		131072,	SINCE_4_19),
	KERNEL(5, 4,	1000000,	0,	SINCE_5_4),
	KERNEL(5, 8,	1000000,	0,	SINCE_5_5),
	KERNEL(5, 15,	1000000,	0,	SINCE_5_12),
	KERNEL(6, 1,	1000000,	0,	SINCE_5_17),
	KERNEL(7, 2,	1000000,	0,	SINCE_5_17),
	{ }
};

/* sonde's machine. Its helpers fill the whole memory that they get. */
#define RING_RULES \
	.target = TARGET_RING, .max_insns = INT16_MAX, .tracepoints = true, \
	.divide_by_register = true, .jump_less = true, .back = true, .raw_stack = true

const struct generation generation_ring = { .name = "ring", RING_RULES };
const struct generation generation_own = { .name = "own", RING_RULES, .own = true };

const struct generation *generation_by_name(const char *name)
{
	if (!strcmp(name, generation_ring.name))
		return &generation_ring;
	for (const struct generation *g = generations; g->name; g++)
		if (!strcmp(name, g->name))
			return g;
	return NULL;
}
