// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define CALLS(VECTOR, FSYNC) \
	"vfs.read: kprobe vfs_read\n" "vfs.write: kprobe vfs_write\n" VECTOR FSYNC \
	"vfs.open: kprobe do_dentry_open\n" \
	"vfs.unlink: kprobe security_inode_unlink\n" "vfs.mkdir: kprobe security_inode_mkdir\n" \
	"vfs.rmdir: kprobe security_inode_rmdir\n"
#define V(NAME)		"vfs.vector_enter: kprobe " NAME "\n"
#define VECTOR_3_10	V("do_readv_writev") V("compat_do_readv_writev")
#define VECTOR_4_12	V("__do_readv_writev")
#define VECTOR		V("vfs_readv") V("vfs_writev")
#define OLD_CALLS(VECTOR) \
	CALLS(VECTOR, "vfs.fsync: kprobe sys_fsync\n" "vfs.fsync: kprobe sys_fdatasync\n")
#define NEW_CALLS	CALLS(VECTOR, "vfs.fsync: kprobe __x64_sys_fsync\n" \
			      "vfs.fsync: kprobe __ia32_sys_fsync\n" \
			      "vfs.fsync: kprobe __x64_sys_fdatasync\n" \
			      "vfs.fsync: kprobe __ia32_sys_fdatasync\n")
#define MADE_FLAG	"made.file: kprobe do_dentry_open\n"
#define MADE_NAMES(MORE) \
	"made.file: kprobe d_instantiate\n" MORE "made.may: kprobe security_inode_create\n"
#define MADE_NEW	"made.file: kprobe d_instantiate_new\n"
#define MADE_INODES	"made.file: kprobe d_instantiate\n" MADE_NEW
#define UNLINKS		"inode.gone: kprobe security_inode_free\n" \
	"unlink.enter: kprobe security_inode_unlink\n" "unlink.exit: kretprobe vfs_unlink\n" \
	"replaced.enter: kprobe security_inode_rename\n" "replaced.exit: kretprobe vfs_rename\n"
#define NO_OFFSET	"has no inode: offset of dentry.d_inode is not known"

#define VFS_CALLED	"vfs.read: kprobe vfs_read\n" "vfs.write: kprobe vfs_write\n" VECTOR_3_10 \
	"vfs.fsync: kprobe sys_fsync\n" \
	"vfs.fsync: kprobe sys_fdatasync\n" "vfs.open: kprobe do_dentry_open\n"
#define NO_SECURITY \
	"function:security_inode_unlink,function:security_inode_mkdir,function:security_inode_rmdir"

#define LOOKUPS \
	"names.fast: kretprobe __d_lookup_rcu\n" "names.locked: kretprobe __d_lookup\n" \
	"names.enter: kprobe d_lookup\n" "names.exit: kretprobe d_lookup\n"
#define NEW_LOOKUPS	"names.new: kprobe d_alloc_parallel\n"

