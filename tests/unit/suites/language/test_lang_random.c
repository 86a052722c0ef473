// SPDX-License-Identifier: GPL-2.0
/*
 * Random expressions: what sonde's machine computes is what a C compiler's program does. Each has
 * three values of the event; the same seed makes the same ones.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/random.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#define QUESTIONS 20			/* each with as many values as a format has */
#define VALUES 6
#define ROUNDS 30
#define EXPRESSIONS (QUESTIONS * VALUES)

struct maker {
	uint64_t state;
	char text[512];
	size_t n;
};

static uint64_t below(struct maker *m, uint64_t n)
{
	return random_next(&m->state) % n;
}

static void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct maker *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	m->n += (size_t)vsnprintf(m->text + m->n, sizeof(m->text) - m->n, format, args);
	va_end(args);
	ck_assert(m->n < sizeof(m->text));
}

static void leaf(struct maker *m)
{
	static const char *const suffixes[] = { "", "", "", "U", "L", "UL", "LL", "ULL" };

	if (below(m, 3))
		put(m, "%sarg%d", below(m, 2) ? "(int)" : below(m, 2) ? "(u32)" : "",
		    (int)below(m, 3) + 1);
	else if (below(m, 2))
		put(m, "%d%s", (int)below(m, 100) + 1, suffixes[below(m, 8)]);
	else
		put(m, "(0x%llx%s)", (unsigned long long)(random_next(&m->state) >> below(m, 60)),
		    suffixes[below(m, 8)]);
}

/* Nothing that C does not define, but overflow, which the compiler is told to define. */
static void expression(struct maker *m, int depth)
{
	static const char *const types[] = { "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64",
					     "int", "long", "char", "bool" };
	static const char *const binary[] = { "+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=",
					      "==", "!=", "&&", "||" };
	static const char *const unary[] = { "-", "~", "!", "+" };

	if (!depth || !below(m, 6)) {
		leaf(m);
		return;
	}
	put(m, "(");
	switch (below(m, 9)) {
	case 0:
		put(m, "%s", unary[below(m, 4)]);
		expression(m, depth - 1);
		break;
	case 1:
	case 2:
		put(m, "(%s)", types[below(m, 12)]);
		expression(m, depth - 1);
		break;
	case 3:
		expression(m, depth - 1);
		put(m, "?");
		expression(m, depth - 1);
		put(m, ":");
		expression(m, depth - 1);
		break;
	case 4:
		expression(m, depth - 1);
		put(m, "%s(", below(m, 2) ? "<<" : ">>");
		expression(m, depth - 1);
		put(m, "&31)");
		break;
	case 5:
		expression(m, depth - 1);
		put(m, "%s", below(m, 2) ? "/" : "%");
		if (below(m, 2)) {
			put(m, "-%d", (int)below(m, 9) + 2);
		} else {
			put(m, "((");
			expression(m, depth - 1);
			put(m, "&0xff)|1)");
		}
		break;
	default:
		expression(m, depth - 1);
		put(m, "%s", binary[below(m, 14)]);
		expression(m, depth - 1);
	}
	put(m, ")");
}

static const uint64_t seeds = 20261121;

static void make(struct maker *m)
{
	do {
		m->n = 0;
		expression(m, 3);
	} while (m->n > 200);
}

static uint64_t argument(struct maker *m)
{
	static const uint64_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff,
					  0x80000000, 0xffffffff, INT64_MAX, 1ULL << 63,
					  UINT64_MAX };

	return below(m, 3) ? random_next(&m->state) >> below(m, 64) : edges[below(m, 13)];
}

/* The compiler's program prints a line for each expression. */
static void begin_program(FILE *f)
{
	fprintf(f, "#include <stdbool.h>\n#include <stdio.h>\n#include <stdint.h>\n"
		"typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32;\n"
		"typedef uint64_t u64; typedef int8_t s8; typedef int16_t s16;\n"
		"typedef int32_t s32; typedef int64_t s64;\n");
}

