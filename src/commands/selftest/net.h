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

/* The size of an address, for bind(2); its port. */
socklen_t net_size(const union net_address *a);
int net_port(const union net_address *a);
/*
 * Makes a socket bound to a free port, and writes the address to *a. Returns -1 if this machine
 * lacks the address family.
 */
int net_bound(int family, union net_address *a);
/* Connects, and writes the local port to *local. Returns a socket, or -1 and errno. */
int net_connect(const union net_address *to, int *local);
/* Closes a connection by a reset: it takes no time, and leaves no TIME_WAIT. */
void net_reset(int fd);

#endif
