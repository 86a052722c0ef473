// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

/* Lines of one hook: "ENTER: kprobe F\n", and of its other half. */
#define K(HOOK, FUNCTION)	HOOK ": kprobe " FUNCTION "\n"
#define R(HOOK, FUNCTION)	HOOK ": kretprobe " FUNCTION "\n"

#define EXT4(WRITE) \
	K("ext4.enter", WRITE) K("ext4.enter", "ext4_file_open") K("ext4.enter", "ext4_sync_file") \
	R("ext4.exit", WRITE) R("ext4.exit", "ext4_file_open") R("ext4.exit", "ext4_sync_file")
#define EXT4_READ(FUNCTION)	K("ext4.read_enter", FUNCTION) R("ext4.read_exit", FUNCTION)
#define EXT4_SPLICED \
	K("ext4.read_enter", "ext4_file_read_iter") K("ext4.read_enter", "ext4_file_splice_read") \
	R("ext4.read_exit", "ext4_file_read_iter") R("ext4.read_exit", "ext4_file_splice_read")
#define EXT4_GETATTR		K("ext4.getattr_enter", "ext4_getattr") \
R("ext4.getattr_exit", "ext4_getattr")
#define NO_READS(FS)		FS ".read_enter\n" FS ".read_exit\n"

/*
 * Before 4.10: which file system a shared function reads from nobody knows without type
 * information.
 */
#define EXT4_3_10	EXT4("ext4_file_write")
#define EXT4_4_1	EXT4("ext4_file_write_iter")
#define EXT4_4_12	EXT4_4_1 EXT4_READ("ext4_file_read_iter")
#define EXT4_6_12	EXT4_4_1 EXT4_SPLICED

#define XFS(KIND, READ, SPLICE, WRITE) \
	KIND(READ) SPLICE KIND(WRITE) KIND("xfs_file_open") KIND("xfs_file_fsync")
#define XFS_ENTER(FUNCTION)	K("xfs.enter", FUNCTION)
#define XFS_EXIT(FUNCTION)	R("xfs.exit", FUNCTION)
#define XFS_BOTH(READ, WRITE) \
	XFS(XFS_ENTER, READ, , WRITE) XFS(XFS_EXIT, READ, , WRITE)
#define XFS_SPLICED(READ, WRITE) \
	XFS(XFS_ENTER, READ, XFS_ENTER("xfs_file_splice_read"), WRITE) \
	XFS(XFS_EXIT, READ, XFS_EXIT("xfs_file_splice_read"), WRITE)
#define XFS_3_10	XFS_SPLICED("xfs_file_aio_read", "xfs_file_aio_write")
#define XFS_4_1		XFS_SPLICED("xfs_file_read_iter", "xfs_file_write_iter")
#define XFS_4_9		XFS_BOTH("xfs_file_read_iter", "xfs_file_write_iter")

#define BTRFS(WRITE) \
	K("btrfs.enter", WRITE) K("btrfs.enter", "btrfs_sync_file") \
	R("btrfs.exit", WRITE) R("btrfs.exit", "btrfs_sync_file")
#define BTRFS_OPEN	K("btrfs.open_enter", "btrfs_file_open") \
R("btrfs.open_exit", "btrfs_file_open")
#define NO_OPENS	"btrfs.open_enter\n" "btrfs.open_exit\n"

#define NFS(KIND, SPLICE, FSYNC4) \
	KIND("nfs_file_read") SPLICE KIND("nfs_file_write") KIND("nfs_file_open") \
	KIND("nfs4_file_open") KIND("nfs_atomic_open") \
	KIND("nfs_file_fsync") FSYNC4
#define NFS_ENTER(FUNCTION)	K("nfs.enter", FUNCTION)
#define NFS_EXIT(FUNCTION)	R("nfs.exit", FUNCTION)
#define NFS_GETATTR	K("nfs.getattr_enter", "nfs_getattr") R("nfs.getattr_exit", "nfs_getattr")
#define NFS_3_10 \
	NFS(NFS_ENTER, NFS_ENTER("nfs_file_splice_read"), NFS_ENTER("nfs4_file_fsync")) \
	NFS(NFS_EXIT, NFS_EXIT("nfs_file_splice_read"), NFS_EXIT("nfs4_file_fsync")) NFS_GETATTR
