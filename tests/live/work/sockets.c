// SPDX-License-Identifier: GPL-2.0
/* Jobs that move bytes over sockets of several kinds. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "work.h"

static struct sockaddr_in loopback(long port)
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
	struct sockaddr_in to = loopback(port);
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
	struct sockaddr_in to = loopback(port);
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
	struct sockaddr_in to = loopback(number(argv[2]));
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

const struct job socket_jobs[] = {
	{ "strays", "N PORT", 2, job_strays, "stray SADDR SPORT DADDR DPORT" },
	{ "messages", "N PORT", 2, job_messages, "moved PROTO PID COMM LPORT RPORT RX TX" },
	{ "sleeper", "PORT FILE", 2, job_sleeper,
	  "life sender|sleeper PID COMM 4 LADDR LPORT RADDR RPORT TX RX" },
	{ 0 }
};
