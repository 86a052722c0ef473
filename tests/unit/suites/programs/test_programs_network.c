// SPDX-License-Identifier: GPL-2.0
/* Tools about connections over records; see program_rows.h. tcpconnect is in test_programs.c. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CURL	"task 7 5 curl\n" "task 8 8 wget\n"

/*
 * tcpconnlat: one event has two programs: @0 is handshake.begin, @1 handshake.reset, @2
 * handshake.state.
 */

#define LAT_HEAD	"PID     COMM         IP SADDR            DADDR            DPORT LAT(ms)\n"
#define LAT_HEAD_L	"PID     COMM         IP SADDR            LPORT  DADDR            DPORT " \
			"LAT(ms)\n"
#define BEGINS(TIME, TID, SK)	TIME " 0 " TID " @0 sk=" SK " newstate=2 protocol=6\n"
#define RESET(TIME, SK)		TIME " 1 0 tcp:tcp_receive_reset sk=" SK "\n"
#define LEAVES(TIME, SK, STATE, ...) \
	TIME " 1 0 @2 sk=" SK " oldstate=2 newstate=" STATE \
	" protocol=6 lport=40000 dport=443 " __VA_ARGS__ "\n"
#define V4	"family=2 saddr=x0a000001 daddr=xc0000202"
#define V6	"family=10 saddr6=x20010db8000000000000000000000001 " \
		"daddr6=x20010db8000000000000000000000002"
#define LAT4(MS)	"5       curl         4  10.0.0.1         192.0.2.2        443   " MS "\n"
#define LAT6(MS)	"5       curl         6  2001:db8::1      2001:db8::2      443   " MS "\n"

