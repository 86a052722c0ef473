// SPDX-License-Identifier: GPL-2.0
/* Values of options that do not go together, or with this tool and this machine. */
#include "src/run/options/checks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/cpus.h"
#include "compat/base/scan.h"
#include "compat/tasks/namespace.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"

/* A command line whose options are read. */
struct checked {
	const struct tool *tool;
	const struct options *o;
	struct error *err;
};

#define refuse(C, ...) options_refuse((C)->o, (C)->err, __VA_ARGS__)

/* The process a thread belongs to; 0 if there is none of this id; -errno if that is unknown. */
static int64_t process_of(int64_t tid)
{
	char path[64], *line = NULL;
	size_t size = 0;
	uint64_t tgid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%lld/status", (long long)tid);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT && !access("/proc/self/stat", F_OK) ? 0 : -errno;
	while (!tgid && getline(&line, &size, file) > 0) {
		const char *at = line;

		if (scan_text(&at, "Tgid: "))
			scan_number(&at, INT32_MAX, &tgid);
	}
	free(line);
	fclose(file);
	return (int64_t)tgid;
}

/* A filter for a task that is not there would trace nothing, for ever. */
static int check_tasks(const struct checked *c, const struct option_list *ids, bool processes)
{
	const int64_t *list = ids->values;

	for (unsigned int i = 0; i < ids->n; i++) {
		int64_t process = process_of(list[i]);

		if (process < 0)
			return refuse(c, "sonde could not find out whether %s %lld exists: %s",
				      processes ? "process" : "thread", (long long)list[i],
				      process == -ENOENT ? "/proc is not mounted" :
				      strerror((int)-process));
		if (!process)
			return refuse(c, "%s %lld does not exist", processes ? "process" : "thread",
				     (long long)list[i]);
		if (processes && process != list[i])
			return refuse(c, "%lld is a thread of process %lld; --tid takes threads",
				      (long long)list[i], (long long)process);
	}
	return 0;
}

/* A CPU that is not there would show nothing, for ever. An option --cpu may also be a flag. */
static int check_cpu(const struct checked *c)
{
	const long long cpu = common_of(c->o)->cpu;
	char path[64];

	if (!common_of(c->o)->cpu_given)
		return 0;
	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%lld", cpu);
	if (!access(CPU_FOLDER, F_OK) && access(path, F_OK))
		return refuse(c, "CPU %lld does not exist: the CPUs here are those in " CPU_FOLDER,
			      cpu);
	return 0;
}

static int check_served(const struct checked *c)
{
	unsigned int n;
	const struct option_row *row = options_rows(c->o, &n);

	for (; n; n--, row++)
		if (option_given(c->o, row->option.name) && !option_served(c->tool, row))
			return refuse(c, "--%s would do nothing: %s", row->option.name,
				      option_not_served(c->tool, row));
	return 0;
}

static int check_picture(const struct checked *c, const char *option, const char *file)
{
	const char *suffix = file ? strrchr(file, '.') : NULL;

	if (file && (!suffix || strcmp(suffix, ".svg")))
		return refuse(c, "--%s writes SVG: the name of its file has to end with .svg, "
				"not \"%s\"", option, file);
	return 0;
}

static int check_histograms(const struct checked *c, const char *option)
{
	const char *needs = c->tool->distribution;

	if (needs && *needs == '!' && option_given(c->o, needs + 1))
		return refuse(c, "--%s can't be used with --%s: this option shows no histograms",
			     option, needs + 1);
	if (needs && *needs != '!' && !option_given(c->o, needs))
		return refuse(c, "--%s needs --%s: without this option there are no histograms",
			     option, needs);
	return 0;
}

/* They are below histograms, whose place a map on the terminal takes. */
static int check_percentiles(const struct checked *c)
{
	const char *text = common_of(c->o)->percentiles;
	struct percentiles p;

	if (!common_of(c->o)->percentiles_given)
		return 0;
	if (common_of(c->o)->heatmap_given && !common_of(c->o)->heatmap)
		return refuse(c, "--percentiles and --heatmap exclude each other, unless the map "
				 "goes into a file: --heatmap=FILE.svg");
	if (!percentiles_read(text, &p))
		return refuse(c, "--percentiles takes up to %d percentages, as in 50,99.9; not "
				 "\"%s\"", PERCENTILES, text);
	return check_histograms(c, "percentiles");
}

