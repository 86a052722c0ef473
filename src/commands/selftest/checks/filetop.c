// SPDX-License-Identifier: GPL-2.0
/* filetop: bytes that calls moved, not those that were asked for. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define WRITES 5
#define BYTES 700

struct state {
	int fd;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[WORK_PATH];

	text_all(path, sizeof(path), "%s/file", w->folder);
	s->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return s->fd < 0 ? not_here(w, "can't make a file: %s", strerror(errno)) : 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	char buffer[2 * BYTES] = "";

	for (int i = 0; i < WRITES; i++)
		if (write(s->fd, buffer, BYTES) != BYTES)
			return not_here(w, "can't write: %s", strerror(errno));
	/* more than there is; at the end; a failure */
	if (pread(s->fd, buffer, sizeof(buffer), (WRITES - 1) * BYTES) != BYTES ||
	    pread(s->fd, buffer, sizeof(buffer), WRITES * BYTES) != 0 ||
	    pread(s->fd, buffer, sizeof(buffer), -1) != -1)
		return not_here(w, "can't read: %s", strerror(errno));
	return 0;
}

/* The workload's only file. A write may be counted in one table, and the next in another. */
static void check(struct found *f)
{
	int64_t reads = 0, writes = 0, in = 0, out = 0;

	if (!found_sum(f, "reads", &reads) || !found_sum(f, "writes", &writes) ||
	    !found_sum(f, "read_bytes", &in) || !found_sum(f, "written_bytes", &out))
		return;
	found_between(f, "reads", 2, reads, 2);
	found_between(f, "writes", WRITES, writes, WRITES);
	found_between(f, "bytes read", BYTES, in, BYTES);
	found_between(f, "bytes written", WRITES * BYTES, out, WRITES * BYTES);
}

static const char *const options[] = { "--pid", "%pid", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .prepare = prepare, .work = work, .check = check },
	{ }
};

SELFTEST(filetop, parts, .state_size = sizeof(struct state));
