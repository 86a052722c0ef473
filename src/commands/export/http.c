// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/http.h"

#include <string.h>

#define SPACE " \t"

/* Names of headers and types: capitals do not matter. `word` has none. */
static bool begins(const char *s, const char *word)
{
	for (; *word; s++, word++)
		if (*s != *word && (*s < 'A' || *s > 'Z' || (*s | 0x20) != *word))
			return false;
	return true;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && begins(s, word);
}

/* "GET /metrics HTTP/1.1" */
static void parse_line(const char *line, size_t n, struct http_request *to)
{
	const char *path = memchr(line, ' ', n), *end, *version;

	to->refused = 400;
	if (!path)
		return;
	path++;
	version = memchr(path, ' ', n - (size_t)(path - line));
	if (!version || n - (size_t)(version - line) != strlen(" HTTP/1.x") ||
	    strncmp(version, " HTTP/1.", strlen(" HTTP/1.")))
		return;
	end = memchr(path, '?', (size_t)(version - path));
	to->path = path;
	to->path_n = (size_t)((end ? end : version) - path);
	to->ends = line[n - 1] == '0';
	to->head = !strncmp(line, "HEAD ", 5);
	to->refused = to->head || !strncmp(line, "GET ", 4) ? 0 : 405;
}

static void parse_header(const char *name, size_t name_n, const char *value, size_t n,
			 struct http_request *to)
{
	if (is_word(name, name_n, "host")) {
		/* Two of them: whoever is between may believe the other one. */
		to->refused = to->host ? 400 : to->refused;
		to->host = value;
		to->host_n = n;
	} else if (is_word(name, name_n, "accept")) {
		to->accept = value;
		to->accept_n = n;
	} else if (is_word(name, name_n, "connection")) {
		to->ends |= is_word(value, n, "close");
	} else if (is_word(name, name_n, "transfer-encoding") ||
		   (is_word(name, name_n, "content-length") && !is_word(value, n, "0"))) {
		to->refused = to->refused ? to->refused : 413;
		to->ends = true;	/* the body is no request */
	}
}

static void parse_headers(const char *at, const char *end, struct http_request *to)
{
	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		const char *stop = line_end > at && line_end[-1] == '\r' ? line_end - 1 : line_end;
		const char *colon = memchr(at, ':', (size_t)(stop - at)), *value;

		if (stop == at)
			return;
		/* A space at its beginning: the line before goes on. That is obsolete. */
		if (!colon || colon == at || strchr(SPACE, *at) || strchr(SPACE, colon[-1])) {
			to->refused = 400;
			return;
		}
		for (value = colon + 1; value < stop && strchr(SPACE, *value); value++)
			;
		while (stop > value && strchr(SPACE, stop[-1]))
			stop--;
		parse_header(at, (size_t)(colon - at), value, (size_t)(stop - value), to);
		at = line_end + 1;
	}
}

