// SPDX-License-Identifier: GPL-2.0
/* The tools about memory over records; see program_rows.h. */
#include "tests/unit/program_rows.h"
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
	     END("30", "7", "5"), HEAD, 1),
	JSON("for machines", "drsnoop --name do", CAT BEGIN("10", "7") END("20", "7", "5")
	     BEGIN("30", "9")
	     END("1000030", "9", "6"),
	     "{\"comm\":\"dog\",\"pid\":1,\"lat_ms\":1.00,\"pages\":6}\n"),
};

#define TOOLS(TOOL) TOOL(drsnoop)
PROGRAM_SUITE(programs_memory, TOOLS)
