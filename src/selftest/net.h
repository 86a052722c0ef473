/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_NET_H
#define SONDE_SELFTEST_NET_H

#include <netinet/in.h>

/* Connections over the loopback device, for checks. */

union net_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static const struct {
	int family, ip;
	const char *address;
} net_families[] = { { AF_INET, 4, "127.0.0.1" }, { AF_INET6, 6, "::1" } };
#define NET_FAMILIES 2

socklen_t net_size(const union net_address *a);
int net_port(const union net_address *a);
/*
 * A socket that is bound to a free port, which is put into `a`; -1: this machine has no such
 * family.
 */
int net_bound(int family, union net_address *a);
/* Connects: a socket, or -1 and errno. Its own port is in *local. */
int net_connect(const union net_address *to, int *local);
/* Closes by a reset: it takes no time, and leaves no TIME_WAIT. */
void net_reset(int fd);

#endif