#define NFS_4_9		NFS(NFS_ENTER, , ) NFS(NFS_EXIT, , ) NFS_GETATTR

#define VFS \
	VFS_PLAIN VFS_VECTOR("vfs_readv", "vfs_writev")
#define VFS_PLAIN \
	K("vfs.enter", "vfs_read") K("vfs.enter", "vfs_write") R("vfs.exit", "vfs_read") \
	R("vfs.exit", "vfs_write")
#define VFS_VECTOR(READ, WRITE) \
	K("vfs.vector_enter", READ) K("vfs.vector_enter", WRITE) R("vfs.vector_exit", READ) \
	R("vfs.vector_exit", WRITE)

#define VFS_4_9		VFS_PLAIN VFS_VECTOR("do_readv_writev", "compat_do_readv_writev")
#define VFS_4_12 \
	VFS_PLAIN K("vfs.vector_enter", "__do_readv_writev") \
	R("vfs.vector_exit", "__do_readv_writev")

#define MOVED_LINES \
	K("moved.enter", "vfs_read") K("moved.enter", "vfs_write") R("moved.exit", "vfs_read") \
	R("moved.exit", "vfs_write") K("moved.vector_enter", "vfs_readv") \
	K("moved.vector_enter", "vfs_writev") R("moved.vector_exit", "vfs_readv") \
	R("moved.vector_exit", "vfs_writev") \
	SPLICED("from", K("moved.from_enter", "splice_file_to_pipe"), \
		R("moved.from_exit", "splice_file_to_pipe")) \
	SPLICED("to", , )
#define NO_NUMBERS(HOOK)	HOOK ".number\n" HOOK ".dev\n"	/* in no snapshot */
#define SPLICED(END, BEGINS, ENDS) \
	K("moved." END "_enter", "do_splice_direct") K("moved." END "_enter", "do_splice") BEGINS \
	K("moved." END "_enter", "vfs_copy_file_range") \
	R("moved." END "_exit", "do_splice_direct") R("moved." END "_exit", "do_splice") ENDS \
	R("moved." END "_exit", "vfs_copy_file_range")

/* What the slower family shows needs offsets, which of these kernels only 6.1 tells. */
#define NO_EXT4_NAMES		"ext4.enter.name\n"
#define NO_EXT4_READ_NAMES	NO_EXT4_NAMES "ext4.read_enter.name\n" "ext4.read_enter.pos\n"

#define NOT_LOADED(FS)		"to probe; if " FS " is a module, load it first: modprobe " FS
#define NO_INODE		"vfs_read has no mode: offset of file.f_inode is not known"

/* The first kernels with BPF, which the engine refuses. */
#define NO_BPF(TOOL) \
	{ "3.10", TOOL, BPF, .refused = NO_KPROBE_PROGRAMS }, \
	{ "4.1", TOOL, BPF, .refused = NO_IDENTITY }, \
	{ "4.4", TOOL, BPF, .refused = UNSAFE_HASH }
#define NEVER(TOOL, FS) \
	{ "3.10", TOOL, BPF, .refused = NO_KPROBE_PROGRAMS }, \
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, TOOL, BPF, .refused = NOT_LOADED(FS) }, \
	{ OLD NEWER, TOOL, RING, .refused = NOT_LOADED(FS) }

/* The snapshot of 4.1 tells that the kernel has it. */
#define NEVER_F2FS(TOOL) \
	{ "3.10", TOOL, BPF, .refused = NO_KPROBE_PROGRAMS }, \
	{ "4.1", TOOL, BPF | RING, \
	  .refused = "f2fs of this kernel has no f2fs_file_write_iter() to probe" }, \
	{ "4.4 4.9 4.12 4.19 " NEWER, TOOL, BPF, .refused = NOT_LOADED("f2fs") }, \
	{ "3.10 4.4 4.9 4.12 4.19 " NEWER, TOOL, RING, .refused = NOT_LOADED("f2fs") }

