// SPDX-License-Identifier: GPL-2.0
/* Jobs that connect, and move bytes over sockets. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "work.h"

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static socklen_t loopback(union address *a, int family, int port)
{
	memset(a, 0, sizeof(*a));
	if (family == AF_INET) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(port);
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->v4);
	}
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons(port);
	a->v6.sin6_addr = in6addr_loopback;
	return sizeof(a->v6);
}

static int listen_at(const union address *a, socklen_t size)
{
	int s = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1, zero = 0;

	if (s >= 0 && a->any.sa_family == AF_INET6)
		setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(s, &a->any, size) || listen(s, 16))
		die("listen");
	return s;
}

static int listener(int family, int port)
{
	union address a;
	socklen_t size = loopback(&a, family, port);

	return listen_at(&a, size);
}

/*
 * connect PID TID COMM 4|6 SADDR SPORT DADDR DPORT RESULT: RESULT is 0 or -errno; SPORT is 0 where
 * the connection was refused. N connections, one after the other, each closed before the next
 * begins; to a listener of its own, or, with `refused`, to a port where nobody listens.
 */
static int job_connects(int argc, char **argv)
{
	long n = number(argv[1]), port = number(argv[2]);
	int family = number(argv[3]) == 4 ? AF_INET : AF_INET6;
	bool refused = argc > 4 && !strcmp(argv[4], "refused");
	int listens = refused ? -1 : listener(family, port);
	const char *host = family == AF_INET ? "127.0.0.1" : "::1";

	for (long i = 0; i < n; i++) {
		union address to, from;
		socklen_t size = loopback(&to, family, port), from_size = sizeof(from);
		int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		int accepted, result, from_port = 0;

		if (s < 0)
			die("socket");
		result = connect(s, &to.any, size) ? -errno : 0;
		if (!result) {
			if (getsockname(s, &from.any, &from_size))
				die("getsockname");
			from_port = ntohs(family == AF_INET ? from.v4.sin_port : from.v6.sin6_port);
			accepted = accept4(listens, NULL, NULL, SOCK_CLOEXEC);
			if (accepted < 0)
				die("accept");
			close(accepted);
		}
		close(s);
		say("connect\t%d\t%d\t", getpid(), thread_id());
		say_comm();
		say("%s\t%s\t%d\t%s\t%ld\t%d\n", argv[3], host, from_port, host, port, result);
	}
	return 0;
}

static void send_all(int s, long n)
{
	static const char bytes[4096];

	while (n > 0) {
		ssize_t sent = write(s, bytes, n < (long)sizeof(bytes) ? n : (long)sizeof(bytes));

		if (sent < 0)
			die("send");
		n -= sent;
	}
}

static void receive_all(int s, long n)
{
	char bytes[4096];

	while (n > 0) {
		ssize_t got = read(s, bytes, n < (long)sizeof(bytes) ? n : (long)sizeof(bytes));

		if (got <= 0)
			die("receive");
		n -= got;
	}
}

/* How a session ends: who closes first, and whether by a reset. */
struct ending {
	bool by_server, reset;
};