static const struct program_row tcpconnlat_rows[] = {
	TEXT("answered, whoever is current then", "tcpconnlat", CURL BEGINS("1000000", "7", "99")
	     LEAVES("13345000", "99", "1", V4),
	     LAT_HEAD LAT4("12.35")),
	TEXT("IPv6", "tcpconnlat -6", CURL BEGINS("1000000", "7", "99") BEGINS("1000000", "7", "98")
	     LEAVES("2000000", "98", "1", V4) LEAVES("3000000", "99", "1", V6),
	     LAT_HEAD LAT6("2.00")),
	TEXT("IPv4", "tcpconnlat -4", CURL BEGINS("1000000", "7", "99") BEGINS("1000000", "7", "98")
	     LEAVES("2000000", "98", "1", V4) LEAVES("3000000", "99", "1", V6),
	     LAT_HEAD LAT4("1.00")),
	TEXT("both ends began", "tcpconnlat", CURL BEGINS("1000000", "7", "99")
	     LEAVES("2000000", "99", "3", V4),
	     LAT_HEAD LAT4("1.00")),
	JSON("a reset is an answer", "tcpconnlat -L -t", CURL BEGINS("1000000", "7", "99")
	     RESET("1999000", "99")
	     LEAVES("2000000", "99", "7", V4) BEGINS("3000000", "8", "98")
	     LEAVES("3000999", "98", "1", V4),
	     "{\"time_s\":0.000,\"pid\":5,\"comm\":\"curl\",\"ip\":4,\"saddr\":\"10.0.0.1\","
	     "\"lport\":40000,"
	     "\"daddr\":\"192.0.2.2\",\"dport\":443,\"lat_ms\":1.000,\"answer\":\"reset\"}\n"
	     "{\"time_s\":0.001,\"pid\":8,\"comm\":\"wget\",\"ip\":4,\"saddr\":\"10.0.0.1\","
	     "\"lport\":40000,"
	     "\"daddr\":\"192.0.2.2\",\"dport\":443,\"lat_ms\":0.001,\"answer\":\"accepted\"}\n"),
	TEXT("given up: no answer; the socket's next connection is another one", "tcpconnlat", CURL
	     BEGINS("1000000", "7", "99") LEAVES("2000000", "99", "7", V4)
	     LEAVES("3000000", "99", "1", V4)
	     BEGINS("4000000", "7", "99") LEAVES("4500000", "99", "1", V4), LAT_HEAD LAT4("0.50")),
	TEXT("a reset of a connection that was there before", "tcpconnlat",
	     CURL RESET("500000", "99")
	     BEGINS("1000000", "7", "99") LEAVES("2000000", "99", "7", V4), LAT_HEAD),
	TEXT("one that began before", "tcpconnlat", CURL LEAVES("2000000", "99", "1", V4),
	     LAT_HEAD),
	TEXT("another protocol", "tcpconnlat", CURL "1000000 0 7 @0 sk=99 newstate=2 protocol=132\n"
	     LEAVES("2000000", "99", "1", V4), LAT_HEAD),
	TEXT("a process", "tcpconnlat -p 8 -L", CURL BEGINS("1000000", "7", "99")
	     BEGINS("1000000", "8", "98")
	     LEAVES("2000000", "99", "1", V4) LEAVES("3000000", "98", "1", V4),
	     LAT_HEAD_L "8       wget         4  10.0.0.1         40000  192.0.2.2        443   "
			"2.00\n"),
	TEXT("longer than that", "tcpconnlat 0.5", CURL BEGINS("1000000", "7", "99")
	     BEGINS("1000000", "7", "98")
	     LEAVES("1500000", "99", "1", V4) LEAVES("1500001", "98", "1", V4),
	     LAT_HEAD LAT4("0.50")),
	JSON("a histogram", "tcpconnlat --dist", CURL BEGINS("1000", "7", "99")
	     LEAVES("11999", "99", "1", V4)
	     BEGINS("20000", "7", "99") RESET("29000", "99") LEAVES("30000", "99", "7", V6),
	     "{\"histogram\":\"latency\",\"unit\":\"usecs\","
	     "\"time\":\"1970-01-01T00:00:00.000000Z\","
	     "\"slots\":[{\"low\":10,\"high\":10,\"count\":2}]}\n"),
	TEXT("a gap between: not shown", "tcpconnlat", CURL BEGINS("1000000", "7", "99")
	     "gap 0 1200000 1500000 3\n"
	     LEAVES("2000000", "99", "1", V4), LAT_HEAD, .lost = 3, .unpaired = 1),
	TEXT("before 4.16 a function tells, and no addresses of IPv6 there", "tcpconnlat",
	     CURL "1000000 0 7 @0 sk=99 newstate=2\n" "1000000 0 7 @0 sk=98 newstate=2\n"
	     "2000000 1 0 @2 sk=99 oldstate=2 newstate=1 family=10 lport=40000 dport=0xbb01\n"
	     "2500000 1 0 p:tcp_reset sk=98\n"
	     "3000000 1 0 @2 sk=98 oldstate=2 newstate=7 family=2 lport=40000 dport=0xbb01 "
	     "saddr=x0a000001 "
	     "daddr=xc0000202\n",
	     LAT_HEAD "5       curl         6  -                -                443   1.00\n"
	     LAT4("2.00"), ON(V3_10)),
};

/* tcpretrans */

#define RESENT_HEAD	"TIME     PID     IP LADDR:LPORT          T> RADDR:RPORT          STATE\n"
#define COUNTED_HEAD	"LADDR:LPORT               RADDR:RPORT               RETRANSMITS\n"
#define RESENT(TIME, PORT, STATE, MORE) \
	TIME " 0 7 tcp:tcp_retransmit_skb lport=22 rport=" PORT " state=" STATE " " MORE "\n"
#define MAPPED	"laddr6=x00000000000000000000ffff0a000001 raddr6=x00000000000000000000ffffc0000202"
#define SIX	"laddr6=x20010db8000000000000000000000001 raddr6=x20010db8000000000000000000000002"
#define CALLED(TIME, FUNCTION, MORE) \
	/* 60000 in network order */ \
	TIME " 0 7 p:" FUNCTION " lport=22 rport=0x60ea state=1 " MORE "\n"

