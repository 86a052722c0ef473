// SPDX-License-Identifier: GPL-2.0
/* The tools about lives of connections over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define TASKS		"task 7 5 curl\n" "task 8 8 nginx\n" "task 9 9 other\n"

/*
 * Changes of state: by the tracepoint, and by the function, which has ports of others in network
 * order.
 */
#define EVENT(TIME, TID, SK, OLD, NEW, ...) TIME " 0 " TID " sock:inet_sock_set_state sk=" SK \
	" oldstate=" OLD \
	" newstate=" NEW " protocol=6 " __VA_ARGS__ "\n"
#define CALL(TIME, TID, SK, OLD, NEW, ...) TIME " 0 " TID " p:tcp_set_state sk=" SK " oldstate=" \
OLD " newstate=" NEW \
	" " __VA_ARGS__ "\n"
#define ACCEPTED(TIME, TID, SK, ...)	TIME " 0 " TID " r:inet_csk_accept sk=" SK " " __VA_ARGS__ \
"\n"
#define CLIENT		"family=2 saddr=x0a000001 lport=40000 daddr=xc0000202 dport=443"
#define CLIENT_CALL	"family=2 saddr=x0a000001 lport=40000 daddr=xc0000202 dport=0xbb01"
#define SERVER		"family=2 saddr=x0a000001 lport=80 daddr=xc0000203 dport=50000"
#define SERVER_CALL	"family=2 saddr=x0a000001 lport=80 daddr=xc0000203 dport=0x50c3"
#define SERVER6		"family=10 saddr6=x20010db8000000000000000000000001 lport=80 " \
			"daddr6=x20010db8000000000000000000000002 dport=50000"
#define MAPPED		"family=10 saddr6=x00000000000000000000ffff0a000001 lport=80 " \
			"daddr6=x00000000000000000000ffffc0000203 dport=50000"
#define EVENTS		.without = "kprobes"

/*
 * tcplife. States: 1 ESTABLISHED 2 SYN_SENT 3 SYN_RECV 4 FIN_WAIT1 5 FIN_WAIT2 7 CLOSE 8 CLOSE_WAIT
 * 9 LAST_ACK 10 LISTEN.
 */

#define LIFE_HEAD	"PID   COMM       LADDR           LPORT RADDR           RPORT TX_KB " \
			"RX_KB MS\n"
#define CLIENT_ENDS	"10.0.0.1        40000 192.0.2.2       443  "
#define SERVER_ENDS	"10.0.0.1        80    192.0.2.3       50000"
/* A program connects, and closes first; what is current in between has nothing to do with it. */
#define CLIENT_LIFE(SK) \
	EVENT("1000000", "7", SK, "7", "2", "family=2") \
	EVENT("2000000", "9", SK, "2", "1", CLIENT) \
	EVENT("3000000", "9", SK, "1", "4", CLIENT) EVENT("4000000", "9", SK, "4", "5", CLIENT) \
	EVENT("5000000", "9", SK, "5", "7", CLIENT)
#define SERVER_BEGINS(SK, ...)	EVENT("1000000", "9", SK, "10", "3", "family=2") \
EVENT("1100000", "9", SK, "3", "1", __VA_ARGS__)

/* A client's connection on a kernel that does not count its bytes, and calls for it. */
#define CALL_BEGINS	CALL("1000000", "7", "99", "7", "2", "family=2")
#define CALL_ENDS	CALL("3000000", "9", "99", "1", "7", CLIENT_CALL)
#define CALL_ROW(TX, RX)	"5     curl       " CLIENT_ENDS "     " TX "     " RX " 2.00\n"
#define SENDS(TID, SK, RET)	"1500000 0 " TID " p:tcp_sendmsg sk=" SK "\n" "1500000 0 " TID \
	" r:tcp_sendmsg ret=" RET "\n"
#define PAGE(TID, RET)		"1500000 0 " TID " p:tcp_sendpage sk=99\n" "1500000 0 " TID \
" r:tcp_sendpage ret=" RET "\n"
#define RECEIVES(TID, FLAGS)	"2000000 0 " TID " p:tcp_recvmsg sk=99 flags=" FLAGS "\n"
#define GIVES(TID, COPIED)	"2000000 0 " TID " p:tcp_cleanup_rbuf sk=99 copied=" COPIED "\n"

