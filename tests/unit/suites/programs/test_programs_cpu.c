// SPDX-License-Identifier: GPL-2.0
/* The tools about CPUs, and those that only count, over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define HIST(NAME, UNIT, MORE, SLOTS) \
	"{\"histogram\":\"" NAME "\",\"unit\":\"" UNIT \
	"\",\"time\":\"1970-01-01T00:00:00.000000Z\"," \
	MORE "\"slots\":[" SLOTS "]}\n"
#define TIMES(MORE, SLOTS)	HIST("time", "usecs", MORE, SLOTS)
#define SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"
#define TEN(N)			SLOT("10", "10", N)

/* cpudist */

#define SWITCH_ON(CPU, TIME, PREV, STATE, NEXT) \
	TIME " " CPU " " PREV " sched:sched_switch prev_pid=" PREV " prev_state=" STATE \
	" next_pid=" NEXT "\n"
#define SWITCH(TIME, PREV, STATE, NEXT) SWITCH_ON("0", TIME, PREV, STATE, NEXT)
/* Who measures time on a CPU does not ask for more. */
#define ON_CPU(CPU, TIME, PREV)	TIME " " CPU " " PREV " sched:sched_switch prev_pid=" PREV "\n"
#define LEAVES(TIME, PREV)	ON_CPU("0", TIME, PREV)
#define THREADS	"task 7 5 a\n" "task 8 5 a\n" "task 9 6 b\n"

/* A whole record of 6.1. PREV and NEXT are two hexadecimal digits. */
#define ZEROS16		"00000000000000000000000000000000"
#define RECORD(TIME, PREV, NEXT) \
	TIME " 0 7 sched:sched_switch x 0000000000000000" ZEROS16 PREV "00000000000000" \
	"0000000000000000" ZEROS16 NEXT "00000000000000\n"

static const struct program_row cpudist_rows[] = {
	JSON("on a CPU until the next switch", "cpudist", LEAVES("1000", "0") LEAVES("11000", "7"),
	     TIMES("", TEN("1"))),
	JSON("one after the other", "cpudist", LEAVES("1000", "0") LEAVES("11000", "7")
	     LEAVES("21999", "8"),
	     TIMES("", TEN("2"))),
	JSON("percentiles of one's own", "cpudist --percentiles=99.99,0,50.0", LEAVES("1000", "0")
	     LEAVES("11000", "7") LEAVES("111000", "8"),
	     "{\"histogram\":\"time\",\"unit\":\"usecs\",\"time\":\"1970-01-01T00:00:00.000000Z\","
	     "\"slots\":[" TEN("1") "," SLOT("96", "103", "1") "],"
	     "\"percentiles\":{\"p99.99\":103,\"p0\":10,\"p50.0\":10,\"max\":103}}\n"),
	JSON("percentiles", "cpudist --percentiles", LEAVES("1000", "0") LEAVES("11000", "7")
	     LEAVES("111000", "8"),
	     "{\"histogram\":\"time\",\"unit\":\"usecs\",\"time\":\"1970-01-01T00:00:00.000000Z\","
	     "\"slots\":[" TEN("1") "," SLOT("96", "103", "1") "],"
	     "\"percentiles\":{\"p50\":10,\"p90\":103,\"p99\":103,\"p99.9\":103,\"max\":103}}\n"),
	JSON("what began before is not counted, nor are the idle tasks", "cpudist",
	     LEAVES("1000", "7") LEAVES("11000", "0"), TIMES("", "")),
	JSON("the idle tasks too", "cpudist -I", LEAVES("1000", "7") LEAVES("11000", "0"),
	     TIMES("", TEN("1"))),
	JSON("each CPU for itself", "cpudist", ON_CPU("0", "1000", "0") ON_CPU("1", "2000", "0")
	     ON_CPU("0", "11000", "7") ON_CPU("1", "12000", "8"), TIMES("", TEN("2"))),
	JSON("milliseconds", "cpudist -m", LEAVES("1000", "0") LEAVES("10001000", "7"),
	     HIST("time", "msecs", "", TEN("1"))),
	JSON("by thread", "cpudist -L", THREADS LEAVES("1000", "0") LEAVES("11000", "7")
	     LEAVES("21000", "9"), TIMES("\"tid\":7,", TEN("1")) TIMES("\"tid\":9,", TEN("1"))),
	JSON("by process; nobody knows 99", "cpudist -P",
	     THREADS LEAVES("1000", "0") LEAVES("11000", "7") LEAVES("21000", "8")
	     LEAVES("31000", "99") LEAVES("41000", "9"),
	     TIMES("\"pid\":5,", TEN("2")) TIMES("\"pid\":6,", TEN("1"))
	     TIMES("\"pid\":\"?\",", TEN("1"))),
	TEXT("totals", "cpudist -e", LEAVES("1000", "0") LEAVES("3000", "7") LEAVES("4000", "8"),
	     "Tracing on-CPU time... Hit Ctrl-C to end.\n\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "         2 -> 3          : 1        |****************************************|\n"
	     "\navg = 1 usecs, total: 3 usecs, count: 2\n\n"),
	JSON("a gap", "cpudist", LEAVES("1000", "0") "gap 0 2000 3000 2\n" LEAVES("11000", "7")
	     LEAVES("21000", "8"), TIMES("", TEN("1")), .lost = 2, .unpaired = 1),
	JSON("who came unseen", "cpudist -L", "switches\n" RECORD("1000", "07", "08")
	     RECORD("11000", "08", "00") RECORD("21000", "09", "00") RECORD("31000", "00", "07")
	     RECORD("41000", "07", "00"),
	     TIMES("\"tid\":7,", TEN("1")) TIMES("\"tid\":8,", TEN("1")), .switches = 1),
	JSON("a switch that was lost is no missed one", "cpudist -L", "switches\n"
	     RECORD("1000", "07", "08") "gap 0 2000 3000 2\n" RECORD("11000", "09", "07")
	     RECORD("21000", "07", "00"), TIMES("\"tid\":7,", TEN("1")), .lost = 2, .unpaired = 1),

	JSON("off its CPU: asleep", "cpudist -O", SWITCH("1000", "7", "1", "0")
	     SWITCH("11000", "0", "0", "7"),
	     TIMES("", TEN("1"))),
	JSON("and back on another, or waiting for it", "cpudist -O",
	     SWITCH_ON("0", "1000", "7", "0x100", "8")
	     SWITCH_ON("1", "11000", "0", "0", "7"), TIMES("", TEN("1"))),
	JSON("once each time", "cpudist -O", SWITCH("1000", "7", "1", "0")
	     SWITCH("11000", "0", "0", "7")
	     SWITCH_ON("1", "21000", "0", "0", "7"), TIMES("", TEN("1"))),
	JSON("another task with the id of one that died", "cpudist -O", SWITCH("500", "7", "1", "0")
	     SWITCH("600", "0", "0", "7") SWITCH("1000", "7", "0x20", "0")
	     SWITCH("11000", "0", "0", "7"),
	     TIMES("", SLOT("0", "0", "1"))),
	JSON("by process, by thread; nobody knows 99", "cpudist -O -P",
	     THREADS SWITCH("1000", "7", "1", "99")
	     SWITCH("2000", "99", "1", "9") SWITCH("11000", "9", "1", "7")
	     SWITCH("12000", "7", "1", "99")
	     SWITCH("21000", "99", "0", "9"),
	     TIMES("\"pid\":5,", TEN("1")) TIMES("\"pid\":6,", TEN("1"))
	     TIMES("\"pid\":\"?\",", TEN("1"))),
	JSON("each CPU's idle task", "cpudist -O -I -L", SWITCH_ON("0", "1000", "0", "0", "7")
	     SWITCH_ON("1", "2000", "0", "0", "8") SWITCH_ON("0", "11000", "7", "1", "0")
	     SWITCH_ON("1", "12000", "8", "1", "0"), TIMES("\"tid\":0,", TEN("2"))),
	JSON("a gap while it is away", "cpudist -O", SWITCH("1000", "7", "1", "0")
	     "gap 0 2000 3000 2\n"
	     SWITCH("11000", "0", "0", "7"), TIMES("", ""), .lost = 2, .unpaired = 1),
};

