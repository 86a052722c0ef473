// SPDX-License-Identifier: GPL-2.0
/* Locks of the kernel and of programs: waits for them. */
#include "compat/hooks/hooks_rows.h"

/*
 * Before 5.19 only the functions tell that a task goes to sleep for a lock of the kernel; a task is
 * in one of them at a time, and nobody probes those that spin.
 */
/* The flags are those of the tracepoint: 2 reads, 4 writes, 8 of rt_mutex, 32 of mutex. */
#define WAITS(NAME, FLAGS, ...)	KPROBE(NAME, "lock=$arg1 place=0 flags=" FLAGS, __VA_ARGS__)
#define WAITED(NAME, ...)	KRETPROBE(NAME, "place=0", __VA_ARGS__)

#define MUTEX_WAITS \
	WAITS("__mutex_lock_slowpath", "32"), \
	WAITS("__mutex_lock_killable_slowpath", "32"), \
	WAITS("__mutex_lock_interruptible_slowpath", "32"), \
	WAITS("__ww_mutex_lock_slowpath", "32", OPTIONAL), \
	WAITS("__ww_mutex_lock_interruptible_slowpath", "32", OPTIONAL), \
	WAITS("rt_mutex_slowlock", "8", OPTIONAL)
#define MUTEX_WAITED \
	WAITED("__mutex_lock_slowpath"), \
	WAITED("__mutex_lock_killable_slowpath"), \
	WAITED("__mutex_lock_interruptible_slowpath"), \
	WAITED("__ww_mutex_lock_slowpath", OPTIONAL), \
	WAITED("__ww_mutex_lock_interruptible_slowpath", OPTIONAL), \
	WAITED("rt_mutex_slowlock", OPTIONAL)

/* Of a call that takes a mutex the place is 1; it has the mutex if it returns `got`. */
#define ASKS(NAME, ...)	KPROBE(NAME, "lock=$arg1 place=1 flags=48", __VA_ARGS__)
#define HAS(NAME, RETURNS, GOT, ...) \
	KRETPROBE(NAME, "place=1 ret=" RETURNS " got=" GOT, __VA_ARGS__)

/*
 * A call has the address of a word, and what it does. The word, and what is behind it, tell the
 * owner of some locks. futex_waitv(2) waits for several: the first one is shown. Its address is in
 * user memory, where tracepoints of the rings can't look.
 */
#define WORDS(ADDRESS)	" word?=+u0(" ADDRESS "):u32 owner?=+u8(" ADDRESS "):u32"
#define FUTEX		"address=$sys1:uW op=$sys2:u32" WORDS("$sys1")
#define FUTEX_WAIT	"address=$sys1:uW op=0" WORDS("$sys1")
#define FUTEX_WAITV	"address=+u8($sys1):u64 op=0"
#define FUTEX_EVENT	"address=uaddr op=op" WORDS("uaddr")
#define FUTEX_WAIT_EVENT "address=uaddr op=0" WORDS("uaddr")
#define FUTEX_WAITV_EVENT "address=+u8(waiters):u64 op=0"

/* futex_time32: of 32 bits since 5.1, where futex is the call with 64 bits of time. */
#define FUTEX_CALLS(CALL, SAME, FUTEX, WAIT, WAITV) \
	CALL("futex", FUTEX), CALL("futex_time32", FUTEX, OPTIONAL), \
	SAME("futex", FUTEX), SAME("futex_time32", FUTEX), \
	CALL("futex_waitv", WAITV, OPTIONAL), SAME("futex_waitv", WAITV), \
	CALL("futex_wait", WAIT, OPTIONAL), SAME("futex_wait", WAIT)

