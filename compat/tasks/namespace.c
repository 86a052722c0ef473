// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/namespace.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"

#define NSFS 0x6e736673			/* file system of /proc/PID/ns/TYPE since 3.19 */
#define PROC_FS 0x9fa0			/* the same before 3.19 */
#define INITIAL_PID_NAMESPACE 0xeffffffc	/* its number, since 3.8 */
#define MOST_PIDS 4194304		/* the kernel's PID_MAX_LIMIT; namespaces have larger
					   numbers */

static int by_file(const char *path, uint32_t *number, struct error *err)
{
	struct statfs fs;
	struct stat s;

	if (stat(path, &s) || statfs(path, &fs))
		return fail_with(err, errno, "%s: %m", path);
	if ((unsigned long)fs.f_type != NSFS && (unsigned long)fs.f_type != PROC_FS)
		return fail(err, "%s is not a namespace", path);
	*number = (uint32_t)s.st_ino;
	return 0;
}

int namespace_pid_initial(void)
{
	struct stat s;

	return stat("/proc/self/ns/pid", &s) ? -errno : s.st_ino == INITIAL_PID_NAMESPACE;
}

int namespace_not_initial(struct kernel *k, const char *text, struct error *err)
{
	const struct feature_reason why = kernel_feature_reason(k, FEATURE_ROOT_PIDNS);

	if (!kernel_unknown(k, FEATURE_ROOT_PIDNS))
		return fail(err, "sonde runs in another pid namespace%s%s", *text ? "\n" : "",
			    text);
	return fail_with(err, why.error,
			 "sonde could not find out in which pid namespace it runs: %s%s%s",
			 why.text, *text ? "\n" : "", text);
}

static int by_process(uint64_t pid, const char *type, uint32_t *number, struct error *err)
{
	char path[64];

	text_all(path, sizeof(path), "/proc/%llu/ns/%s", (unsigned long long)pid, type);
	if (access("/proc/self/stat", F_OK))
		return fail(err, "/proc is not mounted");
	if (access(path, F_OK) && errno == ENOENT)
		return fail(err, "process %llu does not exist", (unsigned long long)pid);
	return by_file(path, number, err);
}

static bool by_link(const char *word, const char *type, uint64_t *number)
{
	return scan_text(&word, type) && scan_text(&word, ":[") &&
	       scan_number(&word, UINT32_MAX, number) && scan_text(&word, "]") && !*word;
}

int namespace_number(const char *word, const char *type, uint32_t *number, struct error *err)
{
	const char *at = word;
	uint64_t n;

	if (strchr(word, '/'))
		return by_file(word, number, err);
	if (by_link(word, type, &n) || (scan_number(&at, UINT32_MAX, &n) && !*at)) {
		if (n <= MOST_PIDS)
			return by_process(n, type, number, err);
		*number = (uint32_t)n;
		return 0;
	}
	return fail(err, "'%s' is no namespace: give a process id, the number that /proc/PID/ns/%s "
			 "links to, or the path of such a file", word, type);
}

uint64_t namespace_of(int dir, const char *type)
{
	char path[32];
	struct stat s;

	text_all(path, sizeof(path), "ns/%s", type);
	return fstatat(dir, path, &s, 0) ? 0 : s.st_ino;
}