#define EXT4_SLOWER(TOOL) \
	NO_BPF(TOOL), \
	{ "3.10", TOOL, RING, EXT4_3_10, NO_EXT4_NAMES NO_READS("ext4") }, \
	{ "4.1 4.4", TOOL, RING, EXT4_4_1, NO_EXT4_NAMES NO_READS("ext4") }, \
	{ "4.9", TOOL, BPF | RING, EXT4_4_1, NO_EXT4_NAMES NO_READS("ext4") }, \
	{ "4.12 4.19 5.10", TOOL, BPF | RING, EXT4_4_12, NO_EXT4_READ_NAMES }, \
	{ "6.1", TOOL, BPF | RING, EXT4_4_12 }, \
	{ "6.12 7.2", TOOL, BPF | RING, EXT4_6_12, NO_EXT4_NAMES "ext4.read_enter.name\n" }
#define EXT4_DIST(TOOL) \
	NO_BPF(TOOL), \
	{ "3.10", TOOL, RING, EXT4_3_10 EXT4_GETATTR, NO_READS("ext4") }, \
	{ "4.1 4.4", TOOL, RING, EXT4_4_1 EXT4_GETATTR, NO_READS("ext4") }, \
	{ "4.9", TOOL, BPF | RING, EXT4_4_1 EXT4_GETATTR, NO_READS("ext4") }, \
	{ "4.12 4.19 5.10 6.1", TOOL, BPF | RING, EXT4_4_12 EXT4_GETATTR }, \
	{ "6.12 7.2", TOOL, BPF | RING, EXT4_6_12 EXT4_GETATTR }
#define XFS_ROWS(TOOL, MISSING) \
	NO_BPF(TOOL), \
	{ "3.10", TOOL, RING, XFS_3_10, MISSING }, \
	{ "4.1 4.4", TOOL, RING, XFS_4_1, MISSING }, \
	{ "4.9 4.12 4.19", TOOL, BPF | RING, XFS_4_9, MISSING }, \
	{ NEWER, TOOL, BPF | RING, .refused = NOT_LOADED("xfs") }
#define BTRFS_ROWS(TOOL, NAMES, OPEN_NAMES) \
	NO_BPF(TOOL), \
	{ "3.10", TOOL, RING, BTRFS("btrfs_file_aio_write"), NAMES NO_READS("btrfs") NO_OPENS }, \
	{ "4.1 4.4", TOOL, RING, BTRFS("btrfs_file_write_iter"), NAMES NO_READS("btrfs") \
	  NO_OPENS }, \
	{ "4.9 4.12", TOOL, BPF | RING, BTRFS("btrfs_file_write_iter"), NAMES NO_READS("btrfs") \
	  NO_OPENS }, \
	{ "4.19", TOOL, BPF | RING, BTRFS("btrfs_file_write_iter") BTRFS_OPEN, \
	  NAMES NO_READS("btrfs") OPEN_NAMES }, \
	{ NEWER, TOOL, BPF | RING, .refused = NOT_LOADED("btrfs") }
#define NFS_ROWS(TOOL, MISSING) \
	NO_BPF(TOOL), \
	{ "3.10 4.1 4.4", TOOL, RING, NFS_3_10, MISSING }, \
	{ "4.9 4.12 4.19", TOOL, BPF | RING, NFS_4_9, MISSING }, \
	{ NEWER, TOOL, BPF | RING, .refused = NOT_LOADED("nfs") }

