/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPLIFE_H
#define SONDE_TCPLIFE_H

#include "insns/tcp.h"

/* Whose a connection is, as far as it is known. */
enum tcplife_whose {
	WHOSE_UNKNOWN,
	WHOSE_ACCEPTED,		/* of who accepted it; unless somebody else closes it */
	WHOSE_EARLY,		/* of who accepted it, when the end of its handshake was not seen yet */
	WHOSE_CERTAIN,		/* of who connected or closed */
	WHOSE_OTHERS,		/* the user did not ask for who closed it */
};

/* A connection that lives. */
struct tcplife_life {
	uint64_t birth;
	uint64_t whose;
	uint64_t pid_tgid;
	char comm[16];
};

struct tcplife_record {
	uint64_t time;
	struct tcplife_life life;
	uint64_t tx, rx;
	struct tcp_ends ends;
};

extern const struct program_set tcplife_programs;

#endif
