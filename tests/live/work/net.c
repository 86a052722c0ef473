// SPDX-License-Identifier: GPL-2.0
/* Jobs that connect. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

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

static int listener(int family, int port)
{
	union address a;
	socklen_t size = loopback(&a, family, port);
	int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(s, &a.any, size) || listen(s, 16))
		die("listen");
	return s;
}

/*
 * connect PID TID COMM 4|6 SADDR SPORT DADDR DPORT RESULT: RESULT is 0 or -errno; SPORT is 0 where the connection
 * was refused. N connections, one after the other, each closed before the next begins; to a listener of its own,
 * or, with `refused`, to a port where nobody listens.
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

const struct job net_jobs[] = {
	{ "connects", "N PORT 4|6 [refused]", 3, job_connects,
	  "connect PID TID COMM 4|6 SADDR SPORT DADDR DPORT RESULT" },
	{ 0 }
};
