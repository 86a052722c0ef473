/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_H
#define SONDE_RECORD_H

#include "backends/replay/readers/reader.h"

/* A record, and stacks, as a kernel would make them of an event. */
struct made_record {
	uint8_t bytes[RECORD_SIZE];
	uint32_t size;
	uint64_t stack[2 * (STACK_DEPTH + 2)];	/* as in struct sample (backends/vm/vm.h) */
	uint32_t n_stack;
	bool shared;	/* another event takes the line, too, which may have inputs of that one */
};

/*
 * Reads the rest of a line, INPUT=VALUE... or x HEX, of an event of this task. The record is as
 * long as the event's inputs need. Returns -1 and sets err if a value is wrong; `shared` is set
 * before.
 */
int record_read(struct reader *r, const struct event *e, uint32_t tid, struct made_record *record);

#endif
