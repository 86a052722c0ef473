// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/lib/output/sink.h"

#define NAME "sonde.prom"
#define NEW ".sonde.prom.new"	/* the collector reads *.prom */

/* Returns 0, or an errno. Another user's file of that name is not written to. */
static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		const ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return errno;
		bytes += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

static int replace(const struct textfile *t, const char *bytes, size_t n)
{
	int fd, error;

	unlinkat(t->folder, NEW, 0);
	fd = openat(t->folder, NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return errno;
	/* Whatever the umask says: the collector is another user. */
	fchmod(fd, 0644);
	error = write_all(fd, bytes, n);
	if (close(fd) && !error)
		error = errno;
	if (!error && renameat(t->folder, NEW, t->folder, NAME))
		error = errno;
	if (error)
		unlinkat(t->folder, NEW, 0);
	return error;
}

int textfile_open(struct textfile *t, const char *path, struct error *err)
{
	int error;

	*t = (struct textfile){ .path = path, .folder = -1, .reader.from = -1 };
	t->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	error = t->folder < 0 ? errno : replace(t, "", 0);
	return error ? fail_with(err, error, "--textfile: can't write %s/" NAME ": %m", path) : 0;
}

static void write_page(struct textfile *t)
{
	const int error = replace(t, t->reader.page.s, t->reader.page.n);

	/* Once, and not each time. */
	if (error && error != t->error)
		fprintf(sink_err(), "sonde: export: can't write %s/" NAME ": %s\n"
				    "the old one stays; it is tried again\n", t->path,
			strerror(error));
	if (!error && t->error)
		fprintf(sink_err(), "sonde: export: %s/" NAME " is written again\n", t->path);
	t->error = error;
}

void textfile_take(struct textfile *t)
{
	while (page_take(&t->reader))
		write_page(t);
}

void textfile_close(struct textfile *t)
{
	if (t->folder < 0)
		return;
	unlinkat(t->folder, NAME, 0);
	close(t->folder);
	free(t->reader.page.s);
}
