// SPDX-License-Identifier: GPL-2.0
/* The tools about system calls over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CAT		"task 7 5 cat\n" "task 8 5 dog\n" "task 9 6 cow\n"
#define BANNER		"[00:00:00]\n"
#define HEAD		BANNER "SYSCALL                   COUNT\n"
#define TIMES		BANNER "SYSCALL                   COUNT        TIME (us)\n"

/* Numbers are those of the machine that the facts are of, x86_64. */
#define READ		"0"
#define CLOSE		"3"

#define BEGINS(TIME, TID, ID)	TIME " 0 " TID " raw_syscalls:sys_enter\n"
#define RETURNS(TIME, TID, ID)	TIME " 0 " TID " raw_syscalls:sys_exit id=" ID " compat=2\n"
#define RETURNS_32(TIME, TID, ID)	TIME " 0 " TID " raw_syscalls:sys_exit id=" ID " compat=1\n"
#define GIVES(TIME, TID, ID, RET)	TIME " 0 " TID " raw_syscalls:sys_exit id=" ID " ret=" RET \
	" compat=2\n"
/* Where the call's number does not matter, neither does the table it is of. */
#define RETURNED(TIME, TID)	TIME " 0 " TID " raw_syscalls:sys_exit\n"

/* A new thread, whose first return is that of its parent's call, with 0. */
#define MAKES(TIME, PID)	TIME " 0 7 task:task_newtask pid=" PID "\n"
#define CLONE	"56"
#define FORK_32	"2"

