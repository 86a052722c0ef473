// SPDX-License-Identifier: GPL-2.0
/* The tools about databases over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/* By attachments. PostgreSQL: */
#define SERVER		"task 7 7 postgres\n" "task 8 8 postgres\n"
#define TOLD(TIME, TEXT)	TIME "000000 0 7 @0 pointer=4096 query=\"" TEXT "\"\n"
#define TOLD_ONLY(TIME)	TIME "000000 0 7 @0 pointer=4096\n"
#define IDLE(TIME)	TIME "000000 0 7 @0 pointer=0\n"
#define BEGIN(TIME)	TIME "000000 0 7 @1\n"
#define END(TIME)	TIME "000000 0 7 @2\n"
#define RUNS(TIME)	TIME "000000 0 7 @3\n"
#define RAN(TIME)	TIME "000000 0 7 @4\n"

#define HEAD		"TIME(s)        PID           MS QUERY\n"
#define SLOWER		"Tracing database queries slower than 1 ms... Hit Ctrl-C to end.\n" HEAD
#define ALL		"Tracing database queries... Hit Ctrl-C to end.\n" HEAD
#define ROW(TIME, MS, TEXT)	TIME "000       7          " MS ".000 " TEXT "\n"
#define X64	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"

/* MySQL: two functions, and their returns. */
#define MYSQLD		"task 7 5 mysqld\n" "task 8 5 mysqld\n"
#define PACKET(TIME, COMMAND, ...) \
	TIME "000000 0 7 @0 command=" COMMAND " " __VA_ARGS__ "\n"
#define DATA(TIME, COMMAND, ...) \
	TIME "000000 0 8 @1 command=" COMMAND " " __VA_ARGS__ "\n"
#define DONE(TIME)	TIME "000000 0 7 @2\n"
#define DATA_DONE(TIME)	TIME "000000 0 8 @3\n"
#define OF_MYSQLD(TIME, MS, TEXT)	TIME "000       5          " MS ".000 " TEXT "\n"

static const struct program_row dbslower_rows[] = {
	TEXT("a text, with an execution within", "dbslower postgres", SERVER TOLD("1", "select\\n1")
	     BEGIN("2") RUNS("3") RAN("6") END("7") IDLE("8"), SLOWER ROW("0.000", "5",
									    "select\\n1")),
	TEXT("prepared: told thrice, executed once, with another within", "dbslower postgres",
	     SERVER TOLD("1", "select $1") TOLD("2", "select $1") TOLD("3", "select $1")
	     RUNS("4") RUNS("5") RAN("6") RAN("8") IDLE("9"), SLOWER ROW("0.000", "4",
									   "select $1")),
	TEXT("they fail; what was only planned, or is not a query", "dbslower postgres",
	     SERVER TOLD("1", "a") BEGIN("1") RUNS("2") IDLE("4") TOLD("5", "b") RUNS("6")
	     IDLE("8") TOLD("9", "c") IDLE("20"),
	     SLOWER ROW("0.000", "3", "(failed) a") ROW("0.004", "2", "(failed) b")),
	TEXT("fast ones; an end alone", "dbslower postgres", SERVER TOLD("1", "a") BEGIN("1")
	     END("1") IDLE("2") END("9") RAN("9") IDLE("9"), SLOWER),
	TEXT("all of them; a long text", "dbslower postgres -m 0",
	     SERVER TOLD("1", "a") BEGIN("1") END("1") TOLD("2", X64 X64 X64 X64) BEGIN("2")
	     END("3"),
	     ALL ROW("0.000", "0", "a")
	     ROW("0.002", "1", X64 X64 X64 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
		 "abcdefghijk...")),
	TEXT("a gap drops what waits", "dbslower postgres", SERVER TOLD("1", "a") BEGIN("1")
	     "gap 0 2000000 2000001 2\n" END("5"), SLOWER, .lost = 2, .unpaired = 1),
	TEXT("a session is killed, and another gets its id", "dbslower postgres", SERVER
	     TOLD("1", "a") BEGIN("1") "2000000 0 7 sched:sched_process_exit pid=7\n" END("5"),
	     SLOWER),
	JSON("for machines", "dbslower postgres --json", SERVER TOLD("1", "a\\\"") BEGIN("1")
	     IDLE("3"),
	     "{\"time_s\":0.000000,\"pid\":7,\"tid\":7,\"comm\":\"postgres\",\"lat_ms\":2.000,"
	     "\"kind\":\"query\",\"statement\":null,\"failed\":1,\"query\":\"a\\\"\"}\n"),
	TEXT("packets and data", "dbslower mysql", MYSQLD PACKET("1", "3", "query=\"a\"") DONE("3")
	     PACKET("4", "22", "query=\"select ?\"") DONE("6") PACKET("7", "23", "number=258")
	     DONE("9") PACKET("10", "250", "number=3") DONE("12") DATA("13", "3", "query=\"b\"")
	     DATA_DONE("15") DATA("16", "28", "number=70000") DATA_DONE("18"),
	     SLOWER OF_MYSQLD("0.000", "2", "a") OF_MYSQLD("0.003", "2", "(prepare) select ?")
	     OF_MYSQLD("0.006", "2", "(statement 258)") OF_MYSQLD("0.009", "2", "(statement 3)")
	     OF_MYSQLD("0.012", "2", "b") OF_MYSQLD("0.015", "2", "(fetch) (statement 70000)")),
	TEXT("other commands; two threads", "dbslower mysql", MYSQLD PACKET("1", "14", "")
	     DONE("5") PACKET("6", "3", "query=\"a\"") DATA("7", "3", "query=\"b\"") DONE("8")
	     DATA_DONE("9"), SLOWER OF_MYSQLD("0.000", "2", "a") OF_MYSQLD("0.001", "2", "b")),
	JSON("a number for machines", "dbslower mysql --json", MYSQLD
	     PACKET("1", "23", "number=1") DONE("3"),
	     "{\"time_s\":0.000000,\"pid\":5,\"tid\":7,\"comm\":\"mysqld\",\"lat_ms\":2.000,"
	     "\"kind\":\"execute\",\"statement\":1,\"failed\":null,\"query\":null}\n"),
};

static const struct program_row dbstat_rows[] = {
	JSON("milliseconds", "dbstat postgres --json", SERVER TOLD_ONLY("1") BEGIN("1") END("3")
	     TOLD_ONLY("4") RUNS("4") RAN("6") TOLD_ONLY("7") BEGIN("7") IDLE("7"),
	     "{\"histogram\":\"latency\",\"unit\":\"msecs\","
	     "\"time\":\"1970-01-01T00:00:00.000000Z\",\"slots\":["
	     "{\"low\":0,\"high\":0,\"count\":1},{\"low\":2,\"high\":2,"
	     "\"count\":2}]}\n"),
	JSON("microseconds of slow ones", "dbstat mysql -u -m 2 --json", MYSQLD
	     PACKET("1", "3", "") DONE("2") PACKET("3", "23", "number=1") DONE("5"),
	     "{\"histogram\":\"latency\",\"unit\":\"usecs\","
	     "\"time\":\"1970-01-01T00:00:00.000000Z\",\"slots\":["
	     "{\"low\":1920,\"high\":2047,\"count\":1}]}\n"),
};

#define TOOLS(TOOL)	TOOL(dbslower) TOOL(dbstat)
PROGRAM_SUITE(programs_databases, TOOLS)
