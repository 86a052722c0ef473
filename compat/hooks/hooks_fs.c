// SPDX-License-Identifier: GPL-2.0
/* Operations on files: functions of each file system, and functions that serve all file systems. */
#include "compat/hooks/hooks_rows.h"

/* For functions that only this file system has, and for opens that do not tell what they open. */
#define ITS_OWN		" magic=0 as=0"
/* Which operation, and what its return knows it by. */
#define OP(N)		"op=" N " call=" N
/* A dentry and its name; the dentry and the name of a struct file. */
#define DENTRY_NAME(DENTRY) " dentry=" DENTRY ":uW" \
			    " name?=+0(+{dentry.d_name.name}(" DENTRY ")):entry"
#define NAME_OF(FILE)	" name?=+0(+{dentry.d_name.name}(+{file.f_path.dentry}(" FILE "))):entry" \
			" dentry=+{file.f_path.dentry}(" FILE "):uW"
#define IOCB_FILE	"+{kiocb.ki_filp}($arg1)"
#define IOCB		" pos?=+{kiocb.ki_pos}($arg1):s64" NAME_OF(IOCB_FILE)

/*
 * Operations have the numbers of enum fs_operation. A kiocb is the first argument of reads and
 * writes on all kernels. Before 3.16 vectors follow, and a position that the kiocb has as well. The
 * flags tell whether a write goes to the end of the file, wherever the end is by then (O_APPEND).
 */
#define READ		OP("0") ITS_OWN " flags=0" IOCB
#define WRITE		OP("1") ITS_OWN " flags?=+{file.f_flags}(" IOCB_FILE "):u32" IOCB
#define OPEN		OP("2") ITS_OWN " flags=0 pos=0" NAME_OF("$arg2")	/* (inode, file) */
/* (file, start, end, datasync) */
#define FSYNC		OP("3") ITS_OWN " flags=0 pos=0" NAME_OF("$arg1")
#define GETATTR(DENTRY)	OP("4") ITS_OWN " flags=0 pos=0" DENTRY_NAME(DENTRY)
/*
 * (file, position, pipe, ...): reads for splice(2) and sendfile(2), if these do not call the file
 * system's read.
 */
#define SPLICE_READ	OP("0") ITS_OWN " flags=0 pos?=+0($arg2):s64" NAME_OF("$arg1")
#define SPLICE(NAME)	KPROBE(NAME, SPLICE_READ, OPTIONAL)
/* Functions that also serve other file systems: the superblock tells the file system. */
#define MAGIC_OF(INODE)	" magic=+{super_block.s_magic}(+{inode.i_sb}(" INODE ")):uW"
#define ANY_READ	OP("0") " as=0 flags=0" IOCB MAGIC_OF("+{file.f_inode}(" IOCB_FILE ")")
#define ANY_OPEN	OP("2") " as=0 flags=0 pos=0" NAME_OF("$arg2") MAGIC_OF("$arg1")

/*
 * (directory, dentry, file, flags, ...): looks a file up and opens it in one step. Directories are
 * only looked up here.
 */
#define ATOMIC_OPEN	OP("2") " magic=0 as?=$arg4:u32 flags=0 pos=0" DENTRY_NAME("$arg2")

/* Where a return tells the arguments, too (fexit), programs take them there. */
#define READ_RET	READ " " RET
#define WRITE_RET	WRITE " " RET
#define OPEN_RET	OPEN " " RET
#define FSYNC_RET	FSYNC " " RET
#define SPLICE_RET(NAME) KRETPROBE(NAME, SPLICE_READ " " RET, OPTIONAL)

/* (file, buffer or vector, count, position). The mode is the first member of struct inode. */
#define VFS(N)		OP(N) ITS_OWN " flags=0 pos=0 mode=+0(+{file.f_inode}($arg1)):u16" \
	NAME_OF("$arg1")

/* (file, buffer, count, position): functions of ZFS before it had zpl_iter_read(). */
#define ZPL(OP)		OP ITS_OWN " pos?=+0($arg4):s64" NAME_OF("$arg1")

