// SPDX-License-Identifier: GPL-2.0
/* Names and kinds of the arguments of system calls. Other calls are shown with bare numbers. */
#include "src/systrace/calls.h"

#include <string.h>

/* A word for each argument: KIND, or KIND:NAME. */
static const struct {
	const char *name, *arguments;
} calls[] = {
	/* files */
	{ "open", "path:filename open:flags mode" },
	{ "openat", "dfd path:filename open:flags mode" },
	{ "openat2", "dfd path:filename address:how size" },
	{ "creat", "path:pathname mode" },
	{ "close", "fd" },
	{ "close_range", "fd:first fd:last hex:flags" },
	{ "read", "fd address:buf size:count" },
	{ "write", "fd address:buf size:count" },
	{ "pread64", "fd address:buf size:count long:pos" },
	{ "pwrite64", "fd address:buf size:count long:pos" },
	{ "readv", "fd address:vec size:vlen" },
	{ "writev", "fd address:vec size:vlen" },
	{ "preadv", "fd address:vec size:vlen long:pos" },
	{ "pwritev", "fd address:vec size:vlen long:pos" },
	{ "preadv2", "fd address:vec size:vlen long:pos number hex:flags" },
	{ "pwritev2", "fd address:vec size:vlen long:pos number hex:flags" },
	{ "lseek", "fd long:offset whence" },
	{ "dup", "fd" },
	{ "dup2", "fd:oldfd fd:newfd" },
	{ "dup3", "fd:oldfd fd:newfd descriptor:flags" },
	{ "fcntl", "fd fcntl:cmd hex:arg" },
	{ "fcntl64", "fd fcntl:cmd hex:arg" },
	{ "flock", "fd flock:cmd" },
	{ "ioctl", "fd hex:cmd hex:arg" },
	{ "fsync", "fd" },
	{ "fdatasync", "fd" },
	{ "syncfs", "fd" },
	{ "sync", "" },
	{ "ftruncate", "fd long:length" },
	{ "truncate", "path long:length" },
	{ "fallocate", "fd hex:mode long:offset long:len" },
	{ "fadvise64", "fd long:offset size:len number:advice" },
	{ "sendfile", "fd:out_fd fd:in_fd address:offset size:count" },
	{ "sendfile64", "fd:out_fd fd:in_fd address:offset size:count" },
	{ "splice", "fd:fd_in address:off_in fd:fd_out address:off_out size:len hex:flags" },
	{ "copy_file_range",
	  "fd:fd_in address:off_in fd:fd_out address:off_out size:len hex:flags" },
	{ "pipe", "address:fildes" },
	{ "pipe2", "address:fildes descriptor:flags" },
	{ "stat", "path:filename address:statbuf" },
	{ "lstat", "path:filename address:statbuf" },
	{ "fstat", "fd address:statbuf" },
	{ "stat64", "path:filename address:statbuf" },
	{ "lstat64", "path:filename address:statbuf" },
	{ "fstat64", "fd address:statbuf" },
	{ "newfstatat", "dfd path:filename address:statbuf at:flag" },
	{ "fstatat64", "dfd path:filename address:statbuf at:flag" },
	{ "statx", "dfd path:filename at:flags hex:mask address:buffer" },
	{ "statfs", "path:pathname address:buf" },
	{ "fstatfs", "fd address:buf" },
	{ "access", "path:filename access:mode" },
	{ "faccessat", "dfd path:filename access:mode" },
	{ "faccessat2", "dfd path:filename access:mode at:flags" },
	{ "readlink", "path address:buf size:bufsiz" },
	{ "readlinkat", "dfd path:pathname address:buf size:bufsiz" },
	{ "unlink", "path:pathname" },
	{ "unlinkat", "dfd path:pathname at:flag" },
	{ "rename", "path:oldname path:newname" },
	{ "renameat", "dfd:olddfd path:oldname dfd:newdfd path:newname" },
	{ "renameat2", "dfd:olddfd path:oldname dfd:newdfd path:newname hex:flags" },
	{ "link", "path:oldname path:newname" },
	{ "linkat", "dfd:olddfd path:oldname dfd:newdfd path:newname at:flags" },
	{ "symlink", "path:oldname path:newname" },
	{ "symlinkat", "path:oldname dfd:newdfd path:newname" },
	{ "mkdir", "path:pathname mode" },
	{ "mkdirat", "dfd path:pathname mode" },
	{ "rmdir", "path:pathname" },
	{ "mknod", "path:filename mode hex:dev" },
	{ "mknodat", "dfd path:filename mode hex:dev" },
	{ "chdir", "path:filename" },
	{ "fchdir", "fd" },
	{ "chroot", "path:filename" },
	{ "chmod", "path:filename mode" },
	{ "fchmod", "fd mode" },
	{ "fchmodat", "dfd path:filename mode" },
	{ "chown", "path:filename number:user number:group" },
	{ "lchown", "path:filename number:user number:group" },
	{ "fchown", "fd number:user number:group" },
	{ "fchownat", "dfd path:filename number:user number:group at:flag" },
	{ "utimensat", "dfd path:filename address:utimes at:flags" },
	{ "umask", "mode:mask" },
	{ "getdents64", "fd address:dirent size:count" },
	{ "getdents", "fd address:dirent size:count" },
	{ "getcwd", "address:buf size" },
	{ "getxattr", "path:pathname path:name address:value size" },
	{ "lgetxattr", "path:pathname path:name address:value size" },
	{ "setxattr", "path:pathname path:name address:value size hex:flags" },
	{ "mount", "path:dev_name path:dir_name address:type hex:flags address:data" },
	{ "umount2", "path:name hex:flags" },
	{ "inotify_add_watch", "fd path:pathname hex:mask" },
	/* waiting for files */
	{ "poll", "address:ufds size:nfds number:timeout_msecs" },
	{ "ppoll", "address:ufds size:nfds address:tsp address:sigmask" },
	{ "select", "number:n address:inp address:outp address:exp address:tvp" },
	{ "pselect6", "number:n address:inp address:outp address:exp address:tsp address:sig" },
	{ "epoll_create1", "hex:flags" },
	{ "epoll_ctl", "fd:epfd epoll:op fd address:event" },
	{ "epoll_wait", "fd:epfd address:events number:maxevents number:timeout" },
	{ "epoll_pwait", "fd:epfd address:events number:maxevents number:timeout address:sigmask" },
	{ "eventfd2", "number:count hex:flags" },
	/* memory */
	{ "mmap", "address:addr size:len prot mmap:flags fd long:off" },
	{ "mmap2", "address:addr size:len prot mmap:flags fd long:pgoff" },
	{ "munmap", "address:addr size:len" },
	{ "mprotect", "address:start size:len prot" },
	{ "mremap", "address:addr size:old_len size:new_len hex:flags address:new_addr" },
	{ "madvise", "address:start size:len madvise:behavior" },
	{ "msync", "address:start size:len hex:flags" },
	{ "mlock", "address:start size:len" },
	{ "munlock", "address:start size:len" },
	{ "brk", "address:brk" },
	{ "memfd_create", "path:uname hex:flags" },
	/* processes */
	{ "execve", "path:filename address:argv address:envp" },
	{ "execveat", "dfd path:filename address:argv address:envp at:flags" },
	{ "fork", "" },
	{ "vfork", "" },
	{ "clone", "clone:flags address:newsp address:parent_tidptr address:child_tidptr hex:tls" },
	{ "clone3", "address:uargs size" },
	{ "wait4", "number:upid address:stat_addr wait:options address:ru" },
	{ "waitid", "number:which number:upid address:infop wait:options address:ru" },
	{ "exit", "number:error_code" },
	{ "exit_group", "number:error_code" },
	{ "kill", "number:pid signal:sig" },
	{ "tkill", "number:pid signal:sig" },
	{ "tgkill", "number:tgid number:pid signal:sig" },
	{ "rt_sigaction", "signal:sig address:act address:oact size:sigsetsize" },
	{ "rt_sigprocmask", "sigmask:how address:nset address:oset size:sigsetsize" },
	{ "rt_sigsuspend", "address:unewset size:sigsetsize" },
	{ "rt_sigtimedwait", "address:uthese address:uinfo address:uts size:sigsetsize" },
	{ "rt_sigreturn", "" },
	{ "pause", "" },
	{ "getpid", "" }, { "getppid", "" }, { "gettid", "" },
	{ "getuid", "" }, { "geteuid", "" }, { "getgid", "" }, { "getegid", "" },
	{ "setuid", "number:uid" }, { "setgid", "number:gid" },
	{ "setpgid", "number:pid number:pgid" }, { "getpgid", "number:pid" },
	{ "setsid", "" }, { "getsid", "number:pid" },
	{ "prctl", "number:option hex:arg2 hex:arg3 hex:arg4 hex:arg5" },
	{ "arch_prctl", "hex:option hex:arg2" },
	{ "prlimit64", "number:pid number:resource address:new_rlim address:old_rlim" },
	{ "sched_yield", "" },
	{ "sched_setaffinity", "number:pid size:len address:user_mask" },
	{ "sched_getaffinity", "number:pid size:len address:user_mask" },
	{ "sched_rr_get_interval", "number:pid address:interval" },
	{ "set_tid_address", "address:tidptr" },
	{ "set_robust_list", "address:head size:len" },
	{ "futex", "address:uaddr futex:op hex:val address:utime address:uaddr2 hex:val3" },
	{ "ptrace", "number:request number:pid address:addr address:data" },
	{ "seccomp", "number:op hex:flags address:uargs" },
	{ "unshare", "clone:unshare_flags" },
	{ "setns", "fd clone:nstype" },
	{ "bpf", "number:cmd address:uattr size" },
	{ "perf_event_open", "address:attr_uptr number:pid number:cpu fd:group_fd hex:flags" },
	/* time */
	{ "nanosleep", "address:rqtp address:rmtp" },
	{ "clock_nanosleep", "clock:which_clock hex:flags address:rqtp address:rmtp" },
	{ "clock_gettime", "clock:which_clock address:tp" },
	{ "gettimeofday", "address:tv address:tz" },
	{ "timerfd_create", "clock:clockid hex:flags" },
	{ "timerfd_settime", "fd:ufd hex:flags address:utmr address:otmr" },
	{ "getrandom", "address:ubuf size:len hex:flags" },
	{ "uname", "address:name" },
	{ "sysinfo", "address:info" },
	/* sockets */
	{ "socket", "family socket:type number:protocol" },
	{ "socketpair", "family socket:type number:protocol address:usockvec" },
	{ "bind", "fd sockaddr:umyaddr size:addrlen" },
	{ "connect", "fd sockaddr:uservaddr size:addrlen" },
	{ "listen", "fd number:backlog" },
	{ "accept", "fd address:upeer_sockaddr address:upeer_addrlen" },
	{ "accept4", "fd address:upeer_sockaddr address:upeer_addrlen socket_flags:flags" },
	{ "sendto", "fd address:buff size:len msg:flags sockaddr:addr size:addr_len" },
	{ "recvfrom", "fd address:ubuf size msg:flags address:addr address:addr_len" },
	{ "sendmsg", "fd address:msg msg:flags" },
	{ "recvmsg", "fd address:msg msg:flags" },
	{ "sendmmsg", "fd address:mmsg size:vlen msg:flags" },
	{ "recvmmsg", "fd address:mmsg size:vlen msg:flags address:timeout" },
	{ "shutdown", "fd number:how" },
	{ "setsockopt", "fd number:level number:optname address:optval size:optlen" },
	{ "getsockopt", "fd number:level number:optname address:optval address:optlen" },
	{ "getsockname", "fd address:usockaddr address:usockaddr_len" },
	{ "getpeername", "fd address:usockaddr address:usockaddr_len" },
	/* System V */
	{ "shmget", "hex:key size shm:flag" },
	{ "shmat", "number:shmid address:shmaddr hex:shmflg" },
	{ "shmdt", "address:shmaddr" },
	{ "shmctl", "number:shmid number:cmd address:buf" },
	{ "io_uring_setup", "size:entries address:params" },
	{ "io_uring_enter",
	  "fd size:to_submit size:min_complete hex:flags address:argp size:argsz" },
};

