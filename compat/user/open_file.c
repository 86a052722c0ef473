// SPDX-License-Identifier: GPL-2.0
#include "compat/user/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int open_file(const char *path)
{
	return open_file_at(open(path, O_PATH | O_CLOEXEC));
}

int open_file_at(int fd)
{
	char name[32];
	struct stat st;
	int file, error;

	if (fd < 0)
		return -1;
	error = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(fd);
	return file;
}
