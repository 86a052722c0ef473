// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/tcp.h"

#include <arpa/inet.h>

#include "compat/base/text.h"
#include "src/run/options/common.h"

void tcp_family(struct run *r)
{
	const struct common_options *o = common_of(run_options(r));

	run_constant(r, "family", o->ipv4 ? AF_INET : o->ipv6 ? AF_INET6 : 0);
}

static int check_ports(const char *option, const struct option_list *ports, struct error *err)
{
	return ports->n <= TCP_PORTS ? 0 :
	       fail(err, "--%s: %u ports are too many: it takes up to %u", option, ports->n,
		    TCP_PORTS);
}

int tcp_prepare(struct run *r, struct error *err)
{
	const struct common_options *o = common_of(run_options(r));

	if (check_ports("localport", &o->localport, err) ||
	    check_ports("remoteport", &o->remoteport, err))
		return -1;
	tcp_family(r);
	return 0;
}

int tcp_set_ports(struct run *r, const struct option_list *ports, const char *map,
		  struct error *err)
{
	for (unsigned int i = 0; i < ports->n; i++) {
		uint32_t port = (uint32_t)ports->values[i], one = 1;

		if (run_set(r, map, &port, &one, err))
			return -1;
	}
	return 0;
}

int tcp_started(struct run *r, struct error *err)
{
	const struct common_options *o = common_of(run_options(r));

	return tcp_set_ports(r, &o->localport, "lports", err) ||
	       tcp_set_ports(r, &o->remoteport, "rports", err) ? -1 : 0;
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
	text_cut(text, TCP_END_TEXT, brackets ? "[%s]%c%u" : "%s%c%u", shown, counted ? '#' : ':',
		 port);
	return text_of(text, TCP_END_TEXT);
}
