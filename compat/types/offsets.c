// SPDX-License-Identifier: GPL-2.0
#include "compat/types/offsets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/types/btf.h"
#include "compat/kernel/doubt.h"
#include "compat/kernel/keep.h"

#define UNKNOWN "offset of %s is not known: %s"

/*
 * Members that can be found without type information. Only type information tells the offset of
 * other members. On every kernel the member lies within the window. The window ends where memory
 * may follow that has the same values.
 */
const struct member members[] = {
	{ "file.f_pos", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 8, 512, .first = true },
	/* since 3.9 */
	{ "file.f_inode", OBJECT_FILE, DUMP_FILE, KNOWN_INODE, 0, 512, .first = true },
	{ "file.f_path.dentry", OBJECT_FILE, DUMP_FILE, KNOWN_DENTRY, 0, 512, .first = true },
	{ "file.f_flags", OBJECT_FILE, DUMP_FILE, KNOWN_FLAGS, 4, 512, .first = true },
	/*
	 * FMODE_READ, _WRITE, _LSEEK, _PREAD and _PWRITE have this order since 2.6.28. The next
	 * file in memory may have the same bits: on the smallest kernels a file takes 192 bytes.
	 */
	{ "file.f_mode", OBJECT_FILE, DUMP_FILE, KNOWN_MODE, 4, 192, .mask = 0x1f },
	{ "dentry.d_inode", OBJECT_FILE, DUMP_DENTRY, KNOWN_INODE, 0, 192, .first = true },
	{ "dentry.d_name.name", OBJECT_FILE, DUMP_DENTRY, KNOWN_NAME, 0, 192, .first = true },
	{ "dentry.d_name.len", OBJECT_FILE, DUMP_DENTRY, KNOWN_NAME_LENGTH, 4, 192, .first = true },
	/*
	 * A file of memfd_create(2) is the root of its own tree. Without memfd_create(2) the file
	 * is not.
	 */
	{ "dentry.d_parent", OBJECT_FILE, DUMP_DENTRY, KNOWN_DENTRY, 0, 192, .first = true },
	{ "inode.i_sb", OBJECT_FILE, DUMP_INODE, KNOWN_SUPER, 0, 256, .first = true },
	{ "inode.i_mode", OBJECT_LINK, DUMP_INODE, KNOWN_TYPE, 2, 256, .first = true },
	{ "inode.i_nlink", OBJECT_LINK, DUMP_INODE, KNOWN_NAMES, 4, 256, .first = true },
	{ "super_block.s_magic", OBJECT_FILE, DUMP_SUPER, KNOWN_MAGIC, 0, 256 },
	/*
	 * The struct is on the stack, below saved registers. A register may hold the file as well,
	 * on i686 36 bytes further.
	 */
	{ "kiocb.ki_filp", OBJECT_FILE, DUMP_KIOCB, KNOWN_FILE, 0, 16, .first = true },
	{ "kiocb.ki_pos", OBJECT_FILE, DUMP_KIOCB, KNOWN_POSITION, 8, 64, .first = true },
	/* since 3.13 */
	{ "sock_common.skc_v6_daddr", OBJECT_SOCKET, DUMP_SOCK, KNOWN_REMOTE, 16, 256 },
	{ "sock_common.skc_v6_rcv_saddr", OBJECT_SOCKET, DUMP_SOCK, KNOWN_LOCAL, 16, 256 },
	/*
	 * Up to 3.12 the addresses are behind all of TCP's own members. Later kernels keep
	 * inet6.saddr, for the address that is bound locally, but not inet6.daddr.
	 */
	{ "tcp6_sock.inet6.saddr", OBJECT_SOCKET, DUMP_SOCK, KNOWN_LOCAL, 16, 3072, .from = 512,
	  .first = true },
	{ "tcp6_sock.inet6.daddr", OBJECT_SOCKET, DUMP_SOCK, KNOWN_REMOTE, 16, 3072, .from = 512,
	  .first = true },
	/* since 4.1 */
	{ "tcp_sock.bytes_acked", OBJECT_SOCKET, DUMP_SOCK, KNOWN_ACKED, 8, 3072 },
	{ "tcp_sock.bytes_received", OBJECT_SOCKET, DUMP_SOCK, KNOWN_RECEIVED, 8, 3072 },
	/* pid and tgid are neighbours in this order. They are equal in a process of one thread. */
	{ "task_struct.tgid", OBJECT_TASK, DUMP_TASK, KNOWN_TGID, 4, 6144, .pair = 2 },
	/* real_parent and parent are neighbours. They are equal unless the process is traced. */
	{ "task_struct.real_parent", OBJECT_TASK, DUMP_TASK, KNOWN_PARENT, 0, 6144, .pair = 1 },
	/* TIF_SECCOMP and TIF_32BIT. Since 4.10 the flags are the first member of the task. */
	{ "task_struct.thread_info.flags", OBJECT_TASK, DUMP_TASK, KNOWN_TASK_FLAGS, 4, 8,
	  .compat = true },
	/* TS_COMPAT. From 4.9 to 4.15 the member is task_struct.thread.status. */
	{ "task_struct.thread_info.status", OBJECT_CALL, DUMP_TASK, KNOWN_STATUS, 4, 6144,
	  .rest = true, .compat = true },
	{ "task_struct.nsproxy", OBJECT_NSPROXY, DUMP_TASK, KNOWN_NSPROXY, 0, 6144 },
	{ "nsproxy.mnt_ns", OBJECT_NSPROXY, DUMP_NSPROXY, KNOWN_MNTNS, 0, 64 },
	/* since 3.19 */
	{ "mnt_namespace.ns.inum", OBJECT_NSPROXY, DUMP_MNTNS, KNOWN_MNTNS_NUMBER, 4, 128 },
	/* Before 4.19 the member is task_struct.pids[PIDTYPE_PID].pid. */
	{ "task_struct.thread_pid", OBJECT_PID, DUMP_TASK, KNOWN_PID, 0, 6144 },
	/* The level is behind the reference count, which is not 0. */
	{ "pid.level", OBJECT_PID, DUMP_PID, KNOWN_LEVEL, 4, 8 },
	{ "pid.numbers", OBJECT_PID, DUMP_PID, KNOWN_TGID, 4, 192, .first = true },
	/* Before 4.15 the namespace has 2 KB about its pids before this member. */
	{ "pid_namespace.ns.inum", OBJECT_PID, DUMP_PIDNS, KNOWN_PIDNS_NUMBER, 4, 3072 },
	{ "kmem_cache.name", OBJECT_CACHE, DUMP_CACHE, KNOWN_CACHE_NAME, 0, 256, .first = true },
	{ }
};

