/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_ENDS_H
#define SONDE_RECORD_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

struct run;

/* When the tools of a recording would end, by their own options. All zero: no tool was asked. */
struct record_ends {
	uint64_t seconds;	/* of the one that takes longest; 0: no tool tells */
	bool open;		/* one of them goes on until a signal */
	char **command;		/* of --exec, or a script's; ends with NULL; NULL: there is none */
};

/*
 * Adds a tool, whose run is prepared. Returns -1 and sets err if this is the second command, or
 * there is no memory.
 */
int record_ends_add(struct record_ends *e, const struct run *run, struct error *err);
/* How long the tools take, if each of them tells it; 0: until a signal. */
static inline uint64_t record_ends_seconds(const struct record_ends *e)
{
	return e->open ? 0 : e->seconds;
}
void record_ends_free(struct record_ends *e);

#endif
