// SPDX-License-Identifier: GPL-2.0
/* Texts in an array that may be too small for them, and errors that are. */
#include <errno.h>
#include <string.h>

#include "compat/base/error.h"
#include "compat/base/text.h"

#include <check.h>	/* last: it has a macro fail() */

#include "tests/unit/unit.h"

Suite *suite_text(void);

START_TEST(whole)
{
	char to[8];

	ck_assert(text_all(to, sizeof(to), "%s/%u", "/pro", 12));
	ck_assert_str_eq(to, "/pro/12");
	errno = 0;
	ck_assert(!text_all(to, sizeof(to), "%s/%u", "/pro", 123));
	ck_assert_str_eq(to, "");
	ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

START_TEST(seen)
{
	char to[8];

	text_cut(to, sizeof(to), "%s", "seven .");
	ck_assert_str_eq(to, "seven .");
	text_cut(to, sizeof(to), "%s", "eight ..");
	ck_assert_str_eq(to, "eigh...");
}
END_TEST

/* Whatever is long in it, an error begins with what went wrong and ends with what to do. */
START_TEST(errors)
{
	char path[4096];
	struct error err;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	errno = 0;
	fail_with(&err, ENOENT, "can't open %s: %m\nmount it", path);
	ck_assert_int_eq(err.number, ENOENT);
	ck_assert_uint_lt(strlen(err.text), sizeof(err.text));
	ck_assert_uint_gt(strlen(err.text), sizeof(err.text) - 8);
	ck_assert_int_eq(strncmp(err.text, "can't open xx", 13), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "xx...xx"));
	ck_assert_ptr_nonnull(strstr(err.text, "xx: No such file or directory\nmount it"));
}
END_TEST

/* All that fits is there; a character is whole or not there. */
START_TEST(error_sizes)
{
	char text[2 * sizeof(((struct error *)NULL)->text)];
	struct error err;

	for (size_t n = sizeof(err.text) - 4; n < sizeof(err.text) + 4; n++) {
		memset(text, 'x', n);
		text[n] = '\0';
		fail(&err, "%s", text);
		ck_assert_uint_eq(!strcmp(err.text, text), n < sizeof(err.text));
		ck_assert_uint_eq(!strstr(err.text, "..."), n < sizeof(err.text));
	}
	for (size_t n = 0; n < sizeof(text) - 3; n += 2)
		memcpy(text + n, "\xc3\xa4", 3);
	for (size_t begin = 0; begin < 2; begin++) {
		fail(&err, "%s%s", begin ? "x" : "", text);
		for (const char *c = err.text + begin; *c; c += *c == '.' ? 1 : 2)
			ck_assert(*c == '.' || !memcmp(c, "\xc3\xa4", 2));
	}
}
END_TEST

Suite *suite_text(void)
{
	Suite *suite = suite_create("text");

	add_tests(suite, "whole", whole, 1);
	add_tests(suite, "seen", seen, 1);
	add_tests(suite, "errors", errors, 1);
	add_tests(suite, "sizes of errors", error_sizes, 1);
	return suite;
}
