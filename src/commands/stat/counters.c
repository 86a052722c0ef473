// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"

#define FILES_OTHER 64			/* files that sonde has open besides */

static struct stat_counter *counter_of(const struct stat_counters *c, unsigned int place,
				       unsigned int event)
{
	return &c->list[(size_t)place * c->events->n + event];
}

/* A counter is a file. Root may have more than the hard limit, up to fs.nr_open. */
static void allow_files(uint64_t n)
{
	struct rlimit old, more;

	if (getrlimit(RLIMIT_NOFILE, &old) || old.rlim_cur >= n)
		return;
	more = (struct rlimit){ n, old.rlim_max > n ? old.rlim_max : n };
	if (!setrlimit(RLIMIT_NOFILE, &more))
		return;
	more = (struct rlimit){ old.rlim_max, old.rlim_max };
	setrlimit(RLIMIT_NOFILE, &more);
}

int counters_new(struct stat_counters *c, struct stat_events *events, unsigned int n_places,
		 struct error *err)
{
	size_t n = (size_t)n_places * events->n;

	c->events = events;
	c->n_places = n_places;
	c->states = calloc(events->n + 1, sizeof(*c->states));
	c->places = calloc(n_places + 1, sizeof(*c->places));
	c->list = calloc(n + 1, sizeof(*c->list));
	if (!c->states || !c->places || !c->list) {
		counters_free(c);
		return fail(err, "out of memory");
	}
	for (size_t i = 0; i < n; i++)
		c->list[i].fd = -1;
	allow_files(n + FILES_OTHER);
	return 0;
}

void counters_free(struct stat_counters *c)
{
	size_t n = c->list ? (size_t)c->n_places * c->events->n : 0;

	for (size_t i = 0; i < n; i++)
		if (c->list[i].fd >= 0)
			close(c->list[i].fd);
	free(c->states);
	free(c->places);
	free(c->list);
	c->states = NULL;
	c->places = NULL;
	c->list = NULL;
}

static bool listed(const char *list, unsigned int cpu)
{
	unsigned int first, last;

	while (cpu_list_range(&list, &first, &last))
		if (cpu >= first && cpu <= last)
			return true;
	return false;
}

/* All CPUs of a package count the same: is this the first of its one? */
static bool first_of_package(unsigned int cpu)
{
	char path[128], text[4096];
	unsigned int first, last;
	const char *at = text;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/core_siblings_list",
		 cpu);
	return !file_line(path, text, sizeof(text)) || !cpu_list_range(&at, &first, &last) ||
		first == cpu;
}

bool counters_on(const struct stat_counters *c, unsigned int event, unsigned int place)
{
	const struct stat_event *e = &c->events->list[event];
	int cpu = c->places[place].cpu;

	return cpu == ANY_CPU || ((!e->cpus || listed(e->cpus, (unsigned int)cpu)) &&
				  (!e->per_package || first_of_package((unsigned int)cpu)));
}

/* Without rights there is still what happens in user mode; perf shows it as :u. */
static bool in_user_mode(struct stat_counters *c, unsigned int event)
{
	struct stat_event *e = &c->events->list[event];
	char *name;

	if (e->modified || e->attr.exclude_kernel || e->kernel_only || c->whole_cpus ||
	    c->states[event].opened || e->attr.type == PERF_TYPE_TRACEPOINT)
		return false;
	if (asprintf(&name, "%s%su", e->name, e->name[strlen(e->name) - 1] == '/' ? "" : ":") < 0)
		return false;
	free(e->name);
	e->name = name;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	e->user_only = true;
	return true;
}

static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM;
}

/* Too much for this process or the machine. */
static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* A file descriptor, or -errno. */
static int open_event(struct stat_counters *c, unsigned int event, const struct stat_place *place,
		      int leader)
{
	struct stat_event *e = &c->events->list[event];
	bool guests = e->hardware && !e->placed && !c->states[event].opened;

	if (guests)
		e->attr.exclude_guest = 1;
	for (;;) {
		struct perf_event_attr attr = e->attr;
		int fd;

		attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		attr.inherit = c->inherit;
		attr.disabled = leader < 0 && !c->counting;
		attr.enable_on_exec = leader < 0 && c->at_exec;
		fd = perf_event_open_beside(&attr, place->task, place->cpu, leader);
		if (fd >= 0)
			return fd;
		if (is_refusal(errno) && in_user_mode(c, event))
			continue;
		/* Some PMUs can't leave out what guests do. */
		if (guests && e->attr.exclude_guest && (errno == EINVAL || errno == EOPNOTSUPP)) {
			e->attr.exclude_guest = 0;
			continue;
		}
		return -errno;
	}
}

