// SPDX-License-Identifier: GPL-2.0
#include "src/commands/boot/boot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"

/* The first is in memory wherever there is a service manager. */
static const char *const usual[] = {
	"/run/sonde-boot.perf", "/var/run/sonde-boot.perf", "/tmp/sonde-boot.perf",
	"/sonde-boot.perf", NULL
};

/* Returns 0 or -errno. */
static int copy_bytes(int from, int to)
{
	char bytes[16384];
	int error = 0;
	ssize_t n;

	while (!error && (n = read(from, bytes, sizeof(bytes))))
		error = n < 0 ? -errno : file_write_all(to, bytes, (size_t)n);
	return error;
}

static int stat_folder(const char *path, struct stat *s)
{
	char folder[PATH_MAX];

	text_all(folder, sizeof(folder), "%.*s/.", (int)(strrchr(path, '/') - path), path);
	return stat(folder, s);
}

/* A part of a copy would pass for the whole: it does not stay. */
static int copy_to(int from, const char *path, struct stat *folder, struct error *err)
{
	const int to = file_create(path);
	int error = to < 0 ? -to : 0;

	if (to >= 0) {
		if (fchmod(to, 0600) || lseek(from, 0, SEEK_SET) || stat_folder(path, folder))
			error = errno;
		else
			error = -copy_bytes(from, to);
		if (close(to) && !error)
			error = errno;
		if (error)
			unlink(path);
	}
	return error ? fail_with(err, error, "can't write %s: %m", path) : 0;
}

/* The first of the usual places that can be written; err is that of the first. */
static const char *copy_anywhere(int from, struct stat *folder, struct error *err)
{
	struct error why = { };

	for (const char *const *at = usual; *at; at++) {
		if (!copy_to(from, *at, folder, at == usual ? err : &why)) {
			*err = (struct error){ };
			return *at;
		}
	}
	return NULL;
}

int boot_copy(struct boot_copy *c, int from, const char *path, struct error *err)
{
	c->path = path;
	if (!path)
		c->path = copy_anywhere(from, &c->folder, err);
	else if (copy_to(from, path, &c->folder, err))
		c->path = NULL;
	return c->path ? 0 : -1;
}

bool boot_copy_covered(const struct boot_copy *c)
{
	struct stat s;

	return stat_folder(c->path, &s) || s.st_dev != c->folder.st_dev ||
	       s.st_ino != c->folder.st_ino;
}