const char *call_arguments(const char *call)
{
	for (size_t i = 0; call && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, call))
			return calls[i].arguments;
	return NULL;
}

bool next_argument(const char **at, struct argument *a)
{
	const char *colon;
	size_t length;

	*at += strspn(*at, " ");
	length = strcspn(*at, " ");
	if (!length)
		return false;
	colon = memchr(*at, ':', length);
	a->kind = *at;
	a->kind_length = colon ? (size_t)(colon - *at) : length;
	a->name = colon ? colon + 1 : *at;
	a->name_length = colon ? length - a->kind_length - 1 : length;
	*at += length;
	return true;
}

bool argument_is(const struct argument *a, const char *kind)
{
	return a->kind_length == strlen(kind) && !memcmp(a->kind, kind, a->kind_length);
}

uint64_t call_plan(const char *call)
{
	const char *at = call_arguments(call);
	uint64_t plan = PLAN_WANTED;
	unsigned int shift = PLAN_FIRST_SHIFT;
	struct argument a;

	if (call && (!strcmp(call, "exit") || !strcmp(call, "exit_group")))
		plan |= PLAN_NO_RETURN;
	for (uint64_t i = 1; at && i <= SYSTRACE_ARGUMENTS && next_argument(&at, &a); i++) {
		bool address = argument_is(&a, "sockaddr");

		/* A call has texts or one address. */
		if ((!address && !argument_is(&a, "path")) || shift > PLAN_SECOND_SHIFT)
			continue;
		plan |= i << shift | (address ? PLAN_SOCKADDR : 0);
		shift += PLAN_SECOND_SHIFT - PLAN_FIRST_SHIFT;
	}
	return plan;
}
