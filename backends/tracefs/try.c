// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/try.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "backends/tracefs/own_folder.h"
#include "backends/tracefs/tap.h"

#define NAME "sonde"

/* For each act its own step, and a step before it, which makes what the act needs. */
enum step { STEP_NONE, STEP_FILE, STEP_FOLDER, STEP_OPEN, STEP_READ, STEP_WRITE, STEP_UNLINK,
	    STEP_RMDIR, STEP_CONNECT };

static const struct {
	enum step before, act;
} steps[] = {
	[ACT_OPEN] = { STEP_FILE, STEP_OPEN }, [ACT_CREATE] = { STEP_NONE, STEP_FILE },
	[ACT_READ] = { STEP_FILE, STEP_READ }, [ACT_WRITE] = { STEP_FILE, STEP_WRITE },
	[ACT_UNLINK] = { STEP_FILE, STEP_UNLINK },
	[ACT_MKDIR] = { STEP_NONE, STEP_FOLDER }, [ACT_RMDIR] = { STEP_FOLDER, STEP_RMDIR },
	[ACT_CONNECT] = { STEP_NONE, STEP_CONNECT },
};

struct doing {
	enum step step;
	int folder;
	int file;		/* -1: not made yet */
};

/*
 * Connects to a socket that does not listen, on the loopback device. This thread handles the answer
 * itself, when it releases its socket. But a busy machine leaves packets to a thread of the kernel,
 * so sonde connects several times. Returns -1 and sets errno if no answer came.
 */
static int connect_to_closed(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const struct timeval patience = { .tv_usec = 100000 };
	int closed = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fd, result = -1;
	socklen_t size = sizeof(address);

	if (closed < 0)
		return -1;
	if (!bind(closed, (struct sockaddr *)&address, size) &&
	    !getsockname(closed, (struct sockaddr *)&address, &size))
		for (int i = 0; i < 10; i++) {
			fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
			if (fd < 0)
				break;
			setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
			if (connect(fd, (struct sockaddr *)&address, size) && errno == ECONNREFUSED)
				result = 0;
			close(fd);
		}
	close(closed);
	return result;
}

static int do_step(void *arg, struct error *err)
{
	struct doing *d = arg;
	char byte = 0;
	int result = 0;

	switch (d->step) {
	case STEP_NONE:
		break;
	case STEP_FILE:
		result = d->file = openat(d->folder, NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
					  0600);
		break;
	case STEP_FOLDER:
		result = mkdirat(d->folder, NAME, 0700);
		break;
	case STEP_OPEN:
		result = openat(d->folder, NAME, O_RDONLY | O_CLOEXEC);
		if (result >= 0)
			close(result);
		break;
	case STEP_READ:
		result = (int)read(d->file, &byte, 1);
		break;
	case STEP_WRITE:
		result = (int)write(d->file, &byte, 1);
		break;
	case STEP_UNLINK:
		result = unlinkat(d->folder, NAME, 0);
		break;
	case STEP_RMDIR:
		result = unlinkat(d->folder, NAME, AT_REMOVEDIR);
		break;
	case STEP_CONNECT:
		if (connect_to_closed())
			return fail_with(err, errno,
					 "the loopback device refused no connection: %m");
		break;
	}
	return result < 0 ? fail_with(err, errno, "a file of sonde's own: %m") : 0;
}

int try_function(struct kernel *k, const char *symbol, enum act act, struct error *err)
{
	struct doing before = { steps[act].before, own_folder(err), -1 }, doing;
	struct tap *t = before.folder < 0 ? NULL : tap_new(k, err);
	int piece = t ? tap_add(t, symbol, 1, -1, 8, err) : -1, result = -1;

	if (piece >= 0 && !do_step(&before, err)) {
		doing = (struct doing){ steps[act].act, before.folder, before.file };
		if (!tap_fire(t, do_step, &doing, err))
			result = tap_memory(t, piece)->size != 0;
		before.file = doing.file;
	}
	tap_free(t);
	if (before.file >= 0)
		close(before.file);
	if (before.folder >= 0)
		close(before.folder);
	return result;
}

/* Reads into memory that may not be accessed: vfs_read() gets its address. */
static int read_nowhere(void *arg, struct error *err)
{
	int file = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)err;
	if (file >= 0) {
		(void)!read(file, arg, 1);
		close(file);
	}
	return 0;
}

int try_faults(struct kernel *k, struct error *err)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *nowhere = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct tap *t = nowhere == MAP_FAILED ? NULL : tap_new(k, err);
	int piece = t ? tap_add(t, "vfs_read", 2, -1, 8, err) : -1, result = -1;
	uint64_t missed;

	if (piece >= 0 && !tap_fire(t, read_nowhere, nowhere, err)) {
		if (tap_memory(t, piece)->size && !tap_missed(t, &missed))
			result = missed != 0;
		else
			fail(err, "vfs_read() did not run, or tracefs has no kprobe_profile");
	}
	tap_free(t);
	if (nowhere != MAP_FAILED)
		munmap(nowhere, page);
	return result;
}
