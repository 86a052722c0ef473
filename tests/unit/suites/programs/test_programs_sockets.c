// SPDX-License-Identifier: GPL-2.0
/* Tools about what programs do with sockets, over records; see program_rows.h. */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CURL	"task 7 5 curl\n" "task 8 8 wget\n"

/* tcptop; 80 and 443 in network order. */

#define ENDS4	"family=2 lport=40000 dport=0x5000 saddr=x0a000001 daddr=xc0000202"
#define ENDS6	"family=10 lport=40001 dport=0xbb01 " \
		"saddr6=x20010db8000000000000000000000001 daddr6=x20010db8000000000000000000000002"
#define SENDS(TIME, TID, ENDS)	TIME " 0 " TID " p:tcp_sendmsg " ENDS "\n"
#define SENT(TIME, TID, RET)	TIME " 0 " TID " r:tcp_sendmsg ret=" RET "\n"
#define RECEIVES(TIME, TID, SK, FLAGS) \
	TIME " 0 " TID " p:tcp_recvmsg sk=" SK " flags=" FLAGS "\n"
#define TOOK(TIME, TID, SK, COPIED, ENDS) \
	TIME " 0 " TID " p:__tcp_cleanup_rbuf sk=" SK " copied=" COPIED " " ENDS "\n"
#define MOVED_BY(PID, COMM, ENDS, RX, TX) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":" PID ",\"comm\":\"" COMM "\"," ENDS \
	",\"rx_kb\":0,\"tx_kb\":0,\"rx_bytes\":" RX ",\"tx_bytes\":" TX "}\n"
#define SHOWN4	"\"laddr\":\"10.0.0.1\",\"lport\":40000,\"raddr\":\"192.0.2.2\",\"rport\":80"
#define SHOWN6	"\"laddr\":\"2001:db8::1\",\"lport\":40001,\"raddr\":\"2001:db8::2\",\"rport\":443"
#define MOVED(ENDS, RX, TX)	MOVED_BY("5", "curl", ENDS, RX, TX)
#define SUBNET(NET, RX, TX) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"subnet\":\"" NET "\",\"rx_kb\":0," \
	"\"tx_kb\":0,\"rx_bytes\":" RX ",\"tx_bytes\":" TX "}\n"
#define LENGTH(TIME, WHAT, MORE) \
	TIME " 0 7 sock:sock_" WHAT "_length sk=99 family=2 " MORE "\n"

