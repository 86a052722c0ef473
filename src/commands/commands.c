// SPDX-License-Identifier: GPL-2.0
#include "src/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/escape.h"
#include "compat/base/file.h"
#include "compat/report/snapshot_write.h"
#include "compat/types/offsets.h"
#include "src/commands/bootchart.h"
#include "src/commands/checklist.h"
#include "src/commands/completion.h"
#include "src/commands/containers/containers.h"
#include "src/commands/diff/diff.h"
#include "src/commands/convert.h"
#include "src/commands/export/export.h"
#include "src/commands/features.h"
#include "src/commands/flame.h"
#include "src/commands/info.h"
#include "src/commands/names.h"
#include "src/commands/probe/command.h"
#include "src/commands/record/record.h"
#include "src/commands/selftest/selftest.h"
#include "src/commands/stat/stat.h"
#include "src/lib/options/words.h"
#include "src/lib/output/pager.h"
#include "src/lib/output/sink.h"
#include "src/run/options/tool_options.h"
#include "src/session/source.h"

int command_failed(const struct error *err)
{
	fprintf(sink_err(), "sonde: %s\n", err->text);
	return 1;
}

const struct command *command_named(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

int command_misused(const char *name)
{
	char *usage = formats_usage(command_named(name)->usage);

	fprintf(sink_err(), "sonde: %s takes %s\n`sonde help %s` says more\n", name,
		usage ? usage : "", name);
	free(usage);
	return 2;
}

int no_such_option(const char *name, const char *word)
{
	fprintf(sink_err(), "sonde: %s: there is no option ", name);
	escape_text(sink_err(), word, strlen(word));
	fprintf(sink_err(), ", or its value is missing\n`sonde help %s` lists its options\n",
		name);
	return 2;
}

static const struct command_option *option_of(const struct command_option *o, const char *word)
{
	for (; o->name; o++)
		if ((o->letter && !strcmp(o->letter, word)) || !strcmp(o->name, word))
			return o;
	return NULL;
}

int command_words(int argc, char **argv, const struct command_option *options, const char **file)
{
	for (int i = 1; i < argc; i++) {
		const struct command_option *o = option_of(options, argv[i]);

		if (o && o->value && argv[i + 1])
			*o->value = argv[++i];
		else if (o && !o->value)
			*o->given = true;
		else if (*argv[i] == '-' && argv[i][1])
			return no_such_option(argv[0], argv[i]);
		else if (*file)
			return command_misused(argv[0]);
		else
			*file = argv[i];
	}
	return *file ? 0 : command_misused(argv[0]);
}

/* Those with more to say of themselves than their row have a --help of their own. */
static void command_help(const struct command *c)
{
	char *argv[] = { (char *)c->name, "--help", NULL };

	if (c->helps) {
		pager_begin(PAGER_LONG);
		c->run(2, argv);
	} else {
		fprintf(sink_out(), "%s: %s\nUsage: sonde %s%s%s\n%s%s", c->name,
			c->summary, c->name,
			*c->usage ? " " : "", c->usage,
			c->details ? "\n" : "", c->details ? c->details : "");
	}
}

/* Every tool under the group it comes with first. */
void list_tools(FILE *file)
{
	fputs("sonde " SONDE_VERSION ": the classic Linux tracing tools in one file\n\n"
	      "Usage: sonde TOOL [OPTION...], or a symbolic link named after the tool\n", file);
	for (const struct tool *const *first = tools; *first; first++) {
		bool listed = false;

		for (const struct tool *const *t = tools; t < first; t++)
			listed |= !strcmp((*t)->group, (*first)->group);
		if (listed)
			continue;
		fprintf(file, "\n%s\n", (*first)->group);
		for (const struct tool *const *t = first; *t; t++)
			if (!strcmp((*t)->group, (*first)->group))
				fprintf(file, "  %-14s %s\n", (*t)->name, (*t)->summary);
	}
	fputs("\nand\n", file);
	for (const struct command *c = commands; c->name; c++)
		fprintf(file, "  %-14s %s\n", c->name, c->summary);
	fputs("\nBegin with `sonde checklist`. `sonde help TOOL` says more.\n", file);
}

/* The name someone may have meant, NULL if nothing is near. */
static const char *nearest(const char *word)
{
	size_t length = strlen(word);
	struct nearest n = { .word = word, .length = length };

	for (const struct tool *const *t = tools; *t; t++)
		nearest_of(&n, (*t)->name);
	for (const struct command *c = commands; c->name; c++)
		nearest_of(&n, c->name);
	for (const struct other_name *o = other_names; o->names; o++)
		if (o->command)
			nearest_of(&n, o->names);
	return n.name;
}

int no_such_command(const char *word)
{
	const char *name = *word == '-' ? NULL : nearest(word);
	const char *what = *word == '-' ? "option" : "tool";

	if (command_named(word)) {
		fprintf(sink_err(), "sonde: %s is a command, not a tool\n`sonde help` lists both\n",
			word);
		return 2;
	}
	fprintf(sink_err(), "sonde: there is no %s ", what);
	escape_text(sink_err(), word, strlen(word));
	if (name)
		fprintf(sink_err(), "; did you mean %s?", name);
	fputs("\n`sonde help` lists the tools\n", sink_err());
	return 2;
}

static int help(int argc, char **argv)
{
	const char *name = argc == 2 ? argv[1] : "";
	const struct other_name *other = other_named(name);
	char word[OTHER_WORD];

	if (argc > 2)
		return command_misused(argv[0]);
	if (argc < 2) {
		pager_begin(PAGER_LONG);
		list_tools(sink_out());
		return 0;
	}
	if (other && !other->command)
		return other_run(other, 1, argv + 1);
	if (other) {
		other_say(sink_out(), other, name);
		name = other_word(other, word);
	}
	if (tool_named(name))
		options_help(tool_named(name), sink_out());
	else if (command_named(name))
		command_help(command_named(name));
	else
		return no_such_command(name);
	return 0;
}

/* Whatever comes behind it, as with the tools' --version. */
static int version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs("sonde " SONDE_VERSION "\n", sink_out());
	return 0;
}

