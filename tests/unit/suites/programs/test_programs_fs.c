// SPDX-License-Identifier: GPL-2.0
/* The tools about files of one file system over records; see program_rows.h. */
#include "tests/unit/helpers/formats.h"
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CAT		"task 7 5 cat\n" "task 8 8 dog\n"
#define HEAD(MORE)	"Tracing ext4 operations" MORE "\n" \
			"TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME\n"
#define TEN_MS		" slower than 10 ms"
#define P(TIME, TID, FUNCTION, ...)	TIME " 0 " TID " p:" FUNCTION " " __VA_ARGS__ "\n"
#define R(TIME, TID, FUNCTION, RET)	TIME " 1 " TID " r:" FUNCTION " ret=" RET "\n"
#define READ(FROM, TO, POS, RET, NAME) \
	P(FROM, "7", "ext4_file_read_iter", "pos=" POS " name=\"" NAME "\"") \
	R(TO, "7", "ext4_file_read_iter", RET)
#define WRITE_BEGINS(TIME, FLAGS) \
	P(TIME, "7", "ext4_file_write_iter", "pos=2048 name=\"log\" flags=" FLAGS)
#define WRITE_ENDS(TIME, RET)	R(TIME, "7", "ext4_file_write_iter", RET)
#define FSYNC(FROM, TO)		P(FROM, "7", "ext4_sync_file", "name=\"log\"") \
	R(TO, "7", "ext4_sync_file", "0")
#define LINE(TYPE, BYTES, OFFSET, MS, NAME) \
	"00:00:00 cat            5      " TYPE " " BYTES " " OFFSET " " MS " " NAME "\n"
/* END: the microsecond, below 10000. */
#define JSON_LINE(END, TYPE, BYTES, OFFSET, US, FILE, ERRNO) \
	"{\"end_us\":" END ",\"comm\":\"cat\",\"pid\":5,\"type\":\"" TYPE "\",\"bytes\":" BYTES \
	",\"offset\":" OFFSET \
	",\"lat_us\":" US ",\"file\":" FILE ",\"time\":\"1970-01-01T00:00:00.00" END \
	"Z\",\"tid\":7,\"errno\":" ERRNO "}\n"

