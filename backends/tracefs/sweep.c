// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The lock is the only proof that an owner is dead, and is kept until all is removed: a second
 * sweep, and the owner itself if it is only about to take its lock, find it taken and leave the
 * directory alone.
 */
static void sweep_instances(const char *tracefs)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;
	int lock;

	if (snprintf(path, sizeof(path), "%s/instances", tracefs) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, "sonde-", 6) ||
		    snprintf(path, sizeof(path), "%s/instances/%s", tracefs, d->d_name) >=
			    (int)sizeof(path))
			continue;
		lock = tracefs_lock(path);
		if (lock < 0)
			continue;
		rmdir(path);
		close(lock);
	}
	closedir(dir);
}

#define GROUP_LENGTH 12		/* sonde_XXXXXX */

/*
 * The next line `p:sonde_XXXXXX/NAME ...` of a list of probes: 1, and its group and name; 0: none
 * is left.
 */
static int next_probe(const char **text, char group[GROUP_LENGTH + 1], char name[128])
{
	while (**text) {
		const char *line = *text, *end = strchr(line, '\n'), *colon;
		int n = 0;

		*text = end ? end + 1 : line + strlen(line);
		colon = memchr(line, ':', *text - line);
		if (!colon || strncmp(colon, ":sonde_", 7))
			continue;
		if (sscanf(colon, ":%12[a-z0-9_]/%127[A-Za-z0-9_]%n", group, name, &n) == 2 &&
		    strlen(group) == GROUP_LENGTH && colon[n] == ' ')
			return 1;
	}
	return 0;
}

static const char *const lists[] = { "kprobe_events", "uprobe_events" };

static void remove_group(const char *tracefs, const char *dead)
{
	char group[GROUP_LENGTH + 1], name[128], line[192];
	const char *at;
	unsigned int i;
	char *text;

	/* Read again: only now that the lock is held nothing is added any more. */
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		text = tracefs_text(tracefs, lists[i]);
		at = text;
		while (text && next_probe(&at, group, name)) {
			if (strcmp(group, dead))
				continue;
			snprintf(line, sizeof(line), "-:%s/%s\n", group, name);
			tracefs_write(tracefs, lists[i], line);
		}
		free(text);
	}
}

static void sweep_group(const char *tracefs, const char *group)
{
	char path[PATH_MAX];
	int lock;

	if (snprintf(path, sizeof(path), "%s/events/%s", tracefs, group) >= (int)sizeof(path))
		return;
	lock = tracefs_lock(path);
	if (lock < 0)
		return;
	tracefs_write(path, "enable", "0");
	remove_group(tracefs, group);
	close(lock);
}

/*
 * A group exists as long as it has probes, so the lists of probes name all groups. Mostly they are
 * empty.
 */
static void sweep_groups(const char *tracefs)
{
	char group[GROUP_LENGTH + 1], name[128], last[GROUP_LENGTH + 1] = "";
	const char *at;
	unsigned int i;
	char *text;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		text = tracefs_text(tracefs, lists[i]);
		at = text;
		while (text && next_probe(&at, group, name)) {
			if (!strcmp(group, last))
				continue;
			strcpy(last, group);
			sweep_group(tracefs, group);
		}
		free(text);
	}
}

/*
 * Instances first: a dead one's may still have its probes enabled, and an enabled probe can't be
 * removed.
 */
void tracefs_sweep_at(const char *tracefs)
{
	sweep_instances(tracefs);
	sweep_groups(tracefs);
}

void tracefs_sweep(struct kernel *k)
{
	const char *tracefs = kernel_live(k) ? kernel_tracefs(k) : NULL;

	if (tracefs)
		tracefs_sweep_at(tracefs);
}
