// SPDX-License-Identifier: GPL-2.0
#include "compat/user/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/arch/arch.h"
#include "compat/base/file.h"

/* Where seccomp has the lower half of an argument. */
#define LOWER (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)

/* Not O_ACCMODE: musl's has O_PATH in it. */
#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#define SENDMSG_OF_SOCKETCALL 16
#define OPENS (1U << CONFINED_OPENS)
#define SERVES (1U << CONFINED_SERVES)
#define SENDS (1U << CONFINED_SENDS)

/* A call that is allowed. If `mask` is not 0: only if these bits of argument `arg` are `value`. */
struct allowed {
	uint16_t nr;
	uint8_t who, arg;		/* who: 0: all; OPENS, SERVES, SENDS: only these */
	uint32_t mask, value;
};

static const struct allowed calls[] = {
	/* open(2) flags: for reading only */
#ifdef __NR_open
	{ __NR_open, OPENS, 1, WRITES, O_RDONLY },
#endif
	{ __NR_openat, OPENS, 2, WRITES, O_RDONLY },
#ifdef __NR_stat
	{ __NR_stat, OPENS }, { __NR_lstat, OPENS }, { __NR_access, OPENS },
	{ __NR_readlink, OPENS },
#endif
#ifdef __NR_stat64
	{ __NR_stat64, OPENS }, { __NR_lstat64, OPENS },
#endif
	{ __NR_faccessat, OPENS }, { __NR_readlinkat, OPENS }, { __NR_statfs, OPENS },
#ifdef __NR_statfs64
	{ __NR_statfs64, OPENS },
#endif
	{ __NR_getdents64, OPENS },
	/* what is open; stat of a path is also stat of a descriptor */
	{ __NR_read }, { __NR_readv }, { __NR_pread64 }, { __NR_lseek }, { __NR_close },
	{ __NR_dup }, { __NR_fcntl }, { __NR_fstat }, { __NR_fstatfs },
#ifdef __NR__llseek
	{ __NR__llseek },
#endif
#ifdef __NR_fcntl64
	{ __NR_fcntl64 }, { __NR_fstat64 },
#endif
#ifdef __NR_fstatfs64
	{ __NR_fstatfs64 },
#endif
#ifdef __NR_newfstatat
	{ __NR_newfstatat },
#endif
#ifdef __NR_fstatat64
	{ __NR_fstatat64 },
#endif
#ifdef __NR_statx
	{ __NR_statx },
#endif
	/* memory */
#ifdef __NR_mmap
	{ __NR_mmap },
#endif
#ifdef __NR_mmap2
	{ __NR_mmap2 },
#endif
	{ __NR_munmap }, { __NR_mremap }, { __NR_mprotect }, { __NR_madvise }, { __NR_brk },
	/* messages to sonde; the end; those of a sanitizer */
	{ __NR_sendmsg }, { __NR_write }, { __NR_exit }, { __NR_exit_group },
#ifdef __NR_socketcall
	{ __NR_socketcall, SERVES | SENDS },
	{ __NR_socketcall, 0, 0, UINT32_MAX, SENDMSG_OF_SOCKETCALL },
#endif
	/* connections of clients, or to a receiver: of IPv4 and IPv6, whose numbers are 2 and 10 */
#ifdef __NR_accept4
	{ __NR_accept4, SERVES }, { __NR_recvfrom, SERVES | SENDS }, { __NR_recvmsg, SERVES },
	{ __NR_sendto, SERVES | SENDS }, { __NR_connect, SENDS },
	{ __NR_socket, SENDS, 0, UINT32_MAX & ~8U, AF_INET },
#endif
#ifdef __NR_poll
	{ __NR_poll, SERVES | SENDS },
#endif
	{ __NR_ppoll, SERVES | SENDS },
#ifdef __NR_ppoll_time64
	{ __NR_ppoll_time64, SERVES | SENDS },
#endif
	/* signals, clocks, who it is */
	{ __NR_rt_sigreturn }, { __NR_rt_sigprocmask }, { __NR_rt_sigaction },
	{ __NR_sigaltstack }, { __NR_restart_syscall }, { __NR_futex }, { __NR_nanosleep },
	{ __NR_clock_gettime }, { __NR_clock_nanosleep }, { __NR_gettimeofday },
#ifdef __NR_sigreturn
	{ __NR_sigreturn },
#endif
#ifdef __NR_clock_gettime64
	{ __NR_clock_gettime64 }, { __NR_clock_nanosleep_time64 }, { __NR_futex_time64 },
#endif
	{ __NR_getpid }, { __NR_gettid }, { __NR_getppid }, { __NR_geteuid }, { __NR_sched_yield },
};

#define N_CALLS (sizeof(calls) / sizeof(calls[0]))
#define LOAD(offset) (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define SKIP_UNLESS(value, n) (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n)
#define RETURN(what) (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what)

static void allow_calls(enum confined who)
{
	/* Calls of another machine have other numbers: a filter only knows those of its own. */
	const uint32_t machine = arch_own()->audit;
	struct sock_filter filter[4 + 6 * N_CALLS];
	struct sock_fprog program = { .filter = filter };
	unsigned short n = 0;

	if (!machine)
		return;
	filter[n++] = LOAD(offsetof(struct seccomp_data, arch));
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
	filter[n++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
	filter[n++] = LOAD(offsetof(struct seccomp_data, nr));
	for (const struct allowed *c = calls; c < calls + N_CALLS; c++) {
		if (c->who && !(c->who & 1U << who))
			continue;
		filter[n++] = SKIP_UNLESS(c->nr, c->mask ? 5 : 1);
		if (c->mask) {
			filter[n++] = LOAD(offsetof(struct seccomp_data, args[c->arg]) + LOWER);
			filter[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K,
								   c->mask);
			filter[n++] = SKIP_UNLESS(c->value, 1);
		}
		filter[n++] = RETURN(SECCOMP_RET_ALLOW);
		if (c->mask)
			filter[n++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
	}
	filter[n++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
	program.len = n;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/*
 * To open files of other users (DAC_READ_SEARCH), below /proc/PID/root and /proc/PID/exe
 * (SYS_PTRACE), and /proc/PID/map_files (SYS_ADMIN; CHECKPOINT_RESTORE since 5.9). A capability
 * that the process does not have can't be kept.
 */
static void drop_capabilities(enum confined who)
{
	static const uint8_t to_open[] = {
		CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_CHECKPOINT_RESTORE
	};
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3], kept[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &head, now))
		return;
	memset(kept, 0, sizeof(kept));
	for (size_t i = 0; who == CONFINED_OPENS && i < sizeof(to_open); i++)
		kept[CAP_TO_INDEX(to_open[i])].permitted |= CAP_TO_MASK(to_open[i]);
	for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		kept[i].permitted &= now[i].permitted;
		kept[i].effective = kept[i].permitted;
	}
	syscall(SYS_capset, &head, kept);
}

void confine(enum confined who, bool (*kept)(void *arg, int fd), void *arg)
{
	file_close_all(kept, arg);
	drop_capabilities(who);
	/* A filter wants this of a process without rights. */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	allow_calls(who);
}
