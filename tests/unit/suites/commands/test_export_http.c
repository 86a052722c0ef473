// SPDX-License-Identifier: GPL-2.0
/* Requests that clients make, and that nobody should. */
#include <stdlib.h>
#include <string.h>

#include "src/commands/export/http.h"
#include "tests/unit/unit.h"

Suite *suite_export_http(void);

#define GET "GET /metrics HTTP/1.1\r\n"

static const struct {
	const char *name, *bytes;
	size_t taken;			/* 0: all of it, 1: none, it goes on */
	unsigned int refused;
	const char *path;
	bool ends, head;
} requests[] = {
	{ "plain", GET "Host: a\r\n\r\n", 0, 0, "/metrics" },
	{ "line feeds alone", "GET / HTTP/1.1\nHost: a\n\n", 0, 0, "/" },
	{ "query", "GET /metrics?name=x HTTP/1.1\r\nHost: a\r\n\r\n", 0, 0, "/metrics" },
	{ "head", "HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 0, 0, "/metrics", .head = true },
	{ "1.0", "GET /metrics HTTP/1.0\r\n\r\n", 0, 0, "/metrics", .ends = true },
	{ "close", GET "Host: a\r\nconnection: Close\r\n\r\n", 0, 0, "/metrics", .ends = true },
	{ "two at once", GET "Host: a\r\n\r\n" GET "Host: a\r\n\r\n", 34, 0, "/metrics" },
	{ "half a line", "GET /met", 1 },
	{ "half a head", GET "Host: a\r\n", 1 },
	{ "almost", GET "Host: a\r\n\r", 1 },
	{ "nothing", "", 1 },
	{ "no host", GET "\r\n", 0, 400, .ends = true },
	{ "two hosts", GET "Host: a\r\nHost: b\r\n\r\n", 0, 400, .ends = true },
	{ "post", "POST /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 0, 405 },
	{ "post with a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
	  47, 405, .ends = true },
	{ "body", GET "Host: a\r\nContent-Length: 1\r\n\r\n", 0, 413, .ends = true },
	{ "empty body", GET "Host: a\r\nContent-Length: 0\r\n\r\n", 0, 0, "/metrics" },
	{ "chunks", GET "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n", 0, 413, .ends = true },
	{ "folded", GET "Host: a\r\n b\r\n\r\n", 0, 400, .ends = true },
	{ "space before the colon", GET "Host : a\r\n\r\n", 0, 400, .ends = true },
	{ "no colon", GET "Host\r\n\r\n", 0, 400, .ends = true },
	{ "no path", "GET\r\n\r\n", 0, 400, .ends = true },
	{ "no version", "GET /metrics\r\n\r\n", 0, 400, .ends = true },
	{ "version 2", "GET /metrics HTTP/2.0\r\n\r\n", 0, 400, .ends = true },
	{ "empty lines", "\r\n\r\n", 0, 400, .ends = true },
	{ "binary", "\x16\x03\x01\x02\n\n", 0, 400, .ends = true },
};

START_TEST(parses)
{
	const char *bytes = requests[_i].bytes;
	const size_t n = strlen(bytes);
	struct http_request r;
	/* of its own, so that a byte behind it is seen */
	char *copy = malloc(n + 1);
	const size_t taken = http_parse(memcpy(copy, bytes, n + 1), n, &r);

	ck_assert_uint_eq(taken, requests[_i].taken == 1 ? 0 : requests[_i].taken ?
			  requests[_i].taken : n);
	if (taken) {
		ck_assert_uint_eq(r.refused, requests[_i].refused);
		ck_assert_int_eq(r.ends, requests[_i].ends);
		ck_assert_int_eq(r.head, requests[_i].head);
	}
	if (requests[_i].path) {
		ck_assert_uint_eq(r.path_n, strlen(requests[_i].path));
		ck_assert(!memcmp(r.path, requests[_i].path, r.path_n));
	}
	free(copy);
}
END_TEST

START_TEST(too_long)
{
	char *bytes = malloc(HTTP_HEAD_MOST + 1);
	struct http_request r;

	memset(bytes, 'a', HTTP_HEAD_MOST);
	bytes[HTTP_HEAD_MOST] = '\0';
	ck_assert_uint_eq(http_parse(bytes, HTTP_HEAD_MOST - 1, &r), 0);
	ck_assert_uint_eq(http_parse(bytes, HTTP_HEAD_MOST, &r), HTTP_HEAD_MOST);
	ck_assert_uint_eq(r.refused, 431);
	ck_assert(r.ends);
	free(bytes);
}
END_TEST

/* Bytes that no client sends: it says something of each, and reads nothing behind them. */
START_TEST(broken)
{
	static const char whole[] = GET "Host: a\r\nAccept: text/plain;q=0.5, */*\r\n\r\n";
	struct http_request r;

	for (size_t i = 0; i < sizeof(whole) - 1; i++) {
		for (unsigned int byte = 0; byte < 256; byte++) {
			char *copy = malloc(sizeof(whole));

			memcpy(copy, whole, sizeof(whole));
			copy[i] = (char)byte;
			if (http_parse(copy, sizeof(whole) - 1, &r))
				http_form(r.accept, r.accept_n);
			free(copy);
		}
	}
}
END_TEST

#define PROTOBUF "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;" \
	"encoding=delimited"

static const struct {
	const char *accept;
	enum metrics_form form;
} forms[] = {
	{ NULL, METRICS_TEXT }, { "", METRICS_TEXT }, { "*/*", METRICS_TEXT },
	{ "text/html, application/xhtml+xml", METRICS_TEXT },
	/* Prometheus 2.42, 2.53 and 3.5; VictoriaMetrics 1.79 */
	{ "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
	  "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", METRICS_OPEN },
	{ "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;"
	  "version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2", METRICS_OPEN },
	{ "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;"
	  "version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
	  METRICS_OPEN },
	{ "text/plain;version=0.0.4;q=1,*/*;q=0.1", METRICS_TEXT },
	{ "text/plain;q=0.9, application/openmetrics-text;q=0.8", METRICS_TEXT },
	{ "text/plain;q=0.8 , APPLICATION/OpenMetrics-Text ; q=0.9", METRICS_TEXT },
	{ "application/openmetrics-text;q=0", METRICS_TEXT },
	{ "application/openmetrics-text;version=0.0.1", METRICS_TEXT },
	{ "application/openmetrics-text;version=2.0.0", METRICS_TEXT },
	{ ",,;;q=,application/openmetrics-text;q=abc", METRICS_TEXT },
	/* Prometheus 2.42 and 3 that want native histograms */
	{ PROTOBUF ",application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;"
	  "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", METRICS_PROTOBUF },
	{ PROTOBUF ";q=0.6,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
	  "text/plain;version=0.0.4;q=0.3,*/*;q=0.2", METRICS_PROTOBUF },
	{ PROTOBUF ";q=0.2,text/plain;q=0.3", METRICS_TEXT },
	{ PROTOBUF ";q=0.4,text/plain;q=0.3,application/openmetrics-text;q=0.5", METRICS_OPEN },
	{ PROTOBUF ",text/plain", METRICS_TEXT },
	{ PROTOBUF ";q=0", METRICS_TEXT },
	{ "application/vnd.google.protobuf", METRICS_TEXT },
	{ "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text",
	  METRICS_TEXT },
	{ "application/vnd.google.protobuf;proto=a.b;encoding=delimited", METRICS_TEXT },
};

START_TEST(accepts)
{
	const char *accept = forms[_i].accept;

	ck_assert_int_eq(http_form(accept, accept ? strlen(accept) : 0), forms[_i].form);
}
END_TEST

static const struct {
	const char *host;
	bool local;
} hosts[] = {
	{ "localhost", true }, { "LocalHost:9435", true }, { "127.0.0.1:9435", true },
	{ "127.0.0.1", true }, { "[::1]:9435", true }, { "example.com", false },
	{ "127.0.0.1.example.com", false }, { "localhost.example.com:80", false }, { "", false },
	{ ":80", false },
};

START_TEST(local_hosts)
{
	ck_assert_int_eq(http_host_is_local(hosts[_i].host, strlen(hosts[_i].host)),
			 hosts[_i].local);
}
END_TEST

START_TEST(answers)
{
	const struct http_request get = { .ends = true }, head = { .head = true };
	struct strbuf to = { };

	http_answer(&to, &get, 405, "text/plain", "a\0b", 3);
	ck_assert_uint_eq(to.n, strlen("HTTP/1.1 405 Method Not Allowed\r\n"
				       "Content-Type: text/plain\r\nContent-Length: 3\r\n"
				       "X-Content-Type-Options: nosniff\r\nAllow: GET, HEAD\r\n"
				       "Connection: close\r\n\r\n") + 3);
	to.n = 0;
	http_answer(&to, &head, 200, "text/plain", "abc", 3);
	ck_assert_str_eq(to.s, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
			       "Content-Length: 3\r\nX-Content-Type-Options: nosniff\r\n\r\n");
	free(to.s);
}
END_TEST

Suite *suite_export_http(void)
{
	Suite *s = suite_create("export_http");
	TCase *t = tcase_create("export_http");

	tcase_add_loop_test(t, parses, 0, sizeof(requests) / sizeof(requests[0]));
	tcase_add_test(t, too_long);
	tcase_add_test(t, broken);
	tcase_add_loop_test(t, accepts, 0, sizeof(forms) / sizeof(forms[0]));
	tcase_add_loop_test(t, local_hosts, 0, sizeof(hosts) / sizeof(hosts[0]));
	tcase_add_test(t, answers);
	suite_add_tcase(s, t);
	return s;
}
