// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/tracefs/memory.h"
#include "compat/base/text.h"

#define TRIES 32

struct instance {
	int lock;		/* of the directory: while it is held, the instance is in use */
	char path[PATH_MAX];
};

struct instance *instance_new(struct kernel *k, struct error *err)
{
	const char *tracefs = kernel_tracefs(k);
	struct instance *i = calloc(1, sizeof(*i));
	char name[7];
	int try;

	if (!i) {
		fail(err, "out of memory");
		return NULL;
	}
	memory_for_instance(k);
	for (try = 0; tracefs && try < TRIES; try++) {
		tracefs_random(name);
		if (snprintf(i->path, sizeof(i->path), "%s/instances/sonde-%s", tracefs, name) >=
		    (int)sizeof(i->path)) {
			errno = ENAMETOOLONG;
			break;
		}
		if (mkdir(i->path, 0700)) {
			if (errno == EEXIST)
				continue;
			break;
		}
		/*
		 * Until the directory is locked, a sweep of another sonde may take the instance for
		 * a dead sonde's and remove it. Then another instance is made.
		 */
		i->lock = tracefs_lock(i->path);
		if (i->lock >= 0)
			return i;
		if (i->lock != -EWOULDBLOCK && i->lock != -ENOENT) {
			rmdir(i->path);
			errno = -i->lock;
			break;
		}
		errno = EBUSY;
	}
	if (!tracefs)
		tracefs_missing(err);
	else
		tracefs_fail(err, errno, "can't make an instance of tracefs (%s)", i->path);
	free(i);
	return NULL;
}

struct instance *instance_alone(struct kernel *k, const char *name)
{
	struct instance *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	memory_for_instance(k);
	text_all(i->path, sizeof(i->path), "%s/instances/%s", kernel_tracefs(k), name);
	if (!mkdir(i->path, 0700)) {
		i->lock = tracefs_lock(i->path);
		if (i->lock >= 0)
			return i;
		errno = -i->lock;
	}
	if (errno == EEXIST || errno == EWOULDBLOCK || errno == ENOENT)
		errno = EBUSY;
	free(i);
	return NULL;
}

const char *instance_path(const struct instance *i)
{
	return i->path;
}

void instance_free(struct instance *i)
{
	if (!i)
		return;
	close(i->lock);
	free(i);
}
