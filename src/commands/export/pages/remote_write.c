// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/remote_write.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/export/again.h"
#include "src/commands/export/pages/nobody.h"
#include "src/commands/export/pages/page.h"
#include "src/commands/export/pages/remote_post.h"
#include "src/commands/export/pages/remote_queue.h"
#include "src/commands/export/pages/snappy.h"
#include "src/lib/metrics/metrics_wire.h"

#define COUNTS_MS 5000			/* how often counts that could not go are tried again */

enum { SENT, FAILED, DROPPED, COUNTS };

static const struct metric_about families[COUNTS] = {
	[SENT] = { .name = "sonde_remote_write_sent", .unit = "", .scale = 1,
		   .help = "requests that the receiver of --remote-write took" },
	[FAILED] = { .name = "sonde_remote_write_failed", .unit = "", .scale = 1,
		     .help = "tries that had no answer, or 429 or 5xx, and are repeated" },
	[DROPPED] = { .name = "sonde_remote_write_dropped", .unit = "", .scale = 1,
		      .help = "requests that the receiver refused, or for which there was no room "
			      "while it was away: it lacks them" },
};

struct remote {
	const struct remote_setup *setup;
	struct page_reader reader;
	struct remote_queue queue;
	struct remote_post post;	/* of the oldest one, while `posting` */
	bool posting;
	int64_t again;			/* CLOCK_MONOTONIC, ms: not before it is tried again */
	int wait_ms;
	unsigned int told;		/* what was said last: a status, or 1: no answer */
	struct metrics metrics;
	struct metrics_sender sender;
};

static void count(struct remote *r, unsigned int what, double n)
{
	struct metric_family *f = metrics_family(&r->metrics, &families[what]);
	const struct metric_labels none = { .n = 0 };
	struct metric_series *s = f ? metric_series(f, &none, 0) : NULL;

	if (s)
		s->value += n;
}

static void take_pages(struct remote *r)
{
	while (page_take(&r->reader)) {
		struct strbuf body = { };

		snappy_literals(&body, r->reader.page.s, r->reader.page.n);
		if (!body.cut) {
			count(r, DROPPED, remote_queue_add(&r->queue, &body, r->posting));
			continue;
		}
		free(body.s);
		count(r, DROPPED, 1);
	}
}

/* Once, and not each time. */
static void say(struct remote *r, enum post_end how)
{
	const unsigned int state = how == POST_TAKEN ? 0 : r->post.status ? r->post.status : 1;
	char room[1536];
	struct strbuf text = strbuf_over(room, sizeof(room));

	if (state == r->told)
		return;
	r->told = state;
	strbuf_addf(&text, "sonde: export: http://%s%s ", r->setup->url.host, r->setup->url.path);
	if (!state)
		strbuf_addf(&text, "takes metrics again\n");
	else if (state > 1)
		strbuf_addf(&text, "answers status %u: %s\n", state, how == POST_AGAIN ?
			    "it is tried again" : "the request is dropped");
	else
		strbuf_addf(&text, "does not answer: %s\n"
				   "the newest %u MB are kept, and it is tried again\n",
			    r->post.error ? strerror(r->post.error) :
			    "it says nothing that is HTTP, or closes the connection",
			    REMOTE_BYTES >> 20);
	/* Not by stdio, which may need calls that this process has not. */
	if (write(STDERR_FILENO, text.s, text.n) < 0)
		return;
}

static void go_on(struct remote *r)
{
	const int64_t now = monotonic_ms();
	enum post_end how;

	if (!r->posting && r->queue.n && now >= r->again) {
		const struct strbuf *body = &r->queue.list[r->queue.first];

		post_begin(&r->post, &r->setup->url, body->s, body->n);
		r->posting = true;
	}
	if (!r->posting)
		return;
	how = post_go_on(&r->post);
	if (how == POST_GOES_ON)
		return;
	r->posting = false;
	say(r, how);
	if (how == POST_AGAIN) {
		count(r, FAILED, 1);
		r->wait_ms = again_ms(r->wait_ms);
		r->again = now + r->wait_ms;
		return;
	}
	count(r, how == POST_TAKEN ? SENT : DROPPED, 1);
	remote_queue_drop_first(&r->queue);
	r->wait_ms = 0;
}

static int wait_ms(const struct remote *r)
{
	const int64_t now = monotonic_ms();
	int64_t next = now + COUNTS_MS;

	if (r->posting && r->post.until < next)
		next = r->post.until;
	if (!r->posting && r->queue.n && r->again < next)
		next = r->again;
	return next > now ? (int)(next - now) : 0;
}

static bool is_kept(void *arg, int fd)
{
	const struct remote_setup *setup = arg;

	return fd == setup->pages || fd == setup->counts || fd == STDERR_FILENO;
}

void remote_write_run(const struct remote_setup *setup)
{
	struct remote *r = calloc(1, sizeof(*r));

	become_nobody(setup->parent, CONFINED_SENDS, is_kept, (void *)setup);
	if (!r)
		_exit(1);
	r->setup = setup;
	r->reader.from = setup->pages;
	r->post.fd = -1;
	r->sender.to = setup->counts;
	for (unsigned int i = 0; i < COUNTS; i++)
		count(r, i, 0);
	for (;;) {
		struct pollfd polls[] = {
			{ setup->pages, POLLIN, 0 }, { -1, 0, 0 },
		};

		metrics_send(&r->metrics, &r->sender);
		if (r->posting)
			polls[1] = (struct pollfd){ r->post.fd, post_events(&r->post), 0 };
		if (poll(polls, 2, wait_ms(r)) < 0 && errno != EINTR)
			_exit(1);
		take_pages(r);
		go_on(r);
	}
}
