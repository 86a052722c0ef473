// SPDX-License-Identifier: GPL-2.0
/*
 * The self-test's judgement: its reader of JSON, and what is ok, degraded and WRONG.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/commands/selftest/runner.h"
#include "tests/unit/unit.h"

static struct json read_json(const char *s)
{
	struct json v;

	ck_assert_msg(json_read(s, strlen(s), &v), "%s is not taken", s);
	return v;
}

START_TEST(valid)
{
	static const char *const good[] = {
		"{}", "[]", "0", "-1", "1.5e-3", "\"\"", "true", "null",
		" { \"a\" : [ 1 , { } ] } ",
		"\"\\u00e9\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
	};
	static const char *const bad[] = {
		"", " ", "{", "}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}",
		"\"", "\"\\", "\"\\u12\"",
		"\"\\x41\"", "\"a\nb\"", "01", "-", "1.", "1e", "tru", "nulll", "{} {}",
		"[1 2]", "\"\\",
		"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
	};
	struct json v;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		read_json(good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!json_read(bad[i], strlen(bad[i]), &v), "%s is taken", bad[i]);
	ck_assert(!json_read("\"a\0\"", 4, &v));
}
END_TEST

/*
 * Cut anywhere, a row is no row; what is behind its end is never read (the sanitizer sees to
 * that).
 */
START_TEST(cut_rows)
{
	static const char row[] = "{\"a\":\"x\\u00e9\\\\\",\"b\":[{\"c\":-1.5e+2}],\"d\":null}";

	for (size_t n = 0; n < sizeof(row) - 1; n++) {
		char *copy = malloc(n ? n : 1);
		struct json v;

		memcpy(copy, row, n);
		ck_assert(!json_read(copy, n, &v));
		free(copy);
	}
}
END_TEST

START_TEST(members)
{
	struct json o = read_json("{\"a\":1,\"bb\":{\"a\":2},\"c\":[3,\"4\",null]}"), v,
		name, inner;
	struct json_walk w;
	int64_t n;

	ck_assert(json_member(o, "a", &v) && json_integer(v, &n) && n == 1);
	ck_assert(json_member(o, "bb", &inner) && json_member(inner, "a", &v) &&
		  json_integer(v, &n) && n == 2);
	ck_assert(!json_member(o, "b", &v) && !v.n);
	ck_assert(!json_member(inner, "c", &v));
	ck_assert(json_member(o, "c", &inner));
	ck_assert(!json_member(inner, "a", &v));
	w = json_walk(inner);
	ck_assert(json_next(&w, &name, &v) && !name.n && json_integer(v, &n) && n == 3);
	ck_assert(json_next(&w, &name, &v) && json_integer(v, &n) && n == 4);
	ck_assert(json_next(&w, &name, &v) && json_null(v) && !json_integer(v, &n));
	ck_assert(!json_next(&w, &name, &v));
	w = json_walk(read_json("[]"));
	ck_assert(!json_next(&w, &name, &v));
	w = json_walk(read_json("7"));
	ck_assert(!json_next(&w, &name, &v));
}
END_TEST

