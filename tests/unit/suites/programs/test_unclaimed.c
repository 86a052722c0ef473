// SPDX-License-Identifier: GPL-2.0
/*
 * cpuunclaimed: from samples to text. Only BPF programs look at a run queue, so no record of an
 * engine stands for a sample: the tool gets them as its programs hand them over.
 */
#include <stdlib.h>
#include <string.h>

#include "insns/programs/cpuunclaimed.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_unclaimed(void);

#define MS 1000000ULL

static const struct {
	const char *about, *command;
	struct unclaimed_record samples[8];	/* end with a time of 0 */
	const char *printed;
} rows[] = {
	{ "no sample", "cpuunclaimed", { { } }, "%CPU - (no samples)\n" },
	{ "one that waits, and one that could run it", "cpuunclaimed -f 100",
	  { { MS, 0, 2 }, { 2 * MS, 1, 0 }, { 11 * MS, 0, 2 }, { 12 * MS, 1, 1 },
	    { 21 * MS, 0, 2 } },
	  "%CPU  75.00%, unclaimed idle 25.00%\n" },
	{ "three that wait for one CPU, one idle CPU", "cpuunclaimed -f 100",
	  { { MS, 0, 4 }, { 2 * MS, 3, 0 }, { 3 * MS, 1, 1 }, { 11 * MS, 0, 4 } },
	  "%CPU  66.67%, unclaimed idle 33.33%\n" },
	{ "all are idle", "cpuunclaimed -f 100 -T",
	  { { MS, 0, 0 }, { MS, 1, 0 }, { 11 * MS, 0, 0 } },
	  "00:00:00 %CPU   0.00%, unclaimed idle 0.00%\n" },
	{ "lengths; a CPU that has no samples any more", "cpuunclaimed -f 100 -j",
	  { { MS, 0, 2 }, { 2 * MS, 2, 0 }, { 11 * MS, 0, 3 }, { 21 * MS, 0, 1 },
	    { 31 * MS, 0, 1 } },
	  "11000000,2,,0\n21000000,3,,0\n31000000,1,,\n" },
	{ "a gap: only moments next to a sample", "cpuunclaimed -f 100 -j",
	  { { MS, 0, 2 }, { 95 * MS, 0, 1 }, { 101 * MS, 0, 4 }, { 111 * MS, 0, 5 } },
	  "81000000,\n91000000,\n101000000,1\n111000000,4\n" },
	{ "a number beyond all CPUs", "cpuunclaimed -f 100 -j",
	  { { MS, 0, 2 }, { 2 * MS, 8192, 1 }, { 11 * MS, 0, 2 } }, "11000000,2\n" },
};

START_TEST(moments)
{
	struct trial t;
	struct error err = { };

	ck_assert_msg(!trial_start(&t, rows[_i].command, trial_kernel("6.1")), "%s", t.err.text);
	t.out = open_memstream(&t.text, &t.size);
	t.run.output = run_output_new(&t.run, t.out, formats);
	ck_assert_ptr_nonnull(t.run.output);
	for (const struct unclaimed_record *s = rows[_i].samples; s->time; s++) {
		const struct record record = {
			.layout = &unclaimed_record_layout, .bytes = s, .size = sizeof(*s),
		};

		t.run.tool->record(&t.run, &record);
	}
	ck_assert(!t.run.tool->interval_end(&t.run, &err));
	ck_assert(!output_flush(t.run.output));
	ck_assert_msg(!strcmp(t.text, rows[_i].printed), "%s: printed %s", rows[_i].about, t.text);
	trial_end(&t);
}
END_TEST

Suite *suite_unclaimed(void)
{
	Suite *s = suite_create("unclaimed");

	add_tests(s, "moments", moments, (int)(sizeof(rows) / sizeof(rows[0])));
	return s;
}
