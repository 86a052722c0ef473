// SPDX-License-Identifier: GPL-2.0
/* Switches that a kernel did not record, of all kernels we know. */
#include <string.h>

#include "backends/stream/switches.h"
#include "compat/kernel/kernel.h"
#include "tests/unit/helpers/replay_run.h"

#include <check.h>

Suite *suite_switches(void);

#define FITS (-1)
#define LOST (-2)		/* no record: events of the CPU were lost */
#define SHORT (-3)		/* a record without the ids */

struct step {
	uint32_t cpu, prev, next;
	int64_t says;		/* what switches_follow() does; or one of the above */
};

static const struct {
	const char *what;
	struct step steps[8];
	uint64_t missed;
} chains[] = {
	{ "each leaves the task that the one before came to", {
		{ 0, 7, 0, FITS }, { 0, 0, 8, FITS }, { 0, 8, 7, FITS } }, 0 },
	{ "CPUs have nothing to do with each other", {
		{ 0, 7, 8, FITS }, { 1, 9, 0, FITS }, { 0, 8, 7, FITS }, { 1, 0, 8, FITS } }, 0 },
	{ "each CPU has an idle task of its own", {
		{ 0, 7, 0, FITS }, { 1, 8, 0, FITS }, { 1, 0, 7, FITS }, { 0, 0, 8, FITS } }, 0 },
	{ "the idle task was left unseen", {
		{ 1, 7, 0, FITS }, { 1, 8, 0, 8 }, { 1, 7, 0, 7 }, { 1, 0, 7, FITS } }, 2 },
	{ "a task was left unseen, for the idle task and for another", {
		{ 0, 7, 75, FITS }, { 0, 0, 7, 0 }, { 0, 7, 75, FITS }, { 0, 8, 0, 8 } }, 2 },
	{ "what was lost is counted as such, and on its CPU only", {
		{ 0, 7, 8, FITS }, { 1, 9, 0, FITS }, { 0, 0, 0, LOST }, { 0, 5, 6, FITS },
		{ 1, 4, 0, 4 }, { 0, 4, 5, 4 } }, 2 },
	{ "a record that is too short tells nothing", {
		{ 0, 7, 8, FITS }, { 0, 8, 9, SHORT }, { 0, 4, 5, FITS }, { 0, 5, 6, FITS } }, 0 },
};

static uint16_t place(struct kernel *k, const char *name)
{
	return (uint16_t)format_field(kernel_format(k, "sched", "sched_switch"), name)->offset;
}

static void step(struct switches *w, struct kernel *k, const struct step *s, const char *what)
{
	uint8_t record[128] = { 0 };
	uint32_t size = s->says == SHORT ? place(k, "next_pid") : sizeof(record);

	memcpy(record + place(k, "prev_pid"), &s->prev, sizeof(s->prev));
	memcpy(record + place(k, "next_pid"), &s->next, sizeof(s->next));
	if (s->says == LOST) {
		switches_forget(w, s->cpu);
	} else {
		int64_t wanted = s->says == SHORT ? FITS : s->says;

		ck_assert_msg(switches_follow(w, s->cpu, record, size) == wanted, "%s: %u to %u",
			      what, s->prev, s->next);
	}
}

START_TEST(follows)
{
	for (const char *const *v = trial_versions; *v; v++) {
		struct kernel *k = trial_kernel(*v);
		struct switches w = { };

		ck_assert_int_eq(switches_init(&w, k, 2), 0);
		for (const struct step *s = chains[_i].steps; s->prev || s->next || s->says; s++)
			step(&w, k, s, chains[_i].what);
		ck_assert_msg(w.missed == chains[_i].missed, "%s: %llu", chains[_i].what,
			      (unsigned long long)w.missed);
		switches_free(&w);
		kernel_free(k);
	}
}
END_TEST

/* Records that a filter leaves out are missing in no chain. */
START_TEST(is_off_with_a_filter)
{
	struct event events[] = {
		{ .kind = EVENT_TRACEPOINT, .system = "sched", .name = "sched_wakeup" },
		{ .kind = EVENT_TRACEPOINT, .system = "sched", .name = "sched_switch" },
		{ .kind = EVENT_TRACEPOINT, .system = "sched", .name = "sched_switch" },
	};
	struct attachment attachments[] = {
		{ .event = &events[0] }, { .event = &events[1] }, { .event = &events[2] },
	};
	struct plan plan = { .n_attachments = 3, .attachments = attachments };

	ck_assert_int_eq(switches_attachment(&plan), 1);
	events[2].filter = "prev_pid == 7";
	ck_assert_int_eq(switches_attachment(&plan), -1);
	plan.n_attachments = 1;
	ck_assert_int_eq(switches_attachment(&plan), -1);
}
END_TEST

Suite *suite_switches(void)
{
	Suite *s = suite_create("switches");
	TCase *c = tcase_create("switches");

	tcase_add_loop_test(c, follows, 0, sizeof(chains) / sizeof(chains[0]));
	tcase_add_test(c, is_off_with_a_filter);
	suite_add_tcase(s, c);
	return s;
}
