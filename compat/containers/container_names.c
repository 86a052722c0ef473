// SPDX-License-Identifier: GPL-2.0
#include "compat/containers/container_names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/hash.h"
#include "compat/base/jsonr.h"
#include "compat/base/text.h"
#include "compat/containers/container_storage.h"

#define LARGEST (16U << 20)		/* of an engine's file */
#define AGAIN_NS (5 * NS_PER_SECOND)
#define TEXT 256			/* the longest text that is kept */
#define KEPT 4096			/* containers, in a run of days */

struct known {
	struct container_facts facts;
	char *title, *by_id;		/* with a name, and before there was one; NULL: not yet */
	uint64_t looked;		/* CLOCK_MONOTONIC; 0: never */
};

struct container_names {
	char *root;
	struct hash known;		/* by id */
	struct container_storage *storage;	/* Podman's */
	struct container_facts none;	/* where there is no memory */
	unsigned int most;		/* containers that are looked for each second; 0: all */
	unsigned int looks;		/* in the second that began then, CLOCK_MONOTONIC */
	uint64_t second;
};

/* A place where a file may be, and what it tells. */
struct place {
	const char *path, *entry;	/* entry: what * stands for */
	char id[CONTAINER_ID + 1];
	struct container_storage *storage;
	struct container_facts *to;
};

static bool whole(const struct container_facts *f)
{
	return f->name != NULL;
}

/* Keeps a text, unless there is one already. */
static void keep(char **to, const char *text)
{
	if (!*to && *text)
		*to = strdup(text);
}

static void keep_member(char **to, struct json object, const char *name)
{
	char text[TEXT];
	struct json v;

	if (json_member(object, name, &v) && json_text(v, text, sizeof(text)))
		keep(to, text);
}

/* The file, whole and valid; the caller frees. NULL: it is not there, or is being written. */
static char *read_json(const char *path, struct json *v)
{
	size_t n;
	char *text = file_text(path, LARGEST, &n);

	if (text && !json_read(text, n, v)) {
		free(text);
		return NULL;
	}
	return text;
}

/* Docker's: { "Name": "/web", "Config": { "Image": ..., "Labels": { ... } } } */
static void read_docker(struct place *p)
{
	struct container_facts *f = p->to;
	struct json all, config, labels;
	char *text = read_json(p->path, &all), name[TEXT];
	struct json v;

	if (!text)
		return;
	if (json_member(all, "Config", &config)) {
		keep_member(&f->image, config, "Image");
		if (json_member(config, "Labels", &labels)) {
			keep_member(&f->pod, labels, "io.kubernetes.pod.name");
			keep_member(&f->namespace, labels, "io.kubernetes.pod.namespace");
			keep_member(&f->name, labels, "io.kubernetes.container.name");
		}
	}
	if (json_member(all, "Name", &v) && json_text(v, name, sizeof(name)))
		keep(&f->name, name + (*name == '/'));
	free(text);
}

/* The OCI's config.json: { "annotations": { ... } }, in each engine's own words. */
static void read_oci(struct place *p)
{
	struct container_facts *f = p->to;
	const struct {
		char **to;
		const char *name;
	} rows[] = {
		{ &f->name, "io.kubernetes.cri.container-name" },
		{ &f->pod, "io.kubernetes.cri.sandbox-name" },
		{ &f->namespace, "io.kubernetes.cri.sandbox-namespace" },
		{ &f->image, "io.kubernetes.cri.image-name" },
		{ &f->name, "io.kubernetes.container.name" },
		{ &f->pod, "io.kubernetes.pod.name" },
		{ &f->namespace, "io.kubernetes.pod.namespace" },
		{ &f->image, "io.kubernetes.cri-o.ImageName" },
		{ &f->name, "nerdctl/name" },
	};
	struct json all, annotations;
	char *text = read_json(p->path, &all);

	if (text && json_member(all, "annotations", &annotations))
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			keep_member(rows[i].to, annotations, rows[i].name);
	free(text);
}

