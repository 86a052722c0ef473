// SPDX-License-Identifier: GPL-2.0
/* Names of flags and of other numbers that arguments have, without their prefixes. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/systrace/calls.h"

#define END { 0, NULL }

struct flag {
	uint32_t value;
	const char *name;		/* NULL: the end of the table */
};

/* O_SYNC has the bit of O_DSYNC, and O_TMPFILE that of O_DIRECTORY: they come first. */
static const struct flag open_flags[] = {
	{ O_CREAT, "CREAT" }, { O_EXCL, "EXCL" }, { O_NOCTTY, "NOCTTY" }, { O_TRUNC, "TRUNC" },
	{ O_APPEND, "APPEND" }, { O_NONBLOCK, "NONBLOCK" }, { O_SYNC, "SYNC" },
	{ O_DSYNC, "DSYNC" }, { O_ASYNC, "ASYNC" }, { O_DIRECT, "DIRECT" },
#if O_LARGEFILE
	{ O_LARGEFILE, "LARGEFILE" },
#else
	/* glibc's is 0 where files are large anyway; the kernel's is not. */
	{ 0100000, "LARGEFILE" },
#endif
	{ O_TMPFILE, "TMPFILE" }, { O_DIRECTORY, "DIRECTORY" }, { O_NOFOLLOW, "NOFOLLOW" },
	{ O_NOATIME, "NOATIME" }, { O_CLOEXEC, "CLOEXEC" }, { O_PATH, "PATH" }, END
}, open_modes[] = {
	{ O_RDONLY, "RDONLY" }, { O_WRONLY, "WRONLY" }, { O_RDWR, "RDWR" }, END
}, at_flags[] = {
	{ AT_SYMLINK_NOFOLLOW, "SYMLINK_NOFOLLOW" }, { AT_REMOVEDIR, "REMOVEDIR" },
	{ AT_SYMLINK_FOLLOW, "SYMLINK_FOLLOW" }, { 0x800, "NO_AUTOMOUNT" },
	{ AT_EMPTY_PATH, "EMPTY_PATH" }, { 0x2000, "STATX_FORCE_SYNC" },
	{ 0x4000, "STATX_DONT_SYNC" }, END
}, access_flags[] = {
	{ R_OK, "R" }, { W_OK, "W" }, { X_OK, "X" }, END
}, whences[] = {
	{ SEEK_SET, "SET" }, { SEEK_CUR, "CUR" }, { SEEK_END, "END" }, { 3, "DATA" },
	{ 4, "HOLE" }, END
}, fcntls[] = {
	{ F_DUPFD, "DUPFD" }, { F_GETFD, "GETFD" }, { F_SETFD, "SETFD" }, { F_GETFL, "GETFL" },
	{ F_SETFL, "SETFL" }, { F_GETLK, "GETLK" }, { F_SETLK, "SETLK" }, { F_SETLKW, "SETLKW" },
	{ F_SETOWN, "SETOWN" }, { F_GETOWN, "GETOWN" }, { 10, "SETSIG" }, { 11, "GETSIG" },
	{ 36, "OFD_GETLK" }, { 37, "OFD_SETLK" }, { 38, "OFD_SETLKW" }, { 1024, "SETLEASE" },
	{ 1025, "GETLEASE" }, { 1026, "NOTIFY" }, { 1030, "DUPFD_CLOEXEC" },
	{ 1031, "SETPIPE_SZ" }, { 1032, "GETPIPE_SZ" }, { 1033, "ADD_SEALS" },
	{ 1034, "GET_SEALS" }, END
}, flocks[] = {
	{ LOCK_SH, "SH" }, { LOCK_EX, "EX" }, { LOCK_NB, "NB" }, { LOCK_UN, "UN" }, END
}, prots[] = {
	{ PROT_READ, "READ" }, { PROT_WRITE, "WRITE" }, { PROT_EXEC, "EXEC" },
	{ PROT_GROWSDOWN, "GROWSDOWN" }, { PROT_GROWSUP, "GROWSUP" }, END
}, mmaps[] = {
	{ MAP_SHARED | MAP_PRIVATE, "SHARED_VALIDATE" }, { MAP_SHARED, "SHARED" },
	{ MAP_PRIVATE, "PRIVATE" }, { MAP_FIXED, "FIXED" }, { MAP_ANONYMOUS, "ANONYMOUS" },
	{ MAP_GROWSDOWN, "GROWSDOWN" }, { MAP_DENYWRITE, "DENYWRITE" },
	{ MAP_EXECUTABLE, "EXECUTABLE" }, { MAP_LOCKED, "LOCKED" },
	{ MAP_NORESERVE, "NORESERVE" }, { MAP_POPULATE, "POPULATE" },
	{ MAP_NONBLOCK, "NONBLOCK" }, { MAP_STACK, "STACK" }, { MAP_HUGETLB, "HUGETLB" },
	{ 0x100000, "FIXED_NOREPLACE" }, END
}, madvises[] = {
	{ 0, "NORMAL" }, { 1, "RANDOM" }, { 2, "SEQUENTIAL" }, { 3, "WILLNEED" },
	{ 4, "DONTNEED" }, { 8, "FREE" }, { 9, "REMOVE" }, { 10, "DONTFORK" }, { 11, "DOFORK" },
	{ 12, "MERGEABLE" }, { 13, "UNMERGEABLE" }, { 14, "HUGEPAGE" }, { 15, "NOHUGEPAGE" },
	{ 16, "DONTDUMP" }, { 17, "DODUMP" }, { 18, "WIPEONFORK" }, { 19, "KEEPONFORK" },
	{ 20, "COLD" }, { 21, "PAGEOUT" }, { 22, "POPULATE_READ" }, { 23, "POPULATE_WRITE" },
	{ 25, "COLLAPSE" }, END
}, clones[] = {
	{ CLONE_VM, "VM" }, { CLONE_FS, "FS" }, { CLONE_FILES, "FILES" },
	{ CLONE_SIGHAND, "SIGHAND" }, { 0x1000, "PIDFD" }, { CLONE_PTRACE, "PTRACE" },
	{ CLONE_VFORK, "VFORK" }, { CLONE_PARENT, "PARENT" }, { CLONE_THREAD, "THREAD" },
	{ CLONE_NEWNS, "NEWNS" }, { CLONE_SYSVSEM, "SYSVSEM" }, { CLONE_SETTLS, "SETTLS" },
	{ CLONE_PARENT_SETTID, "PARENT_SETTID" }, { CLONE_CHILD_CLEARTID, "CHILD_CLEARTID" },
	{ 0x400000, "DETACHED" }, { CLONE_UNTRACED, "UNTRACED" },
	{ CLONE_CHILD_SETTID, "CHILD_SETTID" }, { 0x2000000, "NEWCGROUP" },
	{ CLONE_NEWUTS, "NEWUTS" }, { CLONE_NEWIPC, "NEWIPC" }, { CLONE_NEWUSER, "NEWUSER" },
	{ CLONE_NEWPID, "NEWPID" }, { CLONE_NEWNET, "NEWNET" }, { CLONE_IO, "IO" }, END
}, waits[] = {
	{ WNOHANG, "NOHANG" }, { WUNTRACED, "UNTRACED" }, { WEXITED, "EXITED" },
	{ WCONTINUED, "CONTINUED" }, { 0x1000000, "NOWAIT" }, { 0x20000000, "NOTHREAD" },
	{ 0x40000000, "ALL" }, { 0x80000000, "CLONE" }, END
}, sigmasks[] = {
	{ SIG_BLOCK, "BLOCK" }, { SIG_UNBLOCK, "UNBLOCK" }, { SIG_SETMASK, "SETMASK" }, END
}, futexes[] = {
	{ 0, "WAIT" }, { 1, "WAKE" }, { 2, "FD" }, { 3, "REQUEUE" }, { 4, "CMP_REQUEUE" },
	{ 5, "WAKE_OP" }, { 6, "LOCK_PI" }, { 7, "UNLOCK_PI" }, { 8, "TRYLOCK_PI" },
	{ 9, "WAIT_BITSET" }, { 10, "WAKE_BITSET" }, { 11, "WAIT_REQUEUE_PI" },
	{ 12, "CMP_REQUEUE_PI" }, { 13, "LOCK_PI2" }, END
}, futex_flags[] = {
	{ 128, "PRIVATE" }, { 256, "CLOCK_REALTIME" }, END
}, clocks[] = {
	{ CLOCK_REALTIME, "REALTIME" }, { CLOCK_MONOTONIC, "MONOTONIC" },
	{ CLOCK_PROCESS_CPUTIME_ID, "PROCESS_CPUTIME_ID" },
	{ CLOCK_THREAD_CPUTIME_ID, "THREAD_CPUTIME_ID" }, { 4, "MONOTONIC_RAW" },
	{ 5, "REALTIME_COARSE" }, { 6, "MONOTONIC_COARSE" }, { 7, "BOOTTIME" },
	{ 8, "REALTIME_ALARM" }, { 9, "BOOTTIME_ALARM" }, { 11, "TAI" }, END
}, epolls[] = {
	{ EPOLL_CTL_ADD, "ADD" }, { EPOLL_CTL_DEL, "DEL" }, { EPOLL_CTL_MOD, "MOD" }, END
}, families[] = {
	{ 0, "UNSPEC" }, { AF_UNIX, "UNIX" }, { AF_INET, "INET" }, { AF_INET6, "INET6" },
	{ 16, "NETLINK" }, { 17, "PACKET" }, { 38, "ALG" }, { 40, "VSOCK" }, { 44, "XDP" }, END
}, socket_types[] = {
	{ SOCK_STREAM, "STREAM" }, { SOCK_DGRAM, "DGRAM" }, { SOCK_RAW, "RAW" },
	{ SOCK_RDM, "RDM" }, { SOCK_SEQPACKET, "SEQPACKET" }, { 10, "PACKET" }, END
}, socket_flags[] = {
	{ SOCK_CLOEXEC, "CLOEXEC" }, { SOCK_NONBLOCK, "NONBLOCK" }, END
}, msgs[] = {
	{ MSG_OOB, "OOB" }, { MSG_PEEK, "PEEK" }, { MSG_DONTROUTE, "DONTROUTE" },
	{ MSG_CTRUNC, "CTRUNC" }, { MSG_TRUNC, "TRUNC" }, { MSG_DONTWAIT, "DONTWAIT" },
	{ MSG_EOR, "EOR" }, { MSG_WAITALL, "WAITALL" }, { MSG_CONFIRM, "CONFIRM" },
	{ MSG_ERRQUEUE, "ERRQUEUE" }, { MSG_NOSIGNAL, "NOSIGNAL" }, { MSG_MORE, "MORE" },
	{ 0x10000, "WAITFORONE" }, { 0x4000000, "ZEROCOPY" }, { 0x20000000, "FASTOPEN" },
	{ 0x40000000, "CMSG_CLOEXEC" }, END
}, shms[] = {
	{ IPC_CREAT, "IPC_CREAT" }, { IPC_EXCL, "IPC_EXCL" }, { 0x800, "HUGETLB" },
	{ 0x1000, "NORESERVE" }, END
};

