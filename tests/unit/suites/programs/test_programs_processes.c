// SPDX-License-Identifier: GPL-2.0
/* The tools about processes over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CAT		"task 7 5 cat\n"

/* killsnoop */

#define KILL_HEAD	"TIME      PID    COMM             SIG  TPID   RESULT\n"
#define KILL(TIME, TID, TPID, SIG)	TIME " 0 " TID " p:__x64_sys_kill tpid=" TPID " sig=" SIG \
	"\n"
#define KILLED(TIME, TID, RET)		TIME " 1 " TID " r:__x64_sys_kill ret=" RET "\n"

static const struct program_row killsnoop_rows[] = {
	TEXT("a kill, and one that fails", "killsnoop", CAT KILL("10", "7", "99", "9")
	     KILLED("20", "7", "0")
	     KILL("30", "7", "-4", "15") KILLED("40", "7", "-3"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n"
	     "00:00:00  5      cat              15   -4     -3\n"),
	TEXT("failures only", "killsnoop -x", CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0")
	     KILL("30", "7", "98", "0") KILLED("40", "7", "-1"),
	     KILL_HEAD "00:00:00  5      cat              0    98     -1\n"),
	TEXT("signals by number and name; one that is none", "killsnoop -s 9,SIGTERM",
	     CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0") KILL("30", "7", "99", "15")
	     KILLED("40", "7", "0")
	     KILL("50", "7", "99", "10") KILLED("60", "7", "0") KILL("70", "7", "99", "-9")
	     KILLED("80", "7", "-22")
	     KILL("90", "7", "99", "100") KILLED("91", "7", "-22"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n"
	     "00:00:00  5      cat              15   99     0\n"),
	TEXT("a process", "killsnoop -p 5", CAT "task 8 8 dog\n" KILL("10", "8", "99", "9")
	     KILLED("20", "8", "0")
	     KILL("30", "7", "99", "9") KILLED("40", "7", "0"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n"),
	TEXT("tasks of 32 bits", "killsnoop", CAT "10 0 7 p:__ia32_sys_kill tpid=99 sig=1\n"
	     "20 0 7 r:__ia32_sys_kill ret=0\n",
	     KILL_HEAD "00:00:00  5      cat              1    99     0\n"),
	TEXT("a task nobody knows; an exit alone", "killsnoop", KILL("10", "9", "99", "9")
	     KILLED("20", "9", "0")
	     KILLED("30", "9", "0"), KILL_HEAD "00:00:00  -      -                9    99     0\n"),
	TEXT("a gap drops what waits", "killsnoop", CAT KILL("10", "7", "99", "9") "gap 0 12 14 2\n"
	     KILLED("20", "7", "0"), KILL_HEAD, .lost = 2, .unpaired = 1),
	JSON("calls to threads, for machines", "killsnoop -a", CAT KILL("10", "7", "99", "9")
	     KILLED("20", "7", "0")
	     "30 0 7 p:__x64_sys_tgkill tpid=98 sig=6\n" "40 0 7 r:__x64_sys_tgkill ret=0\n"
	     "50 0 7 p:__x64_sys_tkill tpid=97 sig=0\n" "60 0 7 r:__x64_sys_tkill ret=-3\n",
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\","
	     "\"call\":\"kill\",\"signal\":9,"
	     "\"tpid\":99,\"result\":0}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\","
	     "\"call\":\"tgkill\",\"signal\":6,"
	     "\"tpid\":98,\"result\":0}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\","
	     "\"call\":\"tkill\",\"signal\":0,"
	     "\"tpid\":97,\"result\":-3}\n"),
	TEXT("before 4.17, and without kprobes", "killsnoop",
	     CAT "10 0 7 p:sys_kill tpid=99 sig=1\n"
	     "20 0 7 r:sys_kill ret=0\n",
	     KILL_HEAD "00:00:00  5      cat              1    99     0\n", ON(V3_10)),
	TEXT("without kprobes", "killsnoop", CAT "10 0 7 syscalls:sys_enter_kill tpid=-1 sig=1\n"
	     "20 0 7 syscalls:sys_exit_kill ret=-1\n",
	     KILL_HEAD "00:00:00  5      cat              1    -1     -1\n",
	     .without = "kprobes"),
};

/* sigsnoop */

#define SIG_HEAD \
	"TIME      PID     COMM             SIG  TPID    TCOMM            CODE           RESULT\n"
#define GENERATE(TIME, TID, SIG, CODE, TO, GROUP, RESULT) \
	TIME " 0 " TID " signal:signal_generate sig=" SIG " code=" CODE " tid=" TO " group=" GROUP \
	" result=" RESULT " target_comm=\"dog\"\n"
#define DELIVER(TIME, TID, SIG, CODE, HANDLER) \
	TIME " 0 " TID " signal:signal_deliver sig=" SIG " code=" CODE " handler=" HANDLER "\n"
#define THREAD(TIME, TID, CHILD) \
	TIME " 0 " TID " task:task_newtask pid=" CHILD " clone_flags=0x10000\n"
#define SIG_ROW(SIG, TPID, CODE, RESULT) \
	"00:00:00  5       cat              " SIG " " TPID " dog              " CODE " " RESULT "\n"

static const struct program_row sigsnoop_rows[] = {
	TEXT("results are the kernel's", "sigsnoop", CAT
	     GENERATE("10", "7", "9", "0", "99", "1", "0")
	     GENERATE("20", "7", "15", "0", "99", "1", "1")
	     GENERATE("30", "7", "15", "-6", "99", "0", "2")
	     GENERATE("40", "7", "40", "-1", "99", "1", "3")
	     GENERATE("50", "7", "40", "-1", "99", "1", "4"),
	     SIG_HEAD SIG_ROW("9   ", "99     ", "SI_USER       ", "delivered")
	     SIG_ROW("15  ", "99     ", "SI_USER       ", "ignored")
	     SIG_ROW("15  ", "99     ", "SI_TKILL      ", "pending")
	     SIG_ROW("40  ", "99     ", "SI_QUEUE      ", "overflow")
	     SIG_ROW("40  ", "99     ", "SI_QUEUE      ", "info lost")),
	TEXT("undelivered ones", "sigsnoop -x", CAT GENERATE("10", "7", "9", "0", "99", "1", "0")
	     GENERATE("20", "7", "15", "0", "99", "1", "1"),
	     SIG_HEAD SIG_ROW("15  ", "99     ", "SI_USER       ", "ignored")),
	TEXT("a thread's process", "sigsnoop -T -t 5", CAT THREAD("5", "7", "8")
	     GENERATE("10", "7", "10", "-6", "8", "0", "0")
	     GENERATE("20", "7", "10", "0", "9", "1", "0"),
	     "TIME      PID     TID     COMM             SIG  TPID    TTID    TCOMM            "
	     "CODE           RESULT\n"
	     "00:00:00  5       7       cat              10   5       8       dog              "
	     "SI_TKILL       delivered\n"),
	TEXT("what interrupts send has no sender; faults have; a code without a name", "sigsnoop",
	     CAT GENERATE("10", "7", "14", "-2", "99", "1", "0")
	     GENERATE("20", "7", "14", "128", "99", "1", "0")
	     GENERATE("25", "7", "14", "0x1fffe", "99", "1", "0")	/* before 4.17 */
	     GENERATE("30", "7", "11", "1", "7", "0", "0")
	     GENERATE("40", "7", "29", "1", "99", "1", "0")
	     GENERATE("50", "7", "11", "77", "7", "0", "0"),
	     SIG_HEAD
	     "00:00:00  -       -                14   99      dog              SI_TIMER       "
	     "delivered\n"
	     "00:00:00  -       -                14   99      dog              SI_KERNEL      "
	     "delivered\n"
	     "00:00:00  -       -                14   99      dog              SI_TIMER       "
	     "delivered\n"
	     SIG_ROW("11  ", "7      ", "SEGV_MAPERR   ", "delivered")
	     "00:00:00  -       -                29   99      dog              POLL_IN        "
	     "delivered\n"
	     SIG_ROW("11  ", "7      ", "77            ", "delivered")),
	TEXT("whom an interrupt found running did not send it", "sigsnoop -p 5",
	     CAT GENERATE("10", "7", "14", "-2", "99", "1", "0")
	     GENERATE("20", "7", "9", "0", "99", "1", "0"),
	     SIG_HEAD SIG_ROW("9   ", "99     ", "SI_USER       ", "delivered")),
	TEXT("before 4.17 codes have their kind", "sigsnoop -n",
	     CAT GENERATE("10", "7", "11", "0x30002", "7", "0", "0")
	     GENERATE("20", "7", "17", "0x40001", "99", "1", "1"),
	     "TIME      PID     COMM             SIG          TPID    TCOMM            "
	     "CODE           "
	     "RESULT\n"
	     "00:00:00  5       cat              SIGSEGV      7       dog              "
	     "SEGV_ACCERR    delivered\n"
	     "00:00:00  5       cat              SIGCHLD      99      dog              "
	     "CLD_EXITED     ignored\n", ON(V3_10)),
	TEXT("real-time signals; all but one", "sigsnoop -n -s !KILL,!RTMAX-1",
	     CAT GENERATE("10", "7", "9", "0", "99", "1", "0")
	     GENERATE("20", "7", "63", "0", "99", "1", "0")
	     GENERATE("30", "7", "36", "0", "99", "1", "0")
	     GENERATE("40", "7", "34", "0", "99", "1", "0")
	     GENERATE("50", "7", "33", "-6", "99", "0", "0"),
	     "TIME      PID     COMM             SIG          TPID    TCOMM            "
	     "CODE           "
	     "RESULT\n"
	     "00:00:00  5       cat              SIGRTMIN+2   99      dog              "
	     "SI_USER        delivered\n"
	     "00:00:00  5       cat              SIGRTMIN     99      dog              "
	     "SI_USER        delivered\n"
	     "00:00:00  5       cat              33           99      dog              "
	     "SI_TKILL       delivered\n"),
	JSON("deliveries", "sigsnoop --json -d -s 10,15", CAT
	     DELIVER("10", "7", "10", "0", "0x4000")
	     DELIVER("20", "7", "15", "0", "0") DELIVER("30", "7", "9", "0", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"event\":\"deliver\",\"pid\":null,"
	     "\"comm\":null,\"signal\":10,\"tpid\":5,\"tcomm\":\"cat\",\"code\":\"SI_USER\","
	     "\"result\":\"handler\"}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"event\":\"deliver\",\"pid\":null,"
	     "\"comm\":null,\"signal\":15,\"tpid\":5,\"tcomm\":\"cat\",\"code\":\"SI_USER\","
	     "\"result\":\"default\"}\n"),
	TEXT("calls instead", "sigsnoop -k", CAT KILL("10", "7", "-4", "9") KILLED("20", "7", "-3"),
	     "TIME      PID     COMM             CALL   SIG  TPID    RESULT\n"
	     "00:00:00  5       cat              kill   9    -4      -3\n"),
};

/* exitsnoop */

#define EXIT_HEAD	"PCOMM            PID     PPID    TID     AGE(s)  EXIT_CODE\n"
/* What the trace saw begin has no name: these records do not tell it. */
#define MAKE \
	"task 5000005 5000005 make\n" "task 5000006 5000006 cc\n" "task 5000007 5000007 cc\n" \
	"task 5000008 5000008 cc\n" "task 5000009 5000009 cc\n"
#define SECOND_THREAD	"task 5000008 5000007 cc\n"
#define NEW(TIME, TID, PID)	TIME " 0 " TID " task:task_newtask pid=" PID "\n"
#define NEW_THREAD(TIME, TID, PID)	TIME " 0 " TID " task:task_newtask pid=" PID \
	" clone_flags=0x10000\n"
#define ENDS(TIME, TID)		TIME " 0 " TID " sched:sched_process_exit\n"
#define DO_EXIT(TIME, TID, CODE) TIME " 0 " TID " p:do_exit code=" CODE "\n" ENDS(TIME "1", TID)
/* A process of which the trace saw the beginning, and that of its parent. */
#define FAMILY		MAKE NEW("1000000000", "5000005", "5000006") \
	NEW("1500000000", "5000006", "5000007")
#define SENT(TIME, TID, SIG)	TIME " 1 0 signal:signal_generate sig=" SIG " pid=" TID \
" result=0\n"
#define TAKEN(TIME, TID, SIG, HANDLER) \
	TIME " 0 " TID " signal:signal_deliver sig=" SIG " handler=" HANDLER "\n"
#define EXIT_GROUP(TIME, TID, CODE)	TIME " 0 " TID " syscalls:sys_enter_exit_group code=" CODE \
"\n"
#define EXIT_CALL(TIME, TID, CODE)	TIME " 0 " TID " syscalls:sys_enter_exit code=" CODE "\n"
#define CC7(AGE, CODE)	"-                5000007 5000006 5000007 " AGE "    " CODE "\n"
#define CALLS		.without = "kprobes"

static const struct program_row exitsnoop_rows[] = {
	TEXT("success", "exitsnoop", FAMILY DO_EXIT("175000000", "5000007", "0"),
	     EXIT_HEAD CC7("0.25", "0")),
	TEXT("a code", "exitsnoop", FAMILY DO_EXIT("250000000", "5000007", "0x700"),
	     EXIT_HEAD CC7("1.00", "code 7")),
	TEXT("signals, with a core dump and without; one that has no name", "exitsnoop", FAMILY
	     DO_EXIT("200000000", "5000007", "0x8b") NEW("2100000000", "5000006", "5000008")
	     DO_EXIT("220000000", "5000008", "9") NEW("2300000000", "5000006", "5000009")
	     DO_EXIT("240000000", "5000009", "64"),
	     EXIT_HEAD CC7("0.50", "signal 11 (SEGV), core dumped")
	     "-                5000008 5000006 5000008 0.10    signal 9 (KILL)\n"
	     "-                5000009 5000006 5000009 0.10    signal 64 (unknown)\n"),
	TEXT("an older task is shown as far as it is known", "exitsnoop",
	     MAKE DO_EXIT("20", "5000005", "0x100"),
	     EXIT_HEAD "make             5000005 -       5000005 -       code 1\n"),
	TEXT("failures only", "exitsnoop -x", FAMILY DO_EXIT("175000000", "5000007", "0")
	     DO_EXIT("180000000", "5000006", "0x100"),
	     EXIT_HEAD "-                5000006 -       5000006 0.80    code 1\n"),
	TEXT("what is not known may be a failure", "exitsnoop -x",
	     FAMILY ENDS("1750000001", "5000007"),
	     EXIT_HEAD CC7("0.25", "-")),
	TEXT("a parent that ended before is no parent any more", "exitsnoop",
	     FAMILY DO_EXIT("160000000", "5000006", "0") DO_EXIT("175000000", "5000007", "0"),
	     EXIT_HEAD "-                5000006 -       5000006 0.60    0\n"
	     "-                5000007 -       5000007 0.25    0\n"),
	TEXT("nor is a process that got its id", "exitsnoop",
	     FAMILY DO_EXIT("160000000", "5000006", "0")
	     NEW("1700000000", "5000005", "5000006") DO_EXIT("175000000", "5000007", "0"),
	     EXIT_HEAD "-                5000006 -       5000006 0.60    0\n"
	     "-                5000007 -       5000007 0.25    0\n"),
	TEXT("threads are not processes", "exitsnoop",
	     FAMILY SECOND_THREAD NEW_THREAD("1600000000", "5000007", "5000008")
	     DO_EXIT("170000000", "5000008", "0x500") DO_EXIT("175000000", "5000007", "0"),
	     EXIT_HEAD CC7("0.25", "0")),
	TEXT("unless asked for", "exitsnoop --per-thread",
	     FAMILY SECOND_THREAD NEW_THREAD("1600000000", "5000007", "5000008")
	     DO_EXIT("170000000", "5000008", "0x500") DO_EXIT("175000000", "5000007", "0"),
	     EXIT_HEAD "-                5000007 5000006 5000008 0.10    code 5\n"
	     CC7("0.25", "0")),
	TEXT("times and a label", "exitsnoop -t --label=x",
	     FAMILY DO_EXIT("175000000", "5000007", "0"),
	     "TIME          LABEL  " EXIT_HEAD "00:00:01.750  x      " CC7("0.25", "0")),
	TEXT("UTC", "exitsnoop --utc", FAMILY DO_EXIT("175000000", "5000007", "0"),
	     "TIME-UTC      " EXIT_HEAD "00:00:01.750  " CC7("0.25", "0")),
	JSON("for machines", "exitsnoop --json", FAMILY DO_EXIT("175000000", "5000007", "0x200")
	     DO_EXIT("180000000", "5000006", "0x86"),
	     "{\"comm\":null,\"pid\":5000007,\"ppid\":5000006,\"tid\":5000007,\"age_s\":0.25,"
	     "\"exit_code\":2,\"signal\":null,"
	     "\"core_dumped\":0}\n"
	     "{\"comm\":null,\"pid\":5000006,\"ppid\":null,\"tid\":5000006,\"age_s\":0.80,"
	     "\"exit_code\":null,\"signal\":6,"
	     "\"core_dumped\":1}\n"),
	TEXT("a gap: not shown, as its process is unknown; it is counted as lost",
	     "exitsnoop",
	     FAMILY "1700000000 0 5000007 p:do_exit code=0\n" "gap 0 1710000000 1720000000 1\n"
	     ENDS("1750000001", "5000007"), EXIT_HEAD, 2),
	TEXT("as a thread it is shown", "exitsnoop --per-thread",
	     FAMILY "1700000000 0 5000007 p:do_exit code=0\n" "gap 0 1710000000 1720000000 1\n"
	     ENDS("1750000001", "5000007"),
	     EXIT_HEAD "-                -       -       5000007 -       -\n", 1),

	TEXT("without kprobes: the calls", "exitsnoop",
	     FAMILY EXIT_GROUP("1700000000", "5000007", "259")
	     ENDS("1750000000", "5000007") "1800000000 0 5000006 syscalls:sys_enter_exit code=4\n"
	     ENDS("1800000001", "5000006"), EXIT_HEAD CC7("0.25", "code 3")
	     "-                5000006 -       5000006 0.80    code 4\n", CALLS),
	TEXT("a 32-bit task's call is not seen", "exitsnoop", FAMILY ENDS("1750000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "-"),
	     CALLS),
	TEXT("a signal that may dump core", "exitsnoop", FAMILY SENT("1600000000", "5000007", "11")
	     TAKEN("1700000000", "5000007", "11", "0") ENDS("1750000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "signal 11 (SEGV), core dumped?"), CALLS),
	TEXT("one that can't is told by a KILL to each thread", "exitsnoop",
	     FAMILY SENT("1600000000", "5000007", "15")
	     TAKEN("1700000000", "5000007", "9", "0") ENDS("1750000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "signal 15 (TERM)"), CALLS),
	TEXT("a KILL nobody sent: of a call that was not seen", "exitsnoop",
	     FAMILY TAKEN("1700000000", "5000007", "9", "0")
	     ENDS("1750000000", "5000007"), EXIT_HEAD CC7("0.25", "-"), CALLS),
	TEXT("it took a signal before", "exitsnoop", FAMILY SENT("1600000000", "5000007", "15")
	     TAKEN("1610000000", "5000007", "15", "0x4000") TAKEN("1700000000", "5000007", "9", "0")
	     ENDS("1750000000", "5000007"), EXIT_HEAD CC7("0.25", "-"), CALLS),
	TEXT("two are on their way", "exitsnoop", FAMILY SENT("1600000000", "5000007", "15")
	     SENT("1600000001", "5000007", "9")
	     TAKEN("1700000000", "5000007", "9", "0") ENDS("1750000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "-"), CALLS),
	TEXT("those that end nobody", "exitsnoop", FAMILY SENT("1600000000", "5000007", "18")
	     TAKEN("1610000000", "5000007", "18", "0") TAKEN("1620000000", "5000007", "20", "0")
	     EXIT_GROUP("1700000000", "5000007", "0") ENDS("1750000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "0"), CALLS),
	TEXT("another thread ends the process", "exitsnoop",
	     FAMILY SECOND_THREAD NEW_THREAD("1600000000", "5000007", "5000008")
	     EXIT_GROUP("1700000000", "5000008", "6") TAKEN("1710000000", "5000007", "9", "0")
	     ENDS("1720000000", "5000008")
	     ENDS("1750000000", "5000007"), EXIT_HEAD CC7("0.25", "code 6"), CALLS),
	TEXT("two threads at a time, in different ways", "exitsnoop",
	     FAMILY SECOND_THREAD NEW_THREAD("1600000000", "5000007", "5000008")
	     EXIT_GROUP("1700000000", "5000008", "6") EXIT_GROUP("1700000001", "5000007", "5")
	     ENDS("1720000000", "5000008")
	     ENDS("1750000000", "5000007"), EXIT_HEAD CC7("0.25", "-"), CALLS),
	TEXT("each thread by itself: the code of the last to begin, though another is slower",
	     "exitsnoop",
	     FAMILY SECOND_THREAD NEW_THREAD("1600000000", "5000007", "5000008")
	     EXIT_CALL("1700000000", "5000008", "5") EXIT_CALL("1700000001", "5000007", "4")
	     ENDS("1720000000", "5000007") ENDS("1750000000", "5000008"),
	     EXIT_HEAD CC7("0.25", "code 4"), CALLS),
	TEXT("an id that is used again", "exitsnoop",
	     FAMILY TAKEN("1600000000", "5000007", "15", "0")
	     NEW("1700000000", "5000006", "5000007") ENDS("1950000000", "5000007"),
	     EXIT_HEAD CC7("0.25", "-"), CALLS),
};

/* statsnoop */

#define STAT_HEAD	"PID    COMM               FD ERR PATH\n"
#define STAT_CALL(TIME, TID, PATH, RET) \
	TIME "0 0 " TID " p:vfs_statx\n" TIME "1 0 " TID " p:filename_lookup path=\"" PATH "\"\n" \
	TIME "2 1 " TID " r:vfs_statx ret=" RET "\n"

static const struct program_row statsnoop_rows[] = {
	TEXT("what is there, and what is not", "statsnoop", CAT STAT_CALL("1", "7", "/etc", "0")
	     STAT_CALL("2", "7", "/nowhere", "-2"),
	     STAT_HEAD "5      cat                 0   0 /etc\n"
	     "5      cat                -1   2 /nowhere\n"),
	TEXT("failures, with times", "statsnoop -x -t", CAT STAT_CALL("1", "7", "/etc", "0")
	     STAT_CALL("2", "7", "a", "-13")
	     STAT_CALL("100000002", "7", "b", "-2"), "TIME(s)        " STAT_HEAD
	     "0.000000000    5      cat                -1  13 a\n"
	     "1.000000000    5      cat                -1   2 b\n"),
	TEXT("file systems", "statsnoop", CAT "10 0 7 p:user_statfs\n"
	     "11 0 7 p:filename_lookup path=\"/proc\"\n"
	     "12 1 7 r:user_statfs ret=0\n", STAT_HEAD "5      cat                 0   0 /proc\n"),
	TEXT("open files have no path, or an empty one", "statsnoop",
	     CAT STAT_CALL("1", "7", "", "0")
	     STAT_CALL("2", "7", "", "-9") "30 0 7 p:vfs_statx\n" "31 0 7 r:vfs_statx ret=0\n",
	     STAT_HEAD),
	TEXT("an empty path that is meant as one; none that was copied", "statsnoop",
	     CAT STAT_CALL("1", "7", "", "-2")
	     "30 0 7 p:vfs_statx\n" "31 0 7 p:filename_lookup path=\"of before\" name=-2\n"
	     "32 0 7 r:vfs_statx ret=-2\n" "40 0 7 p:vfs_statx\n" "41 0 7 r:vfs_statx ret=-14\n",
	     STAT_HEAD "5      cat                -1   2\n" "5      cat                -1   2\n"
	     "5      cat                -1  14 -\n"),
	TEXT("names that others look up; a call that never returned", "statsnoop",
	     CAT "5 0 7 p:filename_lookup path=\"other\"\n" "10 0 7 p:vfs_statx\n"
	     "11 0 7 p:filename_lookup path=\"first\"\n"
	     "20 0 7 p:vfs_statx\n" "21 0 7 r:vfs_statx ret=-22\n",
	     STAT_HEAD "5      cat                -1  22 -\n", .returns = 1),
	TEXT("255 bytes are shown, 256 are cut", "statsnoop",
	     CAT STAT_CALL("1", "7", X10(X10("ab")) X10("abcde") "abcde", "0")
	     STAT_CALL("2", "7", X10(X10("ab")) X10("abcde") "abcdef", "0"),
	     STAT_HEAD "5      cat                 0   0 " X10(X10("ab")) X10("abcde") "abcde\n"
	     "5      cat                 0   0 " X10(X10("ab")) X10("abcde") "abcde...\n"),
	TEXT("one process", "statsnoop -p 5", CAT "task 8 8 dog\n" STAT_CALL("1", "8", "x", "0")
	     STAT_CALL("2", "7", "y", "0"),
	     STAT_HEAD "5      cat                 0   0 y\n"),
	TEXT("a gap drops what waits", "statsnoop", CAT "10 0 7 p:vfs_statx\n" "gap 0 11 12 1\n"
	     "13 0 7 p:filename_lookup path=\"x\"\n" "20 0 7 r:vfs_statx ret=0\n", STAT_HEAD, 1),
	TEXT("before 4.11", "statsnoop", CAT "10 0 7 p:vfs_fstatat\n"
	     "11 0 7 p:filename_lookup path=\"x\"\n"
	     "12 0 7 r:vfs_fstatat ret=0\n", STAT_HEAD "5      cat                 0   0 x\n",
	     ON(V3_10)),
};

/* syncsnoop */

#define SYNC_HEAD	"TIME(s)            CALL\n"
#define SYNC(TIME, TID, CALL)	TIME "0 0 " TID " p:__x64_sys_" CALL "\n" TIME "5 0 " TID \
	" r:__x64_sys_" CALL "\n"

static const struct program_row syncsnoop_rows[] = {
	TEXT("one", "syncsnoop", CAT SYNC("12345678901", "7", "sync"),
	     SYNC_HEAD "123.456789010      sync()\n"),
	TEXT("all calls", "syncsnoop -a", CAT SYNC("1", "7", "sync") SYNC("2", "7", "fsync")
	     SYNC("3", "7", "fdatasync")
	     SYNC("4", "7", "syncfs") SYNC("5", "7", "msync"),
	     "TIME(s)            CALL         PID     COMM\n"
	     "0.000000010        sync()       5       cat\n"
	     "0.000000020        fsync()      5       cat\n"
	     "0.000000030        fdatasync()  5       cat\n"
	     "0.000000040        syncfs()     5       cat\n"
	     "0.000000050        msync()      5       cat\n"),
	TEXT("by io_uring", "syncsnoop -a", CAT
	     "10 0 7 p:io_fsync call=0\n" "11 0 7 r:io_fsync ret=-11\n"
	     "12 0 7 p:io_fsync call=0\n" "15 0 7 r:io_fsync ret=0\n"
	     "20 0 7 p:io_fsync call=1\n" "25 0 7 r:io_fsync ret=0\n",
	     "TIME(s)            CALL         PID     COMM\n"
	     "0.000000012        fsync()      5       cat\n"
	     "0.000000020        fdatasync()  5       cat\n", ON("7.2")),
	JSON("for machines", "syncsnoop --json", CAT SYNC("1", "7", "sync"),
	     "{\"time_s\":0.000000010,\"call\":\"sync()\",\"pid\":5,\"comm\":\"cat\"}\n"),
	TEXT("two names of one function are one call", "syncsnoop", CAT "10 0 7 p:__x64_sys_sync\n"
	     "10 0 7 p:__ia32_sys_sync\n"
	     "20 0 7 r:__ia32_sys_sync\n" "20 0 7 r:__x64_sys_sync\n",
	     SYNC_HEAD "0.000000010        sync()\n"),
	TEXT("a process", "syncsnoop -p 5", CAT "task 8 8 dog\n" SYNC("1", "8", "sync")
	     SYNC("2", "7", "sync"),
	     SYNC_HEAD "0.000000020        sync()\n"),
};

#define TOOLS(TOOL) TOOL(killsnoop) TOOL(sigsnoop) TOOL(exitsnoop) TOOL(statsnoop) TOOL(syncsnoop)
PROGRAM_SUITE(programs_processes, TOOLS)
