// SPDX-License-Identifier: GPL-2.0
#include "compat/hooks.h"

#include <string.h>

/*
 * Which probes of the kernel serve a hook, best first. Renames across kernels are rows here and nowhere else. The
 * kernels a row is for stand beside it: to tell readers, not the resolver, which looks at what is there.
 */
#define HOOK(NAME, WHAT, ...)		{ .name = (NAME), .what = (WHAT), .alternatives = { __VA_ARGS__ } }
#define PROBES(...)			.probes = (const struct probe[]){ __VA_ARGS__, { } }
#define TRACEPOINT(NAME, INPUTS, ...)	{ .kind = PROBE_TRACEPOINT, .name = (NAME), .inputs = (INPUTS), __VA_ARGS__ }
#define KPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_KPROBE, .name = (NAME), .inputs = (INPUTS), __VA_ARGS__ }
#define KRETPROBE(NAME, INPUTS, ...)	{ .kind = PROBE_KRETPROBE, .name = (NAME), .inputs = (INPUTS), __VA_ARGS__ }
#define SYSCALL(NAME, INPUTS, ...)	{ .kind = PROBE_SYSCALL, .name = (NAME), .inputs = (INPUTS), __VA_ARGS__ }
#define SYSRET(NAME, INPUTS, ...)	{ .kind = PROBE_SYSRET, .name = (NAME), .inputs = (INPUTS), __VA_ARGS__ }
#define COMPAT(NAME, INPUTS)		{ .kind = PROBE_COMPAT, .name = (NAME), .inputs = (INPUTS), .optional = true }
#define COMPATRET(NAME, INPUTS)		{ .kind = PROBE_COMPATRET, .name = (NAME), .inputs = (INPUTS), .optional = true }
/* Of calls whose arguments are the same for both: their functions are one where there are not two. */
#define COMPAT_SAME(NAME, INPUTS) \
	{ .kind = PROBE_COMPAT, .name = (NAME), .inputs = (INPUTS), .optional = true, .same = true }
#define OPTIONAL			.optional = true
/* A row with one probe in it. */
#define ONE(PROBE, ...)			{ PROBES(PROBE), __VA_ARGS__ }

#define OPEN_HOW	"dfd=$arg1:s32 flags=+0($arg3):u64 mode=+8($arg3):u64"
#define OPEN_ARGS	"dfd=$arg1:s32 flags=$arg3:u32 mode=$arg4:u16"
#define OPEN_USER	" filename=+0($arg2):ustring"
#define OPEN_NAMED	" filename=0"		/* the path comes by open.name */
#define OPENAT_FIELDS	"dfd=dfd flags=flags mode=mode"
/* creat(path, mode) is open(path, O_CREAT | O_WRONLY | O_TRUNC, mode) from the current directory (AT_FDCWD). */
#define CREAT_FIELDS	"dfd=-100 flags=577 mode=mode"

/* argv is read one pointer, one text at a time, as wide as the task's own pointers. */
#define ARGV_FIELD	"filename=filename:ustring ptr[]=+uW*[](argv):uW arg[]=+u0(+uW*[](argv)):ustring argv=argv:ustring"
#define ARGV_SYS2	"filename=+0($sys1):ustring ptr[]=+uW*[]($sys2):uW arg[]=+u0(+uW*[]($sys2)):ustring " \
			"argv=+u0($sys2):ustring"
#define ARGV_SYS3	"filename=+0($sys2):ustring ptr[]=+uW*[]($sys3):uW arg[]=+u0(+uW*[]($sys3)):ustring " \
			"argv=+u0($sys3):ustring"
#define ARGV_COMPAT2	"filename=+0($sys1):ustring ptr[]=+u4*[]($sys2):u32 arg[]=+u0(+u4*[]($sys2)):ustring " \
			"argv=+u0($sys2):ustring"
#define ARGV_COMPAT3	"filename=+0($sys2):ustring ptr[]=+u4*[]($sys3):u32 arg[]=+u0(+u4*[]($sys3)):ustring " \
			"argv=+u0($sys3):ustring"

#define KILL_SYS	"tpid=$sys1:s32 sig=$sys2:s32 call=0"
#define TKILL_SYS	"tpid=$sys1:s32 sig=$sys2:s32 call=1"
#define TGKILL_SYS	"tpid=$sys2:s32 sig=$sys3:s32 call=2"
#define RET		"ret=$retval:s32"

