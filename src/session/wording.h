/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDING_H
#define SONDE_WORDING_H

#include "backends/backend.h"
#include "compat/base/lines.h"
#include "compat/resolve/resolve.h"

/*
 * A resolution in words, the same in all places that show it. The caller frees with lines_free().
 */

/* Where an event is: "sched:sched_switch", "vfs_read", "/bin/bash:readline". */
#define EVENT_PLACE 600
void event_place(const struct event *e, char *to, size_t size);
/* The chosen alternatives: "open.enter: kprobe do_sys_openat2" */
struct lines chosen_lines(const struct resolution *resolved);
/* Costs that other tasks pay: "each switch of tasks takes longer" */
struct lines cost_lines(const struct resolution *resolved);
/* Inputs and hooks that are missing or may be incomplete: "open.enter.path", "open.name" */
struct lines missing_lines(const struct resolution *resolved);
/* Why hooks may be incomplete: "vfs.rmdir may be incomplete: calls of ..." */
struct lines doubt_lines(const struct resolution *resolved);
/*
 * The losses, "3 events left out: ...": the engine's, and `untimed`, the tool's. `live`: the
 * events are this machine's, not those of a file. `ftrace`: that engine could serve the same run,
 * and would lose less. `shared`: the user asked for some tasks, and the rings have events of others
 * too.
 */
struct lines loss_lines(const struct engine_stats *s, uint64_t untimed, bool live, bool ftrace,
			bool shared);

#endif
