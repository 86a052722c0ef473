/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OFFSETS_H
#define SONDE_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * Where members of the kernel's structs are on this kernel: by its type information (compat/types/btf.h)
 * or, where it has none, found at run time: sonde makes an object of its own, knows what must stand
 * in it, and looks where it does (compat/types/member.h). Nothing is read or found before somebody asks.
 * Type information, with the 2 MB it takes, is kept for more questions until offsets_done().
 */
enum offset_origin { OFFSET_UNKNOWN, OFFSET_BTF, OFFSET_FOUND };

struct offset {
	struct offset *next;
	enum offset_origin origin;
	int32_t value;
	bool asked;		/* for an event; not just learned beside another one */
	bool needs_btf;		/* of those that nothing but BTF tells, where there is none */
	char reason[320];	/* why it is not known */
	char path[];		/* "file.f_path.dentry" */
};

/* NULL only without memory; owned by the kernel. */
const struct offset *kernel_member(struct kernel *k, const char *path);
/* 0 and the offset; -1 and why it is not known. */
int kernel_offset(struct kernel *k, const char *path, int32_t *value, struct error *err);
void offsets_done(struct kernel *k);
/* As on a kernel that does not tell where it is; before it is asked for. */
int kernel_hide_member(struct kernel *k, const char *path, struct error *err);
/*
 * Lines that say why, for people, of all that kernel_offset() could not tell; the caller frees.
 * NULL: none.
 */
char *offsets_unknown(struct kernel *k);
const char *offset_origin_name(enum offset_origin o);
/*
 * Lines "PATH ORIGIN OFFSET" or "PATH unknown REASON" for all members that can be found: what a
 * snapshot keeps.
 */
char *offsets_text(struct kernel *k, size_t *length);

/* The objects sonde makes, and the structs it sees when it does. */
enum object { OBJECT_NONE, OBJECT_FILE, OBJECT_SOCKET, OBJECT_TASK, OBJECT_CALL };
enum dump { DUMP_FILE, DUMP_DENTRY, DUMP_INODE, DUMP_SUPER, DUMP_KIOCB, DUMP_SOCK,
	    DUMP_TASK, DUMPS };

/* What is known of them. */
enum known {
	KNOWN_POSITION, KNOWN_FLAGS, KNOWN_MODE, KNOWN_FILE, KNOWN_DENTRY, KNOWN_INODE, KNOWN_NAME,
		KNOWN_NAME_LENGTH,
	KNOWN_SUPER, KNOWN_MAGIC,
	KNOWN_LOCAL, KNOWN_REMOTE, KNOWN_ACKED, KNOWN_RECEIVED,
	KNOWN_TGID, KNOWN_PARENT,
	KNOWN_STATUS,
	KNOWNS
};

/*
 * How a member is found: the known value of `size` bytes (0: a pointer) that stands in the first
 * `window` bytes of a struct, at `from` or behind. `pair`: it stands there twice, side by side; 1:
 * the first of both, 2: the second. `first`: no member before it can have the value, and of several
 * places the first is it: behind a short struct there may be what was one of an object before,
 * whose addresses are in use again. `mask`: of a number of 4 bytes only these bits are known;
 * `rest`: and all others are the same in both objects.
 */
struct member {
	const char *path;
	enum object object;
	enum dump dump;
	enum known known;
	uint8_t size;
	uint16_t window;
	uint8_t pair;
	bool first, rest;
	uint16_t from;
	uint32_t mask;
	const char *machine;	/* only there; NULL: on all */
};

extern const struct member members[];	/* ends with an empty path */
bool member_of(struct kernel *k, const struct member *m);	/* is it one of this machine? */

/* What was found of members[] of one object, by their numbers. */
struct finding {
	int32_t offset;		/* -1: not found */
	char reason[200];
};

/* Who can find: set once for a running kernel; without one nothing is found. */
typedef void (*finder_fn)(struct kernel *k, enum object object, struct finding *found);
void kernel_set_finder(struct kernel *k, finder_fn finder);

#endif
