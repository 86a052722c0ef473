/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_REMOTE_URL_H
#define SONDE_EXPORT_REMOTE_URL_H

#include <netinet/in.h>

#include "compat/base/error.h"

/* Where pages are posted to: http://HOST:PORT/PATH, HOST is an address. */
struct remote_url {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} place;
	socklen_t size;			/* of the place */
	char host[64];			/* HOST:PORT */
	const char *path;		/* of the caller's text */
};

/* Returns -1 and sets err if it is something else. */
int remote_url_read(const char *text, struct remote_url *to, struct error *err);

#endif
