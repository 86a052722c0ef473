// SPDX-License-Identifier: GPL-2.0
/* slabratetop: sockets come from a cache of their own, one by one. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define SOCKETS 100

static int prepare(struct work *w)
{
	(void)w;
	return 0;
}

static int work(struct work *w)
{
	for (int i = 0; i < SOCKETS; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd < 0)
			return not_here(w, "can't make a socket: %s", strerror(errno));
		close(fd);
	}
	return 0;
}

static void check(struct found *f)
{
	int64_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json cache, allocs;
		char name[64] = "";
		int64_t more;

		if (json_member(f->rows.rows[i], "cache", &cache) &&
		    json_member(f->rows.rows[i], "allocs", &allocs) &&
		    json_text(cache, name, sizeof(name)) && !strcmp(name, "sock_inode_cache") &&
		    json_integer(allocs, &more))
			n += more;
	}
	found_between(f, "sockets", SOCKETS, n, f->foreign ? INT64_MAX : SOCKETS);
}

static const char *const options[] = { "--pid", "%pid", "3600", NULL };
static const char *const foreign[] = { "3600", NULL };	/* of all processes: at least ours */

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work,
	  .check = check },
	{ }
};

SELFTEST(slabratetop, parts);
