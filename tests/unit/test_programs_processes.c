// SPDX-License-Identifier: GPL-2.0
/* The tools about processes over records; see program_rows.h. */
#include "tests/unit/program_rows.h"
#include "tests/unit/unit.h"

Suite *suite_programs_processes(void);

#define CAT		"task 7 5 cat\n"

/* killsnoop */

#define KILL_HEAD	"TIME      PID    COMM             SIG  TPID   RESULT\n"
#define KILL(TIME, TID, TPID, SIG)	TIME " 0 " TID " p:__x64_sys_kill tpid=" TPID " sig=" SIG "\n"
#define KILLED(TIME, TID, RET)		TIME " 1 " TID " r:__x64_sys_kill ret=" RET "\n"

static const struct program_row killsnoop_rows[] = {
	TEXT("a kill, and one that fails", "killsnoop", CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0")
	     KILL("30", "7", "-4", "15") KILLED("40", "7", "-3"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n" "00:00:00  5      cat              15   -4     -3\n"),
	TEXT("failures only", "killsnoop -x", CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0")
	     KILL("30", "7", "98", "0") KILLED("40", "7", "-1"),
	     KILL_HEAD "00:00:00  5      cat              0    98     -1\n"),
	TEXT("signals by number and name; one that is none", "killsnoop -s 9,SIGTERM",
	     CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0") KILL("30", "7", "99", "15") KILLED("40", "7", "0")
	     KILL("50", "7", "99", "10") KILLED("60", "7", "0") KILL("70", "7", "99", "-9") KILLED("80", "7", "-22")
	     KILL("90", "7", "99", "100") KILLED("91", "7", "-22"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n" "00:00:00  5      cat              15   99     0\n"),
	TEXT("a process", "killsnoop -p 5", CAT "task 8 8 dog\n" KILL("10", "8", "99", "9") KILLED("20", "8", "0")
	     KILL("30", "7", "99", "9") KILLED("40", "7", "0"),
	     KILL_HEAD "00:00:00  5      cat              9    99     0\n"),
	TEXT("tasks of 32 bits", "killsnoop", CAT "10 0 7 p:__ia32_sys_kill tpid=99 sig=1\n"
	     "20 0 7 r:__ia32_sys_kill ret=0\n", KILL_HEAD "00:00:00  5      cat              1    99     0\n"),
	TEXT("a task nobody knows; an exit alone", "killsnoop", KILL("10", "9", "99", "9") KILLED("20", "9", "0")
	     KILLED("30", "9", "0"), KILL_HEAD "00:00:00  -      -                9    99     0\n"),
	TEXT("a gap drops what waits", "killsnoop", CAT KILL("10", "7", "99", "9") "gap 0 12 14 2\n"
	     KILLED("20", "7", "0"), KILL_HEAD, 2),
	JSON("calls to threads, for machines", "killsnoop -a", CAT KILL("10", "7", "99", "9") KILLED("20", "7", "0")
	     "30 0 7 p:__x64_sys_tgkill tpid=98 sig=6\n" "40 0 7 r:__x64_sys_tgkill ret=0\n"
	     "50 0 7 p:__x64_sys_tkill tpid=97 sig=0\n" "60 0 7 r:__x64_sys_tkill ret=-3\n",
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\",\"call\":\"kill\",\"signal\":9,"
	     "\"tpid\":99,\"result\":0}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\",\"call\":\"tgkill\",\"signal\":6,"
	     "\"tpid\":98,\"result\":0}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"cat\",\"call\":\"tkill\",\"signal\":0,"
	     "\"tpid\":97,\"result\":-3}\n"),
	TEXT("before 4.17, and without kprobes", "killsnoop", CAT "10 0 7 p:sys_kill tpid=99 sig=1\n"
	     "20 0 7 r:sys_kill ret=0\n", KILL_HEAD "00:00:00  5      cat              1    99     0\n", ON(V3_10)),
	TEXT("without kprobes", "killsnoop", CAT "10 0 7 syscalls:sys_enter_kill tpid=-1 sig=1\n"
	     "20 0 7 syscalls:sys_exit_kill ret=-1\n", KILL_HEAD "00:00:00  5      cat              1    -1     -1\n",
	     .without = "kprobes"),
};

#define ROWS(TOOL) \
START_TEST(TOOL##_shows) \
{ \
	program_row_shows(&TOOL##_rows[_i]); \
} \
END_TEST
ROWS(killsnoop)

static void add(Suite *s, const char *name, const TTest *test, int n)
{
	TCase *c = tcase_create(name);

	tcase_add_loop_test(c, test, 0, n);
	suite_add_tcase(s, c);
}

Suite *suite_programs_processes(void)
{
	Suite *s = suite_create("programs_processes");

	trial_skip("programs_processes");
	add(s, "killsnoop", killsnoop_shows, COUNT_OF(killsnoop_rows));
	return s;
}
