/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NETTOP_H
#define SONDE_NETTOP_H

#include <stdint.h>

#include "insns/program.h"

enum nettop_direction { NETTOP_RX, NETTOP_TX };
static const char *const nettop_directions[] = { [NETTOP_RX] = "rx", [NETTOP_TX] = "tx" };

/* Key of "devices"; its value. */
struct nettop_key {
	uint32_t epoch;
	uint32_t direction;	/* enum nettop_direction */
	uint32_t queue;		/* with --queues; of rx it is one more, and 0 is unknown */
	char name[16];
};

RECORD_LAYOUT(nettop_key,
	FIELD_OF(nettop_key, direction, NUMBER, FIELD_NAMES(nettop_directions)),
	FIELD_OF(nettop_key, queue, NUMBER),
	FIELD_OF(nettop_key, name, CHARS));

/* Packets, all and by their size in bytes. */
struct nettop_counts {
	u64 packets;
	u64 bytes;
	u64 below_64, below_512, below_2k, below_16k, above;
};

RECORD_LAYOUT(nettop_counts,
	FIELD_OF(nettop_counts, packets, NUMBER),
	FIELD_OF(nettop_counts, bytes, NUMBER, .unit = "bytes"),
	FIELD_OF(nettop_counts, below_64, NUMBER),
	FIELD_OF(nettop_counts, below_512, NUMBER),
	FIELD_OF(nettop_counts, below_2k, NUMBER),
	FIELD_OF(nettop_counts, below_16k, NUMBER),
	FIELD_OF(nettop_counts, above, NUMBER));

extern const struct program_set nettop_programs;

#endif
