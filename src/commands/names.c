// SPDX-License-Identifier: GPL-2.0
#include "src/commands/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/session/session.h"

/* Options that show something else than their tool: a tool of its own does. */
static const struct {
	const char *tool, *option, *other;
} tools_of_options[] = {
	{ "biolatency", "--stacks", "biostacks" },
	{ "cachestat", "--by-file", "cachefill" },
	{ "filelife", "--all", "filegone" },
	{ "runqlen", "--unclaimed", "cpuunclaimed" },
};

int tool_run(const struct tool *tool, int argc, char **argv)
{
	const size_t rows = sizeof(tools_of_options) / sizeof(tools_of_options[0]);

	for (size_t i = 0; i < rows; i++)
		for (int at = 1; !strcmp(tool->name, tools_of_options[i].tool) && at < argc; at++) {
			if (strcmp(argv[at], tools_of_options[i].option))
				continue;
			memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof(*argv));
			return session_main(tool_named(tools_of_options[i].other), argc - 1, argv);
		}
	return session_main(tool, argc, argv);
}

static int run_words(int argc, char **argv)
{
	const struct tool *tool = tool_named(argv[0]);

	return tool ? tool_run(tool, argc, argv) :
		      command_run(command_named(argv[0]), argc, argv);
}

/* Copies the arguments, with the row's option where it belongs. Returns how many there are then. */
static int arguments(const struct other_name *o, int argc, char **argv, char **line)
{
	int n = 0, slashed = 0;

	for (int i = 0; i < argc; i++) {
		if (o->slashed && *argv[i] != '-' && strchr(argv[i], '/') && !slashed++)
			line[n++] = (char *)o->slashed;
		line[n++] = argv[i];
	}
	if (o->without && !slashed) {
		line[n++] = (char *)o->slashed;
		line[n++] = (char *)o->without;
	}
	return n;
}

int other_run(const struct other_name *o, int argc, char **argv)
{
	const struct error no_memory = { "out of memory" };
	char *words, *rest, **line;
	int n = 0, status;

	if (!o->command) {
		other_say(sink_err(), o, argv[0]);
		return 2;
	}
	rest = words = strdup(o->command);
	line = words ? calloc(strlen(words) + (size_t)argc + 3, sizeof(*line)) : NULL;
	if (!line) {
		free(words);
		return command_failed(&no_memory);
	}
	while ((line[n] = strsep(&rest, " ")))
		n++;
	n += arguments(o, argc - 1, argv + 1, line + n);
	status = run_words(n, line);
	free(line);
	free(words);
	return status;
}
