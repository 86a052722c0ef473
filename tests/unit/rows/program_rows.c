// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/rows/program_rows.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

/* Nobody of this machine has it, so that the command line would refuse. */
static void ask_process(struct run *r, const struct program_row *row)
{
	struct filter *f = &r->filters.filter;

	run_constant(r, "filtered", 1);
	run_constant(r, "needs_tgids", 1);
	if (!filter_asked(f, "pid"))
		f->asked[f->n++] = (struct asked_filter){
			.row = &filter_options[0].row, .ids = (const uint64_t *)&row->pid, .n = 1,
		};
}

int program_row_start(struct trial *t, const struct program_row *row, const char *command)
{
	struct kernel *k = trial_kernel(row->kernel ? row->kernel : V6_1);
	struct error err;

	setenv("TZ", "UTC0", 1);
	ck_assert_msg(!row->without || !kernel_without(k, row->without, &err), "%s", err.text);
	if (trial_start(t, command, k))
		return -1;
	if (row->set)
		run_programs(&t->run, row->set);
	t->child = row->child;
	t->run.time.stopped = row->stopped;
	if (row->dev)
		run_constant(&t->run, "dev", row->dev);
	if (row->pid)
		ask_process(&t->run, row);
	return 0;
}

void program_row_shows(const struct program_row *row)
{
	struct trial t;

	ck_assert_msg(!program_row_start(&t, row, row->command), "%s: %s", row->what, t.err.text);
	ck_assert_msg(!trial_replay(&t, row->records, row->format), "%s: %s", row->what,
		      t.err.text);
	ck_assert_msg(row->begins ? !strncmp(t.text, row->prints, strlen(row->prints)) :
		      !strcmp(t.text, row->prints), "%s: printed\n%sand not\n%s", row->what,
		      t.text, row->prints);
	ck_assert_msg(t.stats.lost == row->lost && t.stats.late == row->late &&
		      t.stats.unpaired == row->unpaired && t.stats.strings == row->strings &&
		      !t.stats.full,
		      "%s: lost %llu, late %llu, unpaired %llu, strings %llu, full %llu", row->what,
		      (unsigned long long)t.stats.lost, (unsigned long long)t.stats.late,
		      (unsigned long long)t.stats.unpaired, (unsigned long long)t.stats.strings,
		      (unsigned long long)t.stats.full);
	ck_assert_msg(t.stats.switches == row->switches, "%s: switches %llu", row->what,
		      (unsigned long long)t.stats.switches);
	ck_assert_msg(t.stats.returns == row->returns && t.stats.missed >= row->returns &&
		      t.stats.unreturned == row->unreturned,
		      "%s: returns %llu, missed %llu, unreturned %llu", row->what,
		      (unsigned long long)t.stats.returns, (unsigned long long)t.stats.missed,
		      (unsigned long long)t.stats.unreturned);
	ck_assert_msg(t.run.untimed == row->untimed, "%s: untimed %llu", row->what,
		      (unsigned long long)t.run.untimed);
	trial_end(&t);
}
