// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/graph.h"
#include "backends/tracefs/holder.h"
#include "backends/tracefs/locks.h"
#include "compat/base/clock.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"

#define PATIENCE_MS 5000	/* without a removal; the next sonde tries again */
#define PAUSE_MS 10
#define PAUSE_MOST_MS 500
#define REST_MS 10000		/* no sonde takes so long to start */
#define START_MS 1000		/* a sonde that starts leaves the rest to a detacher */

/* A pass over the things that ended sondes left. */
struct pass {
	const char *tracefs;
	int rest_ms;		/* it rests so long at most while sondes start */
	const char *uprobes;	/* the only group whose uprobes it removes; NULL: all (holder.h) */
	int64_t until;		/* when it ends, by monotonic_ms(); 0: with its work */
	const volatile sig_atomic_t *stop;	/* it ends when this is not 0; NULL: it does not */
	bool cut;		/* it ended before its work */
	unsigned int removed, left;
};

/*
 * Where one sonde starts after the other, a rest before each removal would go on for minutes: all
 * rests together are bounded.
 */
static void rest(struct pass *p)
{
	if (p->rest_ms > 0)
		removal_rest(p->tracefs, &p->rest_ms);
}

static bool is_over(struct pass *p)
{
	if ((p->until && monotonic_ms() >= p->until) || (p->stop && *p->stop))
		p->cut = true;
	return p->cut;
}

static void count(struct pass *p, bool removed)
{
	if (removed)
		p->removed++;
	else
		p->left++;
}

/*
 * Switches off an instance if it is still there. From 4.0 to 5.3 no instance can be removed while a
 * process reads pages of another instance, because the kernel has one count of readers for all
 * instances with the same tracer. Switched off, an instance costs nothing, and releases its probes.
 */
static void silence(const char *path)
{
	char on[8];

	if (tracefs_read(path, "tracing_on", on, sizeof(on)) <= 0 || *on != '1')
		return;
	tracefs_write(path, "current_tracer", "nop");
	tracefs_write(path, "events/enable", "0");
	tracefs_write(path, "buffer_size_kb", "1");
	tracefs_write(path, "tracing_on", "0");
}

/*
 * A process that gets the lock of an instance knows that the owner is dead. It keeps the lock until
 * the instance is removed. Another sweep finds the lock taken, and leaves the directory alone. So
 * does an owner that is about to lock its new instance. rmdir(2) also disables the instance's
 * events.
 */
static void sweep_instances(struct pass *p, bool graph)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;
	int lock;

	if (snprintf(path, sizeof(path), "%s/instances", p->tracefs) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	if (!dir)
		return;
	while (!is_over(p) && (d = readdir(dir))) {
		if (strncmp(d->d_name, "sonde-", 6) || graph == !!strcmp(d->d_name, GRAPH_MARK) ||
		    snprintf(path, sizeof(path), "%s/instances/%s", p->tracefs, d->d_name) >=
			    (int)sizeof(path))
			continue;
		lock = tracefs_lock(path);
		if (lock < 0)
			continue;
		rest(p);
		if (graph)
			graph_undo(p->tracefs, path);
		count(p, !rmdir(path));
		silence(path);
		close(lock);
	}
	closedir(dir);
}

#define UPROBES "uprobe_events"
#define GROUP_LENGTH 12		/* sonde_XXXXXX */
#define NAME_ROOM 128

#define SMALL "abcdefghijklmnopqrstuvwxyz0123456789_"
#define CAPITAL "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/*
 * Finds the next line `p:sonde_XXXXXX/NAME ...` of a list. Returns 1 with its group and name; 0 at
 * the end of the list.
 */
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

typedef void (*probe_fn)(struct pass *p, const char *list, const char *group, const char *name,
			 char *arg);

static bool may_remove(const struct pass *p, const char *list, const char *group)
{
	return !p->uprobes || strcmp(list, UPROBES) || !strcmp(group, p->uprobes);
}

/* Calls fn for each probe of a sonde that may be removed. fn may remove it: the list is a copy. */
static void each_probe(struct pass *p, probe_fn fn, char *arg)
{
	static const char *const lists[] = { "kprobe_events", UPROBES };
	char group[GROUP_LENGTH + 1], name[NAME_ROOM];

	for (unsigned int i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char *text = tracefs_text(p->tracefs, lists[i]);
		const char *at = text;

		while (text && !is_over(p) && next_probe(&at, group, name))
			if (may_remove(p, lists[i], group))
				fn(p, lists[i], group, name, arg);
		free(text);
	}
}

