/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONTAINER_NAMES_H
#define SONDE_CONTAINER_NAMES_H

#include "compat/containers/container_path.h"

/*
 * What files of the engines say of a container: no daemon is asked. The texts are the engine's
 * users', any bytes. NULL: unknown.
 */
struct container_facts {
	char *name, *image;
	char *pod, *namespace;		/* of Kubernetes */
};

/* Where this machine's engines have their files, though sonde may run in a container itself. */
const char *containers_root(void);

/*
 * `root`: the folder that the files are below, "" or "/proc/1/root". Returns NULL if there is no
 * memory.
 */
struct container_names *container_names_new(const char *root);
void container_names_free(struct container_names *names);

/*
 * For names in rows, while events come: at most so many containers are looked for each second.
 * The others are called by their ids, until it is their turn.
 */
void container_names_limit(struct container_names *names, unsigned int most);
/* Between rows: forgets all, if they are many. What was returned before is not valid any more. */
void container_names_tidy(struct container_names *names);

/*
 * The facts of a container. Files are read once for each id; where they have no name yet, again
 * some seconds later: an engine makes the group before it writes them. Valid up to
 * container_names_tidy(). Never NULL.
 */
const struct container_facts *container_facts(struct container_names *names,
					      const struct container_path *c);

/*
 * How a container is called: NAMESPACE/POD/NAME in Kubernetes, else the name; without one the
 * engine's word and the first digits of the id, "docker:0123456789ab". Valid up to
 * container_names_tidy(). Returns NULL if there is no memory.
 */
const char *container_title(struct container_names *names, const struct container_path *c);

#endif
