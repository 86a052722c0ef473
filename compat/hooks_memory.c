// SPDX-License-Identifier: GPL-2.0
/* Memory: the page cache. */
#include "compat/hooks_rows.h"

const struct hook hooks_memory[] = {
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
