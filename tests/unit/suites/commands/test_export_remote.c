// SPDX-License-Identifier: GPL-2.0
/* Remote write: the bytes of a request, its address, and receivers that do what they should not. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/export/pages/page.h"
#include "src/commands/export/pages/remote_post.h"
#include "src/commands/export/pages/remote_queue.h"
#include "src/commands/export/pages/snappy.h"
#include "src/lib/metrics/metrics_remote.h"
#include "tests/unit/unit.h"

Suite *suite_export_remote(void);

static const struct {
	const char *url, *host, *path;	/* host: NULL: it is refused */
	const char *why;
} urls[] = {
	{ "http://127.0.0.1:9090/api/v1/write", "127.0.0.1:9090", "/api/v1/write" },
	{ "http://[::1]:1/?a=b", "[::1]:1", "/?a=b" },
	{ "https://127.0.0.1:9090/", NULL, NULL, "no TLS of its own: use a proxy" },
	{ "http://localhost:9090/", NULL, NULL, "takes http://ADDRESS:PORT/PATH" },
	{ "http://127.0.0.1/", NULL, NULL, "takes" },
	{ "http://127.0.0.1:90", NULL, NULL, "takes" },
	{ "http://127.0.0.1:0/", NULL, NULL, "takes" },
	{ "http://127.0.0.1:65536/", NULL, NULL, "" },
	{ "http://a:b@127.0.0.1:9090/", NULL, NULL, "takes" }, { "http://:9090/", NULL, NULL, "" },
	{ "http://127.0.0.1:9090/a b", NULL, NULL, "takes" }, { "", NULL, NULL, "takes" },
	{ "http://127.0.0.1:9090/a\r\nHost: b", NULL, NULL, "takes" },
	{ "http://[::1:9090/", NULL, NULL, "takes" }, { "ftp://127.0.0.1:9090/", NULL, NULL, "" },
	{ "http://[]:9090/", NULL, NULL, "takes" }, { "http://[:9090/", NULL, NULL, "takes" },
};

START_TEST(addresses)
{
	struct remote_url url;
	struct error err = { };

	ck_assert_int_eq(remote_url_read(urls[_i].url, &url, &err), urls[_i].host ? 0 : -1);
	if (urls[_i].host) {
		ck_assert_str_eq(url.host, urls[_i].host);
		ck_assert_str_eq(url.path, urls[_i].path);
	} else {
		ck_assert_ptr_nonnull(strstr(err.text, urls[_i].why));
	}
}
END_TEST

static size_t length_of(const uint8_t **at)
{
	size_t n = 0;

	for (unsigned int shift = 0;; shift += 7) {
		n |= (size_t)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			return n;
	}
}

/* A reader of literals gets the bytes back, whatever their number. */
START_TEST(snappy)
{
	static const size_t sizes[] = { 0, 1, 60, 61, 256, 65535, 65536, 65537, 200000 };
	const size_t n = sizes[_i];
	struct strbuf block = { };
	char *bytes = malloc(n + 1), *back = malloc(n + 1);
	const uint8_t *at, *end;
	size_t done = 0;

	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)(i * 7 >> 3);
	snappy_literals(&block, bytes, n);
	at = (const uint8_t *)block.s;
	end = at + block.n;
	ck_assert_uint_eq(length_of(&at), n);
	while (at < end) {
		size_t length = (size_t)(*at >> 2) + 1;

		ck_assert_int_eq(*at++ & 3, 0);
		if (length == 62) {
			length = (size_t)(at[0] | at[1] << 8) + 1;
			at += 2;
		}
		ck_assert_uint_le(done + length, n);
		memcpy(back + done, at, length);
		done += length;
		at += length;
	}
	ck_assert_uint_eq(done, n);
	ck_assert(at == end && !memcmp(bytes, back, n));
	free(bytes);
	free(back);
	free(block.s);
}
END_TEST

