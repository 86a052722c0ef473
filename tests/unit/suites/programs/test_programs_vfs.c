// SPDX-License-Identifier: GPL-2.0
/* The tools about the virtual file system over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CAT		"task 7 5 cat\n" "task 9 1 dog\n"
#define NAMES		.without = "btf"

/* vfsstat */

#define CALL(FUNCTION)	"10 0 7 p:" FUNCTION "\n"
/*
 * An open is an event for two programs, attachments 8 and 12: that there was one, and whether it
 * made the file.
 */
#define OPENED(F_MODE)	"10 0 7 @8\n" "10 0 7 @12 f_mode=" F_MODE "\n"
#define VFS_HEAD	"TIME         READ/s  WRITE/s  FSYNC/s   OPEN/s CREATE/s UNLINK/s  " \
			"MKDIR/s  RMDIR/s\n"
#define VFS_JSON(COUNTS) "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"seconds\":1.000," COUNTS "}\n"

static const struct program_row vfsstat_rows[] = {
	TEXT("each call", "vfsstat", CAT CALL("vfs_read") CALL("vfs_read") CALL("vfs_write")
	     CALL("__x64_sys_fsync")
	     CALL("__ia32_sys_fdatasync") OPENED("0x10001f") OPENED("0x1f")
	     CALL("security_inode_unlink") CALL("security_inode_mkdir")
	     CALL("security_inode_rmdir"),
	     VFS_HEAD "00:00:00          2        1        2        2        1        1        1   "
		      "     1\n"),
	JSON("for machines", "vfsstat", CAT CALL("vfs_read") X10(CALL("vfs_write")),
	     VFS_JSON("\"reads\":1,\"writes\":10,\"fsyncs\":0,\"opens\":0,\"creates\":0,"
		      "\"unlinks\":0,\"mkdirs\":0,\"rmdirs\":0")),
	TEXT("one process", "vfsstat -p 1", CAT CALL("vfs_read") "20 0 9 p:vfs_read\n"
	     "20 0 9 p:security_inode_mkdir\n",
	     VFS_HEAD "00:00:00          1        0        0        0        0        0        1   "
		      "     0\n"),
	JSON("files made, by names: one, a link, one that was there, one of another task",
	     "vfsstat", CAT
	     "10 0 7 p:security_inode_create dentry=0x10\n" "11 0 7 p:d_instantiate dentry=0x10\n"
	     "12 0 7 p:d_instantiate dentry=0x10\n" "13 0 7 p:d_instantiate dentry=0x20\n"
	     "14 0 7 p:security_inode_create dentry=0x30\n" "15 0 9 p:d_instantiate dentry=0x30\n"
	     "16 0 7 p:d_instantiate_new dentry=0x30\n",
	     VFS_JSON("\"reads\":0,\"writes\":0,\"fsyncs\":0,\"opens\":0,\"creates\":2,"
		      "\"unlinks\":0,\"mkdirs\":0,\"rmdirs\":0"),
	     .without = "btf"),
	JSON("what is not known is nothing", "vfsstat", CAT CALL("vfs_read"),
	     VFS_JSON("\"reads\":1,\"writes\":0,\"fsyncs\":null,\"opens\":0,\"creates\":0,"
		      "\"unlinks\":0,\"mkdirs\":null,\"rmdirs\":0"),
	     .without = "function:security_inode_mkdir,function:vfs_mkdir,function:__x64_sys_mkdir,"
			"function:__x64_sys_fsync"),
	/* Neither security modules nor functions that are not inlined: the calls. */
	JSON("removals by system calls", "vfsstat", CALL("__x64_sys_unlink") CALL("__x64_sys_rmdir")
	     "11 0 7 p:__x64_sys_unlinkat flags=0\n" "12 0 7 p:__x64_sys_unlinkat flags=512\n"
	     "13 0 7 p:__ia32_sys_unlinkat flags=512\n",
	     VFS_JSON("\"reads\":0,\"writes\":0,\"fsyncs\":0,\"opens\":0,\"creates\":0,"
		      "\"unlinks\":2,\"mkdirs\":0,\"rmdirs\":3"),
	     .without = "function:security_inode_unlink,function:security_inode_rmdir,"
			"function:vfs_unlink,function:vfs_rmdir"),
};