START_TEST(values)
{
	static const struct { const char *text; bool good; int64_t n; } numbers[] = {
		{ "0", true, 0 }, { "-5", true, -5 }, { "9223372036854775807", true, INT64_MAX },
		{ "\"-9223372036854775808\"", true, INT64_MIN },
		{ "9223372036854775808", false, 0 }, { "1.5", false, 0 },
		{ "\"\"", false, 0 }, { "\"-\"", false, 0 }, { "true", false, 0 },
		{ "\"1x\"", false, 0 },
	};
	static const struct { const char *text, *bytes; } texts[] = {
		{ "\"\"", "" }, { "\"a\\n\\\"\\\\\"", "a\n\"\\" },
		{ "\"\\u00e9\\u20ac\"", "\303\251\342\202\254" },
		{ "\"\\ud83d\\ude00\"", "\360\237\230\200" }, { "\"x\\udcffy\"", "x\377y" },
		{ "12", "" },
		{ "\"0123456789abcdefghij\"", "0123456789abcde" },
	};
	static const struct { const char *text; bool good; int64_t n; } decimals[] = {
		{ "1.5", true, 1500 }, { "0.0129", true, 12 }, { "7", true, 7000 },
		{ "null", false, 0 }, { "\"1.5\"", false, 0 }, { "1.5e9", false, 0 },
		{ "-1.5", false, 0 }, { "9223372036854775807", false, 0 },
	};
	char text[16];
	int64_t n;

	for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
		ck_assert_msg(json_decimal(read_json(decimals[i].text), 3, &n) == decimals[i].good,
			      "%s", decimals[i].text);
		if (decimals[i].good)
			ck_assert_int_eq(n, decimals[i].n);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		ck_assert_msg(json_integer(read_json(numbers[i].text), &n) == numbers[i].good, "%s",
			      numbers[i].text);
		if (numbers[i].good)
			ck_assert_int_eq(n, numbers[i].n);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_uint_eq(json_text(read_json(texts[i].text), text, sizeof(text)),
				  strlen(texts[i].bytes));
		ck_assert_str_eq(text, texts[i].bytes);
	}
}
END_TEST

/* ---- verdicts ---- */

static const struct selftest_input inputs[] = { { "name", "hook.title" },
						{ "name", "label" }, { } };
static const struct selftest a_test = { .tool = "a", .inputs = inputs, .unknown = "[?]" };

/* Rows against wants, with this end object and so many events reported as lost. */
static struct cell compare_as(const char *wants, const char *rows, const char *end, int64_t lost,
			      bool foreign)
{
	struct cell c = { .lost = lost };
	struct found f = { .test = &a_test, .cell = &c, .end = read_json(end), .foreign = foreign };

	ck_assert(split_rows(wants, strlen(wants), &f.wants));
	ck_assert(split_rows(rows, strlen(rows), &f.rows));
	rows_compare(&f);
	free(f.wants.rows);
	free(f.rows.rows);
	return c;
}

static struct cell compare(const char *wants, const char *rows, const char *end, int64_t lost)
{
	return compare_as(wants, rows, end, lost, false);
}

/* A row may be absent if its hook is, but not be another one; and is none less if it is there. */
START_TEST(rows_of_hooks)
{
	static const char wants[] = "{\"pid\":1,\"(hook)\":\"fs.read\"}\n{\"pid\":2}\n";
	struct cell c = compare(wants, "{\"pid\":2}\n", "{\"missing\":[\"fs.read\"]}", 0);

	ck_assert_int_eq(c.verdict, VERDICT_OK);
	c = compare(wants, "{\"pid\":1}\n{\"pid\":2}\n", "{\"missing\":[\"fs.read\"]}", 0);
	ck_assert_int_eq(c.verdict, VERDICT_OK);
	c = compare(wants, "{\"pid\":2}\n", "{\"missing\":[\"fs.write\"]}", 0);
	ck_assert_int_eq(c.verdict, VERDICT_WRONG);
	c = compare(wants, "{\"pid\":1}\n", "{\"missing\":[\"fs.read\"]}", 0);
	ck_assert_int_eq(c.verdict, VERDICT_WRONG);
	c = compare(wants, "{\"pid\":3}\n{\"pid\":2}\n", "{\"missing\":[\"fs.read\"]}", 0);
	ck_assert_int_eq(c.verdict, VERDICT_WRONG);
}
END_TEST

#define WANTS "{\"pid\":1,\"name\":\"a b\"}\n{\"pid\":2,\"name\":\"c\"}\n"
#define LACKS(WHAT) "{\"missing\":[\"" WHAT "\"]}"

