// SPDX-License-Identifier: GPL-2.0
/*
 * Connections over the loopback device. tcpconnlat, tcpretrans: a filter on the listener drops the
 * first SYN; the second one, a second later, is answered. tcprtt: answers to a number of requests,
 * one at a time. tcpsynbl: a listener that does not accept.
 */
#include "src/commands/selftest/selftest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"

#define WAIT_MS 10000			/* a SYN is sent again after one second */
#define APART_MS 150

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct end {
	int family, listener, port;	/* listener -1: this machine lacks the family */
};

struct connection {
	int fd, port;			/* of this end */
	unsigned int resent;
};

static const int families[] = { AF_INET, AF_INET6 };
#define FAMILIES 2

struct state {
	/* it has a port, and does not listen: closed */
	struct end open[FAMILIES], closed[FAMILIES];
};

static const char *address_of(int family)
{
	return family == AF_INET ? "127.0.0.1" : "::1";
}

static socklen_t loopback(const struct end *e, union address *a)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)e->family;
	if (e->family == AF_INET) {
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a->v4.sin_port = htons((uint16_t)e->port);
		return sizeof(a->v4);
	}
	a->v6.sin6_addr = (struct in6_addr)IN6ADDR_LOOPBACK_INIT;
	a->v6.sin6_port = htons((uint16_t)e->port);
	return sizeof(a->v6);
}

static int port_of(int fd)
{
	union address a = { };
	socklen_t size = sizeof(a);

	if (getsockname(fd, &a.any, &size))
		return -1;
	return ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port);
}

static bool bound(struct end *e, int family, bool listens)
{
	union address a;
	socklen_t size;

	*e = (struct end){ .family = family };
	size = loopback(e, &a);
	e->listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (e->listener < 0 || bind(e->listener, &a.any, size) ||
	    (listens && listen(e->listener, 8)))
		return false;
	e->port = port_of(e->listener);
	return e->port > 0;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;

	for (int i = 0; i < FAMILIES; i++)
		if (!bound(&s->open[i], families[i], true) ||
		    !bound(&s->closed[i], families[i], false))
			s->open[i].listener = -1;
	if (s->open[0].listener < 0 && s->open[1].listener < 0)
		return not_here(w, "no listener on the loopback device: %s", strerror(errno));
	if (s->open[0].listener < 0 || s->open[1].listener < 0)
		say_text(w, "note", s->open[0].listener < 0 ? "IPv4 not tried: no 127.0.0.1" :
			 "IPv6 not tried: no ::1");
	return 0;
}

/*
 * Waits until the connection is made. It does not sleep, and stays on one CPU: some kernels skip
 * perf events, and programs on them, in interrupts of the idle task.
 */
static bool await(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int64_t end = monotonic_ms() + ms;
	int cpu = sched_getcpu();
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(cpu < 0 ? 0 : cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
	while (!poll(&p, 1, 0) && monotonic_ms() < end)
		sched_yield();
	errno = ETIMEDOUT;
	return poll(&p, 1, 0) == 1;
}

static int connect_end(const struct end *e, struct connection *c)
{
	union address a;
	socklen_t size = loopback(e, &a);
	int result;

	c->fd = socket(e->family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	result = c->fd < 0 || !connect(c->fd, &a.any, size) ? 0 : errno;
	c->port = port_of(c->fd);
	return result;
}

static void hang_up(const struct connection *c)
{
	const struct linger hard = { .l_onoff = 1 };	/* no TIME_WAIT is left behind */

	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	close(c->fd);
}

/*
 * Connects over both families to a listener that does not answer for a while. Timers of the same
 * time fire in any order, so the connections begin one after the other.
 */
static int connect_late(struct work *w, struct connection c[FAMILIES])
{
	const struct state *s = w->state;
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = { 1, &nothing };

	for (int i = 0; i < FAMILIES; i++) {
		const struct end *e = &s->open[i];

		if (e->listener < 0)
			continue;
		if (setsockopt(e->listener, SOL_SOCKET, SO_ATTACH_FILTER, &program,
			       sizeof(program)))
			return not_here(w, "no filter on a socket: %s", strerror(errno));
		if (connect_end(e, &c[i]) != EINPROGRESS || await(c[i].fd, APART_MS))
			return not_here(w, "a connection to %s was made without delay",
					address_of(e->family));
	}
	for (int i = 0; i < FAMILIES; i++) {
		const struct end *e = &s->open[i];
		struct tcp_info info = { };
		socklen_t size = sizeof(info);

		if (e->listener < 0)
			continue;
		if (setsockopt(e->listener, SOL_SOCKET, SO_DETACH_FILTER, &size, sizeof(size)) ||
		    !await(c[i].fd, WAIT_MS) ||
		    getsockopt(c[i].fd, IPPROTO_TCP, TCP_INFO, &info, &size))
			return not_here(w, "connecting to %s: %s", address_of(e->family),
					strerror(errno));
		c[i].resent = info.tcpi_total_retrans;
		hang_up(&c[i]);
	}
	return 0;
}

static void want_ends(struct work *w, const struct end *e, const struct connection *c,
		      const char *local,
		      const char *remote, const char *remote_port)
{
	const char *address = address_of(e->family);

	want_integer(w, "ip", e->family == AF_INET ? 4 : 6);
	want_text(w, local, address, strlen(address));
	if (c->port > 0)
		want_integer(w, "lport", c->port);
	want_text(w, remote, address, strlen(address));
	want_integer(w, remote_port, e->port);
}

/* tcpconnlat */

static void want_answer(struct work *w, const struct end *e, const struct connection *c,
			const char *answer)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_ends(w, e, c, "saddr", "daddr", "dport");
	want_text(w, "answer", answer, strlen(answer));
	want_end(w);
}

static int connect_at_once(struct work *w, const struct end *e, struct connection *c)
{
	int error = connect_end(e, c);

	if ((error && error != EINPROGRESS) || !await(c->fd, WAIT_MS))
		return not_here(w, "connecting to %s: %s", address_of(e->family),
				strerror(error ? error : errno));
	hang_up(c);
	return 0;
}

/* One is accepted, one is refused. */
static int work_answers(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < FAMILIES; i++) {
		struct connection c;
		socklen_t size = sizeof(int);
		int error;

		if (s->open[i].listener < 0)
			continue;
		if (connect_at_once(w, &s->open[i], &c))
			return -1;
		want_answer(w, &s->open[i], &c, "accepted");
		error = connect_end(&s->closed[i], &c);
		if (error == EINPROGRESS && await(c.fd, WAIT_MS))
			getsockopt(c.fd, SOL_SOCKET, SO_ERROR, &error, &size);
		close(c.fd);
		if (error != ECONNREFUSED)
			return not_here(w, "a closed port of %s: %s", address_of(families[i]),
					strerror(error));
		c.port = 0;			/* the filter is off */
		want_answer(w, &s->closed[i], &c, "reset");
	}
	return 0;
}

