// SPDX-License-Identifier: GPL-2.0
/*
 * tcplife, tcpaccept, tcpstates: sessions of a process with itself over the loopback device, with a
 * known number of bytes each way and a known end. The tool is asked for one end of each, by port:
 * which end is closed first is chance.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define SESSIONS 3
#define SENT 30000		/* by the client */
#define ANSWERED 5000		/* by the server */

struct state {
	struct end {
		int listener;		/* -1: this machine lacks the family */
		union net_address to;
	} ends[NET_FAMILIES];
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char ports[32] = "";

	for (int i = 0; i < NET_FAMILIES; i++) {
		struct end *e = &s->ends[i];
		int local, fd = -1;

		e->listener = net_bound(net_families[i].family, &e->to);
		if (e->listener >= 0 && !listen(e->listener, 4))
			fd = net_connect(&e->to, &local);
		if (fd < 0) {
			e->listener = -1;
			continue;
		}
		net_reset(fd);
		close(accept(e->listener, NULL, NULL));
		sprintf(ports + strlen(ports), "%s%d", *ports ? "," : "", net_port(&e->to));
	}
	if (!*ports)
		return not_here(w, "no connection over the loopback device: %s", strerror(errno));
	if (s->ends[0].listener < 0 || s->ends[1].listener < 0)
		say_text(w, "note", s->ends[0].listener < 0 ? "IPv4 not tried: no 127.0.0.1" :
			 "IPv6 not tried: no ::1");
	say_text(w, "ports", ports);
	return 0;
}

/* The answer and the last byte acknowledge all that was sent before. */
static bool talk(int client, int server)
{
	char bytes[SENT] = { 0 };

	return write(client, bytes, SENT - 1) == SENT - 1 &&
	       recv(server, bytes, SENT - 1, MSG_WAITALL) == SENT - 1 &&
	       write(server, bytes, ANSWERED) == ANSWERED &&
	       recv(client, bytes, ANSWERED, MSG_WAITALL) == ANSWERED &&
	       write(client, bytes, 1) == 1 && read(server, bytes, 1) == 1;
}

/* One session. `by_server`: the server closes it; else the client resets it. */
static int session(struct work *w, const struct end *e, bool by_server, int *local)
{
	int client = net_connect(&e->to, local);
	int server = client < 0 ? -1 : accept(e->listener, NULL, NULL), error;

	if (client < 0 || server < 0 || !talk(client, server)) {
		error = errno;
		close(client);
		close(server);
		return not_here(w, "a session over the loopback device: %s", strerror(error));
	}
	if (!by_server)
		net_reset(client);
	close(server);
	if (by_server) {
		close(client);
		usleep(20000);		/* the server's end follows the client's */
	}
	return 0;
}

static void want_ends(struct work *w, int i, int lport, int rport)
{
	const char *address = net_families[i].address;

	want_integer(w, "ip", net_families[i].ip);
	want_text(w, "laddr", address, strlen(address));
	want_integer(w, "lport", lport);
	want_text(w, "raddr", address, strlen(address));
	want_integer(w, "rport", rport);
}

static void want_me(struct work *w)
{
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
}

/* The sessions of all families; `want` writes the rows of each. */
static int sessions(struct work *w, bool by_server,
		    void (*want)(struct work *w, int i, int local, int port))
{
	const struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++)
		for (int n = 0; s->ends[i].listener >= 0 && n < SESSIONS; n++) {
			int local = 0;

			if (session(w, &s->ends[i], by_server, &local))
				return -1;
			want(w, i, local, net_port(&s->ends[i].to));
		}
	return 0;
}

static void want_client(struct work *w, int i, int local, int port)
{
	want_begin(w);
	want_me(w);
	want_ends(w, i, local, port);
	want_integer(w, "tx_kb", SENT / 1024);
	want_integer(w, "rx_kb", ANSWERED / 1024);
	want_end(w);
}

static void want_server(struct work *w, int i, int local, int port)
{
	want_begin(w);
	want_me(w);
	want_ends(w, i, port, local);
	want_integer(w, "tx_kb", ANSWERED / 1024);
	want_integer(w, "rx_kb", SENT / 1024);
	want_end(w);
}

static void want_accepted(struct work *w, int i, int local, int port)
{
	want_begin(w);
	want_me(w);
	want_ends(w, i, port, local);
	want_end(w);
}

/* The client's end, which it resets: it waits for no packet of the server. */
static void want_states(struct work *w, int i, int local, int port)
{
	static const char *const states[] = { "CLOSE", "SYN_SENT", "ESTABLISHED", "CLOSE" };

	for (int n = 0; n < 3; n++) {
		want_begin(w);
		want_text(w, "oldstate", states[n], strlen(states[n]));
		want_text(w, "newstate", states[n + 1], strlen(states[n + 1]));
		want_ends(w, i, n ? local : 0, port);
		if (!n)
			want_me(w);
		want_end(w);
	}
}

static int work_client(struct work *w)
{
	return sessions(w, false, want_client);
}

static int work_server(struct work *w)
{
	return sessions(w, true, want_server);
}

static int work_accepts(struct work *w)
{
	return sessions(w, true, want_accepted);
}

static int work_states(struct work *w)
{
	return sessions(w, false, want_states);
}

static const char *const by_remote[] = { "--remoteport", "%ports", NULL };
static const char *const by_local[] = { "--localport", "%ports", NULL };

static const struct selftest_part life_parts[] = {
	{ "connected", by_remote, NULL, prepare, work_client },
	{ "accepted", by_local, NULL, prepare, work_server },
	{ }
};
static const struct selftest_part accept_parts[] = { { NULL, by_local, NULL, prepare,
						       work_accepts }, { } };
static const struct selftest_part state_parts[] = { { NULL, by_remote, NULL, prepare, work_states },
						    { } };

static const struct selftest_input state_inputs[] = {
	{ "laddr", "tcp.set_state.saddr6" }, { "raddr", "tcp.set_state.daddr6" },
	{ "tx_kb", "tcp.set_state.tx" }, { "rx_kb", "tcp.set_state.rx" },
	{ }
};
static const struct selftest_input accept_inputs[] = {
	{ "laddr", "tcp.accept.saddr6" }, { "raddr", "tcp.accept.daddr6" },
	{ }
};

SELFTEST(tcplife, life_parts, .inputs = state_inputs, .state_size = sizeof(struct state));
SELFTEST(tcpaccept, accept_parts, .inputs = accept_inputs, .state_size = sizeof(struct state));
SELFTEST(tcpstates, state_parts, .inputs = state_inputs, .state_size = sizeof(struct state));
