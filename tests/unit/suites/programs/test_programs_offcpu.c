// SPDX-License-Identifier: GPL-2.0
/* The tools about time off CPUs, by stack, over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define THREADS	"task 7 5 a\n" "task 8 5 a\n" "task 9 6 b\n"
#define SWITCH_ON(CPU, TIME, PREV, STATE, NEXT, STACKS) \
	TIME " " CPU " " PREV " sched:sched_switch prev_pid=" PREV " prev_state=" STATE \
	" next_pid=" NEXT " prev_comm=\"p" PREV "\"" STACKS "\n"
#define SWITCH(TIME, PREV, STATE, NEXT, STACKS) SWITCH_ON("0", TIME, PREV, STATE, NEXT, STACKS)
/* Who sleeps with a stack, and the idle task that comes; and the other way round. */
#define SLEEPS(TIME, PID)	SWITCH(TIME, PID, "1", "0", STACKS)
#define COMES(TIME, PID)	SWITCH(TIME, "0", "0", PID, "")
#define STACKS	" kernel_stack=0xa,0xb user_stack=0x1,0x2"
#define KERNEL	" kernel_stack=0xa,0xb"

static const struct program_row offcputime_rows[] = {
	TEXT("asleep, and back", "offcputime -f -A", SLEEPS("1000", "7") COMES("11999", "7"),
	     "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("for people", "offcputime -A", THREADS SLEEPS("1000", "7") COMES("11999", "7"),
	     "Tracing off-CPU time (us) of all threads by user + kernel stack... "
	     "Hit Ctrl-C to end.\n"
	     "    0xa\n    0xb\n    0x1\n    0x2\n    -                p7 (7)\n        10\n\n"),
	JSON("for machines", "offcputime -K", THREADS
	     SWITCH("1000", "7", "1", "0", " kernel_stack=0xa") COMES("11000", "7"),
	     "{\"stack\":\"offcputime\",\"pid\":5,\"tid\":7,\"comm\":\"p7\",\"kernel_stack\":["
	     "{\"name\":null,\"module\":null,\"offset\":0,\"address\":\"0xa\"}],"
	     "\"user_stack\":[],\"us\":10}\n"),
	TEXT("the hottest: a function that calls itself counts once", "offcputime --top -A",
	     THREADS SLEEPS("1000", "7") COMES("31000", "7")
	     SWITCH("40000", "8", "1", "0", " kernel_stack=0xa user_stack=0x2,0x1,0x2")
	     COMES("50000", "8"),
	     "Tracing off-CPU time (us) of all threads by user + kernel stack... "
	     "Hit Ctrl-C to end.\n"
	     "offcputime  00:00:00  40 us in 1.0 s\n"
	     "  SELF%  TOTAL%        SELF       TOTAL  FUNCTION\n"
	     " 100.0%  100.0%          40          40  0xa\n"
	     "   0.0%  100.0%           0          40  0x1\n"
	     "   0.0%  100.0%           0          40  0x2\n"
	     "   0.0%   75.0%           0          30  0xb\n\n"
	     "  SHARE       TOTAL  STACK\n"
	     "  75.0%          30  p7 (7): 0xa < 0xb < 0x1 < 0x2\n"
	     "  25.0%          10  p8 (8): 0xa < 0x2 < 0x1 < 0x2\n\n"),
	TEXT("the hottest: who waits still is not there", "offcputime --top -A -K",
	     THREADS SWITCH("1000", "7", "1", "0", KERNEL),
	     "Tracing off-CPU time (us) of all threads by kernel stack... Hit Ctrl-C to end.\n"
	     "offcputime  00:00:00  0 us in 1.0 s\n"
	     "  SELF%  TOTAL%        SELF       TOTAL  FUNCTION\n\n"
	     "  SHARE       TOTAL  STACK\n\n", .stopped = 21000),
	TEXT("times are summed up before they are rounded", "offcputime -f -A",
	     SLEEPS("1000", "7") COMES("2500", "7") SLEEPS("3000", "7") COMES("4500", "7"),
	     "p7;0x2;0x1;0xb;0xa 3\n"),
	TEXT("by thread and by stack", "offcputime -f -A",
	     SLEEPS("1000", "7") SWITCH_ON("1", "1000", "8", "1", "0", STACKS)
	     COMES("11000", "7") SWITCH_ON("1", "21000", "0", "0", "8", "")
	     SWITCH("31000", "7", "2", "0", " kernel_stack=0xc") COMES("61000", "7"),
	     "p7;0x2;0x1;0xb;0xa 10\np8;0x2;0x1;0xb;0xa 20\np7;0xc 30\n"),
	TEXT("the kernel's part apart", "offcputime -f -d -A",
	     SLEEPS("1000", "7") COMES("11000", "7"), "p7;0x2;0x1;-;0xb;0xa 10\n"),
	TEXT("one of both", "offcputime -f -K -A", SWITCH("1000", "7", "1", "0", KERNEL)
	     COMES("11000", "7"), "p7;0xb;0xa 10\n"),
	TEXT("or the other", "offcputime -f -U -A", SWITCH("1000", "7", "1", "0",
	     " user_stack=0x1,0x2") COMES("11000", "7"), "p7;0x2;0x1 10\n"),
	TEXT("preempted, and back on another CPU", "offcputime -f -A",
	     SWITCH("1000", "7", "0x100", "8", STACKS) SWITCH_ON("1", "11000", "0", "0", "7", ""),
	     "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("only runnable threads", "offcputime -f -A --state 0",
	     SWITCH("1000", "7", "0x100", "0", STACKS) COMES("11000", "7")
	     SWITCH("12000", "7", "0", "0", STACKS) COMES("22000", "7")
	     SLEEPS("30000", "7") COMES("80000", "7"), "p7;0x2;0x1;0xb;0xa 20\n"),
	TEXT("only in these states", "offcputime -f -A --state 6",
	     SWITCH("1000", "7", "0x100", "0", STACKS) COMES("2000", "7")
	     SWITCH("10000", "7", "2", "0", STACKS) COMES("20000", "7")
	     SWITCH("30000", "7", "4", "0", STACKS) COMES("40000", "7")
	     SLEEPS("50000", "7") COMES("60000", "7"), "p7;0x2;0x1;0xb;0xa 20\n"),
	TEXT("not too short", "offcputime -f -A -m 10", SLEEPS("1000", "7") COMES("10999", "7")
	     SLEEPS("11000", "7") COMES("21000", "7"), "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("not too long", "offcputime -f -A -M 10", SLEEPS("1000", "7") COMES("11999", "7")
	     SLEEPS("12000", "7") COMES("23000", "7"), "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("still asleep at the end", "offcputime -f -A", SLEEPS("1000", "7"),
	     "p7;0x2;0x1;0xb;0xa 20\n", .stopped = 21000),
	TEXT("not still there", "offcputime -f -A", SLEEPS("1000", "7") COMES("11000", "7"),
	     "p7;0x2;0x1;0xb;0xa 10\n", .stopped = 21000),
	TEXT("but for too short a time", "offcputime -f -A -m 21", SLEEPS("1000", "7"), "",
	     .stopped = 21000),
	TEXT("another thread with the id of one that died", "offcputime -f -A",
	     SWITCH("1000", "7", "0x20", "0", STACKS) COMES("11000", "7"), "", .stopped = 21000),
	TEXT("a parked one is not dead", "offcputime -f -A",
	     SWITCH("1000", "7", "0x40", "0", STACKS) COMES("11000", "7"),
	     "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("but was before 4.14", "offcputime -f -A",
	     SWITCH("1000", "7", "0x40", "0", STACKS) COMES("11000", "7"), "", ON(V3_10)),
	TEXT("idle tasks are never asleep", "offcputime -f -A",
	     SWITCH("1000", "0", "0", "7", KERNEL) SWITCH("11000", "7", "1", "0", STACKS), ""),
	TEXT("a thread", "offcputime -f -A -t 1", SLEEPS("1000", "1")
	     SWITCH_ON("1", "1000", "8", "1", "0", STACKS) COMES("11000", "1")
	     SWITCH_ON("1", "11000", "0", "0", "8", ""), "p1;0x2;0x1;0xb;0xa 10\n"),
	TEXT("a process", "offcputime -f -A -p 1", "task 7 1 a\n" "task 8 5 b\n"
	     SLEEPS("1000", "7") SWITCH_ON("1", "1000", "8", "1", "0", STACKS)
	     COMES("11000", "7") SWITCH_ON("1", "11000", "0", "0", "8", ""),
	     "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("threads of the kernel", "offcputime -f -A -k",
	     "500 0 2 task:task_newtask pid=7\n" "500 0 5 task:task_newtask pid=8\n"
	     SLEEPS("1000", "7") SWITCH_ON("1", "1000", "8", "1", "0", STACKS)
	     COMES("11000", "7") SWITCH_ON("1", "11000", "0", "0", "8", ""),
	     "p7;0x2;0x1;0xb;0xa 10\n"),
	TEXT("others, and who gets the id of one that died", "offcputime -f -A -u",
	     "500 0 2 task:task_newtask pid=7\n" "500 0 5 task:task_newtask pid=8\n"
	     SLEEPS("1000", "7") SWITCH_ON("1", "1000", "8", "1", "0", STACKS)
	     COMES("11000", "7") SWITCH_ON("1", "11000", "0", "0", "8", "")
	     SWITCH("12000", "7", "0x20", "0", STACKS)
	     SWITCH("20000", "7", "1", "0", KERNEL) COMES("40000", "7"),
	     "p8;0x2;0x1;0xb;0xa 10\np7;0xb;0xa 20\n"),
	TEXT("no place for a stack", "offcputime -f -A --stack-storage-size 1",
	     SWITCH("1000", "7", "1", "0", KERNEL) COMES("11000", "7")
	     SWITCH("20000", "7", "1", "0", " kernel_stack=0xc") COMES("40000", "7"),
	     "p7;0xb;0xa 10\np7;[lost: table full] 20\n"),
	TEXT("a gap while it is away", "offcputime -f -A", SLEEPS("1000", "7")
	     "gap 0 2000 3000 2\n" COMES("11000", "7"), "", .lost = 2, .unpaired = 1),
};