static const struct program_row tcptop_rows[] = {
	JSON("what calls have sent, not what failed", "tcptop", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "1000") SENDS("30", "7", ENDS4)
	     SENT("40", "7", "-11") SENDS("50", "7", ENDS4) SENT("60", "7", "20"),
	     MOVED(SHOWN4, "0", "1020")),
	JSON("a call that another one makes is one call", "tcptop", CURL
	     "10 0 7 p:tcp_sendpage " ENDS4 "\n" SENDS("20", "7", ENDS4)
	     SENT("30", "7", "500") "40 0 7 r:tcp_sendpage ret=500\n",
	     MOVED(SHOWN4, "0", "500")),
	JSON("by control group", "tcptop --by-cgroup", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "1000") SENDS("30", "7", ENDS6)
	     SENT("40", "7", "30"),
	     "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"rx_kb\":0,\"tx_kb\":1,"
	     "\"rx_bytes\":0,\"tx_bytes\":1030,\"cgroup\":null}\n"),
	JSON("a return whose call began before", "tcptop", CURL SENT("20", "7", "1000"), ""),
	JSON("a call reports what it has taken so far", "tcptop", CURL
	     RECEIVES("10", "7", "99", "0") TOOK("20", "7", "99", "0", ENDS6)
	     TOOK("30", "7", "99", "700", ENDS6) TOOK("40", "7", "99", "900", ENDS6)
	     RECEIVES("50", "7", "99", "0") TOOK("60", "7", "99", "100", ENDS6)
	     RECEIVES("70", "7", "99", "0") TOOK("80", "7", "99", "-11", ENDS6),
	     MOVED(SHOWN6, "1000", "0")),
	JSON("TCP_QUICKACK is no byte", "tcptop", CURL
	     TOOK("10", "7", "99", "1", ENDS4) RECEIVES("20", "7", "99", "0")
	     TOOK("30", "7", "99", "50", ENDS4) TOOK("40", "7", "99", "1", ENDS4)
	     RECEIVES("50", "7", "99", "0") TOOK("60", "7", "99", "-11", ENDS4)
	     TOOK("70", "7", "99", "1", ENDS4), MOVED(SHOWN4, "50", "0")),
	JSON("looking takes nothing", "tcptop", CURL
	     RECEIVES("10", "7", "99", "2") TOOK("20", "7", "99", "700", ENDS4)
	     RECEIVES("30", "7", "99", "0x2000") TOOK("40", "7", "99", "700", ENDS4), ""),
	JSON("nor does the kernel for itself", "tcptop", CURL
	     "10 0 7 p:tcp_read_sock sk=99\n" TOOK("20", "7", "99", "700", ENDS4), ""),
	JSON("a call that began before", "tcptop", CURL
	     TOOK("10", "7", "99", "700", ENDS4) TOOK("20", "7", "99", "900", ENDS4),
	     MOVED(SHOWN4, "900", "0")),
	JSON("two threads that wait for one socket", "tcptop", CURL "task 6 5 curl\n"
	     RECEIVES("10", "7", "99", "0") TOOK("20", "7", "99", "0", ENDS4)
	     RECEIVES("30", "6", "99", "0") TOOK("40", "6", "99", "10", ENDS4)
	     TOOK("50", "7", "99", "10", ENDS4) TOOK("60", "7", "99", "30", ENDS4),
	     MOVED(SHOWN4, "40", "0")),
	JSON("most first; both directions count", "tcptop", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "500")
	     RECEIVES("30", "7", "99", "0") TOOK("40", "7", "99", "300", ENDS4)
	     SENDS("50", "8", ENDS4) SENT("60", "8", "600"),
	     MOVED(SHOWN4, "300", "500") MOVED_BY("8", "wget", SHOWN4, "0", "600")),
	JSON("sorted by what was sent", "tcptop -s sent", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "500")
	     RECEIVES("30", "7", "99", "0") TOOK("40", "7", "99", "300", ENDS4)
	     SENDS("50", "8", ENDS4) SENT("60", "8", "600"),
	     MOVED_BY("8", "wget", SHOWN4, "0", "600") MOVED(SHOWN4, "300", "500")),
	TEXT("in Kbits", "tcptop -S --subnet 192.0.2.0/24 -f k", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "4096"),
	     "\nSUBNET                   RX_Kbit    TX_Kbit\n"
	     "192.0.2.0/24                   0         32\n"),
	TEXT("in bytes", "tcptop -S --subnet 192.0.2.0/24 -f B", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "4097"),
	     "\nSUBNET                      RX_B       TX_B\n"
	     "192.0.2.0/24                   0       4097\n"),
	JSON("JSON has bytes", "tcptop --json --subnet 192.0.2.0/24 -f M", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "512"), SUBNET("192.0.2.0/24", "0", "512")),
	JSON("a process, the first rows", "tcptop -p 8 -r 1", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "500")
	     RECEIVES("30", "7", "99", "0") TOOK("40", "7", "99", "300", ENDS4)
	     SENDS("50", "8", ENDS4) SENT("60", "8", "600")
	     RECEIVES("70", "8", "98", "0") TOOK("80", "8", "98", "300", ENDS6),
	     MOVED_BY("8", "wget", SHOWN4, "0", "600")),
	JSON("IPv6", "tcptop -6", CURL SENDS("10", "7", ENDS4) SENT("20", "7", "500")
	     TOOK("30", "7", "99", "300", ENDS4) TOOK("40", "7", "98", "200", ENDS6),
	     MOVED(SHOWN6, "200", "0")),
	JSON("networks", "tcptop --subnet 192.0.2.0/31,192.0.2.0/24,0.0.0.0/0,2001:db8::/33", CURL
	     SENDS("10", "7", ENDS4) SENT("20", "7", "500")
	     SENDS("30", "8", ENDS4) SENT("40", "8", "400")
	     TOOK("50", "7", "98", "200", ENDS6),
	     SUBNET("192.0.2.0/24", "0", "900") SUBNET("2001:db8::/33", "200", "0")),
	JSON("IPv4 on a socket of IPv6", "tcptop --subnet 192.0.2.2", CURL
	     TOOK("50", "7", "98", "200", "family=10 lport=1 dport=2 "
		  "saddr6=x00000000000000000000ffff0a000001 "
		  "daddr6=x00000000000000000000ffffc0000202"),
	     SUBNET("192.0.2.2", "200", "0")),
	TEXT("for people", "tcptop", CURL SENDS("10", "7", ENDS4) SENT("20", "7", "4096"),
	     "\n00:00:00 loadavg: ", .begins = true),
	TEXT("without the load", "tcptop -S", CURL SENDS("10", "7", ENDS4) SENT("20", "7", "4096")
	     TOOK("50", "7", "98", "2048", ENDS6),
	     "\n"
	     "PID     COMM         LADDR                 RADDR                   RX_KB   TX_KB\n"
	     "5       curl         10.0.0.1:40000        192.0.2.2:80                0       4\n"
	     "5       curl         [2001:db8::1]:40001   [2001:db8::2]:443           2       0\n"),
	JSON("no kprobes: other events tell the ends", "tcptop", CURL
	     LENGTH("5", "send", "protocol=6 ret=7 flags=0")
	     "10 0 0 sock:inet_sock_set_state sk=99 newstate=1 family=2 protocol=6 lport=40000 "
	     "dport=80 saddr=x0a000001 daddr=xc0000202\n"
	     LENGTH("20", "send", "protocol=6 ret=500 flags=0x4000")
	     LENGTH("30", "send", "protocol=6 ret=-11 flags=0")
	     LENGTH("40", "recv", "protocol=6 ret=200 flags=2")
	     LENGTH("50", "recv", "protocol=6 ret=300 flags=0")
	     LENGTH("60", "recv", "protocol=17 ret=300 flags=0"),
	     MOVED(SHOWN4, "300", "500")
	     MOVED("\"laddr\":null,\"lport\":null,\"raddr\":null,\"rport\":null", "0", "7"),
	     ON(V7_2), .without = "kprobes"),
	JSON("a connection that was there before is known when it receives", "tcptop", CURL
	     "10 0 7 tcp:tcp_rcv_space_adjust sk=99 family=2 lport=40000 "
	     "dport=80 saddr=x0a000001 daddr=xc0000202\n"
	     LENGTH("50", "recv", "protocol=6 ret=300 flags=0"),
	     MOVED(SHOWN4, "300", "0"), ON(V7_2), .without = "kprobes"),
};