/* schedlat */

#define WAKES(TIME, TID)	TIME " 0 0 sched:sched_wakeup pid=" TID "\n"
#define CHANGE_ON(CPU, TIME, PREV, STATE, NEXT) \
	TIME " " CPU " " PREV " sched:sched_switch prev_pid=" PREV " prev_state=" STATE \
	" next_pid=" NEXT " next_comm=\"n\"\n"
#define CHANGE(TIME, PREV, STATE, NEXT) CHANGE_ON("0", TIME, PREV, STATE, NEXT)
#define RENAMED(TIME, TID, COMM) \
	TIME " 0 " TID " task:task_rename pid=" TID " newcomm=\"" COMM "\"\n"
#define LAT(TID, PID, COMM, RUN, VOL, INVOL, MOVES, AVG, MAX, END) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"tid\":" TID ",\"pid\":" PID ",\"comm\":" COMM \
	",\"run_ms\":" RUN ",\"voluntary\":" VOL ",\"involuntary\":" INVOL ",\"moves\":" MOVES \
	",\"avg_ms\":" AVG ",\"max_ms\":" MAX ",\"max_end\":" END "}\n"
#define STAY_ROW(TIME, CPU, TID, PID, COMM, WAIT, DELAY, RUN) \
	"{\"time\":\"1970-01-01T00:00:00." TIME "Z\",\"cpu\":" CPU ",\"tid\":" TID ",\"pid\":" PID \
	",\"comm\":\"" COMM "\",\"wait_ms\":" WAIT ",\"delay_ms\":" DELAY ",\"run_ms\":" RUN "}\n"
#define ENDED "\"1970-01-01T00:00:00.0"

