// SPDX-License-Identifier: GPL-2.0
/* The kernel's command line, as init=/sonde-init reads it. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/commands/boot/boot_line.h"
#include "tests/unit/unit.h"

Suite *suite_boot_line(void);

static const struct {
	const char *text, *init, *output, *duration, *record, *mistake;
} lines[] = {
	{ "", NULL, NULL, "60", NULL, NULL },
	{ "console=ttyS0 quiet init=/sonde-init\n", NULL, NULL, "60", NULL, NULL },
	{ "sonde.init=/lib/systemd/systemd sonde.output=/var/log/b sonde.duration=5",
	  "/lib/systemd/systemd", "/var/log/b", "5", NULL, NULL },
	{ "sonde.duration=1 sonde.duration=2", NULL, NULL, "2", NULL, NULL },
	{ "sonde.duration=1 -- sonde.duration=2", NULL, NULL, "1", NULL, NULL },
	{ "sonde.record=runqlat", NULL, NULL, "60", "runqlat", NULL },
	{ "sonde.record=runqlat,biolatency", NULL, NULL, "60", "runqlat|,|biolatency", NULL },
	{ "sonde.record=sched:*,block:*", NULL, NULL, "60", "-e|sched:*,block:*", NULL },
	{ "sonde.record=\"runqlat -P, biosnoop\" ro", NULL, NULL, "60", "runqlat|-P,|biosnoop",
	  NULL },
	{ "\"sonde.record=-g  runqlat\"", NULL, NULL, "60", "-g|runqlat", NULL },
	{ "sonde.record=runqlat sonde.record=biosnoop", NULL, NULL, "60", "biosnoop", NULL },
	{ "a=\"sonde.duration=3 b\" sonde.duration=\"4", NULL, NULL, "4", NULL, NULL },
	{ "sonde.record=", NULL, NULL, "60", NULL, "sonde.record takes words as `sonde record` "
	  "does" },
	{ "sonde.record=,", NULL, NULL, "60", NULL, "sonde.record takes words as `sonde record` "
	  "does" },
	{ "sonde.duration=0", NULL, NULL, "60", NULL,
	  "sonde.duration takes a number of seconds from 1 to 86400, not \"0\"" },
	{ "sonde.duration=1m", NULL, NULL, "60", NULL,
	  "sonde.duration takes a number of seconds from 1 to 86400, not \"1m\"" },
	{ "sonde.init=sbin/init", NULL, NULL, "60", NULL,
	  "sonde.init takes a path from the root on, not \"sbin/init\"" },
	{ "sonde.init", NULL, NULL, "60", NULL, "sonde.init has no value" },
	{ "sonde.output2=/a", NULL, NULL, "60", NULL, "there is no parameter sonde.output2" },
	{ "xsonde.output=/a sondex.a=1", NULL, NULL, "60", NULL, NULL },
};

static void same(const char *got, const char *wanted)
{
	ck_assert_str_eq(got ? got : "(none)", wanted ? wanted : "(none)");
}

START_TEST(reads)
{
	struct boot_line l;
	struct strbuf words = { };

	ck_assert_int_eq(boot_line_read(&l, lines[_i].text, NULL), 0);
	same(l.init, lines[_i].init);
	same(l.output, lines[_i].output);
	same(l.duration, lines[_i].duration);
	for (char **word = l.record; word && *word; word++) {
		strbuf_between(&words, "|");
		strbuf_addf(&words, "%s", *word);
	}
	same(words.s, lines[_i].record);
	same(lines_text(&l.mistakes), lines[_i].mistake);
	free(words.s);
	boot_line_free(&l);
}
END_TEST

Suite *suite_boot_line(void)
{
	Suite *s = suite_create("boot_line");
	TCase *t = tcase_create("boot_line");

	tcase_add_loop_test(t, reads, 0, sizeof(lines) / sizeof(lines[0]));
	suite_add_tcase(s, t);
	return s;
}
