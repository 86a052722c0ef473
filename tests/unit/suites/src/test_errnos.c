// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "src/toolkit/numbered.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_errnos(void);

/*
 * Errors whose numbers differ between machines, or that have two names, among them: the kernel's is
 * the right one.
 */
static const struct {
	int number;
	const char *name;
} errors[] = {
	{ EPERM, "EPERM" }, { E2BIG, "E2BIG" }, { EAGAIN, "EAGAIN" }, { ERANGE, "ERANGE" },
	{ ENAMETOOLONG, "ENAMETOOLONG" }, { EOPNOTSUPP, "EOPNOTSUPP" }, { EDEADLK, "EDEADLK" },
	{ EDQUOT, "EDQUOT" }, { EHWPOISON, "EHWPOISON" },
};

START_TEST(each_error_has_its_name)
{
	ck_assert_str_eq(errno_name(errors[_i].number), errors[_i].name);
	ck_assert_int_eq(errno_number(errors[_i].name), errors[_i].number);
}
END_TEST

START_TEST(no_other_has_one)
{
	static const int numbers[] = { -1, 0, 511, 2000, 4095 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ck_assert_ptr_null(errno_name(numbers[i]));
	ck_assert_int_eq(errno_number("EWHAT"), -1);
	ck_assert_int_eq(errno_number(""), -1);
}
END_TEST

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
/* A library that knows them says the same. */
START_TEST(the_library_agrees)
{
	for (int i = 1; i < 2000; i++) {
		const char *name = strerrorname_np(i), *ours = errno_name(i);

		ck_assert_str_eq(ours ? ours : "", name ? name : "");
	}
}
END_TEST
#endif

Suite *suite_errnos(void)
{
	Suite *s = suite_create("errnos");
	TCase *t = tcase_create("errnos");

	tcase_add_loop_test(t, each_error_has_its_name, 0, sizeof(errors) / sizeof(errors[0]));
	tcase_add_test(t, no_other_has_one);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
	tcase_add_test(t, the_library_agrees);
#endif
	suite_add_tcase(s, t);
	return s;
}
