// SPDX-License-Identifier: GPL-2.0
/*
 * Names of files that are removed or changed, by the system calls that do it. Those with a second
 * path have its address, too: rings have the two paths in events of their own.
 */
#include "compat/hooks/hooks_rows.h"

#define PATH(N, ARG)		" path" #N "=+0($sys" #ARG "):ustring/256"
#define TO(ARG)			" to=$sys" #ARG ":uW" PATH(1, ARG)
#define FIELD_PATH(N, FIELD)	" path" #N "=" #FIELD ":ustring"
/* 7.x: the events copy the paths themselves */
#define COPIED(N, FIELD)	" path" #N "=__" #FIELD "_val"

#define UNLINK		"call=0 flags=0" PATH(0, 1)
#define UNLINKAT	"call=0 flags=$sys3:u32" PATH(0, 2)
#define RMDIR		"call=1 flags=0" PATH(0, 1)
#define RENAME		"call=2 flags=0" PATH(0, 1) TO(2)
#define RENAMEAT	"call=2 flags=0" PATH(0, 2) TO(4)
/* The fifth argument is on the stack on some machines. */
#define RENAMEAT2	"call=2 flags=$sys5:u32" PATH(0, 2) TO(4)

#define BOTH(NAME, INPUTS)	SYSCALL(NAME, INPUTS, OPTIONAL), COMPAT_SAME(NAME, INPUTS)
#define BOTH_RET(NAME)		SYSRET(NAME, RET, OPTIONAL), COMPATRET(NAME, RET)
#define ENTER(NAME, INPUTS, ...)	TRACEPOINT("syscalls:sys_enter_" NAME, INPUTS, __VA_ARGS__)
#define LEAVE(NAME, ...)	TRACEPOINT("syscalls:sys_exit_" NAME, "ret=ret", __VA_ARGS__)

/* Machines that came late, as arm64, have no calls without `at`. */
#define RENAMES(NAME, FLAGS, PATH) \
	ENTER(NAME, "call=2 flags=" FLAGS " to=newname" PATH(0, oldname) PATH(1, newname), OPTIONAL)
#define ENTERS(PATH) \
	ENTER("unlinkat", "call=0 flags=flag" PATH(0, pathname)), \
	RENAMES("renameat2", "flags", PATH), \
	RENAMES("renameat", "0", PATH), \
	ENTER("unlink", "call=0 flags=0" PATH(0, pathname), OPTIONAL), \
	ENTER("rmdir", "call=1 flags=0" PATH(0, pathname), OPTIONAL), \
	RENAMES("rename", "0", PATH)

const struct hook hooks_gone[] = {
	/*
	 * The functions of the calls come first: calls of 32-bit tasks do not hit the tracepoints.
	 */
	HOOK("gone.enter", "an unlink, rmdir, rename or one of their kin begins",
		{ .family = "functions", PROBES(
			SYSCALL("unlinkat", UNLINKAT), COMPAT_SAME("unlinkat", UNLINKAT),
			BOTH("renameat2", RENAMEAT2), BOTH("renameat", RENAMEAT),
			BOTH("unlink", UNLINK), BOTH("rmdir", RMDIR), BOTH("rename", RENAME)) },
		{ .family = "syscalls", .targets = FOR_BPF, .no_compat = true,
		  PROBES(ENTERS(FIELD_PATH)) },
		{ .family = "syscalls", .targets = FOR_RING, .no_compat = true,
		  PROBES(ENTERS(COPIED)) },
	),
	HOOK("gone.exit", "an unlink, rmdir, rename or one of their kin returns",
		{ .family = "functions", PROBES(
			SYSRET("unlinkat", RET), COMPATRET("unlinkat", RET),
			BOTH_RET("renameat2"), BOTH_RET("renameat"),
			BOTH_RET("unlink"), BOTH_RET("rmdir"), BOTH_RET("rename")) },
		{ .family = "syscalls", PROBES(
			LEAVE("unlinkat"), LEAVE("renameat2", OPTIONAL),
			LEAVE("renameat", OPTIONAL), LEAVE("unlink", OPTIONAL),
			LEAVE("rmdir", OPTIONAL), LEAVE("rename", OPTIONAL)) },
	),
	{ }
};
