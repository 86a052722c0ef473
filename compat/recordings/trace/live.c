// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/trace/live.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/kernel/build_id.h"
#include "compat/kernel/kallsyms.h"
#include "compat/recordings/tracing_data.h"

#define WORD "tracefs"
#define PATH 512
#define TEXT_MOST (1U << 20)	/* bytes of a file of tracefs */
#define OPTION_CLOCK 4		/* of trace.dat: the text of trace_clock */

/* ---- where they are ---- */

bool recording_is_live(const char *name)
{
	char path[PATH];
	struct stat st;

	if (!strcmp(name, WORD) || !strncmp(name, WORD ":", strlen(WORD ":")))
		return true;
	return text_all(path, sizeof(path), "%s/per_cpu", name) && !stat(path, &st) &&
	       S_ISDIR(st.st_mode);
}

bool recording_taken(const struct recording *r)
{
	return r->live && r->live->taken;
}

struct kernel *live_kernel(const struct recording *r)
{
	return r->live ? r->live->kernel : NULL;
}

static char *take(char *copy, struct error *err)
{
	if (!copy)
		fail(err, "out of memory");
	return copy;
}

/* The folder of a name. The caller frees; NULL and sets err if there is none. */
static char *find_folder(struct kernel *k, const char *name, struct error *err)
{
	const char *tracefs, *instance = name + strlen(WORD);
	char path[PATH];

	if (strncmp(name, WORD, strlen(WORD)) || (*instance && *instance != ':'))
		return take(strdup(name), err);
	tracefs = kernel_tracefs(k);
	if (!tracefs) {
		fail(err, "tracefs is not mounted here: `mount -t tracefs tracefs "
			  "/sys/kernel/tracing` mounts it");
		return NULL;
	}
	if (!*instance)
		return take(strdup(tracefs), err);
	if (text_all(path, sizeof(path), "%s/instances/%s", tracefs, instance + 1) &&
	    instance[1] && !strchr(instance + 1, '/') && !access(path, F_OK))
		return take(strdup(path), err);
	fail(err, "%s/instances has no %s", tracefs, instance + 1);
	return NULL;
}

int live_prepare(struct recording *r, struct kernel *k, const char *name, struct error *err)
{
	r->format = &live_format;
	r->bytes.fd = -1;
	r->bytes.path = strdup(name);
	r->live = calloc(1, sizeof(*r->live));
	if (!r->bytes.path || !r->live)
		return fail(err, "out of memory");
	r->live->kernel = k;
	r->live->folder = find_folder(k, name, err);
	return r->live->folder ? 0 : -1;
}

/* A small text of the folder; the caller frees. Returns NULL and sets err if it can't be read. */
static char *text_of(const struct recording *r, const char *file, struct error *err)
{
	char path[PATH], *text = NULL;

	errno = ENAMETOOLONG;
	if (text_all(path, sizeof(path), "%s/%s", r->live->folder, file))
		text = file_text(path, TEXT_MOST, NULL);
	if (!text && err)
		fail_with(err, errno, "can't read %s/%s: %m", r->live->folder, file);
	return text;
}

/* ---- facts ---- */

/* Names of the kernel's functions are those of now. */
static void find_code(struct recorded_code *c)
{
	if (kallsyms_find("_text", &c->start) <= 0 || !c->start ||
	    kallsyms_find("_etext", &c->end) <= 0 || kernel_build_id(c->build_id)) {
		*c = (struct recorded_code){ };
		return;
	}
	c->base = c->start;
	text_all(c->symbol, sizeof(c->symbol), "_text");
	c->identified = true;
}

/*
 * The time of day of a clock that user space can read. CLOCK_MONOTONIC does not go on while
 * the machine is suspended, and nobody knows whether that was before or after an event.
 */
static void find_wall(struct recording *r)
{
	const char *clock = trace_data_of(r)->clock.name;
	const bool suspended = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC) > 1000000;

	if (!strcmp(clock, "mono") && !suspended)
		wall_look(&r->wall);
	else if (!strcmp(clock, "boot"))
		wall_note(&r->wall, clock_ns(CLOCK_BOOTTIME), clock_ns(CLOCK_REALTIME));
}

static int find_facts(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct kernel *k = r->live->kernel;
	char *layout = text_of(r, "events/header_page", err);
	char *clock = text_of(r, "trace_clock", NULL), *overwrite;
	int result = layout ? trace_layout_take(r, layout, strlen(layout), err) : -1;

	text_cut(r->release, sizeof(r->release), "%s", kernel_release(k));
	text_cut(r->machine, sizeof(r->machine), "%s", kernel_arch(k)->name);
	r->long_size = t->layout.commit_size;
	if (!result && clock)
		result = trace_option_read(r, OPTION_CLOCK,
					   cursor_over(clock, strlen(clock), false), err);
	if (!result)
		result = trace_clock_check(r, err);
	overwrite = text_of(r, "options/overwrite", NULL);
	t->keeps_oldest = overwrite && *overwrite == '0';
	find_wall(r);
	find_code(&r->code);
	free(layout);
	free(clock);
	free(overwrite);
	return result;
}

