// SPDX-License-Identifier: GPL-2.0
/* The tools about locks over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/* lockstat */

#define THREADS	"task 7 5 a\n" "task 8 5 a\n" "task 9 6 b\n"
#define BEGIN_AT(CPU, TIME, TID, LOCK, FLAGS, STACK) \
	TIME " " CPU " " TID " lock:contention_begin lock=" LOCK " place=" LOCK " flags=" FLAGS \
	STACK "\n"
#define BEGIN_ON(CPU, TIME, TID, LOCK, FLAGS)	BEGIN_AT(CPU, TIME, TID, LOCK, FLAGS, "")
#define BEGIN(TIME, TID, LOCK, FLAGS)	BEGIN_ON("0", TIME, TID, LOCK, FLAGS)
#define BEGIN_IN(STACK, TIME, TID, LOCK, FLAGS) \
	BEGIN_AT("0", TIME, TID, LOCK, FLAGS, " kernel_stack=" STACK)
#define END_ON(CPU, TIME, TID, LOCK)	TIME " " CPU " " TID " lock:contention_end place=" LOCK "\n"
#define END(TIME, TID, LOCK)	END_ON("0", TIME, TID, LOCK)
#define BANNER	"Tracing waits for locks of the kernel... Hit Ctrl-C to end.\n\n"
#define NUMBERS	"   COUNT      TOTAL(us)       MAX(us)       AVG(us) "
#define CALLER_ROWS	BANNER NUMBERS "TYPE       CALLER\n"
#define LOCK_ROWS	BANNER NUMBERS "TYPE       ADDRESS            LOCK\n"
#define SPIN	"1"
#define READ	"2"
#define MUTEX	"32"
#define SPINNING "33"
#define SLOW(TIME, TID, LOCK) \
	TIME " 0 " TID " p:__mutex_lock_slowpath lock=" LOCK "\n"
#define SLOW_END(TIME, TID)	TIME " 0 " TID " r:__mutex_lock_slowpath\n"

#define ASKS(TIME, TID, LOCK)	TIME " 0 " TID " p:mutex_lock lock=" LOCK "\n"
#define ASKS_FOR(TIME, TID, LOCK) \
	TIME " 0 " TID " p:mutex_lock lock=" LOCK " kernel_stack=0xa,0xb,0xc\n"
#define HAS_IT(TIME, TID)	TIME " 0 " TID " r:mutex_lock\n"
#define TRIES(TIME, TID, LOCK, RET) \
	TIME " 0 " TID " p:mutex_trylock lock=" LOCK " kernel_stack=0xd\n" \
	TIME " 0 " TID " r:mutex_trylock ret=" RET "\n"
#define GIVES(TIME, TID, LOCK)	TIME " 0 " TID " p:mutex_unlock place=" LOCK "\n"
#define HOLDS	"Tracing holds of mutexes of the kernel... Hit Ctrl-C to end.\n\n"