/* Bytes up to behind the empty line; 0: it has not come. */
static size_t head_bytes(const char *bytes, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (bytes[i] != '\n')
			continue;
		if (bytes[i + 1] == '\n')
			return i + 2;
		if (i + 2 < n && bytes[i + 1] == '\r' && bytes[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

size_t http_parse(const char *bytes, size_t n, struct http_request *to)
{
	const size_t whole = head_bytes(bytes, n);
	const char *end;

	*to = (struct http_request){ };
	if (!whole || memchr(bytes, '\0', whole)) {
		to->refused = whole ? 400 : 431;
		to->ends = true;
		return whole ? whole : n < HTTP_HEAD_MOST ? 0 : n;
	}
	end = memchr(bytes, '\n', whole);
	parse_line(bytes, (size_t)(end - bytes) - (end > bytes && end[-1] == '\r'), to);
	parse_headers(end + 1, bytes + whole, to);
	/* HTTP/1.1 wants it. */
	if (!to->refused && !to->host && !to->ends)
		to->refused = 400;
	to->ends |= to->refused && to->refused != 405;
	return whole;
}

bool http_host_is_local(const char *host, size_t n)
{
	size_t length = n;

	if (n && *host == '[')
		return true;
	for (size_t i = 0; i < n; i++)
		if (host[i] == ':') {
			length = i;
			break;
		}
	if (is_word(host, length, "localhost"))
		return true;
	for (size_t i = 0; i < length; i++)
		if (host[i] != '.' && (host[i] < '0' || host[i] > '9'))
			return false;
	return length;
}

/* "q=0.25" of the parameters behind a type, in thousandths; 1000: it is missing. */
static int quality(const char *parameters, size_t n)
{
	for (size_t i = 0; i + 2 < n; i++) {
		int q = 0, place = 1000;

		if (!begins(parameters + i, "q=") ||
		    !strchr("; \t", i ? parameters[i - 1] : ';'))
			continue;
		for (i += 2; i < n && place; i++) {
			if (parameters[i] >= '0' && parameters[i] <= '9') {
				q += (parameters[i] - '0') * place;
				place /= 10;
			} else if (parameters[i] != '.') {
				break;
			}
		}
		return q;
	}
	return 1000;
}

static bool has_text(const char *s, size_t n, const char *text)
{
	return memmem(s, n, text, strlen(text));
}

/* Forms by their types. Other versions, messages and encodings of them have other rules. */
static const struct {
	const char *type;
	const char *wanted[2];		/* parameters */
	const char *version;		/* if it says any */
} forms[] = {
	[METRICS_TEXT] = { "text/plain" },
	[METRICS_OPEN] = { "application/openmetrics-text", .version = "version=1.0.0" },
	[METRICS_PROTOBUF] = { "application/vnd.google.protobuf",
			       { "proto=io.prometheus.client.MetricFamily",
				 "encoding=delimited" } },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

/* `s` is the parameters behind a type. */
static bool has_parameters(const char *s, size_t n, size_t form)
{
	for (unsigned int i = 0; i < 2; i++)
		if (forms[form].wanted[i] && !has_text(s, n, forms[form].wanted[i]))
			return false;
	return !forms[form].version || !has_text(s, n, "version=") ||
	       has_text(s, n, forms[form].version);
}

enum metrics_form http_form(const char *accept, size_t n)
{
	int most[FORMS] = { };		/* the quality of each */
	size_t best = METRICS_TEXT;

	while (accept && n) {
		const char *comma = memchr(accept, ',', n);
		const size_t all = comma ? (size_t)(comma - accept) : n;
		const size_t skip = strspn(accept, SPACE);
		const char *type = accept + skip;
		const size_t length = all - (skip < all ? skip : all);
		const char *end = memchr(type, ';', length);
		const size_t type_n = end ? (size_t)(end - type) : length;
		const int q = end ? quality(end, length - type_n) : 1000;

		for (size_t i = 0; i < FORMS; i++)
			if (is_word(type, type_n, forms[i].type) && q > most[i] &&
			    has_parameters(type, length, i))
				most[i] = q;
		accept += all + (comma != NULL);
		n -= all + (comma != NULL);
	}
	for (size_t i = 0; i < FORMS; i++)
		if (most[i] > most[best])
			best = i;
	return (enum metrics_form)best;
}

static const char *reason(unsigned int status)
{
	static const struct {
		unsigned int status;
		const char *text;
	} reasons[] = {
		{ 200, "OK" }, { 400, "Bad Request" }, { 403, "Forbidden" }, { 404, "Not Found" },
		{ 405, "Method Not Allowed" }, { 413, "Content Too Large" },
		{ 431, "Request Header Fields Too Large" }, { 503, "Service Unavailable" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "Error";
}

void http_answer(struct strbuf *to, const struct http_request *r, unsigned int status,
		 const char *type, const char *body, size_t n)
{
	strbuf_addf(to, "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
			"X-Content-Type-Options: nosniff\r\n%s%s\r\n", status, reason(status), type,
		    n, status == 405 ? "Allow: GET, HEAD\r\n" : "",
		    r->ends ? "Connection: close\r\n" : "");
	if (!r->head)
		strbuf_add(to, body, n);
}
