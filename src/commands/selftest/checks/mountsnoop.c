// SPDX-License-Identifier: GPL-2.0
/*
 * mountsnoop: mounts in the workload's own namespace: some work, some fail, and one is unmounted.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

static void want(struct work *w, const char *call, const char *target, unsigned long flags, int ret)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "call", call, strlen(call));
	want_text(w, "target", target, strlen(target));
	want_integer(w, "flags", (int64_t)flags);
	want_integer(w, "ret", ret);
}

/*
 * If a CPU does not set accessed bits itself, BPF programs can't read pages that this process has
 * not touched since its fork: the text would not be known. Programs that mount have touched them.
 */
static void touch(const char *text)
{
	for (const volatile char *c = text; c && *c; c++)
		;
}

static int mount_one(struct work *w, const char *source, const char *target, const char *type,
		     unsigned long flags,
		     const char *data)
{
	int ret;

	touch(source);
	touch(target);
	touch(type);
	touch(data);
	ret = syscall(SYS_mount, source, target, type, flags, data) ? -errno : 0;
	want(w, "mount", target, flags, ret);
	want_text(w, "source", source, strlen(source));
	if (type)
		want_text(w, "fs", type, strlen(type));
	if (data)
		want_text(w, "data", data, strlen(data));
	want_end(w);
	return ret;
}

static int work(struct work *w)
{
	int ret = 0;

	if (unshare(CLONE_NEWNS))
		return not_here(w, "can't make a mount namespace: %s", strerror(errno));
	/* First of all: mounts must not be visible elsewhere. */
	ret = mount_one(w, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	if (ret)
		return not_here(w, "can't make mounts private: %s", strerror(-ret));
	ret = mount_one(w, "sonde", w->folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k");
	mount_one(w, "none", w->folder, "no such type", MS_RDONLY, NULL);
	if (!ret) {
		ret = syscall(SYS_umount2, w->folder, MNT_DETACH) ? -errno : 0;
		want(w, "umount", w->folder, MNT_DETACH, ret);
		want_end(w);
	}
	return 0;
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ }
};

SELFTEST(mountsnoop, parts);
