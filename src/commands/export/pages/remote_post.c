// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/remote_post.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/scan.h"

void post_begin(struct remote_post *p, const struct remote_url *url, const char *body, size_t n)
{
	*p = (struct remote_post){ .fd = -1, .until = monotonic_ms() + POST_MS };
	strbuf_addf(&p->out, "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: sonde/" SONDE_VERSION
			     "\r\nContent-Type: application/x-protobuf\r\n"
			     "Content-Encoding: snappy\r\n"
			     "X-Prometheus-Remote-Write-Version: 0.1.0\r\n"
			     "Content-Length: %zu\r\nConnection: close\r\n\r\n",
		    url->path, url->host, n);
	strbuf_add(&p->out, body, n);
	if (p->out.cut) {
		p->error = ENOMEM;
		return;
	}
	p->fd = socket(url->place.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->fd < 0 || (connect(p->fd, &url->place.any, url->size) && errno != EINPROGRESS))
		p->error = errno;
}

short post_events(const struct remote_post *p)
{
	return p->sent < p->out.n ? POLLOUT | POLLIN : POLLIN;
}

static enum post_end end(struct remote_post *p, enum post_end how)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	free(p->out.s);
	p->out = (struct strbuf){ };
	return how;
}

/* "HTTP/1.1 204 No Content" */
static enum post_end judge(struct remote_post *p)
{
	const char *at = p->in;
	uint64_t status;

	if (!(scan_text(&at, "HTTP/1.0 ") || scan_text(&at, "HTTP/1.1 ")) ||
	    !scan_number(&at, 599, &status) || status < 200)
		return end(p, POST_AGAIN);
	p->status = (unsigned int)status;
	return end(p, status < 300 ? POST_TAKEN :
		      status >= 500 || status == 429 ? POST_AGAIN : POST_REFUSED);
}

/* A receiver may answer, and close, before it has read all. */
static enum post_end read_status(struct remote_post *p)
{
	const ssize_t n = recv(p->fd, p->in + p->n, sizeof(p->in) - 1 - p->n, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return POST_GOES_ON;
	if (n <= 0) {
		p->error = n ? errno : 0;
		return end(p, POST_AGAIN);
	}
	p->n += (size_t)n;
	if (!memchr(p->in, '\n', p->n) && p->n + 1 < sizeof(p->in))
		return POST_GOES_ON;
	return judge(p);
}

enum post_end post_go_on(struct remote_post *p)
{
	if (p->fd < 0 || p->error)
		return end(p, POST_AGAIN);
	if (monotonic_ms() >= p->until) {
		p->error = ETIMEDOUT;
		return end(p, POST_AGAIN);
	}
	while (p->sent < p->out.n) {
		const ssize_t n = send(p->fd, p->out.s + p->sent, p->out.n - p->sent, MSG_NOSIGNAL);

		if (n >= 0) {
			p->sent += (size_t)n;
		} else if (errno == EAGAIN || errno == EINTR) {
			break;
		} else if (errno == EPIPE || errno == ECONNRESET) {
			p->sent = p->out.n;	/* what it said before is still to be read */
		} else {
			p->error = errno;
			return end(p, POST_AGAIN);
		}
	}
	return read_status(p);
}