static const struct program_row ext4slower_rows[] = {
	TEXT("ten milliseconds are shown, less is not", "ext4slower",
	     CAT READ("1000", "10001000", "4096", "512", "a b")
	     READ("20000000", "29999999", "0", "512", "fast"),
	     HEAD(TEN_MS) LINE("R", "512    ", "4       ", "  10.00", "a b")),
	TEXT("an own threshold", "ext4slower 1",
	     CAT READ("1000", "1001000", "0", "512", "x")
	     READ("20000000", "20999999", "0", "512", "fast"),
	     HEAD(" slower than 1 ms") LINE("R", "512    ", "0       ", "   1.00", "x")),
	TEXT("all operations", "ext4slower 0", CAT READ("10", "20010", "1025", "0", "\\n")
	     P("30000", "7", "ext4_file_open", "name=\"x\"") R("60000", "7", "ext4_file_open", "0")
	     FSYNC("70000", "80000") WRITE_BEGINS("90000", "2") WRITE_ENDS("95000", "65536"),
	     HEAD("") LINE("R", "0      ", "1       ", "   0.02", "\\n")
	     LINE("O", "0      ", "0       ", "   0.03", "x")
	     LINE("S", "0      ", "0       ", "   0.01", "log")
	     LINE("W", "65536  ", "2       ", "   0.01", "log")),
	TEXT("a failure has no bytes", "ext4slower 0", CAT READ("10", "20010", "0", "-5", "x"),
	     HEAD("") LINE("R", "-      ", "0       ", "   0.02", "x")),
	TEXT("what is appended goes where the end is by then", "ext4slower 0",
	     CAT WRITE_BEGINS("90000", "02001")
	     WRITE_ENDS("95000", "10"),
	     HEAD("") LINE("W", "10     ", "-       ", "   0.01", "log")),
	TEXT("an fsync within a write is part of it", "ext4slower 0",
	     CAT WRITE_BEGINS("10000", "04010000")
	     FSYNC("20000", "30000") WRITE_ENDS("40000", "10") FSYNC("50000", "60000"),
	     HEAD("") LINE("W", "10     ", "2       ", "   0.03", "log")
	     LINE("S", "0      ", "0       ", "   0.01", "log")),
	TEXT("a write whose end was never seen hides fsyncs only until the next", "ext4slower 0",
	     CAT
	     WRITE_BEGINS("10000", "0") FSYNC("20000", "30000") WRITE_BEGINS("40000", "0")
	     WRITE_ENDS("50000", "10")
	     FSYNC("60000", "70000"),
	     HEAD("") LINE("W", "10     ", "2       ", "   0.01", "log")
	     LINE("S", "0      ", "0       ", "   0.01", "log"), .unreturned = 1),
	TEXT("two threads", "ext4slower 0",
	     CAT P("10", "7", "ext4_file_read_iter", "name=\"seven\"")
	     P("20", "8", "ext4_file_read_iter", "name=\"eight\"")
	     R("10010", "7", "ext4_file_read_iter", "1")
	     R("20020", "8", "ext4_file_read_iter", "2"),
	     HEAD("") LINE("R", "1      ", "0       ", "   0.01", "seven")
	     "00:00:00 dog            8      R 2       0           0.02 eight\n"),
	TEXT("one process", "ext4slower 0 -p 8", CAT READ("10", "20010", "0", "1", "x")
	     P("20", "8", "ext4_file_read_iter", "name=\"eight\"")
	     R("20020", "8", "ext4_file_read_iter", "2"),
	     HEAD("") "00:00:00 dog            8      R 2       0           0.02 eight\n"),
	TEXT("an end without a beginning; a second end", "ext4slower 0",
	     CAT R("10", "7", "ext4_file_read_iter", "1")
	     READ("20", "10020", "0", "1", "x") R("30000", "7", "ext4_file_read_iter", "1"),
	     HEAD("") LINE("R", "1      ", "0       ", "   0.01", "x")),
	TEXT("one within another, or after one whose return was missed", "ext4slower 0",
	     CAT P("10", "7", "ext4_file_read_iter", "name=\"x\"")
	     READ("20", "10020", "0", "1", "x"),
	     HEAD("") LINE("R", "1      ", "0       ", "   0.01", "x"), .unreturned = 1),
	TEXT("a gap drops what waits", "ext4slower 0",
	     CAT P("10", "7", "ext4_file_read_iter", "name=\"x\"")
	     "gap 0 12 14 2\n" R("20", "7", "ext4_file_read_iter", "1"), HEAD(""),
	     .lost = 2, .unpaired = 1),
	TEXT("a name that could not be read", "ext4slower 0",
	     CAT P("10", "7", "ext4_file_read_iter", "name=fault")
	     R("10010", "7", "ext4_file_read_iter", "1"),
	     HEAD("") LINE("R", "1      ", "0       ", "   0.01", "-"), .strings = 1),
	TEXT("a function that others use: only files of ours", "ext4slower 0",
	     CAT P("10", "7", "generic_file_read_iter", "name=\"x\" magic=0xef53")
	     R("10010", "7", "generic_file_read_iter", "1")
	     P("20010", "7", "generic_file_read_iter", "name=\"other\" magic=0x58465342")
	     R("30010", "7", "generic_file_read_iter", "1"),
	     HEAD("") LINE("R", "1      ", "0       ", "   0.01", "x"),
	     .without = "function:ext4_file_read_iter"),
	TEXT("3.10, without offsets: no names, no reads", "ext4slower 0",
	     CAT P("10", "7", "ext4_file_write", "") R("10010", "7", "ext4_file_write", "512"),
	     HEAD("") LINE("W", "512    ", "-       ", "   0.01", "-"), ON(V3_10)),
	JSON("for machines", "ext4slower 0", CAT READ("1500", "2004700", "4097", "10", "a\\\"\\xff")
	     WRITE_BEGINS("3000000", "02000") WRITE_ENDS("3001000", "-28"),
	     JSON_LINE("2004", "R", "10", "4097", "2003", "\"a\\\"\\udcff\"", "0")
	     JSON_LINE("3001", "W", "null", "null", "1", "\"log\"", "28")),
	{ "bcc's CSV comes first", "ext4slower -j 0",
	  CAT READ("1500", "2004700", "4097", "10", "a,b"),
	  "ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE,TIME,TID,ERRNO\n"
	  "2004,cat,5,R,10,4097,2003,\"a,b\",00:00:00.002004,7,0\n", OUTPUT_CSV },
	TEXT("older NFS: what it does when it opens, and who asks for attributes", "nfsslower 0",
	     CAT
	     P("10", "7", "nfs_file_read", "") R("10010", "7", "nfs_file_read", "512")
	     P("20010", "7", "nfs4_file_open", "") R("30010", "7", "nfs4_file_open", "0")
	     P("40010", "7", "nfs4_file_fsync", "") R("50010", "7", "nfs4_file_fsync", "-5")
	     P("60010", "7", "nfs_getattr", "") R("70010", "7", "nfs_getattr", "0")
	     P("80010", "7", "nfs_file_splice_read", "pos=2048")
	     R("90010", "7", "nfs_file_splice_read", "1"),
	     "Tracing NFS operations\nTIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) "
	     "FILENAME\n"
	     LINE("R", "512    ", "-       ", "   0.01", "-")
	     LINE("O", "0      ", "0       ", "   0.01", "-")
	     LINE("S", "-      ", "0       ", "   0.01", "-")
	     LINE("G", "0      ", "0       ", "   0.01", "-")
	     LINE("R", "1      ", "2       ", "   0.01", "-"), ON(V3_10)),
	/* O_DIRECTORY is one of two bits, by machine; 1: before 4.19, looked up only. */
	TEXT("NFS files that are looked up and opened at once, and directories, which are not",
	     "nfsslower 0", CAT
	     P("10", "7", "nfs_atomic_open", "as=0102") R("10010", "7", "nfs_atomic_open", "0")
	     P("20010", "7", "nfs_atomic_open", "as=0240000")
	     R("30010", "7", "nfs_atomic_open", "0")
	     P("40010", "7", "nfs_atomic_open", "as=0") R("50010", "7", "nfs_atomic_open", "1")
	     P("60010", "7", "nfs_atomic_open", "as=0") R("70010", "7", "nfs_atomic_open", "-2"),
	     "Tracing NFS operations\nTIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) "
	     "FILENAME\n"
	     LINE("O", "0      ", "0       ", "   0.01", "-")
	     LINE("O", "-      ", "0       ", "   0.01", "-"), ON(V3_10)),
	TEXT("XFS before 3.16", "fsslower -t xfs 0", CAT
	     P("10", "7", "xfs_file_aio_read", "") R("10010", "7", "xfs_file_aio_read", "512"),
	     "Tracing XFS operations\nTIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) "
	     "FILENAME\n"
	     LINE("R", "512    ", "-       ", "   0.01", "-"), ON(V3_10)),
};

