// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/server.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/export/connections.h"
#include "src/commands/export/pages/nobody.h"
#include "src/commands/export/pages/page.h"
#include "src/lib/metrics/metrics_wire.h"

#define GONE_NS (900 * (uint64_t)NS_PER_SECOND)	/* what was not seen for so long is gone */
#define LOOK_MS 60000		/* how often that is looked at */
#define MESSAGES 256		/* of a tool, before the next one's turn */

struct server {
	const struct server_setup *setup;
	struct metrics metrics;
	struct metrics_receiver *receivers;	/* of each tool */
	struct connections *connections;
	struct pollfd *polls;
	struct page_writer textfile, remote;
	int64_t page_next, look_next;
};

/* How often values of labels were too many is a metric, too. */
static void add_overflows(struct server *s)
{
	static const struct metric_about about = {
		.name = "sonde_series_limited", .unit = "", .scale = 1, .n_labels = 1,
		.labels = { "family" },
		.help = "additions to the series " METRICS_OTHERS ", as the family has no room",
	};

	for (unsigned int i = 0; i < s->metrics.n; i++) {
		const struct metric_family *f = s->metrics.families[i];
		struct metric_series *to = f->others ? metrics_series(&s->metrics, &about,
								      f->about.name, 0) : NULL;

		if (to)
			to->value = (double)f->others;
	}
}

static void add_build(struct server *s)
{
	static const struct metric_about about = {
		.name = "sonde_build_info", .type = METRIC_GAUGE, .unit = "", .scale = 1,
		.n_labels = 1, .labels = { "version" }, .help = "which sonde this is",
	};
	struct metric_series *to = metrics_series(&s->metrics, &about, SONDE_VERSION, 0);

	if (to)
		to->value = 1;
}

static void answer_text(struct strbuf *to, const struct http_request *r, unsigned int status,
			const char *text)
{
	http_answer(to, r, status, "text/plain; charset=utf-8", text, strlen(text));
}

static void answer(void *arg, const struct http_request *r, struct strbuf *to)
{
	struct server *s = arg;
	const enum metrics_form form = http_form(r->accept, r->accept_n);
	struct strbuf page = { };

	if (r->refused) {
		answer_text(to, r, r->refused, "sonde answers GET and HEAD, without a body\n");
	} else if (s->setup->local && r->host && !http_host_is_local(r->host, r->host_n)) {
		answer_text(to, r, 403, "Host is not this machine\n");
	} else if (r->path_n == 1 && *r->path == '/') {
		answer_text(to, r, 200, "sonde " SONDE_VERSION "\nthe metrics are at /metrics\n");
	} else if (r->path_n != strlen("/metrics") || strncmp(r->path, "/metrics", r->path_n)) {
		answer_text(to, r, 404, "the metrics are at /metrics\n");
	} else {
		add_overflows(s);
		metrics_page(&s->metrics, form, &page);
		if (page.cut || s->metrics.failed)
			answer_text(to, r, 503, "memory ran out\n");
		else
			http_answer(to, r, 200, metrics_content_type(form), page.s ? page.s : "",
				    page.n);
		free(page.s);
	}
}

static void receive(struct server *s, unsigned int tool)
{
	uint8_t message[METRICS_MESSAGE];

	for (unsigned int i = 0; i < MESSAGES; i++) {
		const ssize_t n = recv(s->setup->tools[tool], message, sizeof(message),
				       MSG_DONTWAIT);

		if (n <= 0)
			return;
		metrics_receive(&s->metrics, &s->receivers[tool], message, (size_t)n,
				monotonic_ns());
	}
}

/* A page that nobody took yet is not old: then there is no new one. */
static void make_page(struct server *s, struct page_writer *to, bool remote)
{
	struct strbuf page = { };

	if (to->to < 0 || !page_is_sent(to))
		return;
	add_overflows(s);
	if (remote)
		metrics_remote(&s->metrics, s->setup->external,
			       clock_ns(CLOCK_REALTIME) / NS_PER_MS, &page);
	else
		metrics_page(&s->metrics, METRICS_TEXT, &page);
	/* Without memory the old page stays. */
	if (page.cut || s->metrics.failed)
		free(page.s);
	else
		page_begin(to, &page);
}