static const struct program_row schedlat_rows[] = {
	JSON("woken up, and asleep again", "schedlat --json",
	     THREADS WAKES("10000000", "7") CHANGE("12000000", "0", "0", "7")
	     CHANGE("15000000", "7", "1", "0"),
	     LAT("7", "5", "\"a\"", "3.000", "1", "0", "0", "2.000", "2.000", ENDED "11534Z\"")),
	JSON("preempted, and waits; the longest wait comes first", "schedlat --json",
	     THREADS WAKES("10000000", "7") CHANGE("12000000", "0", "0", "7")
	     CHANGE("15000000", "7", "0", "9") CHANGE("20000000", "9", "1", "7")
	     CHANGE("21000000", "7", "1", "0"),
	     LAT("7", "5", "\"a\"", "4.000", "1", "1", "0", "3.500", "5.000", ENDED "19922Z\"")
	     LAT("9", "6", "\"b\"", "5.000", "1", "0", "0", "null", "null", "null")),
	JSON("one row of both by control group", "schedlat --json --by-cgroup",
	     THREADS WAKES("10000000", "7") CHANGE("12000000", "0", "0", "7")
	     CHANGE("15000000", "7", "0", "9") CHANGE("20000000", "9", "1", "7")
	     CHANGE("21000000", "7", "1", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"run_ms\":9.000,\"voluntary\":2,"
	     "\"involuntary\":1,\"moves\":0,\"avg_ms\":3.500,\"max_ms\":5.000,"
	     "\"max_end\":" ENDED "19922Z\",\"cgroup\":null}\n"),
	JSON("a wakeup before the switch is none", "schedlat --json --timehist",
	     THREADS CHANGE("12000000", "0", "0", "7") WAKES("13000000", "7")
	     CHANGE("15000000", "7", "1", "0") WAKES("20000000", "7")
	     CHANGE("21000000", "0", "0", "7") CHANGE("22000000", "7", "0", "9")
	     CHANGE("24000000", "9", "1", "7") CHANGE("25000000", "7", "16", "0"),
	     STAY_ROW("015000", "0", "7", "5", "a", "null", "null", "3.000")
	     STAY_ROW("022000", "0", "7", "5", "a", "6.000", "1.000", "1.000")
	     STAY_ROW("024000", "0", "9", "6", "b", "null", "null", "2.000")
	     STAY_ROW("025000", "0", "7", "5", "a", "2.000", "2.000", "1.000")),
	JSON("another CPU", "schedlat --json -s moves",
	     THREADS CHANGE("12000000", "0", "0", "7") CHANGE("13000000", "7", "1", "0")
	     CHANGE_ON("1", "14000000", "0", "0", "7") CHANGE_ON("1", "15000000", "7", "1", "0"),
	     LAT("7", "5", "\"a\"", "2.000", "2", "0", "1", "null", "null", "null")),
	JSON("processes", "schedlat --json -P",
	     THREADS CHANGE("12000000", "0", "0", "7") CHANGE("13000000", "7", "1", "8")
	     CHANGE("15000000", "8", "1", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"a\",\"run_ms\":3.000,"
	     "\"voluntary\":2,\"involuntary\":0,\"moves\":0,\"avg_ms\":null,\"max_ms\":null,"
	     "\"max_end\":null}\n"),
	JSON("two names: that of most stays, and of as many the last in the alphabet",
	     "schedlat --json -s run",
	     THREADS CHANGE("10000000", "0", "0", "7") CHANGE("13000000", "7", "1", "0")
	     CHANGE("14000000", "0", "0", "7") CHANGE("17000000", "7", "1", "0")
	     RENAMED("18000000", "7", "z")
	     CHANGE("20000000", "0", "0", "7") CHANGE("21000000", "7", "1", "0")
	     CHANGE("22000000", "0", "0", "8") CHANGE("23000000", "8", "1", "0")
	     RENAMED("24000000", "8", "z")
	     CHANGE("26000000", "0", "0", "8") CHANGE("27000000", "8", "1", "0")
	     CHANGE("28000000", "0", "0", "8") CHANGE("29000000", "8", "1", "0")
	     CHANGE("30000000", "0", "0", "9") CHANGE("31000000", "9", "1", "0")
	     RENAMED("32000000", "9", "a")
	     CHANGE("34000000", "0", "0", "9") CHANGE("35000000", "9", "1", "0"),
	     LAT("7", "5", "\"a\"", "7.000", "3", "0", "0", "null", "null", "null")
	     LAT("8", "5", "\"z\"", "3.000", "3", "0", "0", "null", "null", "null")
	     LAT("9", "6", "\"b\"", "2.000", "2", "0", "0", "null", "null", "null")),
	JSON("one process; a name", "schedlat --json -p 6 -n b",
	     THREADS CHANGE("12000000", "0", "0", "7") CHANGE("13000000", "7", "1", "9")
	     CHANGE("15000000", "9", "1", "0"),
	     LAT("9", "6", "\"b\"", "2.000", "1", "0", "0", "null", "null", "null")),
	JSON("a gap: what began before it is unknown", "schedlat --json",
	     THREADS WAKES("10000000", "7") CHANGE("12000000", "0", "0", "7")
	     "gap 0 13000000 14000000 2\n" CHANGE("15000000", "7", "1", "0"),
	     LAT("7", "null", "null", "0.000", "1", "0", "0", "null", "null", "null"),
	     .lost = 2, .unpaired = 1),
};

/* runqslower */

#define SLOWER	"Tracing run queue latency higher than "
#define SLOWER_HEAD	"TIME     COMM             TID           LAT(us)\n"
#define WAKE(TIME, PID)		TIME " 0 1 sched:sched_wakeup pid=" PID "\n"
#define NAMED(TIME, PREV, STATE, NEXT) \
	TIME " 0 " PREV " sched:sched_switch prev_pid=" PREV " prev_state=" STATE " next_pid=" \
	NEXT \
	" prev_comm=\"p" PREV "\" next_comm=\"n" NEXT "\"\n"

static const struct program_row runqslower_rows[] = {
	TEXT("woken up", "runqslower 9", WAKE("1000", "7") NAMED("11999", "8", "1", "7"),
	     SLOWER "9 us\n" SLOWER_HEAD "00:00:00 n7               7                  10\n"),
	TEXT("not longer than asked for", "runqslower 10", WAKE("1000", "7")
	     NAMED("11999", "8", "1", "7"),
	     SLOWER "10 us\n" SLOWER_HEAD),
	TEXT("all, for the first time, and who was there before", "runqslower -P 0",
	     "1000 0 1 sched:sched_wakeup_new pid=7\n" NAMED("1999", "8", "1", "7")
	     NAMED("3000", "7", "0x100", "8")
	     WAKE("3500", "9") NAMED("4500", "8", "2", "9") NAMED("5500", "9", "1", "7"),
	     SLOWER "0 us\n" "TIME     COMM             TID           LAT(us) PREV COMM        "
			     "PREV TID\n"
	     "00:00:00 n7               7                   0 p8               8\n"
	     "00:00:00 n9               9                   1 p8               8\n"
	     "00:00:00 n7               7                   2 p9               9\n"),
	TEXT("preempted, 10 ms by default", "runqslower", NAMED("1000", "7", "0x100", "8")
	     NAMED("10001999", "8", "1", "9")
	     NAMED("10002000", "9", "1", "7") NAMED("10003000", "7", "0x100", "8")
	     NAMED("20003999", "8", "1", "7"),
	     SLOWER "10000 us\n" SLOWER_HEAD "00:00:00 n7               7               10001\n"),
	TEXT("a name", "runqslower --name n9 0", WAKE("1000", "7") WAKE("1000", "9")
	     NAMED("5000", "8", "1", "7")
	     NAMED("6000", "7", "1", "9"),
	     SLOWER "0 us\n" SLOWER_HEAD "00:00:00 n9               9                   5\n"),
	TEXT("one process", "runqslower 0", "task 5000001 5000001 a\n"
	     "10 0 5000001 task:task_newtask pid=5000007 clone_flags=0x10000\n"
	     WAKE("1000", "5000007") WAKE("1000", "9") NAMED("5000", "8", "1", "9")
	     NAMED("6000", "9", "1", "5000007"),
	     SLOWER "0 us\n" SLOWER_HEAD "00:00:00 n5000007         5000007              5\n",
	     .pid = 5000001),
	JSON("for machines", "runqslower --min-us 0 -P", WAKE("1000", "7")
	     NAMED("11000", "0", "0", "7"),
	     "{\"time\":\"1970-01-01T00:00:00.000011Z\",\"comm\":\"n7\",\"tid\":7,\"lat_us\":10,"
	     "\"prev_comm\":\"p0\","
	     "\"prev_tid\":0}\n"),
	TEXT("a gap", "runqslower 0", WAKE("1000", "7") "gap 0 2000 3000 1\n"
	     NAMED("11000", "8", "1", "7"),
	     SLOWER "0 us\n" SLOWER_HEAD, .lost = 1, .unpaired = 1),
};

/* softirqs, hardirqs */

#define SOFT_BANNER	"Tracing soft irq event time... Hit Ctrl-C to end.\n"
#define HARD_BANNER	"Tracing hard irq event time... Hit Ctrl-C to end.\n"
#define SOFT(TIME, CPU, WHAT, VEC)	TIME " " CPU " 7 irq:softirq_" WHAT " vec=" VEC "\n"
#define HARD(TIME, CPU, NAME)		TIME " " CPU " 7 irq:irq_handler_entry name=\"" NAME "\"\n"
#define HARD_END(TIME, CPU, RET)	TIME " " CPU " 7 irq:irq_handler_exit ret=" RET "\n"
#define DATED		"{\"time\":\"1970-01-01T00:00:00.000000Z\","
#define SOFT_ROW(NAME, TOTAL)	DATED "\"softirq\":\"" NAME "\",\"total_usecs\":" TOTAL "}\n"
#define HARD_ROW(NAME, TOTAL)	DATED "\"hardirq\":\"" NAME "\",\"total_usecs\":" TOTAL "}\n"
#define LONG_NAME	"0123456789012345678901234567890123456789abc"

#define SLOW_BANNER(US)	"Tracing soft irqs that take " US " us or more... Hit Ctrl-C to end.\n"
#define SLOW_HEAD	"TIME     STAGE SOFTIRQ  LAT(us)        CPU    COMM\n"
#define SLOW(TIME, STAGE, NAME, US, CPU) \
	"{\"time\":\"1970-01-01T00:00:" TIME "Z\",\"stage\":\"" STAGE "\",\"softirq\":\"" NAME \
	"\",\"lat_us\":" US ",\"cpu\":" CPU ",\"pid\":null,\"comm\":null}\n"

static const struct program_row softirqs_rows[] = {
	TEXT("the least first", "softirqs", SOFT("1000", "0", "entry", "1")
	     SOFT("11999", "0", "exit", "1")
	     SOFT("12000", "0", "entry", "3") SOFT("13000", "0", "exit", "3")
	     SOFT("14000", "0", "entry", "1")
	     SOFT("15001", "0", "exit", "1"),
	     SOFT_BANNER "\nSOFTIRQ          TOTAL_usecs\n"
	     "net_rx                     1\n" "timer                     12\n"),
	JSON("each CPU for itself, whichever task is current", "softirqs",
	     SOFT("1000", "0", "entry", "9")
	     SOFT("2000", "1", "entry", "9") SOFT("3000", "0", "exit", "9")
	     SOFT("5000", "1", "exit", "9"),
	     SOFT_ROW("rcu", "5")),
	JSON("one within another", "softirqs", SOFT("1000", "0", "entry", "0")
	     SOFT("2000", "0", "entry", "5")
	     SOFT("3000", "0", "exit", "5") SOFT("5000", "0", "exit", "0"),
	     SOFT_ROW("irq_poll", "1") SOFT_ROW("hi", "4")),
	JSON("an end without a beginning", "softirqs", SOFT("1000", "0", "exit", "0"), ""),
	JSON("a CPU", "softirqs -c 0", SOFT("1000", "0", "entry", "7")
	     SOFT("2000", "0", "exit", "7")
	     SOFT("1000", "1", "entry", "7") SOFT("9000", "1", "exit", "7"),
	     SOFT_ROW("sched", "1")),
	JSON("nanoseconds", "softirqs -N", SOFT("1000", "0", "entry", "6")
	     SOFT("1999", "0", "exit", "6"),
	     DATED "\"softirq\":\"tasklet\",\"total_nsecs\":999}\n"),
	JSON("counted", "softirqs -C", SOFT("1000", "0", "entry", "2")
	     SOFT("2000", "1", "entry", "2")
	     SOFT("3000", "0", "entry", "8"), DATED "\"softirq\":\"hrtimer\",\"total_count\":1}\n"
	     DATED "\"softirq\":\"net_tx\",\"total_count\":2}\n"),
	JSON("a number no kernel has yet", "softirqs --count", SOFT("1000", "0", "entry", "12")
	     SOFT("1000", "0", "entry", "99"),
	     DATED "\"softirq\":\"?\",\"total_count\":1}\n"),
	JSON("histograms", "softirqs -d", SOFT("1000", "0", "entry", "4")
	     SOFT("11000", "0", "exit", "4")
	     SOFT("12000", "0", "entry", "4") SOFT("22000", "0", "exit", "4")
	     SOFT("22000", "0", "entry", "1")
	     SOFT("22500", "0", "exit", "1"), TIMES("\"softirq\":\"block\",", TEN("2"))
	     TIMES("\"softirq\":\"timer\",", SLOT("0", "0", "1"))),
	TEXT("histograms for people", "softirqs -dN", SOFT("1000", "0", "entry", "4")
	     SOFT("1003", "0", "exit", "4"),
	     SOFT_BANNER "\n\nsoftirq = block\n"
	     "     nsecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	JSON("a gap", "softirqs", SOFT("1000", "0", "entry", "9") "gap 0 2000 3000 2\n"
	     SOFT("5000", "0", "exit", "9"), "", .lost = 2, .unpaired = 1),
	TEXT("slow ones, with the time that they wait", "softirqs --min 10", "task 7 5 a\n"
	     SOFT("1000", "0", "raise", "1") SOFT("12000", "0", "entry", "1")
	     SOFT("21999", "0", "exit", "1") SOFT("30000", "0", "entry", "1")
	     SOFT("40000", "0", "exit", "1"),
	     SLOW_BANNER("10") SLOW_HEAD
	     "00:00:00 wait  timer    11             0      a\n"
	     "00:00:00 run   timer    10             0      a\n"),
	JSON("one that was asked for before has no wait", "softirqs --min 0",
	     SOFT("900000000", "0", "entry", "3") SOFT("900001000", "0", "exit", "3"),
	     SLOW("00.900001", "run", "net_rx", "1", "0")),
	JSON("the first of several requests counts, each CPU for itself", "softirqs --min 4",
	     SOFT("1000", "0", "raise", "9") SOFT("4000", "0", "raise", "9")
	     SOFT("5000", "1", "raise", "9") SOFT("6000", "0", "entry", "9")
	     SOFT("7000", "1", "entry", "9") SOFT("8000", "0", "exit", "9")
	     SOFT("9000", "0", "entry", "9"),
	     SLOW("00.000006", "wait", "rcu", "5", "0")),
	JSON("slow ones of a CPU", "softirqs --min 0 -c 1", SOFT("1000", "0", "raise", "2")
	     SOFT("2000", "0", "entry", "2") SOFT("2000", "1", "entry", "2")
	     SOFT("5000", "1", "exit", "2"), SLOW("00.000005", "run", "net_tx", "3", "1")),
	JSON("a gap drops what waits", "softirqs --min 0", SOFT("1000", "0", "raise", "9")
	     "gap 0 2000 3000 2\n" SOFT("5000", "0", "entry", "9"), "", .lost = 2, .unpaired = 1),
};

static const struct program_row softirqslower_rows[] = {
	TEXT("10 ms by default", "softirqslower", "task 7 5 a\n" SOFT("1000", "0", "raise", "1")
	     SOFT("10001000", "0", "entry", "1") SOFT("20000999", "0", "exit", "1"),
	     SLOW_BANNER("10000") SLOW_HEAD "00:00:00 wait  timer    10000          0      a\n"),
	TEXT("a name", "softirqslower --name b 0", "task 7 5 a\n" SOFT("1000", "0", "raise", "1")
	     SOFT("2000", "0", "entry", "1"), SLOW_BANNER("0") SLOW_HEAD),
};

static const struct program_row hardirqs_rows[] = {
	TEXT("the least first", "hardirqs", HARD("1000", "0", "eth0") HARD_END("11999", "0", "1")
	     HARD("12000", "0", "nvme0q1") HARD_END("13000", "0", "1") HARD("14000", "0", "eth0")
	     HARD_END("15001", "0", "1"),
	     HARD_BANNER "\nHARDIRQ                    TOTAL_usecs\n"
	     "nvme0q1                              1\n" "eth0                                12\n"),
	JSON("each CPU for itself", "hardirqs", HARD("1000", "0", "a") HARD("2000", "1", "b")
	     HARD_END("3000", "0", "1")
	     HARD_END("5000", "1", "1"), HARD_ROW("a", "2") HARD_ROW("b", "3")),
	JSON("a line that two share: one of them says it was its own", "hardirqs",
	     HARD("1000", "0", "a")
	     HARD_END("2000", "0", "0") HARD("3000", "0", "b") HARD_END("5000", "0", "1"),
	     HARD_ROW("b", "2")),
	JSON("an end without a beginning", "hardirqs", HARD_END("2000", "0", "1"), ""),
	JSON("a thread is woken up: that is handled too", "hardirqs", HARD("1000", "0", "a")
	     HARD_END("2000", "0", "2"),
	     HARD_ROW("a", "1")),
	JSON("names are kept apart, long ones cut", "hardirqs", HARD("1000", "0", LONG_NAME)
	     HARD_END("2000", "0", "1"),
	     DATED "\"hardirq\":\"012345678901234567890123456789012345678\",\"hardirq_cut\":true,"
		   "\"total_usecs\":1}\n"),
	JSON("no name", "hardirqs", HARD("1000", "0", "") HARD_END("2000", "0", "1"),
	     HARD_ROW("?", "1")),
	JSON("counted, on a CPU", "hardirqs -C -c 1", HARD("1000", "0", "a")
	     HARD_END("2000", "0", "1")
	     HARD("1000", "1", "a") HARD_END("2000", "1", "1") HARD("3000", "1", "a")
	     HARD_END("4000", "1", "1"),
	     DATED "\"hardirq\":\"a\",\"total_count\":2}\n"),
	JSON("nanoseconds", "hardirqs -N", HARD("1000", "0", "a") HARD_END("1999", "0", "1"),
	     DATED "\"hardirq\":\"a\",\"total_nsecs\":999}\n"),
	JSON("histograms", "hardirqs -d", HARD("1000", "0", "a") HARD_END("11000", "0", "1")
	     HARD("12000", "0", "b")
	     HARD_END("22000", "0", "1") HARD("22000", "0", "a") HARD_END("32000", "0", "1"),
	     TIMES("\"hardirq\":\"a\",", TEN("2")) TIMES("\"hardirq\":\"b\",", TEN("1"))),
	TEXT("slow ones", "hardirqs --min 10", "task 7 5 x\n" HARD("1000", "0", "a")
	     HARD_END("11000", "0", "1") HARD("12000", "0", "b") HARD_END("21999", "0", "1")
	     HARD("22000", "0", "c") HARD_END("42000", "0", "0"),
	     "Tracing hard irqs that take 10 us or more... Hit Ctrl-C to end.\n"
	     "TIME     HARDIRQ                    LAT(us)        CPU    COMM\n"
	     "00:00:00 a                          10             0      x\n"),
	JSON("a gap", "hardirqs", HARD("1000", "0", "a") "gap 0 1500 1600 2\n"
	     HARD_END("2000", "0", "1"), "", .lost = 2, .unpaired = 1),
};

/* bitesize */

/* A task asks for sectors, and a task of the kernel hands the request on. */
#define BITERS	"task 4 4 cat\n" "task 5 5 dd\n" "task 6 6 ddd\n"
#define CAT	"4"
#define DD	"5"
#define DDD	"6"
#define ASK(TID, SECTOR, SECTORS) \
	"10 0 " TID " block:block_getrq dev=1 sector=" SECTOR " sectors=" SECTORS " rwbs=\"W\"\n"
#define HAND_ON(SECTOR, SECTORS, BYTES) \
	"10 0 8 block:block_rq_issue dev=1 sector=" SECTOR " sectors=" SECTORS " bytes=" BYTES \
	" rwbs=\"W\" name=\"kworker\"\n"
#define BITE(TID, SECTORS, BYTES)	ASK(TID, "64", SECTORS) HAND_ON("64", SECTORS, BYTES)
#define NO_SECTORS(BYTES) \
	"10 0 7 block:block_rq_issue sectors=0 bytes=" BYTES " rwbs=\"N\" name=\"dd\"\n"
#define KBYTES(COMM, SLOTS)	HIST("size", "Kbytes", "\"comm\":" COMM ",", SLOTS)
#define ONE_PAGE		SLOT("4", "4", "1")

static const struct program_row bitesize_rows[] = {
	TEXT("for people", "bitesize", BITERS BITE(DD, "8", "4096") BITE(DD, "1", "512")
	     BITE(CAT, "2", "1024"),
	     "\n\nProcess Name = cat\n"
	     "     Kbytes              : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "\nProcess Name = dd\n"
	     "     Kbytes              : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "         2 -> 3          : 0        |                                        |\n"
	     "         4 -> 7          : 1        |****************************************|\n"),
	JSON("to 4.9 only the sectors are told", "bitesize", BITERS BITE(DD, "8", "0"),
	     KBYTES("\"dd\"", ONE_PAGE)),
	JSON("a command that has no sectors", "bitesize", NO_SECTORS("8192"),
	     KBYTES("\"dd\"", SLOT("8", "8", "1"))),
	JSON("a flush", "bitesize", NO_SECTORS("0"), KBYTES("\"dd\"", SLOT("0", "0", "1"))),
	JSON("a large discard", "bitesize", BITERS BITE(DD, "16777216", "0"),
	     KBYTES("\"dd\"", SLOT("8388608", "9437183", "1"))),
	JSON("one disk of two", "bitesize",
	     "10 0 7 block:block_rq_issue dev=8388609 sectors=0 name=\"a\"\n"
	     "10 0 7 block:block_rq_issue dev=8388610 sectors=0 name=\"b\"\n",
	     KBYTES("\"b\"", SLOT("0", "0", "1")), .dev = 8388610),
	JSON("one name of two", "bitesize -c dd", BITERS BITE(DD, "8", "4096")
	     BITE(DDD, "8", "4096"),
	     KBYTES("\"dd\"", ONE_PAGE)),
	JSON("nobody knows who asked", "bitesize", HAND_ON("64", "8", "4096"),
	     KBYTES("null", ONE_PAGE)),
	JSON("the name serves one request", "bitesize",
	     BITERS BITE(DD, "8", "4096") HAND_ON("64", "8", "4096"),
	     KBYTES("null", ONE_PAGE) KBYTES("\"dd\"", ONE_PAGE)),
	JSON("an I/O in front of a request", "bitesize", BITERS ASK(DD, "64", "8")
	     "10 0 7 block:block_bio_frontmerge dev=1 sector=56 sectors=8 rwbs=\"W\"\n"
	     HAND_ON("56", "16", "8192"), KBYTES("\"dd\"", SLOT("8", "8", "1"))),
	JSON("a request that is part of another one", "bitesize", BITERS ASK(DD, "64", "8")
	     "10 0 7 block:block_rq_merge dev=1 sector=64 sectors=8 rwbs=\"W\"\n"
	     HAND_ON("64", "8", "4096"), KBYTES("null", ONE_PAGE)),
};

/* llcstat: attachment 0 samples uses, 1 misses */

#define USES(TIME, CPU, TID)	TIME " " CPU " " TID " @0\n"
#define MISSES(TIME, CPU, TID)	TIME " " CPU " " TID " @1\n"
#define LLC(PID, TID, COMM, CPU, USES, MISSES, HITS) \
	"{\"pid\":" PID "," TID "\"comm\":\"" COMM "\",\"cpu\":" CPU ",\"references\":" USES \
	",\"misses\":" MISSES ",\"hit_pct\":" HITS "}\n"

static const struct program_row llcstat_rows[] = {
	JSON("uses and misses are one row, the most first", "llcstat", THREADS
	     USES("10", "0", "9") USES("20", "0", "7") USES("30", "0", "7") USES("40", "0", "8")
	     USES("50", "0", "7") MISSES("60", "0", "7"),
	     LLC("5", "", "a", "0", "40000", "10000", "75.00")
	     LLC("6", "", "b", "0", "10000", "0", "100.00")),
	JSON("each CPU and thread, by another period", "llcstat -t -c 500", THREADS
	     USES("10", "0", "7") USES("20", "1", "7") USES("30", "1", "8") USES("40", "1", "8"),
	     LLC("5", "\"tid\":8,", "a", "1", "1000", "0", "100.00")
	     LLC("5", "\"tid\":7,", "a", "0", "500", "0", "100.00")
	     LLC("5", "\"tid\":7,", "a", "1", "500", "0", "100.00")),
	JSON("more misses than uses are no rate", "llcstat", THREADS
	     MISSES("10", "0", "7") MISSES("20", "0", "7") USES("30", "0", "7")
	     MISSES("40", "0", "9"),
	     LLC("5", "", "a", "0", "10000", "20000", "null")
	     LLC("6", "", "b", "0", "0", "10000", "null")),
	TEXT("text", "llcstat 5", THREADS USES("10", "0", "7") USES("20", "0", "7")
	     MISSES("30", "0", "7"),
	     "Running for 5 seconds or hit Ctrl-C to end.\n"
	     "PID      NAME             CPU     REFERENCE         MISS    HIT%\n"
	     "5        a                0           20000        10000  50.00%\n"
	     "Total References: 20000 Total Misses: 10000 Hit Rate: 50.00%\n"),
	TEXT("text without samples", "llcstat", "",
	     "Running for 10 seconds or hit Ctrl-C to end.\n"
	     "PID      NAME             CPU     REFERENCE         MISS    HIT%\n"
	     "Total References: 0 Total Misses: 0 Hit Rate: -\n"),
};

/* cpufreq: attachment 1 samples */

#define SAMPLED(TIME, CPU, TID)	TIME " " CPU " " TID " @1\n"
#define RUNS_AT(TIME, CPU, KHZ) \
	TIME " 0 0 power:cpu_frequency of_cpu=" CPU " khz=" KHZ "\n"
#define MHZ		"     MHz           : count     distribution\n"
#define FULL		"|****************************************|\n"
#define HALF		"|********************                    |\n"
#define AT_MHZ(N, COUNT)	"        " N "       : " COUNT "        "

static const struct program_row cpufreq_rows[] = {
	TEXT("by name, those with most samples first", "cpufreq", THREADS
	     RUNS_AT("10", "0", "1000000") RUNS_AT("20", "1", "1399999")
	     SAMPLED("30", "0", "7") SAMPLED("40", "1", "9") SAMPLED("50", "1", "9")
	     RUNS_AT("60", "1", "1400000") SAMPLED("70", "1", "9") SAMPLED("80", "2", "9")
	     SAMPLED("90", "0", "0"),
	     "\n" MHZ AT_MHZ("1000", "1") HALF AT_MHZ("1200", "2") FULL
	     AT_MHZ("1400", "1") HALF
	     "\ncomm = b\n" MHZ AT_MHZ("1200", "2") FULL AT_MHZ("1400", "1") HALF
	     "\ncomm = a\n" MHZ AT_MHZ("1000", "1") FULL),
	TEXT("by CPU; the last step has all that is faster", "cpufreq -C", THREADS
	     RUNS_AT("10", "0", "1000000") RUNS_AT("20", "1", "99000000")
	     SAMPLED("30", "1", "7") SAMPLED("40", "0", "9") SAMPLED("50", "1", "9"),
	     "\n\ncpu = 0\n" MHZ AT_MHZ("1000", "1") FULL
	     "\ncpu = 1\n" MHZ AT_MHZ("9800", "2") FULL),
	TEXT("nobody ran", "cpufreq", RUNS_AT("10", "0", "1000000"), "\n"),
};

/* wqlat */

#define QUEUE(TIME, WORK)	TIME " 0 7 workqueue:workqueue_queue_work work=" WORK "\n"
#define QUEUE_IN(TIME, WORK, NAME) \
	TIME " 0 7 workqueue:workqueue_queue_work work=" WORK " queue=\"" NAME "\"\n"
#define NSECS	"     nsecs               : count     distribution\n"
#define START_ON(CPU, TIME, TID, WORK, FUNCTION) \
	TIME " " CPU " " TID " workqueue:workqueue_execute_start work=" WORK " function=" FUNCTION \
	"\n"
#define START(TIME, WORK, FUNCTION)	START_ON("0", TIME, "9", WORK, FUNCTION)
#define END_ON(CPU, TIME, TID, WORK) \
	TIME " " CPU " " TID " workqueue:workqueue_execute_end work=" WORK "\n"
#define DONE(TIME, WORK)	END_ON("0", TIME, "9", WORK)
#define WORKS \
	"\n   RUNS      RUN(us)    RUN_AVG    RUN_MAX   WAIT_AVG   WAIT_MAX FUNCTION\n"

static const struct program_row wqlat_rows[] = {
	TEXT("two works of a function, and one of another", "wqlat",
	     QUEUE("1000", "64") START("3000", "64", "16") DONE("8000", "64")
	     QUEUE("9000", "96") START("13000", "96", "16") DONE("14000", "96")
	     QUEUE("15000", "64") START("16000", "64", "32") DONE("18000", "64"),
	     WORKS "      2          6.0        3.0        5.0        3.0        4.0 0x10\n"
	     "      1          2.0        2.0        2.0        1.0        1.0 0x20\n"),
	TEXT("queued before the trace; queued again while it runs", "wqlat -S maxwait",
	     START("3000", "64", "16") QUEUE("4000", "64") DONE("8000", "64")
	     START("9000", "64", "32") DONE("10000", "64"),
	     WORKS "      1          1.0        1.0        1.0        5.0        5.0 0x20\n"
	     "      1          5.0        5.0        5.0          -          - 0x10\n"),
	TEXT("a soft interrupt does one over a worker; two workers", "wqlat",
	     QUEUE("1000", "64") START("2000", "64", "16") QUEUE("2500", "96")
	     START("3000", "96", "32") DONE("4000", "96")
	     START_ON("1", "4000", "8", "128", "48") DONE("8000", "64")
	     END_ON("1", "12000", "8", "128"),
	     WORKS "      1          8.0        8.0        8.0          -          - 0x30\n"
	     "      1          6.0        6.0        6.0        1.0        1.0 0x10\n"
	     "      1          1.0        1.0        1.0        0.5        0.5 0x20\n"),
	TEXT("an end alone; a gap", "wqlat", DONE("500", "64") START("1000", "64", "16")
	     "gap 0 2000 3000 1\n" DONE("8000", "64"), WORKS, .lost = 1, .unpaired = 1),
	TEXT("histograms", "wqlat -H -F",
	     QUEUE("1000", "64") START("4000", "64", "16") DONE("8000", "64"),
	     "\n\nfunction = 0x10\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	TEXT("by workqueue, in ns", "wqlat -WN",
	     QUEUE_IN("1000", "64", "events")
	     QUEUE_IN("1100", "96", "a_name_with_more_than_31_letters_in_it")
	     START("1003", "64", "16") DONE("8000", "64") START_ON("1", "1101", "8", "96", "16")
	     END_ON("1", "9000", "8", "96"),
	     "\n\nwqname = a_name_with_more_than_31_letter\n" NSECS
	     "         0 -> 1          : 1        |****************************************|\n"
	     "\nwqname = events\n" NSECS
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	TEXT("one workqueue", "wqlat -w events",
	     QUEUE_IN("1000", "64", "events") QUEUE_IN("1100", "96", "events_long")
	     START("3000", "64", "16") DONE("8000", "64") START_ON("1", "1101", "8", "96", "32")
	     END_ON("1", "9000", "8", "96") START("9000", "128", "48") DONE("9500", "128"),
	     WORKS "      1          5.0        5.0        5.0        2.0        2.0 0x10\n"),
	TEXT("of runs", "wqlat -H -R",
	     START("4000", "64", "16") DONE("5000", "64"),
	     "\n     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"),
};

/* kvmexit */

#define VM_LEAVES(TIME, TID, REASON) TIME " 0 " TID " kvm:kvm_exit reason=" REASON "\n"
#define VM_ENTERS(TIME, TID)	TIME " 0 " TID " kvm:kvm_entry\n"
#define GUEST_TASKS		"task 7 5 qemu\ntask 8 5 qemu\n"
#define EXITS \
	"KVM_EXIT_REASON                COUNT %COUNT     TIME(us)  %TIME   AVG(us)     MAX(us)\n"
/* The reason has 26 columns. */
#define EXITED(REASON, N, SHARE, TIME, PERCENT, AVG, MAX) \
	REASON "         " N "  " SHARE "          " TIME "  " PERCENT "       " AVG "         " \
	MAX "\n"
#define NO_TIME			"  -"

static const struct program_row kvmexit_rows[] = {
	TEXT("of AMD; the last ones do not go on", "kvmexit",
	     GUEST_TASKS VM_ENTERS("1000", "7")
	     VM_LEAVES("2000", "7", "114 isa=2") VM_ENTERS("5000", "7")
	     VM_LEAVES("6000", "7", "114 isa=2") VM_ENTERS("7000", "7")
	     VM_LEAVES("8000", "8", "120 isa=2")
	     VM_LEAVES("8500", "8", "67 isa=2") VM_ENTERS("12500", "8")
	     VM_LEAVES("14000", "7", "4294967295 isa=2"),
	     "\n" EXITS
	     EXITED("cpuid                     ", "2", " 40.0", "4.0", " 50.0", "2.0", "3.0")
	     EXITED("BP excp                   ", "1", " 20.0", "4.0", " 50.0", "4.0", "4.0")
	     EXITED("hlt                       ", "1", " 20.0", "0.0", "  0.0", NO_TIME, NO_TIME)
	     EXITED("invalid_guest_state       ", "1", " 20.0", "0.0", "  0.0", NO_TIME, NO_TIME)),
	TEXT("of Intel: failed, with hints; of a machine without names; a gap", "kvmexit -S time",
	     VM_LEAVES("1000", "7", "2147483681 isa=1") VM_ENTERS("2000", "7")
	     VM_LEAVES("3000", "7", "134217740 isa=1") VM_ENTERS("7000", "7")
	     VM_LEAVES("8000", "7", "12 isa=1") "gap 0 8100 8200 2\n" VM_ENTERS("9000", "7")
	     VM_LEAVES("9500", "7", "9 isa=7"),
	     "\n" EXITS
	     EXITED("HLT                       ", "2", " 50.0", "4.0", " 80.0", "4.0", "4.0")
	     EXITED("INVALID_STATE FAILED_VMENTRY", "1", " 25.0", "1.0", " 20.0", "1.0", "1.0")
	     EXITED("0x9                       ", "1", " 25.0", "0.0", "  0.0", NO_TIME, NO_TIME),
	     .lost = 2),
	TEXT("by virtual CPU", "kvmexit -a",
	     GUEST_TASKS VM_LEAVES("2000", "7", "114 isa=2") VM_ENTERS("5000", "7")
	     VM_LEAVES("2000", "8", "114 isa=2") VM_ENTERS("4000", "8"),
	     "\nPID      TID      " EXITS "5        7        "
	     EXITED("cpuid                     ", "1", " 50.0", "3.0", " 60.0", "3.0", "3.0")
	     "5        8        "
	     EXITED("cpuid                     ", "1", " 50.0", "2.0", " 40.0", "2.0", "2.0")),
	TEXT("one virtual CPU, with -m", "kvmexit -v 1 -m 4 -T 7,8",
	     GUEST_TASKS VM_LEAVES("2000", "7", "114 isa=2 vcpu=0") VM_ENTERS("5000", "7")
	     VM_LEAVES("2000", "8", "114 isa=2 vcpu=1") VM_ENTERS("4000", "8"),
	     "\n" EXITS
	     EXITED("cpuid                     ", "1", "100.0", "2.0", "100.0", "2.0", "2.0")),
	TEXT("histograms", "kvmexit -d", VM_LEAVES("1000", "7", "12 isa=1") VM_ENTERS("4000", "7"),
	     "\n\nreason = HLT\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
};

/* numasched; CPUs with even numbers are of node 0. */

#define HOP(TIME, TID, FROM, TO) \
	TIME " 1 3 sched:sched_migrate_task pid=" TID " task_comm=\"job\" orig_cpu=" FROM \
	" dest_cpu=" TO "\n"
#define HOPS	"TIME     PID      TID      SRC_NID  DST_NID  REASON COMM\n"
#define HOPPED(TID, FROM, TO, WHY) \
	"00:00:00 5        " TID "        " FROM "        " TO "        " WHY " job\n"
#define HOPS_TASKS \
	"task 5 5 job\n100 0 5 task:task_newtask pid=7 clone_flags=65536\n"

static const struct program_row numasched_rows[] = {
	TEXT("from node to node and back; within one; a CPU that nobody knows", "numasched",
	     HOPS_TASKS HOP("1000", "5", "0", "1") HOP("2000", "5", "1", "3")
	     HOP("3000", "5", "3", "9") HOP("4000", "5", "3", "2"),
	     HOPS HOPPED("5", "0", "1", "other ") HOPPED("5", "1", "0", "other ")),
	TEXT("a thread; what NUMA balancing wants, and does not get", "numasched -p 5",
	     HOPS_TASKS "900 0 5 sched:sched_move_numa pid=7\n" HOP("1000", "7", "0", "1")
	     HOP("2000", "7", "1", "0")
	     "3000 0 5 sched:sched_swap_numa src_pid=5 dst_pid=7\n" HOP("3100", "5", "0", "1")
	     HOP("3200", "7", "1", "2")
	     "4000 0 5 sched:sched_move_numa pid=5\n"
	     "4100 0 5 sched:sched_stick_numa src_pid=5\n" HOP("5000", "5", "1", "2")
	     HOP("6000", "8", "1", "2"),
	     HOPS HOPPED("7", "0", "1", "move  ") HOPPED("7", "1", "0", "other ")
	     HOPPED("5", "0", "1", "swap  ") HOPPED("7", "1", "0", "swap  ")
	     HOPPED("5", "1", "0", "other ")),
	TEXT("names as 7.2 has them", "numasched", HOPS_TASKS HOP("1000", "5", "0", "1"),
	     HOPS HOPPED("5", "0", "1", "other "), ON(V7_2)),
};

#define PAGE(TIME)	TIME " 0 9 p:migrate_misplaced_page\n"
#define PAGE_DONE(TIME)	TIME " 0 9 r:migrate_misplaced_page\n"

static const struct program_row numamove_rows[] = {
	TEXT("two calls, and one that goes on", "numamove",
	     PAGE("1000") PAGE_DONE("2001000") PAGE("3000000") PAGE_DONE("3500000")
	     PAGE("4000000"),
	     "TIME          NUMA_migrations  NUMA_migrations_ms      PAGES\n"
	     "00:00:00                    2               2.500          -\n"),
};

#define TOOLS(TOOL) \
	TOOL(cpufreq) \
	TOOL(cpudist) TOOL(schedlat) TOOL(runqslower) \
	TOOL(softirqs) TOOL(softirqslower) TOOL(hardirqs) TOOL(bitesize) TOOL(llcstat) TOOL(wqlat) \
	TOOL(kvmexit) TOOL(numasched) TOOL(numamove)
PROGRAM_SUITE(programs_cpu, TOOLS)
