// SPDX-License-Identifier: GPL-2.0
/*
 * Mounts: mount(2), and the calls that are new in 5.2 (open_tree, move_mount, fsopen and its kin)
 * and in 5.12 (mount_setattr). mount(8) makes the new calls since its version 2.39. Beside each
 * text is its pointer. A pointer that is NULL means that there is no text, not that the text can't
 * be read.
 */
#include "compat/hooks/hooks_rows.h"

#define SYS_TEXT(N, ARG)	" ptr" #N "=$sys" #ARG ":uW text" #N "=+0($sys" #ARG "):ustring/256"
/* The fifth argument is on the stack on some machines. */
#define SYS5_TEXT(N)		" ptr" #N "?=$sys5:uW text" #N "?=+0($sys5):ustring/256"
#define FIELD_TEXT(N, FIELD)	" ptr" #N "=" #FIELD " text" #N "=" #FIELD ":ustring"

/* mount(2) does not have these numbers. They are 0, so that they are not missing. */
#define NO_NUMBERS		" n1=0 n2=0 n3=0"

#define MOUNT		"call=0 n0=$sys4:uW" NO_NUMBERS SYS_TEXT(0, 1) SYS_TEXT(1, 2) \
	SYS_TEXT(2, 3) SYS5_TEXT(3)
#define UMOUNT		"call=1 n0=$sys2:u32" SYS_TEXT(1, 1)
#define OLDUMOUNT	"call=1 n0=0" SYS_TEXT(1, 1)
#define FSOPEN		"call=2 n0=$sys2:u32" SYS_TEXT(2, 1)
#define FSPICK		"call=3 n0=$sys1:s32 n1=$sys3:u32" SYS_TEXT(1, 2)
#define FSCONFIG	"call=4 n0=$sys1:s32 n1=$sys2:u32 n2?=$sys5:s32" SYS_TEXT(0, 3) \
	SYS_TEXT(3, 4)
#define FSMOUNT		"call=5 n0=$sys1:s32 n1=$sys2:u32 n2=$sys3:u32"
#define MOVE_MOUNT	"call=6 n0=$sys1:s32 n1=$sys3:s32 n2?=$sys5:u32" SYS_TEXT(0, 2) \
	SYS_TEXT(1, 4)
#define OPEN_TREE	"call=7 n0=$sys1:s32 n1=$sys3:u32" SYS_TEXT(1, 2)
/*
 * If a number can't be read, the record keeps the bytes that were in the ring before. The same
 * bytes, read as text, tell whether the number could be read.
 */
#define SETATTR		"call=8 n0=$sys1:s32 n1=$sys3:u32 n2?=+u0($sys4):u64 n3?=+u8($sys4):u64" \
	SYS_TEXT(0, 4) SYS_TEXT(1, 2)

/* Inputs of the task that not every hook has. */
#define PARENT		" ppid?=+{task_struct.tgid}(+{task_struct.real_parent}($current)):u32 " \
			"pcomm?=+{task_struct.comm}(+{task_struct.real_parent}($current)):string"
#define MOUNT_NS	" mnt_ns?=+{mnt_namespace.ns.inum}(+{nsproxy.mnt_ns}(" \
			"+{task_struct.nsproxy}($current))):u32"
#define CALL_RET	RET PARENT MOUNT_NS
#define FIELD_RET	"ret=ret" PARENT MOUNT_NS

#define BOTH(NAME, INPUTS)	SYSCALL(NAME, INPUTS), COMPAT_SAME(NAME, INPUTS)
#define BOTH_NEW(NAME, INPUTS)	SYSCALL(NAME, INPUTS, OPTIONAL), COMPAT_SAME(NAME, INPUTS)
#define BOTH_RET(NAME)		SYSRET(NAME, CALL_RET), COMPATRET(NAME, CALL_RET)
#define BOTH_NEW_RET(NAME)	SYSRET(NAME, CALL_RET, OPTIONAL), COMPATRET(NAME, CALL_RET)
#define ENTER(NAME, INPUTS, ...)	TRACEPOINT("syscalls:sys_enter_" NAME, INPUTS, __VA_ARGS__)
#define LEAVE(NAME, ...)	TRACEPOINT("syscalls:sys_exit_" NAME, FIELD_RET, __VA_ARGS__)

const struct hook hooks_mounts[] = {
	/*
	 * The functions of the calls come first: calls of 32-bit tasks do not hit the tracepoints.
	 */
	HOOK("mount.enter", "a mount, umount or one of their kin begins",
		{ .family = "functions", PROBES(
			BOTH("mount", MOUNT), BOTH("umount", UMOUNT),
			BOTH_NEW("oldumount", OLDUMOUNT), BOTH_NEW("fsopen", FSOPEN),
			BOTH_NEW("fspick", FSPICK), BOTH_NEW("fsconfig", FSCONFIG),
			BOTH_NEW("fsmount", FSMOUNT), BOTH_NEW("move_mount", MOVE_MOUNT),
			BOTH_NEW("open_tree", OPEN_TREE), BOTH_NEW("mount_setattr", SETATTR)) },
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true, PROBES(
			ENTER("mount", "call=0 n0=flags" NO_NUMBERS FIELD_TEXT(0, dev_name)
			      FIELD_TEXT(1, dir_name) FIELD_TEXT(2, type) FIELD_TEXT(3, data)),
			ENTER("umount", "call=1 n0=flags" FIELD_TEXT(1, name)),
			ENTER("fsopen", "call=2 n0=flags" FIELD_TEXT(2, _fs_name), OPTIONAL),
			ENTER("fspick", "call=3 n0=dfd n1=flags" FIELD_TEXT(1, path), OPTIONAL),
			ENTER("fsconfig", "call=4 n0=fd n1=cmd n2=aux" FIELD_TEXT(0, _key)
			      FIELD_TEXT(3, _value), OPTIONAL),
			ENTER("fsmount", "call=5 n0=fs_fd n1=flags n2=attr_flags", OPTIONAL),
			ENTER("move_mount", "call=6 n0=from_dfd n1=to_dfd n2=flags"
			      FIELD_TEXT(0, from_pathname) FIELD_TEXT(1, to_pathname), OPTIONAL),
			ENTER("open_tree", "call=7 n0=dfd n1=flags" FIELD_TEXT(1, filename),
			      OPTIONAL),
			ENTER("mount_setattr",
			      "call=8 n0=dfd n1=flags n2=+u0(uattr):u64 n3=+u8(uattr):u64"
			      FIELD_TEXT(0, uattr) FIELD_TEXT(1, path), OPTIONAL)) },
	),
	HOOK("mount.exit", "a mount, umount or one of their kin returns",
		{ .family = "functions", PROBES(
			BOTH_RET("mount"), BOTH_RET("umount"), BOTH_NEW_RET("oldumount"),
			BOTH_NEW_RET("fsopen"), BOTH_NEW_RET("fspick"), BOTH_NEW_RET("fsconfig"),
			BOTH_NEW_RET("fsmount"), BOTH_NEW_RET("move_mount"),
			BOTH_NEW_RET("open_tree"), BOTH_NEW_RET("mount_setattr")) },
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(
			LEAVE("mount"), LEAVE("umount"), LEAVE("fsopen", OPTIONAL),
			LEAVE("fspick", OPTIONAL), LEAVE("fsconfig", OPTIONAL),
			LEAVE("fsmount", OPTIONAL), LEAVE("move_mount", OPTIONAL),
			LEAVE("open_tree", OPTIONAL), LEAVE("mount_setattr", OPTIONAL)) },
	),
	{ }
};
