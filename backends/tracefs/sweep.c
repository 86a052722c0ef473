// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/scan.h"

/*
 * Whoever gets the lock knows that the owner is dead, and keeps the lock until all is removed.
 * Another sweep finds it taken and leaves the directory alone. So does an owner that is about to
 * take its lock.
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
#define NAME_ROOM 128

#define SMALL "abcdefghijklmnopqrstuvwxyz0123456789_"
#define CAPITAL "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* The next line `p:sonde_XXXXXX/NAME ...` of a list: 1, and its group and name; 0: it ends. */
static int next_probe(const char **text, char group[GROUP_LENGTH + 1],
		      char name[NAME_ROOM])
{
	while (**text) {
		const char *line = *text, *end = strchr(line, '\n'), *colon;

		*text = end ? end + 1 : line + strlen(line);
		colon = memchr(line, ':', *text - line);
		if (!colon || strncmp(colon, ":sonde_", 7))
			continue;
		if (scan_text(&colon, ":") && scan_of(&colon, SMALL, group, GROUP_LENGTH + 1) &&
		    strlen(group) == GROUP_LENGTH && scan_text(&colon, "/") &&
		    scan_of(&colon, SMALL CAPITAL, name, NAME_ROOM) && scan_text(&colon, " "))
			return 1;
	}
	return 0;
}

typedef void (*probe_fn)(const char *tracefs, const char *list, const char *group,
			 const char *name, char *arg);

/* Calls fn for each probe of a sonde; what it removes does no harm. */
static void each_probe(const char *tracefs, probe_fn fn, char *arg)
{
	static const char *const lists[] = { "kprobe_events", "uprobe_events" };
	char group[GROUP_LENGTH + 1], name[NAME_ROOM];

	for (unsigned int i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char *text = tracefs_text(tracefs, lists[i]);
		const char *at = text;

		while (text && next_probe(&at, group, name))
			fn(tracefs, lists[i], group, name, arg);
		free(text);
	}
}

static void remove_probe(const char *tracefs, const char *list, const char *group,
			 const char *name, char *dead)
{
	char line[192];

	if (strcmp(group, dead))
		return;
	snprintf(line, sizeof(line), "-:%s/%s\n", group, name);
	tracefs_write(tracefs, list, line);
}

static void sweep_group(const char *tracefs, const char *list, const char *group,
			const char *name, char *last)
{
	char path[PATH_MAX];
	int lock;

	(void)list;
	(void)name;
	if (!strcmp(group, last))
		return;
	strcpy(last, group);
	if (snprintf(path, sizeof(path), "%s/events/%s", tracefs, group) >= (int)sizeof(path))
		return;
	lock = tracefs_lock(path);
	if (lock < 0)
		return;
	tracefs_write(path, "enable", "0");
	/* The lists are read again: now that the lock is held, nobody adds probes any more. */
	each_probe(tracefs, remove_probe, last);
	close(lock);
}

/*
 * Instances first: a probe that is enabled in one can't be removed. A group is there as long as it
 * has probes, so the lists of probes name all groups.
 */
void tracefs_sweep_at(const char *tracefs)
{
	char last[GROUP_LENGTH + 1] = "";

	sweep_instances(tracefs);
	each_probe(tracefs, sweep_group, last);
}

void tracefs_sweep(struct kernel *k)
{
	const char *tracefs = kernel_live(k) ? kernel_tracefs(k) : NULL;

	if (tracefs)
		tracefs_sweep_at(tracefs);
}
