/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKED_H
#define SONDE_STACKED_H

#include "backends/vm/vm.h"

/*
 * If the attachment wants stacks (layout_wants_stack()), the pushed record has perf's form: u64 the
 * number of addresses; the addresses (struct sample); u32 the size of the record; the record, and
 * whatever follows it.
 */
#define STREAM_STACKED_HEAD (sizeof(uint64_t) + sizeof(uint32_t))

/* Takes stacks and record apart. Returns -1 if the record has another form. */
int stacked_apart(struct sample *s);

#endif
