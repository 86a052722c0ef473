// SPDX-License-Identifier: GPL-2.0
/*
 * biolatency, biosnoop and biotop by the request itself. Only BPF programs on raw tracepoints are
 * handed requests, so here other events stand for these: probes of functions, with the same inputs.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/hooks/hooks_rows.h"
#include "insns/programs/biolatency.h"
#include "insns/programs/biosnoop.h"
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

Suite *suite_programs_requests(void);

#define MEMBERS \
	"request=$arg1:*request sector=+0($arg1):u64 left=+8($arg1):u32 flags=+12($arg1):u32 " \
	"numbers=+16($arg1):c8 io=$arg2:*bio bytes=$arg4:u32 "
#define AT_CALL(NAME, FUNCTION, MORE) \
	HOOK(NAME, "", ONE(KPROBE(FUNCTION, MEMBERS MORE)))
#define AT_CALLS(MORE) \
	AT_CALL("block.request", "vfs_read", MORE), \
	AT_CALL("block.queue", "vfs_read", "again=1"), \
	AT_CALL("block.merge", "vfs_unlink", MORE), \
	AT_CALL("block.requeue", "vfs_rmdir", ""), \
	AT_CALL("block.issue", "vfs_write", MORE), \
	AT_CALL("block.done", "vfs_fsync_range", "")

/* A task is known by the first I/O of its request; or since 6.5 by the request. */
static const struct hook by_io[] = { AT_CALLS("tail=$arg3:*bio"), { } };
static const struct hook by_request[] = { AT_CALLS("tail=0"), { } };

static const struct hook *stand_in(const struct hook *h, const char *name)
{
	while (h->name && strcmp(h->name, name))
		h++;
	ck_assert_ptr_nonnull(h->name);
	return h;
}

static void shows(const struct program_row *row, const struct program_set *of,
		  const struct hook *hooks)
{
	struct program_row copy = *row;
	struct program programs[8] = { };
	struct program_set set = { programs, of->maps };

	for (unsigned int i = 0; of->programs[i].hook; i++) {
		programs[i] = of->programs[i];
		programs[i].built = stand_in(hooks, programs[i].hook);
	}
	copy.set = &set;
	program_row_shows(&copy);
}

#define EVENT(TIME, CPU, TID, FUNCTION, INPUTS) \
	TIME " " CPU " " TID " p:" FUNCTION " " INPUTS "\n"
#define NUMBERS	" numbers=x0000000001000000"		/* major 0, minor 1 */
#define NOWHERE	"18446744073709551615"		/* a flush has this sector */

/* What biolatency asks for. LEFT: bytes that are still to come, before the event. */
#define QUEUED(TIME, REQUEST) \
	EVENT(TIME, "0", "7", "vfs_read", "request=" REQUEST " flags=0x801")
#define MERGED(TIME, REQUEST)	EVENT(TIME, "0", "7", "vfs_unlink", "request=" REQUEST)
#define GIVEN_BACK(TIME, REQUEST) EVENT(TIME, "1", "9", "vfs_rmdir", "request=" REQUEST)
#define ISSUED_AS(TIME, REQUEST, FLAGS) \
	EVENT(TIME, "1", "9", "vfs_write", "request=" REQUEST " flags=" FLAGS)
#define ISSUED(TIME, REQUEST)	ISSUED_AS(TIME, REQUEST, "0x801")
#define DONE_AS(TIME, REQUEST, LEFT, FLAGS, BYTES) \
	EVENT(TIME, "1", "0", "vfs_fsync_range", "request=" REQUEST " left=" LEFT " flags=" \
	      FLAGS " bytes=" BYTES)
#define DONE(TIME, REQUEST)	DONE_AS(TIME, REQUEST, "4096", "0x801", "4096")

/* What biosnoop asks for. */
#define MADE(TIME, TID, IO)	EVENT(TIME, "0", TID, "vfs_read", "io=" IO " tail=" IO)
#define IO_MERGED(TIME, IO)	EVENT(TIME, "0", "7", "vfs_unlink", "io=" IO " tail=78")
#define SENT_AS(TIME, REQUEST, SECTOR, LEFT, FLAGS, IO, TAIL) \
	EVENT(TIME, "1", "9", "vfs_write", "request=" REQUEST " sector=" SECTOR " left=" LEFT \
	      " flags=" FLAGS " io=" IO " tail=" TAIL)
#define SENT(TIME, REQUEST)	SENT_AS(TIME, REQUEST, "800", "4096", "0x801", "77", "78")
#define ENDED_AS(TIME, REQUEST, SECTOR, LEFT, FLAGS, BYTES) \
	EVENT(TIME, "1", "0", "vfs_fsync_range", "request=" REQUEST " sector=" SECTOR " left=" \
	      LEFT " flags=" FLAGS " bytes=" BYTES NUMBERS)
