// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/own_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/wait.h>

#define STACK 32768

struct made {
	int fd, error;
};

/* Runs in a mount namespace of its own, with sonde's memory and file descriptors. */
static int mount_it(void *arg)
{
	static const char *const types[] = { "tmpfs", "ramfs" };
	static const char *const points[] = { "/sys", "/proc", "/tmp", "/dev" };
	struct made *m = arg;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		m->error = errno;
		return 0;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (size_t j = 0; j < sizeof(points) / sizeof(points[0]); j++) {
			if (!mount("none", points[j], types[i], 0, NULL))
				m->fd = open(points[j], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			m->error = errno;
			if (m->fd >= 0)
				return 0;
		}
	return 0;
}

int own_folder(struct error *err)
{
	char stack[STACK] __attribute__((aligned(16)));
	struct made m = { -1, 0 };
	pid_t pid = clone(mount_it, stack + STACK,
			  CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_NEWNS | SIGCHLD, &m);

	if (pid < 0)
		m.error = errno;
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (m.fd < 0)
		fail_with(err, m.error, "can't make a folder in memory: %m");
	return m.fd;
}