/* ---- events ---- */

/* Calls `each` for the folders in a folder. */
static int each_folder(struct recording *r, const char *folder,
		       int (*each)(struct recording *r, const char *folder, const char *name,
				   struct error *err), struct error *err)
{
	char path[PATH];
	struct dirent *entry;
	int result = 0;
	DIR *dir;

	text_cut(path, sizeof(path), "%s/%s", r->live->folder, folder);
	dir = opendir(path);
	if (!dir)
		return fail_with(err, errno, "can't read %s: %m", path);
	while (!result && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && *entry->d_name != '.')
			result = each(r, folder, entry->d_name, err);
	closedir(dir);
	return result;
}

/* Returns true if the line SYSTEM:EVENT is in set_event. */
static bool is_on(const char *list, const char *name)
{
	const size_t n = strlen(name);

	while (list && *list) {
		const size_t line = strcspn(list, "\n");

		if (line == n && !memcmp(list, name, n))
			return true;
		list += line + (list[line] == '\n');
	}
	return false;
}

static int add(struct recording *r, const char *system, const char *event, bool seen,
	       struct error *err)
{
	const unsigned int before = r->n_events;
	char path[PATH], *format;
	int result;

	text_cut(path, sizeof(path), "events/%s/%s/format", system, event);
	format = text_of(r, path, err);
	result = format ? tracing_event_add(r, system, format, strlen(format), err) : -1;
	if (!result && r->n_events > before)
		r->events[before].absent = !seen;
	free(format);
	return result;
}

/* What has a record, and what is on now: then there was nothing to record. */
static int add_event(struct recording *r, const char *folder, const char *event, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	const char *system = strchr(folder, '/') + 1, *at;
	char path[PATH], name[256], *id;
	uint64_t type;
	int result = 0;

	text_cut(path, sizeof(path), "%s/%s/id", folder, event);
	id = text_of(r, path, NULL);		/* some have none */
	at = id;
	if (id && scan_number(&at, UINT16_MAX, &type)) {
		const bool seen = trace_type_in(t->types, (uint16_t)type);

		t->own[type / 8] |= (uint8_t)(1 << type % 8);
		text_cut(name, sizeof(name), "%s:%s", system, event);
		if (strcmp(system, "ftrace") && (seen || is_on(r->live->on, name)))
			result = add(r, system, event, seen, err);
	}
	free(id);
	return result;
}

static int add_system(struct recording *r, const char *folder, const char *system,
		      struct error *err)
{
	char path[PATH];

	text_cut(path, sizeof(path), "%s/%s", folder, system);
	return each_folder(r, path, add_event, err);
}

static int add_events(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	bool gone = false;
	int result;

	r->live->on = text_of(r, "set_event", NULL);
	result = each_folder(r, "events", add_system, err);
	for (unsigned int i = 0; i < sizeof(t->types); i++)
		gone |= t->types[i] & ~t->own[i];
	if (gone)
		lines_add(&r->notes, "%s has records of events that are gone, as of a module or a "
			  "probe that was removed: they are left out", r->bytes.path);
	return result;
}

/* ---- the format ---- */

static void tell(struct recording *r)
{
	const struct live *l = r->live;

	if (l->full)
		lines_add(&r->notes, "a ring of %s was full at %.3f s: later events of its CPU are "
			  "missing (a larger ring: `sonde record --print-bootconfig -m PAGES`)",
			  r->bytes.path, (double)l->full / NS_PER_SECOND);
	if (l->before)
		lines_add(&r->notes, "%llu events were taken out of %s before: they are missing",
			  (unsigned long long)l->before, r->bytes.path);
	if (l->torn)
		lines_add(&r->notes, "the oldest events of %s were overwritten while sonde copied "
			  "them", r->bytes.path);
}

static int live_open(struct recording *r, struct error *err)
{
	struct trace_data *t = r->own = calloc(1, sizeof(*t));

	if (!t)
		return fail(err, "out of memory");
	if (find_facts(r, err) || trace_buffer_add(r, "", "", err) ||
	    live_pages_copy(r, r->live, err))
		return -1;
	for (unsigned int i = 0; i < t->n_rings; i++)
		if (t->rings[i].cpu >= r->cpus)
			r->cpus = t->rings[i].cpu + 1;
	if (!r->cpus && !(r->bytes.stop && *r->bytes.stop))
		return fail(err, "the rings of %s have no events%s\n`sonde record "
				 "--print-bootconfig TOOL` tells how a kernel fills them from its "
				 "start on", r->bytes.path,
			    r->live->before ? ": they were taken out before" : "");
	tell(r);
	return add_events(r, err) ? -1 : trace_rings_begin(r, err);
}

static void live_close(struct recording *r)
{
	trace_dat_format.close(r);
	if (!r->live)
		return;
	free(r->live->folder);
	free(r->live->on);
	free(r->live);
	r->live = NULL;
}

const struct recording_format live_format = {
	.recorder = {
		"sonde record --print-bootconfig -e", false, "trace_clock=mono",
		"sonde record --print-bootconfig",
	},
	.open = live_open,
	.next = trace_records_next,
	.close = live_close,
};
