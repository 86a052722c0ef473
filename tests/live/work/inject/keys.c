// SPDX-License-Identifier: GPL-2.0
/* What tells a system call from others, as a text: see keys.h. */
#include "keys.h"

#ifdef CAN_INJECT
#include <sys/uio.h>

/*
 * What a key has of each argument: f: the name of the file behind it; p: a path; x: the number;
 * s: about how large it is; a: the first words of what a perf event is; 0 to 6: so many words of
 * what bpf(2) is given for a map or a program. Other characters: nothing.
 */
static const struct call {
	const char *name;
	int number;
	const char *args;
} calls[] = {
#define CALL(name, args) { #name, SYS_##name, args }
	CALL(openat, "-px"), CALL(read, "f"), CALL(pread64, "f"), CALL(readv, "f"),
	CALL(write, "f"), CALL(writev, "f"), CALL(close, "f"), CALL(lseek, "f"),
	CALL(getdents64, "f"), CALL(fcntl, "-x"), CALL(flock, "fx"), CALL(ioctl, "fx"),
	CALL(mkdirat, "-p"), CALL(unlinkat, "-p"), CALL(faccessat, "-p"), CALL(readlinkat, "-p"),
	CALL(fstat, "f"), CALL(statfs, "p"), CALL(fstatfs, "f"), CALL(chdir, "p"),
	CALL(ftruncate, "f"), CALL(mprotect, "--x"), CALL(munmap, "-s"),
	CALL(mremap, "-s"), CALL(madvise, "--x"), CALL(bpf, "xb"), CALL(perf_event_open, "a"),
	CALL(clone, "x"), CALL(wait4, "--x"), CALL(kill, "-x"), CALL(tgkill, "--x"),
	CALL(prctl, "x"), CALL(prlimit64, "-x"), CALL(setsid, ""), CALL(setpgid, ""),
	CALL(pipe2, "-x"), CALL(dup, "f"), CALL(dup3, "f-x"), CALL(socket, "xx"),
	CALL(socketpair, "xx"), CALL(connect, ""), CALL(bind, ""), CALL(sendto, "f"),
	CALL(recvfrom, "f"), CALL(sendmsg, "f"), CALL(recvmsg, "f"), CALL(ppoll, "-x"),
	CALL(epoll_create1, "x"), CALL(epoll_ctl, "-x"), CALL(epoll_pwait, "--x"),
	CALL(timerfd_create, "x"), CALL(timerfd_settime, ""), CALL(signalfd4, "--"),
	CALL(eventfd2, "-x"), CALL(inotify_init1, "x"), CALL(inotify_add_watch, "-p"),
	CALL(sched_setaffinity, ""), CALL(sched_getaffinity, ""), CALL(sched_yield, ""),
	CALL(uname, ""), CALL(sysinfo, ""), CALL(getrandom, ""), CALL(getcwd, ""),
	CALL(nanosleep, ""), CALL(clock_nanosleep, "xx"), CALL(clock_gettime, "x"),
	CALL(mount, "-p"), CALL(umount2, "p"), CALL(unshare, "x"), CALL(setns, "fx"),
	CALL(process_vm_readv, ""), CALL(ptrace, "x"), CALL(seccomp, "xx"), CALL(statx, "-p"),
	CALL(memfd_create, "-x"), CALL(pidfd_open, ""), CALL(setpriority, ""),
	CALL(sched_setscheduler, "-x"), CALL(setitimer, "x"), CALL(copy_file_range, "f-f"),
	CALL(sendfile, "ff"), CALL(personality, "x"), CALL(membarrier, "x"),
	CALL(capget, ""), CALL(capset, ""), CALL(clock_getres, "x"),
	/* machines of 32 bits have others of these */
#ifdef SYS_mmap
	CALL(mmap, "-sxx"),
#endif
#ifdef SYS_newfstatat
	CALL(newfstatat, "fp"),
#endif
#ifdef SYS_open
	CALL(open, "px"), CALL(stat, "p"), CALL(lstat, "p"), CALL(access, "p"),
	CALL(readlink, "p"), CALL(mkdir, "p"), CALL(rmdir, "p"), CALL(unlink, "p"),
	CALL(poll, "-x"), CALL(epoll_wait, "--x"), CALL(dup2, "fx"), CALL(fork, ""),
	CALL(vfork, ""), CALL(pipe, ""), CALL(rename, "pp"),
#endif
#ifdef SYS_select
	CALL(select, "x"),
#endif
#ifdef SYS_clone3
	CALL(clone3, ""),
#endif
};
#define N_CALLS (sizeof(calls) / sizeof(calls[0]))

