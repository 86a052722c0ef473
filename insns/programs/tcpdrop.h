/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPDROP_H
#define SONDE_TCPDROP_H

#include "insns/tcp.h"

enum tcpdrop_what { TCPDROP_DROPPED, TCPDROP_RESET_SENT, TCPDROP_RESET_RECEIVED };
static const char *const tcpdrop_resets[] = {
	[TCPDROP_RESET_SENT] = "sent", [TCPDROP_RESET_RECEIVED] = "received",
};

/* An IPv6 address; IPv4 is ::ffff:192.0.2.1, zeros are unknown. */
struct tcpdrop_address {
	union {
		uint8_t bytes[16];
		u64 half[2];
		struct {
			u64 zero;
			uint32_t mapped, inet;
		};
	};
};

struct tcpdrop_record {
	u64 time;
	u64 location;		/* where it was dropped, an address of the kernel; 0: unknown */
	u64 caller;		/* always 0: no stack of user space */
	u64 pid_tgid;		/* always -1: packets are of no task */
	int32_t kernel_stack, user_stack;
	uint32_t reason;	/* the kernel's number */
	uint32_t what;		/* enum tcpdrop_what */
	uint32_t state;		/* of the socket; 0: no socket, or not of TCP */
	uint16_t ethertype;
	uint16_t sport, dport;	/* 0: unknown */
	uint8_t protocol;	/* of IP; 0: unknown */
	uint8_t flags;		/* of TCP; 0: unknown */
	struct tcpdrop_address saddr, daddr;
	char comm[16];		/* always empty */
};

RECORD_LAYOUT(tcpdrop_record,
	FIELD_OF(tcpdrop_record, time, TIME),
	FIELD_OF(tcpdrop_record, location, NUMBER),
	FIELD_OF(tcpdrop_record, caller, NUMBER),
	FIELD_AS(tcpdrop_record, pid_tgid, "tgid", TGID),
	FIELD_OF(tcpdrop_record, kernel_stack, STACK),
	FIELD_OF(tcpdrop_record, user_stack, STACK),
	FIELD_OF(tcpdrop_record, reason, NUMBER),
	FIELD_OF(tcpdrop_record, what, NUMBER, FIELD_NAMES(tcpdrop_resets)),
	FIELD_OF(tcpdrop_record, state, NUMBER, FIELD_NAMES(tcp_state_names)),
	FIELD_OF(tcpdrop_record, ethertype, NUMBER),
	FIELD_OF(tcpdrop_record, protocol, NUMBER),
	FIELD_OF(tcpdrop_record, flags, NUMBER),
	FIELD_AS(tcpdrop_record, saddr.bytes, "saddr", MAPPED),
	FIELD_AS(tcpdrop_record, daddr.bytes, "daddr", MAPPED),
	FIELD_OF(tcpdrop_record, comm, COMM));

/* Key of "drops", with --count. */
struct tcpdrop_key {
	uint32_t epoch;
	uint32_t reason;
	u64 location;
};

RECORD_LAYOUT(tcpdrop_key,
	FIELD_OF(tcpdrop_key, reason, NUMBER),
	FIELD_OF(tcpdrop_key, location, NUMBER));

extern const struct program_set tcpdrop_programs;

#endif
