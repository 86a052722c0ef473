// SPDX-License-Identifier: GPL-2.0
/* The virtual file system: its calls, and names that come and go. */
#include "compat/hooks/hooks_rows.h"

#define UNLINKED(DENTRY) \
	"inode=+{dentry.d_inode}(" DENTRY "):uW name=+0(+{dentry.d_name.name}(" DENTRY ")):entry"

/* A directory's dentry, and a struct qstr, which begins with hash and length. */
#define NAME_OF		"directory=$arg1:uW hash=+0($arg2):u64"

/* The flag of unlinkat(2) that removes a directory: AT_REMOVEDIR. */
#define AS_FLAG		"flags=512"
#define BOTH(NAME, INPUTS)	SYSCALL(NAME, INPUTS), COMPAT_SAME(NAME, INPUTS)

/*
 * A dentry that got an inode. MADE: it is a new file. ANY: its members tell whether it is a new
 * file.
 */
#define NAMED(F_MODE, KIND)	"f_mode=" F_MODE " dentry=$arg1 inode=$arg2 " KIND
#define MADE			"parent=1 mode=32768 links=1"	/* S_IFREG */
#define ANY			"parent=+{dentry.d_parent}($arg1):uW " \
	"mode=+{inode.i_mode}($arg2):u16 links=+{inode.i_nlink}($arg2):u32"
#define CREATED			"1048576"			/* FMODE_CREATED */

