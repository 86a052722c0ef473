// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that programs and the kernel take and give back. In user space these are the functions of
 * "heap" (compat/binaries/binaries.c). Each file has some of them.
 */
#include "compat/hooks/hooks_rows.h"

/* The place of a call on the stack identifies it among the calls within it (insns/calls.h). */
#define ON_CALL		.inputs = "sp=$sp:uW"
#define ON_RETURN	.inputs = "sp=$sp:uW popped=$popped retval=$retval:uW"

#define CALL(NAME, INPUTS)	UPROBE("heap:" NAME, INPUTS, OPTIONAL)
#define RETURN(NAME)		URETPROBE("heap:" NAME, "through=0", OPTIONAL)

/* The names of C++ operators contain the type of the size: m is 64 bits, j is 32. */
#define NEW		"_Znwm|_Znwj"
#define NEW_ARRAY	"_Znam|_Znaj"
#define NEW_SILENT	"_ZnwmRKSt9nothrow_t|_ZnwjRKSt9nothrow_t"
#define NEW_ARRAY_SILENT "_ZnamRKSt9nothrow_t|_ZnajRKSt9nothrow_t"
#define DELETE_SIZED	"_ZdlPvm|_ZdlPvj"
#define DELETE_ARRAY_SIZED "_ZdaPvm|_ZdaPvj"

#define FIRST_IS_SIZE	"size=$arg1:uW n=1 pointer=0"
#define SECOND_IS_SIZE	"size=$arg2:uW n=1 pointer=0"
#define FREES		"pointer=$arg1:uW"

/* The kind of the call: enum memleak_kind of insns/programs/memleak.h. */
#define MMAP		"kind=2 address=0 size=$arg2:uW length=0 flags=0"
#define MUNMAP		"kind=3 address=$arg1:uW size=$arg2:uW length=0 flags=0"
#define MREMAP		"kind=4 address=$arg1:uW size=$arg2:uW length=$arg3:uW flags=$arg4:u32"

/* The kind of the memory: enum memleak_space of the same header. */
#define OBJECT		"address=ptr space=0 order=0 "
#define PAGES		"space=1 "
#define PER_CPU		"address=ptr space=2 order=0 "

/*
 * A cache and the size of its objects, 0: unknown. The struct's first members differ between the
 * allocators. Names are short.
 */
#define NAMED(AT)	"name=+0(+{kmem_cache.name}(" AT ")):entry "
#define SIZED(AT)	"size=+{kmem_cache.size}(" AT "):u32 "
#define BY_ARGUMENT	"cache=$arg1:uW " NAMED("$arg1")
#define WITH_SIZE	BY_ARGUMENT SIZED("$arg1")
#define WITHOUT_SIZE	BY_ARGUMENT "size=0 "
/* 6.0. Earlier kernels have a number there. */
#define RAW_CACHE \
	RAW_TP("kmem:kmem_cache_alloc", "cache=$arg3:*kmem_cache " NAMED("$arg3") SIZED("$arg3"))
/* 6.10 */
#define CACHES_NOPROF(CACHE) { \
	PROBES(KPROBE("kmem_cache_alloc_noprof", CACHE), \
	       KPROBE("kmem_cache_alloc_lru_noprof", CACHE), \
	       KPROBE("kmem_cache_alloc_node_noprof", CACHE, OPTIONAL), \
	       /* 6.18 */ \
	       KPROBE("kmem_cache_alloc_from_sheaf_noprof", CACHE, OPTIONAL)) }
#define CACHES(CACHE) { \
	PROBES(KPROBE("kmem_cache_alloc", CACHE), \
	       KPROBE("kmem_cache_alloc_lru", CACHE, OPTIONAL),		/* 5.18 */ \
	       KPROBE("kmem_cache_alloc_node", CACHE, OPTIONAL)) }
#define BULK(CACHE) \
	ONE(KPROBE("kmem_cache_alloc_bulk_noprof", CACHE "n=$arg3:uW")), \
	ONE(KPROBE("kmem_cache_alloc_bulk", CACHE "n=$arg3:uW"))	/* 4.3 */
/* In 6.0 alone there is a pointer to a cache before the two sizes. */
#define RAW_SIZES	"requested=$arg3:uW size=$arg4:uW"
#define RAW_KMALLOC \
	PROBES(RAW_TP("kmem:kmalloc", RAW_SIZES), RAW_TP("kmem:kmalloc_node", RAW_SIZES, OPTIONAL))

