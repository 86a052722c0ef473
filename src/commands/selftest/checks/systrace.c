// SPDX-License-Identifier: GPL-2.0
/* systrace: a row for each call, with its arguments and result. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

static void row(struct work *w, const char *call, const char *args, long ret)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "syscall", call, strlen(call));
	want_text(w, "args", args, strlen(args));
	want_integer(w, "ret", ret);
	want_end(w);
}

static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

static int work(struct work *w)
{
	row(w, "getsid", "pid: 2147480000", result(syscall(SYS_getsid, 2147480000)));
	row(w, "fchmod", "fd: -1, mode: 0640", result(syscall(SYS_fchmod, -1, 0640)));
	row(w, "dup3", "oldfd: 0, newfd: 0, flags: CLOEXEC",
	    result(syscall(SYS_dup3, 0, 0, O_CLOEXEC)));
	row(w, "setsid", "", result(syscall(SYS_setsid)));
	return 0;
}

static const char *const options[] = { "-e", "getsid,fchmod,dup3,setsid", "--pid", "%pid", NULL },
	*const foreign[] = { "-e", "getsid,fchmod,dup3,setsid", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ }
};
SELFTEST(systrace, parts);
