// SPDX-License-Identifier: GPL-2.0
/* Readers of lines: what they take, what they leave, and that they refuse what is not quite so. */
#include <stdint.h>

#include "compat/base/scan.h"
#include "tests/unit/unit.h"

Suite *suite_scan(void);

/* `rest`: what is left; NULL: refused, and nothing was taken. */
static const struct {
	const char *text, *wanted, *rest;
} texts[] = {
	{ "Tgid:\t12", "Tgid: ", "12" },
	{ "Buffers:          12 kB", "Buffers: ", "12 kB" },
	{ "cpu0", "cpu", "0" },
	{ "a b", "", "a b" },
	{ "", "", "" },
	{ "cp", "cpu", NULL },
	{ "", "cpu", NULL },
	{ " cpu", "cpu", NULL },
	{ "Tgid:12", "Tgid: ", NULL },
	{ "Tgid:\n12", "Tgid: ", NULL },
	{ "NSTgid:\t12", "Tgid: ", NULL },
	{ "tgid:\t12", "Tgid: ", NULL },
};

START_TEST(text)
{
	const char *at = texts[_i].text, *rest = texts[_i].rest;

	ck_assert_int_eq(scan_text(&at, texts[_i].wanted), rest != NULL);
	ck_assert_str_eq(at, rest ? rest : texts[_i].text);
}
END_TEST

static const struct {
	const char *text;
	uint64_t most, number;
	const char *rest;
} numbers[] = {
	{ "0", 0, 0, "" },
	{ "12 kB", UINT64_MAX, 12, " kB" },
	{ "0012", 12, 12, "" },
	{ "12f", 99, 12, "f" },
	{ "63\n", 63, 63, "\n" },
	{ "64\n", 63, 0, NULL },
	{ "640", 64, 0, NULL },
	{ "1", 0, 0, NULL },
	{ "4294967295", UINT32_MAX, UINT32_MAX, "" },
	{ "4294967296", UINT32_MAX, 0, NULL },
	{ "18446744073709551615", UINT64_MAX, UINT64_MAX, "" },
	{ "18446744073709551616", UINT64_MAX, 0, NULL },
	{ "99999999999999999999999", UINT64_MAX, 0, NULL },
	{ "-1", UINT64_MAX, 0, NULL },
	{ "+1", UINT64_MAX, 0, NULL },
	{ " 1", UINT64_MAX, 0, NULL },
	{ "", UINT64_MAX, 0, NULL },
	{ "f", UINT64_MAX, 0, NULL },
}, hexes[] = {
	{ "7f0012345000-", UINT64_MAX, 0x7f0012345000, "-" },
	{ "ffffffffffffffff", UINT64_MAX, UINT64_MAX, "" },
	{ "FE:01", 0xff, 0xfe, ":01" },
	{ "0x10", UINT64_MAX, 0, "x10" },
	{ "10g", 0x10, 16, "g" },
	{ "10000000000000000", UINT64_MAX, 0, NULL },
	{ "100", 0xff, 0, NULL },
	{ "-1", UINT64_MAX, 0, NULL },
	{ "g", UINT64_MAX, 0, NULL },
	{ "", UINT64_MAX, 0, NULL },
}, decimals[] = {	/* with three places */
	{ "1.5", UINT64_MAX, 1500, "" },
	{ "1", UINT64_MAX, 1000, "" },
	{ "1.", UINT64_MAX, 1000, "" },
	{ ".25 ms", UINT64_MAX, 250, " ms" },
	{ "0.1239", UINT64_MAX, 123, "" },
	{ "1.2.3", UINT64_MAX, 1200, ".3" },
	{ "1e3", UINT64_MAX, 1000, "e3" },
	{ "0", 0, 0, "" },
	{ "0.00099999999999999999999999", 0, 0, "" },
	{ "10.001", 10000, 0, NULL },
	{ "18446744073709551.615", UINT64_MAX, UINT64_MAX, "" },
	{ "18446744073709551.616", UINT64_MAX, 0, NULL },
	{ "18446744073709552", UINT64_MAX, 0, NULL },
	{ ".", UINT64_MAX, 0, NULL },
	{ "", UINT64_MAX, 0, NULL },
	{ "-1.5", UINT64_MAX, 0, NULL },
	{ "nan", UINT64_MAX, 0, NULL },
	{ "inf", UINT64_MAX, 0, NULL },
};

#define CHECK_NUMBER(ROW, CALL) \
	do { \
		const char *at = (ROW).text; \
		uint64_t number = 77; \
\
		ck_assert_int_eq(CALL, (ROW).rest != NULL); \
		ck_assert_uint_eq(number, (ROW).rest ? (ROW).number : 77); \
		ck_assert_str_eq(at, (ROW).rest ? (ROW).rest : (ROW).text); \
	} while (0)

START_TEST(number)
{
	CHECK_NUMBER(numbers[_i], scan_number(&at, numbers[_i].most, &number));
}
END_TEST

START_TEST(hex)
{
	CHECK_NUMBER(hexes[_i], scan_hex(&at, hexes[_i].most, &number));
}
END_TEST

START_TEST(decimal)
{
	CHECK_NUMBER(decimals[_i], scan_decimal(&at, 3, decimals[_i].most, &number));
}
END_TEST

