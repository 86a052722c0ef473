/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BITESIZE_SIZES_H
#define SONDE_BITESIZE_SIZES_H

#include "insns/hist.h"
#include "insns/programs/bitesize.h"

/* The result of bitesize, however its programs tell one request from others. */

#define SIZES_MAP \
	{ "sizes", MAP_HASH, ROLE_RESULT, sizeof(struct bitesize_key), 8, 10240, \
	  .key = &bitesize_key_layout }

/* sizes[size.name, slot(BYTES / 1024)]++; BYTES and SLOT are registers. */
#define COUNT_SIZE(BYTES, SLOT) \
	IN_UNIT_OF(BYTES, 1024), \
	VALUE_SLOT(SLOT, BYTES), \
	COUNT_GROUP("sizes", size, SLOT, BYTES)

#endif
