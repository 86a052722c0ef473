/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOKS_ROWS_H
#define SONDE_HOOKS_ROWS_H

#include <stddef.h>

#include "compat/hooks/hooks.h"

/*
 * Macros for the rows of hooks_*.c. Names that differ between kernels are in these rows, and only
 * there. A comment beside a row names its kernels for readers: the resolver looks at what the
 * running kernel has.
 */
#define HOOK(NAME, WHAT, ...)		{ HOOK_MEMBERS(NAME, WHAT, __VA_ARGS__) }
/* A hook on functions of a kernel module. */
#define MODULE_HOOK(MODULE, NAME, WHAT, ...) \
	{ .module = (MODULE), HOOK_MEMBERS(NAME, WHAT, __VA_ARGS__) }
/* A hook that a busy machine hits often: OFTEN says at what ("each switch of tasks"). */
#define HOT_HOOK(OFTEN, NAME, WHAT, ...) \
	{ .often = (OFTEN), HOOK_MEMBERS(NAME, WHAT, __VA_ARGS__) }
#define HOOK_MEMBERS(NAME, WHAT, ...) \
	.name = (NAME), .what = (WHAT), \
	.alternatives = (const struct alternative[]){ __VA_ARGS__ }, \
	.n_alternatives = sizeof((const struct alternative[]){ __VA_ARGS__ }) / \
	sizeof(struct alternative)
#define PROBES(...) \
	.probes = (const struct probe[]){ __VA_ARGS__ }, \
	.n_probes = sizeof((const struct probe[]){ __VA_ARGS__ }) / sizeof(struct probe)
#define TRACEPOINT(NAME, INPUTS, ...)	{ .kind = PROBE_TRACEPOINT, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
/*
 * Raw and typed tracepoints. The kernel skips a program that already runs on the CPU (6.1), and
 * since 7.0 such programs may be preempted: on 7.2 syscount missed calls, and exitsnoop ends of
 * processes. So what tasks do all the time has such a row only if no task can be preempted there,
 * as in sched's, or if the row needs RAW_WHOLE, or if no record has the input, as `request`. The
 * kernel counts what it skips.
 */
#define RAW_TP(NAME, INPUTS, ...)	{ .kind = PROBE_RAW, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define TYPED_TP(NAME, INPUTS, ...)	{ .kind = PROBE_TYPED, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define KPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_KPROBE, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define KRETPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_KRETPROBE, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define FENTRY(NAME, INPUTS, ...)	{ .kind = PROBE_FENTRY, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define FEXIT(NAME, INPUTS, ...)	{ .kind = PROBE_FEXIT, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define UPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_UPROBE, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define URETPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_URETPROBE, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define USDT(NAME, INPUTS, ...)		{ .kind = PROBE_USDT, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define SAMPLE(NAME, INPUTS)		{ .kind = PROBE_SAMPLE, .name = (NAME), .inputs = (INPUTS) }
#define COUNTER(NAME)			{ .kind = PROBE_COUNTER, .name = (NAME), .inputs = "" }
#define SYSCALL(NAME, INPUTS, ...)	{ .kind = PROBE_SYSCALL, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define SYSRET(NAME, INPUTS, ...)	{ .kind = PROBE_SYSRET, .name = (NAME), \
					  .inputs = (INPUTS), __VA_ARGS__ }
#define COMPAT(NAME, INPUTS)		{ .kind = PROBE_COMPAT, .name = (NAME), \
					  .inputs = (INPUTS), .optional = true }
#define COMPATRET(NAME, INPUTS)		{ .kind = PROBE_COMPATRET, .name = (NAME), \
					  .inputs = (INPUTS), .optional = true }
/* A call with the same arguments for both: 32-bit tasks may use the 64-bit tasks' function. */
#define COMPAT_SAME(NAME, INPUTS) \
	{ .kind = PROBE_COMPAT, .name = (NAME), .inputs = (INPUTS), .optional = true, .same = true }
/* A thread's id, of a pointer to its task. */
#define TASK_PID(TASK)	"+{task_struct.pid}(" TASK "):s32"
#define OPTIONAL			.optional = true
#define TRY(ACT)			.try = ACT_##ACT
/* A row with one probe in it. */
#define ONE(PROBE, ...)			{ PROBES(PROBE), __VA_ARGS__ }
/* A member of an alternative. */
#define NEEDS_FEATURE(FEATURE)		.feature = &(const enum feature){ FEATURE_##FEATURE }
/* The return value of a system call, a number or an error. */
#define RET		"ret=$retval:s32"

#endif
