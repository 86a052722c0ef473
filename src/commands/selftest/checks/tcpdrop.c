// SPDX-License-Identifier: GPL-2.0
/*
 * tcpdrop: attempts to connect to a port that is closed. The first packet of each is dropped. A
 * second part looks at the resets that answer.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define ATTEMPTS 5
#define MOST 1000000		/* of others */

struct state {
	union net_address to[NET_FAMILIES];
	bool there[NET_FAMILIES];
};

/* A port that is bound, and does not listen, is closed. */
static int prepare(struct work *w)
{
	struct state *s = w->state;

	for (int i = 0; i < NET_FAMILIES; i++)
		s->there[i] = net_bound(net_families[i].family, &s->to[i]) >= 0;
	if (!s->there[0] && !s->there[1])
		return not_here(w, "no port on the loopback device: %s", strerror(errno));
	if (!s->there[0] || !s->there[1])
		say_text(w, "note", !s->there[0] ? "IPv4 not tried: no 127.0.0.1" :
			 "IPv6 not tried: no ::1");
	return 0;
}

/* Attempts of the family, from ports of which each is written to local[]. */
static int attempt(struct work *w, int i, int local[ATTEMPTS])
{
	const struct state *s = w->state;

	for (int n = 0; n < ATTEMPTS; n++) {
		union net_address from;
		int fd = net_bound(net_families[i].family, &from);

		if (fd < 0)
			return not_here(w, "a socket: %s", strerror(errno));
		local[n] = net_port(&from);
		if (!connect(fd, &s->to[i].any, net_size(&s->to[i])) || errno != ECONNREFUSED)
			return not_here(w, "a closed port of %s: %s", net_families[i].address,
					strerror(errno));
		close(fd);
	}
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	int64_t n = 0;

	for (int i = 0; i < NET_FAMILIES; i++) {
		int local[ATTEMPTS];

		if (!s->there[i])
			continue;
		if (attempt(w, i, local))
			return -1;
		for (int j = 0; j < ATTEMPTS; j++)
			say_integer(w, "sport", local[j]);
		n += ATTEMPTS;
	}
	say_integer(w, "packets", n);
	return 0;
}

/* Rows whose `member` is a port that the workload said. */
static int64_t ours(const struct found *f, const char *member)
{
	int64_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++)
		for (size_t j = 0; j < f->says.n; j++) {
			struct json said, got;

			n += json_member(f->says.rows[j], "sport", &said) &&
			     json_member(f->rows.rows[i], member, &got) && json_same(said, got);
		}
	return n;
}

/* Where packets can't be read, rows have no ports, and those of others are rows as well. */
static void check(struct found *f)
{
	int64_t n = said_integer(f, "packets"), got = ours(f, "sport");

	found_between(f, "packets", n, got ? got : (int64_t)f->rows.n, got ? n : MOST);
}

static void check_resets(struct found *f)
{
	int64_t n = said_integer(f, "packets");

	/* Kernels before 6.7 report only those that are received. */
	found_between(f, "resets", n, ours(f, "dport"), 2 * n);
}

static const char *const options[] = { NULL };
static const char *const reset_options[] = { "--resets", NULL };

static const struct selftest_part parts[] = {
	{ "drops", options, NULL, prepare, work, check },
	{ "resets", reset_options, NULL, prepare, work, check_resets },
	{ }
};

SELFTEST(tcpdrop, parts, .machine_wide = true, .state_size = sizeof(struct state));
