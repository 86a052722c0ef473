// SPDX-License-Identifier: GPL-2.0
/* The multi-call entry: the tool is what sonde was called as, or its first argument. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/commands/boot/boot.h"
#include "src/commands/commands.h"
#include "src/commands/names.h"
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
static const struct tool *tool_called(const char *name)
{
	return tool_named(strcmp(name, "bpftrace") ? name : "bt");
}

static int run_word(int argc, char **argv)
{
	char plain[OTHER_WORD];
	const char *name = plain_name(argv[0], plain);
	const struct tool *tool = tool_named(name);
	const struct command *command = command_named(name);
	const struct other_name *other;

	if (tool)
		return tool_run(tool, argc, argv);
	if (!command)
		command = option_command_named(argv[0]);
	if (command)
		return command_run(command, argc, argv);
	other = other_named(name);
	return other ? other_run(other, argc, argv) : no_such_command(argv[0]);
}

static int run(int argc, char **argv)
{
	char plain[OTHER_WORD];
	const char *name = argc ? plain_name(argv[0], plain) : "";
	const struct tool *tool = tool_called(name);
	const struct other_name *other = other_named(name);

	if (tool)
		return tool_run(tool, argc, argv);
	if (other)
		return other_run(other, argc, argv);
	if (argc < 2) {
		list_tools(sink_out());
		return 0;
	}
	return run_word(argc - 1, argv + 1);
}

/*
 * A set-user-ID sonde would let all users read the kernel's memory and that of each other, and its
 * files, environment and scripts are theirs.
 */
static bool is_set_user_id(void)
{
	return getuid() != geteuid() || getgid() != getegid();
}

/* SIGXFSZ, which must not end sonde: the write fails, and it says so. Commands inherit nothing. */
static void on_large_file(int number)
{
	(void)number;
}

/*
 * Programs leave the signals of their own children ignored or blocked: wait(2) would find none, or
 * nothing would wake sonde.
 */
static void own_signals(void)
{
	sigset_t child;

	signal(SIGCHLD, SIG_DFL);
	signal(SIGXFSZ, on_large_file);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &child, NULL);
}

#define STACK_KB 256		/* what sonde needs, twice */

static bool has_stack(void)
{
	struct rlimit stack;

	return getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= STACK_KB * 1024;
}

int main(int argc, char **argv)
{
	char plain[OTHER_WORD];

	sink_begin();
	if (argc && !strcmp(plain_name(argv[0], plain), BOOT_NAME))
		return sink_end(boot_main(argc, argv));
	own_signals();
	if (!has_stack()) {
		fprintf(sink_err(), "sonde: it needs a stack of %d KB, and RLIMIT_STACK allows "
			"less: raise this limit (ulimit -s 8192)\n", STACK_KB);
		return sink_end(1);
	}
	if (is_set_user_id()) {
		fputs("sonde: it does not run set-user-ID or set-group-ID: all users could then "
		      "look into all others' processes\n"
		      "use sudo, or give a user CAP_BPF and CAP_PERFMON\n", sink_err());
		return sink_end(1);
	}
	return sink_end(run(argc, argv));
}
