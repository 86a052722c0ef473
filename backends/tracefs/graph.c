// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/graph.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "compat/base/text.h"

#define MARK_MS 3000			/* a detacher puts the last one's settings back */
#define FUNCTIONS "set_graph_function"
#define AWAKE "options/sleep-time"
/* the clock of the mark after the settings were put back */
#define DONE "counter"

/* Files, and how their texts begin if nobody has set them. */
struct unset {
	const char *file, *text;
	bool shared;			/* of the main ring alone */
};

static const struct unset files[] = {
	{ FUNCTIONS, "#", false },
	{ "set_graph_notrace", "#", false },
	{ "max_graph_depth", "0", false },
	{ "tracing_thresh", "0", false },
	{ "current_tracer", "nop", true },
	{ "set_ftrace_filter", "#", true },
	{ "set_ftrace_notrace", "#", true },
	{ "set_ftrace_pid", "no pid", true },
	{ "set_event", "", true },
};

bool graph_in_instance(const char *instance)
{
	char tracers[256];

	return tracefs_read(instance, "available_tracers", tracers, sizeof(tracers)) > 0 &&
	       strstr(tracers, "function_graph");
}

/* Returns the file that somebody has set; NULL: none. */
static const char *set_by_others(const char *tracefs, bool shared)
{
	for (unsigned int i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const struct unset *f = &files[i];
		char text[128] = "";
		int n;

		if (f->shared && !shared)
			continue;
		n = tracefs_read(tracefs, f->file, text, sizeof(text));
		if (n == -EFBIG || (n > 0 && (strncmp(text, f->text, strlen(f->text)) ||
					      !*f->text)))
			return f->file;
	}
	return NULL;
}

/* Returns true if there are records in the main ring that somebody may still want to read. */
static bool has_records(const char *tracefs)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *file;

	text_all(path, sizeof(path), "%s/trace", tracefs);
	file = fopen(path, "re");
	while (file && !found && getline(&line, &size, file) > 0)
		found = *line != '#' && *line != '\n';
	free(line);
	if (file)
		fclose(file);
	return found;
}

static bool traces_graph(const char *dir)
{
	char tracer[32] = "";

	return tracefs_read(dir, "current_tracer", tracer, sizeof(tracer)) > 0 &&
	       !strncmp(tracer, "function_graph", 14);
}

/* Returns true if an instance of somebody else has the tracer. */
static bool instance_traces(const char *tracefs)
{
	char path[PATH_MAX];
	struct dirent *d;
	bool found = false;
	DIR *dir;

	text_all(path, sizeof(path), "%s/instances", tracefs);
	dir = opendir(path);
	while (dir && !found && (d = readdir(dir)))
		if (*d->d_name != '.' &&
		    snprintf(path, sizeof(path), "%s/instances/%s", tracefs, d->d_name) <
			    (int)sizeof(path))
			found = traces_graph(path);
	if (dir)
		closedir(dir);
	return found;
}

static int check(const char *tracefs, bool shared, struct error *err)
{
	const char *file = set_by_others(tracefs, shared);

	if (!file && shared && has_records(tracefs))
		return fail(err, "the main ring of ftrace has records of somebody else, and this "
				 "kernel's function graph tracer has no other ring\n"
				 "if nobody needs them: echo > %s/trace", tracefs);
	if (!file && traces_graph(tracefs))
		file = "current_tracer";
	if (!file && instance_traces(tracefs))
		file = "instances: current_tracer of one";
	if (!file)
		return 0;
	return fail(err, "somebody else uses the function graph tracer, or left its settings: "
			 "%s/%s\n%s", tracefs, file, shared ?
		    "this kernel has one ring for it, the main one: wait until ftrace "
		    "is not used, or put the file back" : "put the file back if nobody needs it");
}

/* The main ring takes records, or not: switched off it is no use of the tracer by others. */
static bool is_on(const char *dir)
{
	char on[8] = "";

	return tracefs_read(dir, "tracing_on", on, sizeof(on)) <= 0 || *on != '0';
}

/* The mark's own clock and switch keep those of the main ring. */
static void clock_of(const char *dir, char name[32])
{
	char text[256] = "", *at;

	tracefs_read(dir, "trace_clock", text, sizeof(text));
	at = strchr(text, '[');
	text_all(name, 32, "%.*s", at ? (int)strcspn(at + 1, "]") : 0, at ? at + 1 : "");
}

struct instance *graph_mark(struct kernel *k, bool shared, struct error *err)
{
	const char *tracefs = kernel_tracefs(k);
	struct instance *mark;
	char name[32], path[PATH_MAX];

