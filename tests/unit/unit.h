/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNIT_H
#define SONDE_UNIT_H

#include <check.h>

/*
 * The build includes this in every file of the unit tests: check's old name for ck_abort_msg() is a
 * function of sonde.
 */
#undef fail

/* Elements of an array, as add_tests() takes their number. */
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(*(array))))

/* Adds a test of n rows, with _i as the index, as a case of its own: verdicts have its name. */
void add_tests(Suite *s, const char *name, const TTest *test, int n);

#endif