/* wakeuptime, offwaketime */

#define WAKING(TIME, BY, PID, STACKS) \
	TIME " 1 " BY " sched:sched_waking pid=" PID STACKS "\n"
#define WAKES	" kernel_stack=0xe,0xf user_stack=0x3,0x4"
#define LEAVES(TIME, PREV, STATE, NEXT)	SWITCH(TIME, PREV, STATE, NEXT, "")

static const struct program_row wakeuptime_rows[] = {
	TEXT("until it is woken, not until it runs", "wakeuptime -f -A", THREADS
	     LEAVES("1000", "7", "1", "0") WAKING("11999", "9", "7", WAKES) COMES("99000", "7"),
	     "b;0x4;0x3;0xf;0xe;p7 10\n"),
	TEXT("for people", "wakeuptime -A -d", THREADS
	     LEAVES("1000", "7", "1", "0") WAKING("11999", "9", "7", WAKES),
	     "Tracing blocked time (us) of all threads by user + kernel stack... "
	     "Hit Ctrl-C to end.\n"
	     "    target:          p7 (7)\n    0xe\n    0xf\n    --\n    0x3\n    0x4\n"
	     "    waker:           b (6)\n        10\n\n"),
	JSON("for machines", "wakeuptime -K", THREADS LEAVES("1000", "7", "1", "0")
	     WAKING("11000", "9", "7", " kernel_stack=0xa"),
	     "{\"stack\":\"wakeuptime\",\"pid\":5,\"tid\":7,\"comm\":\"p7\",\"waker_pid\":6,"
	     "\"waker_comm\":\"b\",\"waker_kernel_stack\":["
	     "{\"name\":null,\"module\":null,\"offset\":0,\"address\":\"0xa\"}],"
	     "\"waker_user_stack\":[],\"us\":10}\n"),
	TEXT("once", "wakeuptime -f -A", THREADS LEAVES("1000", "7", "1", "0")
	     WAKING("11000", "9", "7", WAKES) WAKING("21000", "9", "7", WAKES),
	     "b;0x4;0x3;0xf;0xe;p7 10\n"),
	TEXT("who was preempted is not woken", "wakeuptime -f -A",
	     LEAVES("1000", "7", "0x100", "0") WAKING("11000", "9", "7", WAKES), ""),
	TEXT("nobody wakes it", "wakeuptime -f", LEAVES("1000", "7", "1", "0"),
	     "-;[not woken];p7 20\n", .stopped = 21000),
	TEXT("before it is on its way", "wakeuptime -f", WAKING("900", "9", "7", WAKES)
	     LEAVES("1000", "7", "1", "0") COMES("3000", "7"), "-;[waker not seen];p7 2\n"),
	TEXT("before 4.3", "wakeuptime -f -A", THREADS LEAVES("1000", "7", "1", "0")
	     "11999 1 9 sched:sched_wakeup pid=7" WAKES "\n", "b;0x4;0x3;0xf;0xe;p7 10\n",
	     ON(V3_10)),
	TEXT("a gap while it sleeps", "wakeuptime -f -A", LEAVES("1000", "7", "1", "0")
	     "gap 0 2000 3000 2\n" WAKING("11000", "9", "7", WAKES), "", .lost = 2, .unpaired = 1),
};

