// SPDX-License-Identifier: GPL-2.0
/* Files: opening them, their states, and writing them to disk. */
#include "compat/hooks/hooks_rows.h"

#define OPEN_HOW	"dfd=$arg1:s32 flags=+0($arg3):u64 mode=+8($arg3):u64"
#define OPEN_ARGS	"dfd=$arg1:s32 flags=$arg3:u32 mode=$arg4:u16"
#define OPEN_USER	" filename=+0($arg2):ustring"
#define OPEN_NAMED	" filename=0"		/* open.name has the path */
#define OPENAT_FIELDS	"dfd=dfd flags=flags mode=mode"
/*
 * creat(path, mode) is open(path, O_CREAT | O_WRONLY | O_TRUNC, mode) from the current directory
 * (AT_FDCWD).
 */
#define CREAT_FIELDS	"dfd=-100 flags=577 mode=mode"

#define FILE_SYNCS \
	SYSCALL("syncfs", "call=1"), COMPAT_SAME("syncfs", "call=1"), \
	SYSCALL("fsync", "call=2"), COMPAT_SAME("fsync", "call=2"), \
	SYSCALL("fdatasync", "call=3"), COMPAT_SAME("fdatasync", "call=3"), \
	SYSCALL("msync", "call=4"), COMPAT_SAME("msync", "call=4")

