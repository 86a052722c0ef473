// SPDX-License-Identifier: GPL-2.0
/* The multi-call entry: the tool is what sonde was called as, or its first argument. */
#include <stdio.h>
#include <string.h>

#include "src/commands.h"
#include "src/session.h"

static const struct tool *find_tool(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (!strcmp((*t)->name, name))
			return *t;
	return NULL;
}

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* Every tool under the group it comes with first. */
static void list_tools(FILE *file)
{
	fputs("sonde " SONDE_VERSION ": the classic Linux tracing tools in one file\n\n"
	      "usage: sonde TOOL [OPTION...], or a symbolic link named after the tool\n", file);
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
	fputs("\n`sonde TOOL --help` tells more.\n", file);
}

int main(int argc, char **argv)
{
	const char *name = argc ? strrchr(argv[0], '/') : NULL;
	const struct tool *tool = argc ? find_tool(name ? name + 1 : argv[0]) : NULL;
	const struct command *command;

	if (tool)
		return session_main(tool, argc, argv);
	if (argc < 2) {
		list_tools(stdout);
		return 0;
	}
	tool = find_tool(argv[1]);
	if (tool)
		return session_main(tool, argc - 1, argv + 1);
	command = find_command(argv[1]);
	if (command)
		return command->run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("sonde " SONDE_VERSION);
		return 0;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		list_tools(stdout);
		return 0;
	}
	fprintf(stderr, "sonde: there is no tool %s\n`sonde` lists those there are\n", argv[1]);
	return 2;
}