/* Of the snapshots only that of 6.1 tells where members are. */
static const struct resolve_row whole[] = {
	{ "3.10", "vfsstat", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "vfsstat", BPF, .refused = NO_IDENTITY },
	{ "4.4", "vfsstat", BPF, .refused = UNSAFE_HASH },
	/* it got the second function later */
	{ "4.9", "vfsstat", BPF, OLD_CALLS(VECTOR_3_10) MADE_NAMES(MADE_NEW) },
	{ "4.12", "vfsstat", BPF, OLD_CALLS(VECTOR_4_12) MADE_NAMES("") },
	{ "3.10 4.1", "vfsstat", RING, OLD_CALLS(VECTOR_3_10) MADE_NAMES("") },
	{ "4.12", "vfsstat", RING, OLD_CALLS(VECTOR_4_12) MADE_NAMES("") },
	{ "4.4 4.9", "vfsstat", RING, OLD_CALLS(VECTOR_3_10) MADE_NAMES(MADE_NEW) },
	{ "4.19 5.10 6.12", "vfsstat", BPF | RING, NEW_CALLS MADE_NAMES(MADE_NEW) },
	{ "6.1", "vfsstat", BPF | RING, NEW_CALLS MADE_FLAG },
	{ "7.2", "vfsstat", BPF | RING,
	  NEW_CALLS MADE_NAMES(MADE_NEW "made.file: kprobe d_make_persistent\n") },

	{ "3.10", "dcstat", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "dcstat", BPF, .refused = NO_IDENTITY },
	{ "4.4", "dcstat", BPF, .refused = UNSAFE_HASH },
	{ "3.10 4.1 4.4", "dcstat", RING, LOOKUPS },
	{ "4.9 4.12 4.19 " NEWER, "dcstat", BPF, LOOKUPS NEW_LOOKUPS },
	{ "4.9 4.12 4.19 " NEWER, "dcstat", RING, LOOKUPS NEW_LOOKUPS },

	{ "3.10", "filelife", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4 4.9 4.12 4.19 5.10 6.12 7.2", "filelife", BPF, .refused = NO_OFFSET },
	{ OLD "5.10 6.12 7.2", "filelife", RING, .refused = NO_OFFSET },
	{ "6.1", "filelife", BPF | RING, MADE_FLAG UNLINKS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "vfsstat", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for vfs_read()" },
	{ "6.1", "vfsstat", BPF | RING, NEW_CALLS MADE_NAMES(MADE_NEW), .without = "btf" },
	/* Kernels without security modules. */
	{ "6.1", "vfsstat", RING,
	  "vfs.read: kprobe vfs_read\n" "vfs.write: kprobe vfs_write\n" VECTOR
	  "vfs.fsync: kprobe __x64_sys_fsync\n" "vfs.fsync: kprobe __ia32_sys_fsync\n"
	  "vfs.fsync: kprobe __x64_sys_fdatasync\n" "vfs.fsync: kprobe __ia32_sys_fdatasync\n"
	  "vfs.open: kprobe do_dentry_open\n" "vfs.unlink: kprobe vfs_unlink\n"
	  "vfs.mkdir: kprobe vfs_mkdir\n" "vfs.rmdir: kprobe vfs_rmdir\n" MADE_FLAG, .without =
	  "function:security_inode_unlink,function:security_inode_mkdir,"
	  "function:security_inode_rmdir" },
	/*
	 * The same where the compiler made vfs_unlink.part.0 (3.10) and vfs_rmdir.part.0, and it
	 * can't be tried.
	 */
	{ "3.10", "vfsstat", RING, VFS_CALLED "vfs.unlink: kprobe sys_unlink\n"
	  "vfs.unlink: kprobe sys_unlinkat\n"
	  "vfs.mkdir: kprobe vfs_mkdir\n" "vfs.rmdir: kprobe sys_rmdir\n"
	  "vfs.rmdir: kprobe sys_unlinkat\n" MADE_NAMES(""),
	  .without = NO_SECURITY },
	{ "4.1", "vfsstat", RING, VFS_CALLED "vfs.unlink: kprobe vfs_unlink\n"
	  "vfs.mkdir: kprobe vfs_mkdir\n"
	  "vfs.rmdir: kprobe sys_rmdir\n" "vfs.rmdir: kprobe sys_unlinkat\n" MADE_NAMES(""),
	  .without = NO_SECURITY },
	/* Nothing else is left. */
	{ "4.1", "vfsstat", RING, VFS_CALLED "vfs.unlink: kprobe vfs_unlink\n"
	  "vfs.mkdir: kprobe vfs_mkdir\n"
	  "vfs.rmdir: kprobe vfs_rmdir\n" MADE_NAMES(""), "vfs.rmdir\n", .without = NO_SECURITY
	  ",function:sys_rmdir,function:SyS_rmdir" },
	/*
	 * Where do_dentry_open() was inlined; and without security modules, where nobody asks
	 * whether a file may be made.
	 */
	{ "6.1", "vfsstat", RING,
	  "vfs.read: kprobe vfs_read\n" "vfs.write: kprobe vfs_write\n" VECTOR
	  "vfs.fsync: kprobe __x64_sys_fsync\n" "vfs.fsync: kprobe __ia32_sys_fsync\n"
	  "vfs.fsync: kprobe __x64_sys_fdatasync\n" "vfs.fsync: kprobe __ia32_sys_fdatasync\n"
	  "vfs.open: kprobe vfs_open\n" "vfs.open: kprobe finish_open\n"
	  "vfs.unlink: kprobe security_inode_unlink\n" "vfs.mkdir: kprobe security_inode_mkdir\n"
	  "vfs.rmdir: kprobe security_inode_rmdir\n" MADE_INODES,
	  .without = "function:do_dentry_open,function:security_inode_create" },
	{ "6.1", "filelife", BPF | RING, MADE_NAMES(MADE_NEW) UNLINKS,
	  .without = "function:do_dentry_open" },
	{ "6.1", "filelife", BPF | RING, MADE_INODES UNLINKS,
	  .without = "function:do_dentry_open,function:security_inode_create" },
	{ "6.1", "filelife", BPF | RING, .without = "function:do_dentry_open,"
	  "function:security_inode_create,member:inode.i_nlink",
	  .refused = "has no links: offset of inode.i_nlink is not known" },
	{ "6.1", "filelife", RING, MADE_FLAG "inode.gone: kprobe clear_inode\n"
	  "unlink.enter: kprobe vfs_unlink\n" "unlink.exit: kretprobe vfs_unlink\n",
	  "replaced.enter\n" "replaced.exit\n",
	  .without = "function:security_inode_unlink,function:security_inode_free,"
		     "function:security_inode_rename" },
};

RESOLVE_ROWS(vfs, whole, lacking);
