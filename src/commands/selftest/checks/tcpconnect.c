// SPDX-License-Identifier: GPL-2.0
/*
 * tcpconnect: one row for each connection over the loopback device, also for those that are
 * refused.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define CONNECTS 5

/* By family; a socket of -1: this machine lacks the family. */
struct state {
	struct end {
		/* the second is bound, so that no other gets its port, and refuses */
		int listener, closed;
		union net_address to, refused;
	} ends[NET_FAMILIES];
};

/* Connects and hangs up; the errno. */
static int connect_once(const union net_address *to, int *local)
{
	int fd = net_connect(to, local);

	if (fd < 0)
		return errno;
	net_reset(fd);
	return 0;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;
	int any = 0, local;

	for (int i = 0; i < NET_FAMILIES; i++) {
		struct end *e = &s->ends[i];

		e->closed = net_bound(net_families[i].family, &e->refused);
		e->listener = net_bound(net_families[i].family, &e->to);
		if (e->listener < 0 || e->closed < 0 || listen(e->listener, 2 * CONNECTS) ||
		    connect_once(&e->to, &local))
			e->listener = -1;
		any |= e->listener >= 0;
	}
	if (!any)
		return not_here(w, "no connection over the loopback device: %s", strerror(errno));
	if (s->ends[0].listener < 0 || s->ends[1].listener < 0)
		say_text(w, "note", s->ends[0].listener < 0 ? "IPv4 not tried: no 127.0.0.1" :
			 "IPv6 not tried: no ::1");
	return 0;
}

static int connect_one(struct work *w, int i, const union net_address *to, int wanted,
		       bool with_local)
{
	int local = 0, error = connect_once(to, &local);

	if (error != wanted)
		return not_here(w, "connecting to %s: %s", net_families[i].address,
				strerror(error));
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "ip", net_families[i].ip);
	want_text(w, "saddr", net_families[i].address, strlen(net_families[i].address));
	want_text(w, "daddr", net_families[i].address, strlen(net_families[i].address));
	want_integer(w, "dport", net_port(to));
	if (with_local)
		want_integer(w, "lport", local);
	want_end(w);
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++) {
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

	for (int i = 0; i < NET_FAMILIES; i++)
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

/* On kernels without an event for the state of sockets the functions tell neither for IPv6. */
static const struct selftest_input inputs[] = {
	{ "saddr", "tcp.connect.saddr6" },
	{ "lport", "tcp.connect.saddr6" },
	{ }
};

SELFTEST(tcpconnect, parts, .inputs = inputs, .state_size = sizeof(struct state));
