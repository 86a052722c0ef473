// SPDX-License-Identifier: GPL-2.0
/* tcppktlat: data over the loopback device that is read a known time after it came. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define READS 5
#define WAIT_MS 20

struct state {
	int client, server, lport, rport, family;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++) {
		union net_address to;
		int listener = net_bound(net_families[i].family, &to);

		if (listener < 0 || listen(listener, 1))
			continue;
		s->client = net_connect(&to, &s->rport);
		s->server = s->client < 0 ? -1 : accept(listener, NULL, NULL);
		s->lport = net_port(&to);
		s->family = i;
		if (s->server >= 0)
			return 0;
	}
	return not_here(w, "no connection over the loopback device: %s", strerror(errno));
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	const char *address = net_families[s->family].address;

	for (int i = 0; i < READS; i++) {
		char byte = 0;

		if (send(s->client, &byte, 1, 0) != 1)
			return not_here(w, "sending: %s", strerror(errno));
		usleep(WAIT_MS * 1000);
		if (recv(s->server, &byte, 1, 0) != 1)
			return not_here(w, "receiving: %s", strerror(errno));
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_text(w, "comm", w->name, strlen(w->name));
		want_text(w, "laddr", address, strlen(address));
		want_integer(w, "lport", s->lport);
		want_text(w, "raddr", address, strlen(address));
		want_integer(w, "rport", s->rport);
		want_end(w);
	}
	return 0;
}

/* Only what waited for most of the time: of the client nothing waits. */
static const char *const options[] = { "--pid", "%pid", "15000", NULL };
static const char *const foreign[] = { "--name", "%name", "15000", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(tcppktlat, parts, .state_size = sizeof(struct state));
