// SPDX-License-Identifier: GPL-2.0
/* The command line of `sonde record`: options that do not go together. */
#include <getopt.h>
#include <string.h>

#include "src/commands/record/record_options.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_record_options(void);

/* What would run, or be written, does not go with it. */
START_TEST(options_go_together)
{
	static const char *const lines[][6] = {
		{ "-o", "file", "runqlat" }, { "-d", "3", "runqlat" }, { "-g", "runqlat" },
		{ "-F", "99" }, { "--last", "3s", "runqlat" }, { "-e", "sched:*", "true" },
	};
	struct record_options o;
	struct error err = { };
	char *argv[9] = { "record", "--print-bootconfig" };

	for (unsigned int i = 0; i < COUNT_OF(lines); i++) {
		int n = 0;

		for (; n < 6 && lines[i][n]; n++)
			argv[n + 2] = (char *)lines[i][n];
		argv[n + 2] = NULL;
		optind = 0;
		ck_assert_int_eq(record_options_read(&o, n + 2, argv, &err), -1);
		ck_assert_msg(strstr(err.text, "does not go with --print-bootconfig"), "%s",
			      err.text);
		record_options_free(&o);
	}
	argv[2] = NULL;
	optind = 0;
	ck_assert_int_eq(record_options_read(&o, 2, argv, &err), 0);
	ck_assert(o.bootconfig);
	record_options_free(&o);
}
END_TEST

/* What is a tool's, and what is the command. */
START_TEST(words_have_their_place)
{
	static const struct {
		const char *words[7];
		const char *tool, *last, *command;	/* the last word of the tools */
	} lines[] = {
		{ { "runqlat" }, "runqlat", "runqlat" },
		{ { "--", "runqlat", "1", "3" }, "runqlat", "3" },
		{ { "runqlat", "-P", ",", "execsnoop", "--", "make" }, "runqlat", "execsnoop",
		  "make" },
		{ { "--last", "3s", "runqlat", "--", "make", "--" }, "runqlat", "runqlat", "make" },
		{ { "-e", "sched:*", "make", "--", "all" }, .command = "make" },
		{ { "-F", "99", "--", "make" }, .command = "make" },
		{ { "-s", "a.bt" } },
	};
	struct record_options o;
	struct error err = { };
	char *argv[9] = { "record" };
	char **last;
	int n = 0;

	for (; n < 7 && lines[_i].words[n]; n++)
		argv[n + 1] = (char *)lines[_i].words[n];
	optind = 0;
	ck_assert_int_eq(record_options_read(&o, n + 1, argv, &err), 0);
	ck_assert_pstr_eq(o.tools ? o.tools[0] : NULL, lines[_i].tool);
	for (last = o.tools; last && last[1]; last++)
		;
	ck_assert_pstr_eq(last ? *last : NULL, lines[_i].last);
	ck_assert_pstr_eq(o.command ? o.command[0] : NULL, lines[_i].command);
	record_options_free(&o);
}
END_TEST

START_TEST(dashes_need_a_command)
{
	struct record_options o;
	struct error err = { };
	char *argv[] = { "record", "runqlat", "--", NULL };

	optind = 0;
	ck_assert_int_eq(record_options_read(&o, 3, argv, &err), -1);
	ck_assert_str_eq(err.text, "a COMMAND is missing behind --");
	record_options_free(&o);
}
END_TEST

Suite *suite_record_options(void)
{
	Suite *s = suite_create("record_options");

	add_tests(s, "bootconfig", options_go_together, 1);
	add_tests(s, "words", words_have_their_place, 7);
	add_tests(s, "dashes", dashes_need_a_command, 1);
	return s;
}
