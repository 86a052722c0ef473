// SPDX-License-Identifier: GPL-2.0
/* tcpconnect over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/*
 * tcpconnect: with -L one event has two programs, which know of different inputs: @0 is
 * tcp.connect, @1 tcp.state.
 */

#define TCP_HEAD	"PID     COMM         IP SADDR            DADDR            DPORT\n"
#define TCP_HEAD_L	"PID     COMM         IP SADDR            LPORT  DADDR            DPORT\n"
#define CURL		"task 7 5 curl\n"
#define SOCKET(TIME, TID, SK, STATE, ...) \
	TIME " 0 " TID " sock:inet_sock_set_state sk=" SK " newstate=" STATE \
	" protocol=6 " __VA_ARGS__ "\n"
#define V4(PORT)	"family=2 saddr=x0a000001 daddr=xc0000202 dport=" PORT
#define V6(PORT) \
	"family=10 saddr6=x20010db8000000000000000000000001 " \
	"daddr6=x20010db8000000000000000000000002 dport=" PORT
#define BOTH(TIME, TID, SK, STATE, LPORT, ...) \
	TIME " 0 " TID " @0 sk=" SK " newstate=" STATE " protocol=6 lport=" LPORT " " __VA_ARGS__ \
	"\n" \
	TIME " 0 " TID " @1 sk=" SK " newstate=" STATE " lport=" LPORT "\n"
#define ROW4(PORT)	"5       curl         4  10.0.0.1         192.0.2.2        " PORT "\n"
/* Port 443 as it is in the socket, in network order. */
#define CALL4(TIME, TID)	TIME " 0 " \
	TID " p:tcp_connect sk=99 family=2 lport=40000 dport=0xbb01 saddr=x0a000001 " \
	    "daddr=xc0000202\n"

