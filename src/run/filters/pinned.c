// SPDX-License-Identifier: GPL-2.0
/*
 * Filters by a BPF map that others have made and pinned to a file: a task passes if its id is a
 * key. bcc's tools take the same maps.
 */
#include "src/run/filters/filters_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/bpf.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"

#define BPF_FS 0xcafe4a11		/* what statfs(2) says of files of BPF */

static const char no_rings[] = "the ring buffers do not look into BPF maps";
static const char no_version2[] = "this system has mounted no cgroups of version 2";

/* What is told of a map in /proc/self/fdinfo (4.6). */
struct shape {
	uint64_t type, key_size, value_size, entries;
};

static bool find_number(const char *text, const char *name, uint64_t *number)
{
	const char *at = strstr(text, name);

	if (!at)
		return false;
	at += strlen(name);
	return scan_text(&at, ":\t") && scan_number(&at, UINT32_MAX, number);
}

static bool read_shape(int fd, struct shape *s)
{
	char path[48], text[1024];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return file_read(path, text, sizeof(text)) > 0 &&
	       find_number(text, "map_type", &s->type) &&
	       find_number(text, "key_size", &s->key_size) &&
	       find_number(text, "value_size", &s->value_size) &&
	       find_number(text, "max_entries", &s->entries);
}

static int check_shape(const struct filter_row *row, const char *path, const struct shape *s,
		       struct error *err)
{
	if ((s->type == BPF_MAP_TYPE_HASH || s->type == BPF_MAP_TYPE_LRU_HASH) &&
	    s->key_size == row->key_size && (s->value_size == 4 || s->value_size == 8))
		return 0;
	return fail(err, "--%s: the map %s is of type %u, with keys of %u bytes and values of %u: "
		    "required is a hash (type %u), with keys of %u bytes and values of 4 or 8",
		    row->option, path, (unsigned int)s->type, (unsigned int)s->key_size,
		    (unsigned int)s->value_size, BPF_MAP_TYPE_HASH, row->key_size);
}

static int open_pinned(const char *option, const char *path, struct error *err)
{
	struct statfs fs;
	int fd;

	if (statfs(path, &fs))
		return fail_with(err, errno, "--%s: %s: %m", option, path);
	if ((unsigned long)fs.f_type != BPF_FS)
		return fail(err, "--%s: %s is not a pinned BPF map\n"
			    "bpftool map create /sys/fs/bpf/NAME type hash key 8 value 8 entries "
			    "1024 name NAME", option, path);
	fd = bpf_obj_get(path);
	return fd < 0 ? fail_with(err, -fd, "--%s: can't open the map %s: %m", option, path) :
	       fd;
}

int filter_pinned(struct filters *f, const struct options *o, struct asked_filter *a,
		  struct error *err)
{
	const char *path = option_text(o, a->row->option);
	struct shape shape;
	int fd;

	if (!path)
		return 0;
	if (filters_room(f, a, 1, err))
		return -1;
	fd = open_pinned(a->row->option, path, err);
	if (fd < 0)
		return -1;
	f->ids[f->filter.n][a->n++] = (uint64_t)fd;
	if (!read_shape(fd, &shape)) {
		close(fd);
		return fail(err, "--%s: %s is not a BPF map, or this kernel does not tell (4.6)",
			    a->row->option, path);
	}
	if (check_shape(a->row, path, &shape, err)) {
		close(fd);
		return -1;
	}
	a->value_size = (uint32_t)shape.value_size;
	a->entries = (uint32_t)shape.entries;
	a->refused[TARGET_RING] = no_rings;
	if (!strcmp(a->row->input, "cgroup") && !cgroup_version2())
		a->refused[TARGET_BPF] = no_version2;
	return 0;
}

void filter_unpin(const struct asked_filter *a)
{
	if (a->row->test == FILTER_PINNED && a->n)
		close((int)a->ids[0]);
}
