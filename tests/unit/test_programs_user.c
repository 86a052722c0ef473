// SPDX-License-Identifier: GPL-2.0
/* The tools about user space over records; see program_rows.h. */
#include "tests/unit/program_rows.h"
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
	     "gap 0 1500000 1600000 2\n" ANSWER("2000000", "7", "getaddrinfo"), HEAD, 2),
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
	     LINE("20", "ls"), LINES, 2),
	JSON("for machines", "bashreadline --json", BASH PROMPT("10") LINE("20", "a\\tb"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"bash\","
	     "\"command\":\"a\\tb\"}\n"),
};

#define TOOLS(TOOL) TOOL(gethostlatency) TOOL(bashreadline)
PROGRAM_SUITE(programs_user, TOOLS)