static void hang_up(int s, bool first, const struct ending *e)
{
	struct linger hard = { .l_onoff = 1 };
	char byte;

	if (first && e->reset)
		setsockopt(s, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	if (!first && read(s, &byte, 1) > 0)	/* waits for the other to close */
		die("more bytes than there should be");
	close(s);
}

/*
 * The last byte of a client acknowledges all that the server sent, so that both have counted it
 * when it ends.
 */
static void serve(int listens, long n, long tx, long rx, const struct ending *e)
{
	prctl(PR_SET_NAME, "server");
	for (long i = 0; i < n; i++) {
		int s = accept4(listens, NULL, NULL, SOCK_CLOEXEC);

		if (s < 0)
			die("accept");
		receive_all(s, tx - 1);
		send_all(s, rx);
		receive_all(s, 1);
		hang_up(s, e->by_server, e);
	}
	_exit(0);
}

/*
 * life client|server PID COMM 4|6 LADDR LPORT RADDR RPORT TX RX: both ends of N sessions, one after
 * the other, with a server that is a process of its own. TX bytes go to it (2 at least), RX come
 * back. 46: an IPv4 client of an IPv6 server.
 */
static int job_sessions(int argc, char **argv)
{
	long n = number(argv[1]), port = number(argv[2]), tx = number(argv[4]),
		rx = number(argv[5]);
	bool both = !strcmp(argv[3], "46");
	int family = number(argv[3]) == 6 ? AF_INET6 : AF_INET, listens, status;
	const char *host = family == AF_INET ? "127.0.0.1" : "::1",
		*there = both ? "::ffff:127.0.0.1" : host;
	const struct ending e = { !strcmp(argv[6], "server"), argc > 7 &&
				  !strcmp(argv[7], "reset") };
	union address to, from;
	socklen_t size = loopback(&to, both ? AF_INET6 : family, port);
	pid_t server;

	if (both)
		to.v6.sin6_addr = in6addr_any;
	listens = listen_at(&to, size);
	size = loopback(&to, family, port);
	server = fork();
	if (server < 0)
		die("fork");
	if (!server)
		serve(listens, n, tx, rx, &e);
	for (long i = 0; i < n; i++) {
		int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), from_port;
		socklen_t from_size = sizeof(from);

		if (s < 0 || connect(s, &to.any, size) || getsockname(s, &from.any, &from_size))
			die("connect");
		from_port = ntohs(family == AF_INET ? from.v4.sin_port : from.v6.sin6_port);
		send_all(s, tx - 1);
		receive_all(s, rx);
		send_all(s, 1);
		hang_up(s, !e.by_server, &e);
		say("life\tclient\t%d\t", getpid());
		say_comm();
		say("%d\t%s\t%d\t%s\t%ld\t%ld\t%ld\n", family == AF_INET ? 4 : 6, host, from_port,
		    host, port, tx, rx);
		say("life\tserver\t%d\tserver\t%d\t%s\t%ld\t%s\t%d\t%ld\t%ld\n", server,
		    family == AF_INET && !both ? 4 : 6, there, port, there, from_port, rx, tx);
	}
	if (waitpid(server, &status, 0) != server || status)
		die("the server failed");
	return 0;
}

/*
 * Sends in each way there is; how many bytes the calls say they took, half a KB above a whole
 * number of them.
 */
static long send_each_way(int s, int go)
{
	static char bytes[1 << 16];
	FILE *file = tmpfile();
	off_t from = 0;
	ssize_t sent;
	long n = 0;
	int fds[2];

	if (!file || fwrite(bytes, 1, sizeof(bytes), file) != sizeof(bytes) || fflush(file) ||
	    pipe(fds))
		die("file");
	/*
	 * Until the other side, who waits, has no more room: the last call takes less than it is
	 * offered.
	 */
	while ((sent = send(s, bytes, sizeof(bytes) - 1, MSG_DONTWAIT)) > 0)
		n += sent;
	if (errno != EAGAIN || write(go, "", 1) != 1)
		die("send without waiting");
	send_all(s, 100000);
	n += 100000;
	for (int i = 0; i < 5; i++) {
		from = i;
		sent = sendfile(s, fileno(file), &from, sizeof(bytes));
		if (sent <= 0 || write(fds[1], bytes, 5000) != 5000)
			die("sendfile");
		n += sent;
		sent = splice(fds[0], NULL, s, NULL, 5000, 0);
		if (sent != 5000)
			die("splice");
		n += sent;
	}
	sent = 1024 + 512 - n % 1024;
	send_all(s, sent);
	fclose(file);
	return n + sent;
}

/*
 * Receives in each way until the other side closes, and looks at what it does not take. Returns how
 * many bytes went into a pipe (splice).
 */
static long receive_each_way(int s)
{
	static char bytes[1 << 16];
	ssize_t got = 1;
	long spliced = 0;
	int fds[2];

	if (pipe(fds))
		die("pipe");
	recv(s, bytes, sizeof(bytes), MSG_ERRQUEUE | MSG_DONTWAIT);
	for (int i = 0; got > 0; i++) {
		if (recv(s, bytes, 3000 + i, MSG_PEEK) < 0)
			die("look");
		if (i % 4 == 0)
			got = read(s, bytes, 1000 + i);
		else if (i % 4 == 1)
			got = recv(s, bytes, sizeof(bytes), MSG_WAITALL);
		else if (i % 4 == 2)
			got = recv(s, NULL, 20000, MSG_TRUNC);
		else
			got = splice(s, NULL, fds[1], NULL, 10000, 0);
		if (i % 4 == 3 && got > 0 && read(fds[0], bytes, got) != got)
			die("pipe");
		if (i % 4 == 3)
			spliced += got;
	}
	if (got)
		die("receive");
	return spliced;
}

