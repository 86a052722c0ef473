// SPDX-License-Identifier: GPL-2.0
/*
 * Which probes of which kernel serve which tool: rows of kernels, command lines, engines, and what is chosen there or
 * why nothing is. The snapshots beside these tests are always there; those of $SONDE_KERNELS only on some machines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/build_event.h"
#include "tests/unit/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_resolve(void);

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

/* By version, lacking some features; NULL: this snapshot is not on this machine. */
static struct kernel *kernel(const char *version, const char *without)
{
	struct kernel *k = trial_kernel(version);
	struct error err;

	ck_assert_msg(!k || !without || !kernel_without(k, without, &err), "%s", err.text);
	return k;
}

#define OLD	"3.10 4.1 4.4 4.9 4.12 4.19 "
#define TO_4_4	"3.10 4.1 4.4 "
#define NEWER	"5.10 6.1 6.12 7.2 "

enum { BPF = 1 << TARGET_BPF, RING = 1 << TARGET_RING };

/* All lines in the order of the programs; each ends with a newline. */
#define OPENS(ENTER, NAME) \
	"open.enter: kprobe " ENTER "\n" "open.name: kprobe " NAME "\n" "open.exit: kretprobe " ENTER "\n"
#define NAMED_OPEN_EVENTS(NAME) \
	"open.enter: tracepoint syscalls:sys_enter_openat\n" "open.enter: tracepoint syscalls:sys_enter_open\n" \
	"open.enter: tracepoint syscalls:sys_enter_creat\n" NAME "open.exit: tracepoint syscalls:sys_exit_openat\n" \
	"open.exit: tracepoint syscalls:sys_exit_open\n" "open.exit: tracepoint syscalls:sys_exit_creat\n"
#define OPEN_EVENTS	NAMED_OPEN_EVENTS("")

#define EXEC_DONE_LINE	"exec.done: tracepoint sched:sched_process_exec\n"
#define TASKS_LINES	"task.new: tracepoint task:task_newtask\n" "task.exit: tracepoint sched:sched_process_exit\n"
#define EXECS(ENTER, EXIT)	ENTER EXEC_DONE_LINE EXIT TASKS_LINES
#define EXEC_ENTER(SYS, COMPAT) \
	"exec.enter: kprobe " SYS "execve\n" "exec.enter: kprobe " SYS "execveat\n" \
	"exec.enter: kprobe " COMPAT "execve\n" "exec.enter: kprobe " COMPAT "execveat\n"
#define EXEC_EXIT(SYS, COMPAT) \
	"exec.exit: kretprobe " SYS "execve\n" "exec.exit: kretprobe " SYS "execveat\n" \
	"exec.exit: kretprobe " COMPAT "execve\n" "exec.exit: kretprobe " COMPAT "execveat\n"
#define EXEC_PROBES(SYS, COMPAT)	EXECS(EXEC_ENTER(SYS, COMPAT), EXEC_EXIT(SYS, COMPAT))
#define EXEC_EVENTS(COMPAT_ENTER, COMPAT_EXIT) \
	EXECS("exec.enter: tracepoint syscalls:sys_enter_execve\n" \
	      "exec.enter: tracepoint syscalls:sys_enter_execveat\n" COMPAT_ENTER, \
	      "exec.exit: tracepoint syscalls:sys_exit_execve\n" \
	      "exec.exit: tracepoint syscalls:sys_exit_execveat\n" COMPAT_EXIT)
#define IA32 "__ia32_compat_sys_"

#define CALLED(HOOK, WHERE, KIND, SYS, COMPAT) \
	HOOK ": " KIND " " SYS WHERE "\n" HOOK ": " KIND " " COMPAT WHERE "\n"
#define KILLS	CALLED("kill.enter", "kill", "kprobe", "__x64_sys_", "__ia32_sys_") \
	CALLED("kill.exit", "kill", "kretprobe", "__x64_sys_", "__ia32_sys_")
#define OLD_KILLS	"kill.enter: kprobe sys_kill\n" "kill.exit: kretprobe sys_kill\n"
#define KILL_EVENTS \
	"kill.enter: tracepoint syscalls:sys_enter_kill\n" "kill.exit: tracepoint syscalls:sys_exit_kill\n"

#define STATS(ENTER) \
	"stat.enter: kprobe " ENTER "\n" "stat.enter: kprobe user_statfs\n" "stat.name: kprobe filename_lookup\n" \
	"stat.exit: kretprobe " ENTER "\n" "stat.exit: kretprobe user_statfs\n"
#define SYNCS	CALLED("sync.enter", "sync", "kprobe", "__x64_sys_", "__ia32_sys_") \
	CALLED("sync.exit", "sync", "kretprobe", "__x64_sys_", "__ia32_sys_")