#define FILE_HEAD	"TIME(s)  COMM           TID     D BYTES   LAT(ms) FILENAME\n"

static const struct program_row fileslower_rows[] = {
	TEXT("reads and writes, whose time counts from the first", "fileslower", CAT
	     P("1000", "7", "vfs_read", "mode=0100644 name=\"x\"")
	     R("10001000", "7", "vfs_read", "512")
	     P("20000000", "7", "vfs_writev", "mode=0100600 name=\"y\"")
	     R("32001000", "7", "vfs_writev", "-4"),
	     "Tracing sync read/writes slower than 10 ms\n" FILE_HEAD
	     "0.000    cat            7       R 512       10.00 x\n"
	     "0.022    cat            7       W -         12.00 y\n"),
	TEXT("no pipes", "fileslower 0", CAT P("10", "7", "vfs_read", "mode=0010600 name=\"\"")
	     R("10010", "7", "vfs_read", "512"), "Tracing sync read/writes\n" FILE_HEAD),
	TEXT("unless asked for", "fileslower -a 0", CAT P("10", "7", "vfs_read", "name=\"tty\"")
	     R("10010", "7", "vfs_read", "512"),
	     "Tracing sync read/writes\n" FILE_HEAD
	     "0.000    cat            7       R 512        0.01 tty\n"),
	JSON("for machines: no position", "fileslower 0",
	     CAT P("1000", "7", "vfs_read", "mode=0100644 name=\"x\"")
	     R("3000", "7", "vfs_read", "1"),
	     "{\"end_us\":3,\"comm\":\"cat\",\"pid\":5,\"type\":\"R\",\"bytes\":1,\"lat_us\":2,"
	     "\"file\":\"x\","
	     "\"time\":\"1970-01-01T00:00:00.000003Z\",\"tid\":7,\"errno\":0}\n"),
};

