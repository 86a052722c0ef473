// SPDX-License-Identifier: GPL-2.0
#include "src/commands/boot/boot_room.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int say(const char *what, struct error *err)
{
	return fail_with(err, errno, "can't %s: %m", what);
}

/* A file system on top of the root. "/.." leads to it: the root itself is what was there before. */
static int cover_root(struct error *err)
{
	if (unshare(CLONE_NEWNS))
		return say("have mounts of its own (unshare(2))", err);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return say("make the mounts private", err);
	/* Every kernel has ramfs. */
	if (mount("sonde", "/", "tmpfs", 0, "mode=700") && mount("sonde", "/", "ramfs", 0, NULL))
		return say("mount a file system in memory", err);
	return chroot("/..") || chdir("/") ? say("enter a file system in memory", err) : 0;
}

/* Without it messages go nowhere, and nothing else is wrong. */
static void make_devices(void)
{
	if (!mount("devtmpfs", "/dev", "devtmpfs", 0, NULL))
		return;
	mknod("/dev/null", S_IFCHR | 0600, makedev(1, 3));
	mknod("/dev/kmsg", S_IFCHR | 0600, makedev(1, 11));
}

int boot_room(struct error *err)
{
	static const char *const folders[] = { "/proc", "/sys", "/dev" };

	if (cover_root(err))
		return -1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (mkdir(folders[i], 0700))
			return say("make a folder", err);
	if (mount("proc", "/proc", "proc", 0, NULL))
		return say("mount proc", err);
	if (mount("sysfs", "/sys", "sysfs", 0, NULL))
		return say("mount sysfs", err);
	/* Before 4.1 it is a part of debugfs. */
	if (mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) &&
	    mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL))
		return say("mount tracefs or debugfs (CONFIG_FTRACE)", err);
	make_devices();
	return 0;
}

int boot_room_leave(int room, struct error *err)
{
	if (!fchdir(room) && !chroot("proc/1/root") && !chdir("/"))
		return 0;
	say("go to the root of init", err);
	boot_room_return(room);
	return -1;
}

void boot_room_return(int room)
{
	/* The first can't fail, and then the second can't. */
	if (fchdir(room) || chroot("."))
		abort();
}
