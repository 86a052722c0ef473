// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

/* The function of pages added tells what a page is for. */
#define CACHE_TOLD(ACCESS, ADD, DIRTY) \
	"cache.access: kprobe " ACCESS "\n" "cache.add: kprobe " ADD "\n" \
	"cache.dirty: tracepoint writeback:" DIRTY "\n"
#define UNTOLD	"cache.add.gfp\n"
#define CACHE(ACCESS, DIRTY) \
	"cache.access: kprobe " ACCESS "\n" \
	"cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n" \
	"cache.dirty: tracepoint writeback:" DIRTY "\n" \
	"cache.buffer: tracepoint block:block_dirty_buffer\n"

#define OOM(VICTIM) \
	"oom.kill: kprobe oom_kill_process\n" "oom.victim: tracepoint " VICTIM "\n" \
	"oom.end: kretprobe oom_kill_process\n"
#define NO_PAGES	"oom.kill.pages\n"
#define RECLAIM \
	"reclaim.begin: tracepoint vmscan:mm_vmscan_direct_reclaim_begin\n" \
	"reclaim.end: tracepoint vmscan:mm_vmscan_direct_reclaim_end\n"

#define COMPACTION \
	"compact.begin: tracepoint compaction:mm_compaction_begin\n" \
	"compact.look: tracepoint compaction:mm_compaction_finished\n" \
	"compact.end: tracepoint compaction:mm_compaction_end\n"

#define MOVING(KIND, HOOK, WHAT) "numa." HOOK ": " KIND " migrate_misplaced_" WHAT "\n"
#define NEVER_MOVES "this kernel has no function migrate_misplaced_"

#define FILLING "cache.file: tracepoint filemap:mm_filemap_add_to_page_cache\n"

