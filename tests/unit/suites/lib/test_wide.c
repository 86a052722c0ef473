// SPDX-License-Identifier: GPL-2.0
/* Sums that take more than 64 bits, as text; and values of maps that become one. */
#include <string.h>

#include "insns/combine.h"
#include "src/lib/wide.h"
#include "tests/unit/unit.h"

Suite *suite_wide(void);

/* The sum is low + high * 2^32. */
static const struct {
	uint64_t high, low;
	bool is_signed;
	uint64_t n;
	const char *sum, *average;
} rows[] = {
	{ 0, 0, false, 1, "0", "0.00" },
	{ 0, 7, false, 2, "7", "3.50" },
	{ 0, 2, false, 3, "2", "0.67" },
	{ 0, 1999, false, 1000, "1999", "2.00" },
	{ 0, 995, false, 1000, "995", "1.00" },
	{ 1, 0, false, 1, "4294967296", "4294967296.00" },
	/* the low part is larger than 32 bits: many values were added */
	{ 1, 0x500000001, false, 1, "25769803777", "25769803777.00" },
	/* 2 * (2^64 - 1) */
	{ 0x1fffffffe, 0x1fffffffe, false, 2, "36893488147419103230",
	  "18446744073709551615.00" },
	/* -1: its high part is -1 and its low part 2^32 - 1 */
	{ UINT64_MAX, UINT32_MAX, true, 1, "-1", "-1.00" },
	{ UINT64_MAX, UINT32_MAX, true, 3, "-1", "-0.33" },
	{ UINT64_MAX, UINT32_MAX, true, 1000, "-1", "0.00" },
	{ UINT64_MAX, 0, true, 1, "-4294967296", "-4294967296.00" },
	/* -1 + 1: both parts were added */
	{ UINT64_MAX, 0x100000000, true, 2, "0", "0.00" },
	/* 4 * -2^63 */
	{ 0xfffffffe00000000, 0, true, 4, "-36893488147419103232",
	  "-9223372036854775808.00" },
};

START_TEST(text)
{
	const struct wide w = wide_of(rows[_i].high, rows[_i].low, rows[_i].is_signed);
	char text[WIDE_TEXT];

	wide_text(w, text);
	ck_assert_str_eq(text, rows[_i].sum);
	wide_quotient_text(w, rows[_i].n, text);
	ck_assert_str_eq(text, rows[_i].average);
}
END_TEST

START_TEST(combine)
{
	const struct map m = {
		.value_size = 48,
		.combine = { [1] = COMBINE_MIN, [2] = COMBINE_MAX, [3] = COMBINE_MIN_SIGNED,
			     [4] = COMBINE_MAX_SIGNED },
	};
	const uint64_t wanted[] = { 4, 5, UINT64_MAX, UINT64_MAX, 5, 4 };
	const uint64_t other[] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
				   UINT64_MAX };
	uint64_t value[] = { 5, 5, 5, 5, 5, 5 };

	map_combine(&m, value, other);
	ck_assert_mem_eq(value, wanted, sizeof(wanted));
}
END_TEST

Suite *suite_wide(void)
{
	Suite *s = suite_create("wide");

	add_tests(s, "text", text, (int)(sizeof(rows) / sizeof(rows[0])));
	add_tests(s, "combine", combine, 1);
	return s;
}
