// SPDX-License-Identifier: GPL-2.0
/* Removing what killed runs of sonde left in tracefs: instances, and private groups of probes. */
#include "src/commands/probe/clean.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/holder.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/text.h"
#include "src/commands/probe/made.h"
#include "src/lib/output/sink.h"

/* Where sonde makes directories, how their names begin, and what they are. */
static const struct place {
	const char *folder, *begin, *what;
} places[] = {
	{ "instances", "sonde-", "instance" },
	{ "events", "sonde_", "probes of group" },
};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* A directory that nobody owns any more. */
struct left {
	const struct place *place;
	char name[NAME_MAX + 1];
};

struct all_left {
	struct left *list;
	unsigned int n;
	bool failed;			/* out of memory */
	int loud;			/* -1: say only what stays; 1: say what is kept, too */
};

static bool path_of(const char *tracefs, const struct left *l, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s/%s", tracefs, l->place->folder, l->name) < PATH_MAX;
}

/* Adds it unless its owner runs. */
static void look(const char *tracefs, const struct left *l, struct all_left *all)
{
	char path[PATH_MAX];
	int lock = path_of(tracefs, l, path) ? tracefs_lock(path) : -1;

	if (lock == -EWOULDBLOCK && all->loud > 0)
		fprintf(sink_out(), "%s %s belongs to a running sonde\n", l->place->what, l->name);
	if (lock < 0)
		return;
	close(lock);
	if (array_room(&all->list, all->n, sizeof(*all->list)))
		all->failed = true;
	else
		all->list[all->n++] = *l;
}

static void find(const char *tracefs, struct all_left *all)
{
	for (size_t i = 0; i < PLACES; i++) {
		struct left l = { .place = &places[i] };
		char path[PATH_MAX];
		struct dirent *d;
		DIR *dir;

		if (snprintf(path, sizeof(path), "%s/%s", tracefs, places[i].folder) >= PATH_MAX)
			continue;
		dir = opendir(path);
		while (dir && (d = readdir(dir))) {
			if (strncmp(d->d_name, places[i].begin, strlen(places[i].begin)))
				continue;
			text_all(l.name, sizeof(l.name), "%s", d->d_name);
			look(tracefs, &l, all);
		}
		if (dir)
			closedir(dir);
	}
}

/* Returns the number of those that stay. */
static unsigned int tell(const char *tracefs, const struct all_left *all)
{
	unsigned int stay = 0;

	for (unsigned int i = 0; i < all->n; i++) {
		const struct left *l = &all->list[i];
		char path[PATH_MAX];

		if (path_of(tracefs, l, path) && access(path, F_OK)) {
			if (all->loud >= 0)
				fprintf(sink_out(), "%s %s removed\n", l->place->what, l->name);
			continue;
		}
		fprintf(sink_err(), "sonde: probe: %s %s is in use and stays\n", l->place->what,
			l->name);
		stay++;
	}
	return stay;
}

/* Probes of other programs, and those that the user made to stay, are not ours to remove. */
static void tell_others(const char *tracefs)
{
	struct made_probes all;
	unsigned int others = 0;
	struct error err;

	if (!made_read(tracefs, &all, &err))
		for (unsigned int i = 0; i < all.n; i++)
			others += !kept_is_private(all.list[i].group);
	made_free(&all);
	if (others)
		fprintf(sink_err(), "sonde: probe: %u other probe%s: `sonde probe --list` shows "
				    "all, --del GROUP:NAME removes one\n", others,
			others > 1 ? "s stay" : " stays");
}

int probe_clean(struct kernel *k, const char *tracefs, int loud, struct error *err)
{
	struct all_left all = { .loud = loud };
	unsigned int stay;

	find(tracefs, &all);
	if (all.failed) {
		free(all.list);
		return fail(err, "out of memory");
	}
	if (!all.n && loud >= 0)
		fputs("nothing is left of killed runs of sonde\n", sink_out());
	if (all.n)
		tracefs_sweep_at(tracefs, holder_uprobes(k, NULL));
	stay = tell(tracefs, &all);
	if (loud >= 0)
		tell_others(tracefs);
	free(all.list);
	return stay ? fail(err, "probes in use will be removed by a later run of sonde") : 0;
}
