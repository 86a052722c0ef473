// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/tcp.h"

#include <arpa/inet.h>
#include <stdio.h>

/* The options that list ports, and the maps of those ports. */
static const struct {
	const char *option, *map;
} ports[] = { { "localport", "lports" }, { "remoteport", "rports" } };
#define PORT_LISTS (sizeof(ports) / sizeof(ports[0]))

void tcp_family(struct run *r)
{
	const struct options *o = run_options(r);

	run_constant(r, "family", option_number(o, "ipv4") ? AF_INET :
		     option_number(o, "ipv6") ? AF_INET6 : 0);
}

int tcp_prepare(struct run *r, struct error *err)
{
	for (unsigned int i = 0; i < PORT_LISTS; i++) {
		unsigned int n;

		option_list(run_options(r), ports[i].option, &n);
		if (n > TCP_PORTS)
			return fail(err, "--%s: %u ports are too many: it takes up to %u",
				    ports[i].option, n, TCP_PORTS);
	}
	tcp_family(r);
	return 0;
}

int tcp_set_ports(struct run *r, const char *option, const char *map, struct error *err)
{
	unsigned int n;
	const int64_t *list = option_list(run_options(r), option, &n);

	for (unsigned int i = 0; i < n; i++) {
		uint32_t port = (uint32_t)list[i], one = 1;

		if (run_set(r, map, &port, &one, err))
			return -1;
	}
	return 0;
}

int tcp_started(struct run *r, struct error *err)
{
	for (unsigned int i = 0; i < PORT_LISTS; i++)
		if (tcp_set_ports(r, ports[i].option, ports[i].map, err))
			return -1;
	return 0;
}

struct text tcp_end_text(char text[TCP_END_TEXT], const struct address *a, unsigned int port,
			 bool counted)
{
	static const uint8_t any[16];
	char shown[INET6_ADDRSTRLEN] = "-";
	bool brackets = counted || a->family == AF_INET6;

	if (a->family && !memcmp(a->bytes, any, sizeof(any))) {
		strcpy(shown, "*");
		brackets = counted;
	} else if (a->family) {
		inet_ntop(a->family, a->bytes, shown, sizeof(shown));
	}
	snprintf(text, TCP_END_TEXT, brackets ? "[%s]%c%u" : "%s%c%u", shown, counted ? '#' : ':',
		 port);
	return text_of(text, TCP_END_TEXT);
}
