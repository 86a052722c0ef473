// SPDX-License-Identifier: GPL-2.0
/*
 * Locks of the kernel: waits for them. Before 5.19 only the functions tell that a task goes to
 * sleep for a lock; a task is in one of them at a time, and nobody probes those that spin.
 */
#include "compat/hooks/hooks_rows.h"

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
	{ }
};
