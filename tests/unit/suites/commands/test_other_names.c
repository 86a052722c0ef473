// SPDX-License-Identifier: GPL-2.0
/* Names of other tools: what they stand for, and that the manual has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/commands.h"
#include "src/commands/names.h"
#include "src/run/tool.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_other_names(void);

/* Calls `check` for each name of each row. */
static void each_name(void (*check)(const struct other_name *o, const char *name))
{
	for (const struct other_name *o = other_names; o->names; o++) {
		char names[1024], *rest = names, *name;

		snprintf(names, sizeof(names), "%s", o->names);
		while ((name = strsep(&rest, " ")))
			check(o, name);
	}
}

static void is_no_tool(const struct other_name *o, const char *name)
{
	ck_assert_msg(!tool_named(name) && !command_named(name), "%s is a name of sonde", name);
	ck_assert_msg(other_named(name) == o, "%s is in two rows", name);
	ck_assert_msg(!o->command != !o->instead, "%s has a command, or a text", name);
}

START_TEST(no_tools)
{
	each_name(is_no_tool);
	ck_assert_ptr_null(other_named(""));
	ck_assert_ptr_null(other_named("vfs"));
	ck_assert_ptr_null(other_named("tool that has blanks"));
	ck_assert_ptr_nonnull(other_named("javacalls"));
}
END_TEST

/* The command line, if nothing is behind the name. */
static void whole(const struct other_name *o, char line[256])
{
	snprintf(line, 256, o->without ? "%s %s %s" : "%s", o->command, o->slashed, o->without);
}

/* A command line is one that sonde takes. */
static void is_taken(const struct other_name *o, const char *name)
{
	char word[OTHER_WORD], line[512], command[256];
	const struct tool *tool;
	const char *last;
	struct trial t;

	if (!o->command || command_named(other_word(o, word)))
		return;
	tool = tool_named(word);
	whole(o, command);
	last = strrchr(command, ' ');
	/* A function is named behind it. */
	snprintf(line, sizeof(line), "%s %s", command, tool->asks ? tool->asks : "");
	if (!tool->asks || !last || last[1] != '-')
		line[strlen(command)] = '\0';
	ck_assert_msg(!trial_start(&t, line, trial_kernel("6.1")), "%s: %s", name, t.err.text);
	trial_end(&t);
}

START_TEST(commands_are_taken)
{
	each_name(is_taken);
}
END_TEST

static char *page;

/* The page has hyphens that are typed. */
static void is_in_page(const struct other_name *o, const char *name)
{
	char wanted[512], command[256];

	if (o->command) {
		whole(o, command);
		snprintf(wanted, sizeof(wanted), "\n.It Cm %s\n.Ql %s\n", name, command);
	} else {
		snprintf(wanted, sizeof(wanted), "\n.Cm %s ", name);
	}
	ck_assert_msg(strstr(page, wanted) != NULL, "sonde(8) lacks %s", wanted);
}

START_TEST(manual)
{
	FILE *f = fopen("man/man8/sonde.8", "r"), *to;
	size_t size;

	ck_assert_ptr_nonnull(f);
	to = open_memstream(&page, &size);
	for (int c; (c = fgetc(f)) != EOF;)
		if (c != '\\')
			fputc(c, to);
	fclose(f);
	fclose(to);
	each_name(is_in_page);
	free(page);
}
END_TEST

/* What is behind the name follows the words of the row. */
START_TEST(told)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	other_say(file, other_named("vfscount"), "/usr/bin/vfscount");
	other_say(file, other_named("sofdsnoop"), "sofdsnoop");
	other_say(file, other_named("tcpsubnet"), "tcpsubnet");
	fclose(file);
	ck_assert_str_eq(text, "vfscount: the same as sonde funccount vfs_*\n"
			       "sonde: there is no tool sofdsnoop: systrace -e sendmsg,recvmsg "
			       "shows the calls that pass descriptors\n"
			       "tcpsubnet: the same as sonde tcptop --subnet 127.0.0.1/32,"
			       "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,0.0.0.0/0\n");
	free(text);
}
END_TEST

/* A command that takes the name of a tool. */
START_TEST(asked)
{
	static const char *const names[][2] = {
		{ "nosuch", "there is no tool nosuch\n`sonde help` lists the tools" },
		{ "solisten", "there is no tool solisten: use bindsnoop --listen" },
		{ "virtiostat-bpfcc", "there is no tool virtiostat: biotop shows the traffic of "
				      "disks, and tcplife that of connections" },
	};
	struct error err = { };

	ck_assert_ptr_eq(tool_asked("./opensnoop.py", &err), tool_named("opensnoop"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_ptr_null(tool_asked(names[i][0], &err));
		ck_assert_str_eq(err.text, names[i][1]);
	}
}
END_TEST

START_TEST(plain)
{
	static const char *const names[][2] = {
		{ "opensnoop", "opensnoop" }, { "./opensnoop.py", "opensnoop" },
		{ "/usr/sbin/opensnoop-bpfcc", "opensnoop" }, { "execsnoop-perf", "execsnoop" },
		{ ".py", ".py" }, { "", "" }, { "a/", "" }, { "opensnoop.py3", "opensnoop.py3" },
		{ "a-name-that-no-tool-has-in-any-package.py",
		  "a-name-that-no-tool-has-in-any-package.py" },
	};
	char plain[OTHER_WORD];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_str_eq(plain_name(names[i][0], plain), names[i][1]);
}
END_TEST

Suite *suite_other_names(void)
{
	Suite *s = suite_create("other_names");

	add_tests(s, "no tools", no_tools, 1);
	add_tests(s, "commands", commands_are_taken, 1);
	add_tests(s, "manual", manual, 1);
	add_tests(s, "told", told, 1);
	add_tests(s, "asked", asked, 1);
	add_tests(s, "plain", plain, 1);
	return s;
}