/* dcstat */

#define SEARCHED(TID, FUNCTION, FOUND)	"10 0 " TID " r:" FUNCTION " found=" FOUND "\n"
#define LOOKS_UP(TID, FUNCTION, DIRECTORY, HASH) \
	"10 0 " TID " p:" FUNCTION " directory=" DIRECTORY " hash=" HASH "\n"
#define DC_JSON(COUNTS) "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"seconds\":1.000," COUNTS "}\n"

static const struct program_row dcstat_rows[] = {
	TEXT("found without and with a lock, a miss", "dcstat", CAT
	     X10(SEARCHED("7", "__d_lookup_rcu", "0x10")) SEARCHED("7", "__d_lookup", "0x10")
	     SEARCHED("7", "__d_lookup_rcu", "0") LOOKS_UP("7", "d_alloc_parallel", "1", "5"),
	     "TIME       REFS/s   SLOW/s   MISS/s     HIT%\n"
	     "00:00:00       12        2        1    91.67\n"),
	JSON("an open that may make its file is one miss; a removal is another", "dcstat", CAT
	     LOOKS_UP("7", "d_lookup", "1", "5") LOOKS_UP("9", "d_lookup", "1", "6")
	     SEARCHED("7", "d_lookup", "0") SEARCHED("9", "d_lookup", "0")
	     LOOKS_UP("7", "d_alloc_parallel", "1", "5"),
	     DC_JSON("\"refs\":2,\"slow\":2,\"misses\":2,\"hit_percent\":0.00")),
	JSON("other names and directories are other misses; a name is found", "dcstat -p 5", CAT
	     LOOKS_UP("7", "d_lookup", "1", "5") SEARCHED("7", "d_lookup", "0")
	     LOOKS_UP("7", "d_alloc_parallel", "1", "6") LOOKS_UP("7", "d_alloc_parallel", "1", "5")
	     LOOKS_UP("7", "d_lookup", "1", "5") SEARCHED("7", "d_lookup", "0")
	     LOOKS_UP("7", "d_alloc_parallel", "2", "5")
	     LOOKS_UP("7", "d_lookup", "1", "5") SEARCHED("7", "__d_lookup", "0x20")
	     SEARCHED("7", "d_lookup", "0x20") LOOKS_UP("9", "d_alloc_parallel", "2", "5"),
	     DC_JSON("\"refs\":6,\"slow\":6,\"misses\":5,\"hit_percent\":16.67")),
	JSON("nothing", "dcstat", CAT,
	     DC_JSON("\"refs\":0,\"slow\":0,\"misses\":0,\"hit_percent\":null")),
};

/* filegone */

#define GONE_HEAD	"TIME     PID     COMM             ACTION   FILE\n"
#define NAMED_BY(TIME, TID, CALL, INPUTS, RET) \
	TIME "0 0 " TID " p:__x64_sys_" CALL " " INPUTS "\n" TIME "1 0 " TID " r:__x64_sys_" CALL \
	" ret=" RET "\n"
/*
 * Two paths come as parts before the call, in the order of the plan: @2 and @3 are those of the
 * 64-bit renameat2, @8 and @9 of renameat, @18 and @19 of rename.
 */
#define RENAMED_BY(TIME, TID, CALL, FIRST, SECOND, A, B, MORE, RET) \
	TIME "0 0 " TID " @" FIRST " path0=" A "\n" TIME "0 0 " TID " @" SECOND " path1=" B "\n" \
	NAMED_BY(TIME, TID, CALL, "to=1" MORE, RET)
#define RENAMED(TIME, TID, A, B, RET)	RENAMED_BY(TIME, TID, "rename", "18", "19", A, B, "", RET)
#define LONG		X10(X10("ab")) X10("abcde") "abcde"

#define BY_CALLS	.without = "function:vfs_fileattr_get"

