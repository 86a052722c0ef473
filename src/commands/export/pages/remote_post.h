/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_REMOTE_POST_H
#define SONDE_EXPORT_REMOTE_POST_H

#include <stdint.h>

#include "compat/base/strbuf.h"
#include "src/commands/export/pages/remote_url.h"

#define POST_MS 30000			/* from the connection to the status, at most */

enum post_end {
	POST_GOES_ON,
	POST_TAKEN,			/* 2xx */
	POST_AGAIN,			/* no answer, 5xx, 429: later it may be taken */
	POST_REFUSED,			/* any other status: it never will be */
};

/* One request at a time, on a connection of its own. Of an answer only the status is read. */
struct remote_post {
	int fd;				/* -1: there is none */
	int64_t until;			/* CLOCK_MONOTONIC, ms */
	struct strbuf out;
	size_t sent;
	char in[64];			/* the answer's first line, as far as it has come */
	size_t n;
	unsigned int status;		/* of the answer; 0: there was none */
	int error;			/* errno of a connection that failed; 0: it was closed */
};

/* Begins to post `n` bytes; a connection that can't be made ends as one that is cut. */
void post_begin(struct remote_post *p, const struct remote_url *url, const char *body, size_t n);
/* Which events of poll(2) it waits for. */
short post_events(const struct remote_post *p);
/* Reads and writes what can be. After any other end than POST_GOES_ON p->fd is -1. */
enum post_end post_go_on(struct remote_post *p);

#endif