static bool takes_pages(const struct server *s)
{
	return s->textfile.to >= 0 || s->remote.to >= 0;
}

static int wait_ms(const struct server *s)
{
	const int64_t now = monotonic_ms();
	int64_t next = s->look_next;
	const int first = connections_wait(s->connections);

	if (takes_pages(s) && s->page_next < next)
		next = s->page_next;
	if (first >= 0 && now + first < next)
		next = now + first;
	return next > now ? (int)(next - now) : 0;
}

static void do_due(struct server *s)
{
	const int64_t now = monotonic_ms();

	if (takes_pages(s) && now >= s->page_next) {
		s->page_next = now + PAGE_SECONDS * 1000;
		make_page(s, &s->textfile, false);
		make_page(s, &s->remote, true);
	}
	if (now >= s->look_next) {
		s->look_next = now + LOOK_MS;
		metrics_drop(&s->metrics, monotonic_ns() > GONE_NS ? monotonic_ns() - GONE_NS : 0);
	}
}

static void serve(struct server *s)
{
	const struct server_setup *setup = s->setup;
	unsigned int n = 0, n_connections;

	for (unsigned int i = 0; i < setup->n_tools; i++)
		s->polls[n++] = (struct pollfd){ setup->tools[i], POLLIN, 0 };
	for (unsigned int i = 0; i < setup->n_listeners; i++)
		s->polls[n++] = (struct pollfd){ setup->listeners[i], POLLIN, 0 };
	n_connections = connections_poll(s->connections, s->polls + n);
	n += n_connections;
	if (!page_is_sent(&s->textfile))
		s->polls[n++] = (struct pollfd){ s->textfile.to, POLLOUT, 0 };
	if (!page_is_sent(&s->remote))
		s->polls[n++] = (struct pollfd){ s->remote.to, POLLOUT, 0 };
	if (poll(s->polls, n, wait_ms(s)) < 0 && errno != EINTR)
		_exit(1);
	for (unsigned int i = 0; i < setup->n_tools; i++)
		if (s->polls[i].revents)
			receive(s, i);
	connections_go_on(s->connections, s->polls + setup->n_tools + setup->n_listeners,
			  n_connections);
	for (unsigned int i = 0; i < setup->n_listeners; i++)
		if (s->polls[setup->n_tools + i].revents)
			connections_accept(s->connections, setup->listeners[i]);
	do_due(s);
	page_go_on(&s->textfile);
	page_go_on(&s->remote);
}

static bool is_kept(void *arg, int fd)
{
	const struct server_setup *setup = arg;

	for (unsigned int i = 0; i < setup->n_tools; i++)
		if (setup->tools[i] == fd)
			return true;
	for (unsigned int i = 0; i < setup->n_listeners; i++)
		if (setup->listeners[i] == fd)
			return true;
	return setup->textfile == fd || setup->remote == fd;
}

void server_run(const struct server_setup *setup)
{
	struct server s = {
		.setup = setup, .textfile.to = setup->textfile, .remote.to = setup->remote,
	};

	become_nobody(setup->parent, CONFINED_SERVES, is_kept, (void *)setup);
	s.receivers = calloc(setup->n_tools, sizeof(*s.receivers));
	s.connections = connections_new(answer, &s);
	s.polls = calloc(setup->n_tools + setup->n_listeners + CONNECTIONS + 2, sizeof(*s.polls));
	if (!s.receivers || !s.connections || !s.polls)
		_exit(1);
	for (unsigned int i = 0; i < setup->n_tools; i++)
		s.receivers[i].user = 1ULL << i;
	add_build(&s);
	metrics_receiver_begin(setup->tools, setup->n_tools);
	for (;;)
		serve(&s);
}
