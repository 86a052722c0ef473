// SPDX-License-Identifier: GPL-2.0
/* Tries whether events of uprobes reach the instances of tracefs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/probe_internal.h"

/* The probed function: nothing calls it. */
static __attribute__((noinline, used)) void never(void)
{
	__asm__ volatile("");
}

/* The offset in this program's file of an address in its memory. */
struct in_file {
	uintptr_t address;
	uint64_t offset;	/* 0: not found */
};

static int look_at(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct in_file *at = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && at->address - begin < p->p_filesz)
			at->offset = at->address - begin + p->p_offset;
	}
	return 1;	/* the first file is the program */
}

/* Writes once: file_write() would write again after EINTR, which is an answer here. */
static int enable_try(const char *instance)
{
	char path[PATH_MAX];
	int fd, error;

	text_all(path, sizeof(path), "%s/events/sonde_try/try/enable", instance);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = write(fd, "1", 1) == 1 ? 0 : -errno;
	close(fd);
	return error;
}

static void disable_try(const char *instance)
{
	char path[PATH_MAX];

	text_all(path, sizeof(path), "%s/events/sonde_try/try/enable", instance);
	file_write(path, "0");
}

/*
 * Tries whether events of uprobes reach instances. Before 3.14, and on kernels to which vendors
 * backported only a part, all events go to the ring outside of instances. There an event is enabled
 * only once: a second instance that enables it is refused (EINTR). Where instances get their own
 * events, each instance enables the event for itself. So no event has to happen, and no ring gets a
 * record.
 *
 * Removes first what a killed sonde left. Returns 0 or -errno; if `known`, the error of the second
 * instance.
 */
static int try_instances(struct kernel *k, uint64_t offset, bool *known)
{
	static const char file[] = "uprobe_events";
	char events[PATH_MAX], one[PATH_MAX], two[PATH_MAX], line[128];
	int error;

	*known = false;
	text_all(one, sizeof(one), "%s/instances/sonde_try", kernel_tracefs(k));
	text_all(two, sizeof(two), "%s/instances/sonde_try2", kernel_tracefs(k));
	snprintf(line, sizeof(line), "p:sonde_try/try /proc/self/exe:0x%llx\n",
		 (unsigned long long)offset);
	disable_try(one);
	disable_try(two);
	probe_forget(k, file, "try");
	if ((mkdir(one, 0700) && errno != EEXIST) || (mkdir(two, 0700) && errno != EEXIST)) {
		error = -errno;
	} else {
		error = file_write(probe_file(k, file, events, sizeof(events)), line);
		if (!error)
			error = enable_try(one);
		if (!error) {
			*known = true;
			error = enable_try(two);
			disable_try(two);
			disable_try(one);
		}
		probe_forget(k, file, "try");
	}
	rmdir(two);
	rmdir(one);
	return error;
}

void probe_uprobe_instances(struct kernel *k, enum feature f, struct verdict *v)
{
	struct in_file at = { .address = (uintptr_t)never & ~(uintptr_t)1 };	/* Thumb code */
	int error, lock;
	bool known;

	feature_by_version(k, f, v);
	if (v->answer == EXPECTED && !kernel_thorough(k))
		return;
	dl_iterate_phdr(look_at, &at);
	if (!at.offset)
		return;
	lock = probe_lock_take(k);
	error = try_instances(k, at.offset, &known);
	probe_lock_end(lock);
	if (known && !error)
		verdict_set(v, YES, "%s", "");
	else if (known && error == -EINTR)
		verdict_set(v, NO, "for a second instance: %s", strerror(EINTR));
}