const struct hook hooks_files[] = {
	/*
	 * The functions below all open system calls are the first choice: they also see 32-bit
	 * tasks. The path is the kernel's own copy (open.name), which can't fault. User memory is
	 * read only if the copy is unavailable: BPF can read it again at the exit, the rings can't.
	 */
	HOOK("open.enter", "an open, openat, openat2 or creat begins",
		/* 5.6 */
		ONE(KPROBE("do_sys_openat2", OPEN_HOW OPEN_USER, TRY(OPEN)), .family = "openat2",
		    .targets = FOR_BPF),
		ONE(KPROBE("do_sys_openat2", OPEN_HOW OPEN_NAMED, TRY(OPEN)), .family = "openat2",
		    .targets = FOR_RING, .with = "open.name"),
		/* Up to 5.5. Since 5.6 it is a wrapper, inlined into most of its callers. */
		ONE(KPROBE("do_sys_open", OPEN_ARGS OPEN_USER, TRY(OPEN)), .family = "open",
		    .targets = FOR_BPF, .until = "openat2"),
		ONE(KPROBE("do_sys_open", OPEN_ARGS OPEN_NAMED, TRY(OPEN)), .family = "open",
		    .targets = FOR_RING, .with = "open.name", .until = "openat2"),
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_openat",
				   OPENAT_FIELDS " filename=filename:ustring"),
			TRACEPOINT("syscalls:sys_enter_open",
				   "dfd=-100 flags=flags mode=mode filename=filename:ustring",
				   OPTIONAL),		/* not on arm64, riscv64 */
			TRACEPOINT("syscalls:sys_enter_creat",
				   CREAT_FIELDS " filename=pathname:ustring", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_openat2",
				   "dfd=dfd flags=+u0(how):u64 mode=+u8(how):u64 "
				   "filename=filename:ustring", OPTIONAL)) },	/* 5.6 */
		/* 7.x: the events copy the path themselves */
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_openat",
				   OPENAT_FIELDS " filename=__filename_val"),
			TRACEPOINT("syscalls:sys_enter_open",
				   "dfd=-100 flags=flags mode=mode filename=__filename_val",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_creat",
				   CREAT_FIELDS " filename=__pathname_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_openat2", "dfd=dfd filename=__filename_val",
				   OPTIONAL)) },
	),
	HOOK("open.name", "the kernel has copied the path of an open",
		ONE(KPROBE("do_file_open", "path=+0(+0($arg2)):name")),		/* 7.x */
		ONE(KPROBE("do_filp_open", "path=+0(+0($arg2)):name")),		/* to 6.x */
	),
	/*
	 * An open by io_uring, in the task that asks, or in a worker, which is a thread of its
	 * process since 5.12. A first try in the task that would have to wait returns -EAGAIN, and
	 * a worker does it. Since 6.0 the request has the result when the function returns; only
	 * fexit still knows the request then.
	 */
	HOOK("uring.open_enter", "an open by io_uring begins",
		ONE(KPROBE("io_openat2", "dfd=+{io_open.dfd}($arg1):s32 "
			   "flags=+{io_open.how.flags}($arg1):u64 "
			   "mode=+{io_open.how.mode}($arg1):u64 "
			   "slot=+{io_open.file_slot}($arg1):u32"), .with = "open.name"),
	),
	HOOK("uring.open_exit", "an open by io_uring returns",
		ONE(FEXIT("io_openat2", "ret=$retval:s32 "
			  "result=+{io_kiocb.cqe.res}($arg1):s32"), .targets = FOR_BPF,
		    .with = "uring.open_enter", .requests = true),
		ONE(KRETPROBE("io_openat2", "ret=$retval:s32"), .with = "uring.open_enter",
		    .requests = true),
	),
	HOOK("open.exit", "an open returns",
		ONE(KRETPROBE("do_sys_openat2", "ret=$retval:s32"), .family = "openat2"),
		ONE(KRETPROBE("do_sys_open", "ret=$retval:s32"), .family = "open"),
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_openat", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_open", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_creat", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_openat2", "ret=ret", OPTIONAL)) },
	),

	/*
	 * As for opens: the functions below all system calls of the family also see 32-bit tasks,
	 * and the kernel's own copy of the path can't fault.
	 */
	HOOK("stat.enter", "a stat, lstat, fstatat, statx or statfs of a path begins",
		{ .family = "statx", .with = "stat.name", .requests = true, PROBES(
			/* 4.11 */
			KPROBE("vfs_statx", "filename=0"), KPROBE("user_statfs", "filename=0")) },
		{ .family = "fstatat", .with = "stat.name", PROBES(
			KPROBE("vfs_fstatat", "filename=0"), KPROBE("user_statfs", "filename=0")) },
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_newfstatat", "filename=filename:ustring"),
			TRACEPOINT("syscalls:sys_enter_newstat", "filename=filename:ustring",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_newlstat", "filename=filename:ustring",
				   OPTIONAL),
			/* 4.11 */
			TRACEPOINT("syscalls:sys_enter_statx", "filename=filename:ustring",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statfs", "filename=pathname:ustring",
				   OPTIONAL)) },
		/* 7.x */
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_newfstatat", "filename=__filename_val"),
			TRACEPOINT("syscalls:sys_enter_newstat", "filename=__filename_val",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_newlstat", "filename=__filename_val",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statx", "filename=__filename_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statfs", "filename=__pathname_val",
				   OPTIONAL)) },
	),
	HOOK("stat.name", "the kernel looks up a path it has copied",
		ONE(KPROBE("filename_lookup", "path=+0(+0($arg2)):name name=$arg2:sW")),
	),
	HOOK("stat.exit", "a stat, lstat, fstatat, statx or statfs of a path returns",
		{ .family = "statx", PROBES(KRETPROBE("vfs_statx", RET),
					    KRETPROBE("user_statfs", RET)) },
		{ .family = "fstatat", PROBES(KRETPROBE("vfs_fstatat", RET),
					      KRETPROBE("user_statfs", RET)) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_newfstatat", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_newstat", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_newlstat", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_statx", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_statfs", "ret=ret", OPTIONAL)) },
	),

	HOOK("sync.enter", "a sync begins",
		{ .family = "functions",
		  PROBES(SYSCALL("sync", "call=0"), COMPAT_SAME("sync", "call=0")) },
		ONE(TRACEPOINT("syscalls:sys_enter_sync", "call=0"), .family = "syscalls",
		    .no_compat = true),
	),
	HOOK("sync.exit", "a sync returns",
		{ .family = "functions",
		  PROBES(SYSRET("sync", "ret=0"), COMPATRET("sync", "ret=0")) },
		ONE(TRACEPOINT("syscalls:sys_exit_sync", "ret=0"), .family = "syscalls"),
	),
	HOOK("sync.file_enter", "a syncfs, fsync, fdatasync or msync begins",
		/*
		 * 6.0: a worker of io_uring calls it, and nobody inlines it. Before 6.3 the task
		 * that asks does, too, and is told to leave it to a worker: -EAGAIN.
		 */
		{ .family = "functions", .requests = true, PROBES(FILE_SYNCS,
			KPROBE("io_fsync", "call=+{io_sync.flags}($arg1):u32")) },
		{ .family = "functions", PROBES(FILE_SYNCS) },
		{ .family = "syscalls", .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_fsync", "call=2"),
			TRACEPOINT("syscalls:sys_enter_syncfs", "call=1", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_fdatasync", "call=3", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_msync", "call=4", OPTIONAL)) },
	),
	HOOK("sync.file_exit", "a syncfs, fsync, fdatasync or msync returns",
		{ .family = "functions", PROBES(
			SYSRET("syncfs", "ret=0"), COMPATRET("syncfs", "ret=0"),
			SYSRET("fsync", "ret=0"), COMPATRET("fsync", "ret=0"),
			SYSRET("fdatasync", "ret=0"), COMPATRET("fdatasync", "ret=0"),
			SYSRET("msync", "ret=0"), COMPATRET("msync", "ret=0"),
			KRETPROBE("io_fsync", RET, OPTIONAL)) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_fsync", "ret=0"),
			TRACEPOINT("syscalls:sys_exit_syncfs", "ret=0", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_fdatasync", "ret=0", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_msync", "ret=0", OPTIONAL)) },
	),
	{ }
};