const struct hook hooks_heap[] = {
	HOOK("heap.call", "a program asks for memory",
		{ PROBES(CALL("malloc", FIRST_IS_SIZE),
			 CALL("calloc", "size=$arg1:uW n=$arg2:uW pointer=0"),
			 CALL("realloc", "size=$arg2:uW n=1 pointer=$arg1:uW"),
			 CALL("aligned_alloc", SECOND_IS_SIZE),
			 CALL("memalign", SECOND_IS_SIZE),
			 CALL("valloc", FIRST_IS_SIZE),
			 CALL("pvalloc", FIRST_IS_SIZE),
			 CALL(NEW, FIRST_IS_SIZE),
			 CALL(NEW_ARRAY, FIRST_IS_SIZE),
			 CALL(NEW_SILENT, FIRST_IS_SIZE),
			 CALL(NEW_ARRAY_SILENT, FIRST_IS_SIZE)), ON_CALL },
	),
	HOOK("heap.return", "the memory was taken",
		{ PROBES(RETURN("malloc"), RETURN("calloc"), RETURN("realloc"),
			 RETURN("aligned_alloc"), RETURN("memalign"), RETURN("valloc"),
			 RETURN("pvalloc"), RETURN(NEW), RETURN(NEW_ARRAY), RETURN(NEW_SILENT),
			 RETURN(NEW_ARRAY_SILENT)), ON_RETURN },
	),
	HOOK("heap.free", "a program gives memory back",
		{ PROBES(CALL("free", FREES), CALL("cfree", FREES), CALL("_ZdlPv", FREES),
			 CALL("_ZdaPv", FREES), CALL(DELETE_SIZED, FREES),
			 CALL(DELETE_ARRAY_SIZED, FREES)) },
	),
	/*
	 * posix_memalign() writes the address to a place of the caller, and no record of a return
	 * has it.
	 */
	HOOK("aligned.call", "posix_memalign() is called",
		{ PROBES(UPROBE("heap:posix_memalign", "size=$arg3:uW pointer=$arg1:uW")), ON_CALL,
		  .targets = FOR_BPF },
	),
	HOOK("aligned.return", "posix_memalign() returns",
		{ PROBES(URETPROBE("heap:posix_memalign", "through=1")), ON_RETURN,
		  .targets = FOR_BPF },
	),
	HOOK("maps.call", "a program changes its mappings",
		{ PROBES(CALL("mmap", MMAP), CALL("mmap64", MMAP), CALL("munmap", MUNMAP),
			 CALL("mremap", MREMAP)), ON_CALL },
	),
	HOOK("maps.return", "the mappings were changed",
		{ PROBES(RETURN("mmap"), RETURN("mmap64"), RETURN("munmap"), RETURN("mremap")),
		  ON_RETURN },
	),

	HOT_HOOK("each allocation of the kernel's", "kmem.alloc",
		 "the kernel takes memory for an object",
		{ PROBES(TRACEPOINT("kmem:kmalloc", OBJECT "size=bytes_alloc"),
			 TRACEPOINT("kmem:kmem_cache_alloc", OBJECT "size=bytes_alloc"),
			 /* until 6.0 */
			 TRACEPOINT("kmem:kmalloc_node", OBJECT "size=bytes_alloc", OPTIONAL),
			 TRACEPOINT("kmem:kmem_cache_alloc_node", OBJECT "size=bytes_alloc",
				    OPTIONAL)) },
	),
	HOT_HOOK("each free of the kernel's", "kmem.free", "the kernel frees memory",
		{ PROBES(TRACEPOINT("kmem:kfree", OBJECT),
			 TRACEPOINT("kmem:kmem_cache_free", OBJECT)) },
	),
	/*
	 * Each of these functions takes its object by itself; kmalloc() has others, which all hit
	 * its tracepoint. Only since 7.x a record tells the cache's name, and none its address.
	 */
	HOT_HOOK("each allocation of the kernel's", "slab.cache",
		 "the kernel takes an object of a cache",
		ONE(RAW_CACHE, NEEDS_FEATURE(RAW_WHOLE)),
		CACHES_NOPROF(WITH_SIZE), CACHES(WITH_SIZE),
		CACHES_NOPROF(WITHOUT_SIZE), CACHES(WITHOUT_SIZE),
		ONE(RAW_CACHE),
	),
	/* No tracepoint tells of these. */
	HOOK("slab.bulk", "the kernel takes many objects of a cache at once",
		BULK(WITH_SIZE), BULK(WITHOUT_SIZE),
	),
	HOT_HOOK("each allocation of the kernel's", "slab.kmalloc",
		 "the kernel takes memory by its size",
		{ RAW_KMALLOC, NEEDS_FEATURE(RAW_WHOLE) },
		{ PROBES(TRACEPOINT("kmem:kmalloc", "size=bytes_alloc"),
			 /* until 6.0 */
			 TRACEPOINT("kmem:kmalloc_node", "size=bytes_alloc", OPTIONAL)) },
		{ RAW_KMALLOC },
	),
	HOT_HOOK("each allocation of pages", "pages.alloc", "the kernel takes pages",
		{ .family = "pfn", PROBES(			/* 4.1 */
			TRACEPOINT("kmem:mm_page_alloc",
				   PAGES "address=pfn order=order size=0")) },
		{ .family = "page", PROBES(
			TRACEPOINT("kmem:mm_page_alloc",
				   PAGES "address=page order=order size=0")) },
	),
	HOT_HOOK("each free of pages", "pages.free", "the kernel gives pages back",
		{ .family = "pfn", PROBES(
			TRACEPOINT("kmem:mm_page_free", PAGES "address=pfn")) },
		{ .family = "page", PROBES(
			TRACEPOINT("kmem:mm_page_free", PAGES "address=page")) },
	),
	HOOK("percpu.alloc", "the kernel takes memory of each CPU",
		ONE(TRACEPOINT("percpu:percpu_alloc_percpu", PER_CPU "size=size")),	/* 4.13 */
	),
	HOOK("percpu.free", "the kernel frees memory",
		ONE(TRACEPOINT("percpu:percpu_free_percpu", PER_CPU)),
	),
	{ }
};
