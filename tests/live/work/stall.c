// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs whose packets are known, and get lost a known number of times: a filter on the receiving
 * socket drops them.
 */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>

#include "work.h"

#define WAIT_MS 60000
#ifndef TCP_REPAIR_OFF
#define TCP_REPAIR_OFF 0
#endif

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct ends {
	const char *ip, *host;		/* "4" and 127.0.0.1, "6" and ::1 */
	int family;
	long port;
	int listener, ours;
};

static socklen_t loopback(const struct ends *e, union address *a)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = e->family;
	if (e->family == AF_INET) {
		a->v4.sin_port = htons(e->port);
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->v4);
	}
	a->v6.sin6_port = htons(e->port);
	a->v6.sin6_addr = in6addr_loopback;
	return sizeof(a->v6);
}

static void drop_all(int fd, bool on)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = { 1, &nothing };

	if (on ? setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) :
		 setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &program, sizeof(program)))
		die("SO_ATTACH_FILTER");
}

/* To one CPU, where the timers are then, too. */
static void stay(void)
{
	cpu_set_t here;
	int cpu = sched_getcpu();

	CPU_ZERO(&here);
	CPU_SET(cpu < 0 ? 0 : cpu, &here);
	if (sched_setaffinity(0, sizeof(here), &here))
		die("sched_setaffinity");
}

static struct ends open_ends(const char *ip, const char *port)
{
	struct ends e = { .ip = ip, .port = number(port), .family = *ip == '4' ? AF_INET :
			  AF_INET6 };
	union address a;
	socklen_t size = loopback(&e, &a);
	int one = 1;

	stay();
	e.host = e.family == AF_INET ? "127.0.0.1" : "::1";
	e.listener = socket(e.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (e.listener < 0 || setsockopt(e.listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(e.listener, &a.any, size) || listen(e.listener, 16))
		die("listen");
	return e;
}

static void begin(struct ends *e)
{
	union address a;
	socklen_t size = loopback(e, &a);

	e->ours = socket(e->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (e->ours < 0 || (connect(e->ours, &a.any, size) && errno != EINPROGRESS))
		die("connect");
}

static struct tcp_info info_of(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		die("TCP_INFO");
	return info;
}

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/*
 * Waits without sleeping: there are kernels that leave out events of perf, and programs on them, in
 * interrupts over the idle task.
 */
static void spin_ms(long ms)
{
	for (long end = now_us() + ms * 1000; now_us() < end;)
		sched_yield();
}

static void await_event(int fd, short events, const char *what)
{
	struct pollfd p = { fd, events, 0 };

	for (long ms = 0; poll(&p, 1, 0) != 1; ms++) {
		if (ms > WAIT_MS)
			die(what);
		spin_ms(1);
	}
}

/* So often a packet was sent again. */
static void await_resends(int fd, unsigned int n)
{
	for (int ms = 0; info_of(fd).tcpi_total_retrans < n; ms += 5) {
		if (ms > WAIT_MS)
			die("no retransmission");
		spin_ms(5);
	}
}

static int own_port(int fd)
{
	union address a;
	socklen_t size = sizeof(a);

	if (getsockname(fd, &a.any, &size))
		die("getsockname");
	return ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port);
}

static void say_ends(const struct ends *e, const char *what)
{
	say("%s\t%d\t", what, getpid());
	say_comm();
	say("%s\t%s\t%d\t%s\t%ld\t", e->ip, e->host, own_port(e->ours), e->host, e->port);
}

/*
 * stall PID COMM 4|6 SADDR SPORT DADDR DPORT RESENDS LOW HIGH: a connection whose first SYN is
 * dropped, and the next one is answered, after LOW to HIGH microseconds. With `never`: RESENDS SYNs
 * are sent again (as asked for), and it is given up then.
 */
static int job_stalls(int argc, char **argv)
{
	struct ends e = open_ends(argv[1], argv[2]);
	unsigned int never = argc > 3 ? number(argv[3]) : 0;
	long before, begun, connected;

	drop_all(e.listener, true);
	before = now_us();
	begin(&e);
	begun = now_us();
	if (never) {
		await_resends(e.ours, never);
		connected = now_us();
	} else {
		spin_ms(100);			/* the first SYN is gone by then */
		drop_all(e.listener, false);
		await_event(e.ours, POLLOUT, "no connection");
		connected = now_us();
	}
	say_ends(&e, "stall");
	say("%u\t%ld\t%ld\n", info_of(e.ours).tcpi_total_retrans,
	    never ? 0 : begun - before + 100000,
	    connected - before);
	close(e.ours);
	return 0;
}

/* The sequence number of what is sent next. */
static uint32_t next_sequence(int fd)
{
	int on = 1, off = TCP_REPAIR_OFF, queue = TCP_SEND_QUEUE;
	uint32_t sequence = 0;
	socklen_t size = sizeof(sequence);

	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, &queue, sizeof(queue)) ||
	    getsockopt(fd, IPPROTO_TCP, TCP_QUEUE_SEQ, &sequence, &size) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &off, sizeof(off)))
		die("TCP_REPAIR");
	return sequence;
}

/*
 * resend PID COMM 4|6 SADDR SPORT DADDR DPORT RESENDS SEQUENCE: a connection that sends one packet,
 * which is dropped until it was sent again N times at least; RESENDS: how often it was.
 */
