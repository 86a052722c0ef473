// SPDX-License-Identifier: GPL-2.0
/* Roles and units of columns: all tools' columns have them, and nothing is said twice. */
#include <stdio.h>
#include <string.h>

#include "src/lib/output/output.h"
#include "src/run/tool.h"
#include "src/run/tools.h"
#include "tests/unit/unit.h"

Suite *suite_roles(void);

static const struct {
	struct column column;
	enum column_role role;
	enum column_unit unit;
	bool untold;
} derived[] = {
	{ { "PID", "pid", COLUMN_INTEGER }, IS_IDENTITY, IN_NAMED },
	{ { "PID", "", COLUMN_INTEGER }, IS_IDENTITY, IN_NAMED },
	{ { "COMM", "comm", COLUMN_TEXT }, IS_IDENTITY, IN_NAMED },
	{ { "DADDR", "daddr", COLUMN_ADDRESS }, IS_IDENTITY, IN_NAMED },
	{ { "WHY", "why", COLUMN_TEXT }, IS_LABEL, IN_NAMED },
	{ { "MODE", "mode", COLUMN_OCTAL }, IS_LABEL, IN_NAMED },
	{ { "RET", "ret", COLUMN_INTEGER }, IS_LABEL, IN_NAMED },
	{ { "COUNT", "count", COLUMN_INTEGER }, IS_COUNT, IN_NAMED },
	{ { "TIME", "time", COLUMN_CLOCK }, IS_TIME, IN_NAMED },
	{ { "END", "end_s", COLUMN_UTC }, IS_TIME, IN_NAMED },
	{ { "TIME(s)", "time_s", COLUMN_SECONDS }, IS_TIME, IN_S },
	{ { "END", "end_us", COLUMN_INTEGER, .role = IS_TIME }, IS_TIME, IN_US },
	{ { "AGE(s)", "age_s", COLUMN_SECONDS }, IS_VALUE, IN_S },
	{ { "LAT(ms)", "lat_ms", COLUMN_REAL }, IS_VALUE, IN_MS },
	{ { "LAT(ms)", "", COLUMN_REAL }, IS_VALUE, IN_MS },
	{ { "TOTAL", "total_nsecs", COLUMN_INTEGER }, IS_VALUE, IN_NS },
	{ { "KB", "kb", COLUMN_INTEGER }, IS_VALUE, IN_KB },
	{ { "KB/s", "", COLUMN_REAL }, IS_VALUE, IN_KB_PER_S },
	{ { "READ/s", "", COLUMN_INTEGER }, IS_VALUE, IN_PER_S },
	{ { "HIT%", "", COLUMN_REAL }, IS_VALUE, IN_PERCENT },
	{ { "SIZE", "size", COLUMN_INTEGER, .unit = IN_BYTES }, IS_VALUE, IN_BYTES },
	/* what the row says comes first */
	{ { "COUNT", "count", COLUMN_TEXT, .unit = IN_ANY }, IS_VALUE, IN_ANY },
	{ { "FILE", "file", COLUMN_TEXT, .role = IS_IDENTITY }, IS_IDENTITY, IN_NAMED },
	{ { "NS", "mnt_ns", COLUMN_INTEGER, .role = IS_IDENTITY }, IS_IDENTITY, IN_NAMED },
	/* words within words are none */
	{ { "TRICOUNT", "tricount", COLUMN_INTEGER }, IS_NAMED, IN_NAMED, .untold = true },
	{ { "PI", "pi", COLUMN_INTEGER }, IS_NAMED, IN_NAMED, .untold = true },
	{ { "MISS", "misses", COLUMN_INTEGER }, IS_NAMED, IN_NAMED, .untold = true },
	{ { "SIZE", "size", COLUMN_INTEGER, .role = IS_VALUE }, IS_VALUE, IN_NAMED,
	  .untold = true },
	{ { "SINCE", "since", COLUMN_SECONDS, .role = IS_TIME }, IS_TIME, IN_NAMED,
	  .untold = true },
};

START_TEST(by_name_and_type)
{
	const struct column *c = &derived[_i].column;

	ck_assert_int_eq(column_role(c), derived[_i].role);
	ck_assert_int_eq(column_unit(c), derived[_i].unit);
	ck_assert_int_eq(column_is_told(c), !derived[_i].untold);
}
END_TEST

/* Parts of heads that say a unit, wherever they are; the first that is there counts. */
static const struct {
	const char *part;
	enum column_unit unit;
} heads[] = {
	{ "(ns)", IN_NS }, { "_nsecs", IN_NS }, { "(us)", IN_US }, { "us/", IN_US },
	{ "_us", IN_US }, { "(ms)", IN_MS }, { "ms", IN_MS }, { "(s)", IN_S },
	{ "SECONDS", IN_S }, { "KB/s", IN_KB_PER_S }, { "/s", IN_PER_S }, { "PPS", IN_PER_S },
	{ "KB", IN_KB }, { "Kb", IN_KB }, { "_MB", IN_MB }, { "BYTES", IN_BYTES },
	{ "PAGES", IN_PAGES }, { "%", IN_PERCENT },
};

static enum column_unit unit_of_head(const char *head)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (strstr(head, heads[i].part))
			return heads[i].unit;
	return strcmp(head, "MS") ? IN_NAMED : IN_MS;
}

static unsigned int wrong;