static const struct program_row tcpretrans_rows[] = {
	TEXT("for people", "tcpretrans", RESENT("10", "60000", "1", MAPPED)
	     RESENT("1000000010", "60001", "4", SIX),
	     RESENT_HEAD
	     "00:00:00 -       4  10.0.0.1:22          R> 192.0.2.2:60000      ESTABLISHED\n"
	     "00:00:01 -       6  [2001:db8::1]:22     R> [2001:db8::2]:60001  FIN_WAIT1\n"),
	JSON("for machines", "tcpretrans", RESENT("10", "60000", "2", MAPPED)
	     RESENT("20", "60000", "13", SIX),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":null,\"ip\":4,"
	     "\"laddr\":\"10.0.0.1\",\"lport\":22,"
	     "\"raddr\":\"192.0.2.2\",\"rport\":60000,\"type\":\"R\",\"state\":\"SYN_SENT\"}\n"
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":null,\"ip\":6,"
	     "\"laddr\":\"2001:db8::1\",\"lport\":22,"
	     "\"raddr\":\"2001:db8::2\",\"rport\":60000,\"type\":\"R\",\"state\":null}\n"),
	TEXT("IPv4", "tcpretrans -4", RESENT("10", "60000", "1", MAPPED)
	     RESENT("20", "60000", "1", SIX), RESENT_HEAD
	     "00:00:00 -       4  10.0.0.1:22          R> 192.0.2.2:60000      ESTABLISHED\n"),
	TEXT("IPv6", "tcpretrans -6", RESENT("10", "60000", "1", MAPPED)
	     RESENT("20", "60000", "1", SIX), RESENT_HEAD
	     "00:00:00 -       6  [2001:db8::1]:22     R> [2001:db8::2]:60000  ESTABLISHED\n"),
	TEXT("an address of IPv6 that begins like a mapped one", "tcpretrans -6",
	     RESENT("10", "60000", "1",
		    "laddr6=x00000000000000000000fffe0a000001 "
		    "raddr6=x00000000000000000000fffec0000202"),
	     RESENT_HEAD "00:00:00 -       6  [::fffe:a00:1]:22    R> [::fffe:c000:202]:60000 "
			 "ESTABLISHED\n"),
	TEXT("what could not be sent", "tcpretrans", RESENT("10", "60000", "1", MAPPED " err=-11")
	     RESENT("20", "60000", "1", MAPPED " err=1"), RESENT_HEAD, ON(V7_2)),
	TEXT("counted, the most first", "tcpretrans -c", RESENT("10", "60000", "1",
	     SIX) RESENT("20", "60000", "1", MAPPED)
	     RESENT("30", "60001", "1", MAPPED) RESENT("40", "60000", "4", MAPPED), COUNTED_HEAD
	     "[10.0.0.1]#22             [192.0.2.2]#60000         2\n"
	     "[2001:db8::1]#22          [2001:db8::2]#60000       1\n"
	     "[10.0.0.1]#22             [192.0.2.2]#60001         1\n"),
	JSON("counted for machines", "tcpretrans -c", RESENT("10", "60000", "1", MAPPED),
	     "{\"laddr\":\"10.0.0.1\",\"lport\":22,\"raddr\":\"192.0.2.2\",\"rport\":60000,"
	     "\"type\":\"R\","
	     "\"retransmits\":1}\n"),
	TEXT("a function tells; IPv6 has no addresses there", "tcpretrans -s",
	     CALLED("10", "__tcp_retransmit_skb", "family=2 laddr=x0a000001 raddr=xc0000202")
	     CALLED("20", "__tcp_retransmit_skb", "family=10"),
	     "TIME     PID     IP LADDR:LPORT          T> RADDR:RPORT          STATE        SEQ\n"
	     "00:00:00 -       4  10.0.0.1:22          R> 192.0.2.2:60000      ESTABLISHED  -\n"
	     "00:00:00 -       6  -:22                 R> -:60000              ESTABLISHED  -\n",
	     ON(V3_10)),
	TEXT("tail loss probes", "tcpretrans -l",
	     CALLED("10", "tcp_send_loss_probe", "family=2 laddr=x0a000001 raddr=xc0000202")
	     RESENT("20", "60000", "1", MAPPED), RESENT_HEAD
	     "00:00:00 -       4  10.0.0.1:22          L> 192.0.2.2:60000      ESTABLISHED\n"
	     "00:00:00 -       4  10.0.0.1:22          R> 192.0.2.2:60000      ESTABLISHED\n"),
	TEXT("probes counted", "tcpretrans -c -l -4",
	     CALLED("10", "tcp_send_loss_probe", "family=2 laddr=x0a000001 raddr=xc0000202")
	     CALLED("10", "tcp_send_loss_probe", "family=10") RESENT("20", "60000", "1", MAPPED)
	     RESENT("30", "60000", "1", MAPPED),
	     "LADDR:LPORT               RADDR:RPORT               RETRANSMITS T\n"
	     "[10.0.0.1]#22             [192.0.2.2]#60000         2           R\n"
	     "[10.0.0.1]#22             [192.0.2.2]#60000         1           L\n"),
	TEXT("no state told", "tcpretrans", "10 0 7 tcp:tcp_retransmit_skb lport=22 rport=60000 "
	     MAPPED "\n",
	     RESENT_HEAD "00:00:00 -       4  10.0.0.1:22          R> 192.0.2.2:60000      -\n",
	     ON(V4_19), .without = "kprobes"),
};

