// SPDX-License-Identifier: GPL-2.0
/* biosnoop, biotop and others over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/* A device of number 0:1, which has no name anywhere. */
#define EVENT(TIME, CPU, TID, NAME, SECTOR, SECTORS, RWBS) \
	TIME " " CPU " " TID " block:" NAME " dev=1 sector=" SECTOR " sectors=" SECTORS " rwbs=\"" \
	RWBS "\"\n"
#define MADE(TIME, TID, SECTOR, SECTORS, RWBS)	EVENT(TIME, "0", TID, "block_getrq", SECTOR, \
						      SECTORS, RWBS)
#define ISSUED(TIME, SECTOR, SECTORS, RWBS)	EVENT(TIME, "1", "9", "block_rq_issue", SECTOR, \
						      SECTORS, RWBS)
#define DONE(TIME, SECTOR, SECTORS, RWBS)	EVENT(TIME, "1", "0", "block_rq_complete", SECTOR, \
						      SECTORS, RWBS)
#define REQUEUED(TIME, SECTOR, SECTORS, RWBS)	EVENT(TIME, "1", "9", "block_rq_requeue", SECTOR, \
						      SECTORS, RWBS)
#define FRONTED(TIME, SECTOR, SECTORS, RWBS)	EVENT(TIME, "0", "8", "block_bio_frontmerge", \
						      SECTOR, SECTORS, RWBS)
#define TASKS	"task 7 5 dd\n" "task 8 6 cp\n" "task 9 9 kworker/0:1H\n"
/* Made at 1 ms, issued at 2 ms, done at 5 ms. */
#define WRITTEN	MADE("1000000", "7", "800", "8", "WS") ISSUED("2000000", "800", "8", "WS") \
	DONE("5000000", "800", "8", "WS")
#define BEHIND_TIMES	"COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
#define HEAD	"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
#define HEAD_Q	"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) " \
		"LAT(ms)\n"
#define FIRST	"0.000000    dd             5       -         W 800        4096    "