/*
 * life client|server, as sessions: N sessions, in which the client sends in each way there is, and
 * 3000 bytes come back. At the end of a line: bytes that were received by splice(2).
 */
static int job_transfers(int argc, char **argv)
{
	long port = number(argv[2]);
	union address to, from;
	socklen_t size = loopback(&to, AF_INET, port), from_size = sizeof(from);
	int listens = listen_at(&to, size), status, go[2], back[2];
	pid_t server;

	(void)argc;
	if (pipe(go) || pipe(back))
		die("pipe");
	server = fork();
	for (long i = number(argv[1]); i > 0; i--) {
		int s = server ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) :
			accept(listens, NULL, NULL), from_port;
		char bytes[3000];
		long tx, spliced;

		if (s < 0)
			die("socket");
		if (!server) {
			prctl(PR_SET_NAME, "server");
			if (read(go[0], bytes, 1) != 1)
				die("pipe");
			send_all(s, sizeof(bytes));
			spliced = receive_each_way(s);
			close(s);
			if (write(back[1], &spliced, sizeof(spliced)) != sizeof(spliced))
				die("pipe");
			continue;
		}
		if (connect(s, &to.any, size) || getsockname(s, &from.any, &from_size))
			die("connect");
		from_port = ntohs(from.v4.sin_port);
		tx = send_each_way(s, go[1]);
		if (recv(s, bytes, 1, MSG_PEEK) != 1)
			die("look");
		receive_all(s, sizeof(bytes));
		close(s);
		if (read(back[0], &spliced, sizeof(spliced)) != sizeof(spliced))
			die("pipe");
		say("life\tclient\t%d\t", getpid());
		say_comm();
		say("4\t127.0.0.1\t%d\t127.0.0.1\t%ld\t%ld\t3000\t0\n", from_port, port, tx);
		say("life\tserver\t%d\tserver\t4\t127.0.0.1\t%ld\t127.0.0.1\t%d\t3000\t%ld\t%ld\n",
		    server, port, from_port, tx, spliced);
	}
	if (!server)
		_exit(0);
	if (waitpid(server, &status, 0) != server || status)
		die("the server failed");
	return 0;
}

/* N accepts where nobody has come. */
static int job_accepts_nobody(int argc, char **argv)
{
	int s = listener(AF_INET, number(argv[2]));

	(void)argc;
	fcntl(s, F_SETFL, O_NONBLOCK);
	for (long i = number(argv[1]); i > 0; i--)
		if (accept4(s, NULL, NULL, SOCK_CLOEXEC) >= 0)
			die("somebody came");
	return 0;
}

/*
 * accept PID and port PORT: N processes wait for a connection each, then N connections come. Which
 * takes which is chance.
 */
static int job_crowd(int argc, char **argv)
{
	long n = number(argv[1]), port = number(argv[2]);
	int s = listener(AF_INET, port), status;
	union address to, from;
	socklen_t size = loopback(&to, AF_INET, port);

	(void)argc;
	for (long i = 0; i < n; i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (!child)
			_exit(accept4(s, NULL, NULL, SOCK_CLOEXEC) < 0);
		say("accept\t%d\n", child);
	}
	sleep(1);
	for (long i = 0; i < n; i++) {
		socklen_t from_size = sizeof(from);
		int c = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (c < 0 || connect(c, &to.any, size) || getsockname(c, &from.any, &from_size))
			die("connect");
		say("port\t%d\n", ntohs(from.v4.sin_port));
	}
	for (long i = 0; i < n; i++)
		if (wait(&status) < 0 || status)
			die("accept");
	return 0;
}

static struct sockaddr_in inet_loopback(long port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t size = sizeof(a);

	if (getsockname(fd, (struct sockaddr *)&a, &size))
		die("getsockname");
	return ntohs(a.sin_port);
}

/* One message, which the other side first looks at; then it asks for more than there is. */
static void pass(int from, int to, size_t size)
{
	char bytes[1500] = { 0 };

	if (send(from, bytes, size, 0) != (ssize_t)size ||
	    recv(to, bytes, sizeof(bytes), MSG_PEEK) != (ssize_t)size ||
	    recv(to, bytes, sizeof(bytes), 0) != (ssize_t)size ||
	    recv(to, bytes, sizeof(bytes), MSG_DONTWAIT) >= 0)
		die("message");
}