/* Only what took longer than half a second is shown. */
static int work_slow(struct work *w)
{
	const struct state *s = w->state;

	struct connection c[FAMILIES], fast;

	for (int i = 0; i < FAMILIES; i++)
		if (s->open[i].listener >= 0 && connect_at_once(w, &s->open[i], &fast))
			return -1;
	if (connect_late(w, c))
		return -1;
	for (int i = 0; i < FAMILIES; i++)
		if (s->open[i].listener >= 0)
			want_answer(w, &s->open[i], &c[i], "accepted");
	return 0;
}

static const char *const lat_options[] = { "-L", "--pid", "%pid", NULL };
static const char *const lat_foreign[] = { "-L", "--name", "%name", NULL };
static const char *const slow_options[] = { "-L", "--pid", "%pid", "500", NULL };
static const char *const slow_foreign[] = { "-L", "--name", "%name", "500", NULL };

static const struct selftest_part lat_parts[] = {
	{ "answers", lat_options, lat_foreign, prepare, work_answers },
	{ "slow ones", slow_options, slow_foreign, prepare, work_slow },
	{ }
};

/* With kprobes the offsets of IPv6 addresses may not be known. */
static const struct selftest_input lat_inputs[] = {
	{ "saddr", "handshake.state.saddr6" },
	{ "daddr", "handshake.state.daddr6" },
	{ }
};

SELFTEST(tcpconnlat, lat_parts, .inputs = lat_inputs, .state_size = sizeof(struct state));

/* tcpretrans */

static int work_resent(struct work *w)
{
	const struct state *s = w->state;

	struct connection c[FAMILIES];

	if (connect_late(w, c))
		return -1;
	for (int i = 0; i < FAMILIES; i++) {
		if (s->open[i].listener < 0)
			continue;
		say_integer(w, "rport", s->open[i].port);
		for (unsigned int n = 0; n < c[i].resent; n++) {
			want_begin(w);
			want_ends(w, &s->open[i], &c[i], "laddr", "raddr", "rport");
			want_text(w, "type", "R", 1);
			want_text(w, "state", "SYN_SENT", 8);
			want_end(w);
		}
	}
	return 0;
}

/* Leaves out the rows of other processes: this member has none of the workload's values. */
static void keep_ours(struct found *f, const char *member)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		bool ours = false;

		for (size_t j = 0; j < f->says.n; j++) {
			struct json said, got;

			ours |= json_member(f->says.rows[j], member, &said) &&
				json_member(f->rows.rows[i], member, &got) && json_same(said, got);
		}
		if (ours)
			f->rows.rows[kept++] = f->rows.rows[i];
	}
	f->rows.n = kept;
}

static void check_resent(struct found *f)
{
	keep_ours(f, "rport");
	rows_compare(f);
}

static const char *const no_options[] = { NULL };

