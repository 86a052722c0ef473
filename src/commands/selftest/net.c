// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/net.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

socklen_t net_size(const union net_address *a)
{
	return a->any.sa_family == AF_INET ? sizeof(a->v4) : sizeof(a->v6);
}

int net_port(const union net_address *a)
{
	return ntohs(a->any.sa_family == AF_INET ? a->v4.sin_port : a->v6.sin6_port);
}

int net_bound(int family, union net_address *a)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size;

	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	size = net_size(a);
	if (family == AF_INET)
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		a->v6.sin6_addr = (struct in6_addr)IN6ADDR_LOOPBACK_INIT;
	if (fd >= 0 && (bind(fd, &a->any, size) || getsockname(fd, &a->any, &size))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int net_connect(const union net_address *to, int *local)
{
	int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), error;
	union net_address from = { };
	socklen_t size = sizeof(from);

	if (fd < 0)
		return -1;
	if (connect(fd, &to->any, net_size(to))) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	if (!getsockname(fd, &from.any, &size))
		*local = net_port(&from);
	return fd;
}

void net_reset(int fd)
{
	struct linger hard = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	close(fd);
}
