// SPDX-License-Identifier: GPL-2.0
/* ttysnoop over records; see program_rows.h. The marker is 1, and our terminal 4096. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define TASKS		"task 7 5 bash\n" "task 8 8 vi\n"
#define FOUND		TASKS "1000 0 9 @0 tty=4096 third=1\n"
#define WRITES(TIME, TID, N, TEXT) \
	TIME "000 0 " TID " @2 tty=4096 nr=" N " data0=\"" TEXT "\"\n"
#define WROTE(TIME, TID, RET)	TIME "000 0 " TID " @5 ret=" RET "\n"
#define X16		"abcdefghijklmnop"
#define X128		X16 X16 X16 X16 X16 X16 X16 X16

static const struct program_row ttysnoop_rows[] = {
	TEXT("as they are; another terminal; before it was found", "ttysnoop 0",
	     WRITES("0", "7", "1", "a") FOUND WRITES("2", "7", "5", "b\\x1b[m\\n")
	     WROTE("3", "7", "5")
	     "4000 0 8 @2 tty=8192 nr=1 data0=\"c\"\n" WROTE("5", "8", "1")
	     WRITES("6", "8", "1", "d") WROTE("7", "8", "1"), "b\033[m\nd"),
	TEXT("up to 5.16 the argument is the fourth", "ttysnoop 0",
	     TASKS "1000 0 9 @0 tty=4096 third=21505 fourth=1\n" WRITES("2", "7", "1", "a")
	     WROTE("3", "7", "1"), "a"),
	TEXT("others ask", "ttysnoop 0", TASKS "1000 0 9 @0 tty=4096 third=21505 fourth=2\n"
	     WRITES("2", "7", "1", "a") WROTE("3", "7", "1"), ""),
	TEXT("a part is taken, and the rest later; nothing is taken", "ttysnoop 0", FOUND
	     WRITES("2", "7", "4", "abcd") WROTE("3", "7", "3") WRITES("4", "7", "1", "d")
	     WROTE("5", "7", "-11") WRITES("6", "7", "1", "d") WROTE("7", "7", "1"), "abcd"),
	TEXT("pieces, in whatever order", "ttysnoop 0", FOUND
	     "2000 0 7 @4 tty=4096 nr=1540 data1536=\"rest\"\n"
	     "2001 0 7 @2 tty=4096 nr=1540 data0=\"" X128 "\" data128=\"" X128 "\" data256=\"" X128
	     "\" data384=\"" X128 "\" data512=\"" X128 "\" data640=\"" X128 "\" data768=\"" X128
	     "\"\n2002 0 7 @3 tty=4096 nr=1540 data896=\"" X128 "\" data1024=\"" X128
	     "\" data1152=\"" X128 "\" data1280=\"" X128 "\" data1408=\"" X128 "\"\n"
	     WROTE("3", "7", "1540"),
	     X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 "rest"),
	TEXT("escapes, and less of them", "ttysnoop --escape -s 2 -c 2 0", FOUND
	     WRITES("2", "7", "3", "a\\x1b\\n") WROTE("3", "7", "3") WRITES("4", "7", "5", "abcde")
	     WROTE("5", "7", "5"), "a\\x1b\\n\nabcd...\n"),
	TEXT("a write whose end was not seen", "ttysnoop 0", FOUND WRITES("2", "7", "1", "a")
	     WRITES("4", "7", "1", "b") WROTE("5", "7", "1"), "b", .returns = 1),
	TEXT("a gap", "ttysnoop 0", FOUND WRITES("2", "7", "1", "a") "gap 0 2500 2600 1\n"
	     WROTE("3", "7", "1") WRITES("4", "7", "1", "b") WROTE("5", "7", "1"), "b", .lost = 1,
	     .unpaired = 1),
	TEXT("it is closed, and another one gets its address", "ttysnoop 0", FOUND
	     "2000 0 7 @1 tty=8192\n" WRITES("3", "7", "1", "a") WROTE("4", "7", "1")
	     "5000 0 7 @1 tty=4096\n" WRITES("6", "7", "1", "b") WROTE("7", "7", "1"), "a"),
	JSON("for machines", "ttysnoop --json 0", FOUND WRITES("2", "7", "2", "\\xff\\n")
	     WROTE("3", "7", "2"),
	     "{\"time\":\"1970-01-01T00:00:00.000003Z\",\"pid\":5,\"comm\":\"bash\",\"bytes\":2,"
	     "\"data\":\"\\udcff\\n\"}\n"),
};

#define TOOLS(TOOL)	TOOL(ttysnoop)
PROGRAM_SUITE(programs_ttys, TOOLS)
