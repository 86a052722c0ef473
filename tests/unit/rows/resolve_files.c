// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define OPENS(ENTER, NAME) \
	"open.enter: kprobe " ENTER "\n" "open.name: kprobe " NAME "\n" "open.exit: kretprobe " \
	ENTER "\n"
/* of io_uring: with type information */
#define REQUESTS \
	"uring.open_enter: kprobe io_openat2\n" "uring.open_exit: kretprobe io_openat2\n"
#define UNTOLD		"uring.open_exit.result\n"
#define NAMED_OPEN_EVENTS(NAME) \
	"open.enter: tracepoint syscalls:sys_enter_openat\n" \
	"open.enter: tracepoint syscalls:sys_enter_open\n" \
	"open.enter: tracepoint syscalls:sys_enter_creat\n" NAME \
	"open.exit: tracepoint syscalls:sys_exit_openat\n" \
	"open.exit: tracepoint syscalls:sys_exit_open\n" \
	"open.exit: tracepoint syscalls:sys_exit_creat\n"
#define OPEN_EVENTS	NAMED_OPEN_EVENTS("")

#define STATS(ENTER) \
	"stat.enter: kprobe " ENTER "\n" "stat.enter: kprobe user_statfs\n" \
	"stat.name: kprobe filename_lookup\n" \
	"stat.exit: kretprobe " ENTER "\n" "stat.exit: kretprobe user_statfs\n"
#define SYNCS	CALLED("sync.enter", "sync", "kprobe", "__x64_sys_", "__ia32_sys_") \
	CALLED("sync.exit", "sync", "kretprobe", "__x64_sys_", "__ia32_sys_")
#define FILE_SYNC(NAME)	CALLED("sync.file_enter", NAME, "kprobe", "__x64_sys_", "__ia32_sys_")
#define FILE_SYNCED(NAME) CALLED("sync.file_exit", NAME, "kretprobe", "__x64_sys_", "__ia32_sys_")
#define FILE_SYNCS \
	FILE_SYNC("syncfs") FILE_SYNC("fsync") FILE_SYNC("fdatasync") FILE_SYNC("msync") \
	"sync.file_enter: kprobe io_fsync\n" \
	FILE_SYNCED("syncfs") FILE_SYNCED("fsync") FILE_SYNCED("fdatasync") FILE_SYNCED("msync") \
	"sync.file_exit: kretprobe io_fsync\n"
#define OLD_SYNCS	"sync.enter: kprobe sys_sync\n" "sync.exit: kretprobe sys_sync\n"

static const struct resolve_row whole[] = {
	/*
	 * 3.10 has no bpf(2) at all: the engine says so before any plan is made, and plans find no
	 * probe.
	 */
	{ "3.10", "opensnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "opensnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19", "opensnoop", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "5.10 6.1 6.12", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "7.2", "opensnoop", BPF, OPENS("do_sys_openat2", "do_file_open") REQUESTS,
	  UNTOLD },
	{ OLD, "opensnoop", RING, OPENS("do_sys_open", "do_filp_open"), "open.exit.uid\n" },
	{ "5.10 6.1 6.12", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"),
	  "open.exit.uid\n" },
	{ "7.2", "opensnoop", RING, OPENS("do_sys_openat2", "do_file_open") REQUESTS,
	  "open.exit.uid\n" UNTOLD "uring.open_exit.uid\n" },
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
	{ "7.2", "syncsnoop -a", BPF | RING, SYNCS FILE_SYNCS },
};

static const struct resolve_row lacking[] = {
	{ "4.1", "opensnoop --backend bpf", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop --backend bpf", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "6.1", "opensnoop", BPF, .without = "bpf-output,ringbuf",
	  .refused = "can't hand over records (since 4.4)" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"),
	  .without = "bpf-output" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"), .without = "ringbuf" },
	/*
	 * Without kprobes BPF reads the caller's pointer; rings have the path only where the event
	 * copies it.
	 */
	{ "5.10 6.1 7.2", "opensnoop", BPF, OPEN_EVENTS, NULL, .without = "kprobes",
	  .no_compat = true },
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
	{ "4.12", "opensnoop", BPF, .without = "kprobes",
	  .refused = "no BPF programs on syscalls:* tracepoints" },
	{ "6.1 7.2", "opensnoop", BPF, .without = "kprobes,syscall-tracepoints",
	  .refused = "open.enter: this kernel has no tracepoint syscalls:sys_enter_openat" },
	{ "6.1", "opensnoop", BPF, .without = "bpf-kprobe,bpf-syscalls",
	  .refused = NO_KPROBE_PROGRAMS },
	{ "6.1", "statsnoop", BPF,
	  "stat.enter: tracepoint syscalls:sys_enter_newfstatat\n"
	  "stat.enter: tracepoint syscalls:sys_enter_newstat\n"
	  "stat.enter: tracepoint syscalls:sys_enter_newlstat\n"
	  "stat.exit: tracepoint syscalls:sys_exit_newfstatat\n"
	  "stat.exit: tracepoint syscalls:sys_exit_newstat\n"
	  "stat.exit: tracepoint syscalls:sys_exit_newlstat\n",
	  .without = "kprobes", .no_compat = true },
	{ "6.1", "statsnoop", RING, .without = "kprobes",
	  .refused = "stat.enter: syscalls:sys_enter_newfstatat has no field __filename_val" },
	{ "6.1", "statsnoop", RING, .without = "function:filename_lookup",
	  .refused = "stat.enter needs stat.name" },
	{ "6.1", "syncsnoop", BPF | RING,
	  "sync.enter: tracepoint syscalls:sys_enter_sync\n"
	  "sync.exit: tracepoint syscalls:sys_exit_sync\n",
	  .without = "kprobes", .no_compat = true },
	{ "6.1", "syncsnoop", BPF | RING,
	  "sync.enter: tracepoint raw_syscalls:sys_enter\n"
	  "sync.exit: tracepoint raw_syscalls:sys_exit\n",
	  .without = "kprobes,syscall-tracepoints", .no_compat = true },
	{ "6.1", "opensnoop -u 0", RING,
	  .refused = "the ring buffers carry no user ids, which --uid needs" },
	{ "6.1", "opensnoop -u 0", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "6.1", "opensnoop --exec true", BPF, OPENS("do_sys_openat2", "do_filp_open") TASKS_LINES
	  "task.free: tracepoint sched:sched_process_free\n" },
	{ "6.1", "opensnoop", RING, .without = "function:do_filp_open",
	  .refused = "needs open.name, which this kernel does not" },
	{ "6.1", "opensnoop", BPF, "open.enter: kprobe do_sys_openat2\n"
	  "open.exit: kretprobe do_sys_openat2\n",
	  NULL, .without = "function:do_filp_open" },
	{ "6.1", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"), "open.exit.uid\n",
	  .without = "fetch-ustring,fetch-string" },
};

RESOLVE_ROWS(files, whole, lacking);
