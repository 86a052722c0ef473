// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/connections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compat/base/clock.h"

/*
 * A request has to be whole 5 s after its first byte, or after the connection; an answer has to be
 * taken within 15 s. A scraper comes each minute or so, and may keep its connection.
 */
#define REQUEST_MS 5000
#define ANSWER_MS 15000
#define IDLE_MS 90000

struct connection {
	int fd;				/* -1: none */
	int64_t until;			/* CLOCK_MONOTONIC, ms */
	bool idle;			/* no byte of the next request has come */
	bool ends;			/* behind the answer */
	char in[HTTP_HEAD_MOST + 1];	/* ends with a NUL */
	size_t n;
	struct strbuf out;
	size_t sent;
};

struct connections {
	http_answerer answer;
	void *arg;
	struct connection list[CONNECTIONS];
};

struct connections *connections_new(http_answerer answer, void *arg)
{
	struct connections *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->answer = answer;
	c->arg = arg;
	for (unsigned int i = 0; i < CONNECTIONS; i++)
		c->list[i].fd = -1;
	return c;
}

static void end(struct connection *c)
{
	close(c->fd);
	free(c->out.s);
	*c = (struct connection){ .fd = -1 };
}

/* A free place; else that of the one that is idle, and nearest to its end. NULL: none is. */
static struct connection *place(struct connections *c)
{
	struct connection *oldest = NULL;

	for (unsigned int i = 0; i < CONNECTIONS; i++) {
		struct connection *l = &c->list[i];

		if (l->fd < 0)
			return l;
		if (l->idle && (!oldest || l->until < oldest->until))
			oldest = l;
	}
	if (oldest)
		end(oldest);
	return oldest;
}

void connections_accept(struct connections *c, int listener)
{
	const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct connection *l;

	if (fd < 0)
		return;
	l = place(c);
	if (!l) {
		close(fd);
		return;
	}
	l->fd = fd;
	l->until = monotonic_ms() + REQUEST_MS;
}

/* Makes the answer to the next request. Returns false if that is not whole yet. */
static bool take_request(struct connections *all, struct connection *c)
{
	struct http_request r;
	const size_t n = c->n ? http_parse(c->in, c->n, &r) : 0;

	if (!n)
		return false;
	c->ends = r.ends;
	c->idle = false;
	c->until = monotonic_ms() + ANSWER_MS;
	all->answer(all->arg, &r, &c->out);
	c->n -= n;
	memmove(c->in, c->in + n, c->n + 1);
	/* Without memory there is no answer. */
	if (c->out.cut) {
		c->ends = true;
		c->out.n = 0;
	}
	return true;
}

/* Return false if the client is gone. */
static bool read_some(struct connection *c)
{
	const ssize_t n = recv(c->fd, c->in + c->n, HTTP_HEAD_MOST - c->n, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!n)
		return false;
	if (c->idle)
		c->until = monotonic_ms() + REQUEST_MS;
	c->idle = false;
	c->n += (size_t)n;
	c->in[c->n] = '\0';
	return true;
}

static bool write_some(struct connection *c)
{
	const size_t left = c->out.n - c->sent;
	const ssize_t n = left ? send(c->fd, c->out.s + c->sent, left, MSG_NOSIGNAL) : 0;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	c->sent += (size_t)n;
	return true;
}

static void answered(struct connection *c)
{
	free(c->out.s);
	c->out = (struct strbuf){ };
	c->sent = 0;
	c->until = monotonic_ms() + (c->n ? REQUEST_MS : IDLE_MS);
	c->idle = !c->n;
}

/* Requests that came at once are answered one after the other. False: the connection is over. */
static bool go_on(struct connections *all, struct connection *c, short events)
{
	if (events & (POLLERR | POLLNVAL))
		return false;
	if (events & POLLIN && c->n < HTTP_HEAD_MOST && !read_some(c))
		return false;
	while (c->out.n || take_request(all, c)) {
		if (!write_some(c))
			return false;
		if (c->sent < c->out.n)
			return true;
		if (c->ends)
			return false;
		answered(c);
	}
	return true;
}

unsigned int connections_poll(const struct connections *c, struct pollfd *to)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < CONNECTIONS; i++) {
		const struct connection *l = &c->list[i];
		const bool writes = l->sent < l->out.n;

		if (l->fd >= 0)
			to[n++] = (struct pollfd){ l->fd, writes ? POLLOUT : POLLIN, 0 };
	}
	return n;
}

void connections_go_on(struct connections *c, const struct pollfd *polls, unsigned int n)
{
	const int64_t now = monotonic_ms();

	for (unsigned int i = 0; i < CONNECTIONS; i++) {
		struct connection *l = &c->list[i];
		short events = 0;

		if (l->fd < 0)
			continue;
		for (unsigned int j = 0; j < n; j++)
			if (polls[j].fd == l->fd)
				events = polls[j].revents;
		if (now >= l->until || (events && !go_on(c, l, events)))
			end(l);
	}
}

int connections_wait(const struct connections *c)
{
	const int64_t now = monotonic_ms();
	int64_t first = INT64_MAX;

	for (unsigned int i = 0; i < CONNECTIONS; i++)
		if (c->list[i].fd >= 0 && c->list[i].until < first)
			first = c->list[i].until;
	if (first == INT64_MAX)
		return -1;
	return first > now ? (int)(first - now) + 1 : 0;
}