static const struct program_row offwaketime_rows[] = {
	TEXT("until it runs, with both stacks", "offwaketime -f -A", THREADS SLEEPS("1000", "7")
	     WAKING("6000", "9", "7", WAKES) COMES("11999", "7"),
	     "p7;0x2;0x1;0xb;0xa;--;0xe;0xf;0x3;0x4;b 10\n"),
	TEXT("for people", "offwaketime -A", THREADS SLEEPS("1000", "7")
	     WAKING("6000", "9", "7", WAKES) COMES("11999", "7"),
	     "Tracing off-CPU time (us) and wakers of all threads by user + kernel stack... "
	     "Hit Ctrl-C to end.\n"
	     "    waker:           b (6)\n    0x4\n    0x3\n    0xf\n    0xe\n"
	     "    --               --\n    0xa\n    0xb\n    0x1\n    0x2\n"
	     "    target:          p7 (7)\n        10\n\n"),
	JSON("for machines", "offwaketime -U", THREADS
	     SWITCH("1000", "7", "1", "0", " user_stack=0x1")
	     WAKING("6000", "9", "7", " user_stack=0x3") COMES("11000", "7"),
	     "{\"stack\":\"offwaketime\",\"pid\":5,\"tid\":7,\"comm\":\"p7\","
	     "\"kernel_stack\":[],\"user_stack\":["
	     "{\"name\":null,\"module\":null,\"offset\":0,\"address\":\"0x1\"}],"
	     "\"waker_pid\":6,\"waker_comm\":\"b\",\"waker_kernel_stack\":[],"
	     "\"waker_user_stack\":["
	     "{\"name\":null,\"module\":null,\"offset\":0,\"address\":\"0x3\"}],\"us\":10}\n"),
	TEXT("by waker", "offwaketime -f -A -d", THREADS SLEEPS("1000", "7")
	     WAKING("6000", "9", "7", WAKES) COMES("11000", "7") SLEEPS("12000", "7")
	     WAKING("13000", "8", "7", " kernel_stack=0xd") COMES("32000", "7"),
	     "p7;0x2;0x1;-;0xb;0xa;--;0xe;0xf;-;0x3;0x4;b 10\n"
	     "p7;0x2;0x1;-;0xb;0xa;--;0xd;a 20\n"),
	TEXT("preempted", "offwaketime -f -A", SWITCH("1000", "7", "0x100", "0", STACKS)
	     COMES("11000", "7"), "p7;0x2;0x1;0xb;0xa;--;[preempted];- 10\n"),
	TEXT("not woken, and woken but not back", "offwaketime -f -A", THREADS
	     SLEEPS("1000", "7") SWITCH_ON("1", "1000", "8", "1", "0", KERNEL)
	     WAKING("6000", "9", "8", WAKES),
	     "p7;0x2;0x1;0xb;0xa;--;[not woken];- 20\np8;0xb;0xa;--;0xe;0xf;0x3;0x4;b 20\n",
	     .stopped = 21000),
	TEXT("before it is on its way", "offwaketime -f -A", WAKING("900", "9", "7", WAKES)
	     SLEEPS("1000", "7") COMES("3000", "7"),
	     "p7;0x2;0x1;0xb;0xa;--;[waker not seen];- 2\n"),
};

#define TOOLS(TOOL)	TOOL(offcputime) TOOL(wakeuptime) TOOL(offwaketime)
PROGRAM_SUITE(programs_offcpu, TOOLS)