/* One round: its expressions as a command, in `commands`, and as a function of the program. */
static void make_round(struct maker *m, unsigned int round, char *command, char *record, FILE *f)
{
	uint64_t args[3];

	for (int i = 0; i < 3; i++)
		args[i] = argument(m);
	sprintf(record, "1000 0 7 p:vfs_read a0=%llu a1=%llu a2=%llu\n",
		(unsigned long long)args[0], (unsigned long long)args[1],
		(unsigned long long)args[2]);
	fprintf(f, "static void round%u(u64 arg1, u64 arg2, u64 arg3)\n{\n", round);
	command += sprintf(command, "trace");
	for (int i = 0; i < QUESTIONS; i++) {
		/* Inputs have their numbers in the order in which they are named. */
		command += sprintf(command, " vfs_read\t(arg1+arg2+arg3||1)\t\"");
		for (int j = 0; j < VALUES; j++)
			command += sprintf(command, "%s%%lld", j ? "\t" : "");
		command += sprintf(command, "\"");
		for (int j = 0; j < VALUES; j++) {
			make(m);
			command += sprintf(command, ",%s", m->text);
			fprintf(f, "\tprintf(\"%s%%lld\", (long long)(%s));\n", j ? "\\t" : "",
				m->text);
		}
		fprintf(f, "\tprintf(\"\\n\");\n");
	}
	fprintf(f, "}\n");
}

/* The messages of what trace printed: behind the fourth column. */
static void next_message(char **text, char *to, size_t size)
{
	char *end = strchr(*text, '\n'), *line = *text;

	ck_assert_msg(end != NULL, "a row is missing");
	*end = '\0';
	line = strstr(line, "vfs_read ");
	ck_assert(line != NULL);
	line += strspn(line + 8, " ") + 8;
	snprintf(to, size, "%s", line);
	*text = end + 1;
}

static char commands[ROUNDS][65536], records[ROUNDS][128];

START_TEST(compiler_agrees)
{
	struct maker m = { .state = seeds };
	char source[200], binary[200], line[1024], expected[1024];
	char *folder = temporary();
	FILE *f;

	snprintf(source, sizeof(source), "%s/random.c", folder);
	snprintf(binary, sizeof(binary), "%s/random", folder);
	f = fopen(source, "w");
	begin_program(f);
	for (unsigned int i = 0; i < ROUNDS; i++)
		make_round(&m, i, commands[i], records[i], f);
	fprintf(f, "int main(void)\n{\n");
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned long long a[3];

		sscanf(records[i], "1000 0 7 p:vfs_read a0=%llu a1=%llu a2=%llu", &a[0], &a[1],
		       &a[2]);
		fprintf(f, "\tround%u(%lluULL, %lluULL, %lluULL);\n", i, a[0], a[1], a[2]);
	}
	fprintf(f, "\treturn 0;\n}\n");
	fclose(f);
	snprintf(line, sizeof(line), "cc -w -O1 -fwrapv -fsigned-char -o %s %s", binary, source);
	ck_assert_int_eq(system(line), 0);
	f = popen(binary, "r");
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct trial t;
		char *text;

		ck_assert_msg(!trial_start(&t, commands[i], trial_kernel("6.1")) &&
			      !trial_replay(&t, records[i], OUTPUT_TEXT), "%s", t.err.text);
		text = strchr(t.text, '\n') + 1;
		for (int j = 0; j < QUESTIONS; j++) {
			ck_assert(fgets(expected, sizeof(expected), f) != NULL);
			expected[strcspn(expected, "\n")] = '\0';
			next_message(&text, line, sizeof(line));
			/* Tabs are shown as escapes. */
			for (char *p; (p = strstr(line, "\\t")) != NULL;) {
				*p = '\t';
				memmove(p + 1, p + 2, strlen(p + 1));
			}
			ck_assert_msg(!strcmp(line, expected),
				      "round %u, question %d: %s, and the compiler says %s", i, j,
				      line, expected);
		}
		trial_end(&t);
	}
	pclose(f);
	remove_all(folder);
}
END_TEST

Suite *suite_lang_random(void);
Suite *suite_lang_random(void)
{
	Suite *s = suite_create("lang_random");
	TCase *tc = tcase_create("compiler");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, compiler_agrees);
	suite_add_tcase(s, tc);
	return s;
}