#define DIST_HIST(UNIT, OPERATION, LOW, HIGH, N) \
	"{\"histogram\":\"latency\",\"unit\":\"" UNIT "\"," \
	"\"time\":\"1970-01-01T00:00:00.000000Z\",\"operation\":\"" OPERATION \
	"\",\"slots\":[{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}]}\n"

#define RETURNS(TIME, TID, FUNCTION)	TIME " 1 " TID " r:" FUNCTION "\n"
#define DONE(FROM, TO, FUNCTION)	P(FROM, "7", FUNCTION, "") RETURNS(TO, "7", FUNCTION)

static const struct program_row ext4dist_rows[] = {
	TEXT("for people", "ext4dist", CAT DONE("1000", "5000", "ext4_file_read_iter")
	     DONE("6000", "7000", "ext4_sync_file")
	     DONE("10000", "12000", "ext4_file_read_iter"),
	     "Tracing ext4 operation latency... Hit Ctrl-C to end.\n\n\noperation = read\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"
	     "         4 -> 7          : 1        |****************************************|\n"
	     "\noperation = fsync\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"),
	JSON("all operations; an fsync within a write is part of it", "ext4dist",
	     CAT DONE("1000", "5000", "ext4_file_read_iter")
	     P("6000", "7", "ext4_file_write_iter", "") DONE("7000", "8000", "ext4_sync_file")
	     RETURNS("12000", "7", "ext4_file_write_iter")
	     DONE("20000", "27000", "ext4_file_open") DONE("30000", "33000", "ext4_sync_file")
	     DONE("40000", "42000", "ext4_getattr"),
	     DIST_HIST("usecs", "read", "4", "4", "1") DIST_HIST("usecs", "write", "6", "6", "1")
	     DIST_HIST("usecs", "open", "7", "7", "1") DIST_HIST("usecs", "fsync", "3", "3", "1")
	     DIST_HIST("usecs", "getattr", "2", "2", "1")),
	JSON("milliseconds, one process", "ext4dist -m -p 5",
	     CAT DONE("1000", "7001000", "ext4_file_read_iter")
	     P("20", "8", "ext4_file_read_iter", "") RETURNS("20020", "8", "ext4_file_read_iter"),
	     DIST_HIST("msecs", "read", "7", "7", "1")),
	JSON("3.10", "fsdist -t nfs", CAT DONE("1000", "4000", "nfs_getattr"),
	     DIST_HIST("usecs", "getattr", "3", "3", "1"), ON(V3_10)),
};

