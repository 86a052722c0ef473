// SPDX-License-Identifier: GPL-2.0
/* Where arguments are whose types a signature gives, and results of 64 bits, on each machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/language/expressions/functions/functions.h"
#include "tests/unit/unit.h"

#define PROGRAM32 { .word = 4, .kernel_word = 8, .user_space = true }
#define KERNEL32 { .word = 4, .kernel_word = 4, .called.in_registers = 3 }
#define ARM { .word = 4, .kernel_word = 4, .called.in_registers = 4, .called.even_pairs = true }
#define KERNEL64 { .word = 8, .kernel_word = 8, .called.in_registers = 6 }
#define RETURN(WORD) { .word = WORD, .kernel_word = 8, .user_space = true, .called.returns = true }

static const struct {
	struct scope scope;
	const char *signature, *expression, *inputs;
	unsigned int size;
} rows[] = {
	{ KERNEL64, "(int a, long long b, short c)", "c", "a0=$arg3:uW", 2 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "b", "a0=$arg2:uW", 4 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "c",
	  "a0=$arg3:uW a1=$arg4:uW", 8 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "d", "a0=$arg5:uW", 2 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "arg4", "a0=$arg5:uW", 4 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "arg3",
	  "a0=$arg3:uW a1=$arg4:uW", 8 },
	{ PROGRAM32, "(int a, unsigned b, long long c, short d)", "arg6", "a0=$arg7:uW", 4 },
	{ PROGRAM32, "(long a, size_t b, char *c, u64 d)", "d", "a0=$arg4:uW a1=$arg5:uW", 8 },
	{ PROGRAM32, "()", "arg3", "a0=$arg3:uW", 4 },
	/* A pair is in registers r0 and r1 or r2 and r3, or at a multiple of 8 on the stack. */
	{ ARM, "(int a, u64 b, int c)", "b", "a0=$arg3:uW a1=$arg4:uW", 8 },
	{ ARM, "(int a, u64 b, int c)", "c", "a0=$arg5:uW", 4 },
	{ ARM, "(u64 a, int b, u64 c)", "c", "a0=$arg5:uW a1=$arg6:uW", 8 },
	{ ARM, "(int a, int b, int c, int d, int e, u64 f)", "f", "a0=$arg7:uW a1=$arg8:uW", 8 },
	/* -mregparm=3: a pair that has not both registers leaves the last one empty. */
	{ KERNEL32, "(int a, u64 b, int c)", "b", "a0=$arg2:uW a1=$arg3:uW", 8 },
	{ KERNEL32, "(int a, u64 b, int c)", "c", "a0=$arg4:uW", 4 },
	{ KERNEL32, "(int a, int b, u64 c, int d)", "c", "a0=$arg4:uW a1=$arg5:uW", 8 },
	{ KERNEL32, "(int a, int b, u64 c, int d)", "d", "a0=$arg6:uW", 4 },
	/* What a function returns has 64 bits if that is asked for. */
	{ RETURN(4), "()", "retval", "a0=$retval:uW", 4 },
	{ RETURN(4), "()", "(long long)retval", "a0=$retval:u32 a1=$rethigh:u32", 8 },
	{ RETURN(4), "()", "(u64)$retval >> 32", "a0=$retval:u32 a1=$rethigh:u32", 8 },
	{ RETURN(4), "()", "(int)retval", "a0=$retval:uW", 4 },
	{ RETURN(8), "()", "(u64)retval", "a0=$retval:uW", 8 },
};

START_TEST(places)
{
	struct scope s = rows[_i].scope;
	char text[200], *inputs;
	struct tree t = { .source.text = text, .functions = lang_functions };
	struct error err = { };
	struct node *n;
	size_t at = 0;
	int count;

	snprintf(text, sizeof(text), "%s %s", rows[_i].signature, rows[_i].expression);
	count = parse_parameters(&t, &at, s.word, s.called.parameters, &err);
	ck_assert_msg(count >= 0, "%s", err.text);
	s.called.n_parameters = (unsigned int)count;
	n = parse_expression(&t, &at, s.word, &err);
	ck_assert_msg(n && !bind_number(&t, &s, &n, &err), "%s: %s", text, err.text);
	inputs = inputs_text(&s.needs);
	ck_assert_str_eq(inputs, rows[_i].inputs);
	ck_assert_uint_eq(n->type.size, rows[_i].size);
	free(inputs);
	tree_free(&t);
}
END_TEST