int command_run(const struct command *c, int argc, char **argv)
{
	argv[0] = (char *)c->name;
	if (!c->helps && argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		command_help(c);
		return 0;
	}
	return c->run(argc, argv);
}

static int snapshot(int argc, char **argv)
{
	struct error err = { };
	struct kernel *k;
	int status = 0;

	if (argc != 2 || argv[1][0] == '-')
		return command_misused(argv[0]);
	k = source_running_kernel();
	if (!k || snapshot_write(k, argv[1], &err))
		status = command_failed(&err);
	kernel_free(k);
	return status;
}

/* A link for each tool; one that leads to this very file already is as good as made. */
static int install_links(int argc, char **argv)
{
	char self[PATH_MAX];
	struct error err = { };
	const int n = file_link(AT_FDCWD, "/proc/self/exe", self, sizeof(self));
	int status = 0, folder;

	if (argc != 2 || argv[1][0] == '-')
		return command_misused(argv[0]);
	if (n < 0) {
		fail_with(&err, -n, "/proc/self/exe can't be read: %m\nmount /proc");
		return command_failed(&err);
	}
	folder = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		fail_with(&err, errno, "can't open the folder %s: %m", argv[1]);
		return command_failed(&err);
	}
	for (const struct tool *const *t = tools; *t; t++) {
		char old[PATH_MAX];

		if (file_link(folder, (*t)->name, old, sizeof(old)) > 0 && !strcmp(old, self))
			continue;
		if (symlinkat(self, folder, (*t)->name)) {
			fail_with(&err, errno, "can't make %s/%s: %m", argv[1], (*t)->name);
			status = command_failed(&err);
		}
	}
	close(folder);
	return status;
}

const struct command commands[] = {
	{ "checklist", "[general|disk|network] [SECONDS] [--without FEATURE,...]",
	  "a first look at a machine: ten tools at once", checklist_main,
	  .helps = true },
	{ "features",
	  "[TOOL...] [--json] [--offsets] [--snapshot DIR] [--without FEATURE,...] [-v]",
	  "features of this kernel, and tools that can run on it", features_main,
	  "Prints a line for each tool: the engine it would use, and the missing parts of its "
	  "output.\n"
	  "With a TOOL: its probes, and why other engines are not used. With -v: the "
	  "same of\n"
	  "all tools, and all that is known of the kernel.\n" },
	{ "selftest", "[TOOL...] [--backend bpf|perf|ftrace] [--without FEATURE,...] [--json] [-v]",
	  "run the tools on a small known workload here, and compare", selftest_main,
	  .helps = true },
	{ "stat", STAT_USAGE, "count events of hardware, kernel and tracepoints", stat_main,
	  .helps = true },
	{ "flame", FLAME_USAGE, "draw a flame graph of folded stacks, or the difference of two",
	  flame_main, .helps = true },
	{ "probe", PROBE_USAGE,
	  "probes that stay, for trace, stat, perf and trace-cmd", probe_main, .helps = true },
	{ "record", RECORD_USAGE, "write events into a file, for --input and perf", record_main,
	  .helps = true },
	{ "diff", DIFF_USAGE, "two recordings through one tool, beside each other", diff_main,
	  .helps = true },
	{ "export", EXPORT_USAGE, "metrics of tools that run for ever, for Prometheus", export_main,
	  .helps = true },
	{ "containers", CONTAINERS_USAGE, "the running containers, their names and groups",
	  containers_main,
	  "Asks no daemon: the paths of control groups tell the containers, and files of the "
	  "engines\n"
	  "their names. --container and --pod of the tools take these.\n" },
	{ "info", INFO_USAGE, "events of a recording, and tools that run on it", info_main },
	{ "bootchart", BOOTCHART_USAGE, "processes of a recording on a time axis, with CPUs and "
					"disks", bootchart_main,
	  "Prints the longest processes, those with most CPU time, and when nothing ran.\n"
	  "With -o: draws all as an SVG picture; -o -: to standard output.\n"
	  "sonde-boot(7) tells how to record a machine from its first process on.\n" },
	{ "convert", CONVERT_USAGE, "write a recording for other programs", convert_main,
	  "pprof, speedscope, folded: stacks of samples, as `sonde profile` counts them\n"
	  "perfetto: samples and tracepoints in time, for ui.perfetto.dev\n"
	  "chrome: tracepoints in time as JSON, for chrome://tracing\n"
	  "perf-script: all events as text, as perf prints them\n" },
	{ "snapshot", "DIR", "write this kernel's facts into a folder, for features and --dump "
			     "elsewhere", snapshot },
	{ "install-links", "DIR", "make a symbolic link to sonde for each tool", install_links },
	{ "completion", "bash|zsh|fish", "print the shell's completion for sonde and its tools",
	  completion_main,
	  "bash:  . <(sonde completion bash)\n"
	  "zsh:   sonde completion zsh >DIR/_sonde, in a DIR of $fpath\n"
	  "fish:  sonde completion fish | source\n" },
	{ "help", "[TOOL|COMMAND]", "this list, or a tool's options and columns", help },
	{ "version", "", "the version of sonde", version },
	{ }
};
