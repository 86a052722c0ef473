/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_OFFCPU_H
#define SONDE_STACKS_OFFCPU_H

#include "insns/programs/offcpu.h"
#include "src/run.h"

/* What offcputime, wakeuptime and offwaketime have in common: all but this. */
struct offcpu_tool {
	bool sleeper, waker;		/* whose stacks are shown */
	bool until_woken;		/* the time ends there, not when the thread runs again */
	const char *banner;		/* "Tracing off-CPU time (us)" */
};

extern const struct option offcpu_options[];
extern const struct tool_stacks offcpu_stacks;

/* For prepare(), started() and interval_end(). */
int offcpu_prepare(struct run *r, const struct offcpu_tool *tool, struct error *err);
int offcpu_started(struct run *r, const struct offcpu_tool *tool, struct error *err);
int offcpu_show(struct run *r, struct error *err);

#endif