static const struct program_row syscount_rows[] = {
	TEXT("what returns in a new thread was called by another", "syscount",
	     CAT MAKES("10", "8") GIVES("11", "8", CLONE, "0") GIVES("12", "7", CLONE, "8")
	     GIVES("20", "8", CLOSE, "0") GIVES("30", "8", "0x40000038", "0"),
	     HEAD "close                         1\n" "clone                         1\n"
	     "clone                         1\n" "\n"),
	TEXT("also of 32 bits", "syscount",
	     CAT MAKES("10", "8")
	     "11 0 8 raw_syscalls:sys_exit id=" FORK_32 " ret=0 compat=1\n"
	     "12 0 7 raw_syscalls:sys_exit id=" FORK_32 " ret=8 compat=1\n",
	     HEAD "fork                          1\n" "\n"),
	TEXT("and by process", "syscount -P", "task 5000007 5000005 cat\n"
	     "10 0 5000007 task:task_newtask pid=5000008\n"
	     "11 0 5000008 raw_syscalls:sys_exit id=57 ret=0\n"
	     "12 0 5000007 raw_syscalls:sys_exit id=57 ret=5000008\n",
	     BANNER "PID    COMM               COUNT\n"
	     "5000005 cat                    1\n" "\n"),
	TEXT("only its first return", "syscount", CAT MAKES("10", "8")
	     GIVES("11", "8", CLONE, "0") GIVES("20", "8", FORK_32, "0"),
	     HEAD "open                          1\n" "\n"),
	TEXT("the most first", "syscount", CAT RETURNS("10", "7", CLOSE) RETURNS("20", "7", READ)
	     RETURNS("30", "9", READ), HEAD "read                          2\n"
	     "close                         1\n" "\n"),
	TEXT("the top", "syscount -T 1", CAT RETURNS("10", "7", CLOSE) RETURNS("20", "7", READ)
	     RETURNS("30", "9", READ), HEAD "read                          2\n" "\n"),
	TEXT("numbers of other tables, of none, and none", "syscount",
	     CAT RETURNS_32("10", "7", "6")
	     RETURNS("20", "7", "639") RETURNS("30", "7", "640") RETURNS("40", "7", "-1")
	     RETURNS("50", "7", "0x40000014") RETURNS_32("60", "7", "0x40000014")
	     RETURNS("70", "7", "-512"),
	     HEAD "-                             4\n" "[unknown: 639]                1\n"
	     "close                         1\n"
	     "writev                        1\n" "\n"),
	TEXT("failures are -4095 to -1", "syscount -x", CAT GIVES("10", "7", CLOSE, "-1")
	     GIVES("20", "7", CLOSE, "-4095")
	     GIVES("30", "7", READ, "-4096") GIVES("40", "7", READ, "0")
	     GIVES("50", "7", READ, "-2147483648"),
	     HEAD "close                         2\n" "\n"),
	TEXT("one failure by name", "syscount -e EBADF", CAT GIVES("10", "7", CLOSE, "-9")
	     GIVES("20", "7", CLOSE, "-8")
	     GIVES("30", "7", READ, "9"), HEAD "close                         1\n" "\n"),
	TEXT("by number", "syscount -e 9", CAT GIVES("10", "7", CLOSE, "-9")
	     GIVES("20", "7", CLOSE, "-8"),
	     HEAD "close                         1\n" "\n"),
	TEXT("what a signal interrupts", "syscount -e EINTR", CAT GIVES("10", "7", CLOSE, "-4")
	     GIVES("20", "7", READ, "-511")
	     GIVES("30", "7", CLOSE, "-512") GIVES("40", "7", CLOSE, "-516")
	     GIVES("50", "7", READ, "-517"),
	     HEAD "close                         3\n" "\n"),
	TEXT("times, the longest first", "syscount -L", CAT BEGINS("1000", "7", READ)
	     BEGINS("2000", "9", CLOSE)
	     RETURNS("5500", "9", CLOSE) RETURNS("9000", "7", READ) BEGINS("10000", "7", CLOSE)
	     RETURNS("11000", "7", CLOSE),
	     TIMES "read                          1            8.000\n"
	     "close                         2            4.500\n" "\n"),
	TEXT("milliseconds", "syscount -L -m", CAT BEGINS("1000", "7", READ)
	     RETURNS("9000", "7", READ),
	     BANNER "SYSCALL                   COUNT        TIME (ms)\n"
	     "read                          1         0.008000\n" "\n"),
	TEXT("begun before: how long is not known", "syscount -L", CAT RETURNS("9000", "7", READ),
	     TIMES "\n"),
	TEXT("a thread that ends has no call left", "syscount -L", CAT BEGINS("1000", "7", READ)
	     "2000 0 7 sched:sched_process_exit pid=7\n" RETURNS("9000", "7", READ), TIMES "\n"),
	TEXT("a gap", "syscount -L", CAT BEGINS("1000", "7", READ) "gap 0 2000 3000 1\n"
	     RETURNS("9000", "7", READ),
	     TIMES "\n", .lost = 1, .unpaired = 1),
	TEXT("one call", "syscount --syscall close", CAT RETURNS("10", "7", CLOSE)
	     RETURNS("20", "7", READ)
	     RETURNS_32("30", "7", CLOSE), HEAD "close                         1\n" "\n"),
	TEXT("one call, of 32-bit tasks as well", "syscount -P --syscall close",
	     "task 5000007 5000005 cat\n" RETURNS("10", "5000007", CLOSE)
	     RETURNS_32("20", "5000007", "6") RETURNS_32("30", "5000007", CLOSE),
	     BANNER "PID    COMM               COUNT\n" "5000005 cat                    2\n" "\n"),
	TEXT("by process", "syscount -P", "task 5000007 5000005 cat\n" "task 5000008 5000005 dog\n"
	     "task 5000009 5000006 cow\n"
	     RETURNED("10", "5000007") RETURNED("20", "5000008") RETURNED("30", "5000008")
	     RETURNED("40", "5000009") RETURNED("50", "5000010"),
	     BANNER "PID    COMM               COUNT\n" "5000005 dog                    3\n"
	     "5000006 cow                    1\n"
	     "-      -                      1\n" "\n"),
	TEXT("and one call", "syscount -P -L --syscall read", "task 5000007 5000005 cat\n"
	     BEGINS("1000", "5000007", READ)
	     RETURNS("3000", "5000007", READ) BEGINS("4000", "5000007", CLOSE)
	     RETURNS("5000", "5000007", CLOSE),
	     BANNER "PID    COMM               COUNT        TIME (us)\n"
	     "5000005 cat                    1            2.000\n" "\n"),
	TEXT("a process", "syscount -p 5", CAT RETURNS("10", "7", READ) RETURNS("20", "9", READ),
	     HEAD "read                          1\n" "\n"),
	JSON("for machines", "syscount -L", CAT BEGINS("1000", "7", READ) RETURNS("9000", "7", READ)
	     BEGINS("10000", "7", READ) RETURNS("10500", "7", "-1"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"syscall\":\"read\",\"nr\":" READ
	     ",\"count\":1,\"total_us\":8.000}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"syscall\":null,\"nr\":null,\"count\":1,"
	     "\"total_us\":0.500}\n"),
};

/* capable */

#define CAPABLE_HEAD	"TIME      UID    PID    COMM             CAP  NAME                 AUDIT\n"
#define CHECKED(TIME, TID, CAP, OPTS)	TIME " 0 " TID " p:cap_capable cap=" CAP " opts=" OPTS "\n"

static const struct program_row capable_rows[] = {
	TEXT("those that are audited", "capable", CAT CHECKED("10", "7", "21", "0")
	     CHECKED("20", "8", "7", "4")
	     CHECKED("30", "7", "21", "2") CHECKED("40", "7", "40", "0")
	     CHECKED("50", "7", "41", "0") CHECKED("60", "10", "0", "0"),
	     CAPABLE_HEAD "00:00:00  -      5      cat              21   CAP_SYS_ADMIN        1\n"
	     "00:00:00  -      5      dog              7    CAP_SETUID           1\n"
	     "00:00:00  -      5      cat              40   CAP_CHECKPOINT_RESTORE 1\n"
	     "00:00:00  -      5      cat              41   -                    1\n"
	     "00:00:00  -      -      -                0    CAP_CHOWN            1\n"),
	TEXT("all", "capable -v -x", CAT CHECKED("10", "7", "21", "0") CHECKED("20", "8", "7", "6"),
	     "TIME      UID    PID    TID    COMM             CAP  NAME                 AUDIT  "
	     "INSETID\n"
	     "00:00:00  -      5      7      cat              21   CAP_SYS_ADMIN        1      0\n"
	     "00:00:00  -      5      8      dog              7    CAP_SETUID           0      "
	     "1\n"),
	TEXT("before 5.1 the flags were a truth", "capable -x", CAT CHECKED("10", "7", "21", "0")
	     CHECKED("20", "8", "7", "1"),
	     "TIME      UID    PID    TID    COMM             CAP  NAME                 AUDIT  "
	     "INSETID\n"
	     "00:00:00  -      5      8      dog              7    CAP_SETUID           1      -\n",
	     ON(V3_10)),
	TEXT("nobody tells", "capable", CAT "10 0 7 p:cap_capable cap=21\n",
	     CAPABLE_HEAD "00:00:00  -      5      cat              21   CAP_SYS_ADMIN        -\n",
	     ON(V3_10),
	     .without = "function:security_capable_noaudit"),
	TEXT("once a process, until it ends", "capable --unique", CAT CHECKED("10", "7", "21", "0")
	     CHECKED("20", "8", "21", "0")
	     CHECKED("30", "8", "7", "0") CHECKED("40", "9", "21", "0")
	     "50 0 7 sched:sched_process_exit pid=5\n"
	     CHECKED("60", "8", "7", "0"),
	     CAPABLE_HEAD "00:00:00  -      5      cat              21   CAP_SYS_ADMIN        1\n"
	     "00:00:00  -      5      dog              7    CAP_SETUID           1\n"
	     "00:00:00  -      6      cow              21   CAP_SYS_ADMIN        1\n"
	     "00:00:00  -      5      dog              7    CAP_SETUID           1\n"),
	JSON("for machines", "capable -p 5", CAT CHECKED("10", "7", "21", "0")
	     CHECKED("20", "9", "21", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"uid\":null,\"pid\":5,\"comm\":\"cat\","
	     "\"cap\":21,"
	     "\"name\":\"CAP_SYS_ADMIN\",\"audit\":1}\n"),
};

/* mountsnoop */

#define MOUNTS_HEAD	"COMM             PID     TID     MNT_NS      CALL\n"
/*
 * The texts come as parts before it, in the order of the plan: @0 to @3 are those of the 64-bit
 * mount.
 */
#define MOUNT_TEXTS(TIME, TID, A, B, C, D) \
	TIME " 0 " TID " @0 text0=" A "\n" TIME " 0 " TID " @1 text1=" B "\n" TIME " 0 " TID \
	" @2 text2=" C "\n" \
	TIME " 0 " TID " @3 text3=" D "\n"
#define MOUNT(TIME, TID, FLAGS)	TIME " 0 " TID \
" p:__x64_sys_mount ptr0=1 ptr1=1 ptr2=1 ptr3=1 n0=" FLAGS "\n"
#define MOUNTED(TIME, TID, RET)	TIME " 0 " TID " r:__x64_sys_mount ret=" RET "\n"
#define CAT_7		"cat              5       7       -           "
#define UMOUNT(TIME, TID, TEXT, FLAGS)	TIME " 0 " TID " p:__x64_sys_umount ptr1=1 text1=" TEXT \
	" n0=" FLAGS "\n"
#define UMOUNTED(TIME, TID, RET)	TIME " 0 " TID " r:__x64_sys_umount ret=" RET "\n"
#define X100		X10(X10("x"))
/* @34 and @35 those of mount_setattr. */
#define SETATTR_TEXTS(TIME, ATTR)	TIME " 0 7 @34 text0=" ATTR "\n" TIME \
	" 0 7 @35 text1=\"/\"\n"

static const struct program_row mountsnoop_rows[] = {
	TEXT("a mount, and its end", "mountsnoop",
	     CAT MOUNT_TEXTS("10", "7", "\"/dev/sda1\"", "\"/mnt\"", "\"ext4\"", "\"\"")
	     MOUNT("10", "7", "0x401") MOUNTED("20", "7", "0") UMOUNT("30", "7", "\"/mnt\"", "2")
	     UMOUNTED("40", "7", "0"),
	     MOUNTS_HEAD CAT_7 "mount(\"/dev/sda1\", \"/mnt\", \"ext4\", MS_RDONLY|MS_NOATIME, "
			       "\"\") = 0\n"
	     CAT_7 "umount(\"/mnt\", MNT_DETACH) = 0\n"),
	TEXT("flags without a name; errors with one", "mountsnoop",
	     CAT UMOUNT("30", "7", "\"/mnt\"", "0x18")
	     UMOUNTED("40", "7", "-16") UMOUNT("50", "7", "\"/mnt\"", "0")
	     UMOUNTED("60", "7", "-3000"),
	     MOUNTS_HEAD CAT_7 "umount(\"/mnt\", UMOUNT_NOFOLLOW|0x10) = -EBUSY\n" CAT_7
	     "umount(\"/mnt\", 0x0) = -3000\n"),
	TEXT("no texts, and unreadable ones", "mountsnoop",
	     CAT MOUNT_TEXTS("10", "7", "\"none\"", "\"/\"", "fault", "fault")
	     "10 0 7 p:__x64_sys_mount ptr0=1 ptr1=1 ptr2=0 ptr3=1 n0=0x44000\n"
	     MOUNTED("20", "7", "-14"),
	     MOUNTS_HEAD CAT_7 "mount(\"none\", \"/\", NULL, MS_REC|MS_PRIVATE, [?]) = -EFAULT\n",
	     .strings = 1),
	TEXT("quotes, and more than is shown", "mountsnoop",
	     CAT UMOUNT("10", "7", "\"a\\\"b\\\\\\n\"", "0") UMOUNTED("20", "7", "0")
	     UMOUNT("30", "7", "\"" X100 X100 X100 "\"", "0") UMOUNTED("40", "7", "0"),
	     MOUNTS_HEAD CAT_7 "umount(\"a\\\"b\\\\\\n\", 0x0) = 0\n"
	     CAT_7 "umount(\"" X100 X100 X10("xxxxx") "xxxx...\", 0x0) = 0\n"),
	TEXT("the younger calls", "mountsnoop",
	     CAT "10 0 7 p:__x64_sys_fsopen ptr2=1 text2=\"tmpfs\" n0=1\n"
	     "20 0 7 r:__x64_sys_fsopen ret=3\n" "30 0 7 p:__x64_sys_fsmount n0=3 n1=1 n2=2\n"
	     "40 0 7 r:__x64_sys_fsmount ret=4\n"
	     "50 0 7 p:__x64_sys_fsconfig ptr0=0 ptr3=0 n0=3 n1=6 n2=0\n"
	     "60 0 7 r:__x64_sys_fsconfig ret=0\n"
	     "70 0 7 p:__x64_sys_fsconfig ptr0=0 ptr3=1 n0=3 n1=2 n2=-5\n"
	     "80 0 7 r:__x64_sys_fsconfig ret=0\n"
	     "90 0 7 p:__x64_sys_open_tree ptr1=1 text1=\"/\" n0=-100 n1=0x801\n"
	     "91 0 7 r:__x64_sys_open_tree ret=5\n"
	     SETATTR_TEXTS("92", "\"x\"")
	     "92 0 7 p:__x64_sys_mount_setattr ptr0=1 ptr1=1 n0=-1 n1=0 n2=1 n3=0x70\n"
	     "93 0 7 r:__x64_sys_mount_setattr ret=0\n"
	     SETATTR_TEXTS("94", "fault")
	     "94 0 7 p:__x64_sys_mount_setattr ptr0=1 ptr1=1 n0=-1 n1=0 n2=1 n3=0x70\n"
	     "95 0 7 r:__x64_sys_mount_setattr ret=-14\n",
	     MOUNTS_HEAD CAT_7 "fsopen(\"tmpfs\", 0x1) = 3\n" CAT_7 "fsmount(3, 0x1, 0x2) = 4\n"
	     CAT_7 "fsconfig(3, FSCONFIG_CMD_CREATE, NULL, NULL, 0) = 0\n"
	     CAT_7 "fsconfig(3, FSCONFIG_SET_BINARY, NULL, [?], -5) = 0\n"
	     CAT_7 "open_tree(AT_FDCWD, \"/\", 0x801) = 5\n"
	     CAT_7 "mount_setattr(-1, \"/\", 0x0, {set 0x1, clear 0x70}) = 0\n"
	     CAT_7 "mount_setattr(-1, \"/\", 0x0, [?]) = -EFAULT\n", .strings = 2),
	TEXT("one call within another is that one", "mountsnoop",
	     CAT "10 0 7 p:__x64_sys_oldumount ptr1=1 text1=\"/a\"\n"
	     UMOUNT("11", "7", "\"/a\"", "0") UMOUNTED("12", "7", "0")
	     "13 0 7 r:__x64_sys_oldumount ret=0\n",
	     MOUNTS_HEAD CAT_7 "umount(\"/a\", 0x0) = 0\n"),
	TEXT("a gap drops what waits", "mountsnoop", CAT UMOUNT("10", "7", "\"/a\"", "0")
	     "gap 0 11 12 1\n"
	     UMOUNTED("13", "7", "0") UMOUNT("20", "7", "\"/b\"", "0") UMOUNTED("23", "7", "0"),
	     MOUNTS_HEAD "-                -       7       -           umount(\"/b\", 0x0) = 0\n",
	     .lost = 1, .unpaired = 1),
	TEXT("a process and its parent", "mountsnoop -P -p 5", CAT UMOUNT("10", "7", "\"/a\"", "0")
	     UMOUNTED("12", "7", "0")
	     UMOUNT("20", "9", "\"/a\"", "0") UMOUNTED("22", "9", "0"),
	     "COMM             PID     TID     PCOMM            PPID    MNT_NS      CALL\n"
	     "cat              5       7       -                -       -           umount(\"/a\", "
	     "0x0) = 0\n"),
	JSON("for machines", "mountsnoop", CAT MOUNT_TEXTS("10", "7", "\"a\"", "\"/b\"", "\"c\"",
							   "\"d\"") MOUNT("10", "7", "8")
	     MOUNTED("20", "7", "-1"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"comm\":\"cat\",\"pid\":5,\"tid\":7,"
	     "\"mnt_ns\":null,"
	     "\"line\":\"mount(\\\"a\\\", \\\"/b\\\", \\\"c\\\", MS_NOEXEC, \\\"d\\\") = -EPERM\","
	     "\"call\":\"mount\","
	     "\"source\":\"a\",\"target\":\"/b\",\"fs\":\"c\",\"key\":null,\"data\":\"d\","
	     "\"flags\":8,\"fd\":null,\"ret\":-1}\n"),
};

/* oomkill: what /proc says of the load is this machine's. */

static const struct program_row oomkill_rows[] = {
	TEXT("a victim", "oomkill", CAT "10 0 7 p:oom_kill_process\n"
	     "20 0 7 oom:mark_victim pid=99 name=\"perl\"\n"
	     "30 0 7 r:oom_kill_process\n",
	     "00:00:00 Triggered by PID 5 (\"cat\"), OOM kill of PID 99 (\"perl\"), - pages, "
	     "loadavg: ", .begins = true),
	TEXT("by signals: those that kill, and while it kills", "oomkill",
	     CAT "5 0 7 signal:signal_generate sig=9 pid=97 name=\"a\"\n"
	     "10 0 7 p:oom_kill_process\n" "15 0 9 signal:signal_generate sig=9 pid=98 name=\"b\"\n"
	     "16 0 7 signal:signal_generate sig=17 pid=98 name=\"c\"\n"
	     "20 0 7 signal:signal_generate sig=9 pid=99 name=\"d\"\n" "30 0 7 r:oom_kill_process\n"
	     "40 0 7 signal:signal_generate sig=9 pid=96 name=\"e\"\n",
	     "00:00:00 Triggered by PID 5 (\"cat\"), OOM kill of PID 99 (\"d\"), - pages, "
	     "loadavg: ", .begins = true, ON(V3_10)),
	TEXT("no name", "oomkill --name cow", CAT "20 0 10 oom:mark_victim pid=2147480000\n"
	     "30 0 9 oom:mark_victim pid=2147480000\n",
	     "00:00:00 Triggered by PID 6 (\"cow\"), OOM kill of PID 2147480000 (\"-\"), - pages, "
	     "loadavg: ", .begins = true,
	     ON(V4_19), .without = "kprobes"),
	TEXT("its own", "oomkill", CAT "20 0 7 oom:mark_victim pid=7\n",
	     "00:00:00 Triggered by PID 5 (\"cat\"), OOM kill of PID 7 (\"cat\"), - pages, "
	     "loadavg: ", .begins = true,
	     ON(V4_19), .without = "kprobes"),
};

/* systrace; without BPF there are no texts. */

#define ENTERS(TIME, TID, ID, ARGS) \
	TIME " 0 " TID " raw_syscalls:sys_enter id=" ID " compat=2 " ARGS "\n"
#define LEAVES_CALL(TIME, TID, RET)	TIME " 0 " TID " raw_syscalls:sys_exit ret=" RET "\n"
#define TRACED	"TIME(s)       LAT(ms) TID     COMM             CALL\n"
#define OPENAT	"257"
#define MMAP	"9"
#define EXIT_GROUP	"231"
#define CWD	"arg0=0xffffff9c arg1=0x1000"
#define ENTERS_32(TIME, TID, ID, ARGS) \
	TIME " 0 " TID " raw_syscalls:sys_enter id=" ID " compat=1 " ARGS "\n"
#define CALLED(ID, ARGS)	ENTERS("1000", "7", ID, ARGS) LEAVES_CALL("2000", "7", "0")
#define LATER(ID, ARGS)		ENTERS("3000", "7", ID, ARGS) LEAVES_CALL("4000", "7", "0")
#define LAST(ID, ARGS)		ENTERS("5000", "7", ID, ARGS) LEAVES_CALL("6000", "7", "0")
#define CALLED_32(ID, ARGS)	ENTERS_32("1000", "7", ID, ARGS) LEAVES_CALL("2000", "7", "0")
#define ONE_CALL(CALL)	TRACED "0.000000        0.001 7       cat              " CALL " = 0\n"
#define EXECS(TIME, PID, OLD) \
	TIME " 0 " PID " sched:sched_process_exec pid=" PID " old_pid=" OLD "\n"

static const struct program_row systrace_rows[] = {
	TEXT("flags and modes; a mode only where a file is made", "systrace",
	     CAT ENTERS("1000", "7", OPENAT, CWD " arg2=0x80241 arg3=0644")
	     LEAVES_CALL("6000", "7", "3") ENTERS("7000", "7", OPENAT, CWD " arg2=0 arg3=0777")
	     LEAVES_CALL("9000", "7", "-2"),
	     TRACED "0.000000        0.005 7       cat              openat(dfd: CWD, "
	     "filename: 0x1000, flags: WRONLY|CREAT|TRUNC|CLOEXEC, mode: 0644) = 3\n"
	     "0.000003        0.002 7       cat              openat(dfd: CWD, filename: 0x1000, "
	     "flags: RDONLY) = -1 ENOENT (No such file or directory)\n"),
	TEXT("addresses, and names of numbers", "systrace -e mmap",
	     CAT ENTERS("1000", "7", MMAP, "arg1=4096 arg2=3 arg3=0x22 arg4=-1")
	     LEAVES_CALL("2000", "7", "0x7f0000001000") ENTERS("3000", "7", CLOSE, "arg0=3")
	     LEAVES_CALL("4000", "7", "0"),
	     TRACED "0.000000        0.001 7       cat              mmap(addr: NULL, len: 4096, "
	     "prot: READ|WRITE, flags: PRIVATE|ANONYMOUS, fd: -1, off: 0) = 0x7f0000001000\n"),
	TEXT("no return; one that is restarted; bits without names", "systrace",
	     CAT ENTERS("1000", "7", EXIT_GROUP, "arg0=259")
	     ENTERS("2000", "8", MMAP, "arg0=0x5000 arg2=0x10 arg3=0x12 arg4=5")
	     LEAVES_CALL("4000", "8", "-512"),
	     TRACED "0.000000        0.000 7       cat              exit_group(error_code: 259) = "
	     "?\n"
	     "0.000003        0.002 8       dog              mmap(addr: 0x5000, len: 0, prot: "
	     "0x10, "
	     "flags: PRIVATE|FIXED, fd: 5, off: 0) = -1 ERESTARTSYS (interrupted; called "
	     "again if SA_RESTART is set)\n"),
	TEXT("failures; the child's first return is of no call", "systrace -x",
	     CAT LEAVES_CALL("500", "9", "0") ENTERS("1000", "7", CLOSE, "arg0=3")
	     LEAVES_CALL("2000", "7", "0") ENTERS("3000", "7", CLOSE, "arg0=3")
	     LEAVES_CALL("4000", "7", "-9"),
	     TRACED "0.000000        0.001 7       cat              close(fd: 3) = -1 EBADF "
	     "(Bad file descriptor)\n"),
	TEXT("a call without a name", "systrace",
	     CAT ENTERS("1000", "7", "700", "arg0=0x123456789a")
	     LEAVES_CALL("2000", "7", "0"),
	     TRACED "0.000000        0.001 7       cat              [unknown: 700](0x123456789a, "
	     "0, "
	     "0, 0, 0, 0) = 0\n"),
	TEXT("calls that are newer than headers, by number", "systrace -e 452",
	     CAT CALLED("452", CWD " arg2=0644 arg3=0x100") CALLED("451", ""),
	     ONE_CALL("fchmodat2(dfd: CWD, filename: 0x1000, mode: 0644, flags: "
		      "SYMLINK_NOFOLLOW)")),
	TEXT("numbers without a name", "systrace -e 600", CAT CALLED("600", "") CALLED("3", ""),
	     ONE_CALL("[unknown: 600](0, 0, 0, 0, 0, 0)")),
	TEXT("flags that mean something else in another call", "systrace",
	     CAT CALLED("439", CWD " arg2=4 arg3=0x200") LATER("263", CWD " arg2=0x200"),
	     TRACED
	     "0.000000        0.001 7       cat              faccessat2(dfd: CWD, filename: "
	     "0x1000, mode: R, flags: EACCESS) = 0\n"
	     "0.000002        0.001 7       cat              unlinkat(dfd: CWD, pathname: 0x1000, "
	     "flag: REMOVEDIR) = 0\n"),
	TEXT("64 bits in two registers of a 32-bit task", "systrace",
	     CAT CALLED_32("181", "arg0=3 arg1=0x1000 arg2=8 arg3=5 arg4=1"),
	     ONE_CALL("pwrite64(fd: 3, buf: 0x1000, count: 8, pos: 4294967301)")),
	TEXT("of a 32-bit result the upper half is nothing", "systrace",
	     CAT ENTERS_32("1000", "7", "173", "") LEAVES_CALL("2000", "7", "0xfffffffc"),
	     TRACED "0.000000        0.001 7       cat              rt_sigreturn() = -1 EINTR "
	     "(Interrupted system call)\n"),
	TEXT("and in one", "systrace", CAT CALLED("18", "arg0=3 arg1=0x1000 arg2=8 arg3=5 arg4=1"),
	     ONE_CALL("pwrite64(fd: 3, buf: 0x1000, count: 8, pos: 5)")),
	TEXT("halves that are two arguments", "systrace",
	     CAT CALLED_32("140", "arg0=3 arg1=1 arg2=5 arg3=0x1000 arg4=1"),
	     ONE_CALL("_llseek(fd: 3, offset: 4294967301, result: 0x1000, whence: CUR)")),
	TEXT("only what the call reads: futex", "systrace",
	     CAT CALLED("202", "arg0=0x1000 arg1=129 arg2=1 arg3=7 arg4=8 arg5=9"),
	     ONE_CALL("futex(uaddr: 0x1000, op: WAKE|PRIVATE, val: 0x1)")),
	TEXT("a number instead of a time", "systrace",
	     CAT CALLED("202", "arg0=0x1000 arg1=3 arg2=1 arg3=7 arg4=8 arg5=9"),
	     ONE_CALL("futex(uaddr: 0x1000, op: REQUEUE, val: 0x1, val2: 7, uaddr2: 0x8)")),
	TEXT("only what the call reads: prctl, fcntl", "systrace",
	     CAT CALLED("157", "arg0=15 arg1=0x1000 arg2=3") LATER("72", "arg0=3 arg1=1 arg2=5")
	     LAST("72", "arg0=3 arg1=4 arg2=0x800"),
	     TRACED
	     "0.000000        0.001 7       cat              prctl(option: SET_NAME, arg2: 0x1000) "
	     "= 0\n"
	     "0.000002        0.001 7       cat              fcntl(fd: 3, cmd: GETFD) = 0\n"
	     "0.000004        0.001 7       cat              fcntl(fd: 3, cmd: SETFL, arg: "
	     "RDONLY|NONBLOCK) = 0\n"),
	TEXT("names by level and by number", "systrace",
	     CAT CALLED("54", "arg0=3 arg1=1 arg2=2 arg3=0x1000 arg4=4")
	     LATER("54", "arg0=3 arg1=6 arg2=1 arg3=0x1000 arg4=4")
	     LAST("16", "arg0=3 arg1=0x5401 arg2=0x1000"),
	     TRACED
	     "0.000000        0.001 7       cat              setsockopt(fd: 3, level: SOCKET, "
	     "optname: REUSEADDR, optval: 0x1000, optlen: 4) = 0\n"
	     "0.000002        0.001 7       cat              setsockopt(fd: 3, level: TCP, "
	     "optname: NODELAY, optval: 0x1000, optlen: 4) = 0\n"
	     "0.000004        0.001 7       cat              ioctl(fd: 3, cmd: TCGETS, arg: "
	     "0x1000) = 0\n"),
	TEXT("a thread gets the leader's id in its exec", "systrace",
	     CAT "task 5 5 cat\n" ENTERS("1000", "7", "59", "arg0=0x1000")
	     "2000 0 5 sched:sched_process_exit pid=5\n" EXECS("3000", "5", "7")
	     LEAVES_CALL("4000", "5", "0"),
	     TRACED "0.000000        0.003 5       cat              execve(filename: 0x1000, argv: "
	     "NULL, envp: NULL) = 0\n"),
	TEXT("sums of tasks with this name", "systrace -s -n ca",
	     CAT ENTERS("1000000", "7", CLOSE, "arg0=3") LEAVES_CALL("2000000", "7", "0")
	     ENTERS("7000000", "8", CLOSE, "arg0=3") LEAVES_CALL("7500000", "8", "0"),
	     "TID     COMM             SYSCALL               CALLS  ERRORS   TOTAL(ms)   MIN(ms)   "
	     "AVG(ms)   MAX(ms)\n"
	     "7       cat              close                     1       0       1.000     "
	     "1.000     "
	     "1.000     1.000\n"),
	TEXT("sums by thread", "systrace -s -e !read",
	     CAT ENTERS("1000000", "7", CLOSE, "arg0=3") LEAVES_CALL("2000000", "7", "0")
	     ENTERS("3000000", "7", CLOSE, "arg0=3") LEAVES_CALL("6000000", "7", "-9")
	     ENTERS("7000000", "7", READ, "arg0=3") LEAVES_CALL("8000000", "7", "0")
	     ENTERS("7000000", "8", CLOSE, "arg0=3") LEAVES_CALL("7500000", "8", "0"),
	     "TID     COMM             SYSCALL               CALLS  ERRORS   TOTAL(ms)   MIN(ms)   "
	     "AVG(ms)   MAX(ms)\n"
	     "7       cat              close                     2       1       4.000     "
	     "1.000     "
	     "2.000     3.000\n"
	     "8       dog              close                     1       0       0.500     "
	     "0.500     "
	     "0.500     0.500\n"),
	TEXT("a gap drops calls under way", "systrace",
	     CAT ENTERS("1000", "7", CLOSE, "arg0=3") "gap 0 1500 1600 2\n"
	     LEAVES_CALL("2000", "7", "0"), TRACED, .lost = 2, .unpaired = 1),
};

#define TOOLS(TOOL) TOOL(syscount) TOOL(systrace) TOOL(capable) TOOL(mountsnoop) TOOL(oomkill)
PROGRAM_SUITE(programs_calls, TOOLS)