START_TEST(rows)
{
	static const struct {
		const char *rows, *end;
		int64_t lost;
		enum verdict verdict;
		const char *why;
	} cases[] = {
		{ WANTS, "{}", 0, VERDICT_OK, "" },
		/* Members nobody asked for, in any order. */
		{ "{\"name\":\"a b\",\"pid\":1,\"x\":3}\n{\"x\":null,\"pid\":2,\"name\":\"c\"}\n",
		  "{}", 0, VERDICT_OK, "" },
		{ "", "{}", 0, VERDICT_WRONG,
		  "wanted 2 rows, got 0; the first missing row: pid=1 name=\"a b\"" },
		{ "{\"pid\":1,\"name\":\"a b\"}\n", "{}", 0, VERDICT_WRONG,
		  "wanted 2 rows, got 1; the first missing row: pid=2 name=\"c\"" },
		{ "{\"pid\":2,\"name\":\"c\"}\n", "{}", 0, VERDICT_WRONG,
		  "wanted 2 rows, got 1; the first missing row: pid=1 name=\"a b\"" },
		{ "{\"pid\":2,\"name\":\"c\"}\n", "{}", 7, VERDICT_DEGRADED,
		  "1 of 2 rows lost, and reported" },
		{ "", "{}", 7, VERDICT_DEGRADED, "2 of 2 rows lost, and reported" },
		/*
		 * A row nobody caused is WRONG, whatever was lost; so are a second one and the
		 * wrong order.
		 */
		{ "{\"pid\":1,\"name\":\"b\"}\n", "{}", 7, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=\"b\" (name)" },
		{ "{\"pid\":1}\n", "{}", 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=nothing (name)" },
		{ WANTS "{\"pid\":2,\"name\":\"c\"}\n", "{}", 7, VERDICT_WRONG,
		  "wanted 2 rows, got 3, such as {\"pid\":2,\"name\":\"c\"}" },
		{ "{\"pid\":2,\"name\":\"c\"}\n{\"pid\":1,\"name\":\"a b\"}\n", "{}", 0,
		  VERDICT_WRONG,
		  "wanted 2 rows, got 2, such as {\"pid\":1,\"name\":\"a b\"}" },
		/* Not known, and why; not known for no reason. */
		{ "{\"pid\":1,\"name\":null}\n{\"pid\":2,\"name\":null}\n", LACKS("hook.name"), 0,
		  VERDICT_OK, "" },
		{ "{\"pid\":1,\"name\":null}\n{\"pid\":2,\"name\":\"c\"}\n", LACKS("hook.title"), 0,
		  VERDICT_OK, "" },
		{ "{\"pid\":1,\"name\":null}\n{\"pid\":2,\"name\":\"c\"}\n",
		  LACKS("any.hook.label"), 0, VERDICT_OK, "" },
		{ "{\"pid\":1,\"name\":null}\n", LACKS("any.labels"), 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=null (name)" },
		{ "{\"pid\":1,\"name\":null}\n", LACKS("hook.other"), 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=null (name)" },
		{ "{\"pid\":1,\"name\":\"x\"}\n", LACKS("hook.name"), 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=\"x\" (name)" },
		/* Words that could not be read stand for one word each. */
		{ "{\"pid\":1,\"name\":\"a [?]\"}\n{\"pid\":2,\"name\":\"c\"}\n", "{}", 0,
		  VERDICT_DEGRADED,
		  "some strings are shown as [?]" },
		{ "{\"pid\":1,\"name\":\"[?] b\"}\n{\"pid\":2,\"name\":\"c\"}\n", "{}", 0,
		  VERDICT_DEGRADED,
		  "some strings are shown as [?]" },
		{ "{\"pid\":1,\"name\":\"[?]\"}\n{\"pid\":2,\"name\":\"c\"}\n", "{}", 0,
		  VERDICT_DEGRADED,
		  "some strings are shown as [?]" },
		{ "{\"pid\":1,\"name\":\"[?] c\"}\n", "{}", 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=\"[?] c\" (name)" },
		{ "{\"pid\":1,\"name\":\"a b [?]\"}\n", "{}", 0, VERDICT_WRONG,
		  "wanted pid=1 name=\"a b\", got pid=1 name=\"a b [?]\" (name)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cell c = compare(WANTS, cases[i].rows, cases[i].end, cases[i].lost);

		ck_assert_msg(c.verdict == cases[i].verdict && !strcmp(c.why, cases[i].why),
			      "%zu: %s: %s", i,
			      verdict_name(c.verdict), c.why);
		ck_assert_int_eq(c.wanted, 2);
	}
}
END_TEST

START_TEST(foreign_ids)
{
	static const char rows[] = "{\"pid\":77,\"name\":\"a b\"}\n{\"pid\":78,\"name\":\"c\"}\n";

	ck_assert_int_eq(compare_as(WANTS, rows, "{}", 0, true).verdict, VERDICT_OK);
	ck_assert_int_eq(compare_as(WANTS, rows, "{}", 0, false).verdict, VERDICT_WRONG);
}
END_TEST

START_TEST(sums)
{
	static const char rows[] =
		"{\"hits\":5,\"slots\":[{\"low\":2,\"high\":3,\"count\":4},{\"low\":8,\"high\":9,"
		"\"count\":1}],\"flags\":\"Sync-Write\"}\n"
		"{\"hits\":6,\"slots\":[{\"low\":1,\"high\":1,\"count\":2}],\"flags\":\"Read\","
		"\"odd\":null}\n";
	struct cell c = { };
	struct found f = { .test = &a_test, .cell = &c };
	int64_t n;

	ck_assert(split_rows(rows, strlen(rows), &f.rows));
	ck_assert(found_sum(&f, "hits", &n) && n == 11);
	ck_assert(!found_sum(&f, "odd", &n) && !found_sum(&f, "none", &n));
	ck_assert_int_eq(found_counted(&f, NULL, NULL), 7);
	ck_assert_int_eq(found_counted(&f, "flags", "Write"), 5);
	ck_assert_int_eq(found_counted(&f, "flags", "Discard"), 0);
	ck_assert_int_eq(found_total(&f), 18);
	free(f.rows.rows);
}
END_TEST

START_TEST(bounds)
{
	static const struct {
		int64_t low, got, high, lost;
		enum verdict verdict;
		const char *why;
	} cases[] = {
		{ 5, 5, 5, 0, VERDICT_OK, "" },
		{ 5, 7, INT64_MAX, 0, VERDICT_OK, "" },
		{ 5, 4, 5, 0, VERDICT_WRONG, "n: wanted 5, got 4" },
		{ 5, 4, 9, 0, VERDICT_WRONG, "n: wanted 5 to 9, got 4" },
		{ 5, 4, INT64_MAX, 0, VERDICT_WRONG, "n: wanted 5 at least, got 4" },
		{ 5, 4, 9, 1, VERDICT_DEGRADED, "n: 4 of 5, with losses reported" },
		{ 5, 10, 9, 1, VERDICT_WRONG, "n: wanted 5 to 9, got 10" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cell c = { .lost = cases[i].lost };
		struct found f = { .test = &a_test, .cell = &c };

		found_between(&f, "n", cases[i].low, cases[i].got, cases[i].high);
		ck_assert_msg(c.verdict == cases[i].verdict && !strcmp(c.why, cases[i].why),
			      "%zu: %s: %s", i,
			      verdict_name(c.verdict), c.why);
		ck_assert_int_eq(c.wanted, cases[i].low);
		ck_assert_int_eq(c.got, cases[i].got);
	}
}
END_TEST

START_TEST(worse_wins)
{
	struct cell c = { };
	char piece[200];

	cell_verdict(&c, VERDICT_DEGRADED, "no %s", "a.b");
	cell_verdict(&c, VERDICT_DEGRADED, "no a.b.c; no a.b");
	ck_assert_str_eq(c.why, "no a.b; no a.b.c");
	cell_verdict(&c, VERDICT_OK, "nothing");
	ck_assert_str_eq(c.why, "no a.b; no a.b.c");
	cell_verdict(&c, VERDICT_WRONG, "wanted 1, got 2");
	cell_verdict(&c, VERDICT_DEGRADED, "no c");
	ck_assert_int_eq(c.verdict, VERDICT_WRONG);
	ck_assert_str_eq(c.why, "wanted 1, got 2");
	/* As many as fit, none in part. */
	for (int i = 0; i < 20; i++) {
		memset(piece, 'a' + i, sizeof(piece) - 1);
		piece[sizeof(piece) - 1] = '\0';
		cell_verdict(&c, VERDICT_WRONG, "%s", piece);
	}
	ck_assert_uint_eq(strlen(c.why), 15 + 5 * 201);
}
END_TEST

START_TEST(reasons)
{
	static const struct { const char *said, *why; } cases[] = {
		{ "bpf: events: ring\nsonde: a can't run here:\nperf: x: no kprobes, for f()\n"
		  "        x: no field g\n"
		  "`sonde features` shows this kernel's features\n",
		  "perf: x: no kprobes, for f(); x: no field g" },
		{ "bpf: events: ring\nsonde: a can't run here: there is no c\nperf: x: no "
		  "kprobes, for f()\n"
		  "`sonde features a` says more\n", "there is no c" },
		{ "sonde: engine bpf\nsonde: a: out of memory\n", "a: out of memory" },
		{ "sonde: tracefs can't be used\nmount it\n", "tracefs can't be used; mount it" },
		{ "sonde: a can't run here:\nbpf: --without\nperf, ftrace: no b\n`sonde",
		  "bpf: --without; perf, ftrace: no b" },
		{ "sonde: a can't run here with --backend perf: there is no c\n", "there is no c" },
		{ "sonde: a can't run here with --backend perf:\nperf: no b\nd: e\n",
		  "perf: no b; d: e" },
		{ "who knows\n", "who knows" },
		{ "", "" },
		{ NULL, "" },
	};
	char why[200], small[20];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		boil_down(cases[i].said, why, sizeof(why));
		ck_assert_str_eq(why, cases[i].why);
	}
	boil_down("sonde: tracefs is not there\nmount it\n", small, sizeof(small));
	ck_assert_str_eq(small, "");
}
END_TEST

/* A tool that the kernel ended for lack of memory showed nothing wrong; another SIGKILL is none. */
START_TEST(out_of_memory)
{
	static const struct { int status; int64_t kills; bool memory; } cases[] = {
		{ W_EXITCODE(0, SIGKILL), 1, true }, { W_EXITCODE(0, SIGKILL), 3, true },
		{ W_EXITCODE(0, SIGKILL), 0, false }, { W_EXITCODE(0, SIGSEGV), 1, false },
		{ W_EXITCODE(SIGKILL, 0), 1, false }, { W_EXITCODE(0, 0), 1, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cell c = { };

		ck_assert_int_eq(cell_out_of_memory(&c, "tool", cases[i].status, cases[i].kills),
				 cases[i].memory);
		ck_assert_int_eq(c.verdict, cases[i].memory ? VERDICT_NOT_HERE : VERDICT_OK);
		ck_assert_str_eq(c.why, cases[i].memory ?
				 "out of memory: the kernel ended the tool" : "");
	}
}
END_TEST

START_TEST(no_rows)
{
	static const char *const bad[] = { "{}", "{\n", "7\n", "{}\nsonde: oops\n", "\n" };
	struct json_rows list;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(!split_rows(bad[i], strlen(bad[i]), &list), "%s", bad[i]);
		free(list.rows);
	}
	ck_assert(split_rows(NULL, 0, &list) && !list.n);
	free(list.rows);
}
END_TEST

Suite *suite_selftest(void);
Suite *suite_selftest(void)
{
	Suite *s = suite_create("selftest");

	add_tests(s, "valid JSON", valid, 1);
	add_tests(s, "rows cut short", cut_rows, 1);
	add_tests(s, "members", members, 1);
	add_tests(s, "values", values, 1);
	add_tests(s, "rows", rows, 1);
	add_tests(s, "rows of hooks", rows_of_hooks, 1);
	add_tests(s, "foreign ids", foreign_ids, 1);
	add_tests(s, "sums", sums, 1);
	add_tests(s, "bounds", bounds, 1);
	add_tests(s, "the worse verdict", worse_wins, 1);
	add_tests(s, "reasons", reasons, 1);
	add_tests(s, "out of memory", out_of_memory, 1);
	add_tests(s, "no rows", no_rows, 1);
	return s;
}
