// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"

static struct ftrace_event *find(struct ftrace_events *all, int id)
{
	struct ftrace_event *h;

	for (unsigned int i = 0; i < all->n; i++)
		if (all->events[i].id == id)
			return &all->events[i];
	if (array_room(&all->events, all->n, sizeof(*h)))
		return NULL;
	h = &all->events[all->n++];
	*h = (struct ftrace_event){ .id = id };
	return h;
}

int ftrace_events_add(struct ftrace_events *all, struct kernel *k, const char *system,
		      const char *name, const char *filter, struct ftrace_target *target,
		      struct ftrace_targets *targets, struct error *err)
{
	const struct format *format = kernel_format(k, system, name);
	const struct field *pid;
	struct ftrace_event *h;

	if (!format)
		return kernel_lacks(k, err, "this kernel has no event %s:%s", system, name);
	pid = format_field(format, "common_pid");
	if (!pid || pid->size != 4)
		return fail(err, "the format of %s:%s has no common_pid", system, name);
	h = find(all, format->id);
	if (!h || event_filter_add(&h->filter, filter))
		return fail(err, "out of memory");
	text_all(h->dir, sizeof(h->dir), "events/%s/%s", system, name);
	target->pid_offset = pid->offset;
	return ftrace_targets_add(targets, format->id, target, err);
}

/* Returns true for an event of sonde's own probes, which no other tracer uses. */
static bool is_own(const struct ftrace_event *h)
{
	return !strncmp(h->dir, "events/sonde_", strlen("events/sonde_"));
}

/*
 * Before 3.14 an event has one filter for all instances, and no file for triggers: these came with
 * the filters of instances. A filter of sonde's would hide events from other tracers, also after
 * sonde's end. So sonde sets none (*shared), and programs drop unwanted events. Another tracer's
 * filter hides events from sonde, which is an error.
 */
static int check_filter(const char *path, const struct ftrace_event *h, bool *shared,
			struct error *err)
{
	char file[192], text[8];
	int n;

	text_all(file, sizeof(file), "%s/trigger", h->dir);
	*shared = !is_own(h) && tracefs_read(path, file, text, sizeof(text)) == -ENOENT;
	if (!*shared)
		return 0;
	text_all(file, sizeof(file), "%s/filter", h->dir);
	n = tracefs_read(path, file, text, sizeof(text));
	if (n == -ENOENT || (n > 0 && !strcmp(text, "none\n")))
		return 0;
	return fail(err, "a filter of %s is set, which hides its events from all tracers (until "
			 "3.14)\nremove it: echo 0 >%s/%s", h->dir, path, file);
}

static void set_filter(const char *path, FILE *verbose, const struct ftrace_event *h)
{
	char file[192];

	text_all(file, sizeof(file), "%s/filter", h->dir);
	if (!tracefs_write(path, file, event_filter(&h->filter)))
		return;
	tracefs_write(path, file, "0");
	if (verbose)
		fprintf(verbose, "ftrace: %s: the kernel refused the filter %s\n", h->dir,
			event_filter(&h->filter));
}

int ftrace_events_enable(const struct ftrace_events *all, const char *path, const char *mark,
			 FILE *verbose, struct error *err)
{
	char file[192];
	bool shared;
	int error;

	for (unsigned int i = 0; i < all->n; i++) {
		const struct ftrace_event *h = &all->events[i];

		if (check_filter(path, h, &shared, err))
			return -1;
		/* A filter would stay in a ring that is not sonde's own. */
		if (event_filter(&h->filter) && !shared && !mark)
			set_filter(path, verbose, h);
		text_all(file, sizeof(file), "%s/enable", h->dir);
		error = mark ? tracefs_write(mark, file, "1") : 0;
		if (!error)
			error = tracefs_write(path, file, "1");
		if (error)
			return tracefs_fail(err, -error, "can't enable %s", h->dir);
		if (verbose)
			fprintf(verbose, "ftrace: %s enabled\n", h->dir);
	}
	return 0;
}

void ftrace_events_free(struct ftrace_events *all)
{
	for (unsigned int i = 0; i < all->n; i++)
		free(all->events[i].filter.text);
	free(all->events);
}
