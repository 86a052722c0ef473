/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CAPABLE_H
#define SONDE_CAPABLE_H

#include <stdint.h>

#include "insns/program.h"

#define CAPABLE_UNKNOWN 2		/* audit and insetid: unknown on this kernel */

/* By number, the same on all kernels; new ones are added at the end. */
static const char *const capability_names[] = {
	"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_DAC_READ_SEARCH", "CAP_FOWNER", "CAP_FSETID",
	"CAP_KILL", "CAP_SETGID", "CAP_SETUID", "CAP_SETPCAP", "CAP_LINUX_IMMUTABLE",
	"CAP_NET_BIND_SERVICE", "CAP_NET_BROADCAST", "CAP_NET_ADMIN", "CAP_NET_RAW",
	"CAP_IPC_LOCK", "CAP_IPC_OWNER", "CAP_SYS_MODULE", "CAP_SYS_RAWIO", "CAP_SYS_CHROOT",
	"CAP_SYS_PTRACE", "CAP_SYS_PACCT", "CAP_SYS_ADMIN", "CAP_SYS_BOOT", "CAP_SYS_NICE",
	"CAP_SYS_RESOURCE", "CAP_SYS_TIME", "CAP_SYS_TTY_CONFIG", "CAP_MKNOD", "CAP_LEASE",
	"CAP_AUDIT_WRITE", "CAP_AUDIT_CONTROL", "CAP_SETFCAP", "CAP_MAC_OVERRIDE", "CAP_MAC_ADMIN",
	"CAP_SYSLOG", "CAP_WAKE_ALARM", "CAP_BLOCK_SUSPEND", "CAP_AUDIT_READ", "CAP_PERFMON",
	"CAP_BPF", "CAP_CHECKPOINT_RESTORE",
};

struct capable_record {
	u64 time;
	u64 pid_tgid;
	uint32_t uid;
	int32_t cap;
	uint32_t audit;
	uint32_t insetid;
	u64 caller;			/* always 0: the kernel was called, no user function */
	int32_t kernel_stack, user_stack;
	char comm[16];
};

RECORD_LAYOUT(capable_record,
	FIELD_OF(capable_record, time, TIME),
	FIELD_AS(capable_record, pid_tgid, "tgid", TGID),
	FIELD_AS(capable_record, pid_tgid, "tid", TID),
	FIELD_OF(capable_record, uid, NUMBER, .input = "cap.check:uid"),
	FIELD_OF(capable_record, cap, NUMBER, FIELD_NAMES(capability_names)),
	FIELD_OF(capable_record, audit, NUMBER, FIELD_UNKNOWN(CAPABLE_UNKNOWN)),
	FIELD_OF(capable_record, insetid, NUMBER, FIELD_UNKNOWN(CAPABLE_UNKNOWN)),
	FIELD_OF(capable_record, caller, NUMBER),
	FIELD_OF(capable_record, kernel_stack, STACK),
	FIELD_OF(capable_record, user_stack, STACK),
	FIELD_OF(capable_record, comm, COMM));

extern const struct program_set capable_programs;

#endif