/* filetop; names are those that rings have. */

#define FILE(NODE, DENTRY, NAME) \
	"mode=0100644 inode=" NODE " dentry=" DENTRY " name=\"" NAME "\""
#define PIPE(NODE, NAME) \
	"mode=0010600 inode=" NODE " dentry=5 name=\"" NAME "\""
#define USED(COMM, READS, WRITES, IN, OUT, TYPE, NAME) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"tid\":7,\"pid\":5,\"comm\":" COMM \
	",\"reads\":" READS ",\"writes\":" WRITES ",\"read_bytes\":" IN \
	",\"written_bytes\":" OUT ",\"type\":\"" TYPE "\",\"file\":" NAME "}\n"

static const struct program_row filetop_rows[] = {
	JSON("what calls returned, not what they asked for; failures are none", "filetop", CAT
	     P("1000", "7", "vfs_read", FILE("1", "2", "x")) R("2000", "7", "vfs_read", "100")
	     P("3000", "7", "vfs_read", FILE("1", "2", "x")) R("4000", "7", "vfs_read", "0")
	     P("5000", "7", "vfs_read", FILE("1", "2", "x")) R("6000", "7", "vfs_read", "-9")
	     P("7000", "7", "vfs_writev", FILE("1", "2", "x")) R("8000", "7", "vfs_writev", "7"),
	     USED("\"cat\"", "2", "1", "100", "7", "R", "\"x\"")),
	JSON("equal names are two files; most bytes first", "filetop", CAT
	     P("1000", "7", "vfs_read", FILE("1", "2", "x")) R("2000", "7", "vfs_read", "1")
	     P("3000", "7", "vfs_read", FILE("3", "4", "x")) R("4000", "7", "vfs_read", "2"),
	     USED("\"cat\"", "1", "0", "2", "0", "R", "\"x\"")
	     USED("\"cat\"", "1", "0", "1", "0", "R", "\"x\"")),
	JSON("by control group", "filetop --by-cgroup", CAT
	     P("1000", "7", "vfs_read", FILE("1", "2", "x")) R("2000", "7", "vfs_read", "1")
	     P("3000", "7", "vfs_write", FILE("3", "4", "y")) R("4000", "7", "vfs_write", "2"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"reads\":1,\"writes\":1,"
	     "\"read_bytes\":1,\"written_bytes\":2,\"cgroup\":null}\n"),
	JSON("no pipes", "filetop", CAT P("1000", "7", "vfs_read", PIPE("1", ""))
	     R("2000", "7", "vfs_read", "1"), ""),
	JSON("unless asked for", "filetop -a --read-only", CAT
	     P("1000", "7", "vfs_read", PIPE("1", "")) R("2000", "7", "vfs_read", "1")
	     P("3000", "7", "vfs_write", PIPE("6", "")) R("4000", "7", "vfs_write", "1"),
	     USED("\"cat\"", "1", "0", "1", "0", "P", "\"pipe\"")),
	/* The record of the test has one file: both ends. */
	JSON("from file to file; reads within are parts of it", "filetop", CAT
	     P("1000", "7", "do_splice_direct", FILE("1", "2", "from"))
	     P("2000", "7", "vfs_read", FILE("1", "2", "from")) R("3000", "7", "vfs_read", "50")
	     R("4000", "7", "do_splice_direct", "50"),
	     USED("\"cat\"", "1", "1", "50", "50", "R", "\"from\"")),
	JSON("a gap drops calls under way", "filetop", CAT
	     P("1000", "7", "vfs_read", FILE("1", "2", "x")) "gap 0 1500 1600 2\n"
	     R("2000", "7", "vfs_read", "100"), "", .lost = 2, .unpaired = 1),
};

#define TOOLS(TOOL) TOOL(ext4slower) TOOL(filetop) TOOL(fileslower) TOOL(ext4dist)
PROGRAM_SUITE(programs_fs, TOOLS)
