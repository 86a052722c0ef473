/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OFFSETS_H
#define SONDE_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * Where members of structs are on this kernel. Its type information tells (compat/types/btf.h).
 * Where it has none, members are found at run time: sonde makes an object of its own, knows a value
 * in it, and looks where that is (compat/types/member.h). Nothing is read or found before it is
 * asked for. Type information, with the 2 MB it takes, is kept until offsets_done().
 */
enum offset_origin { OFFSET_UNKNOWN, OFFSET_BTF, OFFSET_FOUND };

struct offset {
	struct offset *next;
	enum offset_origin origin;
	int32_t value;
	bool asked;		/* for an event; not only found together with another one */
	bool needs_btf;		/* only BTF would tell it, and there is none */
	char reason[320];	/* why it is not known */
	char path[];		/* "file.f_path.dentry" */
};

/* NULL: out of memory. Owned by the kernel. */
const struct offset *kernel_member(struct kernel *k, const char *path);
/* 0 and the offset; -1 and why it is not known. */
int kernel_offset(struct kernel *k, const char *path, int32_t *value, struct error *err);
void offsets_done(struct kernel *k);
/* The type information itself, until then; NULL and why there is none. */
struct btf *kernel_btf(struct kernel *k, struct error *err);
/*
 * For people: a line for each member that kernel_offset() did not know, with the reason; the caller
 * frees. NULL: none.
 */
char *offsets_unknown(struct kernel *k);
const char *offset_origin_name(enum offset_origin o);
/*
 * Lines "PATH ORIGIN OFFSET" or "PATH unknown REASON" for all members that can be found: what a
 * snapshot keeps.
 */
char *offsets_text(struct kernel *k, size_t *length);

/* The objects sonde makes, and the structs it sees when it does. */
enum object { OBJECT_NONE, OBJECT_FILE, OBJECT_LINK, OBJECT_SOCKET, OBJECT_TASK, OBJECT_CALL };
enum dump { DUMP_FILE, DUMP_DENTRY, DUMP_INODE, DUMP_SUPER, DUMP_KIOCB, DUMP_SOCK,
	    DUMP_TASK, DUMPS };

/* The values that are known of them. */
enum known {
	KNOWN_POSITION, KNOWN_FLAGS, KNOWN_MODE, KNOWN_FILE, KNOWN_DENTRY, KNOWN_INODE,
	KNOWN_NAME, KNOWN_NAME_LENGTH, KNOWN_SUPER, KNOWN_MAGIC, KNOWN_TYPE, KNOWN_NAMES,
	KNOWN_LOCAL, KNOWN_REMOTE, KNOWN_ACKED, KNOWN_RECEIVED,
	KNOWN_TGID, KNOWN_PARENT, KNOWN_TASK_FLAGS,
	KNOWN_STATUS,
	KNOWNS
};

/*
 * How a member is found: a known value of `size` bytes (0: a pointer) is in the first `window`
 * bytes of a struct, at `from` or behind. `pair`: it is there twice, side by side, and the member
 * is the first (1) or the second (2) of both. `first`: no member before it can have the value, so
 * of several places the first is right; behind a short struct there may be memory of an older
 * object that had the same addresses. `mask`: only these bits of a number of 4 bytes are known;
 * `rest`: all other bits are the same in both objects.
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
bool member_of(struct kernel *k, const struct member *m);	/* has this machine the member? */

/* What was found of one object, for each row of members[]. */
struct finding {
	int32_t offset;		/* -1: not found */
	char reason[200];
};

/* What finds members: set once for a running kernel; without it none is found. */
typedef void (*finder_fn)(struct kernel *k, enum object object, struct finding *found);
void kernel_set_finder(struct kernel *k, finder_fn finder);

#endif
