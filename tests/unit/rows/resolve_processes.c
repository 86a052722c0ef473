// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define IA32 "__ia32_compat_sys_"

#define KILLS	CALLED("kill.enter", "kill", "kprobe", "__x64_sys_", "__ia32_sys_") \
	CALLED("kill.exit", "kill", "kretprobe", "__x64_sys_", "__ia32_sys_")
#define OLD_KILLS	"kill.enter: kprobe sys_kill\n" "kill.exit: kretprobe sys_kill\n"
#define KILL_EVENTS \
	"kill.enter: tracepoint syscalls:sys_enter_kill\n" \
	"kill.exit: tracepoint syscalls:sys_exit_kill\n"
#define NUMBERED_KILLS \
	"kill.enter: tracepoint raw_syscalls:sys_enter\n" \
	"kill.exit: tracepoint raw_syscalls:sys_exit\n"
#define EXIT_CALLS \
	"exit.code: tracepoint syscalls:sys_enter_exit\n" \
	"exit.group: tracepoint syscalls:sys_enter_exit_group\n" \
	"exit.sent: tracepoint signal:signal_generate\n" \
	"exit.signal: tracepoint signal:signal_deliver\n"

#define EXIT_FUNCTIONS(CALL) \
	"exit.alone: " CALL "\n" "exit.code: kprobe do_exit\n"
#define EXIT_X64 \
	EXIT_FUNCTIONS("kprobe __x64_sys_exit\n" "exit.alone: kprobe __ia32_sys_exit")

/* What the kernel's own codes are read from. */
#define NO_CODE		"task.exit.own\n"
#define NO_CODES	NO_CODE "task.exit.all\n" "task.exit.flags\n" "task.exit.first\n"

#define SIGNALS \
	"signal.generate: tracepoint signal:signal_generate\n" TASKS_LINES
#define SIGNALS_TAKEN \
	"signal.generate: tracepoint signal:signal_generate\n" \
	"signal.deliver: tracepoint signal:signal_deliver\n" TASKS_LINES

#define READLINE \
	"readline.enter: uprobe bash:readline\n" "readline.enter: uprobe libreadline:readline\n" \
	"readline.exit: uretprobe bash:readline\n" \
	"readline.exit: uretprobe libreadline:readline\n" \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define RETURNS		"calls.exit: tracepoint raw_syscalls:sys_exit\n"
#define CALLS		"task.new: tracepoint task:task_newtask\n" RETURNS
#define TIMED_CALLS	"calls.enter: tracepoint raw_syscalls:sys_enter\n" RETURNS \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define TRACED_CALLS(AGAIN)	"calls.enter: tracepoint raw_syscalls:sys_enter\n" RETURNS AGAIN \
	"exec.done: tracepoint sched:sched_process_exec\n" \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define NO_ABI		"calls.exit: can't tell which calls are of 32-bit tasks: offset of " \
	"task_struct.thread_info.status is not known: "

#define COMPAT_EXECS(AGAIN) \
	EXEC_EVENTS("exec.enter: kprobe " IA32 "execve\n" "exec.enter: kprobe " IA32 \
		    "execveat\n", AGAIN, \
		    "exec.exit: kretprobe " IA32 "execve\n" "exec.exit: kretprobe " IA32 \
		    "execveat\n")
#define CAPS		"cap.check: kprobe cap_capable\n"

