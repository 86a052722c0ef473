// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/kernel/names.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_names(void);

/* Equal strings, or both NULL. */
static void assert_same(const char *a, const char *b)
{
	ck_assert_str_eq(a ? a : "(none)", b ? b : "(none)");
}

static const char *const symbols[] = {
	"plain", "twice", "twice", "both", "both.part.0", "cloned.isra.0", "cloned.isra.0.cold",
	"cold_only.cold",
	"two_clones.isra.0", "two_clones.isra.0", "mixed.isra.0", "mixed.constprop.0",
	"part_only.part.0",
	"clone_and_part.constprop.0", "clone_and_part.part.0", "lto.llvm.1234567", "parts.part.0",
	"parts.part.1",
	"odd.slowpath.0", "twice_and_clone", "twice_and_clone", "twice_and_clone.isra.0",
	"deep.constprop.0.isra.0", "isra_part.isra.0.part.0",
};

static const struct {
	const char *name, *symbol;
} functions[] = {
	{ "plain", "plain" }, { "plai", NULL }, { "plain2", NULL }, { "", NULL }, { "twice", NULL },
	{ "both", "both" },
	{ "cloned", "cloned.isra.0" }, { "clone", NULL }, { "cold_only", NULL },
	{ "two_clones", NULL },
	{ "mixed", NULL }, { "part_only", "part_only.part.0" },
	{ "clone_and_part", "clone_and_part.constprop.0" },
	{ "lto", "lto.llvm.1234567" }, { "parts", NULL }, { "odd", NULL },
	{ "twice_and_clone", NULL },
	{ "deep", "deep.constprop.0.isra.0" }, { "isra_part", "isra_part.isra.0.part.0" },
	{ "cloned.isra.0", "cloned.isra.0" }, { "two_clones.isra.0", NULL },
	{ "cloned.isra.1", NULL },
	{ "both.part", "both.part.0" }, { "parts.part", NULL }, { "cloned.part", NULL },
	{ "cloned.isra", NULL }, { "isra_part.part", NULL }, { ".part", NULL },
};

START_TEST(symbols_of_functions)
{
	struct names *n = names_new();
	char *symbol;

	for (int i = 0; i < COUNT_OF(symbols); i++)
		names_add(n, 't', symbols[i], strlen(symbols[i]));
	symbol = names_symbol(n, functions[_i].name);
	assert_same(symbol, functions[_i].symbol);
	free(symbol);
	names_free(n);
}
END_TEST

/* More than one table holds: all are found, the doubled ones across tables too, and no other. */
START_TEST(many_functions)
{
	struct names *n = names_new();
	unsigned int found = 0, wrong = 0;
	char name[32], *symbol;

	for (unsigned int i = 0; i < 400000; i++)
		names_add(n, 't', name, snprintf(name, sizeof(name), "f%u", i));
	for (unsigned int i = 0; i < 100; i++)
		names_add(n, 't', name, snprintf(name, sizeof(name), "f%u", i * 4000));
	for (unsigned int i = 0; i < 800000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		symbol = names_symbol(n, name);
		found += symbol != NULL;
		wrong += symbol && (i >= 400000 || i % 4000 == 0);
		free(symbol);
	}
	ck_assert_uint_eq(found, 400000 - 100);
	ck_assert_uint_eq(wrong, 0);
	names_free(n);
}
END_TEST

Suite *suite_names(void)
{
	Suite *s = suite_create("names");

	add_tests(s, "symbols", symbols_of_functions, COUNT_OF(functions));
	add_tests(s, "many functions", many_functions, 1);
	return s;
}