static const struct {
	const char *text;
	unsigned int n;
	const char *rest;
} passed[] = {
	{ "1 2 3", 0, "1 2 3" },
	{ "1 2 3", 2, "3" },
	{ "-1 0  18446744073709551615\t7", 3, "7" },
	{ "1 2 3", 3, NULL },		/* no blank behind it: there might be more of it */
	{ "1", 2, NULL },
	{ "", 1, NULL },
	{ "1 - 2 3", 2, NULL },
	{ "--1 2", 1, NULL },
	{ "1 S 2 3", 2, NULL },
	{ "1\n2 3", 2, NULL },
};

START_TEST(pass)
{
	const char *at = passed[_i].text, *rest = passed[_i].rest;

	ck_assert_int_eq(scan_pass(&at, passed[_i].n), rest != NULL);
	ck_assert_str_eq(at, rest ? rest : passed[_i].text);
}
END_TEST

/* Into four bytes: three characters fit. */
static const struct {
	const char *text, *ends, *word, *rest;
} words[] = {
	{ "abc:de", ":", "abc", ":de" },
	{ "a b", " \t", "a", " b" },
	{ "a\tb", " \t", "a", "\tb" },
	{ "abc", ":", "abc", "" },
	{ "ab\nc:", ":", "ab", "\nc:" },
	{ "ab:\n", "", "ab:", "\n" },
	{ "abcd:", ":", NULL, NULL },
	{ ":", ":", NULL, NULL },
	{ "\nab", "", NULL, NULL },
	{ "", ":", NULL, NULL },
}, sets[] = {
	{ "ab1-", "ab1", "ab1", "-" },
	{ "abB", "ab", "ab", "B" },
	{ "abab", "ab", NULL, NULL },
	{ "B", "ab", NULL, NULL },
	{ "\na", "ab", NULL, NULL },
	{ "", "ab", NULL, NULL },
};

START_TEST(until)
{
	const char *at = words[_i].text, *rest = words[_i].rest;
	char word[4] = "-";

	ck_assert_int_eq(scan_until(&at, words[_i].ends, word, sizeof(word)), rest != NULL);
	ck_assert_str_eq(word, rest ? words[_i].word : "-");
	ck_assert_str_eq(at, rest ? rest : words[_i].text);
}
END_TEST

START_TEST(of)
{
	const char *at = sets[_i].text, *rest = sets[_i].rest;
	char word[4] = "-";

	ck_assert_int_eq(scan_of(&at, sets[_i].ends, word, sizeof(word)), rest != NULL);
	ck_assert_str_eq(word, rest ? sets[_i].word : "-");
	ck_assert_str_eq(at, rest ? rest : sets[_i].text);
}
END_TEST

START_TEST(end)
{
	const char *at = "\n\nx";

	ck_assert(scan_end(&at));
	ck_assert_str_eq(at, "\nx");
	ck_assert(scan_end(&at));
	ck_assert(!scan_end(&at));
	ck_assert_str_eq(at, "x");
	at = "";
	ck_assert(scan_end(&at));
	ck_assert_str_eq(at, "");
}
END_TEST

/* A whole line, as callers read them. */
START_TEST(line)
{
	const char *at = "  p_open_0       12              3\n  p_other";
	char name[16];
	uint64_t n;

	ck_assert(scan_text(&at, " ") && scan_until(&at, " ", name, sizeof(name)) &&
		  scan_text(&at, " ") && scan_pass(&at, 1) && scan_number(&at, UINT64_MAX, &n) &&
		  scan_end(&at));
	ck_assert_str_eq(name, "p_open_0");
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(at, "  p_other");
}
END_TEST

#define ROWS(TABLE) (sizeof(TABLE) / sizeof((TABLE)[0]))

START_TEST(reads_devices)
{
	static const struct {
		const char *text, *rest;
		uint64_t number;
	} rows[] = {
		{ "8:0", "", 8 << 20 }, { "259:1048575 x", " x", 259 << 20 | 1048575 },
		{ "4095:0\n", "\n", 4095ULL << 20 }, { "8" }, { "8:" }, { ":0" }, { "8-0" },
		{ "4096:0" }, { "8:1048576" }, { "a:0" }, { "" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *at = rows[i].text;
		uint64_t number = 7;

		ck_assert_msg(scan_device(&at, &number) == !!rows[i].rest, "%s", rows[i].text);
		ck_assert_str_eq(at, rows[i].rest ? rows[i].rest : rows[i].text);
		ck_assert_uint_eq(number, rows[i].rest ? rows[i].number : 7);
	}
}
END_TEST

Suite *suite_scan(void)
{
	Suite *suite = suite_create("scan");

	add_tests(suite, "text", text, ROWS(texts));
	add_tests(suite, "number", number, ROWS(numbers));
	add_tests(suite, "hex", hex, ROWS(hexes));
	add_tests(suite, "device", reads_devices, 1);
	add_tests(suite, "decimal", decimal, ROWS(decimals));
	add_tests(suite, "pass", pass, ROWS(passed));
	add_tests(suite, "until", until, ROWS(words));
	add_tests(suite, "of", of, ROWS(sets));
	add_tests(suite, "end", end, 1);
	add_tests(suite, "line", line, 1);
	return suite;
}
