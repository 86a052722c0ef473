/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONTAINER_PATH_H
#define SONDE_CONTAINER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Which container a control group is of, by its path from the root of its tree: "/a/b", any bytes.
 * No daemon and no file is asked: engines name their groups after the container. Of containers
 * within others the outermost one is told.
 */
#define CONTAINER_ID 64			/* hexadecimal digits of the engines that have such ids */
#define CONTAINER_SHOWN 12		/* of these, as the engines show them */

struct container_path {
	const char *engine;		/* "docker", "podman", ...; NULL: it is no container's */
	const char *id;			/* in the path, n bytes: digits, or a name */
	size_t n;
	bool named;			/* it is a name */
	const char *pod;		/* the pod's uid in the path, n_pod bytes; NULL: none */
	size_t n_pod;
	size_t length;			/* of the path up to the container's own group */
};

/* Returns false if it is no container's. The answer points into `path`. */
bool container_of_path(const char *path, struct container_path *c);
/* The same of the container's own group alone, not of those below it. */
bool container_at_path(const char *path, struct container_path *c);

/*
 * The innermost unit of systemd in the path: a service, scope or mount. Returns NULL if there is
 * none. *length: of the path up to the unit; *n: of the unit's name.
 */
const char *unit_of_path(const char *path, size_t *n, size_t *length);

#endif
