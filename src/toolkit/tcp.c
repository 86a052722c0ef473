// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/tcp.h"

/* The options with ports, and the maps of those. */
static const struct {
	const char *option, *map;
} ports[] = { { "localport", "lports" }, { "remoteport", "rports" } };
#define PORT_LISTS (sizeof(ports) / sizeof(ports[0]))

int tcp_prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);

	for (unsigned int i = 0; i < PORT_LISTS; i++) {
		unsigned int n;

		option_list(o, ports[i].option, &n);
		if (n > TCP_PORTS)
			return fail(err, "--%s: %u ports are more than the %u that can be looked "
					 "for", ports[i].option,
				    n, TCP_PORTS);
	}
	run_constant(r, "family", option_number(o, "ipv4") ? AF_INET : option_number(o, "ipv6") ?
		     AF_INET6 : 0);
	return 0;
}

int tcp_started(struct run *r, struct error *err)
{
	for (unsigned int i = 0; i < PORT_LISTS; i++) {
		unsigned int n;
		const int64_t *list = option_list(run_options(r), ports[i].option, &n);

		for (unsigned int j = 0; j < n; j++) {
			uint32_t port = (uint32_t)list[j], one = 1;

			if (run_set(r, ports[i].map, &port, &one, err))
				return -1;
		}
	}
	return 0;
}

static struct address address(const struct run *r, const char *hook, const char *input6,
			      uint64_t family,
			      const uint8_t bytes[16])
{
	struct address a = { };

	if (family == AF_INET6 && !run_has_input(r, hook, input6))
		return a;
	a.family = (uint16_t)family;
	memcpy(a.bytes, bytes, family == AF_INET6 ? 16 : 4);
	return a;
}

struct address tcp_local(const struct run *r, const char *hook, const struct tcp_ends *e)
{
	return address(r, hook, "saddr6", e->family, e->laddr);
}

struct address tcp_remote(const struct run *r, const char *hook, const struct tcp_ends *e)
{
	return address(r, hook, "daddr6", e->family, e->raddr);
}