/* A map needs histograms, and a place of its own. */
static int check_heatmap(const struct checked *c)
{
	const char *file = common_of(c->o)->heatmap;

	if (!common_of(c->o)->heatmap_given)
		return 0;
	if (check_histograms(c, "heatmap") || check_picture(c, "heatmap", file))
		return -1;
	if (!file && !options_format(c->o)->people)
		return refuse(c, "--heatmap would be drawn into the %s: give it a file, "
				"--heatmap=FILE.svg", options_format(c->o)->title);
	return 0;
}

static int refuse_top(const struct checked *c, const char *other)
{
	return refuse(c, "--top and --%s exclude each other: --top is a table for people, of "
		      "functions", other);
}

static const char *listener_given(const struct options *o)
{
	unsigned int n;

	for (const struct option_row *row = options_rows(o, &n); n; n--, row++)
		if (row->listener && option_given(o, row->option.name))
			return row->option.name;
	return NULL;
}

/* It is for people, who see the time of day and names of functions there anyway. */
static int check_top(const struct checked *c)
{
	const struct common_options *o = common_of(c->o);
	const char *other = o->folded ? "folded" : o->delimited ? "delimited" :
			    o->offsets ? "offsets" : o->timestamp ? "timestamp" :
			    o->heatmap_given ? "heatmap" : o->by_cgroup ? "by-cgroup" :
			    listener_given(c->o);

	if (!o->top_given || !tool_has_stacks(c->tool))
		return 0;
	if (!options_format(c->o)->people && !options_format(c->o)->objects)
		return refuse_top(c, options_format(c->o)->option);
	return other ? refuse_top(c, other) : 0;
}

/* What was recorded is of no machine whose processes and disks can be asked. */
static int check_input(const struct checked *c)
{
	unsigned int n;
	const struct option_row *row = options_rows(c->o, &n);

	for (; n; n--, row++)
		if (row->option.local && option_given(c->o, row->option.name))
			return refuse(c, "--%s and --input exclude each other: records of a file "
					 "are not of this machine", row->option.name);
	return 0;
}

/* This machine's kernel has its own, and a snapshot has no addresses. */
static int check_kallsyms(const struct checked *c)
{
	const struct common_options *o = common_of(c->o);

	if ((!o->kallsyms && !o->symfs) || (o->input && !o->snapshot))
		return 0;
	return refuse(c, "--%s goes with --input of a recording: it names functions of the "
			 "machine that was recorded", o->kallsyms ? "kallsyms" : "symfs");
}

int tool_options_check(const struct tool *t, const struct options *o, struct error *err)
{
	const struct checked c = { t, o, err };

	if (common_of(o)->inverted && !common_of(o)->flame)
		return refuse(&c, "--inverted goes with --flame=FILE.svg: it turns that picture");
	if (check_served(&c) || check_heatmap(&c) || check_percentiles(&c) ||
	    check_picture(&c, "flame", common_of(o)->flame) || check_top(&c))
		return -1;
	if (check_kallsyms(&c))
		return -1;
	/* Its tasks and CPUs are those of another machine. */
	if (common_of(o)->input)
		return check_input(&c);
	if (common_of(o)->snapshot) {
		if (common_of(o)->dump)
			return 0;
		return refuse(&c, "--snapshot goes with --dump or --input: a program can't run on "
			      "a kernel that is not there");
	}
	if (check_cpu(&c))
		return -1;
	/* In another pid namespace src/run/filters refuses all ids. */
	if (access("/proc/self/status", R_OK) || !namespace_pid_initial())
		return 0;
	return check_tasks(&c, &common_of(o)->pid, true) ||
	       check_tasks(&c, &common_of(o)->tid, false) ? -1 : 0;
}
