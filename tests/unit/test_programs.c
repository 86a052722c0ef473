// SPDX-License-Identifier: GPL-2.0
/*
 * Whole tools over records: what the kernel would have told (backends/replay.h says how it is written), and the very
 * text the tool prints of it. Ids beyond pid_max belong to nobody on this machine, where tools look into /proc.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_programs(void);

#define COUNT_OF(array) (int)(sizeof(array) / sizeof((array)[0]))

#define V3_10	"3.10.108-x86_64"
#define V4_19	"4.19.78-x86_64"
#define V6_1	"6.1.176-debian-x86_64"
#define V7_2	"7.2.13-debian-x86_64"

struct row {
	const char *what, *command, *kernel, *records, *prints;
	enum output_format format;
	uint64_t lost, late, strings;
	const char *without;
};

#define TEXT(WHAT, COMMAND, RECORDS, PRINTS, ...)	{ WHAT, COMMAND, V6_1, RECORDS, PRINTS, OUTPUT_TEXT, __VA_ARGS__ }
#define JSON(WHAT, COMMAND, RECORDS, PRINTS, ...)	{ WHAT, COMMAND, V6_1, RECORDS, PRINTS, OUTPUT_JSON, __VA_ARGS__ }
#define ON(KERNEL)	.kernel = (KERNEL)

#define X10(S)	S S S S S S S S S S

/* opensnoop */

#define OPEN_HEAD	"PID    COMM               FD ERR PATH\n"
#define CAT		"task 7 5 cat\n"
#define ENTER(TIME, TID, ...)	TIME " 0 " TID " p:do_sys_openat2 dfd=-100 " __VA_ARGS__ "\n"
#define NAMED(TIME, TID, PATH)	TIME " 0 " TID " p:do_filp_open path=\"" PATH "\"\n"
#define LEAVE(TIME, TID, RET)	TIME " 1 " TID " r:do_sys_openat2 ret=" RET "\n"
#define OPENED(TID, PATH, RET)	ENTER("10", TID) NAMED("20", TID, PATH) LEAVE("30", TID, RET)

#define OLD_OPEN \
	CAT "10 0 7 p:do_sys_open dfd=-100 flags=0101 mode=0644\n" "20 0 7 p:do_filp_open path=\"new\"\n" \
	"30 0 7 r:do_sys_open ret=4\n"

