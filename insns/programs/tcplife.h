/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPLIFE_H
#define SONDE_TCPLIFE_H

#include "insns/tcp.h"

/* What is known of a connection's task. */
enum tcplife_whose {
	WHOSE_UNKNOWN,
	WHOSE_ACCEPTED,		/* the task that accepted it, unless another one closes it */
	WHOSE_EARLY,		/* the same, before the end of the handshake was seen */
	WHOSE_CERTAIN,		/* the task that connected or closed */
	WHOSE_OTHERS,		/* it was closed by a task that does not pass the filter */
};

/* An open connection. */
struct tcplife_life {
	u64 birth;
	u64 whose;
	u64 pid_tgid;	/* -1: unknown */
	char comm[16];		/* empty if pid_tgid is unknown */
};

/*
 * The bytes of a connection: the kernel's own counts or, if these are unavailable, the bytes that
 * calls took from programs and gave to them.
 */
struct tcplife_bytes {
	u64 tx, rx;
	uint32_t sending;	/* calls without a return yet; tx is known only if it is 0 */
	uint32_t unsure;	/* rx is unknown: another thread than `reader` received */
	uint32_t reader;	/* the last thread that began to receive */
	uint32_t read;		/* bytes that its call took so far */
};

struct tcplife_record {
	u64 time;
	struct tcplife_life life;
	struct tcplife_bytes bytes;
	struct tcp_ends ends;
};

RECORD_LAYOUT(tcplife_record,
	FIELD_OF(tcplife_record, time, TIME),
	FIELD_AS(tcplife_record, life.birth, "birth", TIME),
	FIELD_AS(tcplife_record, life.whose, "whose", NUMBER),
	FIELD_AS(tcplife_record, life.pid_tgid, "pid", TGID),
	FIELD_AS(tcplife_record, life.pid_tgid, "tid", TID),
	FIELD_AS(tcplife_record, life.comm, "comm", COMM),
	FIELD_AS(tcplife_record, bytes.tx, "tx", NUMBER, .unit = "bytes"),
	FIELD_AS(tcplife_record, bytes.rx, "rx", NUMBER, .unit = "bytes"),
	TCP_ENDS_FIELDS(tcplife_record, "tcp.set_state"));

extern const struct program_set tcplife_programs;

#endif