const struct hook hooks_vfs[] = {
	/* Functions below all system calls of a kind. */
	HOT_HOOK("each read", "vfs.read", "a file is read",
		ONE(KPROBE("vfs_read", "", TRY(READ))),
	),
	HOT_HOOK("each write", "vfs.write", "a file is written to",
		ONE(KPROBE("vfs_write", "", TRY(WRITE))),
	),
	/*
	 * vfs_fsync() is inlined, on some kernels (7.2) vfs_fsync_range() as well: system calls are
	 * left.
	 */
	HOOK("vfs.fsync", "an fsync or fdatasync",
		{ PROBES(SYSCALL("fsync", ""), COMPAT_SAME("fsync", ""),
			 SYSCALL("fdatasync", ""), COMPAT_SAME("fdatasync", "")) },
	),
	/*
	 * Only vfs_open() and finish_open() call do_dentry_open(). finish_open() is for file
	 * systems that look up and open in one step.
	 */
	HOOK("vfs.open", "a file is opened",
		ONE(KPROBE("do_dentry_open", "", TRY(OPEN))),
		{ PROBES(KPROBE("vfs_open", ""), KPROBE("finish_open", "")) },
	),
	/*
	 * Compilers inline these functions into their callers (vfs_rmdir() from 4.1 to 5.10,
	 * vfs_unlink() of 3.10). They never inline the functions of the security modules, which
	 * these functions call first. Kernels without security modules leave the system calls.
	 * Failures of system calls count as well, and the kernel's work for others, such as an NFS
	 * server, does not.
	 */
	HOOK("vfs.unlink", "a name of a file is removed",
		ONE(KPROBE("security_inode_unlink", "flags=0")),
		ONE(KPROBE("vfs_unlink", "flags=0", TRY(UNLINK))),
		{ PROBES(BOTH("unlink", "flags=0"), BOTH("unlinkat", "flags=$sys3:u32")) },
	),
	HOOK("vfs.mkdir", "a directory is made",
		ONE(KPROBE("security_inode_mkdir", "")),
		ONE(KPROBE("vfs_mkdir", "", TRY(MKDIR))),
		/*
		 * Before 4.17 the function of mkdir(2) calls the function of mkdirat(2), or has a
		 * copy of it.
		 */
		{ .needs = "do_mkdirat", PROBES(BOTH("mkdir", ""), BOTH("mkdirat", "")) },
		{ .no_compat = true, PROBES(TRACEPOINT("syscalls:sys_enter_mkdir", ""),
					    TRACEPOINT("syscalls:sys_enter_mkdirat", "")) },
	),
	HOOK("vfs.rmdir", "a directory is removed",
		ONE(KPROBE("security_inode_rmdir", AS_FLAG)),
		ONE(KPROBE("vfs_rmdir", AS_FLAG, TRY(RMDIR))),
		{ PROBES(BOTH("rmdir", AS_FLAG), BOTH("unlinkat", "flags=$sys3:u32")) },
	),

	/*
	 * Since 4.7 opens do not call vfs_create(). Since 4.19 a flag (FMODE_CREATED) marks a new
	 * file before it is opened.
	 *
	 * On older kernels d_instantiate() gives an inode to each file that is made, and other
	 * functions give an inode to a file that is looked up. File systems that look up and open
	 * in one step do not call d_instantiate(). A kernel without security modules calls no
	 * function to ask whether a file may be made. There, among the files that get an inode, a
	 * new file is known by its type and its only name. Files that are in no folder are their
	 * own parents.
	 */
	HOOK("made.file", "a file is opened, or made",
		ONE(KPROBE("do_dentry_open", "f_mode=+{file.f_mode}($arg1):u32 dentry=0 " MADE
			   " inode=+{dentry.d_inode}(+{file.f_path.dentry}($arg1)):uW", TRY(OPEN)),
			   .family = "flag",
		    .needs = "alloc_file_pseudo"),		/* 4.19, as the flag */
		{ .family = "names", .with = "made.may", PROBES(
			KPROBE("d_instantiate", NAMED("0", MADE)),
			/* 4.17 */
			KPROBE("d_instantiate_new", NAMED("0", MADE), OPTIONAL),
			/* 7.0 */
			KPROBE("d_make_persistent", NAMED("0", MADE),
			       OPTIONAL)) },
		{ .family = "inodes", PROBES(
			KPROBE("d_instantiate", NAMED(CREATED, ANY)),
			KPROBE("d_instantiate_new", NAMED(CREATED, ANY), OPTIONAL),
			KPROBE("d_make_persistent", NAMED(CREATED, ANY), OPTIONAL)) },
	),
	HOOK("made.may", "a file may be made",
		ONE(KPROBE("security_inode_create", "dentry=$arg2"), .family = "names"),
		ONE(KPROBE("vfs_create", "dentry=$arg2", TRY(CREATE), .doubtful = true),
		    .family = "names", .until = "statx"),
	),

	/* The functions of the security modules have the same arguments on all kernels. */
	HOOK("unlink.enter", "a name of a file is to be removed",
		ONE(KPROBE("security_inode_unlink", UNLINKED("$arg2")), .family = "asked"),
		/*
		 * Since 5.12 the first argument is a struct user_namespace, since 6.3 a struct
		 * mnt_idmap.
		 */
		ONE(KPROBE("vfs_unlink", UNLINKED("$arg2"), TRY(UNLINK)), .family = "asked",
		    .until = "mount_setattr"),
		ONE(KPROBE("vfs_unlink", UNLINKED("$arg3"), TRY(UNLINK)), .family = "asked"),
		/*
		 * d_delete() is called when the removal has succeeded. It is not called for a file
		 * that NFS only renames, because the file is open.
		 */
		ONE(KPROBE("d_delete", UNLINKED("$arg1")), .family = "done"),
	),
	HOOK("unlink.exit", "the name is removed",
		ONE(KRETPROBE("vfs_unlink", RET, TRY(UNLINK)), .family = "asked"),
		ONE(KRETPROBE("d_delete", "ret=0"), .family = "done"),
	),
	/* 3.15 has the flags; before, the module's function is told of no exchange */
	HOOK("replaced.enter", "a file is to take another name, which may be another file's",
		ONE(KPROBE("security_inode_rename", UNLINKED("$arg4") " flags=$arg5:u32"),
		    .with = "replaced.exit"),
	),
	HOOK("replaced.exit", "the file has the name, or can't have it",
		ONE(KRETPROBE("vfs_rename", RET), .with = "replaced.enter"),
	),
	/*
	 * The cache of directory entries. Paths are walked without locks first; what changes
	 * something looks up its name with a lock. Neither function sleeps.
	 */
	HOT_HOOK("each name in a path", "names.fast", "a name was looked up without a lock",
		ONE(KRETPROBE("__d_lookup_rcu", "found=$retval:uW")),
	),
	HOOK("names.locked", "a name was looked up with a lock",
		ONE(KRETPROBE("__d_lookup", "found=$retval:uW")),
	),
	HOOK("names.enter", "a name is looked up for a change or an open",
		ONE(KPROBE("d_lookup", NAME_OF)),
	),
	HOOK("names.exit", "a name was looked up for a change or an open",
		ONE(KRETPROBE("d_lookup", "found=$retval:uW")),
	),
	/* 4.7; earlier kernels call d_lookup() before they ask the file system */
	HOOK("names.new", "a name that is not in the cache gets an entry",
		ONE(KPROBE("d_alloc_parallel", NAME_OF)),
	),
	/* Both functions are called for each inode, but callers may have inlined clear_inode(). */
	HOOK("inode.gone", "an inode leaves the memory",
		ONE(KPROBE("security_inode_free", "inode=$arg1"), .foreign = true),
		ONE(KPROBE("clear_inode", "inode=$arg1"), .foreign = true),
	),
	{ }
};