static const struct row opensnoop_rows[] = {
	TEXT("an open", "opensnoop", CAT OPENED("7", "/etc/passwd", "3"), OPEN_HEAD "5      cat                 3   0 /etc/passwd\n"),
	TEXT("one that fails", "opensnoop", CAT OPENED("7", "/nowhere", "-2"), OPEN_HEAD "5      cat                -1   2 /nowhere\n"),
	TEXT("threads, all fields, time since the first", "opensnoop -T -e -t 7",
	     CAT ENTER("10", "7", "flags=0100101 mode=0640") NAMED("20", "7", "new") LEAVE("1000000030", "7", "4")
	     ENTER("2000000010", "7", "flags=02000000") NAMED("2000000020", "7", "x") LEAVE("3500000031", "7", "5"),
	     "TIME(s)        TID    COMM               FD ERR FLAGS    MODE PATH\n"
	     "0.000000000    7      cat                 4   0 00000101 0640 new\n"
	     "2.500000001    7      cat                 5   0 02000000 -    x\n"),
	JSON("the same for machines", "opensnoop -T -e",
	     CAT ENTER("10", "7", "flags=0101 mode=0640") NAMED("20", "7", "a\\\"b\\n\\xff") LEAVE("30", "7", "-13"),
	     "{\"time_s\":0.000000000,\"pid\":5,\"comm\":\"cat\",\"fd\":-1,\"errno\":13,\"flags\":65,\"mode\":416,"
	     "\"path\":\"a\\\"b\\n\\udcff\"}\n"),
	TEXT("no UID in the rings", "opensnoop -U", CAT OPENED("7", "x", "3"),
	     "UID    PID    COMM               FD ERR PATH\n" "-      5      cat                 3   0 x\n"),
	TEXT("two tasks at a time", "opensnoop", CAT "task 8 8 dog\n"
	     ENTER("10", "7") ENTER("11", "8") NAMED("12", "8", "eight") NAMED("13", "7", "seven") LEAVE("14", "7", "1")
	     LEAVE("15", "8", "2"),
	     OPEN_HEAD "5      cat                 1   0 seven\n" "8      dog                 2   0 eight\n"),
	TEXT("a task nobody knows", "opensnoop", OPENED("9", "x", "3"), OPEN_HEAD "-      -                   3   0 x\n"),
	TEXT("an exit without an enter", "opensnoop", CAT NAMED("20", "7", "x") LEAVE("30", "7", "3"), OPEN_HEAD),
	TEXT("the name of another open: exec and the like", "opensnoop", CAT NAMED("5", "7", "other") OPENED("7", "x", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("the last name counts: an open may be tried again", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "x") NAMED("21", "7", "x") LEAVE("30", "7", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("an open that never returns leaves no name to the next", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "first") ENTER("30", "7") LEAVE("40", "7", "-22"),
	     OPEN_HEAD "5      cat                -1  22 -\n"),
	TEXT("it fails before there is a name; an empty one says ENOENT", "opensnoop",
	     CAT ENTER("10", "7") LEAVE("20", "7", "-22") ENTER("30", "7") LEAVE("40", "7", "-2"),
	     OPEN_HEAD "5      cat                -1  22 -\n" "5      cat                -1   2 \n"),
	TEXT("255 bytes are shown", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcde", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab")) X10("abcde") "abcde\n"),
	TEXT("256 are cut, and say so", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcdef", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab")) X10("abcde") "abcde...\n"),
	TEXT("as many as the record holds", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcdef") "abcd", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab")) X10("abcdef") "abcd...\n"),
	JSON("cut, for machines", "opensnoop", CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcdef", "3"),
	     "{\"pid\":5,\"comm\":\"cat\",\"fd\":3,\"errno\":0,\"path\":\"" X10(X10("ab")) X10("abcde") "abcde\",\"path_cut\":true}\n"),
	TEXT("failures only", "opensnoop -x", CAT OPENED("7", "x", "3") ENTER("40", "7") NAMED("50", "7", "y") LEAVE("60", "7", "-13"),
	     OPEN_HEAD "5      cat                -1  13 y\n"),
	TEXT("descriptor 0 is no failure", "opensnoop -x", CAT OPENED("7", "x", "0"), OPEN_HEAD),
	TEXT("a process", "opensnoop -p 5", CAT "task 8 8 dog\n" OPENED("7", "x", "3") OPENED("8", "y", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("two of three processes", "opensnoop -p 5,6", CAT "task 8 8 dog\n" "task 6 6 ox\n" OPENED("7", "x", "3")
	     OPENED("8", "y", "3") OPENED("6", "z", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n" "6      ox                  3   0 z\n"),
	TEXT("a thread", "opensnoop -t 7", CAT "task 5 5 cat\n" OPENED("7", "x", "3") OPENED("5", "y", "3"),
	     "TID    COMM               FD ERR PATH\n" "7      cat                 3   0 x\n"),
	TEXT("two of three threads", "opensnoop -t 7,8", CAT "task 8 5 cat\n" "task 9 5 cat\n" OPENED("7", "x", "3")
	     OPENED("8", "y", "3") OPENED("9", "z", "3"),
	     "TID    COMM               FD ERR PATH\n" "7      cat                 3   0 x\n" "8      cat                 3   0 y\n"),
	TEXT("a task nobody knows is of no process", "opensnoop -p 5", OPENED("9", "x", "3"), OPEN_HEAD),
	TEXT("a name", "opensnoop -n at", CAT "task 8 8 dog\n" OPENED("7", "x", "3") OPENED("8", "y", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("flags: any of them", "opensnoop -f O_WRONLY -f O_CREAT",
	     CAT ENTER("10", "7", "flags=02") NAMED("20", "7", "rdwr") LEAVE("30", "7", "3")
	     ENTER("40", "7", "flags=01") NAMED("50", "7", "wronly") LEAVE("60", "7", "3")
	     ENTER("70", "7", "flags=0102") NAMED("80", "7", "creat") LEAVE("90", "7", "3"),
	     OPEN_HEAD "5      cat                 3   0 wronly\n" "5      cat                 3   0 creat\n"),
	TEXT("a gap drops what waits: neither a wrong pair nor a wrong name", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "lost") "gap 2 25 27 4\n" LEAVE("30", "7", "3"), OPEN_HEAD, 4),
	TEXT("what begins after a gap is whole", "opensnoop",
	     "gap 2 1 3 4\n" ENTER("10", "7") NAMED("20", "7", "x") LEAVE("30", "7", "3"),
	     OPEN_HEAD "-      -                   3   0 x\n", 4),
	TEXT("terminals are safe", "opensnoop", "task 7 5 a\033[2Jb\n" OPENED("7", "\\x1b]0;x\\x07\\xe2\\x80\\xae", "3"),
	     OPEN_HEAD "5      a\\x1B[2Jb          3   0 \\x1B]0;x\\x07\\u{202E}\n"),
	TEXT("an older kernel", "opensnoop -e", OLD_OPEN,
	     "PID    COMM               FD ERR FLAGS    MODE PATH\n" "5      cat                 4   0 00000101 0644 new\n",
	     ON(V3_10)),
	TEXT("the newest without kprobes: the event copies the path", "opensnoop -e",
	     CAT "10 0 7 syscalls:sys_enter_openat dfd=0xffffff9c flags=0x7f00000101 mode=0x7f000001a4 filename=\"new\"\n"
	     "20 0 7 syscalls:sys_exit_openat ret=-2\n"
	     "30 0 7 syscalls:sys_enter_creat mode=0644 filename=\"x\"\n" "40 0 7 syscalls:sys_exit_creat ret=3\n",
	     "PID    COMM               FD ERR FLAGS    MODE PATH\n"
	     "5      cat                -1   2 00000101 0644 new\n" "5      cat                 3   0 00001101 0644 x\n",
	     ON(V7_2), .without = "kprobes"),
};

/*
 * execsnoop. With --max-args 3 an entry has four parts, the name and three arguments, and then its main event: execve
 * is @0 to @4, execveat @5 to @9.
 */
#define EXEC_HEAD	"COMM             PID     PPID    RET ARGS\n"
#define SHELL		"task 5000001 5000001 sh\n"
#define FORK(TIME, PARENT, CHILD) \
	TIME " 0 " PARENT " task:task_newtask pid=" CHILD "\n" TIME " 0 " PARENT " task:task_rename pid=" CHILD " newcomm=\"sh\"\n"
#define EXEC(TID, NAME)		"100 0 " TID " @0 filename=\"" NAME "\"\n"
#define ARG1(TID, ARG)		"102 0 " TID " @2 arg[1]=" ARG "\n"
#define ARG2(TID, ARG)		"103 0 " TID " @3 arg[2]=" ARG "\n"
#define EXECVE(TID, ...)	"104 0 " TID " p:__x64_sys_execve " __VA_ARGS__ "\n"
#define DONE(TID, OLD, COMM) \
	"200 1 " TID " task:task_rename pid=" TID " newcomm=\"" COMM "\"\n" "201 1 " TID " sched:sched_process_exec old_pid=" OLD "\n"
#define FAILED(TID, RET)	"200 1 " TID " r:__x64_sys_execve ret=" RET "\n"
#define LS(TID)			EXEC(TID, "/bin/ls") ARG1(TID, "\"-l\"") ARG2(TID, "\"a b\"") EXECVE(TID, "ptr[0]=1 ptr[1]=2 ptr[2]=3")

static const struct row execsnoop_rows[] = {
	TEXT("an exec of a child", "execsnoop --max-args 3", SHELL FORK("10", "5000001", "5000007") LS("5000007") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 5000001   0 /bin/ls -l a b\n"),
	JSON("the same for machines", "execsnoop --max-args 3 -C",
	     SHELL FORK("10", "5000001", "5000007") LS("5000007") DONE("5000007", "5000007", "ls"),
	     "{\"comm\":\"ls\",\"pid\":5000007,\"ppid\":5000001,\"cpu\":1,\"ret\":0,\"args\":\"/bin/ls -l a b\"}\n"),
	TEXT("in quotes", "execsnoop --max-args 3 -q",
	     SHELL FORK("10", "5000001", "5000007") EXEC("5000007", "/bin/ls") ARG1("5000007", "\"a\\\"b\"")
	     EXECVE("5000007", "ptr[0]=1 ptr[1]=2") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 5000001   0 \"/bin/ls\" \"a\\\\\"b\"\n"),
	TEXT("no fork seen, and the process is gone", "execsnoop --max-args 3", SHELL LS("5000001") DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("more than were asked for", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"1\"") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3 ptr[3]=4") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x 1 2 ...\n"),
	TEXT("as many as there are", "execsnoop --max-args 1", SHELL "100 0 5000001 @0 filename=\"x\"\n"
	     EXECVE("5000001", "ptr[0]=1") DONE("5000001", "5000001", "x"), EXEC_HEAD "x                5000001 -         0 x\n"),
	TEXT("one asked for, one more there", "execsnoop --max-args 1", SHELL "100 0 5000001 @0 filename=\"x\"\n"
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x ...\n"),
	TEXT("an argument that can't be read", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?] 2\n", .strings = 1),
	TEXT("a long one is cut", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"" X10(X10("a")) X10("bc") "defghij\"")
	     ARG2("5000001", "\"" X10(X10("a")) X10("bc") "defghijk\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x " X10(X10("a")) X10("bc") "defghij "
	     X10(X10("a")) X10("bc") "defghij...\n"),
	TEXT("an empty argument, an empty name", "execsnoop --max-args 3 -q",
	     SHELL EXEC("5000001", "") "101 0 5000001 @1 arg[0]=\"fd\"\n" ARG1("5000001", "\"\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 \"fd\" \"\"\n"),
	TEXT("failures are not shown", "execsnoop --max-args 3", SHELL LS("5000001") FAILED("5000001", "-2"), EXEC_HEAD),
	TEXT("failures, if asked for", "execsnoop --max-args 3 -x", SHELL LS("5000001") FAILED("5000001", "-2"),
	     EXEC_HEAD "sh               5000001 -        -2 /bin/ls -l a b\n"),
	TEXT("a failure leaves nothing to the next", "execsnoop --max-args 3",
	     SHELL LS("5000001") FAILED("5000001", "-2") "300 0 5000001 sched:sched_process_exec old_pid=5000001\n", EXEC_HEAD),
	TEXT("the return of a success says nothing more", "execsnoop --max-args 3 -x",
	     SHELL LS("5000001") DONE("5000001", "5000001", "ls") "300 0 5000001 r:__x64_sys_execve ret=0\n",
	     EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("by a thread that is not the leader: entered as one, done as the other", "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007") "20 0 5000007 task:task_newtask pid=5000008 clone_flags=0x10000\n"
	     LS("5000008") "150 0 5000007 sched:sched_process_exit pid=5000007\n"
	     "199 1 5000007 task:task_rename pid=5000007 newcomm=\"ls\"\n" "201 1 5000007 sched:sched_process_exec old_pid=5000008\n",
	     EXEC_HEAD "ls               5000007 5000001   0 /bin/ls -l a b\n"),
	TEXT("threads have no parents of their own; siblings have the parent's", "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007")
	     "20 0 5000007 task:task_newtask pid=5000008 clone_flags=0x8000\n"	/* CLONE_PARENT */
	     LS("5000008") DONE("5000008", "5000008", "ls"),
	     EXEC_HEAD "ls               5000008 5000001   0 /bin/ls -l a b\n"),
	TEXT("an id used again after an exit has no parent from before", "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007") "20 0 5000007 sched:sched_process_exit pid=5000007\n"
	     LS("5000007") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 -         0 /bin/ls -l a b\n"),
	TEXT("execveat", "execsnoop --max-args 3",
	     SHELL "100 0 5000001 @5 filename=\"/x\"\n" "101 0 5000001 @7 arg[1]=\"y\"\n"
	     "102 0 5000001 p:__x64_sys_execveat ptr[0]=1 ptr[1]=2\n" DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x y\n"),
	TEXT("a 32-bit task", "execsnoop --max-args 3",
	     SHELL "100 0 5000001 @10 filename=\"/x\"\n" "101 0 5000001 @12 arg[1]=\"y\"\n"
	     "102 0 5000001 p:__ia32_compat_sys_execve ptr[0]=1 ptr[1]=2\n" DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x y\n"),
	TEXT("two at a time", "execsnoop --max-args 3",
	     SHELL "task 5000002 5000002 sh\n" LS("5000001") EXEC("5000002", "other") EXECVE("5000002", "ptr[0]=1")
	     DONE("5000002", "5000002", "other") "300 1 5000001 sched:sched_process_exec old_pid=5000001\n",
	     EXEC_HEAD "other            5000002 -         0 other\n" "sh               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("a gap between: no row of halves", "execsnoop --max-args 3",
	     SHELL LS("5000001") "gap 0 150 160 2\n" DONE("5000001", "5000001", "ls"), EXEC_HEAD, 2),
	TEXT("a gap among the parts: what is not there is unknown", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") "gap 0 101 102 1\n" ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 [?] [?] 2\n", 1, .strings = 2),
	TEXT("children of one process", "execsnoop --max-args 3 -P 5000002",
	     SHELL "task 5000002 5000002 sh\n" FORK("10", "5000001", "5000007") FORK("10", "5000002", "5000008")
	     LS("5000007") LS("5000008") DONE("5000007", "5000007", "seven") DONE("5000008", "5000008", "eight"),
	     EXEC_HEAD "eight            5000008 5000002   0 /bin/ls -l a b\n"),
	TEXT("by name and line", "execsnoop --max-args 3 -n ^l -l -l",
	     SHELL LS("5000001") DONE("5000001", "5000001", "ls"), EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("not by name", "execsnoop --max-args 3 -n ^s", SHELL LS("5000001") DONE("5000001", "5000001", "ls"), EXEC_HEAD),
	TEXT("not by line", "execsnoop --max-args 3 -l ^l", SHELL LS("5000001") DONE("5000001", "5000001", "ls"), EXEC_HEAD),
	TEXT("newlines and escapes", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"a\\nb\\x1b[m\"") EXECVE("5000001", "ptr[0]=1 ptr[1]=2")
	     DONE("5000001", "5000001", "x"), EXEC_HEAD "x                5000001 -         0 x a\\nb\\x1B[m\n"),
	TEXT("3.10: no execveat", "execsnoop --max-args 1",
	     SHELL "100 0 5000001 @0 filename=\"/x\"\n" "102 0 5000001 p:sys_execve ptr[0]=1\n" DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x\n", ON(V3_10)),
};
