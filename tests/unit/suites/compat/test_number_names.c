// SPDX-License-Identifier: GPL-2.0
#include "src/language/event_text/number_names.h"
#include "tests/unit/unit.h"

Suite *suite_number_names(void);

static const struct {
	const char *print, *field;
	size_t n;
	uint64_t number;
	const char *name;		/* of this number; NULL: there is none */
} rows[] = {
	{ "\"reason: %s\", __print_symbolic(REC->reason, { 2, \"NOT_SPECIFIED\" }, { 0x10, "
	  "\"NO_SOCKET\" })", "reason", 2, 16, "NO_SOCKET" },
	{ "\"%s\", __print_symbolic(REC->reason, { 2, \"A\" })", "reason", 1, 3, NULL },
	{ "\"%s %s\", __print_symbolic(REC->a, { 1, \"X\" }), __print_symbolic(REC->b, "
	  "{ 1, \"Y\" })", "b", 1, 1, "Y" },
	/* what the kernel did not replace by a number ends the list */
	{ "\"%s\", __print_symbolic(REC->state, { 1, \"A\" }, { TCP_LISTEN, \"B\" })", "state",
	  1, 1, "A" },
	{ "\"%s\", __print_symbolic(REC->state, { 1UL, \"A\" },{2,\"B\"} )", "state", 2, 2, "B" },
	{ "\"%s\", __print_symbolic(REC->code, { 0x040 + 0, \"DE\" }, { 0x40 + 0xd, \"GP\" }, "
	  "{ -1, \"ERR\" })", "code", 3, 77, "GP" },
	{ "\"%s\", __print_symbolic(REC->state, { 1, \"A", "state", 0, 1, NULL },
	{ "\"%s\", __print_symbolic(REC->state, { 1", "state", 0, 1, NULL },
	{ "\"%s\", __print_symbolic(REC->state,", "state", 0, 1, NULL },
	{ "\"%d\", REC->state", "state", 0, 1, NULL },
};

START_TEST(names)
{
	struct format f = { .print = (char *)rows[_i].print };
	struct number_names names;

	ck_assert_int_eq(number_names_read(&names, &f, rows[_i].field), 0);
	ck_assert_uint_eq(names.n, rows[_i].n);
	if (!rows[_i].name) {
		ck_assert_ptr_null(number_names_name(&names, rows[_i].number));
	} else {
		ck_assert_str_eq(number_names_name(&names, rows[_i].number), rows[_i].name);
		ck_assert_uint_eq(number_names_number(&names, rows[_i].name, 99),
				  rows[_i].number);
	}
	ck_assert_uint_eq(number_names_number(&names, "NEVER", 99), 99);
	number_names_free(&names);
}
END_TEST

Suite *suite_number_names(void)
{
	Suite *s = suite_create("number_names");

	add_tests(s, "names", names, (int)(sizeof(rows) / sizeof(rows[0])));
	return s;
}
