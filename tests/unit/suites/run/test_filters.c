// SPDX-License-Identifier: GPL-2.0
/* Filters by task: an option that a tool takes does something in it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/options/tool_options.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_filters(void);

static bool serves(const struct tool *t, const char *option)
{
	bool served = false;
	struct option_row *rows;
	unsigned int n;

	rows = tool_option_rows(t, &n);
	for (unsigned int i = 0; i < n; i++)
		served |= rows[i].group == GROUP_FILTERS &&
			  !strcmp(rows[i].option.name, option) && option_served(t, &rows[i]);
	free(rows);
	return served;
}

/* ---- Programs show nothing of tasks that were not asked for ---- */

static const struct map *map_named(const struct program_set *set, const char *name)
{
	for (const struct map *m = set->maps; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

static bool is_result(const struct program_set *set, const struct insn *insn)
{
	const struct map *m;

	if (insn->symbol != SYM_ADD && insn->symbol != SYM_UPDATE && insn->symbol != SYM_LOOKUP)
		return false;
	m = map_named(set, insn->name);
	return m && m->role == ROLE_RESULT && m->kind != MAP_OUTPUT;
}

/* Does it hand something over to user space? */
static bool shows(const struct program_set *set, const struct program *p)
{
	for (unsigned int i = 0; i < p->n_insns; i++)
		if (p->insns[i].symbol == SYM_OUTPUT || is_result(set, &p->insns[i]))
			return true;
	return false;
}

static bool asks_for_tasks(const struct program *p)
{
	for (unsigned int i = 0; i < p->n_insns; i++)
		if (p->insns[i].symbol == SYM_FILTER || p->insns[i].symbol == SYM_FILTER_OTHER ||
		    (p->insns[i].symbol == SYM_JUMP_UNLESS &&
		     !strcmp(p->insns[i].name, "filtered")))
			return true;
	return false;
}

static bool has(const struct program *p, uint8_t symbol, const char *name)
{
	for (unsigned int i = 0; i < p->n_insns; i++)
		if (p->insns[i].symbol == symbol && p->insns[i].name &&
		    !strcmp(p->insns[i].name, name))
			return true;
	return false;
}

/* Is the map a join, whose entries are those of wanted tasks alone? */
static bool of_wanted_tasks(const struct program_set *set, const struct map *m)
{
	bool filled = false;

	if (m->role != ROLE_JOIN && m->role != ROLE_HINT)
		return false;
	for (const struct program *p = set->programs; p->hook; p++)
		if (has(p, SYM_UPDATE, m->name)) {
			filled = true;
			if (!asks_for_tasks(p))
				return false;
		}
	return filled;
}

static bool joins_wanted_tasks(const struct program_set *set, const struct program *p)
{
	for (const struct map *m = set->maps; m->name; m++)
		if (has(p, SYM_LOOKUP, m->name) && of_wanted_tasks(set, m))
			return true;
	return false;
}

static void show_wanted_tasks(const char *tool, const struct program_set *set)
{
	for (const struct program *p = set->programs; p->hook; p++)
		ck_assert_msg(!shows(set, p) || asks_for_tasks(p) || joins_wanted_tasks(set, p),
			      "%s takes filters: the program on %s shows all tasks", tool, p->hook);
}

START_TEST(programs_show_wanted_tasks)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (serves(*t, "pid") || serves(*t, "cgroup"))
			for (const struct program_set *s = NULL; (s = tool_set_after(*t, s));)
				show_wanted_tasks((*t)->name, s);
}
END_TEST

/* ---- Programs and tools know that tasks were asked for ---- */

/* Filters whose words can be read on any machine, of a task that is there: this one. */
static const char *const asked[] = { "pid", "tid", "uid", "mntns", "pidns", "exec" };

START_TEST(each_filter_is_known)
{
	char command[80];

	for (const struct tool *const *tool = tools; *tool; tool++) {
		struct trial t;

		/* memleak looks for the allocator in the files of the process. */
		if (!serves(*tool, asked[_i]) || !strcmp((*tool)->name, "memleak"))
			continue;
		snprintf(command, sizeof(command), "%s%s%s --%s %d", (*tool)->name,
			 (*tool)->asks ? " " : "", (*tool)->asks ? (*tool)->asks : "", asked[_i],
			 (int)getpid());
		ck_assert_msg(!trial_start(&t, command, trial_kernel("6.1")), "%s: %s", command,
			      t.err.text);
		ck_assert_msg(run_filtered(&t.run) && run_shown(&t.run, "filtered"), "%s",
			      command);
		trial_end(&t);
		ck_assert(!trial_start(&t, (*tool)->name, trial_kernel("6.1")));
		ck_assert_msg(!run_filtered(&t.run) && !run_shown(&t.run, "filtered"), "%s",
			      (*tool)->name);
		trial_end(&t);
	}
}
END_TEST

/* ---- Headings say whose events are shown ---- */

static const struct {
	const char *command, *heading;
} headings[] = {
	{ "profile", "Sampling at 49 Hertz of all threads by user + kernel stack" },
	{ "profile --by-cgroup", "Sampling at 49 Hertz of all threads by control group" },
	{ "profile --pid %d", "Sampling at 49 Hertz of some threads by user + kernel stack" },
	{ "profile --mntns %d", "Sampling at 49 Hertz of some threads by user + kernel stack" },
	{ "offcputime", "Tracing off-CPU time (us) of all threads by" },
	{ "offcputime --pid %1$d,%1$d", "Tracing off-CPU time (us) of PID %1$d,%1$d by" },
	{ "offcputime --pidns %d", "Tracing off-CPU time (us) of some threads by" },
	{ "offcputime -k", "Tracing off-CPU time (us) of kernel threads by" },
	{ "offcputime -u --mntns %d", "Tracing off-CPU time (us) of some user threads by" },
};

START_TEST(headings_tell_of_filters)
{
	char command[64], heading[128];
	struct trial t;

	snprintf(command, sizeof(command), headings[_i].command, (int)getpid());
	snprintf(heading, sizeof(heading), headings[_i].heading, (int)getpid());
	ck_assert_msg(!trial_start(&t, command, trial_kernel("6.1")), "%s", t.err.text);
	ck_assert_msg(!trial_open(&t, "", OUTPUT_TEXT), "%s: %s", command, t.err.text);
	ck_assert(!output_flush(t.run.output) && !fflush(t.out));
	ck_assert_msg(!strncmp(t.text, heading, strlen(heading)), "%s: printed\n%s", command,
		      t.text);
	trial_end(&t);
}
END_TEST

Suite *suite_filters(void)
{
	Suite *s = suite_create("filters");

	add_tests(s, "programs", programs_show_wanted_tasks, 1);
	add_tests(s, "all_tools", each_filter_is_known, COUNT_OF(asked));
	add_tests(s, "headings", headings_tell_of_filters, COUNT_OF(headings));
	return s;
}
