// SPDX-License-Identifier: GPL-2.0
/* Mounts, in a mount namespace of its own. */
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>

#include "work.h"

/* Those of the calls that came later than some C libraries. */
#define SET_STRING 1
#define CREATE 6
#define EMPTY_PATH 4
#define READ_ONLY 1
#define NO_AUTOMOUNT 0x800

struct attr {
	uint64_t set, clear, propagation, userns;
};

static char ns[64];

/*
 * mount PID TID NS LINE, with what the call returned put behind it; false: this kernel has no such
 * call.
 */
static bool say_call(const char *line, long result)
{
	static const struct {
		int number;
		const char *name;
	} errors[] = { { ENOENT, "ENOENT" }, { EFAULT, "EFAULT" }, { EINVAL, "EINVAL" },
		       { ENODEV, "ENODEV" } };
	char whole[1024], value[24];
	const char *error = NULL;

	if (result < 0 && errno == ENOSYS)
		return false;
	for (size_t i = 0; result < 0 && i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].number == errno)
			error = errors[i].name;
	if (result < 0 && !error)
		die(line);
	snprintf(value, sizeof(value), "%ld", result);
	snprintf(whole, sizeof(whole), "%s = %s%s", line, error ? "-" : "", error ? error : value);
	say("mount\t%d\t%d\t%s\t", getpid(), thread_id(), ns);
	say_bytes(whole, strlen(whole));
	say("\n");
	return true;
}

#define CALL(RESULT, ...) (snprintf(line, sizeof(line), __VA_ARGS__), say_call(line, RESULT))

/*
 * mount(2) and umount(2): that work, that fail, that have no texts, or some that can't be read or
 * shown as a whole.
 */
static void old_calls(const char *dir)
{
	char line[900], far[300];

	for (size_t i = 0; i < sizeof(far) - 1; i++)
		far[i] = i % 2 ? 'x' : '/';
	far[sizeof(far) - 1] = '\0';
	CALL(syscall(SYS_mount, "source", dir, "tmpfs", MS_NOSUID | MS_NOEXEC, "size=1m"),
	     "mount(\"source\", \"%s\", \"tmpfs\", MS_NOSUID|MS_NOEXEC, \"size=1m\")", dir);
	CALL(syscall(SYS_mount, NULL, dir, NULL, MS_REMOUNT | MS_RDONLY, NULL),
	     "mount(NULL, \"%s\", NULL, MS_RDONLY|MS_REMOUNT, NULL)", dir);
	CALL(syscall(SYS_umount2, dir, MNT_DETACH), "umount(\"%s\", MNT_DETACH)", dir);
	CALL(syscall(SYS_umount2, dir, 0), "umount(\"%s\", 0x0)", dir);
	CALL(syscall(SYS_mount, "a \"b\"\\\n", dir, "nothing", 1 << 9, ""),
	     "mount(\"a \\\"b\\\"\\\\\n\", \"%s\", \"nothing\", 0x200, \"\")", dir);
	CALL(syscall(SYS_mount, (void *)1, dir, "tmpfs", 0, NULL),
	     "mount([?], \"%s\", \"tmpfs\", 0x0, NULL)", dir);
	CALL(syscall(SYS_umount2, far, MNT_FORCE | 8),
	     "umount(\"%.254s...\", MNT_FORCE|UMOUNT_NOFOLLOW)", far);
}

static void new_calls(const char *dir)
{
	struct attr attr = { .set = READ_ONLY };
	char line[900];
	long fs = syscall(SYS_fsopen, "tmpfs", 1), mount, tree;

	if (!CALL(fs, "fsopen(\"tmpfs\", 0x1)"))
		return;
	CALL(syscall(SYS_fsconfig, fs, SET_STRING, "size", "2m", 0),
	     "fsconfig(%ld, FSCONFIG_SET_STRING, \"size\", \"2m\", 0)", fs);
	CALL(syscall(SYS_fsconfig, fs, CREATE, NULL, NULL, 0),
	     "fsconfig(%ld, FSCONFIG_CMD_CREATE, NULL, NULL, 0)", fs);
	mount = syscall(SYS_fsmount, fs, 1, 2);
	CALL(mount, "fsmount(%ld, 0x1, 0x2)", fs);
	CALL(syscall(SYS_move_mount, mount, "", AT_FDCWD, dir, EMPTY_PATH),
	     "move_mount(%ld, \"\", AT_FDCWD, \"%s\", 0x4)", mount, dir);
	tree = syscall(SYS_open_tree, AT_FDCWD, dir, NO_AUTOMOUNT);
	CALL(tree, "open_tree(AT_FDCWD, \"%s\", 0x800)", dir);
	CALL(syscall(SYS_mount_setattr, AT_FDCWD, dir, 0, &attr, sizeof(attr)),
	     "mount_setattr(AT_FDCWD, \"%s\", 0x0, {set 0x1, clear 0x0})", dir);
	CALL(syscall(SYS_fspick, AT_FDCWD, "/nowhere", 1), "fspick(AT_FDCWD, \"/nowhere\", 0x1)");
	close((int)fs);
	close((int)mount);
	close((int)tree);
	CALL(syscall(SYS_umount2, dir, MNT_DETACH), "umount(\"%s\", MNT_DETACH)", dir);
}

static int job_mounts(int argc, char **argv)
{
	char line[900];
	ssize_t n;

	(void)argc;
	if (unshare(CLONE_NEWNS))
		die("unshare");
	n = readlink("/proc/self/ns/mnt", ns, sizeof(ns) - 1);
	if (n < 6)
		die("/proc/self/ns/mnt");
	ns[n - 1] = '\0';
	memmove(ns, ns + 5, (size_t)n - 5);	/* mnt:[4026531840] */
	CALL(syscall(SYS_mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL),
	     "mount(\"none\", \"/\", NULL, MS_REC|MS_PRIVATE, NULL)");
	old_calls(argv[1]);
	new_calls(argv[1]);
	/* Until whoever asks /proc about it has done so. */
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	return 0;
}

const struct job mount_jobs[] = {
	{ "mounts", "DIR", 1, job_mounts,
	  "mount PID TID NS LINE: the calls of fs/namespace.c as mountsnoop shows them" },
	{ 0 }
};
