// SPDX-License-Identifier: GPL-2.0
/* The tools about functions that the user names, over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define HIST(UNIT, MORE, SLOTS) \
	"{\"histogram\":\"latency\",\"unit\":\"" UNIT \
	"\",\"time\":\"1970-01-01T00:00:00.000000Z\"," MORE "\"slots\":[" SLOTS "]"
#define ALL(UNIT, SLOTS, AVERAGE, SUM, COUNT) \
	HIST(UNIT, "", SLOTS) ",\"avg\":" AVERAGE ",\"total\":" SUM ",\"count\":" COUNT "}\n"
#define SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"

/* A call of the kernel's vfs_read(): a return has taken the address it went to off the stack. */
#define BEGINS(TIME, TID, SP)	TIME " 0 " TID " p:vfs_read sp=" SP "\n"
#define ENDS(TIME, TID, SP)	TIME " 0 " TID " r:vfs_read sp=" SP "\n"
#define TASKS	"task 7 5 a\n" "task 8 5 a\n" "task 9 6 b\n"

#define HIT(TIME, TID)		TIME " 0 " TID " p:vfs_read\n"
#define BETWEEN(SLOTS, AVERAGE, SUM, COUNT) \
	"{\"histogram\":\"interval\",\"unit\":\"nsecs\",\"time\":\"1970-01-01T00:00:00.000000Z\"," \
	"\"slots\":[" SLOTS "],\"avg\":" AVERAGE ",\"total\":" SUM ",\"count\":" COUNT "}\n"

static const struct program_row funclatency_rows[] = {
	JSON("a call", "funclatency vfs_read", BEGINS("1000", "7", "96") ENDS("1010", "7", "104"),
	     ALL("nsecs", SLOT("10", "10", "1"), "10", "10", "1")),
	JSON("a call within another: each has its own time", "funclatency vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("1002", "7", "64") ENDS("1005", "7", "72")
	     ENDS("1010", "7", "104"),
	     ALL("nsecs", SLOT("3", "3", "1") "," SLOT("10", "10", "1"), "6", "13", "2")),
	JSON("a return that was missed", "funclatency vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("1002", "7", "64") ENDS("1010", "7", "104")
	     BEGINS("2000", "7", "64") ENDS("2005", "7", "72"),
	     ALL("nsecs", SLOT("5", "5", "1") "," SLOT("10", "10", "1"), "7", "15", "2"),
	     .returns = 1),
	JSON("a return that was missed, where the kernel tells", "funclatency vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("2000", "7", "96") ENDS("2005", "7", "104"),
	     ALL("nsecs", SLOT("5", "5", "1"), "5", "5", "1"), ON("6.12")),
	JSON("a thread ended within its call, and another calls at its place",
	     "funclatency vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("2000", "9", "96") ENDS("2005", "9", "104"),
	     ALL("nsecs", SLOT("5", "5", "1"), "5", "5", "1")),
	JSON("a call that began before", "funclatency vfs_read",
	     ENDS("1010", "7", "104") BEGINS("2000", "7", "64") ENDS("2005", "7", "72"),
	     ALL("nsecs", SLOT("5", "5", "1"), "5", "5", "1")),
	JSON("two threads at once", "funclatency vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("1001", "8", "1096") ENDS("1005", "7", "104")
	     ENDS("1010", "8", "1104"),
	     ALL("nsecs", SLOT("5", "5", "1") "," SLOT("9", "9", "1"), "7", "14", "2")),
	JSON("a thread ended within its call, and another has its stack", "funclatency vfs_read",
	     TASKS BEGINS("1000", "7", "96") ENDS("1010", "9", "104"),
	     ALL("nsecs", "", "null", "0", "0")),
	JSON("one process", "funclatency vfs_read -p 6",
	     TASKS BEGINS("1000", "7", "96") BEGINS("1001", "9", "1096") ENDS("1005", "7", "104")
	     ENDS("1010", "9", "1104"), ALL("nsecs", SLOT("9", "9", "1"), "9", "9", "1")),
	TEXT("microseconds", "funclatency -u vfs_read",
	     BEGINS("1000", "7", "96") ENDS("4500", "7", "104") BEGINS("5000", "7", "96")
	     ENDS("6600", "7", "104"),
	     "Tracing 1 function for \"vfs_read\"... Hit Ctrl-C to end.\n\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "         2 -> 3          : 1        |****************************************|\n"
	     "\navg = 2 usecs, total: 5 usecs, count: 2\n\n"),
	JSON("milliseconds", "funclatency -m vfs_read",
	     BEGINS("1000", "7", "96") ENDS("10001000", "7", "104"),
	     ALL("msecs", SLOT("10", "10", "1"), "10", "10", "1")),
	JSON("outermost calls only", "funclatency -l 1 vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("1002", "7", "64") ENDS("1005", "7", "72")
	     ENDS("1010", "7", "104") BEGINS("2000", "7", "64") ENDS("2007", "7", "72"),
	     ALL("nsecs", SLOT("7", "7", "1") "," SLOT("10", "10", "1"), "8", "17", "2")),
	JSON("two levels, and a return that was missed", "funclatency -l 2 vfs_read",
	     BEGINS("1000", "7", "96") BEGINS("1002", "7", "64") BEGINS("1003", "7", "32")
	     ENDS("1004", "7", "40") BEGINS("1020", "7", "60") ENDS("1025", "7", "68")
	     BEGINS("1030", "7", "72") BEGINS("1031", "7", "32") ENDS("1032", "7", "40")
	     ENDS("1033", "7", "80") ENDS("1040", "7", "104"),
	     ALL("nsecs", SLOT("3", "3", "1") "," SLOT("40", "43", "1"), "21", "43", "2")),
	JSON("each function", "funclatency -F vfs_read",
	     BEGINS("1000", "7", "96") ENDS("1010", "7", "104"),
	     HIST("nsecs", "\"function\":\"vfs_read\",", SLOT("10", "10", "1")) "}\n"
	     ALL("nsecs", "", "10", "10", "1")),
	JSON("of user space, in each process", "funclatency -F c:getaddrinfo",
	     TASKS "1000 0 7 p:getaddrinfo sp=96\n" "1001 0 9 p:getaddrinfo sp=96\n"
	     "1006 0 7 r:getaddrinfo sp=104\n" "1010 0 9 r:getaddrinfo sp=104\n",
	     HIST("nsecs", "\"function\":\"getaddrinfo [5]\",", SLOT("6", "6", "1")) "}\n"
	     HIST("nsecs", "\"function\":\"getaddrinfo [6]\",", SLOT("9", "9", "1")) "}\n"
	     ALL("nsecs", "", "7", "15", "2")),
	JSON("a gap within a call", "funclatency vfs_read",
	     BEGINS("1000", "7", "96") "gap 0 2000 3000 2\n" ENDS("4000", "7", "104")
	     BEGINS("5000", "7", "96") ENDS("5005", "7", "104"),
	     ALL("nsecs", SLOT("5", "5", "1"), "5", "5", "1"), .lost = 2, .unpaired = 1),
	JSON("from each call to the next, whoever calls", "funclatency --between vfs_read", TASKS
	     HIT("1000", "7") HIT("1010", "9") HIT("1013", "7"),
	     BETWEEN(SLOT("3", "3", "1") "," SLOT("10", "10", "1"), "6", "13", "2")),
	JSON("calls of one process", "funclatency --between vfs_read -p 5", TASKS
	     HIT("1000", "7") HIT("1005", "9") HIT("1010", "8"),
	     BETWEEN(SLOT("10", "10", "1"), "10", "10", "1")),
	JSON("one call has no next one", "funclatency --between vfs_read", HIT("1000", "7"),
	     BETWEEN("", "null", "0", "0")),
	JSON("hits of a tracepoint", "funclatency --between t:sched:sched_switch",
	     "1000 0 7 sched:sched_switch\n" "1003 0 8 sched:sched_switch\n",
	     BETWEEN(SLOT("3", "3", "1"), "3", "3", "1")),
	JSON("a gap ends an interval", "funclatency --between vfs_read", HIT("1000", "7")
	     "gap 0 1500 1600 1\n" HIT("2000", "7") HIT("2003", "7"),
	     BETWEEN(SLOT("3", "3", "1"), "3", "3", "1"), .lost = 1, .unpaired = 1),
};

