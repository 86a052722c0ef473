// SPDX-License-Identifier: GPL-2.0
/* The filter of an event that several attachments share. */
#include <stdlib.h>

#include "backends/stream/event_filter.h"
#include "tests/unit/unit.h"

/* What the attachments want, in their order; "-": all records, which is NULL. */
static const struct {
	const char *wanted[4];
	const char *filter;		/* NULL: none */
} rows[] = {
	{ { "id == 1" }, "id == 1" },
	{ { "id == 1", "id == 1" }, "id == 1" },
	{ { "id == 1", "id == 2" }, "(id == 1) || (id == 2)" },
	{ { "a", "b && c", "d" }, "((a) || (b && c)) || (d)" },
	{ { "-" }, NULL },
	{ { "id == 1", "-" }, NULL },
	{ { "-", "id == 1" }, NULL },
	{ { NULL }, NULL },
};

START_TEST(passes_what_any_wants)
{
	struct event_filter f = { };

	for (unsigned int i = 0; i < 4 && rows[_i].wanted[i]; i++)
		ck_assert_int_eq(event_filter_add(&f, strcmp(rows[_i].wanted[i], "-") ?
						  rows[_i].wanted[i] : NULL), 0);
	ck_assert_pstr_eq(event_filter(&f), rows[_i].filter);
	free(f.text);
}
END_TEST

Suite *suite_event_filter(void)
{
	Suite *s = suite_create("event_filter");
	TCase *c = tcase_create("event_filter");

	tcase_add_loop_test(c, passes_what_any_wants, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(s, c);
	return s;
}
