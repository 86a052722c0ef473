/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILETOP_H
#define SONDE_FILETOP_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* By their numbers in the hooks (compat/hooks/hooks_fs.c). */
enum { FILE_READ, FILE_WRITE };

/*
 * Key of "files"; its value. A file is its inode and the name that it was opened by: pointers of
 * the kernel.
 */
struct filetop_key {
	uint32_t epoch;
	uint32_t mode;			/* type and permissions */
	u64 pid_tgid;			/* --by-cgroup: `whose` */
	u64 inode, dentry;
	char comm[16];
};

struct filetop_sums {
	u64 reads, writes;		/* calls that did not fail */
	u64 read_bytes, written_bytes;	/* what they moved */
};

RECORD_LAYOUT(filetop_key,
	FIELD_AS(filetop_key, pid_tgid, "pid", TGID),
	FIELD_AS(filetop_key, pid_tgid, "tid", TID),
	FIELD_OF(filetop_key, inode, NUMBER),
	FIELD_OF(filetop_key, dentry, NUMBER),
	FIELD_OF(filetop_key, mode, NUMBER),
	FIELD_OF(filetop_key, comm, COMM));
RECORD_LAYOUT(filetop_sums,
	FIELD_OF(filetop_sums, reads, NUMBER),
	FIELD_OF(filetop_sums, writes, NUMBER),
	FIELD_OF(filetop_sums, read_bytes, NUMBER, .unit = "bytes"),
	FIELD_OF(filetop_sums, written_bytes, NUMBER, .unit = "bytes"));

/*
 * With the first count of a key in an interval come the names of its file: its own, and with BPF
 * those of the directories above it, the nearest first.
 */
#define FILETOP_DIRECTORIES 15

struct filetop_name {
	u64 time;
	u64 pid_tgid;			/* of the key */
	u64 inode, dentry;
	u64 level;			/* 0: the file's own name; then directories */
	struct path_name name;
	u64 number;			/* the inode's; 0: unknown */
	uint32_t dev;			/* of the file system; 0: unknown */
	uint32_t unused;
};

RECORD_LAYOUT(filetop_name,
	FIELD_OF(filetop_name, time, TIME),
	FIELD_AS(filetop_name, pid_tgid, "pid", TGID),
	FIELD_AS(filetop_name, pid_tgid, "tid", TID),
	FIELD_OF(filetop_name, inode, NUMBER),
	FIELD_OF(filetop_name, dentry, NUMBER),
	FIELD_OF(filetop_name, level, NUMBER),
	FIELD_OF(filetop_name, name, PATH),
	FIELD_OF(filetop_name, number, NUMBER),
	FIELD_OF(filetop_name, dev, NUMBER));

extern const struct program_set filetop_programs;

#endif
