// SPDX-License-Identifier: GPL-2.0
/* Tries tracefs, and the features that its files tell. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/probe_internal.h"
#include "compat/tasks/lock.h"

const char *probe_file(struct kernel *k, const char *file, char *path, size_t size)
{
	text_all(path, size, "%s/%s", kernel_tracefs(k), file);
	return path;
}

static const char *why_not_mounted(struct kernel *k)
{
	struct statfs fs;

	if (statfs("/sys/kernel", &fs) ? errno == ENOENT : fs.f_type != SYSFS_MAGIC)
		return "/sys is not mounted (mount -t sysfs sysfs /sys)";
	if (geteuid())
		return "run as root";
	if (!kernel_capable(k, CAP_SYS_ADMIN))
		return "root here lacks CAP_SYS_ADMIN";
	if (!mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL))
		return "try again";
	return errno == ENODEV || errno == ENOENT ? "the kernel lacks it" : strerror(errno);
}

void probe_tracefs(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *dir = kernel_tracefs(k), *lockdown;
	char path[PATH_MAX];
	int fd, error;

	(void)f;
	if (!dir) {
		verdict_no(v, geteuid() ? CAUSE_RIGHTS : CAUSE_OTHER,
			   "tracefs is not at /sys/kernel/tracing or /sys/kernel/debug/tracing, "
			   "and could not be mounted: %s", why_not_mounted(k));
		return;
	}
	fd = open(probe_file(k, "README", path, sizeof(path)), O_RDONLY | O_CLOEXEC);
	error = errno;
	if (fd >= 0) {
		close(fd);
		verdict_set(v, YES, "%s", dir);
		return;
	}
	lockdown = kernel_text(k, "/sys/kernel/security/lockdown");
	verdict_no(v, error == EACCES ? CAUSE_RIGHTS : CAUSE_OTHER, "%s: %s%s", path,
		   strerror(error), error == EACCES ?
		   ": run as root, or let a group read it (mount -o remount,gid=GROUP,mode=750)" :
		   lockdown && !strstr(lockdown, "[none]") ? ": the kernel is locked down" : "");
	verdict_error(v, error);
}

void probe_clock(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *clocks = kernel_text(k, "tracefs:trace_clock");

	(void)f;
	if (clocks && has_word(clocks, "mono"))
		verdict_set(v, YES, "%s", "");
	else
		verdict_set(v, NO, "trace_clock does not list it");
}

/*
 * The release tells whether the tracer takes functions by number: a trial would need an instance.
 */
void probe_tracer(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *tracers = kernel_text(k, "tracefs:available_tracers");

	if (tracers && has_word(tracers, "function"))
		feature_by_version(k, f, v);
	else
		verdict_no(v, CAUSE_NOT_BUILT, "available_tracers does not list `function`");
}

void probe_not_built(enum feature f, const char *path, int error, struct verdict *v)
{
	verdict_no(v, error == ENOENT ? CAUSE_NOT_BUILT : CAUSE_OTHER, "%s: %s (%s)", path,
		   strerror(error), feature_config(f));
	v->unknown = error != ENOENT;
	v->error = error;
}

void probe_syscalls(struct kernel *k, enum feature f, struct verdict *v)
{
	char path[PATH_MAX];

	if (access(probe_file(k, "events/syscalls", path, sizeof(path)), X_OK) == 0)
		verdict_set(v, YES, "%s", "");
	else
		probe_not_built(f, path, errno, v);
}

/*
 * This is not the lock for removing (locks.h): a process that removes waits for a sonde that
 * starts. If trials took the same lock, that sonde would wait for the process.
 */
#define TRYING "options"

int probe_lock_take(struct kernel *k)
{
	char path[PATH_MAX];
	int lock = open(probe_file(k, TRYING, path, sizeof(path)), O_RDONLY | O_CLOEXEC);

	/* Two trials at once may disturb each other; a stopped one must not stop all others. */
	if (lock >= 0)
		lock_for_run(k, lock, LOCK_EX, path);
	return lock;
}

void probe_lock_end(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* A thorough trial makes an instance for a moment. */
void probe_instances(struct kernel *k, enum feature f, struct verdict *v)
{
	char path[PATH_MAX];
	int lock;

	(void)f;
	if (access(probe_file(k, "instances", path, sizeof(path)), W_OK | X_OK) != 0) {
		verdict_set(v, NO, "%s: %s", path, strerror(errno));
		return;
	}
	verdict_set(v, EXPECTED, "the folder `instances` is there");
	if (!kernel_thorough(k))
		return;
	lock = probe_lock_take(k);
	probe_file(k, "instances/sonde_try", path, sizeof(path));
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		verdict_set(v, NO, "making one: %s", strerror(errno));
	else if (rmdir(path) != 0)
		verdict_set(v, NO, "removing one: %s", strerror(errno));
	else
		verdict_set(v, YES, "%s", "");
	if (v->answer == NO)
		verdict_error(v, errno);
	probe_lock_end(lock);
}