/* Podman's list of all containers. */
static void read_storage(struct place *p)
{
	const struct stored_container *c = container_stored(p->storage, p->path, p->id);

	if (!c)
		return;
	if (c->image)
		keep(&p->to->image, c->image);
	if (c->name)
		keep(&p->to->name, c->name);
}

/* POD_NAMESPACE_CONTAINER-ID.log: names of Kubernetes have no _. */
static void read_log(struct place *p)
{
	char text[TEXT], *namespace, *name, *id;

	if (strlen(p->entry) >= sizeof(text))
		return;
	text_cut(text, sizeof(text), "%s", p->entry);
	namespace = strchr(text, '_');
	name = namespace ? strchr(namespace + 1, '_') : NULL;
	id = name ? strstr(name, p->id) : NULL;
	if (!id || id[-1] != '-')
		return;
	*namespace++ = *name++ = id[-1] = '\0';
	keep(&p->to->pod, text);
	keep(&p->to->namespace, namespace);
	keep(&p->to->name, name);
}

/*
 * Where engines keep what they know of a container: % is its id, and * one folder or file of any
 * name. `of`: the engines whose path tells them apart; NULL: all with such ids.
 */
static const struct source {
	const char *of, *pattern;
	void (*read)(struct place *p);
} sources[] = {
	{ "docker", "/var/lib/docker/containers/%/config.v2.json", read_docker },
	{ "docker", "/var/snap/docker/common/var-lib-docker/containers/%/config.v2.json",
	  read_docker },
	{ "podman", "/var/lib/containers/storage/*-containers/containers.json", read_storage },
	{ NULL, "/run/containerd/io.containerd.runtime.v2.task/*/%/config.json", read_oci },
	{ NULL, "/run/k3s/containerd/io.containerd.runtime.v2.task/*/%/config.json", read_oci },
	{ NULL, "/run/containers/storage/*-containers/%/userdata/config.json", read_oci },
	{ NULL, "/var/log/containers/*-%.log", read_log },
};

/* The pattern with the root in front and the id in it. Returns NULL if there is no memory. */
static char *path_of(const struct container_names *names, const char *pattern, const char *id)
{
	const size_t n = strcspn(pattern, "%");
	const bool has_id = pattern[n];
	char *path;

	return asprintf(&path, "%s%.*s%s%s", names->root, (int)n, pattern, has_id ? id : "",
			pattern + n + has_id) < 0 ? NULL : path;
}

static void read_entry(const struct source *s, struct place *p, const char *folder,
		       const char *entry, const char *rest)
{
	char *path;

	if (asprintf(&path, "%s%s%s", folder, entry, rest) < 0)
		return;
	p->path = path;
	p->entry = entry;
	s->read(p);
	free(path);
}

/*
 * `folder` ends with /. What * stands for begins with `begins`, and ends with `ends` up to a /,
 * from which on the path goes on.
 */
static void read_folder(const struct source *s, struct place *p, const char *folder,
			const char *begins, const char *ends)
{
	const size_t before = strlen(begins), behind = strcspn(ends, "/");
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && !whole(p->to) && (e = readdir(dir))) {
		const size_t n = strlen(e->d_name);

		if (*e->d_name != '.' && n > before + behind &&
		    !strncmp(e->d_name, begins, before) &&
		    !memcmp(e->d_name + n - behind, ends, behind))
			read_entry(s, p, folder, e->d_name, ends + behind);
	}
	if (dir)
		closedir(dir);
}

static void read_source(const struct container_names *names, const struct source *s,
			struct place *p)
{
	char *path = path_of(names, s->pattern, p->id), *star, *begins, *folder;

