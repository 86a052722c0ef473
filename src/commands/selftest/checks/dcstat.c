// SPDX-License-Identifier: GPL-2.0
/*
 * dcstat: names relative to an open directory, some of a file that is there. Each of the others is
 * new, since file systems keep that a name is not there, also from one engine's turn to the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/selftest/selftest.h"

#define ROUNDS 20

struct state {
	int folder;
	unsigned long long turn;	/* in the names: ns */
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	int fd;

	s->turn = monotonic_ns();
	s->folder = open(w->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(s->folder, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return not_here(w, "%s: %s", w->folder, strerror(errno));
	close(fd);
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	struct stat status;
	char name[64];

	for (int i = 0; i < ROUNDS; i++) {
		snprintf(name, sizeof(name), "none-%llu-%d", s->turn, i);
		if (fstatat(s->folder, "file", &status, 0) || !mkdirat(s->folder, "file", 0700) ||
		    !fstatat(s->folder, name, &status, 0))
			return not_here(w, "the folder does not keep its files");
		snprintf(name, sizeof(name), "new-%llu-%d", s->turn, i);
		if (!unlinkat(s->folder, name, 0))
			return not_here(w, "the folder does not keep its files");
	}
	return 0;
}

static void check(struct found *f)
{
	static const struct { const char *member; int64_t rounds; } wanted[] = {
		{ "refs", 4 }, { "slow", 3 }, { "misses", 2 },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		int64_t least = wanted[i].rounds * ROUNDS, n = 0;

		found_sum(f, wanted[i].member, &n);
		found_between(f, wanted[i].member, least, n, f->foreign ? INT64_MAX : least);
	}
}

static const char *const options[] = { "--pid", "%pid", "3600", NULL };
static const char *const foreign[] = { "3600", NULL };	/* of all processes: at least ours */

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work,
	  .check = check },
	{ }
};

SELFTEST(dcstat, parts, .state_size = sizeof(struct state));
