// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/remote_url.h"

#include <arpa/inet.h>
#include <string.h>

#include "compat/base/scan.h"

#define SCHEME "http://"
#define PATH_MOST 1024

static int refuse(const char *text, struct error *err)
{
	return fail(err, "--remote-write takes http://ADDRESS:PORT/PATH, as "
			 "http://127.0.0.1:9090/api/v1/write or http://[::1]:9090/, not \"%s\"",
		    text);
}

/* It becomes a part of a line of the request, so it has no blank and no end of a line. */
static bool is_path(const char *path)
{
	if (strlen(path) > PATH_MOST)
		return false;
	for (; *path; path++)
		if (*path <= ' ' || *path > '~' || *path == '#')
			return false;
	return true;
}

int remote_url_read(const char *text, struct remote_url *to, struct error *err)
{
	const char *host = text + strlen(SCHEME), *path, *colon;
	char address[INET6_ADDRSTRLEN + 2];
	uint64_t port;
	size_t n;

	*to = (struct remote_url){ };
	if (!strncmp(text, "https:", strlen("https:")))
		return fail(err, "--remote-write: sonde has no TLS of its own: use a proxy on this "
				 "machine, and its http://127.0.0.1:PORT/PATH");
	if (strncmp(text, SCHEME, strlen(SCHEME)))
		return refuse(text, err);
	path = strchr(host, '/');
	if (!path || (size_t)(path - host) >= sizeof(to->host) || !is_path(path))
		return refuse(text, err);
	memcpy(to->host, host, (size_t)(path - host));
	to->path = path;
	colon = strrchr(to->host, ':');
	n = colon ? (size_t)(colon - to->host) : 0;
	if (!n || n >= sizeof(address))
		return refuse(text, err);
	memcpy(address, to->host, n);
	address[n] = '\0';
	colon++;
	if (!scan_number(&colon, 65535, &port) || *colon || !port)
		return refuse(text, err);
	if (*address == '[' && address[n - 1] == ']') {
		address[n - 1] = '\0';
		to->place.v6.sin6_family = AF_INET6;
		to->place.v6.sin6_port = htons((uint16_t)port);
		to->size = sizeof(to->place.v6);
		return inet_pton(AF_INET6, address + 1, &to->place.v6.sin6_addr) == 1 ? 0 :
		       refuse(text, err);
	}
	to->place.v4.sin_family = AF_INET;
	to->place.v4.sin_port = htons((uint16_t)port);
	to->size = sizeof(to->place.v4);
	return inet_pton(AF_INET, address, &to->place.v4.sin_addr) == 1 ? 0 : refuse(text, err);
}