static const struct resolve_row whole[] = {
	{ "3.10", "execsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "execsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12", "execsnoop", BPF, EXEC_PROBES("sys_", "compat_sys_", FLUSH_OLD) },
	{ "4.19", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32, FLUSH_OLD) },
	{ "5.10 6.1", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32, BEGIN_NEW) },
	{ "6.12 7.2", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32, PREPARE_EXEC) },
	{ "3.10", "execsnoop", RING,	/* execveat came with 3.19 */
	  EXECS("exec.enter: kprobe sys_execve\n" "exec.enter: kprobe compat_sys_execve\n",
		IMAGE,
		"exec.exit: kretprobe sys_execve\n" "exec.exit: kretprobe compat_sys_execve\n"),
		"exec.done.uid\n" },
	{ "4.1 4.4 4.9 4.12", "execsnoop", RING, EXEC_PROBES("sys_", "compat_sys_", IMAGE),
	  "exec.done.uid\n" },
	{ "4.19 " NEWER, "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32, IMAGE),
	  "exec.done.uid\n" },
	{ "3.10", "exitsnoop", BPF,
	  .refused = "task.exit: this kernel takes no BPF programs on tracepoints" },
	{ "4.1 4.4", "exitsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12", "exitsnoop", BPF, TASKS_LINES EXIT_FUNCTIONS("kprobe sys_exit"),
	  NO_CODES },
	/* Snapshots keep no members but those of the table. */
	{ "4.19 " NEWER, "exitsnoop", BPF, TASKS_LINES EXIT_X64, NO_CODES },
	{ TO_4_4 "4.9 4.12", "exitsnoop", RING,
	  TASKS_LINES EXIT_FUNCTIONS("kprobe sys_exit"), NO_CODE },
	{ "4.19 " NEWER, "exitsnoop", RING, TASKS_LINES EXIT_X64, NO_CODE },
	/* Before 4.17 tasks of both kinds pass one function. */
	{ "3.10", "killsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "killsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "killsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "killsnoop", BPF, OLD_KILLS },
	{ TO_4_4 "4.9 4.12", "killsnoop", RING, OLD_KILLS },
	{ "4.19 " NEWER, "killsnoop", BPF | RING, KILLS },
	{ "3.10", "sigsnoop", BPF,
	  .refused = "signal.generate: this kernel takes no BPF programs on tracepoints" },
	{ "4.1 4.4", "sigsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "sigsnoop", BPF, SIGNALS },
	{ OLD NEWER, "sigsnoop", RING, SIGNALS },
	{ OLD NEWER, "sigsnoop -d", RING, SIGNALS_TAKEN },
	{ "6.1", "sigsnoop -k", BPF | RING,
	  KILLS CALLED("kill.thread_enter", "tkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_enter", "tgkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tkill", "kretprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tgkill", "kretprobe", "__x64_sys_", "__ia32_sys_") },
	{ "3.10 4.1", "bashreadline", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "bashreadline", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "bashreadline", BPF, READLINE },
	{ "3.10", "bashreadline", RING, .refused = NO_UPROBE_MEMORY },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "bashreadline", RING, READLINE },
	/*
	 * Snapshots keep no members but those of the table: that of 6.1 was told more; those of the
	 * old kernels do not know of 32-bit tasks.
	 */
	{ TO_4_4, "syscount", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "syscount", BPF, CALLS },
	{ "5.10 6.12 7.2", "syscount", BPF, .refused = NO_ABI "the snapshot does not tell" },
	{ "6.1", "syscount", BPF, CALLS },
	{ OLD NEWER, "syscount", RING, CALLS },
	{ TO_4_4, "systrace", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "systrace", BPF, TRACED_CALLS("exec.again: kprobe flush_old_exec\n") },
	{ "6.1", "systrace", BPF, TRACED_CALLS("exec.again: kprobe begin_new_exec\n") },
	{ "5.10 6.12 7.2", "systrace", BPF,
	  .refused = "calls.enter: can't tell which calls are of 32-bit tasks" },
	{ OLD NEWER, "systrace", RING, TRACED_CALLS("") },
	{ "4.9 4.12 4.19 " NEWER, "syscount -P", BPF, CALLS },
	{ OLD NEWER, "syscount -PL", RING, TIMED_CALLS },
	{ "4.9 4.12 4.19 " NEWER, "syscount -PL", BPF, TIMED_CALLS },
	{ "3.10", "capable", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "capable", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12 4.19 " NEWER, "capable", BPF, CAPS },
	/* sonde alone fills the hash of what it asks for */
	{ "4.4", "capable -p 1,2", BPF, CAPS },
	{ OLD NEWER, "capable", RING, CAPS, "cap.check.uid\n" },
	{ "6.1", "capable --unique", BPF, CAPS "task.exit: tracepoint sched:sched_process_exit\n" },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "bashreadline", RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes, for readline()" },
	{ "5.10 6.1", "execsnoop", BPF, EXEC_EVENTS("", "", ""), .without = "kprobes",
	  .no_compat = true },
	{ "7.2", "execsnoop", BPF, EXEC_EVENTS("", PREPARE_EXEC, ""), .without = "kprobes",
	  .no_compat = true },
	{ "5.10 6.1 7.2", "execsnoop", RING, .without = "kprobes",
	  .refused = "exec.enter: this kernel has no kprobes, for execve()" },
	{ "6.1 7.2", "execsnoop", BPF, .without = "kprobes,bpf-syscalls",
	  .refused = "this kernel takes no BPF programs on syscalls:* tracepoints" },
	{ "4.9", "execsnoop --max-args 60", BPF,
	  .refused = "instructions here, more than the 4096 that kernels" },
	{ "6.1", "execsnoop", BPF, .without = "bpf-tracepoint", .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "exitsnoop", RING, TASKS_LINES EXIT_CALLS, NO_CODE, .without = "kprobes" },
	{ "6.1", "exitsnoop", BPF, TASKS_LINES EXIT_CALLS, NO_CODES,
	  .without = "kprobes" },
	{ "7.2", "exitsnoop", BPF, TASKS_LINES, NO_CODES "exit.code\n",
	  .without = "kprobes,syscall-tracepoints" },
	{ "6.1", "exitsnoop", RING, TASKS_LINES, NO_CODE "exit.code\n",
	  .without = "kprobes,syscall-tracepoints" },
	{ "5.10 6.1 7.2", "killsnoop", BPF | RING, KILL_EVENTS, .without = "kprobes",
	  .no_compat = true },
	{ "6.1", "killsnoop", BPF | RING, NUMBERED_KILLS,
	  .without = "kprobes,syscall-tracepoints", .no_compat = true },
	{ "5.10 7.2", "killsnoop", RING, NUMBERED_KILLS,
	  .without = "kprobes,syscall-tracepoints", .no_compat = true },
	{ "6.1", "sigsnoop -k", BPF | RING, NUMBERED_KILLS
	  "kill.thread_enter: tracepoint raw_syscalls:sys_enter\n"
	  "kill.thread_exit: tracepoint raw_syscalls:sys_exit\n",
	  .without = "kprobes,syscall-tracepoints", .no_compat = true },
	{ "6.1", "killsnoop", BPF, .without = "kprobes,syscall-tracepoints,"
	  "tracepoint:raw_syscalls:sys_enter",
	  .refused = "kill.enter: this kernel has no tracepoint syscalls:sys_enter_kill" },
	{ "6.1", "killsnoop --all", BPF | RING,
	  KILLS CALLED("kill.thread_enter", "tkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_enter", "tgkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tkill", "kretprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tgkill", "kretprobe", "__x64_sys_", "__ia32_sys_") },
	/* Before 5.1, but without security modules: what the argument means is not known. */
	{ "4.9 4.12 4.19", "capable", BPF, CAPS, "cap.check.opts\n",
	  .without = "function:security_capable_noaudit" },
	{ "6.1", "capable", BPF, .without = "kprobes",
	  .refused = "cap.check: this kernel has no kprobes, for cap_capable()" },
	{ "6.1", "syscount", BPF, .without = "btf", .refused = NO_ABI "--without btf" },
	{ "6.1", "syscount -P -c 5", RING, .refused = "the ring buffers do not tell "
	  "a task's parent, which --ppid needs" },
	/* Entry and exit are of one family; calls of 32-bit tasks have functions of their own. */
	{ "4.19", "execsnoop", BPF, COMPAT_EXECS(FLUSH_OLD),
	  .without = "function:__x64_sys_execve" },
	{ "6.1", "execsnoop", BPF, COMPAT_EXECS(BEGIN_NEW),
	  .without = "function:__x64_sys_execve" },
	{ "6.1", "execsnoop", BPF,
	  .without = "tracepoint:syscalls:sys_exit_execve,function:__x64_sys_execve",
	  .refused = "exec.enter: this kernel has no function execve to probe" },
	/* Strings of the rings: what fetch arguments this kernel's probes know. */
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32, IMAGE), "exec.done.uid\n",
	  .without = "fetch-arg,fetch-array" },
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32, IMAGE), "exec.done.uid\n",
	  .without = "fetch-ustring" },
	{ "6.1", "execsnoop", RING, .without = "fetch-ustring,fetch-string",
	  .refused = "exec.enter: execve needs fetch type string for filename" },
};

RESOLVE_ROWS(processes, whole, lacking);