static const struct program_row tcplife_rows[] = {
	TEXT("a client: who connects", "tcplife", TASKS CLIENT_LIFE("99"),
	     LIFE_HEAD "5     curl       " CLIENT_ENDS "     -     - 4.00\n", EVENTS),
	TEXT("a server that closes second", "tcplife", TASKS SERVER_BEGINS("99", SERVER)
	     EVENT("2000000", "9", "99", "1", "8", SERVER)
	     EVENT("3000000", "8", "99", "8", "9", SERVER)
	     EVENT("4000000", "9", "99", "9", "7", SERVER), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     -     - 3.00\n", EVENTS),
	TEXT("a server that closes first", "tcplife", TASKS SERVER_BEGINS("99", SERVER)
	     EVENT("3000000", "8", "99", "1", "4", SERVER)
	     EVENT("4000000", "9", "99", "5", "7", SERVER),
	     LIFE_HEAD "8     nginx      " SERVER_ENDS "     -     - 3.00\n", EVENTS),
	TEXT("a server that is reset: nobody knows whose", "tcplife",
	     TASKS SERVER_BEGINS("99", SERVER)
	     EVENT("3000000", "9", "99", "1", "7", SERVER), LIFE_HEAD "-     -          "
	     SERVER_ENDS "     -     - 2.00\n", EVENTS),
	TEXT("unless the accept was seen", "tcplife",
	     TASKS CALL("1000000", "9", "99", "3", "1", SERVER_CALL)
	     ACCEPTED("2000000", "8", "99") CALL("3000000", "9", "99", "1", "7",
						 SERVER_CALL " tx=2048 rx=1023"),
	     LIFE_HEAD "8     nginx      " SERVER_ENDS "     2     0 2.00\n"),
	TEXT("an accept before the handshake was seen to end", "tcplife",
	     TASKS ACCEPTED("500000", "8", "99", "state=3")
	     CALL("1000000", "9", "99", "3", "1", SERVER_CALL)
	     CALL("3000000", "9", "99", "1", "7", SERVER_CALL),
	     LIFE_HEAD "8     nginx      " SERVER_ENDS "     0     0 2.00\n"),
	TEXT("the closing task owns it, not the accepting one", "tcplife",
	     TASKS CALL("1000000", "9", "99", "3", "1", SERVER_CALL)
	     ACCEPTED("2000000", "7", "99") CALL("3000000", "8", "99", "1", "4", SERVER_CALL)
	     CALL("4000000", "9", "99", "5", "7", SERVER_CALL), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     0     0 3.00\n"),
	TEXT("an accept that fails, and one of a connection that was there before", "tcplife",
	     TASKS ACCEPTED("1", "8", "0") ACCEPTED("2", "8", "98", "state=1")
	     CALL("3", "9", "98", "1", "7", SERVER_CALL), LIFE_HEAD),
	TEXT("refused", "tcplife", TASKS EVENT("1000000", "7", "99", "7", "2", "family=2")
	     EVENT("1500000", "9", "99", "2", "7", CLIENT), LIFE_HEAD "5     curl       "
	     CLIENT_ENDS "     -     - 0.50\n", EVENTS),
	TEXT("a connection that began before", "tcplife",
	     TASKS EVENT("10", "7", "99", "1", "4", CLIENT)
	     EVENT("20", "9", "99", "4", "5", CLIENT) EVENT("30", "9", "99", "5", "7", CLIENT),
	     LIFE_HEAD, EVENTS),
	TEXT("listeners and other protocols", "tcplife",
	     TASKS EVENT("10", "8", "99", "7", "10", SERVER)
	     EVENT("20", "8", "99", "10", "7", SERVER)
	     "30 0 7 sock:inet_sock_set_state sk=98 oldstate=7 newstate=2 protocol=132\n"
	     "40 0 7 sock:inet_sock_set_state sk=98 oldstate=2 newstate=7 protocol=132\n",
	     LIFE_HEAD, EVENTS),
	TEXT("a socket's address is used again", "tcplife", TASKS CLIENT_LIFE("99")
	     EVENT("6000000", "9", "99", "7", "7", CLIENT)
	     EVENT("7000000", "9", "99", "10", "3", "family=2")
	     EVENT("8000000", "9", "99", "3", "1", SERVER)
	     EVENT("9000000", "9", "99", "1", "7", SERVER),
	     LIFE_HEAD "5     curl       " CLIENT_ENDS "     -     - 4.00\n" "-     -          "
	     SERVER_ENDS "     -     - 2.00\n", EVENTS),
	TEXT("the same where its end was missed", "tcplife",
	     TASKS CALL("1000000", "7", "99", "7", "2", "family=2")
	     CALL("8000000", "9", "99", "3", "1", SERVER_CALL)
	     CALL("9000000", "9", "99", "1", "7", SERVER_CALL),
	     LIFE_HEAD "-     -          " SERVER_ENDS "     0     0 1.00\n"),
	TEXT("both connect to each other", "tcplife",
	     TASKS EVENT("1000000", "7", "99", "7", "2", "family=2")
	     EVENT("2000000", "9", "99", "2", "3", CLIENT)
	     EVENT("3000000", "9", "99", "3", "1", CLIENT)
	     EVENT("5000000", "9", "99", "1", "7", CLIENT), LIFE_HEAD "5     curl       "
	     CLIENT_ENDS "     -     - 4.00\n", EVENTS),
	TEXT("a child that another packet made, too, is no connection", "tcplife", TASKS
	     EVENT("1000000", "9", "98", "10", "3", "family=2")
	     EVENT("1200000", "9", "98", "3", "7", SERVER)
	     SERVER_BEGINS("99", SERVER) EVENT("3000000", "9", "99", "1", "7", SERVER),
	     LIFE_HEAD "-     -          " SERVER_ENDS "     -     - 2.00\n", EVENTS),
	TEXT("but one that was handed to a program is, before its handshake ends", "tcplife", TASKS
	     "1000000 0 9 sock:inet_sock_set_state sk=99 oldstate=10 newstate=3 protocol=6\n"
	     ACCEPTED("2000000", "8", "99")
	     EVENT("3000000", "9", "99", "3", "7", SERVER), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     0     0 2.00\n",
	     .without = "btf"),
	TEXT("a gap between: not shown", "tcplife",
	     TASKS EVENT("10", "7", "99", "7", "2", "family=2") "gap 0 12 15 3\n"
	     EVENT("20", "9", "99", "2", "7", CLIENT), LIFE_HEAD, .lost = 3,
	     .unpaired = 1, EVENTS),
	TEXT("a process that connected or closed; never an unknown one",
	     "tcplife -p 8",
	     TASKS CLIENT_LIFE("97") SERVER_BEGINS("98", SERVER)
	     EVENT("3000000", "9", "98", "1", "7", SERVER)
	     SERVER_BEGINS("96", SERVER) EVENT("3000000", "9", "96", "1", "4", SERVER)
	     EVENT("3000000", "9", "96", "5", "7", SERVER)
	     SERVER_BEGINS("99", SERVER) EVENT("3000000", "8", "99", "1", "4", SERVER)
	     EVENT("4000000", "9", "99", "4", "7", SERVER), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     -     - 3.00\n", EVENTS),
	TEXT("a process that accepted", "tcplife -p 8",
	     TASKS CALL("1000000", "9", "99", "3", "1", SERVER_CALL)
	     ACCEPTED("2000000", "8", "99") CALL("1000000", "9", "98", "3", "1", SERVER_CALL)
	     ACCEPTED("2000000", "7", "98")
	     CALL("3000000", "9", "98", "1", "7", SERVER_CALL)
	     CALL("3000000", "9", "99", "1", "7", SERVER_CALL),
	     LIFE_HEAD "8     nginx      " SERVER_ENDS "     0     0 2.00\n"),
	TEXT("a name", "tcplife --name ur", TASKS CLIENT_LIFE("97") SERVER_BEGINS("98", SERVER)
	     EVENT("3000000", "9", "98", "1", "7", SERVER), LIFE_HEAD "5     curl       "
	     CLIENT_ENDS "     -     - 4.00\n", EVENTS),
	TEXT("ports", "tcplife -L 80 -D 50000,9", TASKS CLIENT_LIFE("97")
	     SERVER_BEGINS("98", SERVER)
	     EVENT("3000000", "9", "98", "1", "7", SERVER), LIFE_HEAD "-     -          "
	     SERVER_ENDS "     -     - 2.00\n", EVENTS),
	TEXT("other ports", "tcplife -D 80", TASKS CLIENT_LIFE("97") SERVER_BEGINS("98", SERVER)
	     EVENT("3000000", "9", "98", "1", "7", SERVER), LIFE_HEAD, EVENTS),
	TEXT("IPv6", "tcplife -6", TASKS CLIENT_LIFE("97") SERVER_BEGINS("98", SERVER6)
	     EVENT("3000000", "9", "98", "1", "7", SERVER6),
	     LIFE_HEAD "-     -          2001:db8::1     80    2001:db8::2     50000     -     - "
		       "2.00\n", EVENTS),
	TEXT("wide, with times", "tcplife -w -t -T", TASKS CLIENT_LIFE("97")
	     SERVER_BEGINS("98", MAPPED) EVENT("6500000", "9", "98", "1", "7", MAPPED),
	     "TIME     TIME(s)   PID   COMM             IP LADDR                      LPORT RADDR  "
	     "                    RPORT  TX_KB  RX_KB MS\n"
	     "00:00:00 0.000000  5     curl             4  10.0.0.1                   40000 "
	     "192.0.2.2                  443        -      - 4.00\n"
	     "00:00:00 0.001500  -     -                6  ::ffff:10.0.0.1            80    "
	     "::ffff:192.0.2.3           50000      -      - 5.50\n",
	     EVENTS),
	JSON("for machines", "tcplife", TASKS CALL("1000000", "7", "99", "7", "2", "family=2")
	     CALL("3000000", "9", "99", "2", "7", CLIENT_CALL " tx=100352 rx=5120"),
	     "{\"pid\":5,\"comm\":\"curl\",\"ip\":4,\"laddr\":\"10.0.0.1\",\"lport\":40000,"
	     "\"raddr\":\"192.0.2.2\",\"rport\":443,"
	     "\"tx_kb\":98,\"rx_kb\":5,\"ms\":2.00,\"tx_bytes\":100352,\"rx_bytes\":5120}\n"),
	JSON("for machines, before 4.1", "tcplife", TASKS CALL("1000000", "7", "99", "7", "2",
							       "family=2")
	     CALL("3000000", "9", "99", "2", "7", CLIENT_CALL),
	     "{\"pid\":5,\"comm\":\"curl\",\"ip\":4,\"laddr\":\"10.0.0.1\",\"lport\":40000,"
	     "\"raddr\":\"192.0.2.2\",\"rport\":443,\"tx_kb\":null,\"rx_kb\":null,"
	     "\"ms\":2.00,\"tx_bytes\":null,\"rx_bytes\":null}\n",
	     ON(V3_10), .without = "function:tcp_sendmsg"),
	TEXT("before 4.1: no counts", "tcplife", TASKS CALL("1000000", "7", "99", "7", "2",
							    "family=2")
	     CALL("3000000", "9", "99", "2", "7", CLIENT_CALL), LIFE_HEAD "5     curl       "
	     CLIENT_ENDS "     -     - 2.00\n",
	     ON(V3_10), .without = "function:tcp_sendmsg"),
	TEXT("but sums: of what calls took, if anything, and gave", "tcplife",
	     TASKS CALL_BEGINS SENDS("7", "99", "1000")
	     SENDS("7", "99", "-11") SENDS("8", "99", "47") PAGE("7", "1000") PAGE("7", "1")
	     SENDS("7", "99", "0")
	     RECEIVES("7", "0") GIVES("7", "3000") GIVES("7", "3000") GIVES("7", "0")
	     GIVES("7", "4096") GIVES("7", "-11")
	     RECEIVES("7", "0x2") GIVES("7", "5000") GIVES("7", "9000") RECEIVES("7", "0x2000")
	     GIVES("7", "5000")
	     RECEIVES("8", "0x40") GIVES("8", "1023") "2000000 0 7 p:tcp_read_sock sk=99\n"
	     GIVES("7", "1")
	     "2000000 0 7 p:tcp_read_sock sk=99\n" GIVES("7", "1") CALL_ENDS,
	     LIFE_HEAD CALL_ROW("2", "5"), ON(V3_10)),
	TEXT("to acknowledge at once is not to receive", "tcplife",
	     TASKS CALL_BEGINS GIVES("7", "1") GIVES("8", "1")
	     RECEIVES("7", "0") GIVES("7", "1023") GIVES("7", "1") CALL_ENDS,
	     LIFE_HEAD CALL_ROW("0", "0"), ON(V3_10)),
	TEXT("others' sockets have their own", "tcplife", TASKS CALL_BEGINS SENDS("7", "98", "5000")
	     "2000000 0 7 p:tcp_recvmsg sk=98 flags=0\n2000000 0 7 p:tcp_cleanup_rbuf sk=98 "
	     "copied=5000\n" CALL_ENDS,
	     LIFE_HEAD CALL_ROW("0", "0"), ON(V3_10)),
	TEXT("a return that was missed: not known", "tcplife", TASKS CALL_BEGINS
	     "1400000 0 7 p:tcp_sendmsg sk=99\n"
	     SENDS("7", "99", "2048") RECEIVES("7", "0") GIVES("7", "2048") CALL_ENDS,
	     LIFE_HEAD CALL_ROW("-", "2"), ON(V3_10)),
	TEXT("a call that sends when it ends: not known", "tcplife",
	     TASKS CALL_BEGINS SENDS("7", "99", "2048")
	     "2000000 0 8 p:tcp_sendmsg sk=99\n" CALL_ENDS "4000000 0 8 r:tcp_sendmsg ret=2048\n",
	     LIFE_HEAD CALL_ROW("-", "0"), ON(V3_10)),
	TEXT("a page that is sent as any bytes are: not known", "tcplife", TASKS CALL_BEGINS
	     "1400000 0 7 p:tcp_sendpage sk=99\n"
	     SENDS("7", "99", "2048") "1600000 0 7 r:tcp_sendpage ret=2048\n" CALL_ENDS,
	     LIFE_HEAD CALL_ROW("-", "0"), ON(V3_10)),
	TEXT("a call that sends and connects: not known", "tcplife",
	     TASKS "900000 0 7 p:tcp_sendmsg sk=99\n" CALL_BEGINS
	     "2000000 0 7 r:tcp_sendmsg ret=2048\n" CALL_ENDS, LIFE_HEAD CALL_ROW("-", "0"),
	     ON(V3_10)),
	TEXT("two threads in calls that receive: not known", "tcplife",
	     TASKS CALL_BEGINS RECEIVES("7", "0") RECEIVES("8", "0")
	     GIVES("8", "2048") GIVES("7", "1024") SENDS("7", "99", "1024") CALL_ENDS,
	     LIFE_HEAD CALL_ROW("1", "-"), ON(V3_10)),
	TEXT("a socket's address is used again: a sum of its own", "tcplife",
	     TASKS CALL("10", "7", "99", "7", "2", "family=2")
	     "20 0 7 p:tcp_sendmsg sk=99\n" "30 0 7 r:tcp_sendmsg ret=2048\n"
	     CALL("40", "9", "99", "1", "7", CLIENT_CALL)
	     CALL_BEGINS SENDS("7", "99", "1024") CALL_ENDS, LIFE_HEAD "5     curl       "
	     CLIENT_ENDS "     2     0 0.00\n"
	     CALL_ROW("1", "0"), ON(V3_10)),
	TEXT("one that was accepted early", "tcplife",
	     TASKS ACCEPTED("500000", "8", "99", "state=3")
	     CALL("1000000", "9", "99", "3", "1", SERVER_CALL) SENDS("8", "99", "1024")
	     RECEIVES("8", "0") GIVES("8", "1024")
	     CALL("3000000", "9", "99", "1", "7", SERVER_CALL), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     1     1 2.00\n", ON(V3_10)),
	TEXT("so early that calls came before it was known: not known", "tcplife",
	     TASKS ACCEPTED("500000", "8", "99", "state=3")
	     "600000 0 9 p:tcp_sendmsg sk=99\n" "600000 0 8 p:tcp_recvmsg sk=99 flags=0\n"
	     CALL("1000000", "9", "99", "3", "1", SERVER_CALL)
	     "1100000 0 9 r:tcp_sendmsg ret=1024\n" GIVES("8", "1024")
	     CALL("3000000", "9", "99", "1", "7", SERVER_CALL), LIFE_HEAD "8     nginx      "
	     SERVER_ENDS "     -     - 2.00\n", ON(V3_10)),
	TEXT("no addresses of IPv6 there", "tcplife",
	     TASKS CALL("1000000", "9", "99", "3", "1", "family=10")
	     CALL("3000000", "9", "99", "1", "7", "family=10 lport=80 dport=0x50c3"),
	     LIFE_HEAD "-     -          -               80    -               50000     0     0 "
		       "2.00\n", ON(V3_10)),
};

/* tcpaccept */

#define ACCEPT_HEAD	"PID     COMM         IP RADDR            RPORT LADDR            LPORT\n"
#define ACCEPT_ROW	"8       nginx        4  192.0.2.3        50000 10.0.0.1         80\n"

static const struct program_row tcpaccept_rows[] = {
	TEXT("one, and a call that fails", "tcpaccept", TASKS ACCEPTED("10", "8", "99", SERVER_CALL)
	     ACCEPTED("20", "8", "0"),
	     ACCEPT_HEAD ACCEPT_ROW),
	TEXT("ports", "tcpaccept -P 80", TASKS ACCEPTED("10", "8", "99", SERVER_CALL)
	     ACCEPTED("10", "8", "99", "family=2 lport=81"), ACCEPT_HEAD ACCEPT_ROW),
	TEXT("a process", "tcpaccept -p 8", TASKS ACCEPTED("10", "8", "99", SERVER_CALL)
	     ACCEPTED("20", "9", "98", SERVER_CALL),
	     ACCEPT_HEAD ACCEPT_ROW),
	TEXT("one family, with times", "tcpaccept -6 -T -t",
	     TASKS ACCEPTED("10", "8", "99", SERVER_CALL)
	     ACCEPTED("20", "8", "98", "family=10 saddr6=x00000000000000000000000000000001 "
	     "daddr6=x00000000000000000000000000000001 lport=80 dport=0x50c3"),
	     "TIME      TIME(s)   " ACCEPT_HEAD "00:00:00  0.000     8       nginx        6  ::1   "
						"           50000 ::1              80\n"),
	JSON("for machines", "tcpaccept -4", TASKS ACCEPTED("10", "8", "99", SERVER_CALL),
	     "{\"pid\":8,\"comm\":\"nginx\",\"ip\":4,\"raddr\":\"192.0.2.3\",\"rport\":50000,"
	     "\"laddr\":\"10.0.0.1\",\"lport\":80}\n"),
	TEXT("before 3.13 there are no addresses of IPv6", "tcpaccept",
	     TASKS ACCEPTED("10", "8", "99", SERVER_CALL)
	     ACCEPTED("20", "8", "98", "family=10 lport=80 dport=0x50c3"),
	     ACCEPT_HEAD ACCEPT_ROW "8       nginx        6  -                50000 -              "
				    "  80\n", ON(V3_10)),
};

/* tcpstates */

#define STATES_HEAD	"SKADDR           C-PID C-COMM     LADDR           LPORT RADDR           " \
			"RPORT OLDSTATE    -> NEWSTATE    MS\n"
#define STATE_ROW(WHO, ENDS, OLD, NEW, MS)	"63               " WHO " " ENDS " " OLD " -> " \
NEW " " MS "\n"
#define NOBODY		"-     -         "
#define CURL		"5     curl      "
#define NGINX		"8     nginx     "

static const struct program_row tcpstates_rows[] = {
	TEXT("a connection; tasks only where they act", "tcpstates", TASKS CLIENT_LIFE("99"),
	     STATES_HEAD STATE_ROW(CURL, "0.0.0.0         0     0.0.0.0         0    ",
				   "CLOSE      ", "SYN_SENT   ", "-")
	     STATE_ROW(NOBODY, CLIENT_ENDS, "SYN_SENT   ", "ESTABLISHED", "1.000")
	     STATE_ROW("9     other     ", CLIENT_ENDS, "ESTABLISHED", "FIN_WAIT1  ", "1.000")
	     STATE_ROW(NOBODY, CLIENT_ENDS, "FIN_WAIT1  ", "FIN_WAIT2  ", "1.000")
	     STATE_ROW(NOBODY, CLIENT_ENDS, "FIN_WAIT2  ", "CLOSE      ", "1.000")),
	TEXT("the same state again is no change", "tcpstates -L 80",
	     TASKS EVENT("1000000", "8", "99", "1", "4", SERVER)
	     EVENT("2000000", "9", "99", "4", "4", SERVER)
	     EVENT("4000000", "9", "99", "4", "5", SERVER),
	     STATES_HEAD STATE_ROW(NGINX, SERVER_ENDS, "ESTABLISHED", "FIN_WAIT1  ", "-")
	     STATE_ROW(NOBODY, SERVER_ENDS, "FIN_WAIT1  ", "FIN_WAIT2  ", "3.000")),
	TEXT("a listener, and its child", "tcpstates -L 80",
	     TASKS EVENT("1000000", "8", "99", "7", "10", SERVER)
	     EVENT("2000000", "9", "98", "10", "3", SERVER)
	     EVENT("3000000", "8", "99", "10", "7", SERVER)
	     EVENT("4000000", "9", "99", "7", "2", CLIENT),
	     STATES_HEAD STATE_ROW(NGINX, SERVER_ENDS, "CLOSE      ", "LISTEN     ", "-")
	     "62               " NOBODY " " SERVER_ENDS " LISTEN      -> SYN_RECV    -\n"
	     STATE_ROW(NGINX, SERVER_ENDS, "LISTEN     ", "CLOSE      ", "2.000")),
	TEXT("a socket's address is used again, and its end was missed", "tcpstates -L 80",
	     TASKS EVENT("1000000", "8", "99", "1", "9", SERVER)
	     EVENT("2000000", "9", "99", "10", "3", SERVER)
	     EVENT("3000000", "9", "99", "3", "1", SERVER),
	     STATES_HEAD STATE_ROW(NGINX, SERVER_ENDS, "ESTABLISHED", "LAST_ACK   ", "-")
	     STATE_ROW(NOBODY, SERVER_ENDS, "LISTEN     ", "SYN_RECV   ", "-")
	     STATE_ROW(NOBODY, SERVER_ENDS, "SYN_RECV   ", "ESTABLISHED", "1.000")),
	TEXT("the same before 4.16", "tcpstates -L 80",
	     TASKS CALL("1000000", "8", "99", "8", "9", SERVER_CALL)
	     CALL("3000000", "9", "99", "3", "1", SERVER_CALL)
	     CALL("4000000", "9", "99", "1", "77", SERVER_CALL),
	     STATES_HEAD STATE_ROW(NGINX, SERVER_ENDS, "CLOSE_WAIT ", "LAST_ACK   ", "-")
	     STATE_ROW(NOBODY, SERVER_ENDS, "SYN_RECV   ", "ESTABLISHED", "-")
	     STATE_ROW(NOBODY, SERVER_ENDS, "ESTABLISHED", "77         ", "1.000"), ON(V3_10)),
	TEXT("a gap between: the time is not known", "tcpstates -D 443",
	     TASKS EVENT("10", "7", "99", "7", "2", CLIENT)
	     "gap 0 12 15 3\n" EVENT("20", "9", "99", "2", "7", CLIENT),
	     STATES_HEAD STATE_ROW(CURL, CLIENT_ENDS, "CLOSE      ", "SYN_SENT   ", "-")
	     STATE_ROW(NOBODY, CLIENT_ENDS, "SYN_SENT   ", "CLOSE      ", "-"), 3),
	JSON("for machines", "tcpstates -t -6", TASKS EVENT("10", "7", "99", "7", "2", CLIENT)
	     EVENT("20", "9", "98", "8", "9", SERVER6),
	     "{\"time_s\":0.000000,\"skaddr\":\"62\",\"pid\":9,\"comm\":\"other\",\"ip\":6,"
	     "\"laddr\":\"2001:db8::1\",\"lport\":80,"
	     "\"raddr\":\"2001:db8::2\",\"rport\":50000,\"oldstate\":\"CLOSE_WAIT\","
	     "\"newstate\":\"LAST_ACK\",\"ms\":null}\n"),
};

#define TOOLS(TOOL) TOOL(tcplife) TOOL(tcpaccept) TOOL(tcpstates)
PROGRAM_SUITE(programs_sessions, TOOLS)
