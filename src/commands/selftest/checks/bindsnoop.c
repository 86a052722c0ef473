// SPDX-License-Identifier: GPL-2.0
/* bindsnoop: binds over the loopback device, half of which fail; sockets that begin to listen. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

struct state {
	union net_address free[NET_FAMILIES];
	int sockets[NET_FAMILIES];	/* bound ones, to listen with; -1: none */
};

/* A port for each family: it is free when its socket has been closed. */
static int find_ports(struct work *w)
{
	struct state *s = w->state;
	bool any = false;

	for (int i = 0; i < NET_FAMILIES; i++) {
		int fd = net_bound(net_families[i].family, &s->free[i]);

		if (fd < 0)
			s->free[i].any.sa_family = AF_UNSPEC;
		else
			close(fd);
		any = any || fd >= 0;
	}
	return any ? 0 : not_here(w, "no loopback device: %s", strerror(errno));
}

static void want(struct work *w, const struct state *s, int family, const char *error)
{
	const char *address = net_families[family].address;

	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "addr", address, strlen(address));
	want_integer(w, "port", net_port(&s->free[family]));
	if (error)
		want_text(w, "error", error, strlen(error));
	want_end(w);
}

static int binds(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++) {
		const union net_address *a = &s->free[i];
		int fds[2];

		if (a->any.sa_family == AF_UNSPEC)
			continue;
		for (int j = 0; j < 2; j++) {
			fds[j] = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
			if (!bind(fds[j], &a->any, net_size(a)) != !j)
				return not_here(w, "a port was taken: %s", strerror(errno));
			want(w, s, i, j ? "EADDRINUSE" : NULL);
		}
	}
	return 0;
}

static int bind_sockets(struct work *w)
{
	struct state *s = w->state;
	bool any = false;

	for (int i = 0; i < NET_FAMILIES; i++) {
		s->sockets[i] = net_bound(net_families[i].family, &s->free[i]);
		any = any || s->sockets[i] >= 0;
	}
	return any ? 0 : not_here(w, "no loopback device: %s", strerror(errno));
}

static int listens(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++) {
		if (s->sockets[i] < 0)
			continue;
		if (listen(s->sockets[i], 3))
			return not_here(w, "listen: %s", strerror(errno));
		want(w, s, i, NULL);
	}
	return 0;
}

static const char *const bind_options[] = { "--pid", "%pid", NULL };
static const char *const bind_foreign[] = { "--name", "%name", NULL };
static const char *const listen_options[] = { "--listen", "--pid", "%pid", NULL };
static const char *const listen_foreign[] = { "--listen", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .what = "bind", .options = bind_options, .foreign = bind_foreign,
	  .prepare = find_ports, .work = binds },
	{ .what = "listen", .options = listen_options, .foreign = listen_foreign,
	  .prepare = bind_sockets, .work = listens },
	{ }
};

static const struct selftest_input inputs[] = { { "addr", "listen.enter.saddr6" }, { } };

SELFTEST(bindsnoop, parts, .inputs = inputs, .state_size = sizeof(struct state));
