// SPDX-License-Identifier: GPL-2.0
/* Options that would do nothing with a tool. */
#include <string.h>

#include "src/lib/output/timelines/timelines.h"
#include "src/run/options/tool_options.h"

static bool uses(const struct program_set *set, enum symbolic symbol)
{
	for (const struct program *p = set ? set->programs : NULL; p && p->hook; p++)
		for (unsigned int i = 0; i < p->n_insns; i++)
			if (p->insns[i].symbol == symbol)
				return true;
	return !set;
}

/* Filters by the ids alone do for tasks that are not current, too. */
static bool serves_filter(const struct tool *t, const char *option)
{
	const bool ids = !strcmp(option, "pid") || !strcmp(option, "tid");

	return uses(t->programs, SYM_FILTER) || (ids && uses(t->programs, SYM_FILTER_OTHER));
}

bool tool_has_stacks(const struct tool *t)
{
	for (const struct map *m = t->programs ? t->programs->maps : NULL; m && m->name; m++)
		if (m->kind == MAP_STACKS)
			return true;
	return false;
}

static bool shows_totals(const struct tool *t)
{
	return t->stacks && t->stacks->state;
}

static bool of_stacks(const char *option)
{
	static const char *const names[] = {
		"flame", "inverted", "top", "folded", "delimited", "annotations", "offsets",
		"addresses", "mangled", STACK_STORAGE, "unwind",
		"kallsyms", "symfs", "pprof", "speedscope", "perf-script",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

/* Pictures, files and tables are of sums, a live table of what each second adds. */
static bool of_sums(const char *option)
{
	static const char *const names[] = {
		"flame", "inverted", "top", "pprof", "speedscope", "perf-script",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

static bool of_histograms(const char *option)
{
	return !strcmp(option, "heatmap") || !strcmp(option, "percentiles");
}

/* A line an event, with the name of a task. */
static bool shows_names(const struct tool *t)
{
	const struct column *c = t->columns;

	while (c && c->head && strcmp(c->name, "comm"))
		c++;
	return t->shape == SHAPE_EVENTS && (!c || c->head);
}

bool tool_shows_tasks(const struct tool *t)
{
	const struct column *c = t->columns;

	while (c && c->head && strcmp(c->name, "pid"))
		c++;
	return t->shape == SHAPE_EVENTS && c && c->head;
}

static bool lists_with(const struct option_row *row)
{
	return row->own || row->format || (row->listener && !row->listener->times) ||
	       !strcmp(row->option.name, "help") || !strcmp(row->option.name, "version");
}

/* On a time axis: rows with times, and what intervals count. */
static bool shows_times(const struct tool *t)
{
	return t->shape == SHAPE_EVENTS ? timeline_has_times(t->columns) :
	       !t->list && (t->columns || t->distribution || !tool_has_stacks(t));
}

bool option_served(const struct tool *t, const struct option_row *row)
{
	if (row->option.type == OPTION_REFUSED)
		return false;
	if (t->list)
		return lists_with(row);
	if (row->listener && row->listener->times)
		return shows_times(t);
	/* A tool's own option may have the name of a common one: syscount's --top is bcc's. */
	if (row->own && (of_stacks(row->option.name) ||
			 !strcmp(row->option.name, "heatmap")))
		return true;
	if (!strcmp(row->option.name, "container-names"))
		return tool_shows_tasks(t);
	if (of_histograms(row->option.name))
		return t->distribution || (t->shape == SHAPE_INTERVALS && !t->columns &&
					   !tool_has_stacks(t));
	if (of_sums(row->option.name) && t->shape == SHAPE_EVENTS)
		return false;
	/* A tool that shows all that is held adds nothing each second. */
	if (!strcmp(row->option.name, "top") && shows_totals(t))
		return false;
	if (of_stacks(row->option.name))
		return tool_has_stacks(t);
	if (row->group != GROUP_FILTERS || (row->own && row->option.type != OPTION_LIST &&
					    row->option.type != OPTION_USERS))
		return true;
	if (!strcmp(row->option.name, "name"))
		return shows_names(t);
	return serves_filter(t, row->option.name);
}

static const char *filter_not_served(const struct tool *t, const char *option)
{
	if (!serves_filter(t, "pid"))
		return "this tool's events belong to no single task, so it shows all";
	if (strcmp(option, "name"))
		return "this tool shows tasks that wait, and knows nothing but ids of them: take "
		       "--pid or --tid instead";
	return t->shape == SHAPE_EVENTS ?
	       "this tool's lines have no names of tasks: take --pid instead" :
	       "this tool adds up events without looking at names: take --pid instead";
}

static const char *stacks_not_served(const struct tool *t)
{
	if (!tool_has_stacks(t))
		return "this tool shows no stacks; profile, offcputime and stackcount do";
	return "this tool does not add up its stacks; stackcount does";
}

static const char *names_not_served(const struct tool *t)
{
	return t->shape == SHAPE_EVENTS ? "this tool's lines are of no single process" :
	       "this tool adds up events: opensnoop, execsnoop and biosnoop show each";
}

const char *option_not_served(const struct tool *t, const struct option_row *row)
{
	if (t->list)
		return "this tool only lists, and traces nothing";
	if (row->group == GROUP_FILTERS)
		return filter_not_served(t, row->option.name);
	if (row->listener)
		return t->shape == SHAPE_EVENTS ? "this tool's rows have no time" :
		       "sums by stack have no place in time: take --pprof or --speedscope instead";
	if (!strcmp(row->option.name, "container-names"))
		return names_not_served(t);
	return of_stacks(row->option.name) ? stacks_not_served(t) :
	       "this tool prints no histograms; biolatency, runqlat and funclatency do";
}