/* In place: digits become one #; what is random of a name of sonde's in tracefs, one *. */
static void normalise(char *s)
{
	char *to = s;

	while (*s) {
		if (!strncmp(s, "sonde-", 6) || !strncmp(s, "sonde_", 6)) {
			memmove(to, s, 6);
			to += 6;
			s += 6;
			while (*s && *s != '/')
				s++;
			if (to < s)
				*to++ = '*';
		} else if (*s >= '0' && *s <= '9') {
			while (*s >= '0' && *s <= '9')
				s++;
			*to++ = '#';
		} else {
			*to++ = *s == '\t' || *s == '\n' ? ' ' : *s;
			s++;
		}
	}
	*to = 0;
}

bool peek(pid_t pid, uint64_t from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)from, size };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static void add_path(char *key, pid_t pid, uint64_t from)
{
	char path[256];
	size_t n = 0;

	/* Whole, unless it ends just before a page that is not there. */
	if (!peek(pid, from, path, sizeof(path) - 1)) {
		while (n < sizeof(path) - 1 && peek(pid, from + n, path + n, 1) && path[n])
			n++;
	} else {
		n = strnlen(path, sizeof(path) - 1);
	}
	path[n] = 0;
	normalise(path);
	snprintf(key + strlen(key), KEY - strlen(key), " %s", path);
}

static void add_file(char *key, pid_t pid, int fd)
{
	char link[64], name[256];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	n = readlink(link, name, sizeof(name) - 1);
	if (n <= 0)
		return;
	name[n] = 0;
	normalise(name);
	snprintf(key + strlen(key), KEY - strlen(key), " <%s>", name);
}

static void add_words(char *key, pid_t pid, uint64_t from, int n)
{
	uint32_t word;

	for (int i = 0; i < n && peek(pid, from + 4 * i, &word, 4); i++)
		snprintf(key + strlen(key), KEY - strlen(key), " %x", word);
}

static void add_argument(char *key, char kind, const struct seccomp_notif *n, int i)
{
	uint64_t value = n->data.args[i];
	/* Of BPF_MAP_CREATE: type, sizes and entries; of BPF_PROG_LOAD: type and length. */
	static const int words[] = { [0] = 4, [5] = 2 };
	uint64_t command = n->data.args[0];

	if (kind == 'f')
		add_file(key, n->pid, value);
	else if (kind == 'p')
		add_path(key, n->pid, value);
	else if (kind == 'x')
		snprintf(key + strlen(key), KEY - strlen(key), " %llx",
			 (unsigned long long)value);
	else if (kind == 's')
		snprintf(key + strlen(key), KEY - strlen(key), " 2^%d",
			 value ? 64 - __builtin_clzll(value) : 0);
	else if (kind == 'a')
		add_words(key, n->pid, value, 4);
	else if (kind == 'b' && command < sizeof(words) / sizeof(words[0]))
		add_words(key, n->pid, value, words[command]);
}

void make_key(const struct seccomp_notif *n, bool main, char *key)
{
	const struct call *c = NULL;

	for (size_t i = 0; i < N_CALLS && !c; i++) {
		if (calls[i].number == n->data.nr)
			c = &calls[i];
	}
	snprintf(key, KEY, "%c ", main ? 'm' : 'c');
	if (!c) {
		snprintf(key + 2, KEY - 2, "call-%d", n->data.nr);
		return;
	}
	snprintf(key + 2, KEY - 2, "%s", c->name);
	for (int i = 0; i < 6 && c->args[i]; i++)
		add_argument(key, c->args[i], n, i);
}

int number_of(const char *key)
{
	size_t length = strcspn(key + 2, " ");

	for (size_t i = 0; i < N_CALLS; i++) {
		if (strlen(calls[i].name) == length && !memcmp(calls[i].name, key + 2, length))
			return calls[i].number;
	}
	return -1;
}
#endif