/*
 * Its task has ended, or its CPU is offline. One that has just come is listed a moment before
 * perf's events can be on it: what counts elsewhere counts there as well, later.
 */
static bool is_gone(const struct stat_place *place, int error, bool elsewhere)
{
	char text[4096];

	if (place->cpu == ANY_CPU)
		return error == ESRCH;
	return error == ENODEV && (elsewhere || (file_line(CPUS_ONLINE, text, sizeof(text)) &&
						 !listed(text, (unsigned int)place->cpu)));
}

int counters_open(struct stat_counters *c, unsigned int place, struct error *err)
{
	struct stat_place *at = &c->places[place];
	unsigned int group = 0;
	int leader = -1;

	for (unsigned int i = 0; i < c->events->n; i++) {
		const struct stat_event *e = &c->events->list[i];
		int fd;

		if (!counters_on(c, i, place))
			continue;
		if (!e->group || e->group != group)
			leader = -1;
		group = e->group;
		fd = open_event(c, i, at, leader);
		if (fd >= 0) {
			counter_of(c, place, i)->fd = fd;
			c->states[i].opened++;
			if (group && leader < 0)
				leader = fd;
			continue;
		}
		if (is_gone(at, -fd, c->states[i].opened)) {
			counters_close(c, place);
			return 1;
		}
		c->states[i].error = -fd;
		if (-fd == ENOSYS || is_shortage(-fd) ||
		    (is_refusal(-fd) && (c->whole_cpus || !e->kernel_only)))
			return counters_refused(c, e, at, -fd, err);
	}
	at->seen = true;
	return 0;
}

static void read_counter(struct stat_counter *counter)
{
	struct stat_reading now = counter->last, r = { };

	if (counter->fd < 0 || read(counter->fd, &r, sizeof(r)) == sizeof(r))
		now = (struct stat_reading){
			.value = counter->ended.value + r.value,
			.enabled = counter->ended.enabled + r.enabled,
			.running = counter->ended.running + r.running,
		};
	counter->added = (struct stat_reading){
		.value = now.value - counter->last.value,
		.enabled = now.enabled - counter->last.enabled,
		.running = now.running - counter->last.running,
	};
	counter->last = now;
}

void counters_close(struct stat_counters *c, unsigned int place)
{
	for (unsigned int i = 0; i < c->events->n; i++) {
		struct stat_counter *counter = counter_of(c, place, i);
		struct stat_reading reading;

		if (counter->fd < 0)
			continue;
		if (c->counting &&
		    read(counter->fd, &reading, sizeof(reading)) == sizeof(reading)) {
			counter->ended.value += reading.value;
			counter->ended.enabled += reading.enabled;
			counter->ended.running += reading.running;
		}
		close(counter->fd);
		counter->fd = -1;
	}
}

void counters_begin(struct stat_counters *c)
{
	for (unsigned int i = 0; i < c->n_places && !c->at_exec; i++)
		for (unsigned int j = 0; j < c->events->n; j++)
			if (counter_of(c, i, j)->fd >= 0)
				ioctl(counter_of(c, i, j)->fd, PERF_EVENT_IOC_ENABLE, 0);
	c->counting = true;
}

void counters_read(struct stat_counters *c)
{
	for (size_t i = 0; i < (size_t)c->n_places * c->events->n; i++)
		read_counter(&c->list[i]);
}

struct stat_reading counters_added(const struct stat_counters *c, unsigned int event, int place)
{
	struct stat_reading sum = { };

	for (unsigned int i = 0; i < c->n_places; i++) {
		const struct stat_reading *added = &counter_of(c, i, event)->added;

		if (place >= 0 && i != (unsigned int)place)
			continue;
		sum.value += added->value;
		sum.enabled += added->enabled;
		sum.running += added->running;
	}
	return sum;
}
