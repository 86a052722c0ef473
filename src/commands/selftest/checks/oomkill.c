// SPDX-License-Identifier: GPL-2.0
/*
 * oomkill: a process of the workload takes more memory than the limit of its control group, which
 * the check makes. The kernel's log has a report of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define MB (1 << 20)
#define LIMIT "8388608"
#define MOST 64			/* MB: then the limit does not work */

struct state {
	char group[256];
};

static bool put(const char *group, const char *file, const char *text)
{
	char path[320];
	bool done;
	int fd;

	text_all(path, sizeof(path), "%s/%s", group, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

/* A group with a limit below a root of control groups, of version 1 or 2. */
static bool make_group(struct state *s, const char *root)
{
	text_all(s->group, sizeof(s->group), "%.200s/sonde-selftest-%d", root, getpid());
	if (mkdir(s->group, 0700))
		return false;
	if (put(s->group, "memory.max", LIMIT) || put(s->group, "memory.limit_in_bytes", LIMIT)) {
		put(s->group, "memory.swap.max", "0");
		put(s->group, "memory.memsw.limit_in_bytes", LIMIT);
		return true;
	}
	rmdir(s->group);
	return false;
}

/* A line of /proc/self/mounts: device, folder, type, options. */
static bool is_memory_group(const char *at, char *folder, size_t size)
{
	char device[64], type[32], options[256], *rest;

	if (!scan_until(&at, " ", device, sizeof(device)) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", folder, size) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", type, sizeof(type)) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", options, sizeof(options)))
		return false;
	if (strcmp(type, "cgroup"))
		return !strcmp(type, "cgroup2");
	for (char *o = strtok_r(options, ",", &rest); o; o = strtok_r(NULL, ",", &rest))
		if (!strcmp(o, "memory"))
			return true;
	return false;
}

static bool find_group(struct state *s)
{
	FILE *mounts = fopen("/proc/self/mounts", "re");
	char *line = NULL, folder[PATH_MAX];
	bool made = false;
	size_t size = 0;

	while (mounts && !made && getline(&line, &size, mounts) > 0)
		made = is_memory_group(line, folder, sizeof(folder)) && make_group(s, folder);
	if (mounts)
		fclose(mounts);
	free(line);
	return made;
}

static void eat(const struct state *s)
{
	char *bytes;

	if (!put(s->group, "cgroup.procs", "0"))
		_exit(1);
	for (int i = 0; i < MOST; i++) {
		bytes = malloc(MB);
		if (!bytes)
			_exit(1);
		for (int at = 0; at < MB; at += 512)
			((volatile char *)bytes)[at] = 1;
	}
	_exit(1);
}

static int prepare(struct work *w)
{
	struct state *s = w->state;

	if (!find_group(s))
		return not_here(w, "can't make a control group for memory: it takes a kernel with "
				   "CONFIG_MEMCG, and a cgroup or cgroup2 mounted that has it");
	say_text(w, "group", s->group);
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	int child = work_fork(), status;

	if (child < 0)
		return not_here(w, "can't make a process: %s", strerror(errno));
	if (!child)
		eat(s);
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
	    WTERMSIG(status) != SIGKILL)
		return not_here(w, "the limit of a control group has no effect");
	want_begin(w);
	want_integer(w, "pid", child);
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "victim", child);
	want_text(w, "victim_comm", w->name, strlen(w->name));
	want_end(w);
	return 0;
}

static void cleanup(const struct found *f)
{
	char group[256];

	if (said_text(f, "group", group, sizeof(group)))
		rmdir(group);
}

static const char *const options[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .prepare = prepare, .work = work },
	{ }
};

static const struct selftest_input inputs[] = { { "victim_comm", "oom.victim.name" }, { } };

SELFTEST(oomkill, parts, inputs, .state_size = sizeof(struct state), .cleanup = cleanup);
