// SPDX-License-Identifier: GPL-2.0
#include "compat/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* An open file. read() returns the number of bytes, 0 at the end, or -1 on errors. */
struct source {
	int (*read)(struct source *s, char *to, unsigned int size);
	int fd;
	gzFile gz;
};

static int read_fd(struct source *s, char *to, unsigned int size)
{
	ssize_t n;

	do
		n = read(s->fd, to, size);
	while (n < 0 && errno == EINTR);
	return (int)n;
}

static int read_gz(struct source *s, char *to, unsigned int size)
{
	return gzread(s->gz, to, size);
}

static char *read_all(struct source *s, size_t max, size_t *length)
{
	size_t size = 0, used = 0;
	char *text = NULL, *grown;
	int n = 0;

	do {
		used += n;
		if (used + 1 >= size) {
			size = size ? size * 2 : 4096;
			grown = realloc(text, size);
			if (!grown) {
				free(text);
				return NULL;
			}
			text = grown;
		}
		n = used < max ? s->read(s, text + used, size - used - 1) : 0;
	} while (n > 0);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[used] = 0;
	if (length)
		*length = used;
	return text;
}

char *file_text(const char *path, size_t max, size_t *length)
{
	struct source s = { read_fd, open(path, O_RDONLY | O_CLOEXEC), NULL };
	char *text;
	int error;

	if (s.fd < 0)
		return NULL;
	text = read_all(&s, max, length);
	error = errno;
	close(s.fd);
	errno = error;
	return text;
}

char *gz_text(const char *path, size_t max, size_t *length)
{
	struct source s = { read_gz, -1, gzopen(path, "rbe") };
	char *text;

	if (!s.gz)
		return NULL;
	text = read_all(&s, max, length);
	gzclose_r(s.gz);	/* gzclose() would link the deflater */
	return text;
}

int file_read(const char *path, char *to, size_t size)
{
	struct source s = { read_fd, open(path, O_RDONLY | O_CLOEXEC), NULL };
	size_t length = 0;
	int n, error = 0;

	if (s.fd < 0)
		return -errno;
	while (length < size && (n = s.read(&s, to + length, size - length)))
		if (n < 0) {
			error = -errno;
			break;
		} else {
			length += n;
		}
	close(s.fd);
	if (error || length == size)
		return error ? error : -EFBIG;
	to[length] = '\0';
	return (int)length;
}

int file_begin(int dir, const char *path, char *to, size_t size)
{
	struct source s = { read_fd, openat(dir, path, O_RDONLY | O_CLOEXEC), NULL };
	int n = s.fd < 0 ? -errno : s.read(&s, to, size - 1);

	if (s.fd >= 0) {
		n = n < 0 ? -errno : n;
		close(s.fd);
	}
	to[n < 0 ? 0 : n] = '\0';
	return n;
}

bool file_line(const char *path, char *to, size_t size)
{
	const int n = file_begin(AT_FDCWD, path, to, size);
	const size_t length = strcspn(to, "\n");
	const bool whole = n >= 0 && length < size - 1;

	to[whole ? length : 0] = '\0';
	return whole;
}

int file_link(int dir, const char *path, char *to, size_t size)
{
	const ssize_t n = readlinkat(dir, path, to, size);
	const int result = n < 0 ? -errno : (size_t)n == size ? -ENAMETOOLONG : (int)n;

	to[result < 0 ? 0 : result] = '\0';
	return result;
}

int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	size_t length = strlen(text);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do
		n = write(fd, text, length);
	while (n < 0 && errno == EINTR);
	error = n < 0 ? -errno : (size_t)n < length ? -EIO : 0;
	close(fd);
	return error;
}

static bool is_own_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && (!st.st_uid || st.st_uid == geteuid());
}

int file_create(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
	int fd = open(path, flags | O_NOFOLLOW, 0666), error = 0;

	if (fd < 0 && errno == ELOOP && is_own_link(path))
		fd = open(path, flags, 0666);
	if (fd < 0)
		return -errno;
	/* Pipes and devices have no length. */
	if (ftruncate(fd, 0) && errno != EINVAL) {
		error = -errno;
		close(fd);
	}
	return error ? error : fd;
}

int file_create_private(const char *path)
{
	const mode_t before = umask(077);
	const int fd = file_create(path);

	umask(before);
	return fd;
}

int file_write_all(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		const ssize_t done = write(fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

static void close_other(bool (*kept)(void *arg, int fd), void *arg, int fd, int null)
{
	if (fd == null || kept(arg, fd))
		return;
	if (fd > STDERR_FILENO || null < 0)
		close(fd);
	else
		dup2(null, fd);
}

#define FILES_MOST (1 << 20)		/* RLIMIT_NOFILE may be much higher */

/* Without /proc, or without a descriptor for it, all that may be open. */
static void close_all_numbers(bool (*kept)(void *arg, int fd), void *arg, int null)
{
	const long open = sysconf(_SC_OPEN_MAX), most = open < FILES_MOST ? open : FILES_MOST;

	for (int fd = 0; fd < most; fd++)
		if (fd <= STDERR_FILENO || fcntl(fd, F_GETFD) >= 0)
			close_other(kept, arg, fd, null);
}

void file_close_all(bool (*kept)(void *arg, int fd), void *arg)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *d;

	if (!dir)
		close_all_numbers(kept, arg, null);
	while (dir && (d = readdir(dir))) {
		int fd = atoi(d->d_name);

		if (d->d_name[0] != '.' && fd != dirfd(dir))
			close_other(kept, arg, fd, null);
	}
	if (dir)
		closedir(dir);
	if (null > STDERR_FILENO)
		close(null);
}
