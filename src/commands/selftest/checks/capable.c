// SPDX-License-Identifier: GPL-2.0
/*
 * capable: checks that the kernel makes before it sees that a call is invalid, or changes nothing.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define TIMES 20

static void want(struct work *w, int cap, const char *name)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "cap", cap);
	want_text(w, "name", name, strlen(name));
	want_integer(w, "audit", 1);
	want_end(w);
}

static int work(struct work *w)
{
	uid_t uid = getuid();

	for (int i = 0; i < TIMES; i++) {
		if (!syscall(SYS_reboot, 0, 0, 0, NULL) || errno != EINVAL)
			return not_here(w, "reboot(2) was not refused as expected: %s",
					strerror(errno));
		want(w, 22, "CAP_SYS_BOOT");
		if (syscall(SYS_setuid, uid))
			return not_here(w, "setuid(2): %s", strerror(errno));
		want(w, 7, "CAP_SETUID");
	}
	return 0;
}

/* Without AUDIT there are also checks of CAP_SYS_ADMIN, which the kernel makes for memory. */
static void check(struct found *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json cap, audit;
		int64_t number = -1;

		if (json_member(f->rows.rows[i], "cap", &cap) && json_integer(cap, &number) &&
		    number == 21 &&
		    json_member(f->rows.rows[i], "audit", &audit) && json_null(audit))
			continue;
		f->rows.rows[n++] = f->rows.rows[i];
	}
	f->rows.n = n;
	rows_compare(f);
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work, .check = check },
	{ }
};

static const struct selftest_input inputs[] = { { "audit", "cap.check.opts" }, { } };

SELFTEST(capable, parts, inputs);