/* A file whose bytes are moved. Level and slot: insns/programs/filetop.c. */
#define MOVED_FILE(FILE) \
	"inode=+{file.f_inode}(" FILE "):uW dentry=+{file.f_path.dentry}(" FILE "):uW" \
	" mode=+0(+{file.f_inode}(" FILE ")):u16" \
	" number?=+{inode.i_ino}(+{file.f_inode}(" FILE ")):uW" \
	" dev?=+{super_block.s_dev}(+{inode.i_sb}(+{file.f_inode}(" FILE "))):u32" \
	" name?=+0(+{dentry.d_name.name}(+{file.f_path.dentry}(" FILE "))):entry"
#define MOVED(OP, LEVEL, SLOT, FILE) \
	"op=" OP " level=" LEVEL " slot=" SLOT " " MOVED_FILE(FILE)
#define MOVED_RET(SLOT)	"slot=" SLOT " " RET
/* A return that tells the arguments, too, on a kernel with type information. */
#define HAS_MOVED(OP)	"op=" OP " " MOVED_FILE("$arg1") " " RET
/* (in, position, out, ...), for both files */
#define SPLICED(NAME, OP, LEVEL, SLOT, FILE) \
	KPROBE(NAME, MOVED(OP, LEVEL, SLOT, FILE), OPTIONAL)
#define SPLICED_RET(NAME, SLOT)	KRETPROBE(NAME, MOVED_RET(SLOT), OPTIONAL)

/*
 * readv, writev and the like before 4.15: (0 for a read and 1 for a write, file, ...). Compilers
 * leave nothing of vfs_readv() and vfs_writev() there. The return does not tell the operation, so
 * the call has a number of its own.
 */
#define BY_VECTOR(PROBE, INPUTS) \
	{ PROBES(PROBE("__do_readv_writev", INPUTS)) },			/* 4.12 */ \
	{ PROBES(PROBE("do_readv_writev", INPUTS), \
		 PROBE("compat_do_readv_writev", INPUTS, OPTIONAL)) }
#define VFS_VECTOR \
	"op=$arg1:s32 call=5" ITS_OWN " flags=0 pos=0 mode=+0(+{file.f_inode}($arg2)):u16" \
	NAME_OF("$arg2")
#define MOVED_VECTOR	MOVED("$arg1:s32", "0", "6", "$arg2")

#define BEGINS		"an operation on a file begins"
#define ENDS		"an operation on a file ends"

/* Functions for reads and opens that a file system shares with others before it has its own. */
#define SHARED_READ \
	ONE(KPROBE("generic_file_read_iter", ANY_READ)),		/* 3.16 */ \
	ONE(KPROBE("generic_file_aio_read", ANY_READ))
#define SHARED_READ_RET(HOOK) \
	ONE(KRETPROBE("generic_file_read_iter", ANY_READ " " RET), .with = HOOK), \
	ONE(KRETPROBE("generic_file_aio_read", ANY_READ " " RET), .with = HOOK)
#define SHARED_OPEN		ONE(KPROBE("generic_file_open", ANY_OPEN))
#define SHARED_OPEN_RET(HOOK)	ONE(KRETPROBE("generic_file_open", ANY_OPEN " " RET), .with = HOOK)