static const struct program_row filegone_rows[] = {
	TEXT("each call", "filegone", CAT NAMED_BY("1", "7", "unlink", "path0=\"/a\"", "0")
	     NAMED_BY("2", "7", "unlinkat", "path0=\"b\" flags=0", "0")
	     NAMED_BY("3", "7", "unlinkat", "path0=\"c\" flags=512", "0")
	     NAMED_BY("4", "7", "rmdir", "path0=\"d\"", "0")
	     RENAMED("5", "7", "\"e\"", "\"/f\"", "0")
	     RENAMED_BY("6", "7", "renameat", "8", "9", "\"g\"", "\"h\"", "", "0")
	     RENAMED_BY("7", "7", "renameat2", "2", "3", "\"i\"", "\"j\"", " flags=1", "0")
	     RENAMED_BY("8", "7", "renameat2", "2", "3", "\"k\"", "\"l\"", " flags=2", "0"),
	     GONE_HEAD "00:00:00 5       cat              DELETE   /a\n"
	     "00:00:00 5       cat              DELETE   b\n"
	     "00:00:00 5       cat              RMDIR    c\n"
	     "00:00:00 5       cat              RMDIR    d\n"
	     "00:00:00 5       cat              RENAME   e > /f\n"
	     "00:00:00 5       cat              RENAME   g > h\n"
	     "00:00:00 5       cat              RENAME   i > j\n"
	     "00:00:00 5       cat              EXCHANGE k > l\n",
	     BY_CALLS),
	TEXT("failures are not shown; one process", "filegone -p 5",
	     CAT NAMED_BY("1", "7", "unlink", "path0=\"a\"", "-2")
	     NAMED_BY("2", "9", "unlink", "path0=\"b\"", "0")
	     RENAMED("3", "7", "\"c\"", "\"d\"", "-18")
	     NAMED_BY("4", "7", "rmdir", "path0=\"e\"", "0"),
	     GONE_HEAD "00:00:00 5       cat              RMDIR    e\n",
	     BY_CALLS),
	TEXT("a name", "filegone --name do", CAT NAMED_BY("1", "7", "unlink", "path0=\"a\"", "0")
	     RENAMED("2", "9", "\"b\"", "\"c\"", "0"),
	     GONE_HEAD "00:00:00 1       dog              RENAME   b > c\n",
	     BY_CALLS),
	TEXT("long paths are cut, each for itself", "filegone",
	     CAT RENAMED("1", "7", "\"" LONG "f\"", "\"" LONG "\"", "0")
	     RENAMED("2", "7", "\"a\"", "\"" LONG "f\"", "0"),
	     GONE_HEAD "00:00:00 5       cat              RENAME   " LONG "... > " LONG "\n"
	     "00:00:00 5       cat              RENAME   a > " LONG "...\n",
	     BY_CALLS),
	JSON("for machines, and bytes of any kind", "filegone",
	     CAT RENAMED("1", "7", "\"a\\n\"", "\"b > c\"", "0")
	     NAMED_BY("2", "7", "unlink", "path0=\"\\x1b[1m\"", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"tid\":7,\"comm\":\"cat\","
	     "\"action\":\"RENAME\",\"file\":\"a\\n\",\"to\":\"b > c\"}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"tid\":7,\"comm\":\"cat\","
	     "\"action\":\"DELETE\",\"file\":\"\\u001b[1m\",\"to\":null}\n",
	     BY_CALLS),
	TEXT("a gap drops what waits", "filegone", CAT "10 0 7 p:__x64_sys_unlink path0=\"a\"\n"
	     "gap 0 11 12 1\n" "13 0 7 r:__x64_sys_unlink ret=0\n", GONE_HEAD, .lost = 1,
	     .unpaired = 1,
	     BY_CALLS),
	TEXT("below the calls, as io_uring's", "filegone", CAT
	     "10 0 7 p:do_unlinkat path0=\"a\"\n" "11 0 7 r:do_unlinkat ret=0\n"
	     "12 0 7 p:do_rmdir path0=\"b\"\n" "13 0 7 r:do_rmdir ret=0\n"
	     "14 0 7 p:do_unlinkat path0=\"c\"\n" "15 0 7 r:do_unlinkat ret=-2\n",
	     GONE_HEAD "00:00:00 5       cat              DELETE   a\n"
	     "00:00:00 5       cat              RMDIR    b\n"),
};

/* filelife */

#define LIFE_HEAD	"TIME     PID    COMM             AGE(s)  FILE\n"
#define MADE(TIME, TID, INODE)	TIME " 0 " TID " p:do_dentry_open f_mode=0x10001f inode=" INODE "\n"
#define OPENS(TIME, TID, INODE)	TIME " 0 " TID " p:do_dentry_open f_mode=0x1f inode=" INODE "\n"
#define UNLINK(TIME, TID, INODE, NAME)	TIME " 0 " TID " p:security_inode_unlink inode=" INODE \
	" name=\"" NAME "\"\n"
#define UNLINKED(TIME, TID, RET)	TIME " 1 " TID " r:vfs_unlink ret=" RET "\n"
#define RENAMED_OVER(TIME, INODE, FLAGS) \
	TIME " 0 7 p:security_inode_rename inode=" INODE " name=\"a\" flags=" FLAGS "\n" \
	TIME " 1 7 r:vfs_rename ret=0\n"
#define GONE(TIME, INODE)	TIME " 1 0 p:security_inode_free inode=" INODE "\n"
#define LIFE(PID, COMM, AGE, FILE)	"00:00:00 " PID "      " COMM "              " AGE "    " \
	FILE "\n"

#define INODES		.without = "function:do_dentry_open,function:security_inode_create"
#define FILE_TYPE	"0x81a4"
#define LINK_TYPE	"0xa1ff"
#define INODE(TIME, DENTRY, INODE, PARENT, MODE, LINKS) \
	TIME " 0 7 p:d_instantiate dentry=" DENTRY " inode=" INODE " parent=" PARENT \
	" mode=" MODE " links=" LINKS "\n"

static const struct program_row filelife_rows[] = {
	TEXT("a life; another process ends it", "filelife", CAT MADE("10", "7", "0x10")
	     UNLINK("500000010", "9", "0x10", "a b\\n")
	     UNLINKED("510000010", "9", "0"), LIFE_HEAD LIFE("1", "dog", "0.51", "a b\\n")),
	TEXT("another file takes its name; names are exchanged", "filelife", CAT
	     MADE("10", "7", "0x10") RENAMED_OVER("20", "0x10", "2")
	     RENAMED_OVER("500000010", "0x10", "0"), LIFE_HEAD LIFE("5", "cat", "0.50", "a")),
	TEXT("one that was opened only", "filelife", CAT OPENS("10", "7", "0x10")
	     UNLINK("20", "7", "0x10", "a")
	     UNLINKED("30", "7", "0"), LIFE_HEAD),
	TEXT("it does not work the first time", "filelife", CAT MADE("10", "7", "0x10")
	     UNLINK("20", "7", "0x10", "a")
	     UNLINKED("30", "7", "-16") UNLINK("40", "7", "0x10", "a")
	     UNLINKED("250000000", "7", "0"),
	     LIFE_HEAD LIFE("5", "cat", "0.25", "a")),
	TEXT("its inode is another file's", "filelife", CAT MADE("10", "7", "0x10")
	     GONE("20", "0x10")
	     UNLINK("30", "7", "0x10", "pipe") UNLINKED("40", "7", "0"), LIFE_HEAD),
	TEXT("its inode is that of a new file", "filelife", CAT MADE("10", "7", "0x10")
	     GONE("20", "0x10")
	     MADE("1000000000", "7", "0x10") UNLINK("1100000000", "7", "0x10", "b")
	     UNLINKED("1100000001", "7", "0"),
	     "TIME     PID    COMM             AGE(s)  FILE\n"
	     "00:00:01 5      cat              0.10    b\n"),
	TEXT("one within another: the file of a file system on top, and that below", "filelife",
	     CAT MADE("10", "7", "0x10")
	     UNLINK("20", "7", "0x10", "top") UNLINK("30", "7", "0x20", "below")
	     UNLINKED("40", "7", "0")
	     UNLINKED("50", "7", "0"), LIFE_HEAD LIFE("5", "cat", "0.00", "top")),
	TEXT("the same, and both are known", "filelife", CAT MADE("10", "7", "0x10")
	     MADE("11", "7", "0x20")
	     UNLINK("20", "7", "0x10", "a") UNLINK("30", "7", "0x20", "a") UNLINKED("40", "7", "0")
	     UNLINKED("50", "7", "0"), LIFE_HEAD LIFE("5", "cat", "0.00", "a")),
	TEXT("of one process", "filelife -p 1", CAT MADE("10", "7", "0x10") MADE("11", "7", "0x20")
	     UNLINK("20", "7", "0x10", "a") UNLINKED("30", "7", "0") UNLINK("40", "9", "0x20", "b")
	     UNLINKED("50", "9", "0"),
	     LIFE_HEAD LIFE("1", "dog", "0.00", "b")),
	TEXT("by name", "filelife --name og", CAT MADE("10", "7", "0x10") MADE("11", "7", "0x20")
	     UNLINK("20", "7", "0x10", "a") UNLINKED("30", "7", "0") UNLINK("40", "9", "0x20", "b")
	     UNLINKED("50", "9", "0"),
	     LIFE_HEAD LIFE("1", "dog", "0.00", "b")),
	TEXT("a gap: nobody knows what became of the inode", "filelife", CAT MADE("10", "7", "0x10")
	     "gap 0 12 14 2\n"
	     UNLINK("20", "7", "0x10", "a") UNLINKED("30", "7", "0"), LIFE_HEAD,
	     .lost = 2, .unpaired = 1),
	TEXT("by names: a file, and a link to an old one", "filelife", CAT
	     "10 0 7 p:security_inode_create dentry=0x1\n"
	     "11 0 7 p:d_instantiate dentry=0x1 inode=0x10\n"
	     "12 0 7 p:d_instantiate dentry=0x2 inode=0x20\n"
	     UNLINK("20", "7", "0x10", "a") UNLINKED("30", "7", "0") UNLINK("40", "7", "0x20", "b")
	     UNLINKED("50", "7", "0"),
	     LIFE_HEAD LIFE("5", "cat", "0.00", "a"), NAMES),
	TEXT("by inodes: a file, and not a link, a symbolic link or a file in memory", "filelife",
	     CAT INODE("11", "0x1", "0x10", "0x2", FILE_TYPE, "1")
	     INODE("12", "0x1", "0x20", "0x2", FILE_TYPE, "2")
	     INODE("13", "0x1", "0x30", "0x2", LINK_TYPE, "1")
	     INODE("14", "0x1", "0x40", "0x1", FILE_TYPE, "1")
	     UNLINK("20", "7", "0x10", "a") UNLINKED("30", "7", "0")
	     UNLINK("40", "7", "0x20", "b") UNLINKED("50", "7", "0")
	     UNLINK("60", "7", "0x30", "c") UNLINKED("70", "7", "0")
	     UNLINK("80", "7", "0x40", "d") UNLINKED("90", "7", "0"),
	     LIFE_HEAD LIFE("5", "cat", "0.00", "a"), INODES),
	JSON("for machines", "filelife", CAT MADE("10", "7", "0x10")
	     UNLINK("500000010", "9", "0x10", "\\xff")
	     UNLINKED("500000010", "9", "0"),
	     "{\"time\":\"1970-01-01T00:00:00.500000Z\",\"pid\":1,\"comm\":\"dog\",\"age_s\":0.50,"
	     "\"file\":\"\\udcff\"}\n"),
};

#define TOOLS(TOOL) TOOL(vfsstat) TOOL(dcstat) TOOL(filegone) TOOL(filelife)
PROGRAM_SUITE(programs_vfs, TOOLS)