static int job_resends(int argc, char **argv)
{
	struct ends e = open_ends(argv[1], argv[2]);
	unsigned int n = number(argv[3]);
	char bytes[100] = "";
	uint32_t sequence;
	int theirs;

	(void)argc;
	begin(&e);
	await_event(e.listener, POLLIN, "no connection");
	theirs = accept4(e.listener, NULL, NULL, SOCK_CLOEXEC);
	if (theirs < 0)
		die("accept");
	await_event(e.ours, POLLOUT, "no connection");
	sequence = next_sequence(e.ours);
	drop_all(theirs, true);
	if (send(e.ours, bytes, sizeof(bytes), 0) != sizeof(bytes))
		die("send");
	await_resends(e.ours, n);
	drop_all(theirs, false);
	await_event(theirs, POLLIN, "no data");
	while (info_of(e.ours).tcpi_unacked)
		spin_ms(1);
	say_ends(&e, "resend");
	say("%u\t%u\n", info_of(e.ours).tcpi_total_retrans, sequence);
	close(e.ours);
	close(theirs);
	return 0;
}

/*
 * rtt PID COMM 4|6 SADDR SPORT DADDR DPORT SEGMENTS RTT: an open connection that gets SEGMENTS,
 * answers to N requests, one at a time; its round trip time at the end, in microseconds.
 */
static int job_rtts(int argc, char **argv)
{
	const struct linger hard = { .l_onoff = 1 };	/* nobody says good bye */
	struct ends e = open_ends(argv[1], argv[2]);
	struct { struct tcp_info info; char more[256]; } told;
	socklen_t size = sizeof(told);
	long n = number(argv[3]);
	uint32_t rtt = 0;
	char byte = 0;
	int theirs;

	(void)argc;
	begin(&e);
	await_event(e.listener, POLLIN, "no connection");
	theirs = accept4(e.listener, NULL, NULL, SOCK_CLOEXEC);
	if (theirs < 0)
		die("accept");
	for (long i = 0; i < n; i++) {
		/* As long as a segment comes in, the time is that of before it. */
		rtt = info_of(e.ours).tcpi_rtt;
		if (send(e.ours, &byte, 1, 0) != 1 || recv(theirs, &byte, 1, 0) != 1 ||
		    send(theirs, &byte, 1, 0) != 1)
			die("send");
		await_event(e.ours, POLLIN, "no data");
		if (recv(e.ours, &byte, 1, 0) != 1)
			die("recv");
	}
	while (info_of(theirs).tcpi_unacked || info_of(e.ours).tcpi_unacked)
		spin_ms(1);
	if (getsockopt(e.ours, IPPROTO_TCP, TCP_INFO, &told, &size) ||
	    size < offsetof(struct tcp_info, tcpi_segs_in) + sizeof(uint32_t))
		die("TCP_INFO does not tell segments");
	say_ends(&e, "rtt");
	/* The first one opened it. */
	say("%u\t%u\n", told.info.tcpi_segs_in - 1, rtt);
	setsockopt(e.ours, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	close(e.ours);
	close(theirs);
	return 0;
}

/*
 * backlog PID 4|6|46 PORT BACKLOG N: N connections to a listener with a backlog of BACKLOG, which
 * accepts none; 46: one of IPv6, by addresses of IPv4.
 */
static int job_backlogs(int argc, char **argv)
{
	bool mixed = !strcmp(argv[1], "46");
	struct ends e = { .ip = argv[1], .port = number(argv[2]), .family = *argv[1] == '4' ?
			  AF_INET : AF_INET6 };
	struct ends server = e;
	union address a;
	socklen_t size;
	int one = 1, no = 0;

	(void)argc;
	stay();
	server.family = mixed ? AF_INET6 : e.family;
	size = loopback(&server, &a);
	if (mixed)
		a.v6.sin6_addr = in6addr_any;
	server.listener = socket(server.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server.listener < 0 || setsockopt(server.listener, SOL_SOCKET, SO_REUSEADDR, &one,
					      sizeof(one)) ||
	    (mixed && setsockopt(server.listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no))) ||
	    bind(server.listener, &a.any, size) || listen(server.listener, number(argv[3])))
		die("listen");
	for (long i = 0; i < number(argv[4]); i++) {
		begin(&e);
		await_event(e.ours, POLLOUT, "no connection");
		/* The client is connected before the listener knows. */
		while ((long)info_of(server.listener).tcpi_unacked <= i)
			spin_ms(1);
	}
	say("backlog\t%d\t%s\t%s\t%s\t%s\n", getpid(), argv[1], argv[2], argv[3], argv[4]);
	return 0;
}

const struct job stall_jobs[] = {
	{ "stalls", "4|6 PORT [RESENDS]", 2, job_stalls,
	  "stall PID COMM 4|6 SADDR SPORT DADDR DPORT RESENDS LOW HIGH" },
	{ "resends", "4|6 PORT N", 3, job_resends,
	  "resend PID COMM 4|6 SADDR SPORT DADDR DPORT RESENDS SEQUENCE" },
	{ "rtts", "4|6 PORT N", 3, job_rtts,
	  "rtt PID COMM 4|6 SADDR SPORT DADDR DPORT SEGMENTS RTT" },
	{ "backlogs", "4|6|46 PORT BACKLOG N", 4, job_backlogs,
	  "backlog PID 4|6|46 PORT BACKLOG N" },
	{ 0 }
};