/*
 * What a kind's number is made of: bits with names, and below `mask` one of several names. `zero`
 * is shown where nothing is set.
 */
static const struct number_kind {
	const char *name;
	const struct flag *values;	/* of the bits in `mask` */
	uint32_t mask;
	const struct flag *bits;
	const char *zero;
} kinds[] = {
	{ "open", open_modes, O_ACCMODE, open_flags, NULL },
	{ "descriptor", NULL, 0, open_flags, "0" },
	{ "at", NULL, 0, at_flags, "0" },
	{ "access", NULL, 0, access_flags, "F" },
	{ "whence", whences, UINT32_MAX, NULL, NULL },
	{ "fcntl", fcntls, UINT32_MAX, NULL, NULL },
	{ "flock", NULL, 0, flocks, "0" },
	{ "prot", NULL, 0, prots, "NONE" },
	{ "mmap", NULL, 0, mmaps, "0" },
	{ "madvise", madvises, UINT32_MAX, NULL, NULL },
	{ "clone", NULL, 0, clones, "0" },
	{ "wait", NULL, 0, waits, "0" },
	{ "sigmask", sigmasks, UINT32_MAX, NULL, NULL },
	{ "futex", futexes, 127, futex_flags, NULL },
	{ "clock", clocks, UINT32_MAX, NULL, NULL },
	{ "epoll", epolls, UINT32_MAX, NULL, NULL },
	{ "family", families, UINT32_MAX, NULL, NULL },
	{ "socket", socket_types, 15, socket_flags, NULL },
	{ "socket_flags", NULL, 0, socket_flags, "0" },
	{ "msg", NULL, 0, msgs, "0" },
	{ "shm", NULL, 0, shms, "0" },
};