static const struct program_row lockstat_rows[] = {
	TEXT("two mutexes that are held, one within the other", "lockstat --hold -l",
	     THREADS ASKS("1000", "7", "64") HAS_IT("2000", "7") ASKS("2500", "7", "96")
	     HAS_IT("3000", "7") GIVES("3700", "7", "96") GIVES("7000", "7", "64")
	     GIVES("8000", "7", "64") ASKS("8100", "8", "96") HAS_IT("8200", "8"),
	     HOLDS NUMBERS "TYPE       ADDRESS            LOCK\n"
	     "       1          5.000         5.000         5.000 mutex-held "
	     "0x40               -\n"
	     "       1          0.700         0.700         0.700 mutex-held "
	     "0x60               -\n"),
	TEXT("one that was tried for", "lockstat -S hld_count -s 2",
	     THREADS TRIES("1000", "7", "64", "0") GIVES("2000", "8", "64")
	     TRIES("3000", "7", "64", "1") GIVES("4000", "7", "64")
	     ASKS_FOR("5000", "8", "96") HAS_IT("6000", "8") GIVES("8000", "8", "96"),
	     HOLDS NUMBERS "TYPE       CALLER\n"
	     "       1          2.000         2.000         2.000 mutex-held 0xa < 0xb\n"
	     "       1          1.000         1.000         1.000 mutex-held 0xd\n"),
	TEXT("waits and holds", "lockstat -S acq_count,hld_total -n 1 -Y mutex -c 0x",
	     THREADS ASKS_FOR("1000", "7", "64") BEGIN_IN("0xa,0xb", "1500", "7", "64", MUTEX)
	     END("3500", "7", "64") HAS_IT("4000", "7") GIVES("9000", "7", "64")
	     TRIES("9100", "7", "96", "1") GIVES("9200", "7", "96"),
	     CALLER_ROWS "       1          2.000         2.000         2.000 mutex      0xa\n"
	     "       1          5.000         5.000         5.000 mutex-held 0xa\n"),
	TEXT("a mutex, twice", "lockstat", THREADS BEGIN_IN("0xa,0xb", "1000", "7", "64", MUTEX)
	     END("3500", "7", "64") BEGIN_IN("0xa,0xc", "5000", "8", "96", MUTEX)
	     END("6000", "8", "96"),
	     CALLER_ROWS "       2          3.500         2.500         1.750 mutex      0xa\n"),
	TEXT("spun for, then slept for: one wait", "lockstat -l",
	     THREADS BEGIN("1000", "7", "64", SPINNING) BEGIN("2000", "7", "64", MUTEX)
	     END("4000", "7", "64") BEGIN("5000", "7", "64", SPINNING) END("5500", "7", "64"),
	     LOCK_ROWS "       2          3.500         3.000         1.750 mutex      "
	     "0x40               -\n"),
	TEXT("a spin lock within the wait for a mutex", "lockstat -l",
	     THREADS BEGIN("1000", "7", "64", MUTEX) BEGIN("2000", "7", "128", SPIN)
	     END("2100", "7", "128") BEGIN("3000", "7", "128", SPIN) END("3300", "7", "128")
	     END("9000", "7", "64"),
	     LOCK_ROWS "       1          8.000         8.000         8.000 mutex      "
	     "0x40               -\n"
	     "       2          0.400         0.300         0.200 spinlock   "
	     "0x80               -\n"),
	TEXT("two tasks and one lock; idle CPUs", "lockstat -l --sort count",
	     THREADS BEGIN("1000", "7", "64", READ) BEGIN_ON("1", "1500", "9", "64", READ)
	     END("2000", "7", "64") END_ON("1", "4500", "9", "64")
	     BEGIN("5000", "0", "128", SPIN) BEGIN_ON("1", "5100", "0", "128", SPIN)
	     END("6000", "0", "128") END_ON("1", "7100", "0", "128")
	     BEGIN("8000", "0", "128", SPIN) END("9000", "0", "128"),
	     LOCK_ROWS "       3          4.000         2.000         1.333 spinlock   "
	     "0x80               -\n"
	     "       2          4.000         3.000         2.000 rwsem:R    "
	     "0x40               -\n"),
	TEXT("an end alone; a beginning alone, and its lock again", "lockstat -l",
	     THREADS END("500", "7", "64") BEGIN("1000", "7", "64", READ)
	     BEGIN("5000", "7", "64", READ) END("6000", "7", "64"),
	     LOCK_ROWS "       1          1.000         1.000         1.000 rwsem:R    "
	     "0x40               -\n"),
	TEXT("a gap", "lockstat -l",
	     THREADS BEGIN("1000", "7", "64", READ) "gap 0 2000 3000 1\n" END("6000", "7", "64"),
	     LOCK_ROWS, .lost = 1, .unpaired = 1),
	JSON("threads", "lockstat -P --json",
	     THREADS BEGIN("1000", "7", "64", READ) END("2000", "7", "64")
	     BEGIN("3000", "9", "64", SPIN) END("6000", "9", "64")
	     BEGIN("7000", "7", "32", MUTEX) END("7500", "7", "32"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"count\":1,\"total_us\":3.000,"
	     "\"max_us\":3.000,\"avg_us\":3.000,\"tid\":9,\"pid\":6,\"comm\":\"b\"}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"count\":2,\"total_us\":1.500,"
	     "\"max_us\":1.000,\"avg_us\":0.750,\"tid\":7,\"pid\":5,\"comm\":\"a\"}\n"),
	TEXT("not too short, of one kind, one lock, one process",
	     "lockstat -l -m 2 -Y mutex,rwsem -p 5 -n 1",
	     THREADS BEGIN("1000", "7", "64", READ) END("2999", "7", "64")
	     BEGIN("3000", "7", "64", SPINNING) END("5000", "7", "64")
	     BEGIN("6000", "8", "128", SPIN) END("9000", "8", "128")
	     BEGIN("10000", "9", "64", MUTEX) END("19000", "9", "64"),
	     LOCK_ROWS "       1          2.000         2.000         2.000 mutex      "
	     "0x40               -\n"),
	TEXT("stacks", "lockstat --folded --addresses",
	     THREADS BEGIN_IN("0xa,0xb", "1000", "7", "64", READ) END("2000", "7", "64")
	     BEGIN_IN("0xc,0xb", "3000", "9", "64", READ) END("6000", "9", "64"),
	     "-;0xb;0xa 1000\n-;0xb;0xc 3000\n"),
	TEXT("histograms", "lockstat -H -Y rwsem",
	     THREADS BEGIN("1000", "7", "64", READ) END("1003", "7", "64")
	     BEGIN("2000", "7", "64", SPIN) END("2003", "7", "64"),
	     BANNER "\ntype = rwsem:R\n"
	     "     nsecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	TEXT("the slow paths: a task is in one at a time", "lockstat -l",
	     THREADS SLOW("1000", "7", "64") SLOW("1500", "9", "64") SLOW_END("2000", "7")
	     SLOW_END("4500", "9"),
	     LOCK_ROWS "       2          4.000         3.000         2.000 mutex      "
	     "0x40               -\n", ON(V4_19)),
	TEXT("a return was missed", "lockstat -l",
	     THREADS SLOW("1000", "7", "64") SLOW("5000", "7", "64") SLOW_END("6000", "7"),
	     LOCK_ROWS "       1          1.000         1.000         1.000 mutex      "
	     "0x40               -\n", ON(V4_19), .returns = 1),
};

/* futexctn */

#define CALL(TIME, TID, ADDRESS, OP, MORE) \
	TIME " 0 " TID " p:__x64_sys_futex address=" ADDRESS " op=" OP MORE "\n"
#define RETURN(TIME, TID, RET)	TIME " 1 " TID " r:__x64_sys_futex ret=" RET "\n"
#define PRIVATE_WAIT	"128"
#define PRIVATE_WAKE	"129"
#define BITSET		"137"
#define PI		"134"
#define WORD(WORD, OWNER) " word=" WORD " owner=" OWNER
#define FUTEXES	"Tracing waits for locks of programs... Hit Ctrl-C to end.\n\n" \
	"  WAITS      TOTAL(us)       MAX(us)       AVG(us) TIMEOUTS PID     "
#define PLAIN_HEAD	FUTEXES "COMM             LOCK\n"
#define OWNER_HEAD \
	FUTEXES "TID     COMM             LOCK               OWNER   OWNER_COMM\n"

static const struct program_row futexctn_rows[] = {
	TEXT("woken, and timed out; a wake is no wait", "futexctn -s",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, "") RETURN("4000", "7", "0")
	     CALL("5000", "8", "64", BITSET, "") RETURN("6000", "8", "0")
	     CALL("7000", "7", "64", PRIVATE_WAKE, "") RETURN("7100", "7", "1")
	     CALL("8000", "9", "96", BITSET, "") RETURN("9000", "9", "-110"),
	     PLAIN_HEAD
	     "      2          4.000         3.000         2.000        0 5       a                "
	     "0x40\n"
	     "      0          0.000             -             -        1 6       b                "
	     "0x60\n"),
	TEXT("what did not wait, and what a signal ended", "futexctn -s",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, "") RETURN("1100", "7", "-11")
	     CALL("5000", "8", "64", BITSET, "") RETURN("6000", "8", "-512"), PLAIN_HEAD),
	TEXT("who waits for whom: a mutex of glibc, of musl, of the kernel", "futexctn -s -o",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, WORD("2", "8")) RETURN("4000", "7", "0")
	     CALL("5000", "8", "96", PRIVATE_WAIT, WORD("0x80000007", "1"))
	     RETURN("7000", "8", "0")
	     CALL("8000", "7", "128", PI, WORD("8", "0")) RETURN("9000", "7", "0"),
	     OWNER_HEAD
	     "      1          3.000         3.000         3.000        0 5       7       a        "
	     "        0x40               8       a\n"
	     "      1          2.000         2.000         2.000        0 5       8       a        "
	     "        0x60               7       a\n"
	     "      1          1.000         1.000         1.000        0 5       7       a        "
	     "        0x80               8       a\n"),
	TEXT("a number that is no thread of the process", "futexctn -s -o",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, WORD("2", "9")) RETURN("4000", "7", "0")
	     CALL("5000", "9", "96", PRIVATE_WAIT, WORD("2", "9")) RETURN("6000", "9", "0"),
	     OWNER_HEAD
	     "      1          3.000         3.000         3.000        0 5       7       a        "
	     "        0x40               -       -\n"
	     "      1          1.000         1.000         1.000        0 6       9       b        "
	     "        0x60               -       -\n"),
	TEXT("not too short, of one lock and process", "futexctn -s -m 2 -l 0x40 -p 5",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, "") RETURN("2999", "7", "0")
	     CALL("5000", "7", "64", PRIVATE_WAIT, "") RETURN("7000", "7", "0")
	     CALL("10000", "7", "96", PRIVATE_WAIT, "") RETURN("19000", "7", "0")
	     CALL("20000", "9", "64", PRIVATE_WAIT, "") RETURN("29000", "9", "0"),
	     PLAIN_HEAD
	     "      1          2.000         2.000         2.000        0 5       a                "
	     "0x40\n"),
	TEXT("stacks", "futexctn --folded --addresses",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, " user_stack=0x1,0x2")
	     RETURN("4000", "7", "0"), "a;0x2;0x1 3\n"),
	TEXT("a gap", "futexctn -s",
	     THREADS CALL("1000", "7", "64", PRIVATE_WAIT, "") "gap 0 2000 3000 1\n"
	     RETURN("4000", "7", "0"), PLAIN_HEAD, .lost = 1, .unpaired = 1),
};

#define TOOLS(TOOL) TOOL(lockstat) TOOL(futexctn)
PROGRAM_SUITE(programs_locks, TOOLS)