/* tcpdrop, without packets' headers: only programs in the kernel read these. */

#define DROP(TIME, PROTOCOL, REASON, LOCATION) \
	TIME " 0 7 skb:kfree_skb location=" LOCATION " protocol=" PROTOCOL " reason=" REASON "\n"
#define DROPPED(IP, REASON, LOCATION)	DROPPED_OF(IP, "", REASON, LOCATION)
#define DROPPED_OF(IP, PROTO, REASON, LOCATION) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":null,\"ip\":" IP "," \
	PROTO "\"saddr\":null," \
	"\"sport\":null,\"daddr\":null,\"dport\":null,\"state\":null,\"flags\":null," \
	"\"reason\":" REASON ",\"location\":\"" LOCATION "\"}\n"
#define PURGE		"103"		/* QUEUE_PURGE, on 7.2 */
#define NO_PROTO	"\"proto\":null,"
#define RESET(TIME, WHAT, MORE) \
	TIME " 0 7 tcp:tcp_" WHAT "_reset lport=22 rport=40000 " \
	"local=x00000000000000000000ffff0a000001 remote=x00000000000000000000ffffc0000202" MORE "\n"
#define RESET6(TIME, WHAT, MORE) \
	TIME " 0 7 tcp:tcp_" WHAT "_reset lport=22 rport=40000 " \
	"local=x20010db8000000000000000000000001 remote=x20010db8000000000000000000000002" MORE "\n"
#define RESET_HEAD \
	"TIME     PID     IP SADDR:SPORT          > DADDR:DPORT          RESET    STATE        " \
	"REASON\n"

