/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONTAINER_STORAGE_H
#define SONDE_CONTAINER_STORAGE_H

/*
 * Podman's lists of containers, a file of all: each is read once, and again when it has changed.
 */
struct container_storage;

struct stored_container {
	char *name, *image;		/* NULL: unknown */
};

/* Returns NULL if there is no memory. */
struct container_storage *container_storage_new(void);
void container_storage_free(struct container_storage *s);

/*
 * What the file says of a container; NULL: nothing. Valid up to the next call. A file that can't be
 * read whole says nothing.
 */
const struct stored_container *container_stored(struct container_storage *s, const char *path,
						const char *id);

#endif