	if (!path)
		return;
	star = strchr(path + strlen(names->root), '*');
	if (!star) {
		p->path = path;
		s->read(p);
		free(path);
		return;
	}
	*star = '\0';
	begins = strrchr(path, '/') + 1;
	folder = strndup(path, (size_t)(begins - path));
	if (folder)
		read_folder(s, p, folder, begins, star + 1);
	free(folder);
	free(path);
}

static void read_all(const struct container_names *names, const struct container_path *c,
		     struct container_facts *to)
{
	struct place p = { .storage = names->storage, .to = to };

	text_cut(p.id, sizeof(p.id), "%.*s", (int)c->n, c->id);
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources) && !whole(to); i++)
		if (!sources[i].of || !strcmp(sources[i].of, c->engine))
			read_source(names, &sources[i], &p);
}

/* Processes of another mount namespace that sonde sees are the host's. */
const char *containers_root(void)
{
	struct stat own, first;

	return !stat("/proc/self/ns/mnt", &own) && !stat("/proc/1/ns/mnt", &first) &&
	       own.st_ino != first.st_ino ? "/proc/1/root" : "";
}

struct container_names *container_names_new(const char *root)
{
	struct container_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->known.value_size = sizeof(struct known);
	names->root = strdup(root);
	names->storage = container_storage_new();
	if (!names->root || !names->storage) {
		container_names_free(names);
		return NULL;
	}
	return names;
}

static void forget(struct container_names *names)
{
	struct known *k;
	uint32_t at = 0;

	while ((k = hash_next(&names->known, &at))) {
		free(k->facts.name);
		free(k->facts.image);
		free(k->facts.pod);
		free(k->facts.namespace);
		free(k->title);
		free(k->by_id);
	}
	hash_clear(&names->known);
}

void container_names_free(struct container_names *names)
{
	if (!names)
		return;
	forget(names);
	container_storage_free(names->storage);
	free(names->root);
	free(names);
}

void container_names_limit(struct container_names *names, unsigned int most)
{
	names->most = most;
}

void container_names_tidy(struct container_names *names)
{
	if (names->known.index.n > KEPT)
		forget(names);
}

/* Of very many new containers not all are looked for at once: some have no name yet. */
static bool may_look(struct container_names *names, uint64_t now)
{
	if (now - names->second >= NS_PER_SECOND) {
		names->second = now;
		names->looks = 0;
	}
	return !names->most || names->looks++ < names->most;
}

static bool is_due(const struct known *k, uint64_t now)
{
	return !k->looked || now - k->looked >= AGAIN_NS;
}

/* Reads what is to be read. Returns NULL if there is no memory. */
static struct known *look_up(struct container_names *names, const struct container_path *c)
{
	struct known *k = hash_add(&names->known, c->id, c->n);
	uint64_t now;

	if (!k || whole(&k->facts))
		return k;
	if (c->named) {
		k->facts.name = strndup(c->id, c->n);
		return k;
	}
	now = monotonic_ns();
	if (is_due(k, now) && may_look(names, now)) {
		read_all(names, c, &k->facts);
		k->looked = now;
	}
	return k;
}

const struct container_facts *container_facts(struct container_names *names,
					      const struct container_path *c)
{
	const struct known *k = look_up(names, c);

	return k ? &k->facts : &names->none;
}

static char *title_of(const struct container_facts *f)
{
	char *title;
	int n = f->pod ? asprintf(&title, "%s/%s/%s", f->namespace ? f->namespace : "-", f->pod,
				  f->name) : asprintf(&title, "%s", f->name);

	return n < 0 ? NULL : title;
}

const char *container_title(struct container_names *names, const struct container_path *c)
{
	struct known *k = look_up(names, c);

	if (!k)
		return NULL;
	if (k->facts.name) {
		if (!k->title)
			k->title = title_of(&k->facts);
		return k->title;
	}
	if (!k->by_id && asprintf(&k->by_id, "%s:%.*s", c->engine, CONTAINER_SHOWN, c->id) < 0)
		k->by_id = NULL;
	return k->by_id;
}