/* funcslower */

#define SLOWER	"Tracing function calls slower than "
#define SLOWER_HEAD(MORE) \
	"COMM             PID       LAT(" MORE ")               RVAL FUNC\n"

static const struct program_row funcslower_rows[] = {
	TEXT("a millisecond and more", "funcslower vfs_read",
	     TASKS BEGINS("1000", "7", "96") "1001000 0 7 r:vfs_read sp=104 retval=-14\n"
	     BEGINS("2000000", "9", "96") "2999999 0 9 r:vfs_read sp=104 retval=1\n",
	     SLOWER "1 ms... Hit Ctrl-C to end.\n" SLOWER_HEAD("ms")
	     "a                5            1.00 0xfffffffffffffff2 vfs_read\n"),
	TEXT("calls within calls, in microseconds, with arguments", "funcslower -u 2 -a 2 vfs_read",
	     TASKS "1000 0 7 p:vfs_read sp=96 arg1=16 arg2=255\n"
	     "2000 0 7 p:vfs_read sp=64 arg1=17 arg2=254\n"
	     "4500 0 7 r:vfs_read sp=72 retval=1\n" "7000 0 7 r:vfs_read sp=104 retval=2\n",
	     SLOWER "2 us... Hit Ctrl-C to end.\n"
	     "COMM             PID       LAT(us)               RVAL FUNC                     ARGS\n"
	     "a                5            2.50                0x1 vfs_read                 "
	     "0x11 0xfe\n"
	     "a                5            6.00                0x2 vfs_read                 "
	     "0x10 0xff\n"),
	JSON("all, for machines", "funcslower -m 0 vfs_read",
	     TASKS BEGINS("1000", "7", "96") "1000 0 7 r:vfs_read sp=104 retval=3\n",
	     "{\"comm\":\"a\",\"pid\":5,\"tid\":7,\"lat_ms\":0.00,\"retval\":\"0x3\","
	     "\"func\":\"vfs_read\"}\n"),
	JSON("a gap within a call", "funcslower -m 0 vfs_read",
	     BEGINS("1000", "7", "96") "gap 0 2000 3000 2\n" ENDS("4000", "7", "104"), "",
	     .lost = 2, .unpaired = 1),
};

#define TOOLS(TOOL) TOOL(funclatency) TOOL(funcslower)
PROGRAM_SUITE(programs_functions, TOOLS)