static const struct resolve_row whole[] = {
	{ TO_4_4, "cachefill", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10", "cachefill", BPF, FILLING, "cache.file.order\n" },
	{ OLD "5.10", "cachefill", RING, FILLING, "cache.file.order\n" },
	{ "6.1 6.12 7.2", "cachefill", BPF | RING, FILLING },
	{ "3.10", "swapin", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "swapin", BPF, .refused = NO_IDENTITY },
	{ "4.4", "swapin", BPF, .refused = UNSAFE_HASH },
	{ "3.10 4.1 4.4", "swapin", RING, "swap.read: kprobe swap_readpage\n" },
	{ "4.9 4.12 4.19 5.10 6.1", "swapin", BPF | RING, "swap.read: kprobe swap_readpage\n" },
	{ "6.12 7.2", "swapin", BPF | RING, "swap.read: kprobe swap_read_folio\n" },
	{ TO_4_4, "compactsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "compactsnoop", BPF, COMPACTION },
	{ "3.10", "compactsnoop", RING,
	  .refused = "this kernel has no tracepoint compaction:mm_compaction_begin" },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "compactsnoop", RING, COMPACTION },
	{ TO_4_4, "drsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "drsnoop", BPF, RECLAIM },
	{ OLD NEWER, "drsnoop", RING, RECLAIM, "reclaim.end.uid\n" },
	/*
	 * An array does not allocate: safe from the first kernel that takes a program on a kprobe.
	 */
	{ "3.10", "numamove", BPF, .refused = "this kernel" },
	{ "4.1 4.4 4.9 4.12 4.19 ", "numamove", BPF, .refused = NEVER_MOVES },
	{ OLD, "numamove", RING, .refused = NEVER_MOVES },
	{ "5.10", "numamove", BPF | RING,
	  MOVING("kprobe", "page", "page") MOVING("kprobe", "page", "transhuge_page")
	  MOVING("kretprobe", "page_moved", "page")
	  MOVING("kretprobe", "page_moved", "transhuge_page") },
	{ "6.1", "numamove", BPF | RING,
	  MOVING("kprobe", "page", "page") MOVING("kretprobe", "page_moved", "page") },
	{ "6.12 7.2", "numamove", BPF | RING,
	  MOVING("kprobe", "page", "folio") MOVING("kretprobe", "page_moved", "folio") },
	{ "3.10", "cachestat", BPF, .refused = "this kernel has none of its events" },
	{ "4.1 4.4", "cachestat", BPF,
	  "cache.access: kprobe mark_page_accessed\n" "cache.add: kprobe add_to_page_cache_lru\n"
	  "cache.dirty: kprobe account_page_dirtied\n" "cache.buffer: kprobe mark_buffer_dirty\n",
	  UNTOLD },
	{ "4.9 4.12 4.19", "cachestat", BPF,
	  CACHE("mark_page_accessed", "writeback_dirty_page"), UNTOLD },
	{ OLD, "cachestat", RING, CACHE("mark_page_accessed", "writeback_dirty_page"), UNTOLD },
	{ "5.10", "cachestat", BPF | RING,
	  CACHE_TOLD("mark_page_accessed", "add_to_page_cache_lru", "writeback_dirty_page") },
	{ "6.1 6.12 7.2", "cachestat", BPF | RING,
	  CACHE_TOLD("folio_mark_accessed", "filemap_add_folio", "writeback_dirty_folio") },
	/* Snapshots do not tell where the pages are. */
	{ "3.10", "oomkill", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "oomkill", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "oomkill", BPF, OOM("signal:signal_generate"), NO_PAGES },
	{ OLD, "oomkill", RING, OOM("signal:signal_generate"), NO_PAGES },
	{ NEWER, "oomkill", BPF | RING, OOM("oom:mark_victim"), NO_PAGES },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "cachefill", BPF | RING,
	  .without = "tracepoint:filemap:mm_filemap_add_to_page_cache",
	  .refused = "this kernel has no tracepoint filemap:mm_filemap_add_to_page_cache" },
	{ "6.1", "cachestat", BPF,
	  CACHE_TOLD("folio_mark_accessed", "filemap_add_folio", "writeback_dirty_folio"),
	  .without = "percpu-maps" },
	{ "6.1", "cachestat", BPF | RING, CACHE("folio_mark_accessed", "writeback_dirty_folio"),
	  UNTOLD, .without = "function:filemap_add_folio" },
	{ "6.1", "oomkill", BPF | RING, OOM("signal:signal_generate"), NO_PAGES,
	  .without = "tracepoint:oom:mark_victim" },
	{ "6.1", "oomkill", BPF | RING, "oom.victim: tracepoint oom:mark_victim\n", "oom.kill\n",
	  .without = "kprobes" },
	{ "4.19", "oomkill", BPF | RING, "oom.victim: tracepoint oom:mark_victim\n",
	  "oom.kill\n" "oom.victim.name\n",
	  .without = "kprobes" },
	{ "6.1", "oomkill", RING, .without = "kprobes,tracepoint:oom:mark_victim",
	  .refused = "oom.victim: this kernel has no tracepoint oom:mark_victim" },
	{ "6.1", "cachestat", BPF | RING,
	  "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n"
	  "cache.buffer: tracepoint block:block_dirty_buffer\n", "cache.access\n" UNTOLD,
	  .without = "kprobes" },
	{ "6.1", "cachestat", BPF,
	  "cache.access: kprobe folio_mark_accessed\n" "cache.add: kprobe filemap_add_folio\n",
	  "cache.dirty\n",
	  .without = "bpf-tracepoint" },
	/*
	 * Functions of pages are wrappers where there are folios: they do not count what the others
	 * do.
	 */
	{ "6.1", "cachestat", RING, "cache.add: kprobe filemap_add_folio\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n",
	  "cache.access\n", .without = "function:folio_mark_accessed" },
	{ "6.1", "cachestat", RING, "cache.access: kprobe folio_mark_accessed\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n",
	  "cache.add\n", .without = "tracepoint:filemap:mm_filemap_add_to_page_cache,"
				    "function:filemap_add_folio" },
};

RESOLVE_ROWS(memory, whole, lacking);