/*
 * moved PROTO PID COMM LPORT RPORT RX TX: N messages of 700 bytes over UDP to PORT, and of 300 over
 * a pair of UNIX sockets.
 */
static int job_messages(int argc, char **argv)
{
	long n = number(argv[1]), port = number(argv[2]);
	struct sockaddr_in to = inet_loopback(port);
	int server = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), pair[2];

	(void)argc;
	if (server < 0 || client < 0 || bind(server, (struct sockaddr *)&to, sizeof(to)) ||
	    connect(client, (struct sockaddr *)&to, sizeof(to)) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		die("socket");
	for (long i = 0; i < n; i++) {
		pass(client, server, 700);
		pass(pair[0], pair[1], 300);
	}
	say("moved\tUDP\t%d\t", getpid());
	say_comm();
	say("%d\t%ld\t0\t%ld\n", port_of(client), port, n * 700);
	say("moved\tUDP\t%d\t", getpid());
	say_comm();
	say("%ld\t-\t%ld\t0\n", port, n * 700);
	say("moved\tUNIX\t%d\t", getpid());
	say_comm();
	say("-\t-\t%ld\t%ld\n", n * 300, n * 300);
	return 0;
}

/* Waits for bytes, takes 3000 of them, and sets an option with which the kernel acknowledges. */
static void take_3000(int s)
{
	char bytes[4096];
	ssize_t n = 0, got;
	int one = 1;

	while (n < 3000) {
		got = recv(s, bytes, sizeof(bytes), 0);
		if (got <= 0)
			die("receive");
		n += got;
		setsockopt(s, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof(one));
	}
	_exit(n != 3000);
}

/*
 * life sender|sleeper, as sessions: a process waits for bytes; FILE.ready says so. When there is
 * FILE, another one sends 3000.
 */
static int job_sleeper(int argc, char **argv)
{
	long port = number(argv[1]);
	struct sockaddr_in to = inet_loopback(port);
	int listens = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1, status;
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), server, local;
	char ready[4096], bytes[3000] = { 0 };
	pid_t child;

	(void)argc;
	if (listens < 0 || setsockopt(listens, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(listens, (struct sockaddr *)&to, sizeof(to)) || listen(listens, 1) ||
	    connect(client, (struct sockaddr *)&to, sizeof(to)))
		die("connect");
	server = accept4(listens, NULL, NULL, SOCK_CLOEXEC);
	local = port_of(client);
	child = fork();
	if (server < 0 || child < 0)
		die("accept");
	if (!child)
		take_3000(server);
	usleep(200000);				/* it waits by now */
	snprintf(ready, sizeof(ready), "%s.ready", argv[2]);
	close(open(ready, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	while (access(argv[2], F_OK))
		usleep(20000);
	if (write(client, bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes))
		die("send");
	if (waitpid(child, &status, 0) != child || status)
		die("the receiver failed");
	say("life\tsender\t%d\t", getpid());
	say_comm();
	say("4\t127.0.0.1\t%d\t127.0.0.1\t%ld\t3000\t0\n", local, port);
	say("life\tsleeper\t%d\t", child);
	say_comm();
	say("4\t127.0.0.1\t%ld\t127.0.0.1\t%d\t0\t3000\n", port, local);
	return 0;
}

/* stray SADDR SPORT DADDR DPORT: N messages over UDP to a port that nobody has. */
static int job_strays(int argc, char **argv)
{
	struct sockaddr_in to = inet_loopback(number(argv[2]));
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	(void)argc;
	if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof(to)))
		die("socket");
	for (long i = number(argv[1]); i > 0; i--) {
		/* the second of two calls fails: nobody was there */
		if (send(s, "", 1, 0) != 1 && send(s, "", 1, 0) != 1)
			die("send");
		say("stray\t127.0.0.1\t%d\t127.0.0.1\t%s\n", port_of(s), argv[2]);
	}
	return 0;
}

/* N messages of SIZE bytes over UDP, whether or not somebody is there. */
static int job_datagrams(int argc, char **argv)
{
	struct sockaddr_in to = inet_loopback(number(argv[2]));
	long size = number(argv[4]);
	char *bytes = calloc(1, size + 1);
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), one = 1;

	(void)argc;
	if (s < 0 || !bytes || setsockopt(s, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one)) ||
	    inet_pton(AF_INET, argv[1], &to.sin_addr) != 1)
		die("socket");
	for (long i = number(argv[3]); i > 0; i--)
		if (sendto(s, bytes, size, 0, (struct sockaddr *)&to, sizeof(to)) != size)
			die("send");
	free(bytes);
	return 0;
}

