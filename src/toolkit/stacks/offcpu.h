/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_OFFCPU_H
#define SONDE_STACKS_OFFCPU_H

#include "insns/programs/offcpu.h"
#include "src/run/run.h"

/* How offcputime, wakeuptime and offwaketime differ; they have everything else in common. */
struct offcpu_tool {
	bool sleeper, waker;		/* which stacks are shown */
	/* time ends at the wakeup; false: when the thread runs again */
	bool until_woken;
	const char *banner;		/* "Tracing off-CPU time (us)" */
};

/* What functions read of their options. */
struct offcpu_options {
	bool user_threads_only, kernel_threads_only, user_stacks_only, kernel_stacks_only;
	bool state_given;
	int64_t min_block_time, max_block_time, state;
};

extern const struct option offcpu_options[];
extern const struct tool_stacks offcpu_stacks;

/* The tools' prepare(), started() and interval_end(). */
int offcpu_prepare(struct run *r, const struct offcpu_tool *tool, struct error *err);
int offcpu_started(struct run *r, const struct offcpu_tool *tool, struct error *err);
int offcpu_show(struct run *r, struct error *err);

#endif
