// SPDX-License-Identifier: GPL-2.0
#include "compat/containers/container_storage.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/base/file.h"
#include "compat/base/hash.h"
#include "compat/base/jsonr.h"

#define LARGEST (16U << 20)		/* of a file */
#define TEXT 256			/* the longest text that is kept */

/* By what a file tells that it has changed: Podman puts another file in its place. */
struct stamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified, changed;
};

struct list {
	struct stamp stamp;
	struct hash containers;		/* struct stored_container, by id */
};

struct container_storage {
	struct hash lists;		/* by path: one for each driver of storage */
};

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same(const struct stamp *a, const struct stamp *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       same_time(a->modified, b->modified) && same_time(a->changed, b->changed);
}

static void forget(struct list *l)
{
	struct stored_container *c;
	uint32_t at = 0;

	while ((c = hash_next(&l->containers, &at))) {
		free(c->name);
		free(c->image);
	}
	hash_clear(&l->containers);
	l->stamp = (struct stamp){ };
}

static void keep(char **to, const char *text)
{
	if (!*to && *text)
		*to = strdup(text);
}

/* { "id": ..., "names": [ ... ], "image": ... } */
static void keep_container(struct list *l, struct json one)
{
	struct json v, names, name;
	struct stored_container *c;
	struct json_walk each;
	char text[TEXT];

	if (!json_member(one, "id", &v) || !json_text(v, text, sizeof(text)))
		return;
	c = hash_add(&l->containers, text, strlen(text));
	if (!c)
		return;
	if (json_member(one, "image", &v) && json_text(v, text, sizeof(text)))
		keep(&c->image, text);
	if (!json_member(one, "names", &names))
		return;
	each = json_walk(names);
	if (json_next(&each, &name, &v) && json_text(v, text, sizeof(text)))
		keep(&c->name, text);
}

static void read_list(struct list *l, const char *path)
{
	struct json all, name, one;
	struct json_walk w;
	size_t n;
	char *text = file_text(path, LARGEST, &n);

	if (text && json_read(text, n, &all))
		for (w = json_walk(all); json_next(&w, &name, &one);)
			keep_container(l, one);
	free(text);
}

struct container_storage *container_storage_new(void)
{
	struct container_storage *s = calloc(1, sizeof(*s));

	if (s)
		s->lists.value_size = sizeof(struct list);
	return s;
}

void container_storage_free(struct container_storage *s)
{
	struct list *l;
	uint32_t at = 0;

	if (!s)
		return;
	while ((l = hash_next(&s->lists, &at)))
		forget(l);
	hash_clear(&s->lists);
	free(s);
}

const struct stored_container *container_stored(struct container_storage *s, const char *path,
						const char *id)
{
	struct list *l = hash_add(&s->lists, path, strlen(path));
	struct stamp now;
	struct stat file;

	if (!l)
		return NULL;
	l->containers.value_size = sizeof(struct stored_container);
	if (stat(path, &file)) {
		forget(l);
		return NULL;
	}
	now = (struct stamp){ file.st_dev, file.st_ino, file.st_size, file.st_mtim, file.st_ctim };
	if (!same(&l->stamp, &now)) {
		/* The stamp is of before the reading: what changes meanwhile is read again. */
		forget(l);
		l->stamp = now;
		read_list(l, path);
	}
	return hash_find(&l->containers, id, strlen(id));
}