#define ENDED(TIME, REQUEST)	ENDED_AS(TIME, REQUEST, "800", "4096", "0x801", "4096")

#define HIST(MORE, SLOTS) \
	"{\"histogram\":\"latency\",\"unit\":\"usecs\"," \
	"\"time\":\"1970-01-01T00:00:00.000000Z\"," MORE "\"slots\":[" SLOTS "]}\n"
#define SLOT(US, N)	"{\"low\":" US ",\"high\":" US ",\"count\":" N "}"

static const struct program_row latency_rows[] = {
	JSON("a request", "biolatency", ISSUED("1000", "640") DONE("11000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("two at one sector: each has its time", "biolatency",
	     ISSUED("1000", "640") ISSUED("2000", "704") DONE("12000", "704") DONE("13000", "640"),
	     HIST("", SLOT("10", "1") "," SLOT("12", "1"))),
	JSON("done in parts: when all is", "biolatency",
	     ISSUED_AS("1000", "640", "0")
	     DONE_AS("5000", "640", "8192", "0", "4096")
	     DONE_AS("11000", "640", "4096", "0", "4096"), HIST("", SLOT("10", "1"))),
	JSON("done, but not seen to be issued; done once more", "biolatency",
	     DONE("500", "640") ISSUED("1000", "640") DONE("11000", "640") DONE("21000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("issued again, or its end was missed: the last time counts", "biolatency",
	     ISSUED("1000", "640") ISSUED("9000", "640") DONE("19000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("its end was missed, and the next is a command", "biolatency",
	     ISSUED("1000", "640") ISSUED_AS("9000", "640", "34")
	     DONE_AS("19000", "640", "512", "34", "512"), HIST("", "")),
	JSON("a flush; who asked for it is done without bytes", "biolatency",
	     ISSUED_AS("1000", "640", "0x40002") DONE_AS("11000", "640", "0", "0x40002", "0")
	     DONE_AS("11000", "704", "0", "0x40801", "0"), HIST("", SLOT("10", "1"))),
	JSON("from the queue", "biolatency -Q",
	     QUEUED("1000", "640") ISSUED("5000", "640") DONE("11000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("never queued: from its issue", "biolatency -Q",
	     ISSUED("1000", "640") DONE("11000", "640"), HIST("", SLOT("10", "1"))),
	JSON("given back: from the first time in the queue", "biolatency -Q",
	     QUEUED("1000", "640") ISSUED("2000", "640") GIVEN_BACK("3000", "640")
	     QUEUED("4000", "640") ISSUED("5000", "640") DONE("11000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("one merged into another, and its address used again", "biolatency -Q",
	     QUEUED("1000", "640") MERGED("2000", "640") ISSUED("9000", "640")
	     DONE("19000", "640"), HIST("", SLOT("10", "1"))),
	JSON("queued; its end was missed, and the next is not queued", "biolatency -Q",
	     QUEUED("1000", "640") ISSUED("2000", "640") ISSUED("9000", "640") DONE("19000", "640"),
	     HIST("", SLOT("10", "1"))),
	JSON("by kind: letters as in records", "biolatency -F",
	     ISSUED_AS("1000", "64", "0x61801")
	     DONE_AS("11000", "64", "4096", "0x61801", "4096"),
	     HIST("\"flags\":\"PreFlush-ForcedUnitAccess-Metadata-Sync-Write\",",
		  SLOT("10", "1"))),
	JSON("by kind: an atomic write, and the same bit of another", "biolatency -F",
	     ISSUED_AS("1000", "64", "0x8000001")
	     DONE_AS("11000", "64", "4096", "0x8000001", "4096")
	     ISSUED_AS("21000", "64", "0x8000009")
	     DONE_AS("31000", "64", "4096", "0x8000009", "4096"),
	     HIST("\"flags\":\"Other\",", SLOT("10", "1"))
	     HIST("\"flags\":\"Atomic-Write\",", SLOT("10", "1"))),
	JSON("by disk", "biolatency -D", ISSUED("1000", "640")
	     EVENT("11000", "1", "0", "vfs_fsync_range",
		   "request=640 left=4096 flags=0x801 bytes=4096" NUMBERS),
	     HIST("\"disk\":\"?\",", SLOT("10", "1"))),
	JSON("one disk of two", "biolatency",
	     EVENT("1000", "1", "9", "vfs_write", "request=640 flags=0 numbers=x0000000001000000")
	     EVENT("1000", "1", "9", "vfs_write", "request=704 flags=0 numbers=x0000000002000000")
	     EVENT("1000", "1", "9", "vfs_write", "request=768 flags=0 numbers=x0100000001000000")
	     DONE("11000", "640") DONE("11000", "704") DONE("11000", "768"),
	     HIST("", SLOT("10", "1")), .dev = 1 << 20 | 1),
};

START_TEST(latency)
{
	shows(&latency_rows[_i], &biolatency_programs, by_io);
}
END_TEST

#define TASKS	"task 7 5 dd\n" "task 8 6 cp\n" "task 9 9 kworker/0:1H\n"
#define HEAD	"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) " \
		"LAT(ms)\n"
#define OF_DD(TIME, REST) \
	TIME "    dd             5       -         W 800        4096    " REST "\n"
#define OF_CP(TIME, REST) \
	TIME "    cp             6       -         W 800        4096    " REST "\n"
#define OF_NOBODY(TIME, REST) \
	TIME "    -              -       -         W 800        4096    " REST "\n"

static const struct program_row snoop_rows[] = {
	TEXT("a write", "biosnoop -Q", TASKS MADE("1000000", "7", "77")
	     SENT("2000000", "640") ENDED("5000000", "640"),
	     HEAD OF_DD("0.000000", "   1.00    3.00")),
	TEXT("two tasks at one sector: each has its own", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77") MADE("1500000", "8", "79")
	     SENT("2000000", "640")
	     SENT_AS("2500000", "704", "800", "4096", "0x801", "79", "79")
	     ENDED("5000000", "704") ENDED("6000000", "640"),
	     HEAD OF_CP("0.000000", "   1.00    2.50") OF_DD("0.001000", "   1.00    4.00")),
	TEXT("an I/O in front of the task's own, which is the last", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "78") SENT("2000000", "640") ENDED("5000000", "640"),
	     HEAD OF_DD("0.000000", "   1.00    3.00")),
	TEXT("neither the first nor the last: nobody's", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "76") SENT("2000000", "640") ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -    3.00")),
	TEXT("one merged into another: its I/O may come again", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77") IO_MERGED("1500000", "77")
	     SENT("2000000", "640") ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -    3.00")),
	TEXT("given back, twice", "biosnoop -Q", TASKS MADE("1000000", "7", "77")
	     SENT("2000000", "640") GIVEN_BACK("2500000", "640") GIVEN_BACK("2600000", "640")
	     SENT("3000000", "640") ENDED("5000000", "640"),
	     HEAD OF_DD("0.000000", "   2.00    2.00")),
	TEXT("one part done, the rest issued again: all of its bytes", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77") SENT("2000000", "640")
	     ENDED_AS("2200000", "640", "800", "4096", "0x801", "1024")
	     GIVEN_BACK("2500000", "640")
	     SENT_AS("3000000", "640", "802", "3072", "0x801", "77", "78")
	     ENDED_AS("5000000", "640", "802", "3072", "0x801", "3072"),
	     HEAD OF_DD("0.000000", "   2.00    2.00")),
	TEXT("given back, and never issued again", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77") SENT("2000000", "640")
	     GIVEN_BACK("2500000", "640") ENDED("5000000", "640"),
	     HEAD OF_DD("0.000000", "      -       -")),
	TEXT("done, but not seen to be issued", "biosnoop -Q", TASKS ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -       -")),
	TEXT("its end was missed, and the next has its address", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77") SENT("2000000", "640")
	     MADE("3000000", "8", "77") SENT("4000000", "640") ENDED("5000000", "640"),
	     HEAD OF_CP("0.000000", "   1.00    1.00")),
	TEXT("a flush; who asked for it is done without bytes; a command", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "77")
	     SENT_AS("2000000", "640", NOWHERE, "0", "0x40002", "0", "0")
	     ENDED_AS("4000000", "640", NOWHERE, "0", "0x40002", "0")
	     ENDED_AS("4000000", "704", "0", "0", "0x40801", "0")
	     SENT_AS("5000000", "768", "0", "4096", "34", "0", "0")
	     ENDED_AS("6000000", "768", "0", "4096", "34", "4096"),
	     HEAD "0.000000    -              -       -         F -          0             -    "
	     "2.00\n"),
	TEXT("a process, another, and nobody", "biosnoop -Q --pid 5", TASKS
	     MADE("1000000", "7", "77") SENT("2000000", "640") ENDED("5000000", "640")
	     MADE("6000000", "8", "77") SENT("7000000", "640") ENDED("8000000", "640")
	     SENT("9000000", "640") ENDED("9500000", "640"),
	     HEAD OF_DD("0.000000", "   1.00    3.00"), .pid = 5),
	JSON("for machines", "biosnoop", TASKS MADE("1000000", "7", "77")
	     SENT("2000000", "640")
	     ENDED_AS("5000000", "640", "800", "4096", "0x81805", "4096"),
	     "{\"time_s\":0.000000,\"comm\":\"dd\",\"pid\":5,\"disk\":null,\"type\":\"D\","
	     "\"flags\":\"DEASM\",\"sector\":800,\"bytes\":4096,\"lat_ms\":3.000000}\n"),
};

START_TEST(snoop)
{
	shows(&snoop_rows[_i], &biosnoop_programs, by_io);
}
END_TEST

/* Since 6.5. */
#define NEW(TIME, TID, REQUEST)	EVENT(TIME, "0", TID, "vfs_read", "io=" REQUEST)
#define NEW_MERGED(TIME, REQUEST) EVENT(TIME, "0", "7", "vfs_unlink", "io=" REQUEST)
#define GOES_AS(TIME, REQUEST, SECTOR, LEFT) \
	EVENT(TIME, "1", "9", "vfs_write", "request=" REQUEST " sector=" SECTOR " left=" LEFT \
	      " flags=0x801")
#define GOES(TIME, REQUEST)	GOES_AS(TIME, REQUEST, "800", "4096")

static const struct program_row new_rows[] = {
	TEXT("two tasks at one sector: each has its own", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") NEW("1500000", "8", "704")
	     GOES("2000000", "640") GOES("2500000", "704")
	     ENDED("5000000", "704") ENDED("6000000", "640"),
	     HEAD OF_CP("0.000000", "   1.00    2.50") OF_DD("0.001000", "   1.00    4.00")),
	TEXT("one merged into another, and its address used again", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") NEW_MERGED("1500000", "640")
	     GOES("2000000", "640") ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -    3.00")),
	TEXT("given back before it was ever issued, and after", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") GIVEN_BACK("1500000", "640") GOES("2000000", "640")
	     GIVEN_BACK("2500000", "640") GOES("3000000", "640") ENDED("5000000", "640"),
	     HEAD OF_DD("0.000000", "   2.00    2.00")),
	TEXT("one part done, the rest issued again: all of its bytes", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") GOES("2000000", "640")
	     ENDED_AS("2200000", "640", "800", "4096", "0x801", "1024")
	     GIVEN_BACK("2500000", "640") GOES_AS("3000000", "640", "802", "3072")
	     ENDED_AS("5000000", "640", "802", "3072", "0x801", "3072"),
	     HEAD OF_DD("0.000000", "   2.00    2.00")),
	TEXT("its end was missed, and the next has its address", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") GOES("2000000", "640")
	     NEW("3000000", "8", "640") GOES("4000000", "640") ENDED("5000000", "640"),
	     HEAD OF_CP("0.000000", "   1.00    1.00")),
	TEXT("its end and the next one's task were missed", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640") GOES("2000000", "640")
	     GOES("4000000", "640") ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -    1.00")),
	TEXT("who asked for a flush, and then a request without a task", "biosnoop -Q", TASKS
	     NEW("1000000", "7", "640")
	     ENDED_AS("4000000", "640", "0", "0", "0x40801", "0")
	     GOES("4500000", "640") ENDED("5000000", "640"),
	     HEAD OF_NOBODY("0.000000", "      -    0.50")),
	TEXT("a process, and another", "biosnoop -Q --pid 5", TASKS
	     NEW("1000000", "7", "640") GOES("2000000", "640") ENDED("5000000", "640")
	     NEW("6000000", "8", "640") GOES("7000000", "640") ENDED("8000000", "640"),
	     HEAD OF_DD("0.000000", "   1.00    3.00"), .pid = 5),
};

START_TEST(snoop_by_request)
{
	shows(&new_rows[_i], &biosnoop_programs, by_request);
}
END_TEST

static const struct program_row top_rows[] = {
	JSON("sums", "biotop", TASKS
	     MADE("1000000", "7", "77") SENT("2000000", "640") ENDED("5000000", "640")
	     MADE("6000000", "7", "77") SENT("7000000", "640") ENDED("8000000", "640"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":5,\"comm\":\"dd\",\"type\":\"W\","
	     "\"major\":0,\"minor\":1,\"disk\":null,\"io\":2,\"kbytes\":8,\"avg_ms\":2.00}\n"),
};

START_TEST(top)
{
	shows(&top_rows[_i], &biotop_programs, by_io);
}
END_TEST

Suite *suite_programs_requests(void)
{
	Suite *s = suite_create("programs_requests");

	add_tests(s, "biolatency", latency, COUNT_OF(latency_rows));
	add_tests(s, "biosnoop", snoop, COUNT_OF(snoop_rows));
	add_tests(s, "biosnoop since 6.5", snoop_by_request, COUNT_OF(new_rows));
	add_tests(s, "biotop", top, COUNT_OF(top_rows));
	return s;
}
