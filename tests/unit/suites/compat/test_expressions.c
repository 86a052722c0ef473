// SPDX-License-Identifier: GPL-2.0
/* Regular expressions and patterns of file names: tables, and what the C library says. */
#include "compat/expressions/expression.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/unit.h"

Suite *suite_expressions(void);

static const struct {
	const char *regex, *text;
	bool matches;
} rows[] = {
	{ "", "", true }, { "", "a", true }, { "a", "", false }, { "b", "abc", true },
	{ "^b", "abc", false }, { "^a.c$", "abc", true }, { "^a.c$", "a\nc", true },
	{ "^mount", "umount", false }, { "a|b|cd", "xcdx", true }, { "^(a|b|)$", "", true },
	{ "^(ab)*$", "ababab", true }, { "^(ab)*$", "ababa", false }, { "^(a*)*$", "aaa", true },
	{ "^a+$", "", false }, { "^ab?c$", "ac", true }, { "^a{3}$", "aaa", true },
	{ "^a{3}$", "aaaa", false }, { "^a{2,}$", "a", false }, { "^a{2,}$", "aaaaa", true },
	{ "^a{1,}$", "", false }, { "^a{0,2}$", "aa", true }, { "^a{,2}$", "aaa", false },
	{ "^(a|bc){2,3}$", "abca", true }, { "^(a|bc){2,3}$", "abcaa", false },
	{ "^a{0}b$", "b", true }, { "^[a-c]+$", "abc", true }, { "^[^a-c]$", "d", true },
	{ "^[^a-c]$", "b", false }, { "^[]a]+$", "]a", true }, { "^[a-]+$", "-a", true },
	{ "^[[:digit:]_]+$", "12_", true }, { "^[[.-.]a]$", "-", true }, { "^[\\]$", "\\", true },
	{ "^\\w+\\W\\s\\S$", "a_1- x", true }, { "\\bb\\b", "a b c", true },
	{ "\\bb\\b", "abc", false }, { "a\\Bb", "ab", true }, { "\\<b", "ab", false },
	{ "b\\>", "ab c", true }, { "\\.\\*", "a.*", true }, { "a$b", "a$b", false },
	{ "^\xff[\x80-\xff]$", "\xff\xfe", true }, { "a)", "a)", true }, { "}", "}", true },
};

START_TEST(regexes)
{
	struct error err = { };
	struct expression *e = expression_new(rows[_i].regex, &err);

	ck_assert_msg(e != NULL, "%s: %s", rows[_i].regex, err.text);
	ck_assert_int_eq(expression_matches(e, rows[_i].text), rows[_i].matches);
	ck_assert_int_eq(expression_matches(e, rows[_i].text), rows[_i].matches);
	expression_free(e);
}
END_TEST

static const struct {
	const char *regex, *why;
} wrongs[] = {
	{ "(a", "a ( has no )" }, { "a[b", "a [ has no ]" }, { "[b-a]", "ends before it begins" },
	{ "*a", "nothing to repeat" }, { "a|+", "nothing to repeat" },
	{ "^*", "nothing to repeat" }, { "(?:a)", "nothing to repeat" },
	{ "a\\", "nothing behind it" }, { "(a)\\1", "not supported" },
	{ "a{", "no number" }, { "a{x}", "no number" }, { "a{1", "a { has no }" },
	{ "a{2,1}", "M is larger" }, { "a{1001}", "larger than 1000" },
	{ "a{1000}{1000}", "too long" }, { "[[:word:]]", "is unknown" },
	{ "[[.ab.]]", "is unknown" }, { "[a-[:digit:]]", "ends with a class" },
};

START_TEST(errors)
{
	struct error err = { };

	ck_assert_ptr_null(expression_new(wrongs[_i].regex, &err));
	ck_assert_msg(strstr(err.text, wrongs[_i].why), "%s: %s", wrongs[_i].regex, err.text);
}
END_TEST

