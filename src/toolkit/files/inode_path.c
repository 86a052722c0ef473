// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/files/inode_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"

/*
 * What these file systems make of a file for NFS (FILEID_INO32_GEN of the kernel's exportfs.h): its
 * number, and its generation, where 0 stands for any.
 */
struct handle {
	struct file_handle head;
	uint32_t inode, generation;
};

/* Returns a descriptor that opens nothing (O_PATH); -1 with errno: there is none. */
static int open_inode(int place, uint32_t inode)
{
	struct handle h = {
		.head = { .handle_bytes = 2 * sizeof(uint32_t), .handle_type = 1 },
		.inode = inode,
	};

	return open_by_handle_at(place, &h.head, O_PATH | O_CLOEXEC);
}

const char *inode_path_refused(void)
{
	int fd = open_inode(AT_FDCWD, 0);		/* no file has this number */

	if (fd >= 0)
		close(fd);
	else if (errno == ENOSYS)
		return "this kernel has no open_by_handle_at(2) (CONFIG_FHANDLE)";
	else if (errno == EPERM)
		return "this user lacks the capability CAP_DAC_READ_SEARCH";
	return NULL;
}

/* The path that the kernel tells of a file which is not below the mount leads elsewhere. */
static bool leads_to(const char *root, const char *path, const struct stat *file)
{
	char whole[PATH_MAX];
	struct stat at;

	text_all(whole, sizeof(whole), "%s%s", root, path);
	return !lstat(whole, &at) && at.st_dev == file->st_dev && at.st_ino == file->st_ino;
}

bool inode_path(const struct mounts *m, uint32_t dev, uint64_t inode, char *to, size_t size)
{
	const char *root;
	int place = inode <= UINT32_MAX ? mounts_open(m, dev, &root) : -1, fd;
	char link[32];
	struct stat file;
	int n = -1;

	if (place < 0)
		return false;
	fd = open_inode(place, (uint32_t)inode);
	close(place);
	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &file) && file.st_ino == inode)
		n = file_link(AT_FDCWD, link, to, size);
	close(fd);
	return n >= 0 && leads_to(root, to, &file);
}
