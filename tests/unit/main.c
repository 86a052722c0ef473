// SPDX-License-Identifier: GPL-2.0
/*
 * Every file test_NAME.c below tests/unit/suites has one `Suite *suite_NAME(void)`; the build lists
 * them as SUITE(NAME), a line each, in suites.h. This runs all suites, or those named on the
 * command line, or that of check's variable CK_RUN_SUITE, and prints a verdict a test: "PASS
 * unit:suite:case" or "FAIL unit:suite:case: where: why". check runs each test in a process of its
 * own (unless CK_FORK=no): one that crashes fails alone.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

#define SUITE(name) Suite *suite_##name(void);
#include "suites.h"
#undef SUITE

static const struct {
	const char *name;
	Suite *(*suite)(void);
} suites[] = {
#define SUITE(name) { #name, suite_##name },
#include "suites.h"
#undef SUITE
	{ NULL, NULL }
};

void add_tests(Suite *s, const char *name, const TTest *test, int n)
{
	TCase *c = tcase_create(name);

	tcase_add_loop_test(c, test, 0, n);
	suite_add_tcase(s, c);
}

/* check itself leaves out the tests of other suites than that of CK_RUN_SUITE. */
static bool wanted(const char *name, int argc, char **argv)
{
	const char *only = getenv("CK_RUN_SUITE");

	if (only && strcmp(only, name))
		return false;
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1;
}

/* One line, whatever the message holds. */
static void print_line(const char *s)
{
	for (; *s; s++)
		putchar(*s == '\n' ? ' ' : *s);
	putchar('\n');
}

static int run(const char *name, Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	TestResult **results;
	int n, failed;

	srunner_run_all(runner, CK_SILENT);
	results = srunner_results(runner);
	n = srunner_ntests_run(runner);
	for (int i = 0; i < n; i++) {
		TestResult *r = results[i];
		const char *file = tr_lfile(r);

		if (tr_rtype(r) == CK_PASS) {
			printf("PASS unit:%s:%s\n", name, tr_tcname(r));
			continue;
		}
		printf("FAIL unit:%s:%s: %s:%d: ", name, tr_tcname(r), file ? file : "?",
		       tr_lno(r));
		print_line(tr_msg(r));
	}
	free(results);
	if (!n)
		printf("FAIL unit:%s: no tests in this suite\n", name);
	failed = srunner_ntests_failed(runner) + !n;
	srunner_free(runner);
	return failed;
}

/* Tests leave files open that end with their process. */
static bool only_process(void)
{
	const char *fork = getenv("CK_FORK");

	return fork && !strcmp(fork, "no") && !getenv("CK_RUN_SUITE");
}

int main(int argc, char **argv)
{
	int failed = 0, run_suites = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 1 && only_process()) {
		printf("FAIL unit: CK_FORK=no is for suites by name: one process has not enough "
		       "files for all\n");
		return 1;
	}
	/* check gives a test 4 seconds: not enough for one under a sanitizer on a busy machine. */
	setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	for (int i = 0; suites[i].name; i++) {
		if (!wanted(suites[i].name, argc, argv))
			continue;
		failed += run(suites[i].name, suites[i].suite());
		run_suites++;
	}
	if (!run_suites)
		printf("FAIL unit: no suite of that name\n");
	return failed || !run_suites;
}
