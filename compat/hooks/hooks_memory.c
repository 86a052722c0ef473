// SPDX-License-Identifier: GPL-2.0
/* Memory: the page cache, and what is done when there is no more. */
#include "compat/hooks/hooks_rows.h"

const struct hook hooks_memory[] = {
	/* 2.6.3x */
	HOOK("reclaim.begin", "a task begins to get memory free",
		ONE(TRACEPOINT("vmscan:mm_vmscan_direct_reclaim_begin", "")),
	),
	HOOK("reclaim.end", "it has ended",
		ONE(TRACEPOINT("vmscan:mm_vmscan_direct_reclaim_end", "pages=nr_reclaimed")),
	),
	HOOK("cache.access", "a page of the cache is used",
		ONE(KPROBE("folio_mark_accessed", ""), .foreign = true),	/* 5.16 */
		/*
		 * A wrapper for the few callers that still have pages, from the release of this
		 * system call on.
		 */
		ONE(KPROBE("mark_page_accessed", ""), .foreign = true, .until = "futex_waitv"),
	),
	HOOK("cache.add", "a page is added to the cache",
		/* 3.9 */
		ONE(TRACEPOINT("filemap:mm_filemap_add_to_page_cache", ""), .foreign = true),
		ONE(KPROBE("filemap_add_folio", ""), .foreign = true),		/* 5.16 */
		ONE(KPROBE("add_to_page_cache_lru", ""), .foreign = true, .until = "futex_waitv"),
	),
	HOOK("cache.dirty", "a page of the cache becomes dirty",
		/* 5.17 */
		ONE(TRACEPOINT("writeback:writeback_dirty_folio", ""), .foreign = true),
		ONE(TRACEPOINT("writeback:writeback_dirty_page", ""), .foreign = true),
		ONE(KPROBE("folio_account_dirtied", ""), .foreign = true),
		ONE(KPROBE("account_page_dirtied", ""), .foreign = true),
	),
	HOOK("cache.buffer", "a buffer becomes dirty",
		ONE(TRACEPOINT("block:block_dirty_buffer", ""), .foreign = true),	/* 3.9 */
		ONE(KPROBE("mark_buffer_dirty", ""), .foreign = true),
	),

	/*
	 * The pages are not known without type information: how oom_kill_process() gets them has
	 * changed often.
	 */
	HOOK("oom.kill", "a process is about to be killed for want of memory",
		/* members: 4.2 */
		ONE(KPROBE("oom_kill_process", "pages?=+{oom_control.totalpages}($arg1):uW")),
	),
	/*
	 * Whom it hits only the function itself knows: a child of the one that was chosen, until
	 * 5.1, and others of its cgroup. The signals it sends tell too, and names where the
	 * tracepoint has none.
	 */
	HOOK("oom.victim", "a process is killed for want of memory; the one that wanted some is "
			   "current",
		/* 6.9, and later 5.10 and 6.1 */
		ONE(TRACEPOINT("oom:mark_victim", "pid=pid name=comm sig=9 window=0")),
		ONE(TRACEPOINT("signal:signal_generate", "pid=pid name=comm sig=sig window=1",
			       .filter = "sig == 9"),
		    .with = "oom.kill"),		/* 3.4 */
		ONE(TRACEPOINT("oom:mark_victim", "pid=pid sig=9 window=0")),		/* 4.14 */
	),
	HOOK("oom.end", "a process was killed for want of memory",
		ONE(KRETPROBE("oom_kill_process", "")),
	),
	{ }
};