#define REQUEST		"dev=dev sector=sector sectors=nr_sector rwbs=rwbs"

#define SOCKET_STATE	"sk=skaddr newstate=newstate family=family protocol=protocol lport=sport dport=dport " \
			"saddr=saddr daddr=daddr saddr6=saddr_v6 daddr6=daddr_v6"
/*
 * The head of struct sock_common is the same from 3.10 on: daddr 0, rcv_saddr 4, dport 12 (network order), num 14,
 * family 16. The IPv6 addresses behind it (3.13) move with the configuration.
 */
#define SOCK_COMMON	"sk=$arg1 newstate=2 protocol=6 family=+16($arg1):u16 lport=+14($arg1):u16 " \
			"dport=+12($arg1):be16 saddr=+4($arg1):c4 daddr=+0($arg1):c4"
#define SOCK_COMMON6	SOCK_COMMON " saddr6=+{sock_common.skc_v6_rcv_saddr}($arg1):c16 " \
			"daddr6=+{sock_common.skc_v6_daddr}($arg1):c16"
#define SOCKADDR_IN6	"sk=$arg1 newstate=2 protocol=6 family=10 dport=+2($arg2):be16 daddr6=+8($arg2):c16"

const struct hook hooks[] = {
	/*
	 * The functions below all open system calls are the first choice: they see 32-bit tasks too. The path is the
	 * kernel's own copy, which can't fault: only where it can't be had is user memory read, which BPF can try again
	 * at the exit, and the rings can not.
	 */
	HOOK("open.enter", "an open, openat, openat2 or creat begins",
		ONE(KPROBE("do_sys_openat2", OPEN_HOW OPEN_USER), .family = "openat2", .targets = FOR_BPF),	/* 5.6 */
		ONE(KPROBE("do_sys_openat2", OPEN_HOW OPEN_NAMED), .family = "openat2", .targets = FOR_RING,
		    .with = "open.name"),
		/* To 5.5; from then on it is a wrapper, inlined into most of its callers. */
		ONE(KPROBE("do_sys_open", OPEN_ARGS OPEN_USER), .family = "open", .targets = FOR_BPF, .until = "openat2"),
		ONE(KPROBE("do_sys_open", OPEN_ARGS OPEN_NAMED), .family = "open", .targets = FOR_RING,
		    .with = "open.name", .until = "openat2"),
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_openat", OPENAT_FIELDS " filename=filename:ustring"),
			TRACEPOINT("syscalls:sys_enter_open", "dfd=-100 flags=flags mode=mode filename=filename:ustring",
				   OPTIONAL),		/* not on arm64, riscv64 */
			TRACEPOINT("syscalls:sys_enter_creat", CREAT_FIELDS " filename=pathname:ustring", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_openat2", "dfd=dfd flags=+u0(how):u64 mode=+u8(how):u64 "
				   "filename=filename:ustring", OPTIONAL)) },	/* 5.6 */
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true, PROBES(	/* 7.x: the events copy the path themselves */
			TRACEPOINT("syscalls:sys_enter_openat", OPENAT_FIELDS " filename=__filename_val"),
			TRACEPOINT("syscalls:sys_enter_open", "dfd=-100 flags=flags mode=mode filename=__filename_val",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_creat", CREAT_FIELDS " filename=__pathname_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_openat2", "dfd=dfd filename=__filename_val", OPTIONAL)) },
	),
	HOOK("open.name", "the kernel has copied the path of an open",
		ONE(KPROBE("do_file_open", "path=+0(+0($arg2)):name")),		/* 7.x */
		ONE(KPROBE("do_filp_open", "path=+0(+0($arg2)):name")),		/* to 6.x */
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
	 * The entries have the arguments; a success is told by sched_process_exec, which knows both ids of a thread that
	 * was not the leader and fires whatever ABI the new image has; a return only by failures.
	 */
	HOOK("exec.enter", "an execve or execveat begins",
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(	/* 4.14 */
			TRACEPOINT("syscalls:sys_enter_execve", ARGV_FIELD),
			TRACEPOINT("syscalls:sys_enter_execveat", ARGV_FIELD, OPTIONAL),	/* 3.19 */
			COMPAT("execve", ARGV_COMPAT2),
			COMPAT("execveat", ARGV_COMPAT3)) },
		{ .family = "functions", PROBES(
			SYSCALL("execve", ARGV_SYS2),
			SYSCALL("execveat", ARGV_SYS3, OPTIONAL),
			COMPAT("execve", ARGV_COMPAT2),
			COMPAT("execveat", ARGV_COMPAT3)) },
	),
	HOOK("exec.done", "an exec succeeded; the new image is current",
		ONE(TRACEPOINT("sched:sched_process_exec", "pid=pid old_pid=old_pid")),	/* 3.4 */
	),
	HOOK("exec.exit", "an execve or execveat returns",
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(
			TRACEPOINT("syscalls:sys_exit_execve", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_execveat", "ret=ret", OPTIONAL),
			COMPATRET("execve", "ret=$retval:s32"),
			COMPATRET("execveat", "ret=$retval:s32")) },
		{ .family = "functions", PROBES(
			SYSRET("execve", "ret=$retval:s32"),
			SYSRET("execveat", "ret=$retval:s32", OPTIONAL),
			COMPATRET("execve", "ret=$retval:s32"),
			COMPATRET("execveat", "ret=$retval:s32")) },
	),

	HOOK("task.new", "a task was made; the parent is current",
		ONE(TRACEPOINT("task:task_newtask", "pid=pid clone_flags=clone_flags")),	/* 3.4 */
	),

	HOOK("task.exit", "a thread ends",
		ONE(TRACEPOINT("sched:sched_process_exit", "pid=pid")),		/* 2.6.3x */
	),

	/* The functions of the calls are first: 32-bit tasks do not pass the tracepoints. */
	HOOK("kill.enter", "a kill begins",
		{ .family = "functions", PROBES(SYSCALL("kill", KILL_SYS), COMPAT_SAME("kill", KILL_SYS)) },
		ONE(TRACEPOINT("syscalls:sys_enter_kill", "tpid=pid sig=sig call=0"),
		    .family = "syscalls", .no_compat = true),
	),
	HOOK("kill.exit", "a kill returns",
		{ .family = "functions", PROBES(SYSRET("kill", RET), COMPATRET("kill", RET)) },
		ONE(TRACEPOINT("syscalls:sys_exit_kill", "ret=ret"), .family = "syscalls"),
	),
	HOOK("kill.thread_enter", "a tkill or tgkill begins",
		{ .family = "functions", PROBES(
			SYSCALL("tkill", TKILL_SYS), COMPAT_SAME("tkill", TKILL_SYS),
			SYSCALL("tgkill", TGKILL_SYS), COMPAT_SAME("tgkill", TGKILL_SYS)) },
		{ .family = "syscalls", .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_tkill", "tpid=pid sig=sig call=1"),
			TRACEPOINT("syscalls:sys_enter_tgkill", "tpid=pid sig=sig call=2")) },
	),
	HOOK("kill.thread_exit", "a tkill or tgkill returns",
		{ .family = "functions", PROBES(
			SYSRET("tkill", RET), COMPATRET("tkill", RET), SYSRET("tgkill", RET), COMPATRET("tgkill", RET)) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_tkill", "ret=ret"), TRACEPOINT("syscalls:sys_exit_tgkill", "ret=ret")) },
	),

	/*
	 * As of opens: the functions below all system calls of the family, and the kernel's own copy of the path, see
	 * 32-bit tasks and can't fault.
	 */
	HOOK("stat.enter", "a stat, lstat, fstatat, statx or statfs of a path begins",
		{ .family = "statx", .with = "stat.name", PROBES(
			KPROBE("vfs_statx", "filename=0"), KPROBE("user_statfs", "filename=0")) },	/* 4.11 */
		{ .family = "fstatat", .with = "stat.name", PROBES(
			KPROBE("vfs_fstatat", "filename=0"), KPROBE("user_statfs", "filename=0")) },
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_newfstatat", "filename=filename:ustring"),
			TRACEPOINT("syscalls:sys_enter_newstat", "filename=filename:ustring", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_newlstat", "filename=filename:ustring", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statx", "filename=filename:ustring", OPTIONAL),	/* 4.11 */
			TRACEPOINT("syscalls:sys_enter_statfs", "filename=pathname:ustring", OPTIONAL)) },
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true, PROBES(		/* 7.x */
			TRACEPOINT("syscalls:sys_enter_newfstatat", "filename=__filename_val"),
			TRACEPOINT("syscalls:sys_enter_newstat", "filename=__filename_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_newlstat", "filename=__filename_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statx", "filename=__filename_val", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_statfs", "filename=__pathname_val", OPTIONAL)) },
	),
	HOOK("stat.name", "the kernel looks up a path it has copied",
		ONE(KPROBE("filename_lookup", "path=+0(+0($arg2)):name")),
	),
	HOOK("stat.exit", "a stat, lstat, fstatat, statx or statfs of a path returns",
		{ .family = "statx", PROBES(KRETPROBE("vfs_statx", RET), KRETPROBE("user_statfs", RET)) },
		{ .family = "fstatat", PROBES(KRETPROBE("vfs_fstatat", RET), KRETPROBE("user_statfs", RET)) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_newfstatat", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_newstat", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_newlstat", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_statx", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_statfs", "ret=ret", OPTIONAL)) },
	),

	HOOK("sync.enter", "a sync begins",
		{ .family = "functions", PROBES(SYSCALL("sync", "call=0"), COMPAT_SAME("sync", "call=0")) },
		ONE(TRACEPOINT("syscalls:sys_enter_sync", "call=0"), .family = "syscalls", .no_compat = true),
	),
	HOOK("sync.exit", "a sync returns",
		{ .family = "functions", PROBES(SYSRET("sync", ""), COMPATRET("sync", "")) },
		ONE(TRACEPOINT("syscalls:sys_exit_sync", ""), .family = "syscalls"),
	),
	HOOK("sync.file_enter", "a syncfs, fsync, fdatasync or msync begins",
		{ .family = "functions", PROBES(
			SYSCALL("syncfs", "call=1"), COMPAT_SAME("syncfs", "call=1"),
			SYSCALL("fsync", "call=2"), COMPAT_SAME("fsync", "call=2"),
			SYSCALL("fdatasync", "call=3"), COMPAT_SAME("fdatasync", "call=3"),
			SYSCALL("msync", "call=4"), COMPAT_SAME("msync", "call=4")) },
		{ .family = "syscalls", .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_fsync", "call=2"),
			TRACEPOINT("syscalls:sys_enter_syncfs", "call=1", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_fdatasync", "call=3", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_msync", "call=4", OPTIONAL)) },
	),
	HOOK("sync.file_exit", "a syncfs, fsync, fdatasync or msync returns",
		{ .family = "functions", PROBES(
			SYSRET("syncfs", ""), COMPATRET("syncfs", ""), SYSRET("fsync", ""), COMPATRET("fsync", ""),
			SYSRET("fdatasync", ""), COMPATRET("fdatasync", ""), SYSRET("msync", ""), COMPATRET("msync", "")) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_fsync", ""),
			TRACEPOINT("syscalls:sys_exit_syncfs", "", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_fdatasync", "", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_msync", "", OPTIONAL)) },
	),

	/* do_exit() knows; the system calls and signals that end processes tell all but of 32-bit tasks' calls. */
	HOOK("exit.code", "a thread ends with a code",
		ONE(KPROBE("do_exit", "code=$arg1:u32 whole=1"), .family = "functions"),
		ONE(TRACEPOINT("syscalls:sys_enter_exit", "code=error_code whole=0"), .family = "calls"),
	),
	HOOK("exit.group", "a process ends itself",
		ONE(TRACEPOINT("syscalls:sys_enter_exit_group", "code=error_code"), .family = "calls"),
	),
	HOOK("exit.signal", "a signal takes effect",
		ONE(TRACEPOINT("signal:signal_deliver", "sig=sig handler=sa_handler"), .family = "calls"),
	),
	HOOK("exit.sent", "a signal is sent",
		ONE(TRACEPOINT("signal:signal_generate", "sig=sig pid=pid result=result", .filter = "result == 0"),
		    .family = "calls", .foreign = true),	/* 3.4 */
	),

	/*
	 * Requests are known by (device, sector) on every kernel. A join ends when the sectors of its issue are done;
	 * block_io_done says 0 sectors: not this one.
	 */
	HOOK("block.queue", "a request is made or queued",
		ONE(TRACEPOINT("block:block_io_start", REQUEST), .foreign = true),	/* 6.5 */
		ONE(TRACEPOINT("block:block_rq_insert", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.frontmerge", "an I/O was put in front of a waiting request",
		ONE(TRACEPOINT("block:block_bio_frontmerge", "dev=dev sector=sector sectors=nr_sector"),
		    .foreign = true),
	),
	HOOK("block.issue", "a request goes to the device",
		ONE(TRACEPOINT("block:block_rq_issue", REQUEST " bytes=bytes name=comm"), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.done", "sectors of a request are done",
		ONE(TRACEPOINT("block:block_rq_complete", REQUEST), .foreign = true),	/* 2.6.3x */
	),

	HOOK("sched.wakeup", "a task becomes runnable",
		{ .foreign = true, PROBES(
			TRACEPOINT("sched:sched_wakeup", "pid=pid"),
			TRACEPOINT("sched:sched_wakeup_new", "pid=pid")) },
	),
	HOOK("sched.switch", "a CPU changes tasks; the previous one is current",
		ONE(TRACEPOINT("sched:sched_switch", "prev_pid=prev_pid prev_state=prev_state next_pid=next_pid "
			       "prev_comm=prev_comm next_comm=next_comm")),
	),

	/* An interrupt's name is known when its handler begins; whom it interrupts does not matter. */
	HOOK("irq.entry", "an interrupt handler begins",
		ONE(TRACEPOINT("irq:irq_handler_entry", "name=name"), .foreign = true),	/* 2.6.3x */
	),
	HOOK("irq.exit", "an interrupt handler ends",
		ONE(TRACEPOINT("irq:irq_handler_exit", "ret=ret"), .foreign = true),
	),
	HOOK("softirq.entry", "a soft interrupt begins",
		ONE(TRACEPOINT("irq:softirq_entry", "vec=vec"), .foreign = true),	/* 2.6.3x */
	),
	HOOK("softirq.exit", "a soft interrupt ends",
		ONE(TRACEPOINT("irq:softirq_exit", "vec=vec"), .foreign = true),
	),

	/* The tracepoint has no local port yet: it comes with the socket's next state. */
	HOOK("tcp.connect", "a TCP connection is begun",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE, .filter = "newstate == 2 && protocol == 6"),
		    .family = "state"),		/* 4.16 */
		ONE(KPROBE("tcp_connect", SOCK_COMMON6), .family = "functions"),
		{ .family = "functions", PROBES(	/* where a socket's IPv6 addresses are not known */
			KPROBE("tcp_connect", SOCK_COMMON),
			KPROBE("tcp_v6_connect", SOCKADDR_IN6, OPTIONAL)) },
	),
	HOOK("tcp.state", "the state a connecting socket comes to next",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE, .filter = "oldstate == 2 && protocol == 6"),
		    .family = "state", .foreign = true),
	),

	HOOK("cache.access", "a page of the cache is used",
		ONE(KPROBE("folio_mark_accessed", ""), .foreign = true),	/* 5.16 */
		/* A wrapper for the few callers that still have pages, from the release of this system call on. */
		ONE(KPROBE("mark_page_accessed", ""), .foreign = true, .until = "futex_waitv"),
	),
	HOOK("cache.add", "a page is added to the cache",
		ONE(TRACEPOINT("filemap:mm_filemap_add_to_page_cache", ""), .foreign = true),	/* 3.9 */
		ONE(KPROBE("filemap_add_folio", ""), .foreign = true),		/* 5.16 */
		ONE(KPROBE("add_to_page_cache_lru", ""), .foreign = true, .until = "futex_waitv"),
	),
	HOOK("cache.dirty", "a page of the cache becomes dirty",
		ONE(TRACEPOINT("writeback:writeback_dirty_folio", ""), .foreign = true),	/* 5.17 */
		ONE(TRACEPOINT("writeback:writeback_dirty_page", ""), .foreign = true),
		ONE(KPROBE("folio_account_dirtied", ""), .foreign = true),
		ONE(KPROBE("account_page_dirtied", ""), .foreign = true),
	),
	HOOK("cache.buffer", "a buffer becomes dirty",
		ONE(TRACEPOINT("block:block_dirty_buffer", ""), .foreign = true),	/* 3.9 */
		ONE(KPROBE("mark_buffer_dirty", ""), .foreign = true),
	),
	{ }
};

const struct hook *hook_by_name(const char *name)
{
	for (const struct hook *h = hooks; h->name; h++)
		if (!strcmp(h->name, name))
			return h;
	return NULL;
}