static void join(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void join(char *to, size_t size, const char *format, ...)
{
	size_t n = strlen(to);
	va_list args;

	if (n && n + 1 < size)
		to[n++] = '|';
	va_start(args, format);
	vsnprintf(to + n, size - n, format, args);
	va_end(args);
}

static const char *name_of(const struct flag *flags, uint64_t value)
{
	for (; flags && flags->name; flags++)
		if (flags->value == value)
			return flags->name;
	return NULL;
}

static const struct number_kind *kind_of(const struct argument *a)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (argument_is(a, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/* Only clone(2) has a signal in its lowest byte: what the child's end sends. */
bool names_text(const struct argument *a, uint64_t number, char *to, size_t size)
{
	const struct number_kind *kind = kind_of(a);
	uint64_t rest, low;
	const char *name;

	if (!kind)
		return false;
	*to = '\0';
	low = number & kind->mask;
	rest = number & ~(uint64_t)kind->mask;
	name = name_of(kind->values, low);
	if (name)
		join(to, size, "%s", name);
	else if (kind->mask)
		join(to, size, "%lld", (long long)(int64_t)(int32_t)low);
	for (const struct flag *f = kind->bits; f && f->name; f++) {
		if (!f->value || (rest & f->value) != f->value)
			continue;
		join(to, size, "%s", f->name);
		rest &= ~(uint64_t)f->value;
	}
	if (rest && kind->mask != UINT32_MAX)
		join(to, size, "0x%llx", (unsigned long long)rest);
	else if (!*to)
		join(to, size, "%s", kind->zero ? kind->zero : "0");
	return true;
}
