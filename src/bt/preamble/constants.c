// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that headers have as macros, which type information does not keep. Scripts include these
 * headers. The numbers are a part of the kernel's interface to programs, and differ by the machine
 * only: so the C library that sonde is compiled with has them.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "src/bt/preamble/preamble.h"

#define ROW(NAME) { #NAME, NAME }

static const struct {
	const char *name;
	int64_t value;
} constants[] = {
	ROW(AF_UNSPEC), ROW(AF_UNIX), ROW(AF_LOCAL), ROW(AF_INET), ROW(AF_INET6), ROW(AF_NETLINK),
	ROW(AF_PACKET),
	ROW(O_RDONLY), ROW(O_WRONLY), ROW(O_RDWR), ROW(O_ACCMODE), ROW(O_CREAT), ROW(O_EXCL),
	ROW(O_TRUNC), ROW(O_APPEND), ROW(O_NONBLOCK), ROW(O_DIRECTORY), ROW(O_NOFOLLOW),
	ROW(O_CLOEXEC), ROW(AT_FDCWD),
	ROW(S_IFMT), ROW(S_IFSOCK), ROW(S_IFLNK), ROW(S_IFREG), ROW(S_IFBLK), ROW(S_IFDIR),
	ROW(S_IFCHR), ROW(S_IFIFO),
	ROW(PROT_READ), ROW(PROT_WRITE), ROW(PROT_EXEC), ROW(MAP_SHARED), ROW(MAP_PRIVATE),
	ROW(MAP_FIXED), ROW(MAP_ANONYMOUS),
	ROW(SIGHUP), ROW(SIGINT), ROW(SIGQUIT), ROW(SIGILL), ROW(SIGTRAP), ROW(SIGABRT),
	ROW(SIGBUS), ROW(SIGFPE), ROW(SIGKILL), ROW(SIGUSR1), ROW(SIGSEGV), ROW(SIGUSR2),
	ROW(SIGPIPE), ROW(SIGALRM), ROW(SIGTERM), ROW(SIGCHLD), ROW(SIGCONT), ROW(SIGSTOP),
	/* prev_state of sched_switch; the kernel's own header has them */
	{ "TASK_RUNNING", 0 }, { "TASK_INTERRUPTIBLE", 1 }, { "TASK_UNINTERRUPTIBLE", 2 },
};

bool bt_constant(const char *name, size_t length, int64_t *value)
{
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		*value = constants[i].value;
		if (strlen(constants[i].name) == length &&
		    !memcmp(constants[i].name, name, length))
			return true;
	}
	return false;
}
