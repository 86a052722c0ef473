/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MOUNTSNOOP_H
#define SONDE_MOUNTSNOOP_H

#include <stdint.h>

#include "insns/program.h"

#define MOUNT_SHOWN 254
#define MOUNT_READ 256
#define MOUNT_TEXTS 4

enum { MOUNT_TEXT, MOUNT_DONE };

/* By their numbers in the hook table. */
enum mount_call {
	CALL_MOUNT, CALL_UMOUNT, CALL_FSOPEN, CALL_FSPICK, CALL_FSCONFIG, CALL_FSMOUNT,
	CALL_MOVE_MOUNT, CALL_OPEN_TREE, CALL_MOUNT_SETATTR,
	MOUNT_CALLS
};
static const char *const mount_calls[] = {
	[CALL_MOUNT] = "mount", [CALL_UMOUNT] = "umount", [CALL_FSOPEN] = "fsopen",
	[CALL_FSPICK] = "fspick", [CALL_FSCONFIG] = "fsconfig", [CALL_FSMOUNT] = "fsmount",
	[CALL_MOVE_MOUNT] = "move_mount", [CALL_OPEN_TREE] = "open_tree",
	[CALL_MOUNT_SETATTR] = "mount_setattr",
};

#define MOUNT_UNKNOWN ((uint64_t)INT32_MIN)
#define MOUNT_NULL (-1000)		/* a text's length if the argument is NULL */

/* The beginning of each record. */
struct mount_record {
	u64 time;
	uint32_t type;			/* MOUNT_TEXT, MOUNT_DONE */
};

/* One text of a call: source, target, file system type, data. It precedes the call's own record. */
struct mount_text {
	u64 time;
	uint32_t type;			/* MOUNT_TEXT */
	uint32_t tid;
	uint32_t index;
	/* with its NUL; negative: unreadable, or MOUNT_NULL without a text */
	int32_t length;
	char text[MOUNT_READ];
};

struct mount_args {
	uint32_t call;
	uint32_t texts;			/* number of text records before this one */
	u64 numbers[4];		/* the other arguments in order, or MOUNT_UNKNOWN */
};

struct mount_done {
	u64 time;
	uint32_t type;			/* MOUNT_DONE */
	int32_t ret;
	u64 pid_tgid;
	struct mount_args args;
	uint32_t mnt_ns;		/* 0: unknown */
	uint32_t ppid;
	char comm[16];
	char pcomm[16];
};

RECORD_LAYOUT_TEXT(mount_text, text,
	FIELD_OF(mount_text, time, TIME),
	FIELD_OF(mount_text, tid, NUMBER),
	FIELD_OF(mount_text, index, NUMBER));
RECORD_LAYOUT(mount_done,
	FIELD_OF(mount_done, time, TIME),
	FIELD_OF(mount_done, ret, NUMBER),
	FIELD_AS(mount_done, pid_tgid, "pid", TGID),
	FIELD_AS(mount_done, pid_tgid, "tid", TID),
	FIELD_AS(mount_done, args.call, "call", NUMBER, FIELD_NAMES(mount_calls)),
	FIELD_AS(mount_done, args.texts, "texts", NUMBER),
	FIELD_AS(mount_done, args.numbers[0], "number0", NUMBER, FIELD_UNKNOWN(MOUNT_UNKNOWN)),
	FIELD_AS(mount_done, args.numbers[1], "number1", NUMBER, FIELD_UNKNOWN(MOUNT_UNKNOWN)),
	FIELD_AS(mount_done, args.numbers[2], "number2", NUMBER, FIELD_UNKNOWN(MOUNT_UNKNOWN)),
	FIELD_AS(mount_done, args.numbers[3], "number3", NUMBER, FIELD_UNKNOWN(MOUNT_UNKNOWN)),
	FIELD_OF(mount_done, mnt_ns, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(mount_done, ppid, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(mount_done, comm, COMM),
	FIELD_OF(mount_done, pcomm, COMM));

static const struct record_layout *const mount_kinds[] = {
	[MOUNT_TEXT] = &mount_text_layout, [MOUNT_DONE] = &mount_done_layout,
};
RECORD_LAYOUT_KINDS(mount_record, type, mount_kinds);

extern const struct program_set mountsnoop_programs;

#endif
