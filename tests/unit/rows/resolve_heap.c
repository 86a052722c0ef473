// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define CALL(NAME)	"heap.call: uprobe heap:" NAME "\n"
#define RETURN(NAME)	"heap.return: uretprobe heap:" NAME "\n"
#define FREE(NAME)	"heap.free: uprobe heap:" NAME "\n"
#define EACH(WHAT) \
	WHAT("malloc") WHAT("calloc") WHAT("realloc") WHAT("aligned_alloc") WHAT("memalign") \
	WHAT("valloc") WHAT("pvalloc") WHAT("_Znwm") WHAT("_Znam") WHAT("_ZnwmRKSt9nothrow_t") \
	WHAT("_ZnamRKSt9nothrow_t")
#define HEAP \
	EACH(CALL) EACH(RETURN) FREE("free") FREE("cfree") FREE("_ZdlPv") FREE("_ZdaPv") \
	FREE("_ZdlPvm") FREE("_ZdaPvm")
#define ALIGNED \
	"aligned.call: uprobe heap:posix_memalign\n" \
	"aligned.return: uretprobe heap:posix_memalign\n"
#define MAPS \
	"maps.call: uprobe heap:mmap\n" "maps.call: uprobe heap:mmap64\n" \
	"maps.call: uprobe heap:munmap\n" "maps.call: uprobe heap:mremap\n" \
	"maps.return: uretprobe heap:mmap\n" "maps.return: uretprobe heap:mmap64\n" \
	"maps.return: uretprobe heap:munmap\n" "maps.return: uretprobe heap:mremap\n"
#define TASKS \
	"exec.done: tracepoint sched:sched_process_exec\n" \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define NO_ALIGNED	"aligned.call\n" "aligned.return\n"

#define OBJECTS	"kmem.alloc: tracepoint kmem:kmalloc\n" \
		"kmem.alloc: tracepoint kmem:kmem_cache_alloc\n"
#define NODES	"kmem.alloc: tracepoint kmem:kmalloc_node\n" \
		"kmem.alloc: tracepoint kmem:kmem_cache_alloc_node\n"
#define FREES	"kmem.free: tracepoint kmem:kfree\n" \
		"kmem.free: tracepoint kmem:kmem_cache_free\n" \
		"pages.alloc: tracepoint kmem:mm_page_alloc\n" \
		"pages.free: tracepoint kmem:mm_page_free\n"
#define PER_CPU	"percpu.alloc: tracepoint percpu:percpu_alloc_percpu\n" \
		"percpu.free: tracepoint percpu:percpu_free_percpu\n"

#define THREADS	"thread.make: uprobe threads:pthread_create\n" \
		"thread.made: uretprobe threads:pthread_create\n"

#define CACHES_BY_FUNCTION \
	"slab.cache: kprobe kmem_cache_alloc\n" "slab.cache: kprobe kmem_cache_alloc_lru\n" \
	"slab.cache: kprobe kmem_cache_alloc_node\n"
#define BULK	"slab.bulk: kprobe kmem_cache_alloc_bulk\n"
#define NO_CACHES	"offset of kmem_cache.name is not known"

/* Of the snapshots only that of 6.1 tells where a cache's name is. */
static const struct resolve_row whole[] = {
	{ TO_4_4, "slabratetop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10 6.12 7.2", "slabratetop", BPF, .refused = NO_CACHES },
	{ OLD "5.10 6.12 7.2", "slabratetop", RING, .refused = NO_CACHES },
	{ "6.1", "slabratetop", BPF | RING,
	  CACHES_BY_FUNCTION BULK "slab.kmalloc: tracepoint kmem:kmalloc\n" },

	{ "3.10 4.1", "memleak -p 5", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "memleak -p 5", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "memleak -p 5", BPF, HEAP ALIGNED MAPS TASKS },
	{ OLD NEWER, "memleak -p 5", RING, HEAP MAPS TASKS, NO_ALIGNED },
	{ TO_4_4, "memleak", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10", "memleak", BPF, OBJECTS NODES FREES },
	{ "6.1 6.12 7.2", "memleak", BPF | RING, OBJECTS FREES },
	{ OLD "5.10", "memleak", RING, OBJECTS NODES FREES },
	{ "4.19 " NEWER, "memleak -P", BPF | RING, PER_CPU },
	{ "3.10 4.1", "threadsnoop", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "threadsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "threadsnoop", BPF, THREADS },
	{ OLD NEWER, "threadsnoop", RING, THREADS },
	{ "4.9 4.12", "memleak -P", BPF | RING,
	  .refused = "this kernel has no tracepoint percpu:percpu_alloc_percpu" },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "slabratetop", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for kmem_cache_alloc" },

	{ "6.1", "memleak -p 5", BPF | RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes, for malloc" },
	{ "6.1", "memleak", BPF | RING, OBJECTS
	  "kmem.free: tracepoint kmem:kfree\n" "kmem.free: tracepoint kmem:kmem_cache_free\n"
	  "pages.free: tracepoint kmem:mm_page_free\n", "pages.alloc\n",
	  .without = "tracepoint:kmem:mm_page_alloc" },
};

RESOLVE_ROWS(heap, whole, lacking);
