// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/random.h"

#define TEXT_MOST (64u << 20)

/* The path of a file below dir; false if it is too long. */
static bool below(const char *dir, const char *file, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s", dir, file) < PATH_MAX;
}

int tracefs_write(const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];

	return below(dir, file, path) ? file_write(path, text) : -ENAMETOOLONG;
}

int tracefs_read(const char *dir, const char *file, char *buffer, size_t size)
{
	char path[PATH_MAX];

	return below(dir, file, path) ? file_read(path, buffer, size) : -ENAMETOOLONG;
}

char *tracefs_text(const char *dir, const char *file)
{
	char path[PATH_MAX];

	if (below(dir, file, path))
		return file_text(path, TEXT_MOST, NULL);
	errno = ENAMETOOLONG;
	return NULL;
}

int tracefs_lock(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat ours, now;
	int error;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		error = -errno;
	} else if (fstat(fd, &ours) || stat(path, &now)) {
		error = -errno;
	} else if (ours.st_ino != now.st_ino || ours.st_dev != now.st_dev) {
		error = -ENOENT;
	} else {
		return fd;
	}
	close(fd);
	return error;
}

/* Names need only be different: if a name is taken, the caller tries another. */
void tracefs_random(char name[7])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	uint64_t value = random_number();
	int i;

	for (i = 0; i < 6; i++) {
		name[i] = letters[value % (sizeof(letters) - 1)];
		value /= sizeof(letters) - 1;
	}
	name[6] = '\0';
}

int tracefs_fail(struct error *err, int error, const char *format, ...)
{
	static const struct {
		int error;
		const char *advice;
	} table[] = {
		{ EACCES,
		  "tracefs belongs to root: run sonde as root, or give it CAP_DAC_OVERRIDE" },
		{ EPERM, "kernel lockdown (see /sys/kernel/security/lockdown) or another security "
			 "module forbids tracing, or sonde runs in a container without "
			 "CAP_SYS_ADMIN" },
		{ ENOENT, "this kernel has no such file in tracefs: it was built without this part "
			  "of ftrace" },
		{ ENOMEM, "the kernel has no memory for its ring buffers: use a smaller "
			  "--buffer-pages" },
		{ EROFS, "tracefs is mounted read-only: mount -o remount,rw it, or run sonde "
			 "outside the container" },
	};
	char what[512];
	va_list args;
	unsigned int i;

	va_start(args, format);
	text_vcut(what, sizeof(what), format, args);
	va_end(args);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].error == error)
			return fail_with(err, error, "%s: %m\n%s", what, table[i].advice);
	return fail_with(err, error, "%s: %m", what);
}

bool tracefs_words(const char *tracefs, const char *name, char *words, size_t size)
{
	char *text = tracefs_text(tracefs, "error_log"), *last = text, *next;
	bool found;

	while (last && (next = strstr(last + 1, "error: ")))
		last = next;
	found = last && !strncmp(last, "error: ", 7) && strstr(last, name);
	if (found)
		text_cut(words, size, "%.*s", (int)strcspn(last + 7, "\n"), last + 7);
	free(text);
	return found;
}

int tracefs_missing(struct error *err)
{
	return fail(err, "tracefs is not mounted\n"
		    "run sonde as root, which mounts it, or mount -t tracefs nodev "
		    "/sys/kernel/tracing");
}
