// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"

#define TRIES 5		/* another process may take the device first */

/* The loop driver, if it is loaded: opening its control file would load the module. */
static int open_control(void)
{
	if (access("/sys/module/loop", F_OK))
		return -1;
	return open("/dev/loop-control", O_RDWR | O_CLOEXEC);
}

static bool exists(const char *format, const char *name)
{
	char path[512];

	text_all(path, sizeof(path), format, name);
	return !access(path, F_OK);
}

static int backing_file(struct work *w, size_t size)
{
	char path[4096];
	int fd;

	text_all(path, sizeof(path), "%s/disk", w->folder);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && ftruncate(fd, (off_t)size)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Attaches the file to the device, which detaches itself at its last close. */
static int attach(int loop, int file)
{
	struct loop_info64 info = { .lo_flags = LO_FLAGS_AUTOCLEAR };

	if (ioctl(loop, LOOP_SET_FD, file))
		return -1;
	if (!ioctl(loop, LOOP_SET_STATUS64, &info))
		return 0;
	ioctl(loop, LOOP_CLR_FD, 0);
	return -1;
}

/* The number that the kernel gives a new device: the lowest free one. */
static int next_number(void)
{
	char name[32];
	int number = 0;

	do {
		snprintf(name, sizeof(name), "loop%d", number++);
	} while (exists("/sys/block/%s", name));
	return number - 1;
}

static int open_loop(struct work *w, int control, int file, int flags, char *name, size_t room)
{
	int next = next_number(), number = ioctl(control, LOOP_CTL_GET_FREE), loop;
	char path[64];

	if (number < 0)
		return -1;
	if (number == next)
		say_integer(w, "made_loop", number);
	snprintf(name, room, "loop%d", number);
	text_all(path, sizeof(path), "/dev/%s", name);
	loop = open(path, O_RDWR | O_CLOEXEC | flags);
	if (loop >= 0 && attach(loop, file)) {
		close(loop);
		return -1;
	}
	if (loop >= 0)
		say_text(w, "disk", name);
	return loop;
}

int disk_own(struct work *w, size_t size, int flags, char *name, size_t room)
{
	int control = open_control(), file = control < 0 ? -1 : backing_file(w, size), loop = -1;

	for (int i = 0; i < TRIES && file >= 0 && loop < 0; i++)
		loop = open_loop(w, control, file, flags, name, room);
	if (file >= 0)
		close(file);
	if (control >= 0)
		close(control);
	return loop;
}

/*
 * Loop devices have requests from 4.0 on, with queues of the multi-queue layer; the others never
 * have.
 */
const char *disk_unfit(int disk)
{
	return disk < 0 ? "no loop device (modprobe loop)" :
	       "loop devices of this kernel have no requests (since 4.0)";
}

bool disk_has_requests(const char *name)
{
	static const char *const pass[] = { "dm-", "md", "zram", "ram", "drbd", "bcache",
					    "nbd", "pmem" };

	if (!strncmp(name, "loop", 4))
		return exists("/sys/block/%s/mq", name);
	for (size_t i = 0; i < sizeof(pass) / sizeof(pass[0]); i++)
		if (!strncmp(name, pass[i], strlen(pass[i])))
			return false;
	return true;
}

int disk_direct(struct work *w, size_t size, size_t unit, void **bytes, char *name, size_t room)
{
	int error = posix_memalign(bytes, unit, unit), disk;

	if (error)
		return not_here(w, "%s", strerror(error));
	memset(*bytes, 's', unit);
	disk = disk_own(w, size, O_DIRECT, name, room);
	if (disk < 0 || !disk_has_requests(name))
		return not_here(w, "no block device to use: %s", disk_unfit(disk));
	return disk;
}

bool disk_of(int fd, char *name, size_t size)
{
	char path[64], link[PATH_MAX], *last;
	struct stat st;

	if (fstat(fd, &st))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major(st.st_dev), minor(st.st_dev));
	file_link(AT_FDCWD, path, link, sizeof(link));
	last = strrchr(link, '/');
	/* .../sda/sda1 */
	if (last && exists("/sys/class/block/%s/partition", last + 1)) {
		*last = '\0';
		last = strrchr(link, '/');
	}
	text_all(name, size, "%s", last ? last + 1 : "");
	return last && exists("/sys/block/%s", name);
}

void disk_remove(const struct found *f)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	char number[16];
	int control;

	if (!said_text(f, "made_loop", number, sizeof(number)))
		return;
	control = open_control();
	/* Some kernels detach it a moment after its last close. */
	for (int i = 0; i < 100 && control >= 0; i++) {
		if (!ioctl(control, LOOP_CTL_REMOVE, said_integer(f, "made_loop")) ||
		    errno != EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	if (control >= 0)
		close(control);
}
