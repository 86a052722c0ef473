/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORDING_H
#define SONDE_WORDING_H

#include "backends/backend.h"
#include "compat/base/lines.h"
#include "compat/resolve/resolve.h"

/* What was resolved, in words: for all readers the same. lines_free() frees them. */

/* "open.enter: kprobe do_sys_openat2" */
struct lines chosen_lines(const struct resolution *resolved);
/* "open.enter.path", "open.name": inputs and hooks that are missing or may be incomplete. */
struct lines missing_lines(const struct resolution *resolved);
/* "vfs.rmdir may be incomplete: calls of ..." */
struct lines doubt_lines(const struct resolution *resolved);
/*
 * "3 events left out: ...": what an engine lost, and what a tool could not tell apart (untimed).
 * `ftrace` could serve the same, and would lose less.
 */
struct lines loss_lines(const struct engine_stats *s, uint64_t untimed, bool ftrace);

#endif