#define OLD_SYNCS	"sync.enter: kprobe sys_sync\n" "sync.exit: kretprobe sys_sync\n"
#define EXIT_CALLS \
	"exit.code: tracepoint syscalls:sys_enter_exit\n" "exit.group: tracepoint syscalls:sys_enter_exit_group\n" \
	"exit.sent: tracepoint signal:signal_generate\n" "exit.signal: tracepoint signal:signal_deliver\n"

#define BLOCK \
	"block.issue: tracepoint block:block_rq_issue\n" "block.done: tracepoint block:block_rq_complete\n"
#define BLOCK_QUEUED(EVENT) \
	"block.queue: tracepoint block:" EVENT "\n" "block.frontmerge: tracepoint block:block_bio_frontmerge\n" BLOCK
#define SCHED \
	"sched.wakeup: tracepoint sched:sched_wakeup\n" "sched.wakeup: tracepoint sched:sched_wakeup_new\n" \
	"sched.switch: tracepoint sched:sched_switch\n"
#define SWITCHES	"sched.switch: tracepoint sched:sched_switch\n"
#define IRQS(NAME, EVENT) \
	NAME ".entry: tracepoint irq:" EVENT "_entry\n" NAME ".exit: tracepoint irq:" EVENT "_exit\n"
#define NEW_TASK	"task.new: tracepoint task:task_newtask\n"
#define CONNECT		"tcp.connect: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_STATE	CONNECT "tcp.state: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_CALLS	"tcp.connect: kprobe tcp_connect\n" "tcp.connect: kprobe tcp_v6_connect\n"
/* Where the offsets of a socket's IPv6 addresses are known, the socket has them. */
#define CONNECT_SOCKET	"tcp.connect: kprobe tcp_connect\n"
#define CACHE(ACCESS, DIRTY) \
	"cache.access: kprobe " ACCESS "\n" "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n" \
	"cache.dirty: tracepoint writeback:" DIRTY "\n" "cache.buffer: tracepoint block:block_dirty_buffer\n"

#define NO_TRACEPOINT_PROGRAMS	"this kernel takes no BPF programs on tracepoints"
#define NO_KPROBE_PROGRAMS	"this kernel takes no BPF programs on kprobes"
#define UNSAFE_HASH		"allocate memory while a probe runs, which can hang it (before 4.6); --backend bpf"
#define NO_IDENTITY		"can't tell which task is current (since 4.2)"