/*
 * late PID COMM LADDR LPORT RADDR RPORT MS: N times, two segments come in, each MS milliseconds
 * before what follows; then both are read, with two calls.
 */
static int job_late(int argc, char **argv)
{
	long port = number(argv[2]), ms = number(argv[4]);
	int family = number(argv[3]) == 6 ? AF_INET6 : AF_INET, listens, client, server, from_port;
	const char *host = family == AF_INET ? "127.0.0.1" : "::1";
	union address to, from;
	socklen_t size = loopback(&to, family, port), from_size = sizeof(from);
	int one = 1;
	char bytes[200] = { 0 };

	(void)argc;
	listens = listen_at(&to, size);
	client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (client < 0 || connect(client, &to.any, size) ||
	    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	    getsockname(client, &from.any, &from_size))
		die("connect");
	server = accept4(listens, NULL, NULL, SOCK_CLOEXEC);
	from_port = ntohs(family == AF_INET ? from.v4.sin_port : from.v6.sin6_port);
	if (server < 0)
		die("accept");
	for (long i = number(argv[1]); i > 0; i--) {
		for (int j = 0; j < 2; j++) {
			send_all(client, 100);
			usleep(ms * 1000);
		}
		if (recv(server, bytes, 50, 0) != 50 || recv(server, bytes, 200, 0) != 150)
			die("receive");
		say("late\t%d\t", getpid());
		say_comm();
		say("%s\t%ld\t%s\t%d\t%ld\n", host, port, host, from_port, 2 * ms);
	}
	return 0;
}

static void say_bound(const char *proto, const union address *a, int port, const char *options,
		      int error)
{
	char host[INET6_ADDRSTRLEN];
	bool v4 = a->any.sa_family == AF_INET;

	inet_ntop(a->any.sa_family, v4 ? (const void *)&a->v4.sin_addr : &a->v6.sin6_addr, host,
		  sizeof(host));
	say("bind\t%d\t", getpid());
	say_comm();
	say("%s\t%s\t%d\t%s\t%d\n", proto, host, port, options, error);
}

/* A bind of a new socket, with options of a level, and the row that it should have. A port 0 is
 * printed as it was chosen. */
static int bound(int type, const union address *a, socklen_t size, const int options[][2],
		 const char *letters)
{
	int s = socket(a->any.sa_family, type | SOCK_CLOEXEC, 0), one = 1, error, port;
	union address got = *a;
	socklen_t got_size = size;

	for (; s >= 0 && (*options)[1]; options++) {
		if (!setsockopt(s, (*options)[0], (*options)[1], &one, sizeof(one)))
			continue;
		if (errno != ENOPROTOOPT)	/* IP_BIND_ADDRESS_NO_PORT, before 4.2 */
			die("setsockopt");
		letters = ".....";
	}
	error = bind(s, &a->any, size) ? errno : 0;
	if (!error && getsockname(s, &got.any, &got_size))
		die("getsockname");
	port = ntohs(a->any.sa_family == AF_INET ? got.v4.sin_port : got.v6.sin6_port);
	say_bound(type == SOCK_STREAM ? "TCP" : "UDP", a, port, letters, error);
	return s;
}

static void say_listens(int s, int limit)
{
	union address a;
	socklen_t size = sizeof(a);
	char host[INET6_ADDRSTRLEN];

	if (listen(s, limit) || getsockname(s, &a.any, &size))
		die("listen");
	inet_ntop(a.any.sa_family,
		  a.any.sa_family == AF_INET ? (const void *)&a.v4.sin_addr : &a.v6.sin6_addr, host,
		  sizeof(host));
	say("listens\t%d\t", getpid());
	say_comm();
	say("TCP\t%s\t%d\t%d\n", host,
	    ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port), limit);
}

/*
 * bind PID COMM PROTO ADDR PORT OPTS ERRNO, listens PID COMM PROTO ADDR PORT BACKLOG: binds that
 * succeed and fail, with options, of a port and of any; sockets that listen, one of them without a
 * bind.
 */
