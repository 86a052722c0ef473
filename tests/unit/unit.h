/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNIT_H
#define SONDE_UNIT_H

#include <check.h>

/*
 * The build puts this before every file of the unit tests: check's old name for ck_abort_msg() is a
 * function's here.
 */
#undef fail

/* Adds a test of n rows, counted by _i, as a case of its own: that is what the verdicts name. */
void add_tests(Suite *s, const char *name, const TTest *test, int n);

#endif
