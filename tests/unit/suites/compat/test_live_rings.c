// SPDX-License-Identifier: GPL-2.0
/* Ftrace's rings of this machine as a recording: those of a folder that looks like tracefs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/recordings/recording.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/helpers/trace_file.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_live_rings(void);

#define PAGE 4096
#define PAGES 2			/* of each CPU */

/* What the folder has beside pages. NULL: as usual. */
static const struct row {
	const char *name, *clock, *overwrite, *on, *stats;
	bool gone;			/* the format of its event is not there any more */
	const char *wanted;		/* NULL: all of it */
	bool begins;			/* `wanted` is in the text, which has more */
} rows[] = {
	{ "whole" },
	{ "another clock", .clock = "local global [boot]\n" },
	{ "clock without ns", .clock = "local [counter] mono\n",
	  .wanted = "error: the times in FOLDER are of the clock counter, which does not count ns\n"
		    "`echo mono >trace_clock`, before the events are on, records ns\n" },
	{ "on and without a record", .on = "t:two\nt:one\n" },
	{ "format is gone", .gone = true,
	  .wanted = "error: FOLDER has nothing that sonde reads: `sonde record --print-bootconfig "
		    "-e SYSTEM:EVENT` records tracepoints\n" },
	{ "another event is there", .gone = true, .on = "t:two\n",
	  .wanted = "note: FOLDER has records of events that are gone, as of a module or a probe "
		    "that was removed: they are left out\n", .begins = true },
	{ "empty", .stats = "entries: 0\noverrun: 0\nread events: 0\n",
	  .wanted = "error: the rings of FOLDER have no events\n`sonde record --print-bootconfig "
		    "TOOL` tells how a kernel fills them from its start on\n" },
	{ "emptied", .stats = "entries: 0\noverrun: 0\nread events: 7\n",
	  .wanted = "error: the rings of FOLDER have no events: they were taken out before\n"
		    "`sonde record --print-bootconfig TOOL` tells how a kernel fills them from its "
		    "start on\n" },
	{ "read before", .stats = "entries: 9\noverrun: 9\nread events: 7\n",
	  .wanted = "note: 14 events were taken out of FOLDER before: they are missing\n",
	  .begins = true },
	{ "up to its entries", .stats = "entries: 1\noverrun: 0\nread events: 0\n",
	  .wanted = "event 0 of 8 at 90 on 1: 4 11 22 513 abcdef 2\n"
		    "event 0 of 8 at 95 on 1: 4 11 22 513 abcdef 2\n"
		    "event 0 of 7 at 100 on 0: 4 11 22 513 abcdef 2\n"
		    "event 0 of 7 at 268435656 on 0: 4 11 22 513 abcdef 2\n" },
	{ "full", .overwrite = "0\n",
	  .stats = "entries: 9\noverrun: 0\ndropped events: 5\nread events: 0\n",
	  .wanted = "event 0 of 8 at 90 on 1: 4 11 22 513 abcdef 2\n"
		    "event 0 of 8 at 95 on 1: 4 11 22 513 abcdef 2\n"
		    "event 0 of 7 at 100 on 0: 4 11 22 513 abcdef 2\n"
		    "event 0 of 7 at 268435656 on 0: 4 11 22 513 abcdef 2\n"
		    "lost 3 from 95 to 130 on 1\n"
		    "event 0 of 9 at 130 on 1: 4 11 22 513 abcdef 2\n"
		    "lost 2 from 130 to 268435700 on 1\n"
		    "lost 0 from 268435656 to 268435700 on 0\n"
		    "event 0 of 6 at 268435700 on 0: 4 11 22 513 abcdef 2\n"
		    "lost 5 from 268435700 to 268435700 on 0\n"
		    "note: a ring of FOLDER was full at 0.000 s: later events of its CPU are "
		    "missing (a larger ring: `sonde record --print-bootconfig -m PAGES`)\n" },
};

static void put(const char *folder, const char *name, const void *bytes, size_t n)
{
	char path[200];
	int fd;

	text_all(path, sizeof(path), "%s/%s", folder, name);
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_eq(write(fd, bytes, n), n);
	close(fd);
}

static void put_text(const char *folder, const char *name, const char *text)
{
	put(folder, name, text, strlen(text));
}

/* The pages are those at the end of a trace.dat. */
static void put_rings(const char *folder, const struct row *row)
{
	static const struct trace_form form = { { "v6" }, 6, 8, PAGE };
	static const char *const stats[] = {
		"entries: 9\noverrun: 0\ncommit overrun: 0\ndropped events: 0\nread events: 0\n",
		"entries: 9\noverrun: 2\ncommit overrun: 1\ndropped events: 2\nread events: 0\n",
	};
	struct perf_file f;

	trace_file_make(&f, &form);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		const uint8_t *pages = f.bytes + f.size - (2 - cpu) * PAGES * PAGE;
		char name[64];

		text_all(name, sizeof(name), "per_cpu/cpu%u/trace_pipe_raw", cpu);
		put(folder, name, pages, PAGES * PAGE);
		text_all(name, sizeof(name), "per_cpu/cpu%u/stats", cpu);
		put_text(folder, name, row->stats ? row->stats : stats[cpu]);
	}
	perf_file_free(&f);
}

