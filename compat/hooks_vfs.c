// SPDX-License-Identifier: GPL-2.0
/* The virtual file system: its calls, and names that come and go. */
#include "compat/hooks_rows.h"

#define UNLINKED(DENTRY) \
	"inode=+{dentry.d_inode}(" DENTRY "):uW name=+0(+{dentry.d_name.name}(" DENTRY ")):entry"

const struct hook hooks_vfs[] = {
	/* Calls of the functions below all system calls that do such a thing. */
	HOOK("vfs.read", "a file is read", ONE(KPROBE("vfs_read", "")), ),
	HOOK("vfs.write", "a file is written to", ONE(KPROBE("vfs_write", "")), ),
	/* The calls themselves: vfs_fsync() is inlined, and on some kernels (7.2) vfs_fsync_range() too. */
	HOOK("vfs.fsync", "an fsync or fdatasync",
		{ PROBES(SYSCALL("fsync", ""), COMPAT_SAME("fsync", ""),
			 SYSCALL("fdatasync", ""), COMPAT_SAME("fdatasync", "")) },
	),
	/* vfs_open() is the one way to it, beside finish_open() for file systems that look up and open in one step. */
	HOOK("vfs.open", "a file is opened",
		ONE(KPROBE("do_dentry_open", "")),
		{ PROBES(KPROBE("vfs_open", ""), KPROBE("finish_open", "")) },
	),
	/* Compilers put these functions into their callers (vfs_rmdir() on 5.10), but never what they ask before they act. */
	HOOK("vfs.unlink", "a name of a file is removed",
		ONE(KPROBE("security_inode_unlink", "")), ONE(KPROBE("vfs_unlink", "")),
	),
	HOOK("vfs.mkdir", "a directory is made",
		ONE(KPROBE("security_inode_mkdir", "")), ONE(KPROBE("vfs_mkdir", "")),
	),
	HOOK("vfs.rmdir", "a directory is removed",
		ONE(KPROBE("security_inode_rmdir", "")), ONE(KPROBE("vfs_rmdir", "")),
	),

	/*
	 * vfs_create() is of no use: since 4.7 opens go around it. The flag (4.19) is set before the file is opened. Without
	 * it: what gets an inode by d_instantiate() was made, whatever it is; what was looked up is known by other functions.
	 * The file systems that look up and open in one step do not pass it.
	 */
	HOOK("made.file", "a file is opened, or made",
		ONE(KPROBE("do_dentry_open", "f_mode=+{file.f_mode}($arg1):u32 dentry=0 "
			   "inode=+{dentry.d_inode}(+{file.f_path.dentry}($arg1)):uW"), .family = "flag"),
		{ .family = "names", .with = "made.may", PROBES(
			KPROBE("d_instantiate", "f_mode=0 dentry=$arg1 inode=$arg2"),
			KPROBE("d_instantiate_new", "f_mode=0 dentry=$arg1 inode=$arg2", OPTIONAL),	/* 4.17 */
			KPROBE("d_make_persistent", "f_mode=0 dentry=$arg1 inode=$arg2", OPTIONAL)) },	/* 7.0 */
	),
	HOOK("made.may", "a file may be made",
		ONE(KPROBE("security_inode_create", "dentry=$arg2"), .family = "names"),
	),

	/* The functions of the security modules have had the same arguments on all kernels. */
	HOOK("unlink.enter", "a name of a file is to be removed",
		ONE(KPROBE("security_inode_unlink", UNLINKED("$arg2"))),
		/* 5.12 put one in front: struct user_namespace, and since 6.3 struct mnt_idmap. */
		ONE(KPROBE("vfs_unlink", UNLINKED("$arg2")), .until = "mount_setattr"),
		ONE(KPROBE("vfs_unlink", UNLINKED("$arg3"))),
	),
	HOOK("unlink.exit", "vfs_unlink() returns", ONE(KRETPROBE("vfs_unlink", RET)), ),
	/* Both are called for each, but what calls the second may have it inlined. */
	HOOK("inode.gone", "an inode leaves the memory",
		ONE(KPROBE("security_inode_free", "inode=$arg1"), .foreign = true),
		ONE(KPROBE("clear_inode", "inode=$arg1"), .foreign = true),
	),
	{ }
};
