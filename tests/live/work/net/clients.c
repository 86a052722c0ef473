// SPDX-License-Identifier: GPL-2.0
/* Clients of a server, good and bad ones. */
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "../work.h"

#define HELD 500		/* connections that a client holds at once */

/* To a port of 127.0.0.1, or to a path. `flags`: of socket(2). Returns -1 if nobody takes it. */
static int connected(const char *to, int flags)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	struct sockaddr_in port = { .sin_family = AF_INET };
	const bool is_path = to[0] == '/';
	const int s = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM | flags, 0);

	if (s < 0)
		die("socket");
	if (is_path) {
		snprintf(path.sun_path, sizeof(path.sun_path), "%s", to);
	} else {
		port.sin_port = htons(number(to));
		port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	}
	if (!(is_path ? connect(s, (struct sockaddr *)&path, sizeof(path)) :
			connect(s, (struct sockaddr *)&port, sizeof(port))) || errno == EINPROGRESS)
		return s;
	close(s);
	return -1;
}

/* Of an answer that has no end it waits a second for more. */
static int job_asks(int argc, char **argv)
{
	struct pollfd p = { .fd = connected(argv[1], 0), .events = POLLIN };
	char bytes[4096];
	ssize_t n;

	(void)argc;
	if (p.fd < 0)
		die("connect");
	if (write(p.fd, argv[2], strlen(argv[2])) < 0)
		die("write");
	while (poll(&p, 1, 1000) > 0 && (n = read(p.fd, bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, n, stdout);
	return 0;
}

/*
 * Ten in a millisecond at most. Each stays open while HELD more come, and says the beginning of a
 * request if the server has taken it by then.
 */
static int job_halves(int argc, char **argv)
{
	const long n = number(argv[1]);
	int held[HELD];
	long taken = 0;

	(void)argc;
	signal(SIGPIPE, SIG_IGN);
	for (long i = 0; i < n + HELD; i++) {
		int *s = &held[i % HELD];

		if (i >= HELD) {
			taken += *s >= 0 && write(*s, "GET /metr", 9) > 0;
			close(*s);
		}
		*s = i < n ? connected(argv[2], SOCK_NONBLOCK) : -1;
		if (i % 10 == 9)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	say("halves\t%ld\n", taken);
	return 0;
}

const struct job asks_jobs[] = {
	{ "asks", "PORT|PATH TEXT", 2, job_asks, "what a server answers to these bytes" },
	{ "halves", "N PORT|PATH", 2, job_halves, "halves CONNECTIONS" },
	{ 0 }
};
