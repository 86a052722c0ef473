// SPDX-License-Identifier: GPL-2.0
/* The multi-call entry: the tool is what sonde was called as, or its first argument. */
#include <string.h>

#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/session/session.h"

/* Options that are commands by another name. */
static const struct command *option_command_named(const char *word)
{
	static const char *const words[][2] = {
		{ "--help", "help" }, { "-h", "help" }, { "--version", "version" },
		{ "-V", "version" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i][0], word))
			return command_named(words[i][1]);
	return NULL;
}

/* The tool that sonde was called as. As `bpftrace` it runs scripts. */
static const struct tool *tool_called(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return tool_named(strcmp(name, "bpftrace") ? name : "bt");
}

static int run(int argc, char **argv)
{
	const struct tool *tool = argc ? tool_called(argv[0]) : NULL;
	const struct command *command;

	if (tool)
		return session_main(tool, argc, argv);
	if (argc < 2) {
		list_tools(sink_out());
		return 0;
	}
	tool = tool_named(argv[1]);
	if (tool)
		return session_main(tool, argc - 1, argv + 1);
	command = command_named(argv[1]);
	if (!command)
		command = option_command_named(argv[1]);
	return command ? command_run(command, argc - 1, argv + 1) : no_such_command(argv[1]);
}

int main(int argc, char **argv)
{
	sink_begin();
	return sink_end(run(argc, argv));
}
