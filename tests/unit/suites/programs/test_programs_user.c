// SPDX-License-Identifier: GPL-2.0
/* The tools about user space over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define TASK	"task 7 5 wget\n"

/* gethostlatency */

#define HEAD			"TIME      PID     COMM                  LATms HOST\n"
#define ASK(TIME, TID, FUNCTION, HOST) \
	TIME " 0 " TID " p:" FUNCTION " pointer=4096 host=\"" HOST "\"\n"
#define ANSWER(TIME, TID, FUNCTION)	TIME " 1 " TID " r:" FUNCTION "\n"
#define ROW(LAT, HOST)			"00:00:00  5       wget             " LAT " " HOST "\n"
#define X63	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"

static const struct program_row gethostlatency_rows[] = {
	TEXT("each of the functions", "gethostlatency",
	     TASK ASK("10", "7", "getaddrinfo", "a.example")
	     ANSWER("31770010", "7", "getaddrinfo") ASK("32000000", "7", "gethostbyname", "b")
	     ANSWER("32010000", "7", "gethostbyname") ASK("33000000", "7", "gethostbyname2", "c")
	     ANSWER("33004000", "7", "gethostbyname2") ASK("34000000", "7", "gethostbyname_r", "d")
	     ANSWER("35000000", "7", "gethostbyname_r")
	     ASK("36000000", "7", "gethostbyname2_r", "e")
	     ANSWER("38000000", "7", "gethostbyname2_r"),
	     HEAD ROW("     31.77", "a.example") ROW("      0.01", "b") ROW("      0.00", "c")
	     ROW("      1.00", "d")
	     ROW("      2.00", "e")),
	TEXT("calls within calls", "gethostlatency", TASK ASK("1000000", "7", "gethostbyname", "a")
	     ASK("1001000", "7", "gethostbyname2", "a") ASK("1002000", "7", "gethostbyname2_r", "a")
	     ANSWER("3000000", "7", "gethostbyname2_r") ANSWER("3000001", "7", "gethostbyname2")
	     ANSWER("4000000", "7", "gethostbyname"), HEAD ROW("      3.00", "a")),
	TEXT("one file seen twice", "gethostlatency", TASK ASK("1000000", "7", "getaddrinfo", "a")
	     ASK("1000000", "7", "getaddrinfo", "a") ANSWER("3000000", "7", "getaddrinfo")
	     ANSWER("3000000", "7", "getaddrinfo"), HEAD ROW("      2.00", "a")),
	TEXT("two threads", "gethostlatency", TASK "task 8 5 wget\n"
	     ASK("1000000", "7", "getaddrinfo", "a")
	     ASK("2000000", "8", "getaddrinfo", "b") ANSWER("3000000", "7", "getaddrinfo")
	     ANSWER("4000000", "8", "getaddrinfo"), HEAD ROW("      2.00", "a")
	     ROW("      2.00", "b")),
	TEXT("a call that was jumped out of: the same again, another a second later, another at "
	     "once", "gethostlatency",
	     TASK ASK("1000000", "7", "getaddrinfo", "a") ASK("2000000", "7", "getaddrinfo", "b")
	     ANSWER("3000000", "7", "getaddrinfo") ASK("4000000", "7", "getaddrinfo", "c")
	     ASK("1005000000", "7", "gethostbyname", "d") ANSWER("1006000000", "7", "gethostbyname")
	     ASK("1007000000", "7", "getaddrinfo", "e") ASK("1008000000", "7", "gethostbyname", "f")
	     ANSWER("1009000000", "7", "gethostbyname"),
	     HEAD ROW("      1.00", "b") "00:00:01  5       wget                   1.00 d\n"),
	TEXT("only a port is asked for, after a call that was jumped out of", "gethostlatency",
	     TASK ASK("1000000", "7", "getaddrinfo", "a") "2000000 0 7 p:getaddrinfo pointer=0\n"
	     ANSWER("3000000", "7", "getaddrinfo"), HEAD),
	TEXT("escapes; an empty name; a long one", "gethostlatency",
	     TASK ASK("1000000", "7", "getaddrinfo", "a\\x1b[m\\n")
	     ANSWER("2000000", "7", "getaddrinfo") ASK("3000000", "7", "getaddrinfo", "")
	     ANSWER("4000000", "7", "getaddrinfo")
	     ASK("5000000", "7", "getaddrinfo", X63 "." X63 "." X63 "." X63 ".tail")
	     ANSWER("6000000", "7", "getaddrinfo"),
	     HEAD ROW("      1.00", "a\\x1b[m\\n") "00:00:00  5       wget                   1.00\n"
	     ROW("      1.00", X63 "." X63 "." X63 "." X63 "...")),
	TEXT("a process", "gethostlatency -p 5", TASK "task 8 8 curl\n"
	     ASK("1000000", "8", "getaddrinfo", "a")
	     ANSWER("2000000", "8", "getaddrinfo") ASK("3000000", "7", "getaddrinfo", "b")
	     ANSWER("4000000", "7", "getaddrinfo"), HEAD ROW("      1.00", "b"), .pid = 5),
	TEXT("a task nobody knows; an answer alone", "gethostlatency",
	     ASK("1000000", "9", "getaddrinfo", "a")
	     ANSWER("2000000", "9", "getaddrinfo") ANSWER("3000000", "9", "getaddrinfo"),
	     HEAD "00:00:00  -       -                      1.00 a\n"),
	TEXT("a gap drops what waits", "gethostlatency",
	     TASK ASK("1000000", "7", "getaddrinfo", "a")
	     "gap 0 1500000 1600000 2\n" ANSWER("2000000", "7", "getaddrinfo"), HEAD,
	     .lost = 2, .unpaired = 1),
	JSON("for machines", "gethostlatency --json",
	     TASK ASK("1000000", "7", "gethostbyname_r", "a\\\"")
	     ANSWER("2500000", "7", "gethostbyname_r"),
	     "{\"time\":\"1970-01-01T00:00:00.002500Z\",\"pid\":5,\"comm\":\"wget\","
	     "\"lat_ms\":1.50,"
	     "\"call\":\"gethostbyname_r\",\"host\":\"a\\\"\"}\n"),
	TEXT("memory word by word", "gethostlatency",
	     TASK ASK("1000000", "7", "getaddrinfo", "a.example")
	     ANSWER("2000000", "7", "getaddrinfo"), HEAD ROW("      1.00", "a.example"), ON(V4_19),
	     .without = "fetch-array"),
};