static const struct program_row tcpdrop_rows[] = {
	JSON("IP packets, by the kernel's names of reasons", "tcpdrop",
	     DROP("10", "0x0800", "2", "0x1234") DROP("20", "0x86dd", "4", "0x1234")
	     DROP("30", "0x0806", "2", "0x1234") DROP("40", "0x0800", "1", "0x1234"),
	     DROPPED("4", "\"NO_SOCKET\"", "0x1234") DROPPED("6", "\"TCP_CSUM\"", "0x1234")),
	JSON("all packets; a subsystem's reason", "tcpdrop -a",
	     DROP("10", "0x0806", "0x10005", "0x1234") DROP("20", "0x0800", "1", "0x1234"),
	     DROPPED_OF("null", NO_PROTO, "\"subsystem 1: 5\"", "0x1234")
	     DROPPED_OF("4", NO_PROTO, "null", "0x1234")),
	JSON("a socket that closes", "tcpdrop", DROP("10", "0x0800", PURGE, "0x1234")
	     DROP("20", "0x0800", "3", "0x1234"), DROPPED("4", "\"NO_SOCKET\"", "0x1234"),
	     ON(V7_2)),
	JSON("a socket that closes, and all", "tcpdrop -a", DROP("10", "0x0800", PURGE, "0x1234"),
	     DROPPED_OF("4", NO_PROTO, "\"QUEUE_PURGE\"", "0x1234"), ON(V7_2)),
	JSON("a family", "tcpdrop -a -6", DROP("10", "0x0800", "2", "0x1234")
	     DROP("20", "0x86dd", "2", "0x1234") DROP("30", "0x0806", "2", "0x1234"),
	     DROPPED_OF("6", NO_PROTO, "\"NO_SOCKET\"", "0x1234")),
	TEXT("for people", "tcpdrop", DROP("10", "0x0800", "2", "0x1234"),
	     "TIME     PID     IP SADDR:SPORT          > DADDR:DPORT          STATE (FLAGS)        "
	     "REASON               LOCATION\n"
	     "00:00:00 -       4  -                    > -                    - (-)                "
	     "NO_SOCKET            0x1234\n"),
	TEXT("counted", "tcpdrop -c", DROP("10", "0x0800", "4", "0x1234")
	     DROP("20", "0x86dd", "2", "0x1234") DROP("30", "0x0800", "2", "0x1234"),
	     "REASON               LOCATION                                COUNT\n"
	     "NO_SOCKET            0x1234                                      2\n"
	     "TCP_CSUM             0x1234                                      1\n"),
	TEXT("who resets", "tcpdrop --resets", RESET("10", "send", " state=1")
	     RESET6("20", "receive", ""), RESET_HEAD
	     "00:00:00 -       4  10.0.0.1:22          > 192.0.2.2:40000      sent     "
	     "ESTABLISHED  -\n"
	     "00:00:00 -       6  [2001:db8::2]:40000  > [2001:db8::1]:22     received "
	     "-            -\n"),
	TEXT("who resets over IPv4", "tcpdrop --resets -4", RESET("10", "send", " state=1")
	     RESET6("20", "receive", ""), RESET_HEAD
	     "00:00:00 -       4  10.0.0.1:22          > 192.0.2.2:40000      sent     "
	     "ESTABLISHED  -\n"),
	TEXT("sockaddrs, and a reason", "tcpdrop --resets",
	     "10 0 7 tcp:tcp_send_reset state=0 reason=3 "
	     "local=x020000500a0000010000000000000000000000000000000000000000 "
	     "remote=x02009c40c00002020000000000000000000000000000000000000000\n", RESET_HEAD
	     "00:00:00 -       4  10.0.0.1:80          > 192.0.2.2:40000      sent     "
	     "-            "
	     "TCP_RFC7323_PAWS\n", ON(V7_2)),
};

/* nettop */

#define SENT_BY(TIME, DEVICE, LEN, RC) \
	TIME " 0 7 net:net_dev_xmit name=\"" DEVICE "\" len=" LEN " rc=" RC "\n"
#define CAME_BY(TIME, ENTRY, DEVICE, LEN) \
	CAME_BY_OF(TIME, ENTRY "_entry", DEVICE, LEN)
#define CAME_BY_OF(TIME, EVENT, DEVICE, LEN) \
	TIME " 0 7 net:" EVENT " name=\"" DEVICE "\" len=" LEN "\n"
#define ON_DEVICE(DEVICE, DIR, PACKETS, KB, BYTES, AVG, SIZES) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"device\":\"" DEVICE "\"," \
	"\"direction\":\"" DIR "\",\"packets\":" PACKETS ",\"kbytes\":" KB "," \
	"\"bytes\":" BYTES ",\"avg_size\":" AVG "," SIZES "}\n"
#define SIZES(A, B, C, D, E) \
	"\"below_64\":" A ",\"below_512\":" B ",\"below_2k\":" C ",\"below_16k\":" D \
	",\"above\":" E

