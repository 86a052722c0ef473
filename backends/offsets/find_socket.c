// SPDX-License-Identifier: GPL-2.0
/*
 * TCP connections of sonde's own, within this machine: IPv6 sockets with IPv4 addresses of the
 * loopback network. This network has many addresses, so both ends have different ones. When all
 * bytes are acknowledged, getsockopt(TCP_INFO) tells the counts.
 */
#include "backends/offsets/find_internal.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SOCK_BYTES 3072
#define WAIT_MS 1000

static const struct own {
	uint8_t local, remote;		/* 127.84.19.N */
	unsigned int sent, received;
} own[2] = { { 37, 91, 4321, 9876 }, { 113, 59, 6547, 2983 } };

struct connection {
	int family;		/* AF_INET if there is no IPv6: then no IPv6 addresses are found */
	int listener, ours, theirs;
	struct tcp_info info;
	socklen_t told;
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static union address address(int family, uint8_t last)
{
	const uint8_t bytes[16] = { [10] = 0xff, [11] = 0xff, [12] = 127, [13] = 84, [14] = 19,
				    [15] = last };
	union address a = { .any.sa_family = (sa_family_t)family };

	if (family == AF_INET6)
		memcpy(&a.v6.sin6_addr, bytes, 16);
	else
		memcpy(&a.v4.sin_addr, bytes + 12, 4);
	return a;
}

static int new_socket(const union address *at)
{
	int family = at->any.sa_family,
		fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), no = 0;

	if (fd >= 0 && ((family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no,
							  sizeof(no))) ||
			bind(fd, &at->any, family == AF_INET6 ? sizeof(at->v6) : sizeof(at->v4)))) {
		no = errno;
		close(fd);
		errno = no;
		return -1;
	}
	return fd;
}

static int ready(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int n = poll(&p, 1, WAIT_MS);

	if (!n)
		errno = ETIMEDOUT;
	return n == 1 ? 0 : -1;
}

static int open_both(const struct own *o, struct connection *c)
{
	union address local = address(c->family, o->local), remote = address(c->family, o->remote);
	socklen_t size = sizeof(remote);

	c->listener = new_socket(&remote);
	c->ours = c->listener < 0 ? -1 : new_socket(&local);
	if (c->ours < 0 || listen(c->listener, 1) || getsockname(c->listener, &remote.any, &size) ||
	    (connect(c->ours, &remote.any, size) && errno != EINPROGRESS) ||
	    ready(c->listener, POLLIN))
		return -1;
	c->theirs = accept4(c->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	return c->theirs < 0 ? -1 : ready(c->ours, POLLOUT);
}

static int ask(void *arg, struct error *err)
{
	struct connection *c = arg;

	c->told = sizeof(c->info);
	memset(&c->info, 0, sizeof(c->info));
	return getsockopt(c->ours, IPPROTO_TCP, TCP_INFO, &c->info, &c->told) ?
	       fail_with(err, errno, "getsockopt(TCP_INFO): %m") : 0;
}

static bool tells_counts(const struct connection *c)
{
	return c->told >= offsetof(struct tcp_info, tcpi_bytes_received) +
		sizeof(c->info.tcpi_bytes_received);
}

/* Sends bytes both ways, and waits until all are acknowledged: the counts stay from then on. */
static int move_bytes(const struct own *o, struct connection *c, struct error *err)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	const char bytes[16384] = { 0 };
	char sink[4096];

	if (send(c->ours, bytes, o->sent, MSG_NOSIGNAL) != (ssize_t)o->sent ||
	    send(c->theirs, bytes, o->received, MSG_NOSIGNAL) != (ssize_t)o->received)
		return fail_with(err, errno, "a connection of sonde's own takes no data: %m");
	for (int try = 0; try < WAIT_MS / 2; try++) {
		while (recv(c->ours, sink, sizeof(sink), 0) > 0)
			;
		while (recv(c->theirs, sink, sizeof(sink), 0) > 0)
			;
		if (ask(c, err))
			return -1;
		if (!tells_counts(c) || (c->info.tcpi_bytes_received == o->received &&
					 c->info.tcpi_bytes_acked >= o->sent &&
					 !c->info.tcpi_unacked))
			return 0;
		nanosleep(&pause, NULL);
	}
	return fail(err, "a connection of sonde's own did not deliver its data in time");
}

static void close_both(struct connection *c)
{
	/* A reset, which leaves no connection in TIME_WAIT. */
	const struct linger reset = { .l_onoff = 1 };
	const int fds[] = { c->ours, c->theirs, c->listener };

	for (int i = 0; i < 3; i++) {
		if (fds[i] < 0)
			continue;
		setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		close(fds[i]);
	}
}

static int one(struct kernel *k, struct tap *t, int piece, int family, const struct own *o,
	       struct specimen *s, struct error *err)
{
	const union address local = address(AF_INET6, o->local),
		remote = address(AF_INET6, o->remote);
	struct connection c = { .family = family, .listener = -1, .ours = -1, .theirs = -1 };
	const struct memory *m = tap_memory(t, piece);
	int result = -1;

	if (open_both(o, &c))
		fail_with(err, errno, "can't connect within this machine: %m");
	else if (!move_bytes(o, &c, err) && !tap_fire(t, ask, &c, err))
		result = find_keep(s, DUMP_SOCK, m, m->base, err);
	if (!result && tells_counts(&c)) {
		specimen_know_number(s, kernel_arch(k), KNOWN_ACKED, c.info.tcpi_bytes_acked, 8);
		specimen_know_number(s, kernel_arch(k), KNOWN_RECEIVED, c.info.tcpi_bytes_received,
				   8);
	}
	if (family == AF_INET6) {
		specimen_know(s, KNOWN_LOCAL, &local.v6.sin6_addr, 16);
		specimen_know(s, KNOWN_REMOTE, &remote.v6.sin6_addr, 16);
	}
	close_both(&c);
	return result;
}

static bool has_v6(void)
{
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int find_socket(struct kernel *k, struct specimen samples[2], struct error *err)
{
	/* The first is called by address, so it runs. The second may be inlined in part. */
	static const char *const functions[] = { "tcp_getsockopt", "tcp_get_info", NULL };
	struct tap *t = tap_new(k, err);
	int piece = t ? find_add(k, t, functions, SOCK_BYTES, err) : -1,
		result = piece < 0 ? -1 : 0;

	for (int i = 0; i < 2 && !result; i++)
		result = one(k, t, piece, has_v6() ? AF_INET6 : AF_INET, &own[i], &samples[i], err);
	tap_free(t);
	return result;
}
