// SPDX-License-Identifier: GPL-2.0
#include "src/files/mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"

struct mount {
	uint32_t dev;
	char *root, *place;	/* the part of the file system that is mounted, and where */
};

/* \040 and the like in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* ID PARENT MAJOR:MINOR ROOT PLACE ... */
static void add(struct mounts *m, char *line)
{
	char *words[5], *rest = line;
	const char *at;
	uint64_t major, minor;
	struct mount mount;

	for (int i = 0; i < 5; i++)
		if (!(words[i] = strsep(&rest, " ")))
			return;
	at = words[2];
	if (!scan_number(&at, UINT32_MAX, &major) || !scan_text(&at, ":") ||
	    !scan_number(&at, UINT32_MAX, &minor) || array_room(&m->list, m->n, sizeof(mount)))
		return;
	unescape(words[3]);
	unescape(words[4]);
	mount.dev = (uint32_t)(major << 20 | minor);
	mount.root = strdup(words[3]);
	mount.place = strdup(words[4]);
	m->list[m->n++] = mount;
}

void mounts_free(struct mounts *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->list[i].root);
		free(m->list[i].place);
	}
	free(m->list);
	*m = (struct mounts){ };
}

void mounts_read(struct mounts *m)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;

	mounts_free(m);
	while (file && getline(&line, &room, file) > 0)
		add(m, line);
	free(line);
	if (file)
		fclose(file);
}

/* The rest of `path` below `root`; NULL: it is not below it. */
static const char *below(const char *path, const char *root)
{
	size_t n = strcmp(root, "/") ? strlen(root) : 0;

	return !strncmp(path, root, n) && (!path[n] || path[n] == '/') ? path + n : NULL;
}

bool mounts_path(const struct mounts *m, uint32_t dev, const char *path, char *to, size_t size)
{
	const struct mount *best = NULL;
	const char *rest;

	/* The whole file system rather than a part of it; of several places the first. */
	for (size_t i = 0; i < m->n; i++) {
		const struct mount *at = &m->list[i];

		if (at->dev == dev && at->root && at->place && below(path, at->root) &&
		    (!best || strlen(at->root) < strlen(best->root)))
			best = at;
	}
	if (!best)
		return false;
	rest = below(path, best->root);
	snprintf(to, size, "%s%s", strcmp(best->place, "/") || !*rest ? best->place : "", rest);
	return true;
}
