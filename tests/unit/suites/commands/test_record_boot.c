// SPDX-License-Identifier: GPL-2.0
/* `sonde record --print-bootconfig`: what it prints, to the byte, and what it refuses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/record/record_boot.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_record_boot(void);

#define HEAD \
	"# The events of this file are recorded from the kernel's start on. A full\n" \
	"# ring keeps its oldest events.\n#\n" \
	"# Linux 5.6 or later, with CONFIG_BOOT_CONFIG and CONFIG_BOOTTIME_TRACING:\n" \
	"# `bootconfig -a THIS-FILE INITRD`, and `bootconfig` on the command line.\n" \
	"# Later: sonde TOOL --input tracefs:sonde\n#\n" \
	"# Other kernels: the next line on the kernel's command line.\n" \
	"# Later: sonde TOOL --input tracefs\n"

static const struct {
	const char *kernel, *events, *words[4];
	uint64_t bytes;
	const char *text;
} printed[] = {
	{ "6.1", NULL, { "sonde", "record" }, 2 << 20,
	  "# sonde record\n" HEAD
	  "# trace_buf_size=2048K trace_options=nooverwrite trace_clock=mono "
	  "trace_event=block:block_rq_complete,block:block_rq_issue,sched:sched_process_exec,"
	  "sched:sched_process_exit,sched:sched_process_fork,sched:sched_switch,"
	  "task:task_newtask,task:task_rename\n"
	  "ftrace.instance.sonde {\n\tbuffer_size = 2048KB\n\toptions = nooverwrite\n"
	  "\ttrace_clock = mono\n"
	  "\tevents = \"block:block_rq_complete\", \"block:block_rq_issue\",\n"
	  "\t\t\"sched:sched_process_exec\", \"sched:sched_process_exit\",\n"
	  "\t\t\"sched:sched_process_fork\", \"sched:sched_switch\",\n"
	  "\t\t\"task:task_newtask\", \"task:task_rename\"\n}\n" },
	/* 3.10 has no clock `mono`. Words are as a shell takes them. */
	{ "3.10", "sched:sched_wakeup", { "sonde", "record", "a b\n", "*" }, 4096,
	  "# sonde record 'a b?' '*'\n" HEAD
	  "# trace_buf_size=4K trace_options=nooverwrite trace_clock=global "
	  "trace_event=sched:sched_process_exec,sched:sched_process_exit,sched:sched_wakeup,"
	  "task:task_newtask,task:task_rename\n"
	  "ftrace.instance.sonde {\n\tbuffer_size = 4KB\n\toptions = nooverwrite\n"
	  "\ttrace_clock = global\n"
	  "\tevents = \"sched:sched_process_exec\", \"sched:sched_process_exit\",\n"
	  "\t\t\"sched:sched_wakeup\", \"task:task_newtask\", \"task:task_rename\"\n}\n" },
};

START_TEST(a_configuration_is_printed)
{
	struct kernel *k = trial_kernel(printed[_i].kernel);
	struct record_events events = { };
	struct error err = { };
	char *words[5] = { }, *text = NULL;
	size_t n;
	FILE *file = open_memstream(&text, &n);

	for (unsigned int i = 0; i < 4; i++)
		words[i] = (char *)printed[_i].words[i];
	if (printed[_i].events)
		ck_assert_int_eq(record_events_named(k, printed[_i].events, &events, &err), 0);
	ck_assert_msg(!record_boot_events(k, &events, &err), "%s", err.text);
	record_events_sort(&events);
	ck_assert_int_eq(record_boot_print(file, k, &events, words, printed[_i].bytes, &err), 0);
	fclose(file);
	ck_assert_str_eq(text, printed[_i].text);
	free(text);
	record_events_free(&events);
	kernel_free(k);
}
END_TEST

static const struct {
	unsigned int n;
	bool samples, stacks;
	const char *error;
} refused[] = {
	{ 1, true, false, "samples are perf's, which takes none before the first program" },
	{ 1, false, true, "stacks can't be read from the rings of a boot" },
	{ 0, false, false, "this kernel has none of the events" },
	{ 1001, false, false, "1001 events are too many for a kernel's configuration" },
	{ 700, false, false, "the configuration has " },
};

START_TEST(the_rest_is_refused)
{
	struct record_events events = { .samples = refused[_i].samples,
					.stacks = refused[_i].stacks };
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	char *words[] = { "sonde", NULL }, name[40];

	for (unsigned int i = 0; i < refused[_i].n; i++) {
		snprintf(name, sizeof(name), "an_event_of_many_%04u", i);
		ck_assert_int_eq(record_events_add(&events, "system", name, &err), 0);
	}
	ck_assert_int_eq(record_boot_print(stderr, k, &events, words, 4096, &err), -1);
	ck_assert_msg(strstr(err.text, refused[_i].error), "%s", err.text);
	record_events_free(&events);
	kernel_free(k);
}
END_TEST

Suite *suite_record_boot(void)
{
	Suite *s = suite_create("record_boot");

	add_tests(s, "printed", a_configuration_is_printed, COUNT_OF(printed));
	add_tests(s, "refused", the_rest_is_refused, COUNT_OF(refused));
	return s;
}
