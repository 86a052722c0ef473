/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_HTTP_H
#define SONDE_EXPORT_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics_page.h"

/* Requests of HTTP/1.0 and 1.1 without a body (RFC 9112), and the answers. */

#define HTTP_HEAD_MOST 8192	/* bytes of a request's line and headers */

struct http_request {
	/* 0: it can be answered; else the status that refuses it, and the connection ends */
	unsigned int refused;
	bool head;			/* HEAD: the answer has no body */
	bool ends;			/* the connection ends behind the answer */
	const char *path, *host, *accept;	/* in the bytes; NULL: missing */
	size_t path_n, host_n, accept_n;
};

/* Returns the bytes of the request; 0: its end has not come yet. */
size_t http_parse(const char *bytes, size_t n, struct http_request *to);
/*
 * Whether a server that listens on this machine's own addresses may answer: the name is an address
 * or localhost. A page of the net that names 127.0.0.1 its own host (DNS rebinding) says another.
 */
bool http_host_is_local(const char *host, size_t n);
/* The form of the metrics that Accept prefers: the one that all read, unless it says otherwise. */
enum metrics_form http_form(const char *accept, size_t n);
/* Adds an answer. `body` may have any bytes. */
void http_answer(struct strbuf *to, const struct http_request *r, unsigned int status,
		 const char *type, const char *body, size_t n);

#endif
