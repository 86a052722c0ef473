// SPDX-License-Identifier: GPL-2.0
/* Adding probes to tracefs' main instance, and removing them. */
#include "src/commands/probe/made.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/file.h"
#include "compat/base/text.h"

/* ---- who uses a probe ---- */

/* An instance of a sonde has a lock as long as that runs. */
static const char *whose(const char *tracefs, const char *instance)
{
	char path[PATH_MAX];
	int lock;

	if (strncmp(instance, "sonde-", 6))
		return "";
	if (snprintf(path, sizeof(path), "%s/instances/%s", tracefs, instance) >= (int)sizeof(path))
		return "";
	lock = tracefs_lock(path);
	if (lock < 0)
		return ", a running sonde's";
	close(lock);
	return ", of a run that was killed: the next run of sonde removes the instance";
}

static void look_instances(const char *tracefs, const struct made_probe *p, struct lines *users)
{
	char path[PATH_MAX], text[8];
	struct dirent *d;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/instances", tracefs) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		if (*d->d_name == '.' ||
		    snprintf(path, sizeof(path), "instances/%s/events/%s/%s/enable", d->d_name,
			     p->group, p->name) >= (int)sizeof(path))
			continue;
		if (tracefs_read(tracefs, path, text, sizeof(text)) > 0 && *text != '0')
			lines_add(users, "it is enabled in the instance %s%s", d->d_name,
				  whose(tracefs, d->d_name));
	}
	if (dir)
		closedir(dir);
}

/* Has the process a perf event open? Nothing tells which. */
static bool has_perf_events(const char *pid)
{
	char path[PATH_MAX], target[64];
	bool found = false;
	struct dirent *d;
	DIR *dir;

	text_all(path, sizeof(path), "/proc/%.20s/fd", pid);
	dir = opendir(path);
	while (dir && !found && (d = readdir(dir)))
		found = file_link(dirfd(dir), d->d_name, target, sizeof(target)) > 0 &&
			!strcmp(target, "anon_inode:[perf_event]");
	if (dir)
		closedir(dir);
	return found;
}

static void look_processes(struct lines *users)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		char path[64], name[65];

		if (!isdigit((unsigned char)*d->d_name) || !has_perf_events(d->d_name))
			continue;
		text_all(path, sizeof(path), "/proc/%.20s/comm", d->d_name);
		file_line(path, name, sizeof(name));
		lines_add(users, "process %.20s (%s) has perf events open", d->d_name, name);
	}
	if (dir)
		closedir(dir);
}

static int in_use(const char *tracefs, const struct made_probe *p, struct error *err)
{
	struct lines users = { .most = 8 };
	const char *text;

	if (p->enabled)
		lines_add(&users, "it is enabled in the main instance: echo 0 "
				  ">%s/events/%s/%s/enable", tracefs, p->group, p->name);
	look_instances(tracefs, p, &users);
	if (!users.n)
		look_processes(&users);
	text = lines_text(&users);
	fail(err, "%s:%s is in use and stays\n%s", p->group, p->name,
	     text ? text : "a trigger or a process of another pid namespace may use it");
	lines_free(&users);
	return -1;
}

/* ---- removing ---- */

static int try_remove(const char *tracefs, const struct made_probe *p)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	char line[2 * KEPT_NAME + 8];
	int error;

	text_all(line, sizeof(line), "-:%s/%s\n", p->group, p->name);
	error = tracefs_write(tracefs, p->list, line);
	/* It is in use a moment longer: the kernel ends a perf event after its close(2). */
	for (int i = 0; i < 50 && error == -EBUSY && !p->enabled; i++) {
		nanosleep(&pause, NULL);
		error = tracefs_write(tracefs, p->list, line);
	}
	return error;
}

int made_remove(const char *tracefs, const struct made_probe *p, struct error *err)
{
	const int error = try_remove(tracefs, p);

	if (error == -EBUSY)
		return in_use(tracefs, p, err);
	return error ? tracefs_fail(err, -error, "can't remove %s:%s", p->group, p->name) : 0;
}

/* ---- adding ---- */

static int refused(const char *tracefs, const struct kept *p, int error, struct error *err)
{
	char words[200];

	if (error == EPERM || error == EACCES || error == EROFS ||
	    (error == ENOENT && access(tracefs, R_OK)))
		return tracefs_fail(err, error, "can't add %s:%s", p->group, p->name);
	if (!tracefs_words(tracefs, p->name, words, sizeof(words)))
		text_cut(words, sizeof(words), "%s; the kernel log (dmesg) may say more",
			 strerror(error));
	return fail(err, "can't add %s:%s, the kernel says: %s\nits definition: %.500s", p->group,
		    p->name, words, p->definition);
}

static int define(const char *tracefs, const struct kept *p, struct error *err)
{
	char path[2 * KEPT_NAME + 32], *format, *text;
	int error;

	if (asprintf(&text, "%s\n", p->definition) < 0)
		return fail(err, "out of memory");
	error = tracefs_write(tracefs, p->list, text);
	free(text);
	if (error)
		return refused(tracefs, p, -error, err);
	text_all(path, sizeof(path), "events/%s/%s/format", p->group, p->name);
	format = tracefs_text(tracefs, path);
	free(format);
	return format ? 0 :
		fail(err, "%s:%s vanished as soon as it was made\n"
			  "is there a program that resets %s/%s?", p->group, p->name, tracefs,
		     p->list);
}

/*
 * Other probes of this name in the list, with their lines as the kernel has them. Adds to err what
 * could not be put back.
 */
static void put_back(const char *tracefs, const struct made_probes *all, const struct kept *p,
		     struct error *err)
{
	for (unsigned int i = 0; i < all->n; i++) {
		const struct made_probe *old = &all->list[i];
		int error = -ENOMEM;
		struct error why;
		char *text;

		if (strcmp(old->group, p->group) || strcmp(old->name, p->name))
			continue;
		if (asprintf(&text, "%s\n", old->line) >= 0) {
			error = tracefs_write(tracefs, old->list, text);
			free(text);
		}
		if (!error || !err)
			continue;
		why = *err;
		fail(err, "%.600s\nthe old probe is gone, because the kernel did not take it back: "
			  "%s\nits definition: %.300s", why.text, strerror(-error), old->line);
	}
}

static int replace_with(const char *tracefs, const struct made_probes *all,
			const struct made_probe *old, const struct kept *p, struct error *err)
{
	if (made_remove(tracefs, old, err))
		return -1;
	if (!define(tracefs, p, err))
		return 0;
	put_back(tracefs, all, p, err);
	return -1;
}

/* An event of the kernel's own, or one that is made in another way, has this name. */
static bool is_event(const char *tracefs, const struct kept *p)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/events/%s/%s", tracefs, p->group, p->name) <
		(int)sizeof(path) && !access(path, F_OK);
}

int made_add(const char *tracefs, const struct kept *p, bool replace, struct error *err)
{
	struct made_probes all;
	const struct made_probe *old;
	int result = made_read(tracefs, &all, err);

	old = made_find(&all, p->group, p->name);
	if (result)
		;
	else if (!old && is_event(tracefs, p))
		result = fail(err, "an event %s:%s exists already, and is not a probe: choose "
				   "another name", p->group, p->name);
	else if (!old)
		result = define(tracefs, p, err);
	else if (!replace)
		result = fail(err, "%s:%s exists already: %.400s\n--force replaces this probe, "
				   "--del removes it",
			      p->group, p->name, old->line);
	else
		result = replace_with(tracefs, &all, old, p, err);
	made_free(&all);
	return result;
}
