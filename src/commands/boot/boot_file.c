// SPDX-License-Identifier: GPL-2.0
#include "src/commands/boot/boot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "src/run/stop.h"

#define WAIT_S 60

/* The first is in memory wherever there is a service manager. */
static const char *const usual[] = {
	"/run/sonde-boot.perf", "/var/run/sonde-boot.perf", "/tmp/sonde-boot.perf",
	"/sonde-boot.perf", NULL
};

static int write_all(int to, const char *bytes, size_t n)
{
	while (n) {
		const ssize_t done = write(to, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

static int copy_bytes(int from, int to)
{
	char bytes[16384];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write_all(to, bytes, (size_t)n))
			return -1;
	return n < 0 ? -1 : 0;
}

/* A part of a copy would pass for the whole: it does not stay. */
static int copy_to(int from, const char *path, struct error *err)
{
	const int to = file_create(path);
	int error = to < 0 ? -to : 0;

	if (to >= 0) {
		if (fchmod(to, 0600) || lseek(from, 0, SEEK_SET) || copy_bytes(from, to))
			error = errno;
		if (close(to) && !error)
			error = errno;
		if (error)
			unlink(path);
	}
	return error ? fail_with(err, error, "can't write %s: %m", path) : 0;
}

/* The file system may be mounted later, or become writable. */
static bool may_come(int error)
{
	return error == ENOENT || error == EROFS || error == ENOTDIR;
}

const char *boot_file_keep(int fd, const char *path, struct error *err)
{
	struct error why = { };

	for (int i = 0; path && i <= WAIT_S; i++) {
		if (!copy_to(fd, path, err)) {
			*err = (struct error){ };
			return path;
		}
		if (stop_signal || !may_come(err->number) || i == WAIT_S)
			break;
		sleep_ns(NS_PER_SECOND);
	}
	for (const char *const *at = usual; *at; at++)
		if (!copy_to(fd, *at, path ? &why : err)) {
			if (!path)
				*err = (struct error){ };
			return *at;
		}
	return NULL;
}