static const struct program_row nettop_rows[] = {
	JSON("by device and direction, the most first; not what will be sent again", "nettop",
	     SENT_BY("10", "eth0", "63", "0") SENT_BY("20", "eth0", "64", "0")
	     SENT_BY("30", "eth0", "64", "16") CAME_BY_OF("40", "netif_rx", "lo", "16384")
	     CAME_BY("50", "napi_gro_receive", "eth0", "2048")
	     CAME_BY("60", "netif_receive_skb", "eth0", "2047")
	     CAME_BY("70", "napi_gro_frags", "eth0", "512"),
	     ON_DEVICE("lo", "rx", "1", "16", "16384", "16384", SIZES("0", "0", "0", "0", "1"))
	     ON_DEVICE("eth0", "rx", "3", "4", "4607", "1536", SIZES("0", "0", "2", "1", "0"))
	     ON_DEVICE("eth0", "tx", "2", "0", "127", "64", SIZES("1", "1", "0", "0", "0"))),
	JSON("a device", "nettop -n lo", SENT_BY("10", "lo0", "63", "0")
	     SENT_BY("20", "lo", "64", "0"),
	     ON_DEVICE("lo", "tx", "1", "0", "64", "64", SIZES("0", "1", "0", "0", "0"))),
	TEXT("queues: those of received packets are one more, or unknown", "nettop -q -S",
	     "10 0 7 net:net_dev_start_xmit name=\"eth0\" len=100 queue=3\n"
	     "20 0 7 net:napi_gro_receive_entry name=\"eth0\" len=200 queue=3\n"
	     "30 0 7 net:napi_gro_receive_entry name=\"eth0\" len=300 queue=0\n",
	     "\nDEVICE          DIR QUEUE   PACKETS    KBYTES    AVG     <64    <512     <2K    "
	     "<16K   >=16K\n"
	     "eth0            rx      -         1         0    300       0       1       0       0"
	     "       0\n"
	     "eth0            rx      2         1         0    200       0       1       0       0"
	     "       0\n"
	     "eth0            tx      3         1         0    100       0       1       0       0"
	     "       0\n"),
};

/* tcppktlat */

#define ARRIVES(TIME, COOKIE, LEN) \
	TIME " 1 0 tcp:tcp_probe cookie=" COOKIE " data_len=" LEN "\n"
#define READS(TIME, TID, COOKIE, MORE) \
	TIME " 0 " TID " tcp:tcp_rcv_space_adjust cookie=" COOKIE " lport=22 rport=40000 " \
	"laddr=x00000000000000000000ffff0a000001 raddr=x20010db8000000000000000000000002" MORE "\n"
#define GONE(TIME, COOKIE)	TIME " 0 0 tcp:tcp_destroy_sock cookie=" COOKIE "\n"
#define LATE_HEAD \
	"PID     TID     COMM             LADDR           LPORT RADDR           RPORT MS\n"
#define LATE(PID, TID, COMM, MS) \
	PID "       " TID "       " COMM "             10.0.0.1        22    2001:db8::2     " \
	"40000 " MS "\n"

static const struct program_row tcppktlat_rows[] = {
	TEXT("from the oldest segment that was not read", "tcppktlat", CURL
	     ARRIVES("1000000", "9", "5") ARRIVES("3000000", "9", "5")
	     READS("5500000", "7", "9", "") READS("5600000", "7", "9", ""),
	     LATE_HEAD LATE("5", "7", "curl", "4.50")),
	TEXT("without data; another socket; one that is gone", "tcppktlat", CURL
	     ARRIVES("1000000", "9", "0") READS("2000000", "7", "9", "")
	     ARRIVES("3000000", "9", "1") READS("4000000", "7", "8", "") GONE("5000000", "9")
	     READS("6000000", "7", "9", ""), LATE_HEAD),
	TEXT("only long ones", "tcppktlat 1000", CURL ARRIVES("1000000", "9", "5")
	     READS("1999999", "7", "9", "") ARRIVES("2000000", "9", "5")
	     READS("3000000", "7", "9", ""), LATE_HEAD LATE("5", "7", "curl", "1.00")),
	TEXT("a process, and what another one has read", "tcppktlat -p 8", CURL
	     ARRIVES("1000000", "9", "5") READS("1500000", "7", "9", "")
	     ARRIVES("2000000", "9", "5") READS("3000000", "8", "9", ""),
	     LATE_HEAD LATE("8", "8", "wget", "1.00")),
	JSON("for machines, with ports", "tcppktlat -l 22 -r 40000", CURL
	     ARRIVES("1000000", "9", "5") READS("1500000", "7", "9", ""),
	     "{\"pid\":5,\"tid\":7,\"comm\":\"curl\",\"laddr\":\"10.0.0.1\",\"lport\":22,"
	     "\"raddr\":\"2001:db8::2\",\"rport\":40000,\"ms\":0.500000}\n"),
	TEXT("other ports", "tcppktlat -l 23", CURL
	     ARRIVES("1000000", "9", "5") READS("1500000", "7", "9", ""), LATE_HEAD),
};