/* For each combination of a kernel, a command and an engine one row says what is chosen, or why it is refused. */
static const struct row {
	const char *kernels, *command;
	int targets;
	const char *chosen, *missing, *refused;
	const char *without;
	bool no_compat;
} rows[] = {
	/* 3.10 has no bpf(2) at all: the engine says so before any plan is made, and plans find no probe. */
	{ "3.10", "opensnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "opensnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19", "opensnoop", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "5.10 6.1 6.12", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "7.2", "opensnoop", BPF, OPENS("do_sys_openat2", "do_file_open") },
	{ OLD, "opensnoop", RING, OPENS("do_sys_open", "do_filp_open"), "open.exit.uid\n" },
	{ "5.10 6.1 6.12", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"), "open.exit.uid\n" },
	{ "7.2", "opensnoop", RING, OPENS("do_sys_openat2", "do_file_open"), "open.exit.uid\n" },

	{ "3.10", "execsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "execsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12", "execsnoop", BPF, EXEC_PROBES("sys_", "compat_sys_") },
	{ "4.19 " NEWER, "execsnoop", BPF,
	  EXEC_EVENTS("exec.enter: kprobe " IA32 "execve\n" "exec.enter: kprobe " IA32 "execveat\n",
		      "exec.exit: kretprobe " IA32 "execve\n" "exec.exit: kretprobe " IA32 "execveat\n") },
	{ "3.10", "execsnoop", RING,	/* execveat came with 3.19 */
	  EXECS("exec.enter: kprobe sys_execve\n" "exec.enter: kprobe compat_sys_execve\n",
		"exec.exit: kretprobe sys_execve\n" "exec.exit: kretprobe compat_sys_execve\n"), "exec.done.uid\n" },
	{ "4.1 4.4 4.9 4.12", "execsnoop", RING, EXEC_PROBES("sys_", "compat_sys_"), "exec.done.uid\n" },
	{ "4.19 " NEWER, "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n" },

	{ "3.10", "statsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "statsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "statsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9", "statsnoop", BPF, STATS("vfs_fstatat") },
	{ TO_4_4 "4.9", "statsnoop", RING, STATS("vfs_fstatat") },
	{ "4.12 4.19 " NEWER, "statsnoop", BPF | RING, STATS("vfs_statx") },

	{ "3.10", "syncsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "syncsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "syncsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "syncsnoop", BPF, OLD_SYNCS },
	{ TO_4_4 "4.9 4.12", "syncsnoop", RING, OLD_SYNCS },
	{ "4.19 " NEWER, "syncsnoop", BPF | RING, SYNCS },

	{ "3.10", "exitsnoop", BPF, .refused = "task.exit: this kernel takes no BPF programs on tracepoints" },
	{ "4.1 4.4", "exitsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "exitsnoop", BPF, TASKS_LINES "exit.code: kprobe do_exit\n" },
	{ OLD NEWER, "exitsnoop", RING, TASKS_LINES "exit.code: kprobe do_exit\n" },

	/* Before 4.17 tasks of both kinds pass one function. */
	{ "3.10", "killsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "killsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "killsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "killsnoop", BPF, OLD_KILLS },
	{ TO_4_4 "4.9 4.12", "killsnoop", RING, OLD_KILLS },
	{ "4.19 " NEWER, "killsnoop", BPF | RING, KILLS },

	{ TO_4_4, "biolatency", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "biolatency", BPF, BLOCK },
	{ OLD NEWER, "biolatency", RING, BLOCK },
	{ TO_4_4, "biolatency -Q", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10 6.1", "biolatency -Q", BPF, BLOCK_QUEUED("block_rq_insert") },
	{ OLD "5.10 6.1", "biolatency -Q", RING, BLOCK_QUEUED("block_rq_insert") },
	{ "6.12 7.2", "biolatency -Q", BPF | RING, BLOCK_QUEUED("block_io_start") },

	{ TO_4_4, "runqlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat", BPF, SCHED },
	{ OLD NEWER, "runqlat", RING, SCHED },
	{ TO_4_4, "runqlat -P", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -P", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -P", RING, SCHED NEW_TASK },
	{ TO_4_4, "runqlat -p 7", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -p 7", RING, SCHED NEW_TASK },

	{ TO_4_4, "cpudist", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "cpudist", BPF, SWITCHES },
	{ OLD NEWER, "cpudist", RING, SWITCHES },
	{ "4.9 4.12 4.19 " NEWER, "cpudist -O", BPF, SWITCHES },
	{ OLD NEWER, "cpudist -O", RING, SWITCHES },
	{ TO_4_4, "runqslower", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqslower", BPF, SCHED },
	{ OLD NEWER, "runqslower", RING, SCHED },
	{ "4.9 4.12 4.19 " NEWER, "runqslower -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqslower -t 7", RING, SCHED },
	{ TO_4_4, "softirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "softirqs", BPF, IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs", RING, IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs -C", RING, "softirq.entry: tracepoint irq:softirq_entry\n" },
	{ TO_4_4, "hardirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "hardirqs", BPF, IRQS("irq", "irq_handler") },
	{ OLD NEWER, "hardirqs", RING, IRQS("irq", "irq_handler") },
	{ TO_4_4, "bitesize", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "bitesize", BPF, "block.issue: tracepoint block:block_rq_issue\n" },
	{ OLD NEWER, "bitesize", RING, "block.issue: tracepoint block:block_rq_issue\n" },

	{ "3.10", "tcpconnect", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect", BPF, CONNECT },
	{ TO_4_4 "4.9 4.12", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect", RING, CONNECT, "tcp.connect.uid\n" },
	/* The functions know the local port already: there is no later state to wait for. */
	{ "3.10", "tcpconnect -L", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect -L", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect -L", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect -L", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect -L", BPF, CONNECT_STATE },
	{ TO_4_4 "4.9 4.12", "tcpconnect -L", RING, CONNECT_CALLS,
	  "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect -L", RING, CONNECT_STATE, "tcp.connect.uid\n" },

	/* An array does not allocate: safe from the first kernel that takes a program on a kprobe. */
	{ "3.10", "cachestat", BPF, .refused = "none of its events is here" },
	{ "4.1 4.4", "cachestat", BPF,
	  "cache.access: kprobe mark_page_accessed\n" "cache.add: kprobe add_to_page_cache_lru\n"
	  "cache.dirty: kprobe account_page_dirtied\n" "cache.buffer: kprobe mark_buffer_dirty\n" },
	{ "4.9 4.12 4.19 5.10", "cachestat", BPF, CACHE("mark_page_accessed", "writeback_dirty_page") },
	{ OLD "5.10", "cachestat", RING, CACHE("mark_page_accessed", "writeback_dirty_page") },
	{ "6.1 6.12 7.2", "cachestat", BPF | RING, CACHE("folio_mark_accessed", "writeback_dirty_folio") },
};

/* What the same kernels choose if they lack something, or if the user insists. */
static const struct row lacking[] = {
	{ "4.1", "opensnoop --backend bpf", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop --backend bpf", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "4.4", "tcpconnect --backend bpf", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.1 4.4", "biolatency --backend bpf", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "biolatency", BPF, .without = "percpu-maps", .refused = UNSAFE_HASH },
	{ "6.1", "biolatency --backend bpf", BPF, BLOCK, .without = "percpu-maps" },
	{ "6.1", "cachestat", BPF, CACHE("folio_mark_accessed", "writeback_dirty_folio"), .without = "percpu-maps" },
	{ "6.1", "opensnoop", BPF, .without = "bpf-output,ringbuf", .refused = "can't hand over records (since 4.4)" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"), .without = "bpf-output" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"), .without = "ringbuf" },

	/* Without kprobes BPF reads the caller's pointer; rings have the path only where the event copies it. */
	{ "5.10 6.1 7.2", "opensnoop", BPF, OPEN_EVENTS, NULL, .without = "kprobes", .no_compat = true },
	{ "5.10 6.1", "opensnoop", RING, .without = "kprobes",
	  .refused = "open.enter: this kernel has no kprobes, for do_sys_openat2()\n"
		     "open.enter: this kernel has no kprobes, for do_sys_open()\n"
		     "open.enter: syscalls:sys_enter_openat has no field __filename_val" },
	{ "7.2", "opensnoop", RING, OPEN_EVENTS, "open.exit.uid\n", .without = "kprobes",
	  .no_compat = true },
	/* do_sys_open() is there, but sees few of the opens. */
	{ "5.10 6.1", "opensnoop", BPF, NAMED_OPEN_EVENTS("open.name: kprobe do_filp_open\n"),
	  .without = "function:do_sys_openat2", .no_compat = true },
	{ "5.10", "opensnoop", RING, .without = "function:do_sys_openat2",
	  .refused = "open.enter: on kernels with openat2(), do_sys_open() misses some calls" },
	{ "4.12", "opensnoop", BPF, .without = "kprobes", .refused = "no BPF programs on syscalls:* tracepoints" },
	{ "6.1 7.2", "opensnoop", BPF, .without = "kprobes,syscall-tracepoints",
	  .refused = "open.enter: this kernel has no tracepoint syscalls:sys_enter_openat" },
	{ "5.10 6.1 7.2", "execsnoop", BPF, EXEC_EVENTS("", ""), .without = "kprobes", .no_compat = true },
	{ "5.10 6.1 7.2", "execsnoop", RING, .without = "kprobes",
	  .refused = "exec.enter: this kernel has no kprobes, for execve()" },
	{ "6.1 7.2", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32), .without = "bpf-syscalls" },
	{ "4.9", "execsnoop --max-args 60", BPF, .refused = "instructions here, more than the 4096 that kernels" },
	{ "6.1", "execsnoop", BPF, .without = "bpf-tracepoint", .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "opensnoop", BPF, .without = "bpf-kprobe,bpf-syscalls", .refused = NO_KPROBE_PROGRAMS },

	{ "6.1", "statsnoop", BPF,
	  "stat.enter: tracepoint syscalls:sys_enter_newfstatat\n" "stat.enter: tracepoint syscalls:sys_enter_newstat\n"
	  "stat.enter: tracepoint syscalls:sys_enter_newlstat\n" "stat.exit: tracepoint syscalls:sys_exit_newfstatat\n"
	  "stat.exit: tracepoint syscalls:sys_exit_newstat\n" "stat.exit: tracepoint syscalls:sys_exit_newlstat\n",
	  .without = "kprobes", .no_compat = true },
	{ "6.1", "statsnoop", RING, .without = "kprobes",
	  .refused = "stat.enter: syscalls:sys_enter_newfstatat has no field __filename_val" },
	{ "6.1", "statsnoop", RING, .without = "function:filename_lookup", .refused = "stat.enter needs stat.name" },
	{ "6.1", "syncsnoop", BPF | RING,
	  "sync.enter: tracepoint syscalls:sys_enter_sync\n" "sync.exit: tracepoint syscalls:sys_exit_sync\n",
	  .without = "kprobes", .no_compat = true },
	{ "6.1", "exitsnoop", BPF | RING, TASKS_LINES EXIT_CALLS, .without = "kprobes" },
	{ "6.1", "exitsnoop", BPF | RING, TASKS_LINES, "exit.code\n", .without = "kprobes,syscall-tracepoints" },
	{ "5.10 6.1 7.2", "killsnoop", BPF | RING, KILL_EVENTS, .without = "kprobes", .no_compat = true },
	{ "6.1", "killsnoop", BPF, .without = "kprobes,syscall-tracepoints",
	  .refused = "kill.enter: this kernel has no tracepoint syscalls:sys_enter_kill" },
	{ "6.1", "killsnoop --all", BPF | RING,
	  KILLS CALLED("kill.thread_enter", "tkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_enter", "tgkill", "kprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tkill", "kretprobe", "__x64_sys_", "__ia32_sys_")
	  CALLED("kill.thread_exit", "tgkill", "kretprobe", "__x64_sys_", "__ia32_sys_") },

	/* BPF can do with perf's own kprobes; the rings' need tracefs to define them. */
	{ "6.1", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n", .without = "bpf-tracepoint,btf" },
	{ "6.1", "tcpconnect", BPF, CONNECT_SOCKET, .without = "bpf-tracepoint" },
	{ "6.1", "tcpconnect", RING, CONNECT, "tcp.connect.uid\n", .without = "kprobes" },
	{ "4.12", "tcpconnect", RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for tcp_connect()" },
	{ "6.1", "cachestat", BPF | RING,
	  "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n"
	  "cache.buffer: tracepoint block:block_dirty_buffer\n", "cache.access\n", .without = "kprobes" },
	{ "6.1", "cachestat", BPF,
	  "cache.access: kprobe folio_mark_accessed\n" "cache.add: kprobe filemap_add_folio\n"
	  "cache.buffer: kprobe mark_buffer_dirty\n", "cache.dirty\n", .without = "bpf-tracepoint" },

	{ "6.1", "opensnoop -u 0", RING, .refused = "the ring buffers carry no user ids, which --uid needs" },
	{ "6.1", "opensnoop -u 0", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "6.1", "opensnoop --exec true", BPF, OPENS("do_sys_openat2", "do_filp_open") NEW_TASK },
	{ "6.1", "opensnoop", RING, .without = "function:do_filp_open",
	  .refused = "needs open.name, which this kernel does not" },
	{ "6.1", "opensnoop", BPF, "open.enter: kprobe do_sys_openat2\n" "open.exit: kretprobe do_sys_openat2\n",
	  NULL, .without = "function:do_filp_open" },
	/* Entry and exit are of one family. */
	{ "6.1", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32), .without = "tracepoint:syscalls:sys_exit_execve" },
	{ "6.1", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32), .without = "tracepoint:syscalls:sys_enter_execve" },
	{ "6.1", "execsnoop", BPF, .without = "tracepoint:syscalls:sys_exit_execve,function:__x64_sys_execve",
	  .refused = "exec.enter: this kernel has no function execve to probe" },
	/* The compiler's own names, and renames. */
	/* Functions of pages are wrappers where there are folios: they do not count what the others do. */
	{ "6.1", "cachestat", RING, "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n" "cache.buffer: tracepoint block:block_dirty_buffer\n",
	  "cache.access\n", .without = "function:folio_mark_accessed" },
	{ "6.1", "cachestat", RING, "cache.access: kprobe folio_mark_accessed\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n" "cache.buffer: tracepoint block:block_dirty_buffer\n",
	  "cache.add\n", .without = "tracepoint:filemap:mm_filemap_add_to_page_cache,function:filemap_add_folio" },
	{ "6.1", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,btf" },
	{ "6.1", "tcpconnect", RING, CONNECT_SOCKET, "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect -L", BPF, CONNECT_SOCKET, .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect", RING, "tcp.connect: kprobe tcp_connect\n",
	  "tcp.connect.saddr6\n" "tcp.connect.daddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,function:tcp_v6_connect,btf" },

	/* Strings of the rings: what fetch arguments this kernel's probes know. */
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n",
	  .without = "fetch-arg,fetch-array" },
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n", .without = "fetch-ustring" },
	{ "6.1", "execsnoop", RING, .without = "fetch-ustring,fetch-string",
	  .refused = "exec.enter: execve needs fetch type string for filename" },
	{ "6.1", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"), "open.exit.uid\n",
	  .without = "fetch-ustring,fetch-string" },
};

static const char *or_nothing(const char *s)
{
	return s ? s : "";
}

static void expect(const struct row *row, const char *version, enum target target)
{
	struct kernel *k = kernel(version, row->without);
	struct trial t;
	char what[160];
	int result;

	if (!k)
		return;
	snprintf(what, sizeof(what), "%s on %s (%s) without %s", row->command, version,
		 target == TARGET_BPF ? "bpf" : "rings", row->without ? row->without : "nothing");
	ck_assert_msg(!trial_start(&t, row->command, k), "%s: %s", what, t.err.text);
	result = trial_plan(&t, target);
	if (row->refused) {
		ck_assert_msg(result, "%s: not refused, but\n%s", what, t.run.plan.resolution.chosen);
		ck_assert_msg(strstr(t.err.text, row->refused) != NULL, "%s: says\n%s", what, t.err.text);
	} else {
		const struct resolution *r = &t.run.plan.resolution;

		ck_assert_msg(!result, "%s: %s", what, t.err.text);
		ck_assert_msg(!strcmp(r->chosen, row->chosen), "%s: chose\n%s", what, r->chosen);
		ck_assert_msg(!strcmp(or_nothing(r->missing), or_nothing(row->missing)), "%s: misses\n%s", what,
			      r->missing);
		ck_assert_msg(r->no_compat == row->no_compat, "%s: 32-bit tasks %s", what,
			      r->no_compat ? "not seen" : "seen");
	}
	trial_end(&t);
}

static void expect_all(const struct row *row)
{
	char list[80], *rest = list, *version;

	snprintf(list, sizeof(list), "%s", row->kernels);
	while ((version = strsep(&rest, " ")))
		for (enum target target = TARGET_BPF; *version && target <= TARGET_RING; target++)
			if (row->targets & 1 << target)
				expect(row, version, target);
}

START_TEST(chosen)
{
	expect_all(&rows[_i]);
}
END_TEST

START_TEST(chosen_without)
{
	expect_all(&lacking[_i]);
}
END_TEST

static bool names_version(const char *list, const char *version)
{
	size_t n = strlen(version);

	for (const char *at = list; (at = strstr(at, version)); at += n)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* No combination is left out, and none is said twice. */
START_TEST(rows_cover_everything)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (const char *const *version = trial_versions; *version; version++)
			for (int target = TARGET_BPF; target <= TARGET_RING; target++) {
				int n = 0;

				for (int i = 0; i < COUNT(rows); i++)
					n += !strcmp(rows[i].command, (*t)->name) && rows[i].targets & 1 << target &&
					     names_version(rows[i].kernels, *version);
				ck_assert_msg(n == 1, "%s on %s, engine %d: %d rows", (*t)->name,
					*version, target, n);
			}
}
END_TEST

/* How the rings' probes are defined: the fetch arguments of one event of a plan. */
static const struct {
	const char *version, *without, *command;
	unsigned int attachment;
	const char *fetch;
} definitions[] = {
	{ "6.1", NULL, "opensnoop", 0, "flags=+0($arg3):u64 mode=+8($arg3):u64 dfd=$arg1:s32" },
	{ "6.1", NULL, "opensnoop", 1, "path=+0(+0($arg2)):x64[33]" },
	{ "6.1", NULL, "opensnoop", 2, "ret=$retval:s32" },
	{ "6.1", "fetch-arg", "opensnoop", 0, "flags=+0(%dx):u64 mode=+8(%dx):u64 dfd=%di:s32" },
	{ "3.10", NULL, "opensnoop", 0, "flags=%dx:u32 mode=%cx:u16 dfd=%di:s32" },
	/* execve(2)'s arguments stand in the pt_regs that its wrapper is handed, since 4.17. */
	{ "6.1", NULL, "execsnoop --max-args 1", 0, "filename=+0(+112($arg1)):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 1", 1, "arg0=+u0(+u0(+104($arg1))):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 1", 2, "argv=+u0(+104($arg1)):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 2", 4,
	  "ptr0=+u0(+104($arg1)):u64 ptr1=+u8(+104($arg1)):u64 ptr2=+u16(+104($arg1)):u64" },
	{ "6.1", NULL, "execsnoop --max-args 1", 5, "arg0=+u0(+u0(+96($arg1))):ustring" },	/* execveat */
	{ "6.1", NULL, "execsnoop --max-args 1", 9, "arg0=+u0(+u0(+88($arg1))):ustring" },	/* of a 32-bit task:
	  %ecx */
	{ "3.10", NULL, "execsnoop --max-args 1", 1, "arg0=+0(+0(%si)):string" },
	{ "3.10", NULL, "tcpconnect", 1, "dport=+2(%si):u16 daddr6=+8(%si):u64 daddr6_8=+16(%si):u64 sk=%di:u64" },
};

START_TEST(definition)
{
	struct trial t;
	const struct plan *p = &t.run.plan.plan;

	ck_assert_int_eq(trial_start(&t, definitions[_i].command,
				     kernel(definitions[_i].version, definitions[_i].without)), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_uint_lt(definitions[_i].attachment, p->n_attachments);
	ck_assert_str_eq(p->attachments[definitions[_i].attachment].event->fetch, definitions[_i].fetch);
	trial_end(&t);
}
END_TEST

/* Where inputs are found, and as what. On syscalls:* the slot is wider than the argument; its rest means nothing. */
static const struct {
	const char *version, *without, *command;
	enum target target;
	unsigned int attachment;
	struct input input;
} found[] = {
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "dfd", INPUT_NUMBER, PLACE_RECORD, .offset = 16, .size = 4, .is_signed = true } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "flags", INPUT_NUMBER, PLACE_RECORD, .offset = 32, .size = 4, .is_signed = true } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0, { "mode", INPUT_NUMBER, PLACE_RECORD, .offset = 40, .size =
	  2 } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "filename", INPUT_STRING, PLACE_RECORD, .offset = 24, .size = 8, .user = true } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 0, { "dfd", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 4,
	  .is_signed = true, .register_size = 8 } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 0, { "mode", INPUT_NUMBER, PLACE_REGISTER, .offset = 96, .size = 8,
	  .register_size = 8, .derefs = 1, .deref = { { 8, 8, false } } } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 1, { "path", INPUT_STRING, PLACE_REGISTER, .offset = 104,
	  .register_size = 8, .derefs = 1, .deref = { { 0, 8, false } } } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 0, { "dfd", INPUT_NUMBER, PLACE_RECORD, .offset = 32, .size = 4,
	  .is_signed = true } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 1, { "path", INPUT_STRING, PLACE_RECORD, .offset = 16, .size = 264 } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 2, { "ret", INPUT_NUMBER, PLACE_RECORD, .offset = 24, .size = 4,
	  .is_signed = true } },
	{ "6.1", NULL, "execsnoop", TARGET_BPF, 0, { "ptr[2]", INPUT_NUMBER, PLACE_REGISTER, .offset = 24, .size = 8,
	  .register_size = 8, .derefs = 1, .deref = { { 16, 8, true } } } },
	{ "6.1", NULL, "execsnoop", TARGET_BPF, 2, { "ptr[2]", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 4,
	  .register_size = 8, .derefs = 2, .deref = { { 88, 8, false }, { 8, 4, true } } } },
	{ "3.10", NULL, "tcpconnect", TARGET_RING, 0, { "dport", INPUT_NUMBER, PLACE_RECORD, .offset = 18, .size = 2,
	  .network_order = true } },
};

START_TEST(input_found)
{
	const struct input *want = &found[_i].input, *in;
	struct trial t;

	ck_assert_int_eq(trial_start(&t, found[_i].command, kernel(found[_i].version, found[_i].without)), 0);
	ck_assert_msg(!trial_plan(&t, found[_i].target), "%s", t.err.text);
	in = event_input(t.run.plan.plan.attachments[found[_i].attachment].event, want->name);
	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(in->kind, want->kind);
	ck_assert_int_eq(in->place, want->place);
	ck_assert_int_eq(in->offset, want->offset);
	if (want->kind == INPUT_NUMBER || want->place == PLACE_RECORD)
		ck_assert_int_eq(in->size, want->size);
	ck_assert_int_eq(in->is_signed, want->is_signed);
	ck_assert_int_eq(in->user, want->user);
	ck_assert_int_eq(in->network_order, want->network_order);
	ck_assert_int_eq(in->register_size, want->register_size);
	ck_assert_int_eq(in->derefs, want->derefs);
	for (unsigned int i = 0; i < want->derefs; i++) {
		ck_assert_int_eq(in->deref[i].offset, want->deref[i].offset);
		ck_assert_int_eq(in->deref[i].size, want->deref[i].size);
		ck_assert_int_eq(in->deref[i].user, want->deref[i].user);
	}
	trial_end(&t);
}
END_TEST

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Another machine's kernel in a folder of its own: the formats of 6.1, and what `uname -a` and kallsyms say. */
static struct kernel *other_kernel(char *dir, const char *uname, const char *functions)
{
	static const char formats[] = "tests/unit/kernels/6.1.176-debian-x86_64/formats";
	char link[64], target[512], cwd[400];
	struct kernel *k;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	snprintf(link, sizeof(link), "%s/formats", dir);
	snprintf(target, sizeof(target), "%s/%s", cwd, formats);
	ck_assert_int_eq(symlink(target, link), 0);
	write_file(dir, "uname", uname);
	write_file(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_file(dir, "kallsyms-names.gz", functions);
	k = kernel_snapshot(dir, NULL);
	ck_assert_ptr_nonnull(k);
	return k;
}

static void remove_folder(const char *dir)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(another_machine)
{
	char dir[] = "/tmp/sonde-unit-XXXXXX";
	struct kernel *k = other_kernel(dir, "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n",
		"T __arm64_sys_execve\nT __arm64_sys_execveat\nT __arm64_compat_sys_execve\n"
		"T __arm64_compat_sys_execveat\nt do_sys_openat2\nT do_filp_open\n");
	struct trial t;

	ck_assert_int_eq(trial_start(&t, "execsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.resolution.chosen,
			 EXEC_PROBES("__arm64_sys_", "__arm64_compat_sys_"));
	/* The pt_regs of a wrapped call: argument 1 in x0 holds it, argument N of the call stands at 8 * (N - 1). */
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->fetch, "filename=+0(+0($arg1)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->fetch, "filename=+0(+0(%x0)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	/* Kernel accessors can't read user memory there. */
	ck_assert_int_eq(kernel_without(k, "fetch-ustring", NULL), 0);
	ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
	ck_assert_msg(strstr(t.err.text, "needs fetch type ustring for filename") != NULL, "%s", t.err.text);
	trial_end(&t);
	remove_folder(dir);
}
END_TEST

/*
 * A part's data_loc ends 4 bytes beyond a multiple of 8, so that an empty text's NUL makes perf's record longer: with the
 * 12 bytes that a probe's record begins with on 32-bit kernels, that takes 4 more in front.
 */
static const struct {
	const char *uname, *functions, *fetch;
} part_machines[] = {
	{ "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n", "T __arm64_sys_execve\n", "filename=+0(+0(%x0)):ustring" },
	{ "Linux box 6.1.0 #1 SMP armv7l GNU/Linux\n", "T sys_execve\n", "pad=%r0:u32 filename=+0(%r0):ustring" },
	{ "Linux box 6.1.0 #1 SMP i686 GNU/Linux\n", "T __ia32_sys_execve\n",
	  "pad=%ax:u32 filename=+0(+0(%ax)):ustring" },
};

START_TEST(part_of_machine)
{
	char dir[] = "/tmp/sonde-unit-XXXXXX";
	struct kernel *k = other_kernel(dir, part_machines[_i].uname, part_machines[_i].functions);
	const struct event *part;
	struct trial t;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_int_eq(trial_start(&t, "execsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	part = t.run.plan.plan.attachments[0].event;
	ck_assert(part->is_part);
	ck_assert_str_eq(part->fetch, part_machines[_i].fetch);
	ck_assert_int_eq(part->inputs[0].offset, 16);
	trial_end(&t);
	remove_folder(dir);
}
END_TEST

/* How machines hand a system call its arguments: the rings' fetch arguments of execve's path and pointers. */
#define BOTH_CALLS(PREFIX)	"T " PREFIX "execve\nT " PREFIX "execveat\n"
#define S390X			BOTH_CALLS("__se_sys_") BOTH_CALLS("__s390x_sys_")
static const struct {
	const char *uname, *functions, *function, *path, *ptr0;
} calls[] = {
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X, "__s390x_sys_execve",
	  "filename=+0(+152(%r2)):ustring", "ptr0=+u0(+48(%r2)):u64 ptr1=+u8(+48(%r2)):u64" },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X BOTH_CALLS("__s390_compat_sys_"), "__s390x_sys_execve",
	  "filename=+0(+152(%r2)):ustring", "ptr0=+u0(+48(%r2)):u64 ptr1=+u8(+48(%r2)):u64" },
	/* The same name, but the arguments themselves. */
	{ "Linux box 5.10.0 #1 SMP s390x GNU/Linux\n", S390X, "__s390x_sys_execve",
	  "filename=+0(%r2):ustring", "ptr0=+u0(%r3):u64 ptr1=+u8(%r3):u64" },
	{ "Linux box 6.1.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_"), "sys_execve",
	  "filename=+0(+24(%r3)):ustring", "ptr0=+u0(+32(%r3)):u64 ptr1=+u8(+32(%r3)):u64" },
	{ "Linux box 5.10.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_") BOTH_CALLS("__se_sys_"),
	  "__se_sys_execve", "filename=+0(%r3):ustring", "ptr0=+u0(%r4):u64 ptr1=+u8(%r4):u64" },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", BOTH_CALLS("__riscv_sys_"), "__riscv_sys_execve",
	  "filename=+0(+280(%a0)):ustring", "ptr0=+u0(+88(%a0)):u64 ptr1=+u8(+88(%a0)):u64" },
};

START_TEST(call_of_machine)
{
	char dir[] = "/tmp/sonde-unit-XXXXXX";
	struct kernel *k = other_kernel(dir, calls[_i].uname, calls[_i].functions);
	const struct attachment *a;
	struct trial t;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_int_eq(trial_start(&t, "execsnoop --max-args 1", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	a = t.run.plan.plan.attachments;
	ck_assert_str_eq(a[0].event->name, calls[_i].function);
	ck_assert_str_eq(a[0].event->fetch, calls[_i].path);
	ck_assert_str_eq(a[3].event->fetch, calls[_i].ptr0);
	trial_end(&t);
	remove_folder(dir);
}
END_TEST

/* Whether a kernel may have 32-bit tasks, where no sysctl says so. */
static const struct {
	const char *uname, *functions;
	bool compat;
} compat_tasks[] = {
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X, false },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X "T __s390_compat_sys_execve\n", true },
	{ "Linux box 6.1.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_"), false },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", BOTH_CALLS("__riscv_sys_"), false },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", "T __riscv_compat_sys_execve\n", true },
};

START_TEST(compat_tasks_of_machine)
{
	char dir[] = "/tmp/sonde-unit-XXXXXX";
	struct kernel *k = other_kernel(dir, compat_tasks[_i].uname, compat_tasks[_i].functions);

	ck_assert_int_eq(kernel_has_compat_tasks(k), compat_tasks[_i].compat);
	kernel_free(k);
	remove_folder(dir);
}
END_TEST

/* One row a name: a second would never be asked. */
START_TEST(hooks_are_named_once)
{
	for (const struct hook *h = hooks; h->name; h++)
		ck_assert_msg(hook_by_name(h->name) == h, "%s stands twice in the hook table", h->name);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, int n)
{
	TCase *c = tcase_create(name);

	tcase_add_loop_test(c, test, 0, n);
	suite_add_tcase(s, c);
}

Suite *suite_resolve(void)
{
	Suite *s = suite_create("resolve");

	add(s, "named once", hooks_are_named_once, 1);
	trial_skip("resolve");
	add(s, "chosen", chosen, COUNT(rows));
	add(s, "chosen without", chosen_without, COUNT(lacking));
	add(s, "all combinations", rows_cover_everything, 1);
	add(s, "definitions", definition, COUNT(definitions));
	add(s, "inputs", input_found, COUNT(found));
	add(s, "another machine", another_machine, 1);
	add(s, "parts of machines", part_of_machine, COUNT(part_machines));
	add(s, "calls of machines", call_of_machine, COUNT(calls));
	add(s, "32-bit tasks of machines", compat_tasks_of_machine, COUNT(compat_tasks));
	return s;
}
