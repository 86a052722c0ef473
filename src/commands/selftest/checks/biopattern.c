// SPDX-License-Identifier: GPL-2.0
/* biopattern: writes one behind the other, and reads at places apart, on a disk of its own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/disk.h"

#define WRITES 40
#define READS 20
#define SIZE 65536		/* no page is larger */
#define MOST 5			/* reads by udev and the like, which look for a file system */

struct state {
	int fd;
	void *bytes;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char name[32];

	s->fd = disk_direct(w, WRITES * SIZE, SIZE, &s->bytes, name, sizeof(name));
	return s->fd < 0 ? -1 : 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < WRITES; i++)
		if (pwrite(s->fd, s->bytes, SIZE, (off_t)i * SIZE) != SIZE)
			return not_here(w, "writing to a disk: %s", strerror(errno));
	for (int i = READS; i > 0; i--)
		if (pread(s->fd, s->bytes, SIZE, (off_t)i * SIZE) != SIZE)
			return not_here(w, "reading from a disk: %s", strerror(errno));
	return 0;
}

/* A member of the row of this type; -1: there is none. */
static int64_t of_type(const struct found *f, const char *type, const char *member)
{
	for (size_t i = 0; i < f->rows.n; i++) {
		struct json value;
		int64_t n;
		char text[8];

		if (!json_member(f->rows.rows[i], "type", &value) ||
		    !json_text(value, text, sizeof(text)) || strcmp(text, type))
			continue;
		if (json_member(f->rows.rows[i], member, &value) && json_integer(value, &n))
			return n;
	}
	return -1;
}

static void check(struct found *f)
{
	found_between(f, "writes", WRITES, of_type(f, "W", "count"), WRITES);
	found_between(f, "kbytes written", WRITES * (SIZE / 1024), of_type(f, "W", "kbytes"),
		      WRITES * (SIZE / 1024));
	found_between(f, "% in sequence", 100, of_type(f, "W", "sequential_pct"), 100);
	found_between(f, "reads", READS, of_type(f, "R", "count"), READS + MOST);
	/* others may read in sequence */
	found_between(f, "% at random", 70, of_type(f, "R", "random_pct"), 100);
}

static const char *const options[] = { "-d", "%disk", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, NULL, prepare, work, check },
	{ }
};

SELFTEST(biopattern, parts, .state_size = sizeof(struct state), .cleanup = disk_remove);