#define MEMBERS (sizeof(members) / sizeof(members[0]) - 1)

static const char *const origins[] = {
	[OFFSET_UNKNOWN] = "unknown", [OFFSET_BTF] = "btf", [OFFSET_FOUND] = "found",
};

const char *offset_origin_name(enum offset_origin o)
{
	return origins[o];
}

/* The known offsets of a kernel, and the sources of more. */
struct offsets {
	struct offset *list;
	struct btf *btf;		/* NULL: not open */
	bool stays;			/* offsets_done() does not free it */
	finder_fn finder;		/* NULL: members are not found at run time */
};

static void end(void *kept)
{
	struct offsets *known = kept;

	for (struct offset *o = known->list, *next; o; o = next) {
		next = o->next;
		free(o);
	}
	btf_free(known->btf);
}

/* Returns NULL if there is no memory. */
static struct offsets *offsets_of(struct kernel *k)
{
	static const struct kernel_key key = { sizeof(struct offsets), end };

	return kernel_keep(k, &key);
}

void kernel_set_finder(struct kernel *k, finder_fn finder)
{
	struct offsets *known = offsets_of(k);

	if (known)
		known->finder = finder;
}

static struct offset *lookup(struct kernel *k, const char *path)
{
	const struct offsets *known = offsets_of(k);
	struct offset *o = known ? known->list : NULL;

	while (o && strcmp(o->path, path))
		o = o->next;
	return o;
}

static struct offset *add(struct kernel *k, const char *path)
{
	struct offsets *known = offsets_of(k);
	struct offset *o = known ? calloc(1, sizeof(*o) + strlen(path) + 1) : NULL;

