// SPDX-License-Identifier: GPL-2.0
/*
 * Whole tools over records: what the kernel would have told (backends/replay/replay.h says how it
 * is written), and the very text the tool prints of it. Ids beyond pid_max belong to nobody on this
 * machine, where tools look into /proc.
 */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/* opensnoop */

#define OPEN_HEAD	"PID    COMM               FD ERR PATH\n"
#define CAT		"task 7 5 cat\n"
#define ENTER(TIME, TID, ...)	TIME " 0 " TID " p:do_sys_openat2 dfd=-100 " __VA_ARGS__ "\n"
#define NAMED(TIME, TID, PATH)	TIME " 0 " TID " p:do_filp_open path=\"" PATH "\"\n"
#define LEAVE(TIME, TID, RET)	TIME " 1 " TID " r:do_sys_openat2 ret=" RET "\n"
#define OPENED(TID, PATH, RET)	ENTER("10", TID) NAMED("20", TID, PATH) LEAVE("30", TID, RET)

#define REQUESTED(TIME, TID, PATH, RET) \
	TIME " 0 " TID " p:io_openat2 dfd=-100 slot=0\n" TIME " 0 " TID " p:do_file_open path=\"" \
	PATH "\"\n" TIME " 1 " TID " r:io_openat2 ret=" RET "\n"
#define OLD_OPEN \
	CAT "10 0 7 p:do_sys_open dfd=-100 flags=0101 mode=0644\n" \
	"20 0 7 p:do_filp_open path=\"new\"\n" \
	"30 0 7 r:do_sys_open ret=4\n"