static const struct {
	const char *glob, *text;
	bool matches;
} globs[] = {
	{ "vfs_*", "vfs_read", true }, { "vfs_*", "xvfs_read", false },
	{ "*_read", "vfs_read", true }, { "*_read", "vfs_readv", false },
	{ "v?s", "vfs", true }, { "v?s", "vs", false }, { "[!a]b", "cb", true },
	{ "[!a]b", "ab", false }, { "[^a]b", "cb", true }, { "[a-c]*", "bxx", true },
	{ "a[", "a[", true }, { "[\\]a]", "]", true }, { "a\\*", "a*", true },
	{ "a\\*", "ab", false }, { "a.b", "axb", false }, { "", "", true }, { "*", "", true },
	{ "a(|)+{", "a(|)+{", true }, { "[a\\", "[a", false },
};

START_TEST(of_globs)
{
	struct expression *e = expression_of_glob(globs[_i].glob, NULL);

	ck_assert_ptr_nonnull(e);
	ck_assert_int_eq(expression_matches(e, globs[_i].text), globs[_i].matches);
	ck_assert_int_eq(!fnmatch(globs[_i].glob, globs[_i].text, 0), globs[_i].matches);
	expression_free(e);
}
END_TEST

/* Random ones. Edges of words are in the table: where they are repeated the C library is wrong. */
START_TEST(as_the_c_library)
{
	static const char *const parts[] = {
		"a", "b", "c", "ab", "_", " ", "(", ")", "(", ")", "|", "*", "+", "?", ".", "^",
		"$", "[ab]", "[^a]", "[", "]", "[a-c]", "[[:alpha:]_]", "{2}", "{1,2}", "{,2}",
		"{0}", "{2,}", "{", "}", "\\", "\\w", "\\S", "\\.", "-", "[]a]", "[^]-]",
	};

	srand((unsigned int)_i);
	for (int i = 0; i < 3000; i++) {
		char regex[128] = "", text[8];
		struct expression *e;
		regex_t r;

		for (int n = rand() % 9; n; n--)
			strcat(regex, parts[(size_t)rand() % (sizeof(parts) / sizeof(*parts))]);
		e = expression_new(regex, NULL);
		ck_assert_msg(!e == !!regcomp(&r, regex, REG_EXTENDED | REG_NOSUB), "%s", regex);
		for (int j = 0; e && j < 10; j++) {
			memset(text, 0, sizeof(text));
			for (int n = rand() % 8; n;)
				text[--n] = "abc_ -.]"[rand() % (j % 2 ? 3 : 8)];
			ck_assert_msg(expression_matches(e, text) == !regexec(&r, text, 0, NULL, 0),
				      "%s of %s", regex, text);
		}
		if (e)
			regfree(&r);
		expression_free(e);
	}
}
END_TEST

/* What takes others endless time. */
START_TEST(hostile)
{
	static const char *const regexes[] = {
		"^(a*)*$", "^(a|aa)+$", "(a|a|a|a)*b", "^(a{1,50}){1,50}$", "(.*)(.*)(.*)(.*)(.*)x",
		"((((((((((a*)*)*)*)*)*)*)*)*)*)b",
	};
	struct expression *e = expression_new(regexes[_i], NULL);
	char text[4001];
	clock_t begin = clock();

	ck_assert_ptr_nonnull(e);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[sizeof(text) - 2] = 'c';
	ck_assert(!expression_matches(e, text));
	ck_assert_int_lt((clock() - begin) / (CLOCKS_PER_SEC / 1000), 1000);
	expression_free(e);
}
END_TEST

/* Nested a hundred deep, and deeper than that: no stack is full. */
START_TEST(nested)
{
	char regex[20001];
	struct error err = { };

	memset(regex, '(', 10000);
	memset(regex + 10000, ')', 10000);
	regex[20000] = '\0';
	ck_assert_ptr_null(expression_new(regex, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "too many ("));
}
END_TEST

#define N(TABLE) ((int)(sizeof(TABLE) / sizeof((TABLE)[0])))

Suite *suite_expressions(void)
{
	Suite *s = suite_create("expressions");

	add_tests(s, "regexes", regexes, N(rows));
	add_tests(s, "errors", errors, N(wrongs));
	add_tests(s, "globs", of_globs, N(globs));
	add_tests(s, "as the C library", as_the_c_library, 4);
	add_tests(s, "hostile", hostile, 6);
	add_tests(s, "nested", nested, 1);
	return s;
}
