/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RESOLVE_ROWS_H
#define SONDE_RESOLVE_ROWS_H

#include "compat/resolve/resolve.h"

/* The rows of test_resolve.c: a table for each area of the kernel, in the files resolve_*.c. */
struct resolve_row {
	const char *kernels, *command;
	int targets;
	/*
	 * Lines "HOOK: PROBE\n" in the order of the programs; lines "INPUT\n"; or a part of the
	 * reason for refusing.
	 */
	const char *chosen, *missing, *refused;
	const char *without;
	bool no_compat;
};

struct resolve_rows {
	/* one for each combination of a kernel, a tool and an engine; more with options */
	const struct resolve_row *whole;
	int n_whole;
	/* kernels that lack something, and engines that the user named */
	const struct resolve_row *lacking;
	int n_lacking;
};

#define RESOLVE_ROWS(AREA, WHOLE, LACKING) \
	const struct resolve_rows resolve_##AREA = { \
		WHOLE, sizeof(WHOLE) / sizeof((WHOLE)[0]), LACKING, \
		sizeof(LACKING) / sizeof((LACKING)[0]) }

#define OLD	"3.10 4.1 4.4 4.9 4.12 4.19 "
#define TO_4_4	"3.10 4.1 4.4 "
#define NEWER	"5.10 6.1 6.12 7.2 "

enum { BPF = 1 << TARGET_BPF, RING = 1 << TARGET_RING };

#define CALLED(HOOK, WHERE, KIND, SYS, COMPAT) \
	HOOK ": " KIND " " SYS WHERE "\n" HOOK ": " KIND " " COMPAT WHERE "\n"
#define NEW_TASK	"task.new: tracepoint task:task_newtask\n"

#define EXEC_DONE_LINE	"exec.done: tracepoint sched:sched_process_exec\n"
#define TASKS_LINES	"task.new: tracepoint task:task_newtask\n" \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define EXECS(ENTER, AGAIN, EXIT)	ENTER AGAIN EXEC_DONE_LINE EXIT TASKS_LINES
#define FLUSH_OLD	"exec.again: kprobe flush_old_exec\n"
#define BEGIN_NEW	"exec.again: kprobe begin_new_exec\n"
#define IMAGE		"exec.image: kprobe start_thread\n"
#define PREPARE_EXEC	"exec.again: tracepoint sched:sched_prepare_exec\n"
#define EXEC_ENTER(SYS, COMPAT) \
	"exec.enter: kprobe " SYS "execve\n" "exec.enter: kprobe " SYS "execveat\n" \
	"exec.enter: kprobe " COMPAT "execve\n" "exec.enter: kprobe " COMPAT "execveat\n"
#define EXEC_EXIT(SYS, COMPAT) \
	"exec.exit: kretprobe " SYS "execve\n" "exec.exit: kretprobe " SYS "execveat\n" \
	"exec.exit: kretprobe " COMPAT "execve\n" "exec.exit: kretprobe " COMPAT "execveat\n"
#define EXEC_PROBES(SYS, COMPAT, AGAIN) \
	EXECS(EXEC_ENTER(SYS, COMPAT), AGAIN, EXEC_EXIT(SYS, COMPAT))
#define EXEC_EVENTS(COMPAT_ENTER, AGAIN, COMPAT_EXIT) \
	EXECS("exec.enter: tracepoint syscalls:sys_enter_execve\n" \
	      "exec.enter: tracepoint syscalls:sys_enter_execveat\n" COMPAT_ENTER, AGAIN, \
	      "exec.exit: tracepoint syscalls:sys_exit_execve\n" \
	      "exec.exit: tracepoint syscalls:sys_exit_execveat\n" COMPAT_EXIT)

#define NO_TRACEPOINT_PROGRAMS	"this kernel takes no BPF programs on tracepoints (since 4.7)"
#define NO_KPROBE_PROGRAMS	"this kernel takes no BPF programs on kprobes (since 4.1)"
#define NO_UPROBE_PROGRAMS	"this kernel takes no BPF programs on uprobes (since 4.3)"
#define NO_UPROBE_MEMORY	"uprobes of this kernel can't read memory"
#define UNSAFE_HASH		"allocate memory while a probe runs, which can hang it (before " \
				"4.6); --backend bpf"
#define NO_IDENTITY		"can't tell which task is current (since 4.2)"

#endif