/* bashreadline */

#define BASH		"task 7 5 bash\n"
#define PROMPT(TIME)	TIME " 0 7 p:readline\n"
#define LINE(TIME, TEXT)	TIME " 0 7 r:readline pointer=4096 line=\"" TEXT "\"\n"
#define LINES		"TIME      PID     COMMAND\n"
#define TYPED(TEXT)	"00:00:00  5       " TEXT "\n"

static const struct program_row bashreadline_rows[] = {
	TEXT("lines; an empty one; the end of the input", "bashreadline", BASH PROMPT("10")
	     LINE("20", "dmesg | tail")
	     PROMPT("30") LINE("40", "") PROMPT("50") "60 0 7 r:readline pointer=0\n" PROMPT("70")
	     LINE("80", "ls"),
	     LINES TYPED("dmesg | tail") "00:00:00  5\n" TYPED("ls")),
	TEXT("one file seen twice; a prompt that was interrupted", "bashreadline", BASH PROMPT("10")
	     PROMPT("10")
	     LINE("20", "ls") LINE("20", "ls") PROMPT("30") PROMPT("40") LINE("50", "date"),
	     LINES TYPED("ls") TYPED("date")),
	TEXT("escapes, and a long line", "bashreadline", BASH PROMPT("10")
	     LINE("20", "echo \\x1b[31m\\x07\\\\")
	     PROMPT("30") LINE("40", X63 " " X63 " " X63 " " X63 " tail"),
	     LINES TYPED("echo \\x1b[31m\\x07\\\\") TYPED(X63 " " X63 " " X63 " " X63 "...")),
	/* By attachments: 1 and 3 are the library's. */
	TEXT("the library in bash, and in what is none", "bashreadline", BASH "task 8 8 gdb\n"
	     "10 0 7 @1\n"
	     "20 0 7 @3 pointer=4096 line=\"ls\"\n" "30 0 8 @1\n"
	     "40 0 8 @3 pointer=4096 line=\"run\"\n", LINES TYPED("ls")),
	TEXT("a shell of another name with readline in it", "bashreadline", "task 7 5 mysh\n"
	     "10 0 7 @0\n"
	     "20 0 7 @2 pointer=4096 line=\"ls\"\n", LINES TYPED("ls")),
	TEXT("a gap drops what waits", "bashreadline", BASH PROMPT("10") "gap 0 12 14 2\n"
	     LINE("20", "ls"), LINES, .lost = 2, .unpaired = 1),
	JSON("for machines", "bashreadline --json", BASH PROMPT("10") LINE("20", "a\\tb"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"bash\","
	     "\"command\":\"a\\tb\"}\n"),
};

/* memleak */

#define TASKS		"task 7 1 a\n" "task 8 1 a\n" "task 9 2 b\n"
#define CALLS(TIME, TID, FUNCTION, SP, ARGS) \
	TIME " 0 " TID " p:" FUNCTION " sp=" SP " " ARGS "\n"
#define RETURNS(TIME, TID, FUNCTION, SP, VALUE) \
	TIME " 0 " TID " r:" FUNCTION " sp=" SP " retval=" VALUE " user_stack=0x1,0x2\n"
#define GETS(TIME, TID, SIZE, ADDRESS) \
	CALLS(TIME "0", TID, "malloc", "1000", "size=" SIZE) \
	RETURNS(TIME "1", TID, "malloc", "1008", ADDRESS)
#define FREES(TIME, TID, ADDRESS)	TIME "5 0 " TID " p:free pointer=" ADDRESS "\n"
#define AGAIN(TIME, ADDRESS, SIZE, RESULT) \
	CALLS(TIME "0", "7", "realloc", "1000", "size=" SIZE " pointer=" ADDRESS) \
	RETURNS(TIME "1", "7", "realloc", "1008", RESULT)
#define MAPS(TIME, SIZE, ADDRESS) \
	CALLS(TIME "0", "7", "mmap", "1000", "size=" SIZE) \
	RETURNS(TIME "1", "7", "mmap", "1008", ADDRESS)
#define UNMAPS(TIME, ADDRESS, SIZE, RESULT) \
	CALLS(TIME "0", "7", "munmap", "1000", "address=" ADDRESS " size=" SIZE) \
	RETURNS(TIME "1", "7", "munmap", "1008", RESULT)
#define REMAPS(TIME, ADDRESS, SIZE, LENGTH, FLAGS, RESULT) \
	CALLS(TIME "0", "7", "mremap", "1000", "address=" ADDRESS " size=" SIZE " length=" LENGTH \
	      " flags=" FLAGS) \
	RETURNS(TIME "1", "7", "mremap", "1008", RESULT)
#define LEAKS		"memleak -f --addresses -p 1"
#define HELD(BYTES)	"a;0x2;0x1 " BYTES "\n"

static const struct program_row memleak_rows[] = {
	TEXT("held", LEAKS, TASKS GETS("1", "7", "100", "4096") GETS("2", "8", "11", "8192"),
	     HELD("111")),
	TEXT("freed, also by another thread; what nobody saw allocated; nothing", LEAKS,
	     TASKS GETS("1", "7", "100", "4096") GETS("2", "7", "10", "8192")
	     GETS("3", "7", "1", "16384") FREES("4", "7", "4096") FREES("5", "8", "8192")
	     FREES("6", "7", "32768") FREES("7", "7", "0"), HELD("1")),
	TEXT("the same address in another process", LEAKS, TASKS GETS("1", "7", "100", "4096")
	     GETS("2", "9", "10", "4096") FREES("3", "9", "4096"), HELD("100")),
	TEXT("there is none", LEAKS, TASKS GETS("1", "7", "100", "0"), ""),
	TEXT("so many of a size", LEAKS, TASKS
	     CALLS("10", "7", "calloc", "1000", "size=3 n=10")
	     RETURNS("20", "7", "calloc", "1008", "4096"), HELD("30")),
	TEXT("allocators call each other, and map memory", LEAKS, TASKS
	     CALLS("10", "7", "calloc", "1000", "size=3 n=10")
	     CALLS("11", "7", "malloc", "900", "size=30") CALLS("12", "7", "mmap", "800",
	     "size=8192")
	     RETURNS("13", "7", "mmap", "808", "4096") RETURNS("14", "7", "malloc", "908", "4112")
	     RETURNS("15", "7", "calloc", "1008", "4112"), HELD("30")),
	TEXT("one ends with a jump into another", LEAKS, TASKS
	     CALLS("10", "7", "memalign", "1000", "size=10")
	     CALLS("11", "7", "aligned_alloc", "1000", "size=16")
	     RETURNS("12", "7", "aligned_alloc", "1008", "4096")
	     RETURNS("13", "7", "memalign", "1008", "4096"), HELD("16")),
	TEXT("returns that nobody saw", LEAKS, TASKS
	     CALLS("10", "7", "malloc", "1000", "size=1") CALLS("11", "7", "malloc", "1100",
	     "size=2")
	     RETURNS("12", "7", "malloc", "1108", "4096") CALLS("13", "7", "malloc", "900",
	     "size=4")
	     RETURNS("14", "7", "malloc", "1208", "8192"), HELD("2")),
	TEXT("it is moved; it fails, and stays; it is freed", LEAKS, TASKS
	     AGAIN("1", "0", "10", "4096") AGAIN("2", "4096", "20", "8192")
	     AGAIN("3", "8192", "5000", "0") GETS("4", "7", "100", "16384")
	     AGAIN("5", "16384", "0", "0"), HELD("20")),
	TEXT("another thread gets the address at once", LEAKS, TASKS GETS("1", "7", "10", "4096")
	     CALLS("20", "7", "realloc", "1000", "size=20 pointer=4096")
	     GETS("3", "8", "100", "4096") RETURNS("40", "7", "realloc", "1008", "8192"),
	     HELD("120")),
	TEXT("mappings: a part of one, all of another; an address of no page", LEAKS, TASKS
	     MAPS("1", "0x8000", "0x100000") UNMAPS("2", "0x102000", "0x2000", "0")
	     MAPS("3", "0x1000", "0x200000") UNMAPS("4", "0x200000", "0x1000", "0")
	     UNMAPS("5", "0x100001", "0x1000", "0xffffffff") MAPS("6", "1", "-1"),
	     HELD("24576")),
	TEXT("mappings that take the place of others; what grows", LEAKS, TASKS
	     MAPS("1", "0x4000", "0x100000") MAPS("2", "0x1000", "0x101000")
	     REMAPS("3", "0x100000", "0x1000", "0x2000", "1", "0x300000"), HELD("20480")),
	TEXT("the old one stays", LEAKS, TASKS MAPS("1", "0x1000", "0x100000")
	     REMAPS("2", "0x100000", "0x1000", "0x1000", "5", "0x300000"), HELD("8192")),
	TEXT("another thread maps what was unmapped, and is seen first", LEAKS, TASKS
	     MAPS("1", "0x1000", "0x100000")
	     CALLS("20", "7", "munmap", "1000", "address=0x100000 size=0x1000")
	     CALLS("21", "8", "mmap", "1000", "size=0x1000")
	     RETURNS("22", "8", "mmap", "1008", "0x100000")
	     RETURNS("23", "7", "munmap", "1008", "0"), HELD("4096")),
	TEXT("an exec ends all that was there", LEAKS, TASKS GETS("1", "7", "10", "4096")
	     MAPS("2", "0x1000", "0x100000") "30 0 7 sched:sched_process_exec\n"
	     GETS("4", "7", "3", "8192"), HELD("3")),
	TEXT("a thread is killed in a call, and another gets its id", LEAKS, TASKS
	     CALLS("10", "7", "malloc", "1000", "size=1") "20 0 7 sched:sched_process_exit pid=7\n"
	     CALLS("30", "7", "malloc", "900", "size=2") RETURNS("40", "7", "malloc", "908",
	     "4096"),
	     HELD("2")),
	TEXT("what was lost may be that it was freed", LEAKS, TASKS GETS("1", "7", "10", "4096")
	     MAPS("2", "0x1000", "0x100000") "gap 0 30 40 2\n" GETS("50", "9", "3", "8192"), "",
	     .lost = 4, .unpaired = 1),
	TEXT("sizes", LEAKS " -z 10 -Z 20", TASKS GETS("1", "7", "9", "4096")
	     GETS("2", "7", "10", "8192") GETS("3", "7", "20", "16384") GETS("4", "7", "21",
	     "32768")
	     MAPS("5", "0x1000", "0x100000"), HELD("30")),
	TEXT("one of three, by chance", LEAKS " -s 3", TASKS GETS("1", "7", "1", "4096")
	     GETS("2", "7", "2", "8192") GETS("3", "7", "4", "16384") GETS("4", "7", "8", "32768")
	     GETS("5", "7", "16", "65536") GETS("6", "7", "32", "131072"), HELD("4")),
	TEXT("only what is old", LEAKS " -o 1", TASKS GETS("1", "7", "10", "4096")
	     GETS("9000", "7", "100", "8192"), HELD("10"), .stopped = 1000050),
	TEXT("those with the most", LEAKS " -T 1", TASKS GETS("1", "7", "1", "4096")
	     CALLS("20", "7", "malloc", "1000", "size=2")
	     "21 0 7 r:malloc sp=1008 retval=8192 user_stack=0x5\n", "a;0x5 2\n"),
	JSON("for machines", "memleak --json -a -t -p 1", TASKS GETS("1", "7", "5", "4096")
	     GETS("2", "7", "6", "8192") FREES("3", "7", "4096"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":1,\"comm\":\"a\",\"event\":"
	     "\"alloc\",\"address\":\"0x1000\",\"bytes\":5}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":1,\"comm\":\"a\",\"event\":"
	     "\"alloc\",\"address\":\"0x2000\",\"bytes\":6}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":1,\"comm\":\"a\",\"event\":"
	     "\"free\",\"address\":\"0x1000\",\"bytes\":5}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":1,\"comm\":\"a\",\"event\":"
	     "\"held\",\"address\":\"0x2000\",\"bytes\":6}\n"
	     "{\"stack\":\"memleak\",", .begins = true),
};

/* threadsnoop */

#define MAKES(TIME, TID, START)	TIME " 0 " TID " p:pthread_create start=" START "\n"
#define MADE(TIME, TID, RET)	TIME " 0 " TID " r:pthread_create ret=" RET

static const struct program_row threadsnoop_rows[] = {
	TEXT("without a name; it fails; another process; two at a time", "threadsnoop -p 1",
	     TASKS MAKES("10", "7", "0x1234") MADE("11", "7", "0\n") MAKES("20", "7", "5")
	     MADE("21", "7", "11\n") MAKES("30", "9", "6") MADE("31", "9", "0\n")
	     MAKES("40", "7", "1") MAKES("41", "8", "2") MADE("42", "7", "0\n")
	     MADE("43", "8", "0\n") MADE("44", "8", "0\n"),
	     "TIME      PID     COMM             FUNC\n"
	     "00:00:00  1       a                0x1234\n"
	     "00:00:00  1       a                0x1\n" "00:00:00  1       a                0x2\n"),
	JSON("for machines", "threadsnoop --json -U", TASKS MAKES("10", "8", "16")
	     MADE("20", "8", "0 user_stack=0x1,0x2\n"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":1,\"tid\":8,\"comm\":\"a\","
	     "\"func\":\"0x10\",\"module\":null,\"user_stack\":", .begins = true),
};

/* sslsniff */

#define TLS(TIME, TID, FUNCTION, SP) TIME " 0 " TID " p:" FUNCTION " sp=" SP "\n"
#define TLS_ENDS(TIME, TID, FUNCTION, SP, RET) \
	TIME " 1 " TID " r:" FUNCTION " sp=" SP " retval=" RET "\n"
#define TLS_HEAD "FUNC         TIME(s)      COMM             PID     LEN    LAT(ms)\n"
#define TLS_OF_5 "    wget             5       "

static const struct program_row sslsniff_rows[] = {
	TEXT("calls that move bytes", "sslsniff",
	     TASK TLS("1000", "7", "SSL_write", "0x1000")
		     TLS_ENDS("5000", "7", "SSL_write", "0x1008", "10")
			     TLS("6000", "7", "SSL_read", "0x1000")
				     TLS_ENDS("7000", "7", "SSL_read", "0x1008", "-1")
					     TLS("8000", "7", "gnutls_record_recv", "0x1000")
						     TLS_ENDS("1008000", "7", "gnutls_record_recv",
							      "0x1008", "70000"),
	     TLS_HEAD "WRITE/SEND   0.000000 " TLS_OF_5 "10     0.004\n"
		      "READ/RECV    0.001003 " TLS_OF_5 "70000  1.000\n"),
	TEXT("a connection within another one; a return of no call", "sslsniff",
	     TASK TLS("1000", "7", "SSL_write", "0x2000") TLS("2000", "7", "SSL_write", "0x1000")
		     TLS_ENDS("3000", "7", "SSL_write", "0x1008", "30")
			     TLS_ENDS("4000", "7", "SSL_write", "0x1008", "31")
				     TLS_ENDS("5000", "7", "SSL_write", "0x2008", "20"),
	     TLS_HEAD "WRITE/SEND   0.000000 " TLS_OF_5 "30     0.001\n"
		      "WRITE/SEND   0.000002 " TLS_OF_5 "20     0.004\n"),
	TEXT("sizes that a ring can't tell; plain files of NSPR", "sslsniff",
	     TASK TLS("1000", "7", "SSL_read_ex", "0x1000")
		     TLS_ENDS("2000", "7", "SSL_read_ex", "0x1008", "1") TLS("3000", "7", "PR_Read",
									     "0x1000 layer=2")
			     TLS_ENDS("4000", "7", "PR_Read", "0x1008", "9")
				     TLS("5000", "7", "PR_Send", "0x1000 layer=4")
					     TLS_ENDS("6000", "7", "PR_Send", "0x1008", "9"),
	     TLS_HEAD "READ/RECV    0.000000 " TLS_OF_5 "-      0.001\n"
		      "WRITE/SEND   0.000004 " TLS_OF_5 "9      0.001\n"),
	TEXT("handshakes", "sslsniff --handshake",
	     TASK TLS("1000", "7", "SSL_do_handshake",
		      "0x1000") TLS_ENDS("2000", "7", "SSL_do_handshake", "0x1008",
					 "-1") TLS("3000", "7", "SSL_do_handshake", "0x1000")
		     TLS_ENDS("4000", "7", "SSL_do_handshake", "0x1008", "1")
			     TLS("5000", "7", "gnutls_handshake", "0x1000")
				     TLS_ENDS("7000", "7", "gnutls_handshake", "0x1008", "0"),
	     TLS_HEAD "HANDSHAKE    0.000000 " TLS_OF_5 "-      0.001\n"
		      "HANDSHAKE    0.000003 " TLS_OF_5 "-      0.002\n"),
	JSON("failures", "sslsniff --failed -x",
	     TASK TLS("6000", "7", "SSL_read", "0x1000")
		     TLS_ENDS("7000", "7", "SSL_read", "0x1008", "-1"),
	     "{\"func\":\"READ/RECV\",\"time_s\":0.000000,\"comm\":\"wget\",\"pid\":5,"
	     "\"uid\":null,\"tid\":7,\"call\":\"SSL_read\",\"len\":null,\"ret\":-1,"
	     "\"lat_ms\":0.001}\n"),
};

/* ugc: @0 and @5 are Python's begin and end; javagc: Java's */

#define COLLECTS(END) \
	"task 7 5 java\n1000000 0 7 @0\n4000000 2 7 @" END "\n5000000 0 7 @0\n" \
	"5500000 1 7 @" END "\n6000000 1 7 @" END "\n"

static const struct program_row ugc_rows[] = {
	TEXT("two, and an end alone", "ugc", COLLECTS("5"),
	     "START    PID     TIME(us)   DESCRIPTION\n"
	     "0.001    5       3000.00    gen 0 GC collected 0 objects\n"
	     "0.005    5       500.00     gen 0 GC collected 0 objects\n"),
	TEXT("a histogram, in ms", "ugc -H -m -M 1", COLLECTS("5"),
	     "\n\nwhat = python\n"
	     "     msecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	TEXT("of another language", "ugc -H -l ruby", COLLECTS("5"), "\n"),
}, javagc_rows[] = {
	TEXT("one that takes long", "javagc", COLLECTS("1"),
	     "TIME     CPU     PID     GC TIME\n00:00:00 2       5       3000\n"),
	TEXT("both", "javagc -t 0", COLLECTS("1"),
	     "TIME     CPU     PID     GC TIME\n00:00:00 2       5       3000\n"
	     "00:00:00 1       5       500\n"),
};

#define TOOLS(TOOL) \
	TOOL(ugc) TOOL(javagc) \
	TOOL(threadsnoop) TOOL(gethostlatency) TOOL(bashreadline) TOOL(memleak) TOOL(sslsniff)
PROGRAM_SUITE(programs_user, TOOLS)
