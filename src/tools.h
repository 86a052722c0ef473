/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOLS_H
#define SONDE_TOOLS_H

#include <string.h>

#include "src/output/records.h"
#include "src/tool.h"

/* What several tools do with records. */

static inline bool comm_matches(struct text comm, const char *name)
{
	return comm.s && memmem(comm.s, comm.length, name, strlen(name));
}

/* Does a task's name hold what --name asks for? */
static inline bool name_matches(const struct run *r, struct text comm)
{
	const char *name = option_text(run_options(r), "name");

	return !name || comm_matches(comm, name);
}

#endif