static const struct selftest_part retrans_parts[] = {
	{ .options = no_options, .prepare = prepare, .work = work_resent, .check = check_resent },
	{ }
};

static const struct selftest_input retrans_inputs[] = {
	{ "laddr", "retransmit.skb.laddr6" },
	{ "raddr", "retransmit.skb.raddr6" },
	{ "state", "retransmit.skb.state" },
	{ }
};

SELFTEST(tcpretrans, retrans_parts, .inputs = retrans_inputs, .machine_wide = true,
	 .state_size = sizeof(struct state));

/* tcprtt */

#define REQUESTS 50

/* The port of the one family that is used. */
static int prepare_rtt(struct work *w)
{
	struct state *s = w->state;

	if (prepare(w))
		return -1;
	say_integer(w, "port", s->open[s->open[0].listener < 0].port);
	return 0;
}

static bool answer_requests(int ours, int theirs)
{
	char byte = 0;

	for (int i = 0; i < REQUESTS; i++) {
		struct pollfd p = { .fd = ours, .events = POLLIN };

		if (send(ours, &byte, 1, MSG_NOSIGNAL) != 1 || recv(theirs, &byte, 1, 0) != 1 ||
		    send(theirs, &byte, 1, MSG_NOSIGNAL) != 1 || poll(&p, 1, WAIT_MS) != 1 ||
		    recv(ours, &byte, 1, 0) != 1)
			return false;
	}
	return true;
}

/* How much a socket received, once nothing is on its way any more. */
static bool settled(int fd, struct tcp_info *info)
{
	for (int i = 0; i < 100; i++) {
		socklen_t size = sizeof(*info);

		memset(info, 0, sizeof(*info));
		if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &size))
			return false;
		if (!info->tcpi_unacked)
			return info->tcpi_segs_in > 1;
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
	return false;
}

static int work_rtt(struct work *w)
{
	const struct state *s = w->state;
	const struct end *e = &s->open[s->open[0].listener < 0];
	struct tcp_info theirs_info, info;
	struct connection c;
	int error = connect_end(e, &c), theirs;

	if ((error && error != EINPROGRESS) || !await(c.fd, WAIT_MS))
		return not_here(w, "connecting to %s: %s", address_of(e->family),
				strerror(error ? error : errno));
	theirs = accept4(e->listener, NULL, NULL, SOCK_CLOEXEC);
	if (theirs < 0 || !answer_requests(c.fd, theirs) || !settled(theirs, &theirs_info) ||
	    !settled(c.fd, &info))
		return not_here(w, "a connection to %s: %s", address_of(e->family),
				strerror(errno));
	say_integer(w, "segments", info.tcpi_segs_in - 1);	/* the first one opened it */
	hang_up(&c);
	close(theirs);
	return 0;
}

static void check_rtt(struct found *f)
{
	int64_t n = said_integer(f, "segments");

	found_between(f, "segments", n, found_counted(f, NULL, NULL), n);
}

static const char *const rtt_options[] = { "-P", "%port", NULL };

static const struct selftest_part rtt_parts[] = {
	{ .options = rtt_options, .prepare = prepare_rtt, .work = work_rtt, .check = check_rtt },
	{ }
};

SELFTEST(tcprtt, rtt_parts, .state_size = sizeof(struct state));

/* tcpsynbl */

#define BACKLOG 97			/* which no other listener has */
#define WAITING 6

static int prepare_backlog(struct work *w)
{
	struct state *s = w->state;

	if (prepare(w))
		return -1;
	for (int i = 0; i < FAMILIES; i++)
		if (s->open[i].listener >= 0 && listen(s->open[i].listener, BACKLOG))
			return not_here(w, "a backlog of %d: %s", BACKLOG, strerror(errno));
	return 0;
}

static int work_backlog(struct work *w)
{
	const struct state *s = w->state;
	int64_t n = 0;

	for (int i = 0; i < FAMILIES; i++) {
		for (int j = 0; s->open[i].listener >= 0 && j < WAITING; j++, n++) {
			struct connection c;	/* closed at the end */
			int error = connect_end(&s->open[i], &c);

			if ((error && error != EINPROGRESS) || !await(c.fd, WAIT_MS))
				return not_here(w, "connecting to %s: %s", address_of(families[i]),
						strerror(error ? error : errno));
		}
	}
	say_integer(w, "connections", n);
	say_integer(w, "backlog_max", BACKLOG);
	return 0;
}

static void check_backlog(struct found *f)
{
	int64_t n = said_integer(f, "connections");

	keep_ours(f, "backlog_max");
	found_between(f, "connections", n, found_counted(f, NULL, NULL), n);
}

static const struct selftest_part backlog_parts[] = {
	{ .options = no_options, .prepare = prepare_backlog, .work = work_backlog,
	  .check = check_backlog },
	{ }
};

SELFTEST(tcpsynbl, backlog_parts, .state_size = sizeof(struct state));