static void is_wrong(const struct tool *t, const struct column *c, const char *what)
{
	fprintf(stderr, "%s: the column %s (%s) %s\n", t->name, c->head, c->name, what);
	wrong++;
}

static void check_head(const struct tool *t, const struct column *c)
{
	const enum column_unit of_head = unit_of_head(c->head);
	const struct column named = { .head = c->name, .name = c->name, .role = IS_VALUE };
	const enum column_unit of_name = column_unit(&named);

	if (of_head && of_head != column_unit(c))
		is_wrong(t, c, "has another unit in its head");
	/* "packets_s": in a second */
	if (*c->name && of_name && of_name != column_unit(c) &&
	    !(of_name == IN_S && (c->unit == IN_PER_S || c->unit == IN_KB_PER_S)) &&
	    column_role(c) == IS_VALUE)
		is_wrong(t, c, "has another unit in its name");
}

/* What would be the same without it. */
static void check_twice(const struct tool *t, const struct column *c)
{
	struct column without = *c;

	without.role = IS_NAMED;
	if (c->role && column_role(&without) == column_role(c))
		is_wrong(t, c, "need not say its role");
	without = *c;
	without.unit = IN_NAMED;
	if (c->unit && column_role(&without) == column_role(c) &&
	    column_unit(&without) == column_unit(c))
		is_wrong(t, c, "need not say its unit");
}

/* Forms of a column, for other options or readers, are the same to a program. */
static void check_forms(const struct tool *t, const struct column *c)
{
	for (const struct column *before = t->columns; before < c; before++)
		if (*c->name && !strcmp(before->name, c->name) &&
		    (column_role(before) != column_role(c) ||
		     column_unit(before) != column_unit(c)))
			is_wrong(t, c, "has a form with another role or unit");
}

START_TEST(all_tools)
{
	unsigned int n = 0;

	wrong = 0;
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++, n++) {
			if (!column_is_told(c))
				is_wrong(*t, c, column_role(c) ? "has no unit" : "has no role");
			check_head(*t, c);
			check_twice(*t, c);
			check_forms(*t, c);
		}
	ck_assert_uint_gt(n, 500);
	ck_assert_msg(!wrong, "%u columns are wrong", wrong);
}
END_TEST

/* A time axis needs to know of each time in a row whether, and from when to when, it lasted. */
START_TEST(spans)
{
	unsigned int lengths = 0;

	wrong = 0;
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++) {
			const enum column_unit unit = column_unit(c);
			const bool is_length = column_role(c) == IS_VALUE && unit >= IN_NS &&
					       unit <= IN_S && c->readers != FOR_PEOPLE;

			lengths += c->span == SPAN_LENGTH || c->span == SPAN_LENGTH_FROM;
			if ((*t)->shape != SHAPE_EVENTS || !c->field)
				continue;
			if (is_length && !c->span)
				is_wrong(*t, c, "does not say whether it is a span");
			if (c->span && c->span < SPAN_NAME && !is_length)
				is_wrong(*t, c, "is no length of time");
		}
	ck_assert_uint_gt(lengths, 30);
	ck_assert_msg(!wrong, "%u columns are wrong", wrong);
}
END_TEST

/* Each has a text of its own. */
START_TEST(texts)
{
	for (enum column_role a = IS_NAMED + 1; a < COLUMN_ROLES; a++)
		for (enum column_role b = IS_NAMED + 1; b < COLUMN_ROLES; b++)
			ck_assert(*role_text(a) && !strcmp(role_text(a), role_text(b)) == (a == b));
	ck_assert_ptr_null(unit_text(IN_NAMED));
	for (enum column_unit a = IN_NAMED + 1; a < COLUMN_UNITS; a++)
		for (enum column_unit b = IN_NAMED + 1; b < COLUMN_UNITS; b++)
			ck_assert(*unit_text(a) && !strcmp(unit_text(a), unit_text(b)) == (a == b));
}
END_TEST

/* sonde(8) says what each of them means. */
START_TEST(documented)
{
	static char page[200000];
	char item[32];
	FILE *f = fopen("man/man8/sonde.8", "r");

	ck_assert_ptr_nonnull(f);
	page[fread(page, 1, sizeof(page) - 1, f)] = '\0';
	fclose(f);
	for (enum column_role r = IS_NAMED + 1; r < COLUMN_ROLES; r++) {
		snprintf(item, sizeof(item), "\n.It Cm %s\n", role_text(r));
		ck_assert_msg(strstr(page, item), "sonde(8) has no %s", role_text(r));
	}
	for (enum column_unit u = IN_NAMED + 1; u < COLUMN_UNITS; u++) {
		snprintf(item, sizeof(item), "\n.Ql %s ", unit_text(u));
		if (strstr(page, item))
			continue;
		item[strlen(item) - 1] = '\n';
		ck_assert_msg(strstr(page, item), "sonde(8) has no %s", unit_text(u));
	}
}
END_TEST

Suite *suite_roles(void)
{
	Suite *s = suite_create("roles");

	add_tests(s, "by name and type", by_name_and_type, sizeof(derived) / sizeof(derived[0]));
	add_tests(s, "all tools", all_tools, 1);
	add_tests(s, "spans", spans, 1);
	add_tests(s, "texts", texts, 1);
	add_tests(s, "documented", documented, 1);
	return s;
}
