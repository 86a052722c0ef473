// SPDX-License-Identifier: GPL-2.0
/* Memory: the page cache, and what the kernel does when memory runs out. */
#include "compat/hooks/hooks_rows.h"

const struct hook hooks_memory[] = {
	/* 2.6.3x */
	HOOK("reclaim.begin", "a task begins to reclaim memory",
		ONE(TRACEPOINT("vmscan:mm_vmscan_direct_reclaim_begin", "")),
	),
	HOOK("reclaim.end", "a task has reclaimed memory",
		ONE(TRACEPOINT("vmscan:mm_vmscan_direct_reclaim_end", "pages=nr_reclaimed")),
	),
	HOT_HOOK("each use of a page of the cache", "cache.access", "a page of the cache is used",
		ONE(KPROBE("folio_mark_accessed", "")),	/* 5.16 */
		/* Since the release of this system call only few callers still have pages. */
		ONE(KPROBE("mark_page_accessed", ""), .until = "futex_waitv"),
	),
	/* The function is told what the page is for. */
	HOOK("cache.add", "a page is added to the cache",
		ONE(KPROBE("filemap_add_folio", "gfp=$arg4:u32")),	/* 5.16 */
		ONE(KPROBE("add_to_page_cache_lru", "gfp=$arg4:u32"), .needs = "kernel_clone",
		    .until = "futex_waitv"),				/* 5.10 */
		/* 4.17 */
		ONE(RAW_TP("filemap:mm_filemap_add_to_page_cache", "")),
		/* 3.9 */
		ONE(TRACEPOINT("filemap:mm_filemap_add_to_page_cache", "")),
		ONE(KPROBE("add_to_page_cache_lru", ""), .until = "futex_waitv"),
	),
	/* 3.9; the order: with large folios */
	HOOK("cache.file", "pages of a file are added to the cache",
		ONE(TRACEPOINT("filemap:mm_filemap_add_to_page_cache",
			       "dev=s_dev inode=i_ino order?=order")),
	),
	HOOK("cache.dirty", "a page of the cache becomes dirty",
		/* 5.17 */
		ONE(RAW_TP("writeback:writeback_dirty_folio", "")),
		ONE(RAW_TP("writeback:writeback_dirty_page", "")),
		ONE(TRACEPOINT("writeback:writeback_dirty_folio", "")),
		ONE(TRACEPOINT("writeback:writeback_dirty_page", "")),
		ONE(KPROBE("folio_account_dirtied", "")),
		ONE(KPROBE("account_page_dirtied", "")),
	),
	HOOK("cache.buffer", "a buffer becomes dirty",
		ONE(TRACEPOINT("block:block_dirty_buffer", "")),	/* 3.9 */
		ONE(KPROBE("mark_buffer_dirty", "")),
	),

	/*
	 * Without type information the number of pages is unknown: the arguments of
	 * oom_kill_process() have changed often.
	 */
	HOOK("oom.kill", "memory has run out, and a process is about to be killed",
		/* struct oom_control: 4.2 */
		ONE(KPROBE("oom_kill_process", "pages?=+{oom_control.totalpages}($arg1):uW")),
	),
	/*
	 * Only the function itself knows the victims. Up to 5.1 the victim may be a child of the
	 * chosen process, and other processes of its cgroup may be victims as well. The signals
	 * that the function sends tell the victims too, with names where the tracepoint has no
	 * names.
	 */
	HOOK("oom.victim", "memory has run out, and a process is killed; the task that asked for "
			   "memory is current",
		/* 6.9, and later updates of 5.10 and 6.1 */
		ONE(TRACEPOINT("oom:mark_victim", "pid=pid name=comm sig=9 window=0")),
		ONE(TRACEPOINT("signal:signal_generate", "pid=pid name=comm sig=sig window=1",
			       .filter = "sig == 9"),
		    .with = "oom.kill"),		/* 3.4 */
		ONE(TRACEPOINT("oom:mark_victim", "pid=pid sig=9 window=0")),		/* 4.14 */
	),
	HOOK("oom.end", "memory had run out, and a process was killed",
		ONE(KRETPROBE("oom_kill_process", "")),
	),
	HOOK("swap.read", "memory is read from swap",
		ONE(KPROBE("swap_read_folio", "")),		/* 6.8 */
		ONE(KPROBE("swap_readpage", "")),
	),
	/* 4.0; before 4.4 the zone is a pointer to its name */
	HOOK("compact.begin", "a task begins to compact a zone of memory",
		ONE(TRACEPOINT("compaction:mm_compaction_begin", "sync=sync")),
	),
	HOOK("compact.look", "a task looks whether a zone is compact enough",
		ONE(TRACEPOINT("compaction:mm_compaction_finished",
			       "node=nid zone=idx order=order")),
		ONE(TRACEPOINT("compaction:mm_compaction_finished",
			       "node=nid zone=-2 order=order")),
	),
	/* the zone itself; `room` is MIN, LOW and HIGH on 64-bit machines */
	HOOK("compact.room", "a task looks how much of a zone is free",
		ONE(RAW_TP("compaction:mm_compaction_finished",
			   "room=+{zone._watermark}($arg1):c24 "
			   "boost=+{zone.watermark_boost}($arg1):u64 "
			   "free=+{zone.vm_stat}($arg1):u64")),		/* 5.0 */
		/* records have the zone's names only: it says so */
		ONE(TRACEPOINT("compaction:mm_compaction_finished",
			       "room=zone boost=zone free=zone")),
	),
	HOOK("compact.index", "how fragmented a zone is",
		ONE(KRETPROBE("fragmentation_index", "index=$retval:s32")),
	),
	HOOK("compact.end", "a task has compacted a zone",
		ONE(TRACEPOINT("compaction:mm_compaction_end", "status=status")),
	),

	/* The transparent huge pages of 3.8 to 5.13 have a function of their own. */
	HOOK("numa.page", "memory begins to move to the node of its user",
		ONE(KPROBE("migrate_misplaced_folio", "")),		/* 6.7 */
		{ PROBES(KPROBE("migrate_misplaced_page", ""),		/* 3.8 */
			 KPROBE("migrate_misplaced_transhuge_page", "", OPTIONAL)) },
	),
	HOOK("numa.page_moved", "it has moved, or could not",
		ONE(KRETPROBE("migrate_misplaced_folio", "")),
		{ PROBES(KRETPROBE("migrate_misplaced_page", ""),
			 KRETPROBE("migrate_misplaced_transhuge_page", "", OPTIONAL)) },
	),
	{ }
};