static const struct program_row tcpconnect_rows[] = {
	TEXT("IPv4", "tcpconnect", CURL SOCKET("10", "7", "99", "2", V4("443")),
	     TCP_HEAD ROW4("443")),
	TEXT("IPv6", "tcpconnect", CURL SOCKET("10", "7", "99", "2", V6("80")),
	     TCP_HEAD "5       curl         6  2001:db8::1      2001:db8::2      80\n"),
	JSON("for machines", "tcpconnect -t", CURL SOCKET("10", "7", "99", "2", V4("443"))
	     SOCKET("1500000010", "7", "99", "2", V6("80")),
	     "{\"time_s\":0.000,\"pid\":5,\"comm\":\"curl\",\"ip\":4,\"saddr\":\"10.0.0.1\","
	     "\"daddr\":\"192.0.2.2\",\"dport\":443}\n"
	     "{\"time_s\":1.500,\"pid\":5,\"comm\":\"curl\",\"ip\":6,\"saddr\":\"2001:db8::1\","
	     "\"daddr\":\"2001:db8::2\",\"dport\":80}\n"),
	TEXT("other states and protocols", "tcpconnect",
	     CURL SOCKET("10", "7", "99", "1", V4("443")) SOCKET("20", "7", "99", "7", V4("443"))
	     "30 0 7 sock:inet_sock_set_state sk=99 newstate=2 protocol=132 " V4("443") "\n",
	     TCP_HEAD),
	TEXT("no UID in the rings", "tcpconnect -U", CURL SOCKET("10", "7", "99", "2", V4("443")),
	     "UID    " TCP_HEAD "-      " ROW4("443")),
	TEXT("one family", "tcpconnect -6", CURL SOCKET("10", "7", "99", "2", V4("443"))
	     SOCKET("20", "7", "98", "2", V6("80")),
	     TCP_HEAD "5       curl         6  2001:db8::1      2001:db8::2      80\n"),
	TEXT("the other", "tcpconnect -4", CURL SOCKET("10", "7", "99", "2", V4("443"))
	     SOCKET("20", "7", "98", "2", V6("80")),
	     TCP_HEAD ROW4("443")),
	TEXT("ports", "tcpconnect -P 80,443", CURL SOCKET("10", "7", "99", "2", V4("443"))
	     SOCKET("20", "7", "98", "2", V4("22"))
	     SOCKET("30", "7", "97", "2", V4("80")), TCP_HEAD ROW4("443") ROW4("80")),
	TEXT("a process", "tcpconnect -p 5", CURL "task 8 8 wget\n"
	     SOCKET("10", "8", "99", "2", V4("443"))
	     SOCKET("20", "7", "98", "2", V4("80")), TCP_HEAD ROW4("80")),
	TEXT("counted", "tcpconnect -c", CURL SOCKET("10", "7", "99", "2", V4("443"))
	     SOCKET("20", "7", "98", "2", V4("80"))
	     SOCKET("30", "7", "97", "2", V4("80")) SOCKET("40", "7", "96", "2", V6("80"))
	     SOCKET("50", "7", "95", "2", V6("80"))
	     SOCKET("60", "7", "95", "2", V6("80")),
	     "LADDR                     RADDR                     RPORT                CONNECTS\n"
	     "2001:db8::1               2001:db8::2               80                   3\n"
	     "10.0.0.1                  192.0.2.2                 80                   2\n"
	     "10.0.0.1                  192.0.2.2                 443                  1\n"),
	TEXT("the local port comes with the next state, whoever is current then", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "0", V4("443"))
	     BOTH("20", "0", "99", "1", "40000", V4("443")),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         40000  192.0.2.2        443\n"),
	TEXT("refused: the next state is the end", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "0", V4("443"))
	     BOTH("20", "0", "99", "7", "40000", V4("443")),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         40000  192.0.2.2        443\n"),
	TEXT("a socket bound to a port has it at once", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "1023", V4("443")),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         1023   192.0.2.2        443\n"),
	TEXT("two at a time", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "0", V4("443"))
	     BOTH("11", "7", "98", "2", "0", V4("80"))
	     BOTH("20", "0", "98", "1", "40001", V4("80"))
	     BOTH("21", "0", "99", "1", "40002", V4("443")),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         40001  192.0.2.2        80\n"
	     "5       curl         4  10.0.0.1         40002  192.0.2.2        443\n"),
	TEXT("once only", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "0", V4("443"))
	     BOTH("20", "0", "99", "1", "40000", V4("443"))
	     BOTH("30", "0", "99", "4", "40000", V4("443")),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         40000  192.0.2.2        443\n"),
	TEXT("a gap between: not shown", "tcpconnect -L",
	     CURL BOTH("10", "7", "99", "2", "0", V4("443")) "gap 0 12 15 3\n"
	     BOTH("20", "0", "99", "1", "40000", V4("443")), TCP_HEAD_L, .lost = 3, .unpaired = 1),
	TEXT("before 4.16 the functions tell", "tcpconnect -L", CURL CALL4("10", "7"),
	     TCP_HEAD_L "5       curl         4  10.0.0.1         40000  192.0.2.2        443\n",
	     ON(V3_10)),
	TEXT("IPv6 there: no source", "tcpconnect",
	     CURL "10 0 7 p:tcp_v6_connect sk=99 dport=0x5000 "
		  "daddr6=x20010db8000000000000000000000002\n"
	     "20 0 7 p:tcp_connect sk=99 family=10 lport=40000 dport=0x5000\n",
	     TCP_HEAD "5       curl         6  -                2001:db8::2      80\n", ON(V3_10)),
	TEXT("counted there", "tcpconnect -c", CURL CALL4("10", "7") CALL4("20", "7"),
	     "LADDR                     RADDR                     RPORT                CONNECTS\n"
	     "10.0.0.1                  192.0.2.2                 443                  2\n",
	     ON(V3_10)),
};

#define TOOLS(TOOL) TOOL(tcpconnect)
PROGRAM_SUITE(programs_connects, TOOLS)
