// SPDX-License-Identifier: GPL-2.0
/* compactsnoop: a process that asks for it compacts each zone of memory once. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "src/commands/selftest/selftest.h"

#define ZONEINFO_MOST (1 << 20)

/* Zones that have memory: their number of pages is not 0. */
static int64_t zones(void)
{
	static const char present[] = "\n        present ";
	char *text = file_text("/proc/zoneinfo", ZONEINFO_MOST, NULL);
	int64_t n = 0;

	for (const char *at = text; at && (at = strstr(at, present));) {
		at += strlen(present);
		at += strspn(at, " ");
		n += *at != '0';
	}
	free(text);
	return n;
}

static int work(struct work *w)
{
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		return not_here(w, "memory can't be compacted: %s", strerror(errno));
	close(fd);
	say_integer(w, "zones", zones());
	return 0;
}

static void check(struct found *f)
{
	int64_t wanted = said_integer(f, "zones");

	found_between(f, "zones", wanted, (int64_t)f->rows.n, f->foreign ? INT64_MAX : wanted);
}

static const char *const options[] = { "--pid", "%pid", NULL }, *const foreign[] = { NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, NULL, work, check },
	{ }
};

SELFTEST(compactsnoop, parts);