static void remove_probe(struct pass *p, const char *list, const char *group, const char *name,
			 char *dead)
{
	char line[192];

	if (strcmp(group, dead))
		return;
	rest(p);
	text_all(line, sizeof(line), "-:%s/%s\n", group, name);
	count(p, !tracefs_write(p->tracefs, list, line));
}

static void sweep_group(struct pass *p, const char *list, const char *group, const char *name,
			char *last)
{
	char path[PATH_MAX];
	int lock;

	(void)list;
	(void)name;
	if (!strcmp(group, last))
		return;
	strcpy(last, group);
	if (snprintf(path, sizeof(path), "%s/events/%s", p->tracefs, group) >= (int)sizeof(path))
		return;
	lock = tracefs_lock(path);
	if (lock < 0)
		return;
	rest(p);
	tracefs_write(path, "enable", "0");
	/* The lists are read again: now that the lock is held, no process adds probes any more. */
	each_probe(p, remove_probe, last);
	close(lock);
}

/*
 * Where an instance has the function graph tracer, the tracer's settings are put back behind it:
 * without them it would record all functions. Otherwise the main ring comes first.
 */
static void sweep_all_instances(struct pass *p)
{
	char mark[PATH_MAX];
	bool last;

	if (snprintf(mark, sizeof(mark), "%s/instances/" GRAPH_MARK, p->tracefs) >=
	    (int)sizeof(mark))
		return;
	last = graph_in_instance(mark);
	sweep_instances(p, !last);
	sweep_instances(p, last);
}

/*
 * Instances are removed first: a probe that is enabled in an instance can't be removed. A group
 * exists as long as it has probes, so the lists of probes name all groups.
 */
static void sweep(struct pass *p)
{
	char last[GROUP_LENGTH + 1] = "";

	p->removed = p->left = 0;
	sweep_all_instances(p);
	each_probe(p, sweep_group, last);
}

void tracefs_sweep_at(const char *tracefs, const char *uprobes)
{
	struct pass p = { .tracefs = tracefs, .uprobes = uprobes };

	sweep(&p);
}

bool tracefs_sweep(struct kernel *k)
{
	const char *tracefs = kernel_live(k) ? kernel_tracefs(k) : NULL;
	const int lock = tracefs ? removal_lock_shared(tracefs) : -1;
	struct pass p = { .tracefs = tracefs, .uprobes = holder_uprobes(k, NULL),
			  .until = monotonic_ms() + START_MS, .stop = kernel_stop(k) };

	if (lock < 0)
		return true;
	sweep(&p);
	close(lock);
	return !p.cut;
}

void tracefs_sweep_instances(struct kernel *k)
{
	struct pass p = { .tracefs = kernel_live(k) ? kernel_tracefs(k) : NULL };

	if (p.tracefs)
		sweep_all_instances(&p);
}

/*
 * After a sonde's end its things are in use for a moment only: the kernel ends a perf event after
 * its close(2). Other programs that use them may take longer.
 */
static void sweep_patiently(struct pass *p)
{
	long pause = PAUSE_MS, waited = 0;

	for (sweep(p); p->left && waited < PATIENCE_MS; sweep(p)) {
		if (p->removed) {
			pause = PAUSE_MS;
			waited = 0;
		}
		pause_ms(pause);
		waited += pause;
		pause = pause * 2 < PAUSE_MOST_MS ? pause * 2 : PAUSE_MOST_MS;
	}
}

bool tracefs_has_uprobes(const char *tracefs, const char *group)
{
	char *text = tracefs_text(tracefs, UPROBES), pattern[NAME_ROOM];
	bool has;

	text_all(pattern, sizeof(pattern), ":%s/", group);
	has = text && strstr(text, pattern);
	free(text);
	return has;
}

/* Returns true if there are uprobes that no other process removes. */
static bool is_left(const struct pass *p)
{
	return p->uprobes && *p->uprobes && tracefs_has_uprobes(p->tracefs, p->uprobes);
}

/*
 * A process without the lock leaves its things to the process with the lock, maybe after the last
 * pass of the latter. So the process with the lock makes another pass after releasing it. Things
 * that it finds then may still be in use.
 */
void tracefs_sweep_all(const char *tracefs, const char *uprobes, bool alone)
{
	struct pass p = { .tracefs = tracefs, .rest_ms = alone ? REST_MS : 0, .uprobes = uprobes };
	unsigned int in_use;

	do {
		const int lock = is_left(&p) ? removal_lock_wait(tracefs) : removal_lock(tracefs);

		if (lock < 0)
			return;
		sweep_patiently(&p);
		in_use = p.left;
		close(lock);
		sweep(&p);
	} while (p.removed || p.left > in_use || (alone && is_left(&p)));
}
