/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINDSNOOP_H
#define SONDE_BINDSNOOP_H

#include "insns/tcp.h"

#define BIND_UNIX	1	/* the family, as the kernel numbers it */
#define BIND_PATH	110	/* a UNIX socket's path has 108 bytes at most */

/* A bind, or, with --listen, a socket that began to listen. */
struct bindsnoop_record {
	u64 time;
	u64 pid_tgid;
	u64 sk;			/* 0: unknown */
	uint32_t uid;
	int32_t ret;
	uint32_t limit;		/* connections that may wait for accept(2); of a listener */
	uint32_t inet;		/* struct inet_sock's bits, as `words` says */
	uint32_t netns;		/* inode of its network namespace; 0: unknown */
	int32_t device;		/* index of the interface that it is bound to; 0: none */
	int32_t size;		/* of the address, as the program gave it */
	uint16_t family;
	uint16_t port;		/* that the program asked for */
	uint16_t bound;		/* that it got; 0: unknown */
	uint16_t own_family;	/* of the socket; if sk is known */
	uint16_t protocol;
	uint8_t reuse;		/* struct sock_common's bits */
	uint8_t named;		/* `path` is a name beside the file system */
	uint8_t words;		/* 1: inet_flags; 0: four bytes from pmtudisc on, before 6.6 */
	uint8_t address[16];
	char comm[16];
	int32_t length;
	char path[BIND_PATH];
};

RECORD_LAYOUT_TEXT(bindsnoop_record, path,
	FIELD_OF(bindsnoop_record, time, TIME),
	FIELD_AS(bindsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(bindsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(bindsnoop_record, uid, NUMBER),
	FIELD_OF(bindsnoop_record, ret, NUMBER),
	FIELD_OF(bindsnoop_record, limit, NUMBER, .input = "listen.enter:limit"),
	FIELD_OF(bindsnoop_record, netns, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(bindsnoop_record, device, NUMBER, .input = "bind.enter:device"),
	FIELD_OF(bindsnoop_record, family, NUMBER),
	FIELD_OF(bindsnoop_record, port, NUMBER),
	FIELD_OF(bindsnoop_record, bound, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(bindsnoop_record, protocol, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(bindsnoop_record, address, ADDRESS, FIELD_FAMILY(bindsnoop_record, family)),
	FIELD_OF(bindsnoop_record, comm, COMM));

/* Key of "binds", for counts instead of a line each. */
struct bindsnoop_key {
	uint32_t epoch;
	uint16_t family, port;		/* port 0: the kernel chose one, and did not tell it */
	uint8_t address[16];
};

RECORD_LAYOUT(bindsnoop_key,
	FIELD_OF(bindsnoop_key, family, NUMBER),
	FIELD_OF(bindsnoop_key, port, NUMBER),
	FIELD_OF(bindsnoop_key, address, ADDRESS, FIELD_FAMILY(bindsnoop_key, family)));

extern const struct program_set bindsnoop_programs;

#endif
