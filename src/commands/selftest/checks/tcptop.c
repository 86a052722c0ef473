// SPDX-License-Identifier: GPL-2.0
/*
 * tcptop: a connection of each family over the loopback device, with a known number of bytes each
 * way. Calls ask for more than there is, and look at bytes before they take them.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define SENT 30000		/* by the client; over IPv6 1000 more */
#define ANSWERED 5000		/* by the server; the same */
#define MORE 1000
#define MOST (1LL << 40)	/* of others */

struct state {
	struct end {
		int listener;		/* -1: this machine lacks the family */
		union net_address to;
		int local;
	} ends[NET_FAMILIES];
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	bool any = false;

	for (int i = 0; i < NET_FAMILIES; i++) {
		struct end *e = &s->ends[i];

		e->listener = net_bound(net_families[i].family, &e->to);
		if (e->listener >= 0 && listen(e->listener, 4)) {
			close(e->listener);
			e->listener = -1;
		}
		any |= e->listener >= 0;
	}
	if (!any)
		return not_here(w, "no listener on the loopback device: %s", strerror(errno));
	if (s->ends[0].listener < 0 || s->ends[1].listener < 0)
		say_text(w, "note", s->ends[0].listener < 0 ? "IPv4 not tried: no 127.0.0.1" :
			 "IPv6 not tried: no ::1");
	return 0;
}

static bool send_n(int to, int from, ssize_t n)
{
	char bytes[2 * SENT] = { 0 };
	ssize_t got = 0, part = 1;

	if (write(to, bytes, (size_t)n) != n || recv(from, bytes, 100, MSG_PEEK) <= 0)
		return false;
	while (got < n && (part = recv(from, bytes, sizeof(bytes), 0)) > 0)
		got += part;
	return got == n && recv(from, bytes, 1, MSG_DONTWAIT) < 0;
}

static void want(struct work *w, int i, int lport, int rport, int tx, int rx)
{
	const char *address = net_families[i].address;

	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "laddr", address, strlen(address));
	want_integer(w, "lport", lport);
	want_text(w, "raddr", address, strlen(address));
	want_integer(w, "rport", rport);
	want_integer(w, "tx_bytes", tx);
	want_integer(w, "rx_bytes", rx);
	want_end(w);
}

static int work(struct work *w)
{
	struct state *s = w->state;
	int64_t bytes = 0;

	for (int i = 0; i < NET_FAMILIES; i++) {
		struct end *e = &s->ends[i];
		int client, server;

		if (e->listener < 0)
			continue;
		client = net_connect(&e->to, &e->local);
		server = client < 0 ? -1 : accept(e->listener, NULL, NULL);
		if (server < 0 || !send_n(client, server, SENT + i * MORE) ||
		    !send_n(server, client, ANSWERED + i * MORE))
			return not_here(w, "a connection to %s: %s", net_families[i].address,
					strerror(errno));
		net_reset(client);
		close(server);
		bytes += SENT + i * MORE + ANSWERED + i * MORE;
	}
	/* in the order of what they sent: the clients come first */
	for (int n = 0; n < 2 * NET_FAMILIES; n++) {
		int i = NET_FAMILIES - 1 - n % NET_FAMILIES, port = net_port(&s->ends[i].to);

		if (s->ends[i].listener < 0)
			continue;
		if (n < NET_FAMILIES)
			want(w, i, s->ends[i].local, port, SENT + i * MORE, ANSWERED + i * MORE);
		else
			want(w, i, port, s->ends[i].local, ANSWERED + i * MORE, SENT + i * MORE);
	}
	say_integer(w, "bytes", bytes);
	return 0;
}

/* In another pid namespace the workload can't be asked for. */
static void check(struct found *f)
{
	int64_t sent = 0;

	if (!f->foreign) {
		rows_compare(f);
		return;
	}
	if (!found_sum(f, "tx_bytes", &sent))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a number of bytes");
	found_between(f, "bytes sent", said_integer(f, "bytes"), sent, MOST);
}

static const char *const options[] = { "-s", "sent", "-p", "%pid", "1000", NULL };
static const char *const foreign[] = { "-s", "sent", "1000", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work,
	  .check = check },
	{ }
};

/* With kprobes the offsets of IPv6 addresses may not be known. */
static const struct selftest_input inputs[] = {
	{ "laddr", "flow.send.saddr6" }, { "raddr", "flow.send.daddr6" }, { }
};

SELFTEST(tcptop, parts, .inputs = inputs, .state_size = sizeof(struct state));
