// SPDX-License-Identifier: GPL-2.0
/* nettop: messages of a known size over the loopback device, which others use, too. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/net.h"
#include "src/commands/selftest/selftest.h"

#define MESSAGES 50
#define SIZE 20000		/* one packet: the loopback device takes 64 KB */
#define MOST (1LL << 40)

struct state {
	int fds[2];
};

static int prepare(struct work *w)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct state *s = w->state;
	socklen_t size = sizeof(a);

	for (int i = 0; i < 2; i++)
		s->fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s->fds[0] < 0 || s->fds[1] < 0 ||
	    bind(s->fds[1], (struct sockaddr *)&a, sizeof(a)) ||
	    getsockname(s->fds[1], (struct sockaddr *)&a, &size) ||
	    connect(s->fds[0], (struct sockaddr *)&a, sizeof(a)))
		return not_here(w, "no sockets over the loopback device: %s", strerror(errno));
	return 0;
}

static int work(struct work *w)
{
	static char bytes[SIZE];
	const struct state *s = w->state;

	for (int i = 0; i < MESSAGES; i++)
		if (send(s->fds[0], bytes, SIZE, 0) != SIZE ||
		    recv(s->fds[1], bytes, SIZE, 0) != SIZE)
			return not_here(w, "a message over the loopback device: %s",
					strerror(errno));
	return 0;
}

/* The sum of a member over the rows of a direction. */
static int64_t sum(const struct found *f, const char *direction, const char *member)
{
	int64_t all = 0, n;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json value;
		char text[8];

		if (json_member(f->rows.rows[i], "direction", &value) &&
		    json_text(value, text, sizeof(text)) && !strcmp(text, direction) &&
		    json_member(f->rows.rows[i], member, &value) && json_integer(value, &n))
			all += n;
	}
	return all;
}

static void check(struct found *f)
{
	found_between(f, "packets sent", MESSAGES, sum(f, "tx", "above"), MOST);
	found_between(f, "packets received", MESSAGES, sum(f, "rx", "above"), MOST);
	found_between(f, "bytes sent", MESSAGES * SIZE, sum(f, "tx", "bytes"), MOST);
	found_between(f, "bytes received", MESSAGES * SIZE, sum(f, "rx", "bytes"), MOST);
}

static const char *const devices[] = { "-n", "lo", "1000", NULL };
static const char *const queues[] = { "-q", "-n", "lo", "1000", NULL };

static const struct selftest_part parts[] = {
	{ "devices", devices, NULL, prepare, work, check },
	{ "queues", queues, NULL, prepare, work, check },
	{ }
};

SELFTEST(nettop, parts, .machine_wide = true, .state_size = sizeof(struct state));