static const struct program_row opensnoop_rows[] = {
	TEXT("an open", "opensnoop", CAT OPENED("7", "/etc/passwd", "3"),
	     OPEN_HEAD "5      cat                 3   0 /etc/passwd\n"),
	TEXT("by io_uring: tried, then done by a worker; its result is not told", "opensnoop",
	     CAT "task 8 5 iou-wrk-7\n" REQUESTED("10", "7", "x", "-11")
	     REQUESTED("20", "8", "x", "0"),
	     OPEN_HEAD "5      iou-wrk-7           -   - x\n", ON("7.2")),
	TEXT("one that fails", "opensnoop", CAT OPENED("7", "/nowhere", "-2"),
	     OPEN_HEAD "5      cat                -1   2 /nowhere\n"),
	TEXT("threads, all fields, time since the first", "opensnoop -T -e -t 7",
	     CAT ENTER("10", "7", "flags=0100101 mode=0640") NAMED("20", "7", "new")
	     LEAVE("1000000030", "7", "4")
	     ENTER("2000000010", "7", "flags=02000000") NAMED("2000000020", "7", "x")
	     LEAVE("3500000031", "7", "5"),
	     "TIME(s)        TID    COMM               FD ERR FLAGS    MODE PATH\n"
	     "0.000000000    7      cat                 4   0 00000101 0640 new\n"
	     "2.500000001    7      cat                 5   0 02000000 -    x\n"),
	JSON("the same for machines", "opensnoop -T -e",
	     CAT ENTER("10", "7", "flags=0101 mode=0640") NAMED("20", "7", "a\\\"b\\n\\xff")
	     LEAVE("30", "7", "-13"),
	     "{\"time_s\":0.000000000,\"pid\":5,\"comm\":\"cat\",\"fd\":-1,\"errno\":13,"
	     "\"flags\":65,\"mode\":416,"
	     "\"path\":\"a\\\"b\\n\\udcff\"}\n"),
	TEXT("no UID in the rings", "opensnoop -U", CAT OPENED("7", "x", "3"),
	     "UID    PID    COMM               FD ERR PATH\n"
	     "-      5      cat                 3   0 x\n"),
	TEXT("two tasks at a time", "opensnoop", CAT "task 8 8 dog\n"
	     ENTER("10", "7") ENTER("11", "8") NAMED("12", "8", "eight") NAMED("13", "7", "seven")
	     LEAVE("14", "7", "1")
	     LEAVE("15", "8", "2"),
	     OPEN_HEAD "5      cat                 1   0 seven\n"
	     "8      dog                 2   0 eight\n"),
	TEXT("a task nobody knows", "opensnoop", OPENED("9", "x", "3"),
	     OPEN_HEAD "-      -                   3   0 x\n"),
	TEXT("an exit without an enter", "opensnoop", CAT NAMED("20", "7", "x")
	     LEAVE("30", "7", "3"),
	     OPEN_HEAD),
	TEXT("an exit more", "opensnoop", CAT OPENED("7", "x", "3") LEAVE("40", "7", "4"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("the name of another open: exec and the like", "opensnoop",
	     CAT NAMED("5", "7", "other")
	     OPENED("7", "x", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("the last name counts: an open may be tried again", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "x") NAMED("21", "7", "x") LEAVE("30", "7", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("an open that never returns leaves no name to the next", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "first") ENTER("30", "7")
	     LEAVE("40", "7", "-22"),
	     OPEN_HEAD "5      cat                -1  22 -\n", .returns = 1),
	TEXT("it fails before there is a name; an empty one says ENOENT", "opensnoop",
	     CAT ENTER("10", "7") LEAVE("20", "7", "-22") ENTER("30", "7") LEAVE("40", "7", "-2"),
	     OPEN_HEAD "5      cat                -1  22 -\n" "5      cat                -1   2\n"),
	TEXT("255 bytes are shown", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcde", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab")) X10("abcde") "abcde\n"),
	TEXT("256 are cut, and say so", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcdef", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab")) X10("abcde")
	     "abcde...\n"),
	TEXT("as many as the record holds", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcdef") "abcd", "3"),
	     OPEN_HEAD "5      cat                 3   0 " X10(X10("ab"))
	     "abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefa...\n"),
	JSON("cut, for machines", "opensnoop",
	     CAT OPENED("7", X10(X10("ab")) X10("abcde") "abcdef", "3"),
	     "{\"pid\":5,\"comm\":\"cat\",\"fd\":3,\"errno\":0,\"path\":\"" X10(X10("ab"))
	     X10("abcde")
	     "abcde\",\"path_cut\":true}\n"),
	TEXT("failures only", "opensnoop -x", CAT OPENED("7", "x", "3") ENTER("40", "7")
	     NAMED("50", "7", "y")
	     LEAVE("60", "7", "-13"),
	     OPEN_HEAD "5      cat                -1  13 y\n"),
	TEXT("descriptor 0 is no failure", "opensnoop -x", CAT OPENED("7", "x", "0"), OPEN_HEAD),
	TEXT("a process", "opensnoop -p 5", CAT "task 8 8 dog\n" OPENED("7", "x", "3")
	     OPENED("8", "y", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("two of three processes", "opensnoop -p 5,6", CAT "task 8 8 dog\n" "task 6 6 ox\n"
	     OPENED("7", "x", "3")
	     OPENED("8", "y", "3") OPENED("6", "z", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"
	     "6      ox                  3   0 z\n"),
	TEXT("a thread", "opensnoop -t 7", CAT "task 5 5 cat\n" OPENED("7", "x", "3")
	     OPENED("5", "y", "3"),
	     "TID    COMM               FD ERR PATH\n" "7      cat                 3   0 x\n"),
	TEXT("two of three threads", "opensnoop -t 7,8", CAT "task 8 5 cat\n" "task 9 5 cat\n"
	     OPENED("7", "x", "3")
	     OPENED("8", "y", "3") OPENED("9", "z", "3"),
	     "TID    COMM               FD ERR PATH\n" "7      cat                 3   0 x\n"
	     "8      cat                 3   0 y\n"),
	TEXT("a task nobody knows may be of this process", "opensnoop -p 5", OPENED("9", "x", "3"),
	     OPEN_HEAD, .lost = 1),
	TEXT("a name", "opensnoop -n at", CAT "task 8 8 dog\n" OPENED("7", "x", "3")
	     OPENED("8", "y", "3"),
	     OPEN_HEAD "5      cat                 3   0 x\n"),
	TEXT("flags: any of them", "opensnoop -f O_WRONLY -f O_CREAT",
	     CAT ENTER("10", "7", "flags=02") NAMED("20", "7", "rdwr") LEAVE("30", "7", "3")
	     ENTER("40", "7", "flags=01") NAMED("50", "7", "wronly") LEAVE("60", "7", "3")
	     ENTER("70", "7", "flags=0102") NAMED("80", "7", "creat") LEAVE("90", "7", "3"),
	     OPEN_HEAD "5      cat                 3   0 wronly\n"
	     "5      cat                 3   0 creat\n"),
	TEXT("a gap drops what waits: neither a wrong pair nor a wrong name", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "lost") "gap 2 25 27 4\n" LEAVE("30", "7", "3"),
	     OPEN_HEAD,
	     .lost = 4, .unpaired = 1),
	TEXT("what comes too late is left out, and breaks what waits", "opensnoop",
	     CAT ENTER("10", "7") NAMED("20", "7", "lost") "50 2 9 p:do_sys_openat2\n" "run 60\n"
	     "40 1 8 r:do_sys_openat2 ret=1\n"
	     LEAVE("70", "7", "3"), OPEN_HEAD, .late = 1, .unpaired = 1),
	TEXT("a command, what it starts, and what that starts", "opensnoop --exec true",
	     "task 5 5 make\n" "task 6 6 other\n" "1 0 5 task:task_newtask pid=15\n"
	     "2 0 15 task:task_newtask pid=25\n"
	     "3 0 25 task:task_newtask pid=26 clone_flags=0x10000\n"
	     "4 0 6 task:task_newtask pid=16\n"
	     OPENED("5", "five", "3") OPENED("6", "six", "3") OPENED("15", "fifteen", "3")
	     OPENED("26", "its thread", "3")
	     OPENED("16", "sixteen", "3"),
	     OPEN_HEAD "5      make                3   0 five\n"
	     "15     -                   3   0 fifteen\n"
	     "25     -                   3   0 its thread\n", .child = 5),
	TEXT("what begins after a gap is whole", "opensnoop",
	     "gap 2 1 3 4\n" ENTER("10", "7") NAMED("20", "7", "x") LEAVE("30", "7", "3"),
	     OPEN_HEAD "-      -                   3   0 x\n", 4),
	TEXT("terminals are safe", "opensnoop", "task 7 5 a\033[2Jb\n"
	     OPENED("7", "\\x1b]0;x\\x07\\xe2\\x80\\xae", "3"),
	     OPEN_HEAD "5      a\\x1b[2Jb           3   0 \\x1b]0;x\\x07\\u{202e}\n"),
	TEXT("an older kernel", "opensnoop -e", OLD_OPEN,
	     "PID    COMM               FD ERR FLAGS    MODE PATH\n"
	     "5      cat                 4   0 00000101 0644 new\n",
	     ON(V3_10)),
	TEXT("the newest without kprobes: the event copies the path", "opensnoop -e",
	     CAT "10 0 7 syscalls:sys_enter_openat dfd=0xffffff9c flags=0x7f00000041 "
		 "mode=0x7f000001a4 filename=\"new\"\n"
	     "20 0 7 syscalls:sys_exit_openat ret=-2\n"
	     "30 0 7 syscalls:sys_enter_creat mode=0644 filename=\"x\"\n"
	     "40 0 7 syscalls:sys_exit_creat ret=3\n",
	     "PID    COMM               FD ERR FLAGS    MODE PATH\n"
	     "5      cat                -1   2 00000101 0644 new\n"
	     "5      cat                 3   0 00001101 0644 x\n",
	     ON(V7_2), .without = "kprobes"),
};

/*
 * execsnoop. With --max-args 3 an entry has five parts, the name, argv and three arguments, and
 * then its main event: execve is @0 to @5, execveat @6 to @11. Argv as a text says that it could be
 * read.
 */
#define EXEC_HEAD	"COMM             PID     PPID    RET ARGS\n"
#define SHELL		"task 5000001 5000001 sh\n"
#define FORK(TIME, PARENT, CHILD) \
	TIME " 0 " PARENT " task:task_newtask pid=" CHILD "\n" TIME " 0 " PARENT \
	" task:task_rename pid=" \
	CHILD " newcomm=\"sh\"\n"
#define FILENAME(TID, NAME)	"100 0 " TID " @0 filename=\"" NAME "\"\n"
#define ARGV(TID)		"101 0 " TID " @2 argv=\"\x10\"\n"
#define EXEC(TID, NAME)		FILENAME(TID, NAME) ARGV(TID)
#define ARG1(TID, ARG)		"102 0 " TID " @3 arg[1]=" ARG "\n"
#define ARG2(TID, ARG)		"103 0 " TID " @4 arg[2]=" ARG "\n"
#define EXECVE(TID, ...)	"104 0 " TID " p:__x64_sys_execve " __VA_ARGS__ "\n"
#define DONE(TID, OLD, COMM) \
	"200 1 " TID " task:task_rename pid=" TID " newcomm=\"" COMM "\"\n" "201 1 " \
	TID " sched:sched_process_exec old_pid=" OLD "\n"
/* The new image's argc and argv: behind the entries' four times six. */
#define IMAGE3(ARGC, FIRST, SECOND, THIRD) \
	"150 0 5000001 @24 arg[1]=\"" FIRST "\"\n" "150 0 5000001 @25 arg[2]=\"" SECOND "\"\n" \
	"150 0 5000001 @26 arg[3]=\"" THIRD "\"\n" \
	"150 0 5000001 p:start_thread stack[0]=" ARGC "\n"
#define FAILED(TID, RET)	"200 1 " TID " r:__x64_sys_execve ret=" RET "\n"
#define LS(TID)			EXEC(TID, "/bin/ls") ARG1(TID, "\"-l\"") ARG2(TID, "\"a b\"") \
	EXECVE(TID, \
	"ptr[0]=1 ptr[1]=2 ptr[2]=3")

/*
 * Before 4.20 texts come in pieces: with --max-args 3 all in the main event; of 20 arguments 0 to 3
 * there, 4 to 9 and 10 to 15 in the parts before it. `argv` is the address of the row of pointers.
 */
#define PIECES(WHAT, ARGS, INPUTS, SHOWN, ...) \
	TEXT("pieces: " WHAT, "execsnoop --max-args " ARGS, \
	     SHELL "104 0 5000001 p:sys_execve " INPUTS "\n" DONE("5000001", "5000001", "x"), \
	     EXEC_HEAD "x                5000001 -         0 " SHOWN "\n", ON(V3_10), __VA_ARGS__)
#define ARGS3(FIRST, SECOND)	"filename=\"/x\" arg[1]=" FIRST " arg[2]=" SECOND
#define PART0(TIME, FOURTH, NINTH) \
	TIME " 0 5000001 @0 arg[4]=" FOURTH \
	" arg[5]=\"5\" arg[6]=\"6\" arg[7]=\"7\" arg[8]=\"8\" arg[9]=" NINTH "\n"
#define PART1(TIME)	TIME " 0 5000001 @1 arg[10]=\"10\"\n"
#define ELEVEN \
	"104 0 5000001 p:sys_execve argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 ptr[3]=1 ptr[4]=1 " \
	"ptr[5]=1 ptr[6]=1 ptr[7]=1 " \
	"ptr[8]=1 ptr[9]=1 ptr[10]=1 filename=\"/x\" arg[1]=\"1\" arg[2]=\"2\" arg[3]=\"3\"\n"

/* Where nothing but sched_process_exec tells of execs. */
#define ALONE(TID, OLD, COMM, NAME) \
	"200 1 " TID " task:task_rename pid=" TID " newcomm=\"" COMM "\"\n" "201 1 " \
	TID " sched:sched_process_exec old_pid=" OLD " filename=\"" NAME "\"\n"
#define THREAD	"10 0 5000001 task:task_newtask pid=7 clone_flags=0x10000\n"
#define ENDS(TID)	"150 0 " TID " sched:sched_process_exit pid=" TID "\n"
#define FREED(TID)	"160 0 0 sched:sched_process_free pid=" TID "\n"

static const struct program_row execsnoop_rows[] = {
	TEXT("alone: no arguments", "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007") ALONE("5000007", "5000007", "ls", "/bin/ls")
	     ALONE("5000001", "5000001", "x", "x y"),
	     EXEC_HEAD "ls               5000007 5000001   0 /bin/ls [?]\n"
	     "x                5000001 -         0 x y [?]\n", .without = "kprobes"),
	TEXT("alone: after an end the number has no parent", "execsnoop",
	     SHELL FORK("10", "5000001", "5000007") ENDS("5000007") FREED("5000007")
	     ALONE("5000007", "5000007", "ls", "ls"),
	     EXEC_HEAD "ls               5000007 -         0 ls [?]\n", .without = "kprobes"),
	TEXT("alone: a thread that takes the leader's place", "execsnoop",
	     SHELL FORK("10", "5000001", "5000007") ENDS("5000007")
	     ALONE("5000007", "5000008", "ls", "ls")
	     "300 0 0 sched:sched_process_free pid=5000007\n"
	     "400 0 5000007 sched:sched_process_exec old_pid=5000007 filename=\"x\"\n",
	     EXEC_HEAD "ls               5000007 5000001   0 ls [?]\n"
	     "ls               5000007 5000001   0 x [?]\n", .without = "kprobes"),
	TEXT("alone: a thread that was asked for", "execsnoop --tid 7",
	     SHELL "task 5000002 5000002 sh\n" THREAD ALONE("5000002", "5000002", "a", "a")
	     ALONE("5000001", "7", "b", "b"),
	     EXEC_HEAD "b                5000001 -         0 b [?]\n", .without = "kprobes"),
	TEXT("alone: in quotes, by name, of one parent", "execsnoop -q -n ^l -P 4194303",
	     "task 4194303 4194303 sh\n" FORK("10", "4194303", "5000007")
	     FORK("10", "4194303", "5000008") ALONE("5000007", "5000007", "ls", "/a \\\"b")
	     ALONE("5000008", "5000008", "x", "l") ALONE("4194303", "4194303", "ls", "ls"),
	     EXEC_HEAD "ls               5000007 4194303   0 \"/a \\\"b\" [?]\n",
	     .without = "kprobes"),
	JSON("alone: for machines, a long name", "execsnoop -C",
	     SHELL ALONE("5000001", "5000001", "x", X10(X10("a")) X10("bc") "defghijk"),
	     "{\"comm\":\"x\",\"pid\":5000001,\"ppid\":null,\"cpu\":1,\"ret\":0,"
	     "\"args\":\"" X10(X10("a")) X10("bc") "defghij... [?]\"}\n",
	     .without = "kprobes"),
	TEXT("an exec of a child", "execsnoop --max-args 3", SHELL FORK("10", "5000001", "5000007")
	     LS("5000007") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 5000001   0 /bin/ls -l a b\n"),
	JSON("the same for machines", "execsnoop --max-args 3 -C",
	     SHELL FORK("10", "5000001", "5000007") LS("5000007") DONE("5000007", "5000007", "ls"),
	     "{\"comm\":\"ls\",\"pid\":5000007,\"ppid\":5000001,\"cpu\":1,\"ret\":0,"
	     "\"args\":\"/bin/ls -l a b\"}\n"),
	TEXT("in quotes", "execsnoop --max-args 3 -q",
	     SHELL FORK("10", "5000001", "5000007") EXEC("5000007", "/bin/ls")
	     ARG1("5000007", "\"a\\\"b\"")
	     EXECVE("5000007", "ptr[0]=1 ptr[1]=2") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 5000001   0 \"/bin/ls\" \"a\\\"b\"\n"),
	TEXT("no fork seen, and the process is gone", "execsnoop --max-args 3", SHELL LS("5000001")
	     DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("more than were asked for", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"1\"") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3 ptr[3]=4")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x 1 2 ...\n"),
	TEXT("as many as there are", "execsnoop --max-args 1", SHELL EXEC("5000001", "x")
	     EXECVE("5000001", "ptr[0]=1") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x\n"),
	TEXT("one asked for, one more there", "execsnoop --max-args 1",
	     SHELL EXEC("5000001", "x")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x ...\n"),
	TEXT("an argument that can't be read", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?] 2\n", .strings = 1),
	TEXT("an argument that can't be read is the new image's", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") IMAGE3("3", "x", "1", "2")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x 1 2\n", .strings = 1),
	TEXT("the new image's, if argv can't be read either", "execsnoop --max-args 3",
	     SHELL FILENAME("5000001", "x") "101 0 5000001 @2 argv=fault\n"
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=0") IMAGE3("2", "x", "1", "HOME=/")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x 1\n", .strings = 1),
	TEXT("an image that other arguments went to: not taken", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault") ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") IMAGE3("3", "x", "1", "3")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?] 2\n", .strings = 1),
	TEXT("a script's: behind its interpreter's", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") IMAGE3("3", "/bin/sh", "x", "1")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x 1\n", .strings = 1),
	TEXT("a script's, if argv can't be read: unknown", "execsnoop --max-args 3",
	     SHELL FILENAME("5000001", "x") "101 0 5000001 @2 argv=fault\n"
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=0") IMAGE3("3", "/bin/sh", "x", "1")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?]\n", .strings = 1),
	TEXT("more than are read: a script's can't be told from others", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "fault")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") IMAGE3("4", "/bin/sh", "-e", "x")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?]\n", .strings = 1),
	TEXT("argv can't be read: the pointers are left from before", "execsnoop --max-args 3",
	     SHELL FILENAME("5000001", "x") "101 0 5000001 @2 argv=fault\n"
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=0") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x [?]\n", .strings = 1),
	TEXT("a long one is cut", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"" X10(X10("a")) X10("bc") "defghij\"")
	     ARG2("5000001", "\"" X10(X10("a")) X10("bc") "defghijk\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x " X10(X10("a")) X10("bc") "defghij "
	     X10(X10("a")) X10("bc") "defghij...\n"),
	TEXT("an empty argument, an empty name", "execsnoop --max-args 3 -q",
	     SHELL FILENAME("5000001", "") "101 0 5000001 @1 arg[0]=\"fd\"\n" ARGV("5000001")
	     ARG1("5000001", "\"\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 \"fd\" \"\"\n"),
	TEXT("failures are not shown", "execsnoop --max-args 3", SHELL LS("5000001")
	     FAILED("5000001", "-2"),
	     EXEC_HEAD),
	TEXT("failures, if asked for", "execsnoop --max-args 3 -x", SHELL LS("5000001")
	     FAILED("5000001", "-2"),
	     EXEC_HEAD "sh               5000001 -        -2 /bin/ls -l a b\n"),
	TEXT("a failure leaves nothing to the next", "execsnoop --max-args 3",
	     SHELL LS("5000001") FAILED("5000001", "-2")
	     "300 0 5000001 sched:sched_process_exec old_pid=5000001\n", EXEC_HEAD),
	TEXT("killed within its exec: nothing of it is left for the next task with its number",
	     "execsnoop --max-args 3",
	     SHELL LS("5000001") "150 0 5000001 sched:sched_process_exit pid=5000001\n"
	     "200 1 5000001 sched:sched_process_exec old_pid=5000001\n", EXEC_HEAD),
	TEXT("the return of a success says nothing more", "execsnoop --max-args 3 -x",
	     SHELL LS("5000001") DONE("5000001", "5000001", "ls")
	     "300 0 5000001 r:__x64_sys_execve ret=0\n",
	     EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("by a thread that is not the leader: entered as one, done as the other",
	     "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007")
	     "20 0 5000007 task:task_newtask pid=5000008 clone_flags=0x10000\n"
	     LS("5000008") "150 0 5000007 sched:sched_process_exit pid=5000007\n"
	     "199 1 5000007 task:task_rename pid=5000007 newcomm=\"ls\"\n"
	     "201 1 5000007 sched:sched_process_exec old_pid=5000008\n",
	     EXEC_HEAD "ls               5000007 5000001   0 /bin/ls -l a b\n"),
	TEXT("threads have no parents of their own; siblings have the parent's",
	     "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007")
	     "20 0 5000007 task:task_newtask pid=5000008 clone_flags=0x8000\n"	/* CLONE_PARENT */
	     LS("5000008") DONE("5000008", "5000008", "ls"),
	     EXEC_HEAD "ls               5000008 5000001   0 /bin/ls -l a b\n"),
	TEXT("an id used again after an exit has no parent from before", "execsnoop --max-args 3",
	     SHELL FORK("10", "5000001", "5000007")
	     "20 0 5000007 sched:sched_process_exit pid=5000007\n"
	     LS("5000007") DONE("5000007", "5000007", "ls"),
	     EXEC_HEAD "ls               5000007 -         0 /bin/ls -l a b\n"),
	TEXT("execveat", "execsnoop --max-args 3",
	     SHELL "100 0 5000001 @6 filename=\"/x\"\n" "101 0 5000001 @8 argv=\"\"\n"
	     "101 0 5000001 @9 arg[1]=\"y\"\n"
	     "102 0 5000001 p:__x64_sys_execveat ptr[0]=1 ptr[1]=2\n"
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x y\n"),
	TEXT("a 32-bit task", "execsnoop --max-args 3",
	     SHELL "100 0 5000001 @12 filename=\"/x\"\n" "101 0 5000001 @14 argv=\"\"\n"
	     "101 0 5000001 @15 arg[1]=\"y\"\n"
	     "102 0 5000001 p:__ia32_compat_sys_execve ptr[0]=1 ptr[1]=2\n"
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x y\n"),
	TEXT("two at a time", "execsnoop --max-args 3",
	     SHELL "task 5000002 5000002 sh\n" LS("5000001") EXEC("5000002", "other")
	     EXECVE("5000002", "ptr[0]=1")
	     DONE("5000002", "5000002", "other")
	     "300 1 5000001 sched:sched_process_exec old_pid=5000001\n",
	     EXEC_HEAD "other            5000002 -         0 other\n"
	     "sh               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("a gap between: no row of halves", "execsnoop --max-args 3",
	     SHELL LS("5000001") "gap 0 150 160 2\n" DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD, .lost = 2, .unpaired = 1),
	TEXT("a gap among the parts: what is not there is unknown", "execsnoop --max-args 3",
	     SHELL FILENAME("5000001", "x") "gap 0 101 102 1\n" "102 0 5000001 @2 argv=\"x\"\n"
	     ARG2("5000001", "\"2\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2 ptr[2]=3") DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                -       -         0 [?] [?] 2\n", 1, .strings = 3),
	TEXT("children of one process", "execsnoop --max-args 3 -P 4194303",
	     SHELL "task 4194303 4194303 sh\n" FORK("10", "5000001", "5000007")
	     FORK("10", "4194303", "5000008")
	     LS("5000007") LS("5000008") DONE("5000007", "5000007", "seven")
	     DONE("5000008", "5000008", "eight"),
	     EXEC_HEAD "eight            5000008 4194303   0 /bin/ls -l a b\n"),
	TEXT("by name and line", "execsnoop --max-args 3 -n ^l -l -l",
	     SHELL LS("5000001") DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD "ls               5000001 -         0 /bin/ls -l a b\n"),
	TEXT("not by name", "execsnoop --max-args 3 -n ^s", SHELL LS("5000001")
	     DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD),
	TEXT("not by line", "execsnoop --max-args 3 -l ^l", SHELL LS("5000001")
	     DONE("5000001", "5000001", "ls"),
	     EXEC_HEAD),
	TEXT("newlines and escapes", "execsnoop --max-args 3",
	     SHELL EXEC("5000001", "x") ARG1("5000001", "\"a\\nb\\x1b[m\"")
	     EXECVE("5000001", "ptr[0]=1 ptr[1]=2")
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 x a\\nb\\x1b[m\n"),
	PIECES("3.10: no execveat", "1", "argv=0x7000 ptr[0]=1 filename=\"/x\"", "/x"),
	PIECES("texts in pieces", "3", "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("\"-l\"", "\"a b\""), "/x -l a b"),
	PIECES("as long as a piece, and a byte more", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 " ARGS3("\"1234567\"", "\"12345678\""),
	       "/x 1234567 12345678"),
	PIECES("as long as is shown, and a byte more", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("\"" X10(X10("a")) X10("bc") "defghij\"", "\"" X10(X10("a")) X10("bc")
		     "defghijk\""),
	       "/x " X10(X10("a")) X10("bc") "defghij " X10(X10("a")) X10("bc") "defghij..."),
	PIECES("far longer", "2", "argv=0x7000 ptr[0]=1 ptr[1]=1 filename=\"/x\" arg[1]=\""
	       X10(X10("abc")) "\"",
	       "/x " X10("abcabcabcabc") "abcabca..."),
	PIECES("nothing of it can be read", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 " ARGS3("fault", "\"b\""), "/x [?] b",
	       .strings = 1),
	PIECES("it goes on where memory is not there", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("0x1ff0\"0123456789abcdef\"", "\"b\""), "/x [?] b",
	       .strings = 1),
	PIECES("it ends there, and its last piece goes on", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 " ARGS3("0x1ff0\"0123456789abcde\\x00\"",
							       "\"b\""), "/x [?] b",
	       .strings = 1),
	PIECES("it ends before, and its last piece too", "3",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("0x1ff0\"0123456789abc\\x00ef\"", "\"b\""),
	       "/x 0123456789abc b"),
	PIECES("an empty one", "3 -q", "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("\"\"", "\"b\""),
	       "\"/x\" \"\" \"b\""),
	PIECES("an empty one, and nothing near it", "3 -q",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("0x2000\"" X10(X10("\\x00")) X10(X10("\\x00")) "\"", "\"b\""),
	       "\"/x\" [?] \"b\"", .strings = 1),
	PIECES("an empty one, and what is near it is on its page", "3 -q",
	       "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("0x2000\"" X10(X10("\\x00")) X10("abcdefg") "\"", "\"b\""),
	       "\"/x\" \"\" \"b\""),
	PIECES("the same, but on the next page", "3 -q", "argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	       ARGS3("0x2ff0\"" X10("\\x00\\x00\\x00") "" X10("abcdefgh") "\"", "\"b\""),
	       "\"/x\" [?] \"b\"", .strings = 1),
	PIECES("argv goes on where memory is not there", "3", "argv=0x6ff0 ptr[0]=1 ptr[1]=1 "
	       ARGS3("\"a\"", "fault"),
	       "/x a [?]"),
	PIECES("argv ends with its page", "3", "argv=0x6fe8 ptr[0]=1 ptr[1]=1 "
	       ARGS3("\"a\"", "fault"), "/x a"),
	PIECES("no argv", "3", "ptr[0]=0 filename=\"/x\"", "/x [?]"),
	TEXT("in parts", "execsnoop", SHELL PART0("50", "\"4\"", "\"9\"") PART1("60")
	     ELEVEN DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x 1 2 3 4 5 6 7 8 9 10\n", ON(V3_10)),
	TEXT("a part that did not come", "execsnoop", SHELL PART1("60")
	     ELEVEN DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x 1 2 3 [?] [?] [?] [?] [?] [?] 10\n",
	     ON(V3_10), .strings = 6),
	TEXT("a part of an exec before", "execsnoop",
	     SHELL PART1("40") PART0("50", "\"4\"", "\"9\"") ELEVEN DONE("5000001", "5000001", "x"),
	     EXEC_HEAD
	     "x                5000001 -         0 /x 1 2 3 [?] [?] [?] [?] [?] [?] [?]\n",
	     ON(V3_10), .strings = 7),
	TEXT("a 32-bit task's pointers are read by twos: only the last is one",
	     "execsnoop --max-args 3",
	     SHELL "104 0 5000001 p:compat_sys_execve argv=0x7000 ptr[0]=1 ptr[1]=1 ptr[2]=1 "
	     ARGS3("0x200001000\"wrong\\x00~~~~~~~~\"", "\"last\"") "\n"
	     DONE("5000001", "5000001", "x"),
	     EXEC_HEAD "x                5000001 -         0 /x [?] last\n", ON(V3_10),
	     .strings = 1),
};

/* biolatency */

#define ISSUE(TIME, SECTOR, SECTORS, RWBS) \
	TIME " 0 7 block:block_rq_issue dev=8388609 sector=" SECTOR " sectors=" SECTORS " rwbs=\"" \
	RWBS "\"\n"
#define COMPLETE(TIME, SECTOR, SECTORS, RWBS) \
	TIME " 1 0 block:block_rq_complete dev=8388609 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"" \
	RWBS "\"\n"
#define INSERT(TIME, SECTOR, SECTORS) \
	TIME " 0 7 block:block_rq_insert dev=8388609 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"W\"\n"
#define FRONT(TIME, SECTOR, SECTORS) \
	TIME " 0 7 block:block_bio_frontmerge dev=8388609 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"W\"\n"
#define MERGED(TIME, SECTOR, SECTORS) \
	TIME " 0 7 block:block_rq_merge dev=8388609 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"W\"\n"
#define REQUEUE(TIME, SECTOR, SECTORS) \
	TIME " 0 7 block:block_rq_requeue dev=8388609 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"W\"\n"
#define OTHER_DISK	"2000 0 7 block:block_rq_issue dev=8388625 sector=5 sectors=1 " \
			"rwbs=\"R\"\n" \
			"22000 0 7 block:block_rq_complete dev=8388625 sector=5 sectors=1 " \
			"rwbs=\"R\"\n"

#define HIST(UNIT, MORE, SLOTS) \
	"{\"histogram\":\"latency\",\"unit\":\"" UNIT \
	"\",\"time\":\"1970-01-01T00:00:00.000000Z\"," \
	MORE "\"slots\":[" SLOTS "]}\n"
#define USECS(SLOTS)	HIST("usecs", "", SLOTS)
#define SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"
#define TEN(N)		SLOT("10", "10", N)

static const struct program_row biolatency_rows[] = {
	JSON("a write", "biolatency", ISSUE("1000", "100", "8", "W")
	     COMPLETE("11000", "100", "8", "W"),
	     USECS(TEN("1"))),
	TEXT("for people", "biolatency", ISSUE("1000", "100", "8", "W")
	     COMPLETE("11999", "100", "8", "W"),
	     "\n     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 0        |                                        |\n"
	     "         4 -> 7          : 0        |                                        |\n"
	     "         8 -> 15         : 1        |****************************************|\n"),
	JSON("milliseconds", "biolatency -m", ISSUE("1000", "100", "8", "W")
	     COMPLETE("5001000", "100", "8", "W"),
	     HIST("msecs", "", SLOT("5", "5", "1"))),
	JSON("five milliseconds in slots of eighths", "biolatency", ISSUE("1000", "100", "8", "W")
	     COMPLETE("5001000", "100", "8", "W"),
	     USECS(SLOT("4608", "5119", "1"))),
	JSON("done in parts: once, by the last", "biolatency",
	     ISSUE("1000", "100", "8", "W") COMPLETE("2000", "100", "3", "W")
	     COMPLETE("3000", "103", "1", "W")
	     COMPLETE("11000", "104", "4", "W"), USECS(TEN("1"))),
	JSON("parts of two requests, one beside the other", "biolatency",
	     ISSUE("1000", "100", "8", "W") ISSUE("2000", "108", "8", "W")
	     COMPLETE("3000", "100", "4", "W")
	     COMPLETE("11000", "104", "4", "W") COMPLETE("12000", "108", "8", "W"),
	     USECS(TEN("2"))),
	JSON("issued again after a requeue: from the last issue", "biolatency",
	     ISSUE("500", "100", "8", "W") REQUEUE("600", "100", "8") ISSUE("1000", "100", "8", "W")
	     COMPLETE("11000", "100", "8", "W"), USECS(TEN("1"))),
	JSON("two at one sector: whose end is whose? Then no doubt any more", "biolatency",
	     ISSUE("1000", "100", "8", "R") ISSUE("2000", "100", "8", "R")
	     ISSUE("3000", "100", "8", "W")
	     COMPLETE("5000", "100", "8", "R") COMPLETE("6000", "100", "8", "R")
	     COMPLETE("13000", "100", "8", "W")
	     ISSUE("20000", "100", "8", "R") COMPLETE("30000", "100", "8", "R"), USECS(TEN("2")),
	     .untimed = 2),
	JSON("given back, and never issued again", "biolatency",
	     ISSUE("500", "100", "8", "W") REQUEUE("600", "100", "8")
	     COMPLETE("11000", "100", "8", "W"), USECS(""),
	     .untimed = 1),
	JSON("its end was never told, long ago", "biolatency",
	     ISSUE("1000", "100", "8", "W") ISSUE("40000000000", "100", "8", "W")
	     COMPLETE("40000010000", "100", "8", "W"),
	     USECS(TEN("1"))),
	JSON("done, but not seen to be issued", "biolatency", COMPLETE("11000", "100", "8", "W"),
	     USECS("")),
	JSON("done once, counted once", "biolatency",
	     ISSUE("1000", "100", "8", "W") COMPLETE("11000", "100", "8", "W")
	     COMPLETE("21000", "100", "8", "W"),
	     USECS(TEN("1"))),
	JSON("the same sector of two disks", "biolatency",
	     ISSUE("1000", "5", "1", "W") OTHER_DISK COMPLETE("11000", "5", "1", "W"),
	     USECS(TEN("1") "," SLOT("20", "21", "1"))),

	JSON("from the queue", "biolatency -Q",
	     INSERT("1000", "100", "8") ISSUE("6000", "100", "8", "W")
	     COMPLETE("11000", "100", "8", "W"),
	     USECS(TEN("1"))),
	JSON("never queued: from its issue", "biolatency -Q",
	     ISSUE("1000", "100", "8", "W") COMPLETE("11000", "100", "8", "W"), USECS(TEN("1"))),
	JSON("a front merge moves where it begins", "biolatency -Q",
	     INSERT("1000", "108", "8") FRONT("2000", "100", "8") ISSUE("3000", "100", "16", "W")
	     COMPLETE("11000", "100", "16", "W"),
	     USECS(TEN("1"))),
	JSON("what came in front stays a request of its own until then", "biolatency -Q",
	     INSERT("1000", "108", "8") FRONT("2000", "100", "8") ISSUE("3000", "108", "8", "W")
	     COMPLETE("11000", "108", "8", "W"),
	     USECS(SLOT("8", "8", "1"))),
	JSON("queued, requeued, done in parts", "biolatency -Q",
	     INSERT("1000", "100", "8") ISSUE("2000", "100", "8", "W") REQUEUE("2500", "100", "8")
	     INSERT("2600", "100", "8") ISSUE("3000", "100", "8", "W")
	     COMPLETE("4000", "100", "4", "W")
	     COMPLETE("11000", "104", "4", "W"), USECS(TEN("1"))),
	JSON("one merged into another, and its sector asked for once more", "biolatency -Q",
	     INSERT("500", "108", "8") INSERT("600", "100", "8") MERGED("700", "108", "8")
	     INSERT("1000", "108", "8")
	     ISSUE("2000", "108", "8", "W") COMPLETE("11000", "108", "8", "W"), USECS(TEN("1"))),
	JSON("two wait at one sector: which was queued first?", "biolatency -Q",
	     INSERT("500", "100", "8") INSERT("600", "100", "8") ISSUE("700", "100", "8", "W")
	     COMPLETE("800", "100", "8", "W") ISSUE("900", "100", "8", "W")
	     COMPLETE("950", "100", "8", "W")
	     INSERT("1000", "100", "8") ISSUE("2000", "100", "8", "W")
	     COMPLETE("11000", "100", "8", "W"),
	     USECS(TEN("1")), .untimed = 2),

	JSON("a flush", "biolatency", ISSUE("1000", "0", "0", "FF")
	     COMPLETE("11000", "-1", "0", "FF"),
	     USECS(TEN("1"))),
	JSON("a flush, as older kernels say it", "biolatency", ISSUE("1000", "0", "0", "F")
	     COMPLETE("11000", "-1", "0", "F"),
	     USECS(TEN("1"))),
	JSON("a flush before 4.8; who asked for it is done without sectors", "biolatency",
	     ISSUE("1000", "-1", "0", "FWS") COMPLETE("11000", "-1", "0", "FWS")
	     COMPLETE("12000", "0", "0", "WS"),
	     USECS(TEN("1"))),
	JSON("who asked for the flush is done without sectors", "biolatency",
	     ISSUE("1000", "0", "0", "FF") COMPLETE("11000", "-1", "0", "FF")
	     COMPLETE("12000", "0", "0", "FWS"),
	     USECS(TEN("1"))),
	JSON("two flushes at once are not counted, the next is", "biolatency",
	     ISSUE("1000", "0", "0", "FF") ISSUE("2000", "0", "0", "FF")
	     COMPLETE("3000", "-1", "0", "FF")
	     COMPLETE("4000", "-1", "0", "FF")
	     ISSUE("5000", "0", "0", "FF") COMPLETE("15000", "-1", "0", "FF"), USECS(TEN("1")),
	     .untimed = 2),
	JSON("a write to sector 0 does not meet the flush", "biolatency",
	     ISSUE("1000", "0", "0", "FF") ISSUE("2000", "0", "8", "W")
	     COMPLETE("12000", "0", "8", "W")
	     COMPLETE("101000", "-1", "0", "FF"),
	     USECS(TEN("1") "," SLOT("96", "103", "1"))),
	JSON("commands without sectors are left out", "biolatency",
	     ISSUE("1000", "0", "0", "N") COMPLETE("11000", "0", "0", "N"), USECS("")),

	JSON("one disk", "biolatency", ISSUE("1000", "5", "1", "W")
	     OTHER_DISK COMPLETE("11000", "5", "1", "W"),
	     USECS(TEN("1")), .dev = 8388609),
	JSON("by disk", "biolatency -D", ISSUE("1000", "5", "1", "W")
	     OTHER_DISK COMPLETE("11000", "5", "1", "W"),
	     HIST("usecs", "\"disk\":\"?\",", TEN("1")) HIST("usecs", "\"disk\":\"?\",",
							     SLOT("20", "21", "1"))),
	JSON("by kind", "biolatency -F",
	     ISSUE("1000", "5", "1", "WS") COMPLETE("11000", "5", "1", "WS")
	     ISSUE("12000", "6", "1", "RA")
	     COMPLETE("22000", "6", "1", "RA")
	     ISSUE("23000", "7", "1", "RA") COMPLETE("33000", "7", "1", "RA"),
	     HIST("usecs", "\"flags\":\"ReadAhead-Read\",", TEN("2"))
	     HIST("usecs", "\"flags\":\"Sync-Write\",", TEN("1"))),
	TEXT("with the average", "biolatency -e",
	     ISSUE("1000", "5", "1", "W") COMPLETE("2000", "5", "1", "W")
	     ISSUE("3000", "5", "1", "W")
	     COMPLETE("5000", "5", "1", "W"),
	     "\n     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "         2 -> 3          : 1        |****************************************|\n"
	     "\navg = 1 usecs, total: 3 usecs, count: 2\n\n"),
	JSON("a gap drops what is under way", "biolatency",
	     ISSUE("1000", "100", "8", "W") "gap 1 2000 3000 7\n" COMPLETE("11000", "100", "8", "W")
	     ISSUE("12000", "100", "8", "W") COMPLETE("22000", "100", "8", "W"),
	     USECS(TEN("1")), .lost = 7, .unpaired = 1),
};

/* runqlat */

#define WAKE(TIME, PID)		TIME " 0 1 sched:sched_wakeup pid=" PID "\n"
#define SWITCH(TIME, PREV, STATE, NEXT) \
	TIME " 0 " PREV " sched:sched_switch prev_pid=" PREV " prev_state=" STATE " next_pid=" \
	NEXT "\n"
#define TWO_TASKS	"task 5000001 5000001 a\n" \
	"10 0 5000001 task:task_newtask pid=5000007 clone_flags=0x10000\n" \
			"11 0 5000001 task:task_newtask pid=5000008\n"

static const struct program_row runqlat_rows[] = {
	JSON("woken up", "runqlat", WAKE("1000", "7") SWITCH("11000", "8", "1", "7"),
	     USECS(TEN("1"))),
	JSON("for the first time", "runqlat", "1000 0 1 sched:sched_wakeup_new pid=7\n"
	     SWITCH("11000", "8", "1", "7"), USECS(TEN("1"))),
	JSON("woken up on another CPU", "runqlat", "1000 3 1 sched:sched_wakeup pid=7\n"
	     SWITCH("11000", "0", "0", "7"), USECS(TEN("1"))),
	JSON("milliseconds", "runqlat -m", WAKE("1000", "7") SWITCH("3001000", "8", "1", "7"),
	     HIST("msecs", "", SLOT("3", "3", "1"))),
	JSON("still able to run: it waits again", "runqlat",
	     SWITCH("1000", "7", "0", "8") SWITCH("11000", "8", "1", "7"), USECS(TEN("1"))),
	JSON("preempted, as 6.1 marks it", "runqlat",
	     SWITCH("1000", "7", "0x100", "8") SWITCH("11000", "8", "1", "7"), USECS(TEN("1"))),
	JSON("preempted, as 4.19 marks it", "runqlat",
	     SWITCH("1000", "7", "0x100", "8") SWITCH("11000", "8", "1", "7"), USECS(TEN("1")),
	     ON(V4_19)),
	JSON("preempted, as 3.10 marks it", "runqlat",
	     SWITCH("1000", "7", "0x400", "8") SWITCH("11000", "8", "1", "7"), USECS(TEN("1")),
	     ON(V3_10)),
	JSON("4.14 to 4.19.5 tell the bit above: it could run on", "runqlat",
	     SWITCH("1000", "7", "1", "8") SWITCH("11000", "8", "2", "7"), USECS(TEN("1")),
	     ON(V4_19), .without = "switch-states"),
	JSON("and it sleeps there", "runqlat",
	     SWITCH("1000", "7", "2", "8") SWITCH("2000", "8", "4", "7"), USECS(""),
	     ON(V4_19), .without = "switch-states"),
	JSON("3.10: the mark of newer kernels is a sleep there", "runqlat",
	     SWITCH("1000", "7", "0x100", "8") SWITCH("11000", "8", "1", "7"), USECS(""),
	     ON(V3_10)),
	JSON("it sleeps, in whatever way", "runqlat",
	     SWITCH("1000", "7", "1", "8") SWITCH("2000", "8", "2", "9")
	     SWITCH("3000", "9", "0x80", "7")
	     SWITCH("4000", "7", "1", "8")
	     SWITCH("5000", "8", "1", "9"), USECS("")),
	JSON("the idle task never waits", "runqlat", SWITCH("1000", "0", "0", "7")
	     SWITCH("2000", "7", "1", "0"),
	     USECS("")),
	JSON("woken up twice: since the last", "runqlat",
	     WAKE("500", "7") WAKE("1000", "7") SWITCH("11000", "8", "1", "7"), USECS(TEN("1"))),
	JSON("one wait is counted once", "runqlat",
	     WAKE("1000", "7") SWITCH("11000", "8", "1", "7") SWITCH("12000", "7", "1", "8")
	     SWITCH("13000", "8", "1", "7"), USECS(TEN("1"))),
	JSON("who came unseen does not wait any more", "runqlat", "switches\n"
	     WAKE("1000", "7") SWITCH("2000", "9", "1", "0") SWITCH("3000", "7", "1", "0")
	     SWITCH("13000", "0", "0", "7"), USECS(""), .switches = 1),
	JSON("nobody looks at what came too late", "runqlat", "switches\n"
	     SWITCH("1000", "9", "1", "0") WAKE("4000", "5") "run 5000\n"
	     SWITCH("2000", "0", "0", "7")
	     WAKE("9000", "7") SWITCH("19000", "8", "1", "7"), USECS(TEN("1")), .late = 1),
	JSON("a gap drops who waits", "runqlat", WAKE("1000", "7") "gap 3 2000 2500 9\n"
	     SWITCH("11000", "8", "1", "7"), USECS(""), .lost = 9, .unpaired = 1),
	JSON("by thread", "runqlat -L",
	     WAKE("1000", "7") WAKE("1000", "9") SWITCH("11000", "8", "1", "7")
	     SWITCH("21000", "7", "1", "9"),
	     HIST("usecs", "\"tid\":7,", TEN("1")) HIST("usecs", "\"tid\":9,",
							SLOT("20", "21", "1"))),
	JSON("by process", "runqlat -P",
	     TWO_TASKS WAKE("1000", "5000007") WAKE("1000", "5000008") WAKE("1000", "5000009")
	     SWITCH("11000", "8", "1", "5000007")
	     SWITCH("11000", "8", "1", "5000008") SWITCH("11000", "8", "1", "5000009"),
	     HIST("usecs", "\"pid\":5000001,", TEN("1")) HIST("usecs", "\"pid\":5000008,", TEN("1"))
	     HIST("usecs", "\"pid\":5000009,", TEN("1"))),
	JSON("one process: woken up, or preempted", "runqlat",
	     TWO_TASKS WAKE("1000", "5000007") WAKE("1000", "5000008")
	     SWITCH("11000", "8", "1", "5000007")
	     SWITCH("12000", "8", "1", "5000008")
	     SWITCH("20000", "5000007", "0", "5000008") SWITCH("30000", "5000008", "0", "5000007")
	     SWITCH("31000", "5000007", "1", "5000008"),
	     USECS(TEN("2")), .pid = 5000001),
};

/* cachestat; what follows the row is of this machine. */

#define ACCESS	"10 0 7 p:folio_mark_accessed\n"
#define ADDED	"10 0 7 p:filemap_add_folio gfp=0x10\n"
#define ADDED_TO_WRITE "10 0 7 p:filemap_add_folio gfp=0x1010\n"
#define ADDED_UNTOLD "10 0 7 filemap:mm_filemap_add_to_page_cache\n"
#define DIRTY	"10 0 7 writeback:writeback_dirty_folio\n"
#define BUFFER	"10 0 7 block:block_dirty_buffer\n"

#define OF(TID, WHAT)	"10 0 " TID " " WHAT "\n"
#define CACHE_TASKS	"task 7 5 dd\n" "task 8 6 cp\n" "task 9 6 cp\n"
/* 10 accesses of dd and 3 misses; cp's threads dirty pages. */
#define OF_BOTH		CACHE_TASKS X10(ACCESS) ADDED ADDED ADDED \
	OF("8", "p:filemap_add_folio gfp=0x1010") OF("8", "writeback:writeback_dirty_folio") \
	OF("9", "writeback:writeback_dirty_folio") OF("8", "p:folio_mark_accessed")
#define CACHE_ROW(PID, COMM, HITS, MISSES, DIRTIES, PERCENT) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":" PID ",\"uid\":null,\"comm\":\"" COMM \
	"\",\"hits\":" HITS ",\"misses\":" MISSES ",\"dirties\":" DIRTIES ",\"hit_percent\":" \
	PERCENT "}\n"
#define OF_DD	CACHE_ROW("5", "dd", "7", "3", "0", "70.00")
#define OF_CP	CACHE_ROW("6", "cp", "1", "0", "2", "100.00")

#define UNTOLD	.without = "function:filemap_add_folio"

static const struct program_row cachestat_rows[] = {
	JSON("hits and misses", "cachestat", X10(ACCESS) ADDED ADDED ADDED_TO_WRITE ADDED DIRTY,
	     "{\"hits\":7,\"misses\":3,\"dirties\":1,\"hit_percent\":70.00,", .begins = true),
	JSON("nothing", "cachestat", "",
	     "{\"hits\":0,\"misses\":0,\"dirties\":0,\"hit_percent\":0.00,",
	     .begins = true),
	JSON("more added than used", "cachestat", ACCESS X10(ADDED),
	     "{\"hits\":0,\"misses\":10,\"dirties\":0,\"hit_percent\":0.00,",
	     .begins = true),
	JSON("more dirtied than added", "cachestat", ACCESS DIRTY DIRTY,
	     "{\"hits\":1,\"misses\":0,\"dirties\":2,\"hit_percent\":100.00,",
	     .begins = true),
	TEXT("for people", "cachestat", X10(ACCESS) ADDED ADDED ADDED DIRTY,
	     "    HITS   MISSES  DIRTIES HITRATIO   BUFFERS_MB  CACHED_MB\n"
	     "       7        3        1   70.00% ", .begins = true),
	JSON("nobody tells what pages were added for: none was written", "cachestat",
	     X10(ACCESS) BUFFER BUFFER ADDED_UNTOLD ADDED_UNTOLD ADDED_UNTOLD,
	     "{\"hits\":5,\"misses\":3,\"dirties\":0,\"hit_percent\":62.50,",
	     .begins = true, UNTOLD),
	JSON("the same: they may be those that were written", "cachestat",
	     X10(ACCESS) ADDED_UNTOLD DIRTY,
	     "{\"hits\":null,\"misses\":null,\"dirties\":1,\"hit_percent\":null,",
	     .begins = true, UNTOLD),
	TEXT("without kprobes nobody knows of hits", "cachestat",
	     ADDED_UNTOLD ADDED_UNTOLD ADDED_UNTOLD,
	     "    HITS   MISSES  DIRTIES HITRATIO   BUFFERS_MB  CACHED_MB\n"
	     "       -        3        0        - ", .begins = true,
	     .without = "kprobes"),
	JSON("a process alone", "cachestat -p 6", OF_BOTH,
	     "{\"hits\":1,\"misses\":0,\"dirties\":2,\"hit_percent\":100.00,", .begins = true),
	JSON("by process, most hits first", "cachestat --by-process", OF_BOTH, OF_DD OF_CP),
	JSON("most misses first", "cachestat --by-process -s misses", OF_BOTH, OF_DD OF_CP),
	JSON("most dirtied first", "cachestat --by-process -s dirties", OF_BOTH, OF_CP OF_DD),
	JSON("the first row", "cachestat --by-process -r 1", OF_BOTH, OF_DD),
	JSON("the row of a process", "cachestat --by-process -p 6", OF_BOTH, OF_CP),
	JSON("what a process missed, without kprobes", "cachestat --by-process",
	     CACHE_TASKS ADDED_UNTOLD ADDED_UNTOLD ADDED_UNTOLD
	     OF("9", "writeback:writeback_dirty_folio"),
	     CACHE_ROW("5", "dd", "null", "3", "0", "null")
	     CACHE_ROW("6", "cp", "null", "0", "1", "null"), .without = "kprobes"),
};

#define TOOLS(TOOL) TOOL(opensnoop) TOOL(execsnoop) TOOL(biolatency) TOOL(runqlat) \
	TOOL(cachestat)
PROGRAM_SUITE(programs, TOOLS)