const struct hook hooks_locks[] = {
	HOT_HOOK("each wait for a lock of the kernel", "lock.begin",
		 "a task begins to wait for a lock of the kernel",
		/* 5.19 */
		ONE(TRACEPOINT("lock:contention_begin", "lock=lock_addr place=lock_addr "
			       "flags=flags"), .family = "tracepoints"),
		/* 5.3 */
		{ .family = "slowpaths", PROBES(MUTEX_WAITS,
			WAITS("rwsem_down_read_slowpath", "2"),
			WAITS("rwsem_down_write_slowpath", "4")) },
		/* the killable ones: 4.7 (write), 4.15 (read) */
		{ .family = "failed", PROBES(MUTEX_WAITS,
			WAITS("rwsem_down_read_failed", "2"),
			WAITS("rwsem_down_read_failed_killable", "2", OPTIONAL),
			WAITS("rwsem_down_write_failed", "4"),
			WAITS("rwsem_down_write_failed_killable", "4", OPTIONAL)) },
	),
	HOT_HOOK("each wait for a lock of the kernel", "lock.end",
		 "a task has waited for a lock of the kernel",
		ONE(TRACEPOINT("lock:contention_end", "place=lock_addr"), .family = "tracepoints"),
		{ .family = "slowpaths", PROBES(MUTEX_WAITED,
			WAITED("rwsem_down_read_slowpath"), WAITED("rwsem_down_write_slowpath")) },
		{ .family = "failed", PROBES(MUTEX_WAITED,
			WAITED("rwsem_down_read_failed"),
			WAITED("rwsem_down_read_failed_killable", OPTIONAL),
			WAITED("rwsem_down_write_failed"),
			WAITED("rwsem_down_write_failed_killable", OPTIONAL)) },
	),

	/* Kernels with lockdep have other names. */
	HOT_HOOK("each mutex of the kernel", "hold.ask", "a task takes a mutex",
		{ .family = "functions", PROBES(ASKS("mutex_lock"),
			ASKS("mutex_lock_interruptible", OPTIONAL),
			ASKS("mutex_lock_killable", OPTIONAL), ASKS("mutex_trylock", OPTIONAL)) },
		{ .family = "nested", PROBES(ASKS("mutex_lock_nested"),
			ASKS("mutex_lock_interruptible_nested", OPTIONAL),
			ASKS("mutex_lock_killable_nested", OPTIONAL),
			ASKS("mutex_trylock", OPTIONAL)) },
	),
	HOT_HOOK("each mutex of the kernel", "hold.begin", "a task has a mutex",
		{ .family = "functions", PROBES(HAS("mutex_lock", "0", "0"),
			HAS("mutex_lock_interruptible", "$retval:s32", "0", OPTIONAL),
			HAS("mutex_lock_killable", "$retval:s32", "0", OPTIONAL),
			HAS("mutex_trylock", "$retval:s32", "1", OPTIONAL)) },
		{ .family = "nested", PROBES(HAS("mutex_lock_nested", "0", "0"),
			HAS("mutex_lock_interruptible_nested", "$retval:s32", "0", OPTIONAL),
			HAS("mutex_lock_killable_nested", "$retval:s32", "0", OPTIONAL),
			HAS("mutex_trylock", "$retval:s32", "1", OPTIONAL)) },
	),
	HOT_HOOK("each mutex of the kernel", "hold.end", "a task gives back a mutex",
		ONE(KPROBE("mutex_unlock", "place=$arg1")),
	),

	/* futex_waitv: 5.16; futex_wait: 6.7 */
	HOT_HOOK("each futex(2)", "futex.enter", "a futex call begins",
		{ .family = "functions", PROBES(FUTEX_CALLS(SYSCALL, COMPAT_SAME, FUTEX,
							    FUTEX_WAIT, FUTEX_WAITV)) },
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_futex", FUTEX_EVENT),
			TRACEPOINT("syscalls:sys_enter_futex_time32", FUTEX_EVENT, OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_futex_waitv", FUTEX_WAITV_EVENT, OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_futex_wait", FUTEX_WAIT_EVENT, OPTIONAL)) },
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_futex", "address=uaddr op=op"),
			TRACEPOINT("syscalls:sys_enter_futex_time32", "address=uaddr op=op",
				   OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_futex_waitv", "address=0 op=0", OPTIONAL),
			TRACEPOINT("syscalls:sys_enter_futex_wait", "address=uaddr op=0",
				   OPTIONAL)) },
	),
	HOT_HOOK("each futex(2)", "futex.exit", "a futex call returns",
		{ .family = "functions", PROBES(FUTEX_CALLS(SYSRET, COMPATRET, RET, RET, RET)) },
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(
			TRACEPOINT("syscalls:sys_exit_futex", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_futex_time32", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_futex_waitv", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_futex_wait", "ret=ret", OPTIONAL)) },
		{ .family = "syscalls", .targets = FOR_RING, PROBES(
			TRACEPOINT("syscalls:sys_exit_futex", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_futex_time32", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_futex_waitv", "ret=ret", OPTIONAL),
			TRACEPOINT("syscalls:sys_exit_futex_wait", "ret=ret", OPTIONAL)) },
	),
	{ }
};