/* Sizes are those of the machine that the program is made for. */
static const struct {
	const char *expression;
	unsigned int word32, word64;
} sizes[] = {
	{ "sizeof(long)", 4, 8 }, { "sizeof(char *)", 4, 8 }, { "sizeof(size_t)", 4, 8 },
	{ "sizeof(intptr_t)", 4, 8 }, { "sizeof(long long)", 8, 8 }, { "sizeof(int)", 4, 4 },
};

START_TEST(size_of)
{
	for (unsigned int word = 4; word <= 8; word += 4) {
		struct scope s = { .word = word, .kernel_word = 8, .user_space = true };
		struct tree t = { .source.text = sizes[_i].expression,
				  .functions = lang_functions };
		struct error err = { };
		size_t at = 0;
		struct node *n = parse_expression(&t, &at, word, &err);

		ck_assert_msg(n && !bind_number(&t, &s, &n, &err), "%s", err.text);
		ck_assert_uint_eq(n->value, word == 4 ? sizes[_i].word32 : sizes[_i].word64);
		tree_free(&t);
	}
}
END_TEST

/* Expressions of which a part may be unavailable: then each node above it may be, too. */
static const struct {
	const char *expression;
	bool binary;			/* STRCMP compares bytes */
} faults[] = {
	{ "*(int *)arg1 + 1", false }, { "-*(int *)arg1", false }, { "!*(int *)arg1", false },
	{ "(long)*(int *)arg1", false }, { "(*(char **)arg1)[arg2]", false },
	{ "&(*(int **)arg1)[arg2] - (int *)arg3", false }, { "1 / arg1", false },
	{ "arg1 ? *(int *)arg2 : 5", false }, { "arg1 && *(int *)arg2", false },
	{ "STRCMP(\"ab\", *(char **)arg1)", false }, { "STRCMP(\"ab\", arg1)", true },
	{ "STRCMP(\"abcdefghijk\", *(char **)arg1)", true },
	{ "STRCMP(\"abcdefghijk\", *(char **)arg1 + arg2)", true },
	{ "!STRCMP(\"{1, 0}\", *(char **)8 + arg2) || arg1", true },
};

static void check_faults(const char *expression, const struct node *n)
{
	const struct node *parts[] = { n->a, n->b, n->c };

	for (int i = 0; i < 3; i++) {
		if (!parts[i])
			continue;
		ck_assert_msg(!parts[i]->faults || n->faults, "%s: a node of kind %d at %d is "
			      "never without a value", expression, n->kind, n->at);
		check_faults(expression, parts[i]);
	}
}

START_TEST(may_fault)
{
	const char *expression = faults[_i].expression;
	struct scope s = { .word = 8, .kernel_word = 8, .text_size = 80,
			   .binary = faults[_i].binary };
	struct tree t = { .source.text = expression, .functions = lang_functions };
	struct error err = { };
	size_t at = 0;
	struct node *n = parse_expression(&t, &at, s.word, &err);

	ck_assert_msg(n && !bind_number(&t, &s, &n, &err), "%s: %s", expression, err.text);
	ck_assert_msg(n->faults, "%s", expression);
	check_faults(expression, n);
	tree_free(&t);
}
END_TEST

Suite *suite_lang_arguments(void);
Suite *suite_lang_arguments(void)
{
	Suite *s = suite_create("lang_arguments");

	add_tests(s, "places", places, sizeof(rows) / sizeof(rows[0]));
	add_tests(s, "size_of", size_of, sizeof(sizes) / sizeof(sizes[0]));
	add_tests(s, "may_fault", may_fault, sizeof(faults) / sizeof(faults[0]));
	return s;
}
