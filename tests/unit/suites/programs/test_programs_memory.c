// SPDX-License-Identifier: GPL-2.0
/* The tools about memory over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CAT		"task 7 5 cat\n" "task 9 1 dog\n"
#define BEGIN(TIME, TID)	TIME " 0 " TID " vmscan:mm_vmscan_direct_reclaim_begin\n"
#define END(TIME, TID, PAGES)	TIME " 1 " TID " vmscan:mm_vmscan_direct_reclaim_end pages=" PAGES \
	"\n"
#define HEAD		"COMM           PID     LAT(ms) PAGES\n"

static const struct program_row drsnoop_rows[] = {
	TEXT("two tasks at a time", "drsnoop", CAT BEGIN("1000", "7") BEGIN("2000", "9")
	     END("2501000", "7", "32")
	     END("12002000", "9", "0"),
	     HEAD "cat            5          2.50    32\n"
	     "dog            1         12.00     0\n"),
	TEXT("with time and user, which the rings do not know", "drsnoop -TU",
	     CAT BEGIN("1000", "7") END("6000", "7", "5")
	     BEGIN("1000000", "7") END("2006000", "7", "6"),
	     "TIME(s)        UID    " HEAD
	     "0.000000000    -      cat            5          0.01     5\n"
	     "0.002000000    -      cat            5          1.01     6\n"),
	TEXT("a thread", "drsnoop -t 1", "task 1 1 init\n" CAT BEGIN("10", "7") END("20", "7", "5")
	     BEGIN("30", "1")
	     END("40", "1", "6"), "COMM           TID     LAT(ms) PAGES\n"
	     "init           1          0.00     6\n"),
	TEXT("an end alone, and one after a gap", "drsnoop", CAT END("10", "7", "5")
	     BEGIN("20", "7") "gap 0 25 26 1\n"
	     END("30", "7", "5"), HEAD, .lost = 1, .unpaired = 1),
	JSON("for machines", "drsnoop --name do", CAT BEGIN("10", "7") END("20", "7", "5")
	     BEGIN("30", "9")
	     END("1000030", "9", "6"),
	     "{\"comm\":\"dog\",\"pid\":1,\"lat_ms\":1.00,\"pages\":6}\n"),
};

/* cachefill */

#define FILLS(TID, DEV, INODE, ORDER) \
	"10 0 " TID " filemap:mm_filemap_add_to_page_cache dev=" DEV " inode=" INODE " order=" \
	ORDER "\n"
#define FILL_HEAD "\n00:00:00 loadavg: -\n\n" \
	"   PAGES         KB DEVICE     INODE      FILE\n"
/* Of a disk and of a file system without one; large folios; a number of 64 bits. */
#define FILLED	CAT FILLS("7", "8388609", "12", "0") FILLS("9", "45", "12", "2") \
	FILLS("7", "8388609", "12", "0") FILLS("7", "8388609", "-1", "0")

static const struct program_row cachefill_rows[] = {
	TEXT("most pages first", "cachefill -C", FILLED, FILL_HEAD
	     "       4         16 0:45       12         -\n"
	     "       2          8 8:1        12         -\n"
	     "       1          4 8:1        -          -\n"),
	TEXT("of a process", "cachefill -C -p 1", FILLED, FILL_HEAD
	     "       4         16 0:45       12         -\n"),
	TEXT("the first row", "cachefill -r 1", FILLED, FILL_HEAD
	     "       4         16 0:45       12         -\n"),
	JSON("for machines", "cachefill -p 1", FILLED,
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pages\":4,\"kb\":16,"
	     "\"device\":\"0:45\",\"inode\":12,\"file\":null}\n"),
	TEXT("by control group; records of a file have no /proc", "cachefill -C --by-cgroup",
	     FILLED, "\n00:00:00 loadavg: -\n\n   PAGES         KB CGROUP\n"
	     "       7         28 -\n"),
};

/* memleak, of the kernel */

#define ALLOC(TIME, EVENT, ADDRESS, SIZE) \
	TIME " 0 7 kmem:" EVENT " address=" ADDRESS " size=" SIZE " kernel_stack=0xa,0xb\n"
