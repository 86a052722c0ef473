// SPDX-License-Identifier: GPL-2.0
/* What others keep with a kernel. */
#include "compat/kernel/keep.h"
#include "compat/probing/running.h"
#include "tests/unit/unit.h"

Suite *suite_keep(void);

static unsigned int ended[2];

static void end_first(void *kept)
{
	ck_assert_int_eq(*(int *)kept, 1);
	ended[0]++;
}

static void end_second(void *kept)
{
	ck_assert_int_eq(*(int *)kept, 2);
	ended[1]++;
}

static const struct kernel_key first = { sizeof(int), end_first };
static const struct kernel_key second = { sizeof(int), end_second };
static const struct kernel_key other = { sizeof(int), end_second };

START_TEST(keys)
{
	struct kernel *k = kernel_running();
	int *one, *two;

	ck_assert_ptr_null(kernel_kept(k, &first));
	one = kernel_keep(k, &first);
	two = kernel_keep(k, &second);
	ck_assert_ptr_ne(one, two);
	ck_assert_int_eq(*one, 0);
	*one = 1;
	*two = 2;
	ck_assert_ptr_eq(kernel_keep(k, &first), one);
	ck_assert_ptr_eq(kernel_kept(k, &second), two);
	ck_assert_ptr_null(kernel_kept(k, &other));
	kernel_free(k);
	ck_assert_uint_eq(ended[0], 1);
	ck_assert_uint_eq(ended[1], 1);
}
END_TEST

Suite *suite_keep(void)
{
	Suite *s = suite_create("keep");

	add_tests(s, "keys", keys, 1);
	return s;
}
