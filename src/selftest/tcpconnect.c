// SPDX-License-Identifier: GPL-2.0
/* tcpconnect: one row for each connection over the loopback device, also for those that are refused. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/selftest/selftest.h"

#define CONNECTS 5

static const struct {
	int family, ip;
	const char *address;
} families[] = { { AF_INET, 4, "127.0.0.1" }, { AF_INET6, 6, "::1" } };
#define FAMILIES 2

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* By family; a socket of -1: the family is not there. */
struct state {
	struct end {
		int listener, closed;		/* the second is bound, so nobody else gets its port, and refuses */
		union address to, refused;
	} ends[FAMILIES];
};

static int bound(int family, union address *a)
{
	socklen_t size = family == AF_INET ? sizeof(a->v4) : sizeof(a->v6);
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	if (family == AF_INET)
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		a->v6.sin6_addr = (struct in6_addr)IN6ADDR_LOOPBACK_INIT;
	if (fd >= 0 && (bind(fd, &a->any, size) || getsockname(fd, &a->any, &size))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Port of the other end, and of this one. */
static int port_of(const union address *a)
{
	return ntohs(a->any.sa_family == AF_INET ? a->v4.sin_port : a->v6.sin6_port);
}

/* Connects and hangs up; the errno. */
static int connect_once(const union address *to, int *local)
{
	socklen_t size = to->any.sa_family == AF_INET ? sizeof(to->v4) : sizeof(to->v6), n = size;
	struct linger hard = { .l_onoff = 1 };		/* no TIME_WAIT is left behind */
	union address from = { };
	int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0)
		return errno;
	error = connect(fd, &to->any, size) ? errno : 0;
	if (!error && !getsockname(fd, &from.any, &n))
		*local = port_of(&from);
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	close(fd);
	return error;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;
	int any = 0, local;

	for (int i = 0; i < FAMILIES; i++) {
		struct end *e = &s->ends[i];

		e->closed = bound(families[i].family, &e->refused);
		e->listener = bound(families[i].family, &e->to);
		if (e->listener < 0 || e->closed < 0 || listen(e->listener, 2 * CONNECTS) || connect_once(&e->to, &local))
			e->listener = -1;
		any |= e->listener >= 0;
	}
	if (!any)
		return not_here(w, "no connection over the loopback device: %s", strerror(errno));
	if (s->ends[0].listener < 0 || s->ends[1].listener < 0)
		say_text(w, "note", s->ends[0].listener < 0 ? "IPv4 not tried: no 127.0.0.1" : "IPv6 not tried: no ::1");
	return 0;
}

static int connect_one(struct work *w, int i, const union address *to, int wanted, bool with_local)
{
	int local = 0, error = connect_once(to, &local);

	if (error != wanted)
		return not_here(w, "connecting to %s: %s", families[i].address, strerror(error));
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "ip", families[i].ip);
	want_text(w, "saddr", families[i].address, strlen(families[i].address));
	want_text(w, "daddr", families[i].address, strlen(families[i].address));
	want_integer(w, "dport", port_of(to));
	if (with_local)
		want_integer(w, "lport", local);
	want_end(w);
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < FAMILIES; i++) {
		if (s->ends[i].listener < 0)
			continue;
		for (int n = 0; n < CONNECTS; n++)
			if (connect_one(w, i, &s->ends[i].to, 0, false))
				return -1;
		if (connect_one(w, i, &s->ends[i].refused, ECONNREFUSED, false))
			return -1;
	}
	return 0;
}

static int work_local(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < FAMILIES; i++)
		for (int n = 0; s->ends[i].listener >= 0 && n < CONNECTS; n++)
			if (connect_one(w, i, &s->ends[i].to, 0, true))
				return -1;
	return 0;
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };
static const char *const options_local[] = { "-L", "--pid", "%pid", NULL };
static const char *const foreign_local[] = { "-L", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ "attempts", options, foreign, prepare, work },
	{ "local ports", options_local, foreign_local, prepare, work_local },
	{ }
};

/* The functions that serve kernels without an event for the state of sockets tell neither for IPv6. */
static const struct selftest_input inputs[] = {
	{ "saddr", "tcp.connect.saddr6" },
	{ "lport", "tcp.connect.saddr6" },
	{ }
};

const struct selftest selftest_tcpconnect = {
	"tcpconnect", parts, .inputs = inputs, .state_size = sizeof(struct state),
};