#define FREE(TIME, EVENT, ADDRESS)	TIME " 0 8 kmem:" EVENT " address=" ADDRESS "\n"
#define PAGES(TIME, PFN, ORDER) \
	TIME " 0 7 kmem:mm_page_alloc address=" PFN " order=" ORDER " kernel_stack=0xc\n"
#define KERNEL_LEAKS	"memleak -f --addresses"

static const struct program_row memleak_rows[] = {
	TEXT("objects", KERNEL_LEAKS, ALLOC("10", "kmalloc", "4096", "64")
	     ALLOC("20", "kmem_cache_alloc", "8192", "32") ALLOC("30", "kmalloc", "16384", "8")
	     ALLOC("35", "kmalloc", "0", "128")
	     FREE("40", "kfree", "8192") FREE("50", "kmem_cache_free", "16384")
	     FREE("60", "kfree", "0"), "-;0xb;0xa 64\n"),
	TEXT("pages, which are no objects; there is none", KERNEL_LEAKS, PAGES("10", "4096", "0")
	     ALLOC("20", "kmalloc", "4096", "8") PAGES("30", "8192", "0") PAGES("35", "-1", "1")
	     PAGES("36", "0", "1")
	     FREE("40", "mm_page_free", "8192") FREE("50", "kfree", "4096"), "-;0xc 4096\n"),
	TEXT("of nodes, before 6.1", KERNEL_LEAKS, ALLOC("10", "kmalloc_node", "4096", "64")
	     ALLOC("20", "kmem_cache_alloc_node", "8192", "32"), "-;0xb;0xa 96\n", ON(V3_10)),
	TEXT("of each CPU", KERNEL_LEAKS " -P",
	     "10 0 7 percpu:percpu_alloc_percpu address=64 size=16 kernel_stack=0xa\n"
	     "20 0 7 percpu:percpu_alloc_percpu address=128 size=8 kernel_stack=0xa\n"
	     "30 0 7 percpu:percpu_free_percpu address=64\n", "-;0xa 8\n"),
};

/* compactsnoop */

#define COMPACTS(TIME, TID, SYNC) \
	TIME " 0 " TID " compaction:mm_compaction_begin sync=" SYNC "\n"
#define LOOKS(TIME, TID, NODE, ZONE, ORDER) \
	TIME " 0 " TID " compaction:mm_compaction_finished node=" NODE " zone=" ZONE \
	" order=" ORDER "\n"
#define COMPACTED(TIME, TID, STATUS) \
	TIME " 1 " TID " compaction:mm_compaction_end status=" STATUS "\n"
#define ZONES	"COMM           PID    NODE ZONE         ORDER MODE      LAT(ms) STATUS\n"

static const struct program_row compactsnoop_rows[] = {
	TEXT("two tasks at a time", "compactsnoop",
	     CAT COMPACTS("1000", "7", "0") COMPACTS("2000", "9", "1")
	     LOOKS("3000", "7", "0", "2", "9") LOOKS("4000", "9", "1", "1", "-1")
	     LOOKS("5000", "7", "0", "2", "9") COMPACTED("1501000", "7", "8")
	     COMPACTED("2002000", "9", "5"),
	     ZONES "cat            5      0    Normal       9     async       1.500 success\n"
	     "dog            1      1    DMA32        -     sync        2.000 complete\n"),
	TEXT("names that the kernel does not tell; a look alone", "compactsnoop --name cat",
	     CAT LOOKS("500", "7", "0", "2", "9") COMPACTS("1000", "7", "0")
	     COMPACTED("11000", "7", "77") COMPACTS("12000", "9", "0")
	     COMPACTED("13000", "9", "8"),
	     ZONES "cat            5      -    -            -     async       0.010 77\n"),
	TEXT("an end alone; a gap", "compactsnoop",
	     CAT COMPACTED("10", "7", "8") COMPACTS("20", "7", "0") "gap 0 25 26 1\n"
	     COMPACTED("30", "7", "8"), ZONES, .lost = 1, .unpaired = 1),
	JSON("one process", "compactsnoop -p 1 --json",
	     CAT COMPACTS("1000", "7", "0") COMPACTED("2000", "7", "8") COMPACTS("3000", "9", "1")
	     LOOKS("4000", "9", "0", "0", "3") COMPACTED("5000", "9", "7"),
	     "{\"comm\":\"dog\",\"pid\":1,\"node\":0,\"zone\":\"DMA\",\"order\":3,"
	     "\"mode\":\"sync\",\"lat_ms\":0.002,\"status\":\"contended\"}\n"),
};