/* bindsnoop */

#define ANY6		"00000000000000000000000000000000"

#define CHECKED(TIME, TID, MORE) \
	TIME " 0 " TID " p:security_socket_bind sk=9 own_family=2 " MORE "\n"
#define BOUND(TIME, TID, RET)	TIME " 0 " TID " r:__x64_sys_bind ret=" RET "\n"
#define LISTENS_AT(TIME, TID, MORE) \
	TIME " 0 " TID " p:inet_csk_listen_start sk=9 " MORE "\n"
#define INET_AT		"family=2 size=16 port=20480 address=x0a000001 protocol=6 "
#define BIND_HEAD	"PID     COMM             PROTO  ADDR            PORT  OPTS  IF  ERROR\n"
#define BIND_CURL	"5       curl             "
/* @0 and @1 are events of their own, with the texts. */
#define BINDS_PATH(T, PATH, NAME, SIZE, RET) \
	T "0 0 7 @0 path=\"" PATH "\"\n" T "1 0 7 @1 name=\"" NAME "\"\n" \
	CHECKED(T "2", "7", "family=1 size=" SIZE) BOUND(T "9", "7", RET)

static const struct program_row bindsnoop_rows[] = {
	TEXT("a bind, and one that fails", "bindsnoop", CURL
	     CHECKED("10", "7", INET_AT "reuse=1") BOUND("20", "7", "0")
	     CHECKED("30", "7", INET_AT "reuse=16") BOUND("40", "7", "-98"), BIND_HEAD
	     BIND_CURL "TCP    10.0.0.1        80    ...R. 0   -\n"
	     BIND_CURL "TCP    10.0.0.1        80    ....r 0   EADDRINUSE\n"),
	TEXT("a port that the kernel chooses is unknown, one of a failure is not", "bindsnoop",
	     CURL CHECKED("10", "7", "family=10 size=28 address6=x" ANY6 " protocol=17")
	     BOUND("20", "7", "0") CHECKED("30", "7", "family=10 size=28 address6=x" ANY6)
	     BOUND("40", "7", "-13"), BIND_HEAD
	     BIND_CURL "UDP    ::              -     ..... 0   -\n"
	     BIND_CURL "-      ::              0     ..... 0   EACCES\n"),
	TEXT("an address that is too short; no family; another one", "bindsnoop", CURL
	     CHECKED("10", "7", "family=2 size=8 port=20480") BOUND("20", "7", "-22")
	     CHECKED("30", "7", "family=0 size=16 port=20736 address=x00000000")
	     BOUND("40", "7", "0") CHECKED("50", "7", "family=16 size=12")
	     BOUND("60", "7", "0"), BIND_HEAD
	     BIND_CURL "-      -               -     ..... 0   EINVAL\n"
	     BIND_CURL "-      0.0.0.0         81    ..... 0   -\n"),
	TEXT("options in bytes, as kernels before 6.6 have them", "bindsnoop", CURL
	     CHECKED("10", "7", INET_AT "inet=0x10400 device=3") BOUND("20", "7", "0")
	     CHECKED("30", "7", INET_AT "inet=0x2000") BOUND("40", "7", "0"), BIND_HEAD
	     BIND_CURL "TCP    10.0.0.1        80    F.N.. 3   -\n"
	     BIND_CURL "TCP    10.0.0.1        80    .T... 0   -\n"),
	TEXT("no more than the program gave of a path", "bindsnoop --unix", CURL
	     BINDS_PATH("1", "/run/sock", "run/sock", "12", "0")
	     BINDS_PATH("2", "/run", "run", "4", "-2")
	     BINDS_PATH("3", "", "name and", "7", "0") BINDS_PATH("4", "", "na", "9", "0")
	     BINDS_PATH("5", "x", "", "2", "0"), BIND_HEAD
	     BIND_CURL "UNIX   /run/sock       -     ..... 0   -\n"
	     BIND_CURL "UNIX   /r              -     ..... 0   ENOENT\n"
	     BIND_CURL "UNIX   @name           -     ..... 0   -\n"
	     BIND_CURL "UNIX   @na...          -     ..... 0   -\n"
	     BIND_CURL "UNIX   -               -     ..... 0   -\n"),
	TEXT("only some ports, and failures", "bindsnoop -x -P 80,81", CURL
	     CHECKED("10", "7", INET_AT) BOUND("20", "7", "0")
	     CHECKED("30", "7", INET_AT) BOUND("40", "7", "-98")
	     CHECKED("50", "7", INET_AT "port=23040") BOUND("60", "7", "-98"),
	     BIND_HEAD BIND_CURL "TCP    10.0.0.1        80    ..... 0   EADDRINUSE\n"),
	TEXT("counts of binds that succeed", "bindsnoop -c", CURL
	     CHECKED("10", "7", INET_AT) BOUND("20", "7", "0")
	     CHECKED("30", "7", INET_AT) BOUND("40", "7", "0")
	     CHECKED("50", "7", INET_AT "port=23040") BOUND("60", "7", "0")
	     CHECKED("70", "7", INET_AT "port=0") BOUND("80", "7", "0")
	     CHECKED("90", "7", INET_AT) BOUND("99", "7", "-98"),
	     "ADDR            PORT  BINDS\n" "10.0.0.1        80    2\n"
	     "10.0.0.1        -     1\n" "10.0.0.1        90    1\n"),
	TEXT("listeners", "bindsnoop -l", CURL
	     LISTENS_AT("10", "7", "family=2 lport=80 saddr=x0a000001 protocol=6 limit=128")
	     "20 0 7 r:inet_csk_listen_start ret=0\n"
	     LISTENS_AT("30", "7", "family=10 lport=0 saddr6=x" ANY6 " protocol=33 limit=5")
	     "40 0 7 r:inet_csk_listen_start ret=-98\n"
	     LISTENS_AT("50", "7", "family=2 lport=80 protocol=262")
	     "60 0 7 r:inet_csk_listen_start ret=0\n",
	     "PID     COMM             PROTO  ADDR            PORT  BACKLOG ERROR\n"
	     BIND_CURL "TCP    10.0.0.1        80    128     -\n"
	     BIND_CURL "DCCP   ::              0     -       EADDRINUSE\n"),
	TEXT("network namespaces", "bindsnoop -l --show-netns", CURL
	     LISTENS_AT("10", "7", "family=2 lport=80 saddr=x0a000001 netns=4026531840 limit=1")
	     "20 0 7 r:inet_csk_listen_start ret=0\n"
	     LISTENS_AT("30", "7", "family=2 lport=81 saddr=x0a000001")
	     "40 0 7 r:inet_csk_listen_start ret=0\n",
	     "PID     COMM             NETNS       PROTO  ADDR            PORT  BACKLOG ERROR\n"
	     BIND_CURL "4026531840  -      10.0.0.1        80    1       -\n"
	     BIND_CURL "-           -      10.0.0.1        81    0       -\n"),
	TEXT("one network namespace", "bindsnoop -n 4242", CURL
	     CHECKED("10", "7", INET_AT "netns=4242") BOUND("20", "7", "0")
	     CHECKED("30", "7", INET_AT "netns=4243") BOUND("40", "7", "0")
	     CHECKED("50", "7", INET_AT) BOUND("60", "7", "0"), BIND_HEAD
	     BIND_CURL "TCP    10.0.0.1        80    ..... 0   -\n"),
	JSON("for machines", "bindsnoop -U -E", CURL CHECKED("10", "7", INET_AT)
	     BOUND("20", "7", "-98"),
	     "{\"uid\":null,\"rc\":98,\"pid\":5,\"comm\":\"curl\",\"proto\":\"TCP\","
	     "\"addr\":\"10.0.0.1\",\"port\":80,\"opts\":\".....\",\"if\":0,"
	     "\"error\":\"EADDRINUSE\"}\n"),
};

#define TOOLS(TOOL) \
	TOOL(tcptop) TOOL(tcpdrop) TOOL(nettop) TOOL(tcppktlat) TOOL(bindsnoop)
PROGRAM_SUITE(programs_sockets, TOOLS)