/* Labels are sorted; the series' own one stays; a time of 300 ms. */
START_TEST(request_bytes)
{
	static const struct metric_about about = {
		.name = "a", .unit = "", .help = "", .scale = 1, .n_labels = 2,
		.labels = { "disk", "empty" },
	};
	struct external_labels external = { };
	struct metrics m = { };
	struct metric_labels l = { .n = 0 };
	struct strbuf to = { }, text = { };

	ck_assert_int_eq(external_label(&external, "zone=1", NULL), 0);
	ck_assert_int_eq(external_label(&external, "B=x\xff", NULL), 0);
	ck_assert_int_eq(external_label(&external, "disk=other", NULL), 0);
	ck_assert_int_eq(external_label(&external, "zone=2", NULL), 0);
	ck_assert_int_eq(external_label(&external, "none=", NULL), 0);
	ck_assert_int_eq(external_label(&external, "__a=1", NULL), -1);
	ck_assert_int_eq(external_label(&external, "a-b=1", NULL), -1);
	ck_assert_int_eq(external_label(&external, "=1", NULL), -1);
	ck_assert_int_eq(external_label(&external, "a", NULL), -1);
	metric_label(&l, "sda", 3);
	metric_label(&l, "", 0);
	metric_series(metrics_family(&m, &about), &l, 0)->value = 1;
	metrics_remote(&m, &external, 300, &to);
	for (size_t i = 0; i < to.n; i++)
		strbuf_addf(&text, to.s[i] > ' ' && to.s[i] <= '~' ? "%c" : "<%02x>",
			    (uint8_t)to.s[i]);
	ck_assert_str_eq(text.s,
			 "<0a>G<0a><0a><0a><01>B<12><05>x\\xff"
			 "<0a><13><0a><08>__name__<12><07>a_total"
			 "<0a><0b><0a><04>disk<12><03>sda"
			 "<0a><09><0a><04>zone<12><01>2"
			 "<12><0c><09><00><00><00><00><00><00><f0>?<10><ac><02>");
	free(to.s);
	free(text.s);
	metrics_free(&m);
}
END_TEST

/* Pages come whole, also a reader's that was started in the middle of one, or a writer's. */
START_TEST(pages)
{
	struct page_reader reader = { };
	struct page_writer writer = { };
	struct strbuf page = { };
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	writer.to = pair[0];
	reader.from = pair[1];
	for (unsigned int turn = 0; turn < 4; turn++) {
		const size_t n = turn % 2 ? 10 : 3000000;
		bool whole = false;
		char byte;

		for (size_t i = 0; i < n; i++) {
			byte = (char)(i >> 4);
			strbuf_add(&page, &byte, 1);
		}
		page_begin(&writer, &page);
		for (unsigned int i = 0; i < 1000 && !whole; i++) {
			page_go_on(&writer);
			/* one of the reader's ends here, one of the writer's there */
			if (turn == 2 && i == 3) {
				free(reader.page.s);
				reader.page = (struct strbuf){ };
			}
			if (turn == 2 && i > 5 && page_is_sent(&writer)) {
				writer.written = 0;
				break;
			}
			whole = page_take(&reader);
		}
		ck_assert_int_eq(whole, turn != 2);
		if (whole)
			ck_assert(reader.page.n == n &&
				  reader.page.s[n - 1] == (char)((n - 1) >> 4));
	}
	free(reader.page.s);
	free(writer.page.s);
	close(pair[0]);
	close(pair[1]);
}
END_TEST

static unsigned int queue(struct remote_queue *q, char name, size_t n, bool keeps_first)
{
	struct strbuf body = { .s = malloc(n), .n = n, .size = n };

	memset(body.s, name, n);
	return remote_queue_add(q, &body, keeps_first);
}

/* The oldest ones make room, but for one that is on its way. */
START_TEST(room)
{
	const size_t quarter = REMOTE_BYTES / 4;
	struct remote_queue *q = calloc(1, sizeof(*q));
	unsigned int dropped = 0;
	char order[8] = "";

	for (char name = 'a'; name < 'e'; name++)
		ck_assert_uint_eq(queue(q, name, quarter, false), 0);
	ck_assert_uint_eq(queue(q, 'e', quarter, false), 1);
	ck_assert_uint_eq(queue(q, 'f', 2 * quarter, true), 2);
	for (unsigned int i = 0; q->n; i++) {
		order[i] = *q->list[q->first].s;
		remote_queue_drop_first(q);
	}
	ck_assert_str_eq(order, "bef");
	ck_assert_uint_eq(q->bytes, 0);
	/* one that is larger than all may be */
	ck_assert_uint_eq(queue(q, 'g', 5 * quarter, false), 0);
	ck_assert_uint_eq(queue(q, 'h', 1, false), 1);
	for (unsigned int i = 0; i < 2 * REMOTE_REQUESTS; i++)
		dropped += queue(q, 'i', 10, true);
	ck_assert_uint_eq(dropped, REMOTE_REQUESTS + 1);
	ck_assert_int_eq(*q->list[q->first].s, 'h');
	ck_assert_uint_eq(q->n, REMOTE_REQUESTS);
	while (q->n)
		remote_queue_drop_first(q);
	ck_assert_uint_eq(q->bytes, 0);
	free(q);
}
END_TEST

