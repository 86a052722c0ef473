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

/*
 * The functions below the calls, which io_uring calls, too. They have the kernel's copies of the
 * paths. BPF reads texts at the return: up to 6.x the copies are gone then, and they say where the
 * program has the paths. Since 7.0 they are the caller's: calls from GONE_COPIED on.
 */
#define GIVEN(N, ARG)	" path" #N "=+0(+{filename.uptr}(" #ARG ")):ustring"
#define HELD(N, ARG)	" path" #N "=+0(+0(" #ARG ")):name"
#define GONE(UNLINKS, RMDIRS, RENAMES, PATH, A, B, C) \
	PROBES(KPROBE(UNLINKS, "call=" A " flags=0" PATH(0, $arg2)), \
	       KPROBE(RMDIRS, "call=" B " flags=0" PATH(0, $arg2)), \
	       KPROBE(RENAMES, "call=" C " flags=$arg5:u32 to=$arg4:uW" PATH(0, $arg2) \
		      PATH(1, $arg4)))
#define GONE_7(PATH) \
	GONE("filename_unlinkat", "filename_rmdir", "filename_renameat2", PATH, "8", "9", "10")
#define GONE_5(PATH)	GONE("do_unlinkat", "do_rmdir", "do_renameat2", PATH, "0", "1", "2")

const struct hook hooks_gone[] = {
	/*
	 * The functions of the calls come before tracepoints: calls of 32-bit tasks do not hit
	 * these.
	 */
	HOOK("gone.enter", "an unlink, rmdir, rename or one of their kin begins",
		{ .family = "names", .requests = true, GONE_7(HELD) },		/* 7.0 */
		/* 5.13; since 5.11 all three have paths that were copied */
		{ .family = "copies", .requests = true, .targets = FOR_BPF,
		  .needs = "vfs_fileattr_get", GONE_5(GIVEN) },
		{ .family = "copies", .requests = true, .targets = FOR_RING,
		  .needs = "vfs_fileattr_get", GONE_5(HELD) },
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
		{ .family = "names", PROBES(KRETPROBE("filename_unlinkat", RET),
					    KRETPROBE("filename_rmdir", RET),
					    KRETPROBE("filename_renameat2", RET)) },
		{ .family = "copies", PROBES(KRETPROBE("do_unlinkat", RET),
					     KRETPROBE("do_rmdir", RET),
					     KRETPROBE("do_renameat2", RET)) },
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