	text_all(path, sizeof(path), "%s/instances/" GRAPH_MARK, tracefs);
	if (!access(path, F_OK))
		detach_wait(k, MARK_MS);
	tracefs_sweep_instances(k);
	if (access(path, F_OK) && check(tracefs, shared, err))
		return NULL;
	mark = instance_alone(k, GRAPH_MARK);
	if (!mark && errno == EBUSY)
		fail(err, "another sonde traces calls by the function graph tracer, of which the "
			  "kernel has one list of functions\nwait until it ends");
	else if (!mark)
		tracefs_fail(err, errno, "can't make %s", path);
	if (!mark)
		return NULL;
	clock_of(tracefs, name);
	tracefs_write(path, "trace_clock", name);
	tracefs_write(path, "tracing_on", is_on(tracefs) ? "1" : "0");
	return mark;
}

static void clear(const char *tracefs, const char *file)
{
	char path[PATH_MAX];
	int fd;

	text_all(path, sizeof(path), "%s/%s", tracefs, file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
}

/* Without a function in the list the tracer would begin with all. */
static bool is_set(const char *tracefs)
{
	char *text = tracefs_text(tracefs, FUNCTIONS);
	const bool set = text && *text && *text != '#';

	free(text);
	return set;
}

/*
 * The kernel refuses names that its tracer does not see. A name ends with a newline: otherwise it
 * is looked up when the file is closed, and close(2) does not tell the refusal.
 */
static int set_functions(const char *tracefs, const struct many *functions, unsigned int *refused,
			 struct error *err)
{
	char path[PATH_MAX], name[576];

	*refused = 0;
	text_all(path, sizeof(path), "%s/" FUNCTIONS, tracefs);
	for (unsigned int i = 0; i < functions->n; i++) {
		int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
		int n = snprintf(name, sizeof(name), "%s\n", functions->names[i]);

		if (file < 0)
			return tracefs_fail(err, errno, "can't open %s", path);
		*refused += write(file, name, (size_t)n) != n;
		close(file);
	}
	if (*refused < functions->n && is_set(tracefs))
		return 0;
	return fail(err, "the kernel's function tracer does not see %s%s\n"
			 "available_filter_functions of tracefs lists its functions",
		    functions->names[0], functions->n > 1 ? " and the others" : "");
}

int graph_set(struct kernel *k, const char *path, const struct many *functions,
	      unsigned int *refused, struct error *err)
{
	const char *tracefs = kernel_tracefs(k);
	char depth[16];
	int error;

	if (set_functions(tracefs, functions, refused, err))
		return -1;
	snprintf(depth, sizeof(depth), "%u", functions->depth);
	/* An instance may have one of its own. */
	if (tracefs_write(path, "max_graph_depth", depth))
		tracefs_write(tracefs, "max_graph_depth", depth);
	error = tracefs_write(path, "current_tracer", "function_graph");
	if (error)
		return tracefs_fail(err, -error, "can't set the function graph tracer of %s", path);
	error = functions->awake ? tracefs_write(path, AWAKE, "0") : 0;
	return error ? tracefs_fail(err, -error, "can't write %s/" AWAKE, path) : 0;
}

/*
 * Events that sonde enables in the main ring are enabled in the mark first. So set_event of the
 * mark has the names of those to disable.
 */
static void disable_events(const char *tracefs, const char *mark)
{
	char *events = tracefs_text(mark, "set_event"), *rest = events, *name, *colon;
	char path[PATH_MAX];

	while (events && (name = strsep(&rest, "\n"))) {
		colon = strchr(name, ':');
		if (!colon)
			continue;
		*colon = '\0';
		if (snprintf(path, sizeof(path), "events/%s/%s/enable", name, colon + 1) <
		    (int)sizeof(path))
			tracefs_write(tracefs, path, "0");
	}
	free(events);
}

static void undo_main(const char *tracefs, const char *mark, const char *clock)
{
	char now[32];

	disable_events(tracefs, mark);
	clock_of(tracefs, now);
	/* A new clock empties the ring. */
	if (!strcmp(now, clock) || tracefs_write(tracefs, "trace_clock", clock))
		clear(tracefs, "trace");
	tracefs_write(tracefs, "tracing_on", is_on(mark) ? "1" : "0");
}

void graph_undo(const char *tracefs, const char *mark)
{
	char clock[32];

	clock_of(mark, clock);
	if (!strcmp(clock, DONE))
		return;
	tracefs_write(tracefs, AWAKE, "1");
	if (!graph_in_instance(mark)) {
		tracefs_write(tracefs, "tracing_on", "0");
		tracefs_write(tracefs, "current_tracer", "nop");
	}
	clear(tracefs, FUNCTIONS);
	tracefs_write(tracefs, "max_graph_depth", "0");
	if (!graph_in_instance(mark))
		undo_main(tracefs, mark, clock);
	tracefs_write(mark, "trace_clock", DONE);
}