static const struct {
	const char *answer;		/* NULL: none, and the connection is closed */
	unsigned int endless;		/* so many KB of a body follow */
	enum post_end end;
	unsigned int status;
} receivers[] = {
	{ "HTTP/1.1 204 No Content\r\n\r\n", 0, POST_TAKEN, 204 },
	{ "HTTP/1.0 200 OK\n\n", 0, POST_TAKEN, 200 },
	{ "HTTP/1.1 200 OK\r\n\r\n", 1000, POST_TAKEN, 200 },
	{ NULL, 0, POST_AGAIN, 0 }, { "HTTP/1.1 2", 0, POST_AGAIN, 0 },
	{ "HTTP/1.1 400 Bad Request\r\n\r\n", 1000, POST_REFUSED, 400 },
	{ "HTTP/1.1 302 Found\r\n", 0, POST_REFUSED, 302 },
	{ "HTTP/1.1 429 Too Many Requests\r\n", 0, POST_AGAIN, 429 },
	{ "HTTP/1.1 503 Service Unavailable\r\n", 1000, POST_AGAIN, 503 },
	{ "HTTP/1.1 100 Continue\r\n\r\n", 0, POST_AGAIN, 0 },
	{ "SSH-2.0-OpenSSH_9.2\r\n", 0, POST_AGAIN, 0 },
	{ "HTTP/1.1 99999999999999999999\r\n", 0, POST_AGAIN, 0 },
	{ "HTTP/1.1 200 a status without an end of its line, which goes on and on and on and on", 0,
	  POST_TAKEN, 200 },
};

static int listens(struct remote_url *url)
{
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct error err;

	ck_assert_int_eq(remote_url_read("http://127.0.0.1:1/w", url, &err), 0);
	url->place.v4.sin_port = 0;
	ck_assert_int_eq(bind(fd, &url->place.any, url->size), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(getsockname(fd, &url->place.any, &url->size), 0);
	return fd;
}

static enum post_end finish(struct remote_post *p)
{
	enum post_end how;

	while ((how = post_go_on(p)) == POST_GOES_ON)
		poll(&(struct pollfd){ p->fd, post_events(p), 0 }, 1, 1000);
	ck_assert_int_eq(p->fd, -1);
	return how;
}

START_TEST(hostile_receivers)
{
	static const char kilobyte[1024];
	struct remote_url url;
	const int listener = listens(&url);
	struct remote_post p;
	int fd;

	post_begin(&p, &url, "body", 4);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	if (receivers[_i].answer)
		ck_assert_int_gt(send(fd, receivers[_i].answer, strlen(receivers[_i].answer),
				      MSG_NOSIGNAL), 0);
	for (unsigned int i = 0; i < receivers[_i].endless; i++)
		send(fd, kilobyte, sizeof(kilobyte), MSG_NOSIGNAL | MSG_DONTWAIT);
	if (!receivers[_i].endless)
		close(fd);
	ck_assert_int_eq(finish(&p), receivers[_i].end);
	ck_assert_uint_eq(p.status, receivers[_i].status);
	if (receivers[_i].endless)
		close(fd);
	close(listener);
}
END_TEST

/* The bytes that a receiver gets; one that never answers; one that is not there. */
START_TEST(post)
{
	static const char wanted[] =
		"POST /w HTTP/1.1\r\nHost: 127.0.0.1:1\r\nUser-Agent: sonde/" SONDE_VERSION "\r\n"
		"Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
		"X-Prometheus-Remote-Write-Version: 0.1.0\r\nContent-Length: 4\r\n"
		"Connection: close\r\n\r\nbo\0y";
	char got[1024];
	struct remote_url url;
	const int listener = listens(&url);
	struct remote_post p;
	int fd;

	post_begin(&p, &url, "bo\0y", 4);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_eq(post_go_on(&p), POST_GOES_ON);
	ck_assert_int_eq(recv(fd, got, sizeof(got), 0), sizeof(wanted) - 1);
	ck_assert(!memcmp(got, wanted, sizeof(wanted) - 1));
	ck_assert_int_eq(post_go_on(&p), POST_GOES_ON);
	p.until = monotonic_ms() - 1;
	ck_assert_int_eq(finish(&p), POST_AGAIN);
	ck_assert_int_eq(p.error, ETIMEDOUT);
	close(fd);
	close(listener);
	post_begin(&p, &url, "body", 4);
	ck_assert_int_eq(finish(&p), POST_AGAIN);
	ck_assert_int_eq(p.error, ECONNREFUSED);
}
END_TEST

Suite *suite_export_remote(void)
{
	Suite *s = suite_create("export_remote");
	TCase *t = tcase_create("export_remote");

	tcase_add_loop_test(t, addresses, 0, sizeof(urls) / sizeof(urls[0]));
	tcase_add_loop_test(t, snappy, 0, 9);
	tcase_add_test(t, request_bytes);
	tcase_add_test(t, pages);
	tcase_add_test(t, room);
	tcase_add_loop_test(t, hostile_receivers, 0, sizeof(receivers) / sizeof(receivers[0]));
	tcase_add_test(t, post);
	suite_add_tcase(s, t);
	return s;
}
