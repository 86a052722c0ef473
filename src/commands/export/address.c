// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"

#define BACKLOG 16
#define FIRST_FD 3		/* SD_LISTEN_FDS_START of sd_listen_fds(3) */

union place {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un path;
};

static int refuse(const char *address, struct error *err)
{
	return fail(err, "--listen takes ADDRESS:PORT, as " EXPORT_ADDRESS " or [::1]:9435, "
			 ":PORT for all addresses, unix:PATH or systemd, not \"%s\"", address);
}

static int read_place(const char *address, union place *to, struct error *err)
{
	const char *colon = strrchr(address, ':');
	const char *at = colon ? colon + 1 : NULL;
	char host[INET6_ADDRSTRLEN + 2];
	size_t n = colon ? (size_t)(colon - address) : 0;
	uint64_t port;

	if (!at || n >= sizeof(host) || !scan_number(&at, 65535, &port) || *at)
		return refuse(address, err);
	memcpy(host, address, n);
	host[n] = '\0';
	memset(to, 0, sizeof(*to));
	if (!n) {
		to->v6.sin6_family = AF_INET6;	/* and IPv4, by dual stack */
		to->v6.sin6_port = htons((uint16_t)port);
		return 0;
	}
	if (*host == '[' && host[n - 1] == ']') {
		host[n - 1] = '\0';
		to->v6.sin6_family = AF_INET6;
		to->v6.sin6_port = htons((uint16_t)port);
		return inet_pton(AF_INET6, host + 1, &to->v6.sin6_addr) == 1 ? 0 :
		       refuse(address, err);
	}
	to->v4.sin_family = AF_INET;
	to->v4.sin_port = htons((uint16_t)port);
	return inet_pton(AF_INET, host, &to->v4.sin_addr) == 1 ? 0 : refuse(address, err);
}

static bool is_local(const union place *p)
{
	switch (p->any.sa_family) {
	case AF_UNIX:
		return true;
	case AF_INET:
		return ntohl(p->v4.sin_addr.s_addr) >> 24 == 127;
	case AF_INET6:
		return IN6_IS_ADDR_LOOPBACK(&p->v6.sin6_addr);
	}
	return false;
}

/* A socket that a sonde left behind, which nobody listens to any more, makes place. */
static int free_path(const struct sockaddr_un *path)
{
	struct stat st;
	int fd, result;

	if (lstat(path->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return 0;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	result = connect(fd, (const struct sockaddr *)path, sizeof(*path));
	if (result && errno == ECONNREFUSED)
		unlink(path->sun_path);
	close(fd);
	return 0;
}

static int open_socket(const char *address, const union place *p, socklen_t size, int *to,
		       struct error *err)
{
	const int on = 1, off = 0;
	int fd = socket(p->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return fail_with(err, errno, "can't listen at %s: socket(2): %m", address);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (p->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, &p->any, size) || listen(fd, BACKLOG)) {
		const int error = errno;

		close(fd);
		return fail_with(err, error, "can't listen at %s: %m", address);
	}
	*to = fd;
	return 0;
}

static int listen_at_path(const char *path, int *to, struct error *err)
{
	union place p = { .path.sun_family = AF_UNIX };

	text_all(p.path.sun_path, sizeof(p.path.sun_path), "%s", path);
	free_path(&p.path);
	return open_socket(path, &p, sizeof(p.path), to, err);
}

/* As sd_listen_fds(3): the variables are for this process, and for none that it starts. */
static int take_systemd(int *fds, unsigned int room, bool *local, struct error *err)
{
	const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");
	uint64_t owner, count;

	if (!pid || !n || !scan_number(&pid, INT32_MAX, &owner) || *pid ||
	    owner != (uint64_t)getpid() || !scan_number(&n, room, &count) || *n || !count)
		return fail(err, "--listen systemd: no socket came from systemd: start the unit's "
				 ".socket");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	for (unsigned int i = 0; i < count; i++) {
		union place p = { };
		socklen_t size = sizeof(p);

		fds[i] = FIRST_FD + (int)i;
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
		fcntl(fds[i], F_SETFL, O_NONBLOCK);
		if (getsockname(fds[i], &p.any, &size))
			return fail_with(err, errno, "--listen systemd: descriptor %d is no "
					 "socket: %m", fds[i]);
		*local &= is_local(&p);
	}
	return (int)count;
}

int export_address_check(const char *address, struct error *err)
{
	union place p;

	if (!strcmp(address, "systemd"))
		return 0;
	if (strncmp(address, "unix:", 5))
		return read_place(address, &p, err);
	return address[5] && strlen(address + 5) < sizeof(p.path.sun_path) ? 0 :
	       fail(err, "--listen unix:PATH takes a path of 1 to %zu bytes",
		    sizeof(p.path.sun_path) - 1);
}

int export_listen(const char *address, int *fds, unsigned int room, bool *local,
		  struct error *err)
{
	union place p;

	if (!strcmp(address, "systemd"))
		return take_systemd(fds, room, local, err);
	if (!room)
		return fail(err, "--listen was given too often");
	if (!strncmp(address, "unix:", 5))
		return listen_at_path(address + 5, fds, err) ? -1 : 1;
	if (read_place(address, &p, err))
		return -1;
	*local &= is_local(&p);
	if (!open_socket(address, &p, p.any.sa_family == AF_INET ? sizeof(p.v4) : sizeof(p.v6),
			 fds, err))
		return 1;
	/* A kernel without IPv6: all addresses are those of IPv4. */
	if (*address != ':' || errno != EAFNOSUPPORT)
		return -1;
	p.v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = p.v6.sin6_port };
	return open_socket(address, &p, sizeof(p.v4), fds, err) ? -1 : 1;
}