	if (!o)
		return NULL;
	strcpy(o->path, path);
	o->value = -1;
	o->next = known->list;
	known->list = o;
	return o;
}

static void set(struct offset *o, enum offset_origin origin, int32_t value)
{
	o->origin = origin;
	o->value = value;
	o->reason[0] = '\0';
}

static const struct member *member(const char *path)
{
	for (const struct member *m = members; m->path; m++)
		if (!strcmp(m->path, path))
			return m;
	return NULL;
}

bool member_of(struct kernel *k, const struct member *m)
{
	const char *compat = kernel_arch(k)->compat_member;

	return !m->compat || (compat && !strcmp(m->path, compat));
}

struct btf *kernel_btf(struct kernel *k, struct error *err)
{
	struct offsets *known = offsets_of(k);
	int fd;

	if (!known || !kernel_live(k) || !kernel_has(k, FEATURE_BTF)) {
		fail_with(err, known ? 0 : ENOMEM, known ? "no BTF" : "out of memory");
		return NULL;
	}
	if (known->btf)
		return known->btf;
	fd = open(BTF_OF_KERNEL, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail_with(err, errno, "%s: %m", BTF_OF_KERNEL);
	else
		known->btf = btf_new(fd, err);
	if (!known->btf)
		kernel_doubt(k, BTF_OF_KERNEL, err->number);
	return known->btf;
}

/*
 * Returns false if there is no type information that can be read. If there is, a member that it
 * lacks is not on this kernel, and need not be looked for. Opening the information takes time: it
 * stays open until offsets_done().
 */
static bool from_btf(struct kernel *k, struct offset *o)
{
	struct error err = { };
	struct btf *btf;
	int32_t value;

	o->needs_btf = !kernel_has(k, FEATURE_BTF);
	btf = kernel_btf(k, &err);
	value = btf ? btf_offset(btf, o->path, o->pointed, &err) : -1;
	if (value >= 0)
		set(o, OFFSET_BTF, value);
	else
		text_cut(o->reason, sizeof(o->reason), "%s", err.text);
	return btf;
}

void offsets_done(struct kernel *k)
{
	struct offsets *known = offsets_of(k);

	if (!known || known->stays)
		return;
	btf_free(known->btf);
	known->btf = NULL;
}

void kernel_btf_stays(struct kernel *k)
{
	struct offsets *known = offsets_of(k);

	if (known)
		known->stays = true;
}

/* Returns NULL if --without names the member, or if there is no memory. */
static struct offset *add_unhidden(struct kernel *k, const char *path)
{
	return kernel_hides(k, "member:", path) ? NULL : add(k, path);
}

/* Finds the wanted member, and all other members of the same object: the object is made once. */
static void find_out(struct kernel *k, struct offset *wanted)
{
	const struct member *asked = member(wanted->path);
	const finder_fn finder = offsets_of(k)->finder;
	struct finding found[MEMBERS];
	char why[112];

	text_cut(why, sizeof(why), "%s", wanted->reason);
	if (!asked || !finder || !member_of(k, asked)) {
		text_cut(wanted->reason, sizeof(wanted->reason),
			 "%s, and it is not among those found at run time", why);
		return;
	}
	wanted->needs_btf = false;
	for (unsigned int i = 0; i < MEMBERS; i++)
		found[i] = (struct finding){ .offset = -1 };
	finder(k, asked->object, found);
	for (unsigned int i = 0; i < MEMBERS; i++) {
		struct offset *o = lookup(k, members[i].path);

		if (members[i].object != asked->object || (o && o != wanted) ||
		    (!o && !(o = add_unhidden(k, members[i].path))))
			continue;
		if (found[i].offset >= 0)
			set(o, OFFSET_FOUND, found[i].offset);
		else
			text_cut(o->reason, sizeof(o->reason), "%s, not found at run time (%s)",
				 why, found[i].reason);
	}
}

/* Takes the reason behind the word "unknown" of a line. The reason may be empty. */
static void take_reason(struct offset *o, const char *from, const char *end)
{
	if (from + 1 < end)
		text_cut(o->reason, sizeof(o->reason), "%.*s", (int)(end - from - 1), from + 1);
	else
		strcpy(o->reason, "the snapshot gives no reason");
	o->needs_btf = strstr(o->reason, "no BTF, and it is not among");
}

/* Returns true if --without names type information. */
static bool lacks_btf(struct kernel *k)
{
	const struct feature_reason why = kernel_feature_reason(k, FEATURE_BTF);

	return why.root == FEATURE_BTF && why.cause == CAUSE_WITHOUT;
}

/* Takes the offset from the lines of the snapshot. */
static void from_snapshot(struct kernel *k, struct offset *o)
{
	const char *text = kernel_text(k, "offsets");
	char origin[16];
	uint64_t value;

	strcpy(o->reason, kernel_recorded(k) ? "the recording does not tell" :
			  "the snapshot does not tell");
	for (const char *line = text; line && *line; line += line[strcspn(line, "\n")] == '\n') {
		const char *at = line;

		line += strcspn(line, "\n");
		if (!scan_text(&at, o->path) || !scan_text(&at, " ") ||
		    !scan_until(&at, " ", origin, sizeof(origin)))
			continue;
		if (!strcmp(origin, origins[OFFSET_UNKNOWN]))
			take_reason(o, at, line);
		else if (scan_text(&at, " ") && scan_number(&at, INT_MAX, &value))
			set(o, strcmp(origin, origins[OFFSET_BTF]) ? OFFSET_FOUND : OFFSET_BTF,
			    (int)value);
		if (scan_text(&at, " *"))
			scan_until(&at, "\n", o->pointed, sizeof(o->pointed));
	}
	if (o->origin == OFFSET_BTF && lacks_btf(k)) {
		set(o, OFFSET_UNKNOWN, -1);
		strcpy(o->reason, "--without btf, and nothing is found in a snapshot");
	}
}

static struct offset *member_offset(struct kernel *k, const char *path)
{
	struct offset *o = lookup(k, path);

