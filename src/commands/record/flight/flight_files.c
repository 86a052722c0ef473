// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/perf/perf_data.h"

#define PART FLIGHT_NAME "part"
#define NUMBER_MOST 99999999

/* Returns the number of a file with such a name, or 0. */
static unsigned int number_of(const char *name)
{
	const char *at = name;
	uint64_t number;

	return scan_text(&at, FLIGHT_NAME) && strlen(at) >= 4 &&
	       scan_number(&at, NUMBER_MOST, &number) && !*at ? (unsigned int)number : 0;
}

static bool name_of(unsigned int number, char name[32])
{
	return text_all(name, 32, FLIGHT_NAME "%04u", number);
}

/* A perf.data of sonde has its table of sections behind the header. Returns its bytes, or 0. */
static uint64_t own_bytes(const struct flight_files *f, const char *name)
{
	const int fd = openat(f->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint64_t words[PERF_FILE_HEADER / 8 + 1];
	struct stat s;
	bool own;

	if (fd < 0)
		return 0;
	own = !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
	      pread(fd, words, sizeof(words), 0) == sizeof(words) && words[0] == PERF_MAGIC &&
	      words[PERF_FILE_HEADER / 8] == PERF_EARLY_TABLE;
	close(fd);
	return own ? (uint64_t)s.st_size : 0;
}

struct files_seen {
	unsigned int n, oldest, newest;	/* own files, and the newest number of any file */
	uint64_t bytes;
};

static void look(const struct flight_files *f, struct files_seen *to)
{
	const int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*to = (struct files_seen){ };
	while (dir && (entry = readdir(dir))) {
		const unsigned int number = number_of(entry->d_name);
		const uint64_t bytes = number ? own_bytes(f, entry->d_name) : 0;

		to->newest = number > to->newest ? number : to->newest;
		if (!bytes)
			continue;
		to->n++;
		to->bytes += bytes;
		to->oldest = !to->oldest || number < to->oldest ? number : to->oldest;
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

int flight_files_open(struct flight_files *f, const char *path, struct error *err)
{
	struct files_seen seen;

	f->path = path;
	f->fd = -1;
	if (!text_all(f->part, sizeof(f->part), "%s/%s", path, PART))
		return fail(err, "the name of the folder is too long");
	if (mkdir(path, 0700) && errno != EEXIST)
		return fail_with(err, errno, "can't make the folder %s: %m", path);
	f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0)
		return fail_with(err, errno, "can't open the folder %s: %m\n"
				 "with --last, -o takes a folder", path);
	if (flock(f->fd, LOCK_EX | LOCK_NB))
		return fail(err, "another sonde records into %s: give another folder (-o)", path);
	unlinkat(f->fd, PART, 0);	/* of one that was killed while it wrote */
	look(f, &seen);
	f->next = seen.newest + 1;
	return 0;
}

void flight_files_close(struct flight_files *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

void flight_files_room(struct flight_files *f, uint64_t bytes)
{
	struct files_seen seen;
	char name[32];

	for (look(f, &seen); seen.n; look(f, &seen)) {
		if ((!f->most || seen.n < f->most) &&
		    (!f->bytes || seen.bytes + bytes <= f->bytes))
			return;
		/* one that can't be removed would be the oldest for ever */
		if (!name_of(seen.oldest, name) || unlinkat(f->fd, name, 0))
			return;
	}
}

int flight_files_keep(struct flight_files *f, unsigned int *number, struct error *err)
{
	char name[32];

	/* Names that another program took meanwhile are passed over. */
	for (; f->next <= NUMBER_MOST && name_of(f->next, name); f->next++) {
		if (faccessat(f->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT) {
			*number = f->next++;
			return renameat(f->fd, PART, f->fd, name) ?
			       fail_with(err, errno, "can't name a file of %s: %m", f->path) : 0;
		}
	}
	return fail(err, "%s has no number left for a file", f->path);
}