const struct hook hooks_fs[] = {
	MODULE_HOOK("ext4", "ext4.enter", BEGINS,
		{ PROBES(KPROBE("ext4_file_write_iter", WRITE), KPROBE("ext4_file_open", OPEN),
			 KPROBE("ext4_sync_file", FSYNC)) },			/* 3.16 */
		{ PROBES(KPROBE("ext4_file_write", WRITE), KPROBE("ext4_file_open", OPEN),
			 KPROBE("ext4_sync_file", FSYNC)) },
	),
	MODULE_HOOK("ext4", "ext4.exit", ENDS,
		{ PROBES(KRETPROBE("ext4_file_write_iter", WRITE_RET),
			 KRETPROBE("ext4_file_open", OPEN_RET),
			 KRETPROBE("ext4_sync_file", FSYNC_RET)) },
		{ PROBES(KRETPROBE("ext4_file_write", WRITE_RET),
			 KRETPROBE("ext4_file_open", OPEN_RET),
			 KRETPROBE("ext4_sync_file", FSYNC_RET)) },
	),
	MODULE_HOOK("ext4", "ext4.read_enter", BEGINS,
		/* 4.10; 6.5 */
		{ PROBES(KPROBE("ext4_file_read_iter", READ), SPLICE("ext4_file_splice_read")) },
		SHARED_READ,
	),
	MODULE_HOOK("ext4", "ext4.read_exit", ENDS,
		{ PROBES(KRETPROBE("ext4_file_read_iter", READ_RET),
			 SPLICE_RET("ext4_file_splice_read")) },
		SHARED_READ_RET("ext4.read_enter"),
	),
	MODULE_HOOK("ext4", "ext4.getattr_enter", BEGINS,
		ONE(KPROBE("ext4_getattr", OP("4") ITS_OWN)),
	),
	MODULE_HOOK("ext4", "ext4.getattr_exit", ENDS,
		ONE(KRETPROBE("ext4_getattr", OP("4") ITS_OWN " " RET)),
	),

	MODULE_HOOK("xfs", "xfs.enter", BEGINS,
		/* 3.16; to 4.8, 6.5 */
		{ PROBES(KPROBE("xfs_file_read_iter", READ), SPLICE("xfs_file_splice_read"),
			 KPROBE("xfs_file_write_iter", WRITE), KPROBE("xfs_file_open", OPEN),
			 KPROBE("xfs_file_fsync", FSYNC)) },
		{ PROBES(KPROBE("xfs_file_aio_read", READ), SPLICE("xfs_file_splice_read"),
			 KPROBE("xfs_file_aio_write", WRITE), KPROBE("xfs_file_open", OPEN),
			 KPROBE("xfs_file_fsync", FSYNC)) },
	),
	MODULE_HOOK("xfs", "xfs.exit", ENDS,
		{ PROBES(KRETPROBE("xfs_file_read_iter", READ_RET),
			 SPLICE_RET("xfs_file_splice_read"),
			 KRETPROBE("xfs_file_write_iter", WRITE_RET),
			 KRETPROBE("xfs_file_open", OPEN_RET),
			 KRETPROBE("xfs_file_fsync", FSYNC_RET)) },
		{ PROBES(KRETPROBE("xfs_file_aio_read", READ_RET),
			 SPLICE_RET("xfs_file_splice_read"),
			 KRETPROBE("xfs_file_aio_write", WRITE_RET),
			 KRETPROBE("xfs_file_open", OPEN_RET),
			 KRETPROBE("xfs_file_fsync", FSYNC_RET)) },
	),

	MODULE_HOOK("btrfs", "btrfs.enter", BEGINS,
		/* 3.16 */
		{ PROBES(KPROBE("btrfs_file_write_iter", WRITE),
			 KPROBE("btrfs_sync_file", FSYNC)) },
		{ PROBES(KPROBE("btrfs_file_aio_write", WRITE), KPROBE("btrfs_sync_file", FSYNC)) },
	),
	MODULE_HOOK("btrfs", "btrfs.exit", ENDS,
		{ PROBES(KRETPROBE("btrfs_file_write_iter", WRITE_RET),
			 KRETPROBE("btrfs_sync_file", FSYNC_RET)) },
		{ PROBES(KRETPROBE("btrfs_file_aio_write", WRITE_RET),
			 KRETPROBE("btrfs_sync_file", FSYNC_RET)) },
	),
	MODULE_HOOK("btrfs", "btrfs.read_enter", BEGINS,
		/* 5.10; 6.5 */
		{ PROBES(KPROBE("btrfs_file_read_iter", READ), SPLICE("btrfs_file_splice_read")) },
		SHARED_READ,
	),
	MODULE_HOOK("btrfs", "btrfs.read_exit", ENDS,
		{ PROBES(KRETPROBE("btrfs_file_read_iter", READ_RET),
			 SPLICE_RET("btrfs_file_splice_read")) },
		SHARED_READ_RET("btrfs.read_enter"),
	),
	/* 4.17 */
	MODULE_HOOK("btrfs", "btrfs.open_enter", BEGINS,
		ONE(KPROBE("btrfs_file_open", OPEN)), SHARED_OPEN,
	),
	MODULE_HOOK("btrfs", "btrfs.open_exit", ENDS,
		ONE(KRETPROBE("btrfs_file_open", OPEN_RET)), SHARED_OPEN_RET("btrfs.open_enter"),
	),

	MODULE_HOOK("f2fs", "f2fs.enter", BEGINS,
		/* 4.1 */
		{ PROBES(KPROBE("f2fs_file_write_iter", WRITE), KPROBE("f2fs_sync_file", FSYNC)) },
	),
	MODULE_HOOK("f2fs", "f2fs.exit", ENDS,
		{ PROBES(KRETPROBE("f2fs_file_write_iter", WRITE_RET),
			 KRETPROBE("f2fs_sync_file", FSYNC_RET)) },
	),
	MODULE_HOOK("f2fs", "f2fs.read_enter", BEGINS,
		/* 5.7; 6.5 */
		{ PROBES(KPROBE("f2fs_file_read_iter", READ), SPLICE("f2fs_file_splice_read")) },
		SHARED_READ,
	),
	MODULE_HOOK("f2fs", "f2fs.read_exit", ENDS,
		{ PROBES(KRETPROBE("f2fs_file_read_iter", READ_RET),
			 SPLICE_RET("f2fs_file_splice_read")) },
		SHARED_READ_RET("f2fs.read_enter"),
	),
	/* 4.2 */
	MODULE_HOOK("f2fs", "f2fs.open_enter", BEGINS,
		ONE(KPROBE("f2fs_file_open", OPEN)), SHARED_OPEN,
	),
	MODULE_HOOK("f2fs", "f2fs.open_exit", ENDS,
		ONE(KRETPROBE("f2fs_file_open", OPEN_RET)), SHARED_OPEN_RET("f2fs.open_enter"),
	),
	MODULE_HOOK("f2fs", "f2fs.getattr_enter", BEGINS,
		ONE(KPROBE("f2fs_getattr", OP("4") ITS_OWN)),
	),
	MODULE_HOOK("f2fs", "f2fs.getattr_exit", ENDS,
		ONE(KRETPROBE("f2fs_getattr", OP("4") ITS_OWN " " RET)),
	),

	/*
	 * NFS version 4 has functions of its own, in a module that the first mount of version 4
	 * loads.
	 */
	MODULE_HOOK("nfs", "nfs.enter", BEGINS,
		{ PROBES(KPROBE("nfs_file_read", READ), SPLICE("nfs_file_splice_read"),
			 KPROBE("nfs_file_write", WRITE),
			 KPROBE("nfs_file_open", OPEN), KPROBE("nfs4_file_open", OPEN, OPTIONAL),
			 KPROBE("nfs_atomic_open", ATOMIC_OPEN, OPTIONAL),		/* 3.6 */
			 KPROBE("nfs_file_fsync", FSYNC),
			 KPROBE("nfs4_file_fsync", FSYNC, OPTIONAL)) },
	),
	MODULE_HOOK("nfs", "nfs.exit", ENDS,
		{ PROBES(KRETPROBE("nfs_file_read", READ_RET), SPLICE_RET("nfs_file_splice_read"),
			 KRETPROBE("nfs_file_write", WRITE_RET),
			 KRETPROBE("nfs_file_open", OPEN_RET),
			 KRETPROBE("nfs4_file_open", OPEN_RET, OPTIONAL),
			 KRETPROBE("nfs_atomic_open", ATOMIC_OPEN " " RET, OPTIONAL),
			 KRETPROBE("nfs_file_fsync", FSYNC_RET),
			 KRETPROBE("nfs4_file_fsync", FSYNC_RET, OPTIONAL)) },
	),
	/* The file is a dentry, since 4.11 a path, since 5.12 a path in the second place. */
	MODULE_HOOK("nfs", "nfs.getattr_enter", BEGINS,
		ONE(KPROBE("nfs_getattr", GETATTR("$arg2")), .until = "statx"),
		ONE(KPROBE("nfs_getattr", GETATTR("+{path.dentry}($arg1)")),
		    .until = "mount_setattr"),
		ONE(KPROBE("nfs_getattr", GETATTR("+{path.dentry}($arg2)"))),
	),
	MODULE_HOOK("nfs", "nfs.getattr_exit", ENDS,
		ONE(KRETPROBE("nfs_getattr", GETATTR("$arg2") " " RET), .until = "statx"),
		ONE(KRETPROBE("nfs_getattr", GETATTR("+{path.dentry}($arg1)") " " RET),
		    .until = "mount_setattr"),
		ONE(KRETPROBE("nfs_getattr", GETATTR("+{path.dentry}($arg2)") " " RET)),
	),

	MODULE_HOOK("zfs", "zfs.enter", BEGINS,
		{ PROBES(KPROBE("zpl_iter_read", READ), KPROBE("zpl_iter_write", WRITE),
			 KPROBE("zpl_open", OPEN), KPROBE("zpl_fsync", FSYNC)) },
		{ PROBES(KPROBE("zpl_read", ZPL(OP("0") " flags=0")),
			 KPROBE("zpl_aio_read", READ, OPTIONAL),
			 KPROBE("zpl_write", ZPL(OP("1") " flags?=+{file.f_flags}($arg1):u32")),
			 KPROBE("zpl_aio_write", WRITE, OPTIONAL), KPROBE("zpl_open", OPEN),
			 KPROBE("zpl_fsync", FSYNC)) },
	),
	MODULE_HOOK("zfs", "zfs.exit", ENDS,
		{ PROBES(KRETPROBE("zpl_iter_read", READ_RET),
			 KRETPROBE("zpl_iter_write", WRITE_RET),
			 KRETPROBE("zpl_open", OPEN_RET), KRETPROBE("zpl_fsync", FSYNC_RET)) },
		{ PROBES(KRETPROBE("zpl_read", ZPL(OP("0") " flags=0") " " RET),
			 KRETPROBE("zpl_aio_read", READ_RET, OPTIONAL),
			 KRETPROBE("zpl_write",
				   ZPL(OP("1") " flags?=+{file.f_flags}($arg1):u32") " " RET),
			 KRETPROBE("zpl_aio_write", WRITE_RET, OPTIONAL),
			 KRETPROBE("zpl_open", OPEN_RET), KRETPROBE("zpl_fsync", FSYNC_RET)) },
	),

	HOT_HOOK("each read and write", "vfs.enter", "a read or write of a file begins",
		{ PROBES(KPROBE("vfs_read", VFS("0"), TRY(READ)),
			 KPROBE("vfs_write", VFS("1"), TRY(WRITE))) },
	),
	HOT_HOOK("each read and write", "vfs.exit", "a read or write of a file ends",
		{ PROBES(KRETPROBE("vfs_read", VFS("0") " " RET, TRY(READ)),
			 KRETPROBE("vfs_write", VFS("1") " " RET, TRY(WRITE))) },
	),
	/*
	 * vfs_readv() and vfs_writev() call do_iter_read() and do_iter_write(). Some compilers
	 * leave nothing of the first two to probe.
	 */
	HOOK("vfs.vector_enter", "a readv, writev or the like begins",
		BY_VECTOR(KPROBE, VFS_VECTOR),
		{ PROBES(KPROBE("vfs_readv", VFS("0")), KPROBE("vfs_writev", VFS("1"))) },
		{ PROBES(KPROBE("do_iter_read", VFS("0")), KPROBE("do_iter_write", VFS("1"))) },
	),
	HOOK("vfs.vector_exit", "a readv, writev or the like ends",
		BY_VECTOR(KRETPROBE, "call=5 " RET),
		{ .with = "vfs.vector_enter",
		  PROBES(KRETPROBE("vfs_readv", VFS("0") " " RET),
			 KRETPROBE("vfs_writev", VFS("1") " " RET)) },
		{ .with = "vfs.vector_enter",
		  PROBES(KRETPROBE("do_iter_read", VFS("0") " " RET),
			 KRETPROBE("do_iter_write", VFS("1") " " RET)) },
	),

	HOT_HOOK("each read and write", "moved.enter", "a read or write of a file begins",
		{ PROBES(KPROBE("vfs_read", MOVED("0", "0", "0", "$arg1"), TRY(READ)),
			 KPROBE("vfs_write", MOVED("1", "0", "1", "$arg1"), TRY(WRITE))) },
	),
	HOT_HOOK("each read and write", "moved.exit", "a read or write of a file ends",
		{ PROBES(KRETPROBE("vfs_read", MOVED_RET("0"), TRY(READ)),
			 KRETPROBE("vfs_write", MOVED_RET("1"), TRY(WRITE))) },
	),
	HOT_HOOK("each read and write", "moved.returns", "a read or write of a file ends",
		{ PROBES(KRETPROBE("vfs_read", HAS_MOVED("0"), TRY(READ)),
			 KRETPROBE("vfs_write", HAS_MOVED("1"), TRY(WRITE))) },
	),
	HOOK("moved.vector_returns", "a readv, writev or the like ends",
		{ PROBES(KRETPROBE("vfs_readv", HAS_MOVED("0")),
			 KRETPROBE("vfs_writev", HAS_MOVED("1"))) },
	),
	HOOK("moved.vector_enter", "a readv, writev or the like begins",
		BY_VECTOR(KPROBE, MOVED_VECTOR),
		{ PROBES(KPROBE("vfs_readv", MOVED("0", "0", "0", "$arg1")),
			 KPROBE("vfs_writev", MOVED("1", "0", "1", "$arg1"))) },
		{ PROBES(KPROBE("do_iter_read", MOVED("0", "0", "0", "$arg1")),
			 KPROBE("do_iter_write", MOVED("1", "0", "1", "$arg1"))) },
	),
	HOOK("moved.vector_exit", "a readv, writev or the like ends",
		BY_VECTOR(KRETPROBE, MOVED_RET("6")),
		{ .with = "moved.vector_enter", PROBES(
			KRETPROBE("vfs_readv", MOVED_RET("0")),
			KRETPROBE("vfs_writev", MOVED_RET("1"))) },
		{ .with = "moved.vector_enter", PROBES(
			KRETPROBE("do_iter_read", MOVED_RET("0")),
			KRETPROBE("do_iter_write", MOVED_RET("1"))) },
	),
	/*
	 * sendfile(2) calls do_splice_direct() for files, and splice(2) do_splice().
	 * vfs_copy_file_range() came with 4.5. Where the compiler left nothing of do_splice(),
	 * splice(2) is seen in what it calls for a file; sendfile(2) calls that too. From 5.12 on
	 * sendfile(2) into a pipe calls splice_file_to_pipe() instead, a part of do_splice().
	 */
	HOOK("moved.from_enter", "data begin to move from a file to another",
		{ PROBES(SPLICED("do_splice_direct", "0", "1", "2", "$arg1"),
			 KPROBE("do_splice", MOVED("0", "1", "2", "$arg1")),
			 SPLICED("splice_file_to_pipe", "0", "0", "2", "$arg1"),
			 SPLICED("vfs_copy_file_range", "0", "2", "4", "$arg1")) },
		{ PROBES(SPLICED("do_splice_direct", "0", "1", "2", "$arg1"),
			 KPROBE("do_splice_to", MOVED("0", "0", "0", "$arg1")),
			 SPLICED("vfs_copy_file_range", "0", "2", "4", "$arg1")) },
	),
	HOOK("moved.from_exit", "data have moved from a file to another",
		{ .with = "moved.from_enter", PROBES(
			SPLICED_RET("do_splice_direct", "2"),
			KRETPROBE("do_splice", MOVED_RET("2")),
			SPLICED_RET("splice_file_to_pipe", "2"),
			SPLICED_RET("vfs_copy_file_range", "4")) },
		{ .with = "moved.from_enter", PROBES(
			SPLICED_RET("do_splice_direct", "2"),
			KRETPROBE("do_splice_to", MOVED_RET("0")),
			SPLICED_RET("vfs_copy_file_range", "4")) },
	),
	HOOK("moved.to_enter", "data begin to move to a file from another",
		{ PROBES(SPLICED("do_splice_direct", "1", "1", "3", "$arg3"),
			 KPROBE("do_splice", MOVED("1", "1", "3", "$arg3")),
			 SPLICED("vfs_copy_file_range", "1", "2", "5", "$arg3")) },
		{ PROBES(SPLICED("do_splice_direct", "1", "1", "3", "$arg3"),	/* 3.16 */
			 KPROBE("iter_file_splice_write", MOVED("1", "0", "1", "$arg2")),
			 SPLICED("vfs_copy_file_range", "1", "2", "5", "$arg3")) },
		{ PROBES(SPLICED("do_splice_direct", "1", "1", "3", "$arg3"),
			 KPROBE("do_splice_from", MOVED("1", "0", "1", "$arg2"))) },
	),
	HOOK("moved.to_exit", "data have moved to a file from another",
		{ .with = "moved.to_enter", PROBES(
			SPLICED_RET("do_splice_direct", "3"),
			KRETPROBE("do_splice", MOVED_RET("3")),
			SPLICED_RET("vfs_copy_file_range", "5")) },
		{ .with = "moved.to_enter", PROBES(
			SPLICED_RET("do_splice_direct", "3"),
			KRETPROBE("iter_file_splice_write", MOVED_RET("1")),
			SPLICED_RET("vfs_copy_file_range", "5")) },
		{ .with = "moved.to_enter", PROBES(
			SPLICED_RET("do_splice_direct", "3"),
			KRETPROBE("do_splice_from", MOVED_RET("1"))) },
	),
	{ }
};