static void put_event(const char *folder, const char *name, unsigned int id, const char *format)
{
	char path[64], text[200];

	text_all(path, sizeof(path), "events/%s/id", name);
	snprintf(text, sizeof(text), "%u\n", id);
	put_text(folder, path, text);
	text_all(text, sizeof(text), "name: %s\nID: %u\nformat:\n\tfield:unsigned short "
		 "common_type;\toffset:0;\tsize:2;\tsigned:0;\n\nprint fmt: \"\"\n",
		 strchr(name, '/') + 1, id);
	text_all(path, sizeof(path), "events/%s/format", name);
	put_text(folder, path, format ? format : text);
}

static void put_folder(const char *folder, const struct row *row)
{
	put_text(folder, "events/header_page",
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	put_text(folder, "trace_clock", row->clock ? row->clock : "local [mono]\n");
	put_text(folder, "options/overwrite", row->overwrite ? row->overwrite : "1\n");
	put_text(folder, "set_event", row->on ? row->on : "");
	put_event(folder, "ftrace/print", 5, NULL);
	put_event(folder, "t/two", 301, NULL);
	if (!row->gone)
		put_event(folder, "t/one", 300, perf_file_format);
	put_rings(folder, row);
}

/* The name of the folder is another one each time. */
static char *with_name(const char *text, const char *folder)
{
	struct strbuf to = { };
	const char *at;

	for (; (at = strstr(text, "FOLDER")); text = at + strlen("FOLDER"))
		strbuf_addf(&to, "%.*s%s", (int)(at - text), text, folder);
	strbuf_addf(&to, "%s", text);
	return strbuf_take(&to);
}

START_TEST(a_folder_is_a_recording)
{
	const struct row *row = &rows[_i];
	char *folder = temporary(), *text, *wanted;
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	char all[1000];

	/* What a ring has overwritten was before its first page. */
	text_all(all, sizeof(all), "lost 0 from 0 to 90 on 1\n%s", trace_file_text);
	put_folder(folder, row);
	ck_assert(recording_is_live(folder));
	text = perf_file_tell(recording_live(k, folder, NULL, &err), &err);
	wanted = with_name(row->wanted ? row->wanted : all, folder);
	/* An event without records may be before the other one. */
	if (row->on && !row->wanted)
		for (char *at = text; (at = strstr(at, "event 1 ")); at++)
			at[6] = '0';
	ck_assert_msg(row->begins ? strstr(text, wanted) != NULL : !strcmp(text, wanted),
		      "%s:\n%s\nand not\n%s", row->name, text, wanted);
	free(text);
	free(wanted);
	kernel_free(k);
	remove_all(folder);
}
END_TEST

START_TEST(only_rings_are_live)
{
	char *folder = temporary();

	ck_assert(recording_is_live("tracefs"));
	ck_assert(recording_is_live("tracefs:boot"));
	ck_assert(!recording_is_live("tracefs.dat"));
	ck_assert(!recording_is_live("./tracefs"));
	ck_assert(!recording_is_live(folder));
	remove_all(folder);
}
END_TEST

/* Rings are as hostile as files: any byte of their pages may be another one. */
START_TEST(damaged_pages_end_the_reading)
{
	char *folder = temporary(), path[200];
	struct kernel *k = trial_kernel("6.1");

	put_folder(folder, &rows[0]);
	text_all(path, sizeof(path), "%s/per_cpu/cpu0/trace_pipe_raw", folder);
	for (unsigned int at = 0; at < 200; at++) {
		const int fd = open(path, O_RDWR);
		struct error err = { };
		uint8_t byte, other;
		char *text;

		ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
		other = byte ^ 0xff;
		ck_assert_int_eq(pwrite(fd, &other, 1, at), 1);
		text = perf_file_tell(recording_live(k, folder, NULL, &err), &err);
		ck_assert(*text);
		free(text);
		ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
		close(fd);
	}
	kernel_free(k);
	remove_all(folder);
}
END_TEST

Suite *suite_live_rings(void)
{
	Suite *s = suite_create("live_rings");

	add_tests(s, "whole", a_folder_is_a_recording, COUNT_OF(rows));
	add_tests(s, "names", only_rings_are_live, 1);
	add_tests(s, "damaged", damaged_pages_end_the_reading, 1);
	return s;
}