	if (o)
		return o;
	o = add(k, path);
	if (!o)
		return NULL;
	if (kernel_hides(k, "member:", path))
		strcpy(o->reason, "--without");
	else if (!kernel_live(k))
		from_snapshot(k, o);
	else if (!from_btf(k, o))
		find_out(k, o);
	return o;
}

const struct offset *kernel_member(struct kernel *k, const char *path)
{
	return member_offset(k, path);
}

int kernel_offset(struct kernel *k, const char *path, int32_t *value, struct error *err)
{
	struct offset *o = member_offset(k, path);

	if (!o)
		return fail(err, "out of memory");
	o->asked = true;
	if (o->origin == OFFSET_UNKNOWN)
		return fail(err, UNKNOWN, path, o->reason);
	*value = o->value;
	return 0;
}

char *offsets_unknown(struct kernel *k)
{
	const struct offsets *known = offsets_of(k);
	struct strbuf text = { };

	for (const struct offset *o = known ? known->list : NULL; o; o = o->next)
		if (o->asked && o->origin == OFFSET_UNKNOWN)
			strbuf_addf(&text, UNKNOWN "\n", o->path, o->reason);
	return strbuf_take(&text);
}

/* The line of a member, as a snapshot and a recording have it. */
static void add_line(const struct offset *o, const char *before, struct strbuf *to)
{
	strbuf_addf(to, "%s%s %s ", before, o->path, origins[o->origin]);
	if (o->origin == OFFSET_UNKNOWN)
		strbuf_addf(to, "%s\n", o->reason);
	else
		strbuf_addf(to, "%d%s%s\n", o->value, *o->pointed ? " *" : "", o->pointed);
}

char *offsets_text(struct kernel *k, size_t *length)
{
	struct strbuf text = { };

	for (const struct member *m = members; m->path; m++) {
		const struct offset *o = member_of(k, m) ? kernel_member(k, m->path) : NULL;

		if (o)
			add_line(o, "", &text);
	}
	*length = text.n;
	return strbuf_take(&text);
}

void offsets_learned(struct kernel *k, struct strbuf *to)
{
	const struct offsets *known = offsets_of(k);

	for (const struct offset *o = known ? known->list : NULL; o; o = o->next)
		if (o->origin != OFFSET_UNKNOWN)
			add_line(o, "offset ", to);
}
