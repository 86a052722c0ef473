/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OFFSETS_H
#define SONDE_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * Offsets of members of structs on this kernel. Its type information tells them
 * (compat/types/btf.h). Without it they are found at run time: sonde makes an object with a known
 * value, and searches the object's memory for that value (compat/types/member.h). Both are done
 * when first needed. Type information takes 2 MB, and is kept until offsets_done().
 */
enum offset_origin { OFFSET_UNKNOWN, OFFSET_BTF, OFFSET_FOUND };

struct offset {
	struct offset *next;
	enum offset_origin origin;
	int32_t value;
	bool asked;		/* an event needs it; false: it was found together with another */
	bool needs_btf;		/* unknown: only type information could tell, and there is none */
	char pointed[32];	/* the struct that it points to, by type information; or empty */
	char reason[320];	/* why it is unknown */
	char path[];		/* "file.f_path.dentry" */
};

/* The offset of a member, owned by the kernel. Returns NULL if there is no memory. */
const struct offset *kernel_member(struct kernel *k, const char *path);
/* The value of the offset. Returns -1 and sets err if it is unknown. */
int kernel_offset(struct kernel *k, const char *path, int32_t *value, struct error *err);
/* Frees type information, unless it stays: no more offsets are needed. */
void offsets_done(struct kernel *k);
/* What is shown later has types: type information stays as long as the kernel. */
void kernel_btf_stays(struct kernel *k);
/* Type information, valid until offsets_done(). Returns NULL and sets err if there is none. */
struct btf *kernel_btf(struct kernel *k, struct error *err);
/*
 * A line for each member that kernel_offset() did not know, with the reason, for people. The caller
 * frees. Returns NULL if there are none.
 */
char *offsets_unknown(struct kernel *k);
const char *offset_origin_name(enum offset_origin o);
/*
 * Lines "PATH ORIGIN OFFSET[ *STRUCT]" or "PATH unknown REASON" for all members of members[], for a
 * snapshot. The caller frees.
 */
char *offsets_text(struct kernel *k, size_t *length);
/* Adds the same lines behind "offset " for all members that were asked for and are known. */
struct strbuf;
void offsets_learned(struct kernel *k, struct strbuf *to);

/* The objects that sonde makes, and their structs. */
enum object { OBJECT_NONE, OBJECT_FILE, OBJECT_LINK, OBJECT_SOCKET, OBJECT_TASK, OBJECT_CALL,
	      OBJECT_NSPROXY, OBJECT_PID, OBJECT_CACHE };
enum dump { DUMP_FILE, DUMP_DENTRY, DUMP_INODE, DUMP_SUPER, DUMP_KIOCB, DUMP_SOCK,
	    DUMP_TASK, DUMP_NSPROXY, DUMP_MNTNS, DUMP_PID, DUMP_PIDNS, DUMP_CACHE, DUMPS };

/* Known values in these structs. */
enum known {
	KNOWN_POSITION, KNOWN_FLAGS, KNOWN_MODE, KNOWN_FILE, KNOWN_DENTRY, KNOWN_INODE,
	KNOWN_NAME, KNOWN_NAME_LENGTH, KNOWN_SUPER, KNOWN_MAGIC, KNOWN_TYPE, KNOWN_NAMES,
	KNOWN_LOCAL, KNOWN_REMOTE, KNOWN_ACKED, KNOWN_RECEIVED,
	KNOWN_TGID, KNOWN_PARENT, KNOWN_TASK_FLAGS,
	KNOWN_STATUS,
	KNOWN_NSPROXY, KNOWN_MNTNS, KNOWN_MNTNS_NUMBER, KNOWN_PID, KNOWN_LEVEL, KNOWN_PIDNS_NUMBER,
	KNOWN_CACHE_NAME,
	KNOWNS
};

/*
 * How a member is found: its known value of `size` bytes (0: a pointer) is in the first `window`
 * bytes of a struct, at `from` or behind. `pair`: the value is there twice, side by side, and the
 * member is the first (1) or the second (2). `first`: of several places the first is right, because
 * no member before it can have the value; behind a short struct there may be memory of an older
 * object with the same addresses. `mask`: only these bits of a 4-byte number are known; `rest`: the
 * other bits are the same in both objects. `compat`: only machines have the member whose
 * compat_member it is (compat/arch/arch.h), and its known bits are those that the machine names.
 */
struct member {
	const char *path;
	enum object object;
	enum dump dump;
	enum known known;
	uint8_t size;
	uint16_t window;
	uint8_t pair;
	bool first, rest, compat;
	uint16_t from;
	uint32_t mask;
};

extern const struct member members[];	/* ends with an empty path */
/* Returns true if the kernel's machine has the member. */
bool member_of(struct kernel *k, const struct member *m);

/* The result for one row of members[]. */
struct finding {
	int32_t offset;		/* -1: not found */
	char reason[200];
};

/* Finds all members in an object. Set once for a running kernel; without it none are found. */
typedef void (*finder_fn)(struct kernel *k, enum object object, struct finding *found);
void kernel_set_finder(struct kernel *k, finder_fn finder);

#endif