/*
 * tcprtt: both ends as the kernel's struct sockaddr_in and sockaddr_in6, in the snapshots' order of
 * bytes.
 */

/* Records have what the command asks for, and no more. */
#define SEGMENT(SRTT, MORE)	"10 0 7 tcp:tcp_probe srtt=" SRTT MORE "\n"
#define END4(LAST)	"x020000500a0000" LAST "00000000000000000000000000000000000000" "00"
#define END6(LAST)	"x0a0000500000000020010db80000000000000000000000" LAST "00000000"
#define ENDS4	" local=" END4("01") " remote=" END4("02")
#define ENDS6	" local=" END6("01") " remote=" END6("02")
#define RTT_HIST(MORE, SLOTS) \
	"{\"histogram\":\"rtt\",\"unit\":\"usecs\",\"time\":\"1970-01-01T00:00:00.000000Z\"," MORE \
	"\"slots\":[" SLOTS "]"
#define RTT(MORE, SLOTS)	RTT_HIST(MORE, SLOTS) "}\n"
#define RTT_TOTALS(SLOTS, MORE)	RTT_HIST("", SLOTS) "," MORE "}\n"
#define SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"

static const struct program_row tcprtt_rows[] = {
	JSON("each segment; none without a time", "tcprtt", SEGMENT("10", "") SEGMENT("10", "")
	     SEGMENT("0", "") SEGMENT("7", ""),
	     RTT("", SLOT("7", "7", "1") "," SLOT("10", "10", "2"))),
	JSON("totals", "tcprtt -e", SEGMENT("10", "") SEGMENT("7", ""),
	     RTT_TOTALS(SLOT("7", "7", "1") "," SLOT("10", "10", "1"),
			"\"avg\":8,\"total\":17,\"count\":2")),
	TEXT("milliseconds", "tcprtt -m", SEGMENT("2999", ""),
	     "\n     msecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 1        |****************************************|\n"),
	JSON("ports", "tcprtt -p 22 -P 1000", SEGMENT("10", " lport=22 rport=1")
	     SEGMENT("10", " lport=23 rport=1000")
	     SEGMENT("7", " lport=22 rport=1000"), RTT("", SLOT("7", "7", "1"))),
	JSON("a family", "tcprtt -6", SEGMENT("10", ENDS4) SEGMENT("7", ENDS6),
	     RTT("", SLOT("7", "7", "1"))),
	JSON("the other", "tcprtt -4", SEGMENT("10", ENDS4) SEGMENT("7", ENDS6),
	     RTT("", SLOT("10", "10", "1"))),
	JSON("addresses", "tcprtt -a 10.0.0.1 -A 10.0.0.2", SEGMENT("10", ENDS4) SEGMENT("7", ENDS6)
	     SEGMENT("7", " local=" END4("02") " remote=" END4("01"))
	     SEGMENT("7", " local=" END4("01") " remote=" END4("01")),
	     RTT("", SLOT("10", "10", "1"))),
	JSON("an address of IPv6", "tcprtt -A 2001:db8::2", SEGMENT("10", ENDS4) SEGMENT("7", ENDS6)
	     SEGMENT("10", " local=" END6("02") " remote=" END6("01")),
	     RTT("", SLOT("7", "7", "1"))),
	JSON("by local address", "tcprtt -b", SEGMENT("10", ENDS4) SEGMENT("7", ENDS6)
	     SEGMENT("10", ENDS4),
	     RTT("\"laddr\":\"10.0.0.1\",", SLOT("10", "10", "2"))
	     RTT("\"laddr\":\"2001:db8::1\",", SLOT("7", "7", "1"))),
	TEXT("by remote address, with totals", "tcprtt -B -e", SEGMENT("3", ENDS4)
	     SEGMENT("2", ENDS4)
	     SEGMENT("1", ENDS6),
	     "\n\nRemote Address = 10.0.0.2\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 0        |                                        |\n"
	     "         2 -> 3          : 2        |****************************************|\n"
	     "\navg = 2 usecs, total: 5 usecs, count: 2\n\n"
	     "\nRemote Address = 2001:db8::2\n"
	     "     usecs               : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"
	     "\navg = 1 usecs, total: 1 usecs, count: 1\n\n"),
};

