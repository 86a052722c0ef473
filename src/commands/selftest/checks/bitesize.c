// SPDX-License-Identifier: GPL-2.0
/* bitesize: writes of known sizes to a disk that nobody else uses. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/disk.h"

#define SMALL 40
#define LARGE 20
#define SIZE 65536		/* bytes of a large one; no page is larger */
#define MOST 5			/* reads by udev and the like, which look for a file system */

struct state {
	int fd;
	void *bytes;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char name[32];

	s->fd = disk_direct(w, 64 * SIZE, SIZE, &s->bytes, name, sizeof(name));
	return s->fd < 0 ? -1 : 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < SMALL + LARGE; i++) {
		size_t size = i < SMALL ? 4096 : SIZE;

		if (pwrite(s->fd, s->bytes, size, 0) != (ssize_t)size)
			return not_here(w, "writing to a disk: %s", strerror(errno));
	}
	return 0;
}

/* Without those of others the values add up to ours at least: 4 and 64 KB. */
static void check(struct found *f)
{
	int64_t kbytes = SMALL * 4 + LARGE * (SIZE / 1024);

	found_between(f, "writes", SMALL + LARGE, found_counted(f, NULL, NULL),
		      SMALL + LARGE + MOST);
	found_between(f, "kbytes", kbytes, found_total(f), kbytes + MOST * 1024);
}

static const char *const options[] = { "-d", "%disk", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, NULL, prepare, work, check },
	{ }
};

SELFTEST(bitesize, parts, .state_size = sizeof(struct state), .cleanup = disk_remove);