static int job_binds(int argc, char **argv)
{
	static const int none[][2] = { { 0, 0 } },
			 again[][2] = { { SOL_SOCKET, SO_REUSEADDR }, { 0, 0 } };
	static const int shared[][2] = { { SOL_SOCKET, SO_REUSEPORT }, { 0, 0 } };
	static const int strange[][2] = { { IPPROTO_IP, IP_FREEBIND },
					  { IPPROTO_IP, IP_TRANSPARENT },
					  { 0, 0 } };
	static const int late[][2] = { { IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */ }, { 0, 0 } };
	int port = number(argv[1]), family = number(argv[2]) == 6 ? AF_INET6 : AF_INET, zero = 0, s;
	union address a;
	socklen_t size = loopback(&a, family, port);

	(void)argc;
	s = bound(SOCK_STREAM, &a, size, again, "...R.");
	say_listens(s, 5);
	bound(SOCK_STREAM, &a, size, none, ".....");
	loopback(&a, family, 0);
	bound(SOCK_DGRAM, &a, size, shared, "....r");
	if (family == AF_INET) {
		bound(SOCK_DGRAM, &a, size, late, "..N..");
		loopback(&a, family, port + 1);
		a.v4.sin_addr.s_addr = htonl(0xc0000209); /* 192.0.2.9 */
		bound(SOCK_STREAM, &a, size, strange, "FT...");
	}
	s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (family == AF_INET6)
		setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
	say_listens(s, 3);
	return 0;
}

/* name PID COMM ADDR ERRNO: binds of UNIX sockets, to a path in the folder, to names, and to
 * nothing. */
static int job_names(int argc, char **argv)
{
	static const struct {
		const char *bytes;
		socklen_t n;
		const char *shown;
	} names[] = {
		{ "\0sonde \x1b[31m", 12, "@sonde \\x1b[31m" },
		{ "\0so\0nde", 7, "@so..." },
		{ "", 0, "-" },
		{ "/nowhere/here", 14, "/nowhere/here" },
	};
	char path[100];

	(void)argc;
	snprintf(path, sizeof(path), "%s/a \"socket\"", argv[1]);
	for (int i = -1; i < 4; i++) {
		struct sockaddr_un a = { .sun_family = AF_UNIX };
		socklen_t n = i < 0 ? strlen(path) + 1 : names[i].n;
		int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), error;

		memset(a.sun_path, 'x', sizeof(a.sun_path));
		memcpy(a.sun_path, i < 0 ? path : names[i].bytes, n);
		error = bind(s, (struct sockaddr *)&a, 2 + n) ? errno : 0;
		say("name\t%d\t", getpid());
		say_comm();
		say("%s\t%d\n", i < 0 ? path : names[i].shown, error);
	}
	return 0;
}

const struct job net_jobs[] = {
	{ "binds", "PORT 4|6", 2, job_binds, "bind, listens: see the source" },
	{ "names", "FOLDER", 1, job_names, "name PID COMM ADDR ERRNO" },
	{ "late", "N PORT 4|6 MS", 4, job_late, "late PID COMM LADDR LPORT RADDR RPORT MS" },
	{ "datagrams", "ADDRESS PORT N SIZE", 4, job_datagrams, "nothing" },
	{ "strays", "N PORT", 2, job_strays, "stray SADDR SPORT DADDR DPORT" },
	{ "messages", "N PORT", 2, job_messages, "moved PROTO PID COMM LPORT RPORT RX TX" },
	{ "sleeper", "PORT FILE", 2, job_sleeper,
	  "life sender|sleeper PID COMM 4 LADDR LPORT RADDR RPORT TX RX" },
	{ "crowd", "N PORT", 2, job_crowd, "accept PID, port PORT" },
	{ "accepts-nobody", "N PORT", 2, job_accepts_nobody, "nothing" },
	{ "sessions", "N PORT 4|6|46 TX RX client|server [reset]", 6, job_sessions,
	  "life client|server PID COMM 4|6 LADDR LPORT RADDR RPORT TX RX" },
	{ "transfers", "N PORT", 2, job_transfers,
	  "life client|server PID COMM 4 LADDR LPORT RADDR RPORT TX RX SPLICED" },
	{ "connects", "N PORT 4|6 [refused]", 3, job_connects,
	  "connect PID TID COMM 4|6 SADDR SPORT DADDR DPORT RESULT" },
	{ 0 }
};