static const struct program_row biosnoop_rows[] = {
	TEXT("a write, by the task that made it", "biosnoop", TASKS WRITTEN,
	     HEAD FIRST "   3.00\n"),
	TEXT("its time in the queue", "biosnoop -Q", TASKS WRITTEN,
	     HEAD_Q FIRST "   1.00    3.00\n"),
	TEXT("the time of day", "biosnoop -t", TASKS WRITTEN,
	     "TIMESTAMP    COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
	     "00:00:00.005 dd             5       -         W 800        4096       3.00\n"),
	JSON("for machines", "biosnoop -Q", TASKS WRITTEN,
	     "{\"time_s\":0.000000,\"comm\":\"dd\",\"pid\":5,\"disk\":null,\"type\":\"W\","
	     "\"flags\":\"WS\",\"sector\":800,"
	     "\"bytes\":4096,\"que_ms\":1.000000,\"lat_ms\":3.000000}\n"),
	TEXT("from 6.5 on another event tells who", "biosnoop -Q", TASKS
	     EVENT("1000000", "0", "7", "block_io_start", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS")
	     DONE("5000000", "800", "8", "WS"), HEAD_Q FIRST "   1.00    3.00\n", ON(V7_2)),
	TEXT("3.10", "biosnoop -Q", TASKS WRITTEN, HEAD_Q FIRST "   1.00    3.00\n", ON(V3_10)),
	TEXT("nobody is known: not who issues it", "biosnoop -Q",
	     TASKS ISSUED("2000000", "800", "8", "R")
	     DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    -              -       -         R 800        4096          -    "
		    "3.00\n"),
	TEXT("done, but not issued since the tracing began; another operation's", "biosnoop", TASKS
	     DONE("5000000", "800", "8", "WS") ISSUED("6000000", "800", "8", "WS")
	     DONE("7000000", "800", "8", "R"),
	     HEAD "0.000000    -              -       -         W 800        4096          -\n"
	     "0.002000    -              -       -         R 800        4096          -\n"),
	TEXT("issued, and not done", "biosnoop", TASKS MADE("5000000", "7", "800", "8", "WS")
	     ISSUED("6000000", "800", "8", "WS"), HEAD),
	TEXT("one disk", "biosnoop -Q", TASKS WRITTEN, HEAD_Q, .dev = 2),
	TEXT("when it was issued", "biosnoop -s", TASKS WRITTEN DONE("6000000", "900", "8", "R"),
	     "TIME(s)     START(s)    " BEHIND_TIMES
	     "0.000000    -0.003000   dd             5       -         W 800        4096       "
	     "3.00\n"
	     "0.001000    -           -              -       -         R 900        4096          "
	     "-\n"),
	TEXT("the time of day when it was issued", "biosnoop -st", TASKS WRITTEN,
	     "TIMESTAMP    START        " BEHIND_TIMES
	     "00:00:00.005 00:00:00.002 dd             5       -         W 800        4096       "
	     "3.00\n"),
	TEXT("letters that match", "biosnoop -i *S*", TASKS WRITTEN
	     DONE("6000000", "900", "8", "R"), HEAD FIRST "   3.00\n"),
	TEXT("letters that do not match", "biosnoop --type R*", TASKS WRITTEN
	     DONE("6000000", "900", "8", "R"),
	     HEAD "0.000000    -              -       -         R 900        4096          -\n"),
	TEXT("at least as long", "biosnoop -m 3", TASKS WRITTEN, HEAD FIRST "   3.00\n"),
	TEXT("longer than that", "biosnoop -m 4", TASKS WRITTEN, HEAD),
	TEXT("longer than 32 bits of nanoseconds", "biosnoop -m 5000",
	     TASKS MADE("1000000", "7", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") DONE("4002000000", "800", "8", "R")
	     ISSUED("5000000000", "800", "8", "R")
	     DONE("10000000000", "800", "8", "R"),
	     HEAD "0.000000    -              -       -         R 800        4096    5000.00\n"),
	TEXT("done in parts", "biosnoop -Q", TASKS MADE("1000000", "7", "800", "24", "R")
	     ISSUED("2000000", "800", "24", "R") DONE("3000000", "800", "8", "R")
	     DONE("4000000", "808", "8", "R")
	     DONE("5000000", "816", "8", "R"),
	     HEAD_Q "0.000000    dd             5       -         R 800        12288      1.00    "
		    "3.00\n"),
	TEXT("an I/O put in front of it", "biosnoop -Q", TASKS MADE("1000000", "7", "800", "8", "R")
	     FRONTED("1500000", "784", "16", "R") ISSUED("2000000", "784", "24", "R")
	     DONE("5000000", "784", "24", "R"),
	     HEAD_Q "0.000000    dd             5       -         R 784        12288      1.00    "
		    "3.00\n"),
	TEXT("issued again: the last time counts", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") REQUEUED("2500000", "800", "8", "WS")
	     ISSUED("3000000", "800", "8", "WS")
	     DONE("5000000", "800", "8", "WS"), HEAD_Q FIRST "   2.00    2.00\n"),
	TEXT("one part done, the rest issued again", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") DONE("2200000", "800", "3", "WS")
	     REQUEUED("2500000", "803", "5", "WS")
	     ISSUED("3000000", "803", "5", "WS") DONE("5000000", "803", "5", "WS"),
	     HEAD_Q FIRST "   2.00    2.00\n"),
	TEXT("given back before it was ever issued", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "800", "8", "WS")
	     REQUEUED("1500000", "800", "8", "WS") ISSUED("2000000", "800", "8", "WS")
	     DONE("5000000", "800", "8", "WS"),
	     HEAD_Q FIRST "   1.00    3.00\n"),
	TEXT("never issued again", "biosnoop -Q", TASKS MADE("1000000", "7", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") REQUEUED("2500000", "800", "8", "WS")
	     DONE("5000000", "800", "8", "WS"),
	     HEAD_Q FIRST "      -       -\n"),

	TEXT("two tasks want the same at a time: whose is which?", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "R") MADE("1100000", "8", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") DONE("3000000", "800", "8", "R")
	     ISSUED("4000000", "800", "8", "R") DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    -              -       -         R 800        4096          -    "
		    "1.00\n"
	     "0.002000    -              -       -         R 800        4096          -    1.00\n"),
	TEXT("one task twice: its own, but since when?", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "R") MADE("1100000", "7", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") DONE("3000000", "800", "8", "R")
	     ISSUED("4000000", "800", "8", "R") DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    dd             5       -         R 800        4096          -    "
		    "1.00\n"
	     "0.002000    dd             5       -         R 800        4096          -    1.00\n"),
	TEXT("both are with the device: which one is done?", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "R") ISSUED("2000000", "800", "8", "R")
	     MADE("2100000", "8", "800", "8", "R") ISSUED("2200000", "800", "8", "R")
	     DONE("3000000", "800", "8", "R") DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    -              -       -         R 800        4096          -     "
		    "  -\n"
	     "0.002000    -              -       -         R 800        4096          -       -\n"),
	TEXT("both of one task", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "R") ISSUED("2000000", "800", "8", "R")
	     MADE("2100000", "7", "800", "8", "R") ISSUED("2200000", "800", "8", "R")
	     DONE("3000000", "800", "8", "R") DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    dd             5       -         R 800        4096          -     "
		    "  -\n"
	     "0.002000    dd             5       -         R 800        4096          -       -\n"),
	TEXT("and then there is no doubt any more", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "WS") MADE("1000000", "8", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") ISSUED("2000000", "800", "8", "WS")
	     DONE("3000000", "800", "8", "WS") DONE("3000000", "800", "8", "WS")
	     MADE("4000000", "7", "800", "8", "WS") ISSUED("5000000", "800", "8", "WS")
	     DONE("7000000", "800", "8", "WS"),
	     HEAD_Q "0.000000    -              -       -         W 800        4096          -     "
		    "  -\n"
	     "0.000000    -              -       -         W 800        4096          -       -\n"
	     "0.004000    dd             5       -         W 800        4096       1.00    2.00\n"),
	TEXT("one of two is given back, twice: the next half minute is in doubt", "biosnoop", TASKS
	     MADE("1000000", "7", "800", "8", "R") ISSUED("2000000", "800", "8", "R")
	     MADE("2100000", "8", "800", "8", "R") ISSUED("2200000", "800", "8", "R")
	     REQUEUED("2300000", "800", "8", "R") REQUEUED("2300000", "800", "8", "R")
	     ISSUED("2500000", "800", "8", "R")
	     DONE("3000000", "800", "8", "R") DONE("5000000", "800", "8", "R")
	     MADE("6000000", "7", "800", "8", "R") ISSUED("7000000", "800", "8", "R")
	     DONE("8000000", "800", "8", "R")
	     MADE("40000000000", "7", "800", "8", "R") ISSUED("40000000000", "800", "8", "R")
	     DONE("40001000000", "800", "8", "R"),
	     HEAD "0.000000    -              -       -         R 800        4096          -\n"
	     "0.002000    -              -       -         R 800        4096          -\n"
	     "0.005000    -              -       -         R 800        4096          -\n"
	     "39.998000   dd             5       -         R 800        4096       1.00\n"),
	TEXT("given back twice", "biosnoop -Q", TASKS MADE("1000000", "7", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") REQUEUED("2500000", "800", "8", "WS")
	     REQUEUED("2600000", "800", "8", "WS")
	     ISSUED("3000000", "800", "8", "WS") DONE("5000000", "800", "8", "WS"),
	     HEAD_Q FIRST "   2.00    2.00\n"),
	TEXT("who merged into another, long ago", "biosnoop -Q",
	     TASKS MADE("1000000", "8", "800", "8", "WS")
	     MADE("9001000000", "7", "800", "8", "WS") ISSUED("9002000000", "800", "8", "WS")
	     DONE("9005000000", "800", "8", "WS"), HEAD_Q FIRST "   1.00    3.00\n"),
	TEXT("whose end was never told, long ago", "biosnoop -Q",
	     TASKS ISSUED("1000000", "800", "8", "WS")
	     MADE("40001000000", "7", "800", "8", "WS") ISSUED("40002000000", "800", "8", "WS")
	     DONE("40005000000", "800", "8", "WS"), HEAD_Q FIRST "   1.00    3.00\n"),
	TEXT("a read and a write of the same sectors", "biosnoop -Q", TASKS
	     MADE("1000000", "7", "800", "8", "WS") MADE("1000000", "8", "800", "8", "RA")
	     ISSUED("2000000", "800", "8", "WS")
	     ISSUED("2500000", "800", "8", "RA") DONE("3500000", "800", "8", "RA")
	     DONE("5000000", "800", "8", "WS"),
	     HEAD_Q "0.000000    cp             6       -         R 800        4096       1.50    "
		    "1.00\n"
	     "0.001500    dd             5       -         W 800        4096       1.00    3.00\n"),

	TEXT("a flush; who asked for it is done once more", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "0", "0", "FWS")
	     ISSUED("2000000", "0", "0", "FF") DONE("4000000", "18446744073709551615", "0", "FF")
	     DONE("4000000", "0", "0", "FWS"),
	     HEAD_Q "0.000000    -              -       -         F -          0             -    "
		    "2.00\n"),
	TEXT("a flush before 4.8", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "0", "0", "FWS")
	     ISSUED("2000000", "18446744073709551615", "0", "FWS")
	     DONE("4000000", "18446744073709551615", "0", "FWS")
	     DONE("4000000", "0", "0", "WS"),
	     HEAD_Q "0.000000    -              -       -         F -          0             -    "
		    "2.00\n"),
	TEXT("a flush, then its data", "biosnoop -Q", TASKS MADE("1000000", "7", "800", "8", "FWFS")
	     ISSUED("2000000", "0", "0", "FF") DONE("4000000", "18446744073709551615", "0", "FF")
	     ISSUED("5000000", "800", "8", "WFS") DONE("6000000", "800", "8", "WFS"),
	     HEAD_Q "0.000000    -              -       -         F -          0             -    "
		    "2.00\n"
	     "0.002000    dd             5       -         W 800        4096       4.00    1.00\n"),
	TEXT("two flushes at a time, and a write to sector 0", "biosnoop",
	     TASKS MADE("1000000", "7", "0", "8", "W")
	     ISSUED("2000000", "0", "0", "FF") ISSUED("2500000", "0", "0", "FF")
	     ISSUED("3000000", "0", "8", "W")
	     DONE("4000000", "18446744073709551615", "0", "FF")
	     DONE("4000000", "18446744073709551615", "0", "FF")
	     DONE("5000000", "0", "8", "W"),
	     HEAD "0.000000    -              -       -         F -          0             -\n"
	     "0.000000    -              -       -         F -          0             -\n"
	     "0.001000    dd             5       -         W 0          4096       2.00\n"),
	TEXT("a command that a program hands to the device", "biosnoop",
	     TASKS ISSUED("2000000", "0", "0", "N")
	     DONE("4000000", "0", "0", "N"), HEAD),

	TEXT("sequential or random, on each disk", "biosnoop -P",
	     TASKS ISSUED("1000000", "8", "8", "R")
	     DONE("2000000", "8", "8", "R") ISSUED("3000000", "16", "8", "R")
	     DONE("4000000", "16", "8", "R")
	     "5000000 1 9 block:block_rq_issue dev=2 sector=99 sectors=8 rwbs=\"R\"\n"
	     "6000000 1 0 block:block_rq_complete dev=2 sector=99 sectors=8 rwbs=\"R\"\n"
	     ISSUED("7000000", "24", "8", "R") DONE("8000000", "24", "8", "R")
	     ISSUED("9000000", "24", "8", "R") DONE("10000000", "24", "8", "R"),
	     "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   P LAT(ms)\n"
	     "0.000000    -              -       -         R 8          4096    -    1.00\n"
	     "0.002000    -              -       -         R 16         4096    S    1.00\n"
	     "0.004000    -              -       -         R 99         4096    -    1.00\n"
	     "0.006000    -              -       -         R 24         4096    S    1.00\n"
	     "0.008000    -              -       -         R 24         4096    R    1.00\n"),
	TEXT("a name", "biosnoop --name cp", TASKS WRITTEN, HEAD),
	TEXT("a process", "biosnoop --pid 5", TASKS WRITTEN, HEAD FIRST "   3.00\n"),
	TEXT("another, and nobody's", "biosnoop --pid 6",
	     TASKS WRITTEN ISSUED("6000000", "16", "8", "R")
	     DONE("7000000", "16", "8", "R") ISSUED("8000000", "0", "0", "FF")
	     DONE("9000000", "18446744073709551615", "0", "FF"), HEAD),
	TEXT("one of two that want the same", "biosnoop --pid 5", TASKS
	     MADE("1000000", "8", "800", "8", "R") MADE("1100000", "7", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") DONE("3000000", "800", "8", "R")
	     ISSUED("4000000", "800", "8", "R") DONE("5000000", "800", "8", "R")
	     MADE("6000000", "8", "800", "8", "R") ISSUED("7000000", "800", "8", "R")
	     MADE("7100000", "7", "800", "8", "R") ISSUED("7200000", "800", "8", "R")
	     DONE("8000000", "800", "8", "R") DONE("9000000", "800", "8", "R"), HEAD),
	TEXT("a process twice", "biosnoop --pid 5", TASKS
	     MADE("1000000", "7", "800", "8", "WS") MADE("1100000", "7", "800", "8", "WS")
	     ISSUED("2000000", "800", "8", "WS") DONE("5000000", "800", "8", "WS"),
	     HEAD FIRST "   3.00\n"),
	TEXT("a gap before the issue: nobody knows whose", "biosnoop -Q",
	     TASKS MADE("1000000", "7", "800", "8", "R")
	     "gap 0 1100000 1200000 2\n" ISSUED("2000000", "800", "8", "R")
	     DONE("5000000", "800", "8", "R"),
	     HEAD_Q "0.000000    -              -       -         R 800        4096          -    "
		    "3.00\n", 2),
	TEXT("a gap before the end", "biosnoop", TASKS MADE("1000000", "7", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") "gap 0 3000000 4000000 2\n"
	     DONE("5000000", "800", "8", "R"),
	     HEAD "0.000000    -              -       -         R 800        4096          -\n",
	     .lost = 2, .unpaired = 1),
	TEXT("a gap before the end, and a process", "biosnoop --pid 5",
	     TASKS MADE("1000000", "7", "800", "8", "R")
	     ISSUED("2000000", "800", "8", "R") "gap 0 3000000 4000000 2\n"
	     DONE("5000000", "800", "8", "R"), HEAD, .lost = 2, .unpaired = 1),
};

/* biotop; its head is of this machine's load. */

#define TOP(PID, COMM, TYPE, IO, KB, AVG) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":" PID ",\"comm\":" COMM ",\"type\":\"" \
	TYPE "\",\"major\":0," \
	"\"minor\":1,\"disk\":null,\"io\":" IO ",\"kbytes\":" KB ",\"avg_ms\":" AVG "}\n"
#define OF_GROUPS(IO, KB, READ, WRITTEN, AVG) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"io\":" IO ",\"kbytes\":" KB \
	",\"read_kb\":" READ ",\"written_kb\":" WRITTEN ",\"avg_ms\":" AVG ",\"cgroup\":null}\n"
#define READ(TIME, END, TID, SECTOR, SECTORS) \
	MADE(TIME, TID, SECTOR, SECTORS, "R") ISSUED(TIME, SECTOR, SECTORS, "R") \
	DONE(END, SECTOR, SECTORS, "R")

/* Devices of 21 numbers, and one request of N * 10 sectors to each. */
#define OF_DISK(N) \
	"1000000 1 9 block:block_rq_issue dev=" #N " sector=8 sectors=" #N "0 rwbs=\"R\"\n" \
	"2000000 1 0 block:block_rq_complete dev=" #N " sector=8 sectors=" #N "0 rwbs=\"R\"\n"
#define OF_DISKS \
	OF_DISK(11) OF_DISK(12) OF_DISK(13) OF_DISK(14) OF_DISK(15) OF_DISK(16) OF_DISK(17) \
	OF_DISK(18) OF_DISK(19) OF_DISK(20) OF_DISK(21) OF_DISK(22) OF_DISK(23) OF_DISK(24) \
	OF_DISK(25) OF_DISK(26) OF_DISK(27) OF_DISK(28) OF_DISK(29) OF_DISK(30) OF_DISK(31)
#define DISK(N, KB) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":null,\"comm\":null,\"type\":\"R\"," \
	"\"major\":0," \
	"\"minor\":" #N ",\"disk\":null,\"io\":1,\"kbytes\":" #KB ",\"avg_ms\":1.00}\n"
#define DISKS_20 \
	DISK(31, 155) DISK(30, 150) DISK(29, 145) DISK(28, 140) DISK(27, 135) DISK(26, 130) \
	DISK(25, 125) DISK(24, 120) DISK(23, 115) DISK(22, 110) DISK(21, 105) DISK(20, 100) \
	DISK(19, 95) DISK(18, 90) DISK(17, 85) DISK(16, 80) DISK(15, 75) DISK(14, 70) \
	DISK(13, 65) DISK(12, 60)

static const struct program_row biotop_rows[] = {
	JSON("one request", "biotop", TASKS WRITTEN, TOP("5", "\"dd\"", "W", "1", "4", "3.00")),
	JSON("who moves most comes first", "biotop",
	     TASKS WRITTEN READ("6000000", "7000000", "8", "80", "64")
	     READ("8000000", "8500000", "8", "80", "64")
	     READ("8000000", "8100000", "7", "800", "15")
	     ISSUED("9000000", "0", "0", "FF") DONE("9001000", "18446744073709551615", "0", "FF"),
	     TOP("6", "\"cp\"", "R", "2", "64", "0.75") TOP("5", "\"dd\"", "R", "1", "7", "0.10")
	     TOP("5", "\"dd\"", "W", "1", "4", "3.00") TOP("null", "null", "F", "1", "0", "0.00")),
	JSON("the first rows", "biotop -r 1",
	     TASKS WRITTEN READ("6000000", "7000000", "8", "80", "64"),
	     TOP("6", "\"cp\"", "R", "1", "32", "1.00")),
	JSON("machines get all rows", "biotop", OF_DISKS, DISKS_20 DISK(11, 55)),
	JSON("unless they ask for fewer", "biotop -r 20", OF_DISKS, DISKS_20),
	JSON("a process", "biotop -p 5", TASKS WRITTEN READ("6000000", "7000000", "8", "80", "64"),
	     TOP("5", "\"dd\"", "W", "1", "4", "3.00")),
	JSON("the mean is of those whose time is known", "biotop",
	     TASKS READ("1000000", "3000000", "7", "8", "8")
	     MADE("4000000", "7", "800", "8", "R") ISSUED("4000000", "800", "8", "R")
	     MADE("4100000", "7", "800", "8", "R") ISSUED("4200000", "800", "8", "R")
	     DONE("5000000", "800", "8", "R") DONE("6000000", "800", "8", "R"),
	     TOP("5", "\"dd\"", "R", "3", "12", "2.00")),
	JSON("no time is known", "biotop", TASKS
	     MADE("4000000", "7", "800", "8", "R") ISSUED("4000000", "800", "8", "R")
	     MADE("4100000", "7", "800", "8", "R") ISSUED("4200000", "800", "8", "R")
	     DONE("5000000", "800", "8", "R") DONE("6000000", "800", "8", "R"),
	     TOP("5", "\"dd\"", "R", "2", "8", "null")),
	JSON("by control group; records of a file have no /proc", "biotop --by-cgroup",
	     TASKS WRITTEN READ("6000000", "7000000", "8", "80", "64")
	     ISSUED("9000000", "0", "0", "FF") DONE("9001000", "18446744073709551615", "0", "FF"),
	     OF_GROUPS("3", "36", "32", "4", "1.33")),
	JSON("of a process, whose id a filter is for", "biotop --by-cgroup -p 5",
	     TASKS WRITTEN READ("6000000", "7000000", "8", "80", "64"),
	     OF_GROUPS("1", "4", "0", "4", "3.00")),
	TEXT("for people", "biotop", TASKS WRITTEN, "\n00:00:00 loadavg: ", .begins = true),
};

/* biopattern */

#define PATTERN(TIME, RWBS, SECTOR, SECTORS) \
	TIME " 0 9 block:block_rq_issue dev=1 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"" RWBS "\"\n"
#define AGAIN(TIME, RWBS, SECTOR, SECTORS) \
	TIME " 0 9 block:block_rq_requeue dev=1 sector=" SECTOR " sectors=" SECTORS \
	" rwbs=\"" RWBS "\"\n"
#define IN_PATTERN(TYPE, RANDOM, SEQUENTIAL, N, KB) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"disk\":null,\"type\":\"" TYPE \
	"\",\"random_pct\":" RANDOM ",\"sequential_pct\":" SEQUENTIAL ",\"count\":" N \
	",\"kbytes\":" KB "}\n"

static const struct program_row biopattern_rows[] = {
	JSON("one behind the other; the first has none before it", "biopattern",
	     PATTERN("10", "R", "8", "8") PATTERN("20", "R", "16", "16")
	     PATTERN("30", "R", "32", "1")
	     PATTERN("40", "RA", "100", "3"), IN_PATTERN("R", "33", "67", "4", "14")),
	JSON("one alone", "biopattern", PATTERN("10", "W", "8", "8"),
	     IN_PATTERN("W", "null", "null", "1", "4")),
	JSON("reads and writes apart", "biopattern",
	     PATTERN("10", "R", "8", "8") PATTERN("20", "WS", "100", "8")
	     PATTERN("30", "R", "16", "8")
	     PATTERN("40", "W", "108", "8") PATTERN("50", "W", "100", "8"),
	     IN_PATTERN("R", "0", "100", "2", "8") IN_PATTERN("W", "50", "50", "3", "12")),
	JSON("a write behind a flush is a write; a flush alone is nothing", "biopattern",
	     PATTERN("10", "W", "8", "8") PATTERN("20", "FF", "0", "0")
	     PATTERN("30", "FWFS", "16", "8"), IN_PATTERN("W", "0", "100", "2", "8")),
	JSON("given back, and issued again: once", "biopattern",
	     PATTERN("10", "W", "8", "8") PATTERN("20", "W", "16", "8") AGAIN("30", "W", "16", "8")
	     PATTERN("40", "W", "16", "8") PATTERN("50", "W", "24", "8"),
	     IN_PATTERN("W", "0", "100", "3", "12")),
	JSON("a discard of many GB", "biopattern", PATTERN("10", "D", "0", "4294967295"),
	     IN_PATTERN("D", "null", "null", "1", "2147483647")),
	TEXT("for people", "biopattern", PATTERN("10", "W", "8", "8")
	     PATTERN("20", "W", "16", "8"),
	     "TIME      DISK    T  %RND  %SEQ    COUNT     KBYTES\n"
	     "00:00:00  -       W     0   100        2          8\n"),
};

/* biostacks */

#define MADE_AT(TIME, TID, SECTOR, STACK) \
	TIME " 0 " TID " block:block_getrq dev=1 sector=" SECTOR " sectors=8 rwbs=\"WS\" " \
	"kernel_stack=" STACK "\n"
#define STACK_SLOTS(STACK, SLOTS) \
	"{\"histogram\":\"latency\",\"unit\":\"usecs\"," \
	"\"time\":\"1970-01-01T00:00:00.000000Z\",\"stack\":\"" STACK "\"," \
	"\"slots\":[" SLOTS "]}\n"
#define ONE_SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"

static const struct program_row biostacks_rows[] = {
	TEXT("a write", "biostacks --addresses", TASKS MADE_AT("1000000", "7", "800", "0xa,0xb")
	     ISSUED("2000000", "800", "8", "WS") DONE("2005000", "800", "8", "WS"),
	     "\ndd             5      ?      \n0xa\n0xb\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 0        |                                        |\n"
	     "         4 -> 7          : 1        |****************************************|\n"
	     "\n"),
	JSON("two stacks; a request that nobody made", "biostacks --addresses",
	     TASKS MADE_AT("1000", "7", "800", "0xa,0xb") MADE_AT("2000", "7", "900", "0xc")
	     MADE_AT("3000", "7", "950", "0xa,0xb")
	     ISSUED("4000", "800", "8", "WS") ISSUED("5000", "900", "8", "WS")
	     ISSUED("6000", "950", "8", "WS") ISSUED("7000", "700", "8", "R")
	     DONE("9000", "800", "8", "WS") DONE("10000", "900", "8", "WS")
	     DONE("11000", "950", "8", "WS") DONE("13000", "700", "8", "R"),
	     STACK_SLOTS("dd;5;?;0xc", ONE_SLOT("5", "5", "1"))
	     STACK_SLOTS("-;-;?", ONE_SLOT("6", "6", "1"))
	     STACK_SLOTS("dd;5;?;0xb;0xa", ONE_SLOT("5", "5", "2"))),
	TEXT("folded, by time", "biostacks -f", TASKS MADE_AT("1000", "7", "800", "0xa,0xb")
	     MADE_AT("2000", "7", "900", "0xa,0xb") ISSUED("4000", "800", "8", "WS")
	     ISSUED("5000", "900", "8", "WS") DONE("9000", "800", "8", "WS")
	     DONE("2005000", "900", "8", "WS"), "\ndd;[unknown];[unknown] 2005\n"),
	TEXT("another process; two requests that can't be told apart", "biostacks -p 1",
	     TASKS "task 11 1 init\n" MADE_AT("1000", "7", "800", "0xa")
	     ISSUED("4000", "800", "8", "WS") DONE("9000", "800", "8", "WS")
	     MADE_AT("11000", "11", "800", "0xa")
	     ISSUED("12000", "800", "8", "WS") MADE_AT("13000", "11", "800", "0xb")
	     ISSUED("14000", "800", "8", "WS") DONE("15000", "800", "8", "WS")
	     DONE("16000", "800", "8", "WS"), "\n", .untimed = 2),
};

#define TOOLS(TOOL) TOOL(biostacks) TOOL(biosnoop) TOOL(biotop) TOOL(biopattern)
PROGRAM_SUITE(programs_disks, TOOLS)
