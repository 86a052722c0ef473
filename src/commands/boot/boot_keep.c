// SPDX-License-Identifier: GPL-2.0
#include "src/commands/boot/boot_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/boot/boot_file.h"
#include "src/commands/boot/boot_room.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"

#define WAIT_S 60

struct keeper {
	int room, recording;
	struct boot_copy copy;
};

/* Init may have another root each time. */
static int copy_now(struct keeper *k, const char *path, struct error *err)
{
	int result;

	*err = (struct error){ };
	if (boot_room_leave(k->room, err))
		return -1;
	result = boot_copy(&k->copy, k->recording, path, err);
	boot_room_return(k->room);
	return result;
}

static bool is_covered(const struct keeper *k)
{
	struct error err = { };
	bool covered;

	if (boot_room_leave(k->room, &err))
		return false;
	covered = boot_copy_covered(&k->copy);
	boot_room_return(k->room);
	return covered;
}

/* The file system may be mounted later, or become writable. */
static bool may_come(int error)
{
	return error == ENOENT || error == EROFS || error == ENOTDIR;
}

static void complain(const struct error *err)
{
	/* of a level that consoles show */
	fprintf(sink_err(), "<3>sonde-init: %s\n", err->text);
}

/* To the path, if that was given; else, or if it can't be written, to a usual place. */
static int place(struct keeper *k, const char *path)
{
	struct error err;

	for (int i = 0; path && copy_now(k, path, &err); i++) {
		if (stop_signal || !may_come(err.number) || i == WAIT_S) {
			complain(&err);
			path = NULL;
		} else {
			sleep_ns(NS_PER_SECOND);
		}
	}
	if (!path && copy_now(k, NULL, &err)) {
		complain(&err);
		return 1;
	}
	fprintf(sink_err(), "sonde-init: the recording is in %s\n", k->copy.path);
	return 0;
}

static int keep(struct keeper *k, const char *path)
{
	int status = place(k, path);

	for (int i = 0; !status && !stop_signal && i < WAIT_S; i++) {
		sleep_ns(NS_PER_SECOND);
		if (is_covered(k))
			status = place(k, path);
	}
	return status;
}

int boot_keep(const char *recording, const char *path)
{
	struct keeper k = {
		open("/", O_PATH | O_CLOEXEC), open(recording, O_RDONLY | O_CLOEXEC), { }
	};
	struct error err = { };
	int status = 1;

	if (k.room < 0 || k.recording < 0) {
		fail_with(&err, errno, "there is no recording: %m");
		complain(&err);
	} else {
		status = keep(&k, path);
	}
	if (k.recording >= 0)
		close(k.recording);
	if (k.room >= 0)
		close(k.room);
	return status;
}