/* swapin */

#define READS_SWAP(TID)	"10 0 " TID " p:swap_readpage\n"

static const struct program_row swapin_rows[] = {
	TEXT("two processes, the one that reads more first", "swapin", CAT READS_SWAP("9")
	     READS_SWAP("7") READS_SWAP("7"),
	     "\nCOMM             PID     COUNT\n"
	     "cat              5       2\n"
	     "dog              1       1\n"),
	JSON("one process", "swapin -p 1", CAT READS_SWAP("7") READS_SWAP("9"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"comm\":\"dog\",\"pid\":1,\"count\":1}\n"),
};

/* slabratetop */

#define CACHE(CPU, TID, FUNCTION, ADDRESS, NAME, SIZE) \
	"10 " CPU " " TID " p:" FUNCTION " cache=" ADDRESS " name=\"" NAME "\" size=" SIZE
#define FILP(CPU, TID)	CACHE(CPU, TID, "kmem_cache_alloc", "64", "filp", "256") "\n"
#define KMALLOC(CPU, TID, SIZE)	"10 " CPU " " TID " kmem:kmalloc size=" SIZE "\n"
#define SLABS	"\n00:00:00 loadavg: -\n\n" \
		"CACHE                            ALLOCS      BYTES\n"

static const struct program_row slabratetop_rows[] = {
	TEXT("caches on two CPUs, sizes, many at once", "slabratetop",
	     CAT FILP("0", "7") FILP("1", "9") FILP("1", "9") KMALLOC("0", "7", "1024")
	     CACHE("0", "7", "kmem_cache_alloc_bulk", "128", "skbuff_head_cache", "224") " n=16\n"
	     CACHE("0", "7", "kmem_cache_alloc_node", "128", "skbuff_head_cache", "224") "\n"
	     CACHE("0", "7", "kmem_cache_alloc_lru", "192", "dentry", "192") "\n",
	     SLABS "skbuff_head_cache                    17       3808\n"
	     "kmalloc-1024                          1       1024\n"
	     "filp                                  3        768\n"
	     "dentry                                1        192\n"),
	TEXT("by number, two rows", "slabratetop -s count -r 2",
	     CAT FILP("0", "7") FILP("1", "9") KMALLOC("0", "7", "8192") KMALLOC("0", "7", "8")
	     KMALLOC("1", "7", "8") KMALLOC("1", "7", "8"),
	     SLABS "kmalloc-8                             3         24\n"
	     "filp                                  2        512\n"),
	TEXT("by name; one without, and of unknown size", "slabratetop -s name",
	     CAT FILP("0", "7") KMALLOC("0", "7", "96")
	     "10 0 7 p:kmem_cache_alloc cache=72 name=fault size=8\n"
	     CACHE("0", "7", "kmem_cache_alloc", "80", "a\\x09b", "0") "\n",
	     SLABS "-                                     1          8\n"
	     "a\\tb                                  1          -\n"
	     "filp                                  1        256\n"
	     "kmalloc-96                            1         96\n", .strings = 1),
	JSON("one process", "slabratetop -p 1", CAT FILP("0", "7") FILP("0", "9"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"cache\":\"filp\",\"allocs\":1,"
	     "\"bytes\":256,\"size\":256}\n"),
};

#define TOOLS(TOOL) TOOL(slabratetop) TOOL(swapin) TOOL(drsnoop) TOOL(compactsnoop) TOOL(memleak) \
	TOOL(cachefill)
PROGRAM_SUITE(programs_memory, TOOLS)