/* tcpsynbl */

#define ADDED(FUNCTION, FAMILY, LIMIT, N) \
	"10 0 7 p:tcp_" FUNCTION "_syn_recv_sock family=" FAMILY " limit=" LIMIT " backlog=" N "\n"
#define BACKLOG(LIMIT, SLOTS) \
	"{\"histogram\":\"backlog\",\"unit\":\"backlog\"," \
	"\"time\":\"1970-01-01T00:00:00.000000Z\"," \
	"\"backlog_max\":" LIMIT ",\"slots\":[" SLOTS "]}\n"

static const struct program_row tcpsynbl_rows[] = {
	JSON("by limit", "tcpsynbl", ADDED("v4", "2", "128", "0") ADDED("v4", "2", "10", "7")
	     ADDED("v6", "10", "128", "0"),
	     BACKLOG("10", SLOT("7", "7", "1")) BACKLOG("128", SLOT("0", "0", "2"))),
	JSON("a listener of both families: what calls both functions counts once", "tcpsynbl",
	     ADDED("v6", "10", "128", "3") ADDED("v4", "10", "128", "3"),
	     BACKLOG("128", SLOT("3", "3", "1"))),
	JSON("IPv4", "tcpsynbl -4", ADDED("v4", "2", "128", "1") ADDED("v6", "10", "128", "2"),
	     BACKLOG("128", SLOT("1", "1", "1"))),
	JSON("IPv6", "tcpsynbl -6", ADDED("v4", "2", "128", "1") ADDED("v6", "10", "128", "2"),
	     BACKLOG("128", SLOT("2", "2", "1"))),
	TEXT("for people", "tcpsynbl", ADDED("v4", "2", "128", "1"),
	     "\n\nbacklog_max = 128\n"
	     "     backlog             : count     distribution\n"
	     "         0 -> 1          : 1        |****************************************|\n"),
};

#define TOOLS(TOOL) TOOL(tcpconnlat) TOOL(tcpretrans) TOOL(tcprtt) TOOL(tcpsynbl)
PROGRAM_SUITE(programs_network, TOOLS)
