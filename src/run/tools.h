/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOLS_H
#define SONDE_TOOLS_H

#include <string.h>

#include "src/lib/output/records.h"
#include "src/run/tool.h"

/* Functions for records that several tools use. */

/* Returns true if NAME is a part of a task's name. An unknown name has no parts. */
static inline bool comm_matches(struct text comm, const char *name)
{
	return comm.s && memmem(comm.s, comm.length, name, strlen(name));
}

#endif