static const struct resolve_row whole[] = {
	EXT4_SLOWER("ext4slower"),
	EXT4_SLOWER("fsslower"),
	EXT4_DIST("ext4dist"),
	EXT4_DIST("fsdist"),
	XFS_ROWS("xfsslower", "xfs.enter.name\n"),
	XFS_ROWS("xfsdist", NULL),
	BTRFS_ROWS("btrfsslower", "btrfs.enter.name\n", "btrfs.open_enter.name\n"),
	BTRFS_ROWS("btrfsdist", "", ""),
	NFS_ROWS("nfsslower", "nfs.enter.name\n" "nfs.getattr_enter.name\n"),
	NFS_ROWS("nfsdist", NULL),
	NEVER_F2FS("f2fsslower"),
	NEVER_F2FS("f2fsdist"),
	NEVER("zfsslower", "zfs"),
	NEVER("zfsdist", "zfs"),
	{ "3.10", "fileslower", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4 4.9 4.12 4.19 5.10 6.12 7.2", "fileslower", BPF, .refused = NO_INODE },
	{ OLD "5.10 6.12 7.2", "fileslower", RING, .refused = NO_INODE },
	{ "6.1", "fileslower", BPF | RING, VFS },
	{ "3.10", "filetop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4 4.9 4.12 4.19 5.10 6.12 7.2", "filetop", BPF, .refused = NO_INODE },
	{ OLD "5.10 6.12 7.2", "filetop", RING, .refused = NO_INODE },
	{ "6.1", "filetop", BPF | RING, MOVED_LINES, NO_NUMBERS("moved.enter")
	  NO_NUMBERS("moved.vector_enter") NO_NUMBERS("moved.from_enter")
	  NO_NUMBERS("moved.to_enter") },
	{ "3.10 4.1 4.4", "fileslower -a", RING, VFS_4_9, "vfs.enter.name\n"
	  "vfs.vector_enter.name\n" },
	{ "4.9", "fileslower -a", BPF | RING, VFS_4_9, "vfs.enter.name\n"
	  "vfs.vector_enter.name\n" },
	{ "4.12", "fileslower -a", BPF | RING, VFS_4_12, "vfs.enter.name\n"
	  "vfs.vector_enter.name\n" },
	{ "4.19 5.10 6.12 7.2", "fileslower -a", BPF | RING, VFS, "vfs.enter.name\n"
	  "vfs.vector_enter.name\n" },
	{ "6.1", "fsslower -t ext4", BPF | RING, EXT4_4_12 },
	{ "4.19", "fsdist -t xfs", BPF | RING, XFS_4_9 },
};

static const struct resolve_row lacking[] = {
	/* Reads by a function that others use too, where the file's superblock can be asked. */
	{ "6.1", "ext4slower", BPF | RING, EXT4_4_1 EXT4_READ("generic_file_read_iter"),
	  .without = "function:ext4_file_read_iter" },
	{ "6.1", "ext4slower", BPF | RING, EXT4_4_1, NO_READS("ext4"),
	  .without = "btf,function:ext4_file_read_iter" },
	{ "6.1", "ext4slower -F", BPF, EXT4_4_12 },
	{ "6.1", "ext4slower -F", RING,
	  .refused = "ext4.exit: only BPF programs can follow dentry.d_parent" },
	{ "5.10", "ext4slower -F", BPF | RING,
	  .refused = "ext4_file_write_iter has no dentry: offset of kiocb.ki_filp is not known" },
	{ "6.1", "ext4dist", BPF | RING, .without = "function:ext4_sync_file",
	  .refused = "no function ext4_sync_file " NOT_LOADED("ext4") },
	{ "6.1", "fileslower", BPF | RING, VFS_PLAIN VFS_VECTOR("do_iter_read", "do_iter_write"),
	  .without = "function:vfs_readv" },
	{ "6.1", "fileslower", BPF | RING, VFS_PLAIN, "vfs.vector_enter\n" "vfs.vector_exit\n",
	  .without = "function:vfs_readv,function:do_iter_read" },
	{ "6.1", "fsslower -t xfs", BPF | RING, .refused = NOT_LOADED("xfs") },
	{ "4.9", "ext4slower --backend bpf", BPF, EXT4_4_1, NO_EXT4_NAMES NO_READS("ext4") },
	{ "6.1", "ext4slower", BPF | RING, .without = "kprobes",
	  .refused = "no kprobes, for ext4_file_write_iter()" },
};

RESOLVE_ROWS(fs, whole, lacking);
