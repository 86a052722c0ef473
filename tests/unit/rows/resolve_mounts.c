// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

/* A call's function for 64-bit tasks and that for 32-bit ones. */
#define BOTH(HOOK, KIND, CALL, IA32)	CALLED("mount." HOOK, CALL, KIND, "__x64_sys_", IA32)
#define OLD_CALLS(HOOK, KIND, IA32) \
	BOTH(HOOK, KIND, "mount", IA32) BOTH(HOOK, KIND, "umount", "__ia32_sys_") \
	BOTH(HOOK, KIND, "oldumount", "__ia32_sys_")
#define NEW_CALLS(HOOK, KIND) \
	BOTH(HOOK, KIND, "fsopen", "__ia32_sys_") BOTH(HOOK, KIND, "fspick", "__ia32_sys_") \
	BOTH(HOOK, KIND, "fsconfig", "__ia32_sys_") BOTH(HOOK, KIND, "fsmount", "__ia32_sys_") \
	BOTH(HOOK, KIND, "move_mount", "__ia32_sys_") BOTH(HOOK, KIND, "open_tree", "__ia32_sys_")
#define SETATTR(HOOK, KIND)	BOTH(HOOK, KIND, "mount_setattr", "__ia32_sys_")

/* To 4.12 a 32-bit task's umount is a function for both, and mount one of its own. */
#define FIRST(HOOK, KIND) \
	CALLED("mount." HOOK, "mount", KIND, "sys_", "compat_sys_") "mount." HOOK ": " KIND \
	" sys_umount\n" \
	"mount." HOOK ": " KIND " sys_oldumount\n"
#define IN_4_19(HOOK, KIND)	OLD_CALLS(HOOK, KIND, "__ia32_compat_sys_")
#define IN_5_10(HOOK, KIND)	OLD_CALLS(HOOK, KIND, "__ia32_sys_") NEW_CALLS(HOOK, KIND)
#define IN_6_1(HOOK, KIND)	IN_5_10(HOOK, KIND) SETATTR(HOOK, KIND)
#define MOUNTS(CALLS)		CALLS("enter", "kprobe") CALLS("exit", "kretprobe")

/* Snapshots do not tell the members of the namespaces' structs. */
#define NO_NS		"mount.exit.mnt_ns\n"

static const struct resolve_row whole[] = {
	{ "3.10", "mountsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "mountsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "mountsnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "mountsnoop", BPF, MOUNTS(FIRST), NO_NS },
	{ TO_4_4 "4.9 4.12", "mountsnoop", RING, MOUNTS(FIRST), NO_NS },
	{ "4.19", "mountsnoop", BPF | RING, MOUNTS(IN_4_19), NO_NS },
	{ "5.10", "mountsnoop", BPF | RING, MOUNTS(IN_5_10), NO_NS },
	{ "6.1 6.12 7.2", "mountsnoop", BPF | RING, MOUNTS(IN_6_1), NO_NS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "mountsnoop -P", RING, MOUNTS(IN_6_1), NO_NS "mount.exit.ppid\n"
	  "mount.exit.pcomm\n" },
	{ "4.19", "mountsnoop", BPF, "mount.enter: tracepoint syscalls:sys_enter_mount\n"
	  "mount.enter: tracepoint syscalls:sys_enter_umount\n"
	  "mount.exit: tracepoint syscalls:sys_exit_mount\n"
	  "mount.exit: tracepoint syscalls:sys_exit_umount\n", NO_NS, .without = "kprobes" },
	{ "6.1", "mountsnoop", RING, .without = "kprobes",
	  .refused = "mount.enter: this kernel has no kprobes, for mount()" },
};

RESOLVE_ROWS(mounts, whole, lacking);
