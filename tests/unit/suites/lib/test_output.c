// SPDX-License-Identifier: GPL-2.0
/*
 * Everything sonde prints, to the byte, but histograms.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

#define BOTH(S) { .s = S, .length = sizeof(S) - 1 }

/* Bytes as they are escaped by one of the three styles. */
struct escaped {
	struct text in;
	const char *text, *json, *csv;
	size_t width;
};

static const struct escaped escaped[] = {
	{ BOTH(""), "", "\"\"", "\"\"", 0 },
	{ BOTH("plain text-1.0_~"), "plain text-1.0_~", "\"plain text-1.0_~\"", "plain text-1.0_~",
	  16 },
	{ BOTH("a\nb\tc\rd"), "a\\nb\\tc\\x0dd", "\"a\\nb\\tc\\rd\"", "a\\nb\\tc\\x0dd", 12 },
	{ BOTH("\b\f\a"), "\\x08\\x0c\\x07", "\"\\b\\f\\u0007\"", "\\x08\\x0c\\x07", 12 },
	{ BOTH("\x1b[31mred\x1b]0;title\a"), "\\x1b[31mred\\x1b]0;title\\x07",
	  "\"\\u001b[31mred\\u001b]0;title\\u0007\"", "\\x1b[31mred\\x1b]0;title\\x07", 27 },
	{ BOTH("nul\0inside"), "nul\\x00inside", "\"nul\\u0000inside\"", "nul\\x00inside", 13 },
	{ BOTH("\x7f"), "\\x7f", "\"\\u007f\"", "\\x7f", 4 },
	{ BOTH("C:\\dir"), "C:\\\\dir", "\"C:\\\\dir\"", "C:\\\\dir", 7 },
	{ BOTH("say \"hi\""), "say \"hi\"", "\"say \\\"hi\\\"\"", "\"say \"\"hi\"\"\"", 8 },
	{ BOTH("a,b"), "a,b", "\"a,b\"", "\"a,b\"", 3 },
	{ BOTH(" lead"), " lead", "\" lead\"", "\" lead\"", 5 },
	{ BOTH("trail "), "trail ", "\"trail \"", "\"trail \"", 6 },
	{ BOTH("\""), "\"", "\"\\\"\"", "\"\"\"\"", 1 },
	/* Valid and visible: as it is. */
	{ BOTH("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"",
	  "gr\xc3\xbc\xc3\x9f", 4 },
	{ BOTH("\xe6\x97\xa5\xe6\x9c\xac"), "\xe6\x97\xa5\xe6\x9c\xac",
	  "\"\xe6\x97\xa5\xe6\x9c\xac\"", "\xe6\x97\xa5\xe6\x9c\xac", 4 },
	{ BOTH("e\xcc\x81"), "e\xcc\x81", "\"e\xcc\x81\"", "e\xcc\x81", 1 },
	{ BOTH("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"", "\xf0\x9f\x98\x80",
	  2 },
	/* C1 controls: U+0085, U+009B (CSI of 8-bit terminals). */
	{ BOTH("\xc2\x85\xc2\x9b"), "\\u{0085}\\u{009b}", "\"\\u0085\\u009b\"",
	  "\\u{0085}\\u{009b}", 16 },
	/* The same bytes without their lead: no UTF-8. */
	{ BOTH("\x85\x9b"), "\\x85\\x9b", "\"\\udc85\\udc9b\"", "\\x85\\x9b", 8 },
	/*
	 * Bidirectional overrides and isolates, zero width, BOM, soft hyphen, line separator, tags.
	 */
	{ BOTH("a\xe2\x80\xae" "b"), "a\\u{202e}b", "\"a\\u202eb\"", "a\\u{202e}b", 10 },
	{ BOTH("\xe2\x81\xa6"), "\\u{2066}", "\"\\u2066\"", "\\u{2066}", 8 },
	{ BOTH("\xe2\x80\x8b"), "\\u{200b}", "\"\\u200b\"", "\\u{200b}", 8 },
	{ BOTH("\xef\xbb\xbf"), "\\u{feff}", "\"\\ufeff\"", "\\u{feff}", 8 },
	{ BOTH("\xc2\xad"), "\\u{00ad}", "\"\\u00ad\"", "\\u{00ad}", 8 },
	{ BOTH("\xe2\x80\xa8"), "\\u{2028}", "\"\\u2028\"", "\\u{2028}", 8 },
	{ BOTH("\xf3\xa0\x81\x81"), "\\u{e0041}", "\"\\udb40\\udc41\"", "\\u{e0041}", 9 },
	/*
	 * Invalid: stray continuation, overlong, surrogate half, above the end, cut short, never
	 * valid.
	 */
	{ BOTH("\x80" "a"), "\\x80a", "\"\\udc80a\"", "\\x80a", 5 },
	{ BOTH("\xc0\xaf"), "\\xc0\\xaf", "\"\\udcc0\\udcaf\"", "\\xc0\\xaf", 8 },
	{ BOTH("\xe0\x80\xaf"), "\\xe0\\x80\\xaf", "\"\\udce0\\udc80\\udcaf\"", "\\xe0\\x80\\xaf",
	  12 },
	{ BOTH("\xed\xb2\x80"), "\\xed\\xb2\\x80", "\"\\udced\\udcb2\\udc80\"", "\\xed\\xb2\\x80",
	  12 },
	{ BOTH("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80", "\"\\udcf4\\udc90\\udc80\\udc80\"",
	  "\\xf4\\x90\\x80\\x80", 16 },
	{ BOTH("\xf4\x8f\xbf\xbd"), "\xf4\x8f\xbf\xbd", "\"\xf4\x8f\xbf\xbd\"", "\xf4\x8f\xbf\xbd",
	  1 },
	{ BOTH("x\xe6\x97"), "x\\xe6\\x97", "\"x\\udce6\\udc97\"", "x\\xe6\\x97", 9 },
	{ BOTH("\xe6" "ab"), "\\xe6ab", "\"\\udce6ab\"", "\\xe6ab", 6 },
	{ BOTH("\xff\xfe"), "\\xff\\xfe", "\"\\udcff\\udcfe\"", "\\xff\\xfe", 8 },
};

/* What fn prints. The caller frees. */
static char *printed(void (*fn)(FILE *file, const char *s, size_t length), const struct text *t)
{
	char *s = NULL;
	size_t size;
	FILE *file = open_memstream(&s, &size);

	fn(file, t->s, t->length);
	fclose(file);
	return s;
}

START_TEST(escapes)
{
	const struct escaped *row = &escaped[_i];
	char *text = printed(escape_text, &row->in), *json = printed(escape_json, &row->in);
	char *csv = printed(escape_csv, &row->in);

	ck_assert_str_eq(text, row->text);
	ck_assert_str_eq(json, row->json);
	ck_assert_str_eq(csv, row->csv);
	ck_assert_uint_eq(escape_width(row->in.s, row->in.length), row->width);
	free(text);
	free(json);
	free(csv);
}
END_TEST

/* The columns that fit: never half a character, nor half of one that takes two columns. */
static const struct {
	struct text escaped;
	unsigned int columns, bytes;
} fitting[] = {
	{ BOTH("plain"), 5, 5 }, { BOTH("plain"), 4, 4 }, { BOTH("plain"), 80, 5 },
	{ BOTH("gr\xc3\xbc\xc3\x9f"), 3, 4 },
	{ BOTH("\xe6\x97\xa5\xe6\x9c\xac"), 3, 3 }, { BOTH("\xe6\x97\xa5"), 1, 0 },
	{ BOTH("e\xcc\x81z"), 1, 3 }, { BOTH(""), 0, 0 },
};

START_TEST(fits)
{
	ck_assert_uint_eq(escape_fit(fitting[_i].escaped.s, fitting[_i].escaped.length,
				     fitting[_i].columns), fitting[_i].bytes);
}
END_TEST

/* What two bytes make of a terminal: nothing, whichever they are; it stays UTF-8. */
static const char *unsafe(const unsigned char *c)
{
	for (; *c; c++) {
		if (*c < 0x20 || *c == 0x7f)
			return "control byte";
		if (*c == 0xc2 && c[1] < 0xa0)
			return "C1 control";
		if (*c >= 0xc2 && *c < 0xe0 && (c[1] & 0xc0) == 0x80)
			c++;
		else if (*c >= 0x80)
			return "invalid UTF-8";
	}
	return NULL;
}

START_TEST(escapes_all_pairs)
{
	void (*const styles[])(FILE *file, const char *s, size_t length) =
		{ escape_text, escape_json, escape_csv };

	for (unsigned int pair = 0; pair < 0x10000; pair++) {
		char bytes[] = { pair >> 8, pair & 0xff }, s[64] = "";
		FILE *file = fmemopen(s, sizeof(s), "w");
		const char *why;

		styles[_i](file, bytes, 2);
		fclose(file);
		why = unsafe((unsigned char *)s);
		if (why)
			ck_abort_msg("bytes %04x: %s", pair, why);
	}
}
END_TEST

/* A row of every type. */
struct row {
	int64_t number, mode, ns, clock;
	double real;
	struct text comm, path;
	struct address address;
};
#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ .head = "TIME", .name = "time", .type = COLUMN_CLOCK, .width = -8, .offset = AT(clock),
	  .option = "time" },
	{ .head = "PID", .name = "pid", .type = COLUMN_INTEGER, .width = -6, .offset = AT(number) },
	{ .head = "TID", .name = "tid", .type = COLUMN_INTEGER, .width = -6, .offset = AT(number),
	  .option = "tid", .unless = "time" },
	{ .head = "COMM", .name = "comm", .type = COLUMN_TEXT, .width = -8, .offset = AT(comm) },
	{ .head = "MODE", .name = "mode", .type = COLUMN_OCTAL, .width = -5, .offset = AT(mode),
	  .digits = 4 },
	{ .head = "LAT(s)", .name = "lat_s", .type = COLUMN_SECONDS, .width = 8, .offset = AT(ns),
	  .digits = 3 },
	{ .head = "RATIO", .name = "ratio_percent", .type = COLUMN_REAL, .width = 8,
	  .offset = AT(real), .digits = 2, .suffix = "%" },
	{ .head = "ADDRESS", .name = "address", .type = COLUMN_ADDRESS, .width = -12,
	  .offset = AT(address) },
	{ .head = "PATH", .name = "path", .type = COLUMN_TEXT, .width = 0, .offset = AT(path) },
	{ 0 }
};

static const struct row rows[] = {
	{ 812, 0644, 1500000, 1700000000123456789, 98.754, BOTH("busybox"), BOTH("/etc/passwd"),
	  { AF_INET, { 10, 0, 2, 15 } } },
	{ NOTHING, NOTHING, NOTHING, NOTHING, NAN, { 0 }, { 0 }, { 0 } },
	{ 123456789, 01777777, 1234567890123, 1700000000999999999, 0, BOTH("a,\"b\"\x1b"),
	  { .s = "/long", .length = 5, .cut = true },
	  { AF_INET6, { 0x20, 1, 0xd, 0xb8, [15] = 1 } } },
	{ -1, 0, -1499999, 0, -0.005, { .s = "", .length = 0 }, { .s = "", .length = 0 },
	  { AF_INET, { 0 } } },
};
#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct {
	const struct output_format *format;
	const char *option;
	const char *expected;
} tables[] = {
	{ OUTPUT_TEXT, NULL,
	  "PID    COMM     MODE    LAT(s)    RATIO ADDRESS      PATH\n"
	  "812    busybox  0644     0.002   98.75% 10.0.2.15    /etc/passwd\n"
	  "-      -        -            -        - -            -\n"
	  "123456789 a,\"b\"\\x1b 1777777 1234.568    0.00% 2001:db8::1  /long...\n"
	  "-1              0000    -0.001   -0.01% 0.0.0.0\n" },
	{ OUTPUT_TEXT, "time",
	  "TIME     PID    COMM     MODE    LAT(s)    RATIO ADDRESS      PATH\n"
	  "22:13:20 812    busybox  0644     0.002   98.75% 10.0.2.15    /etc/passwd\n"
	  "-        -      -        -            -        - -            -\n"
	  "22:13:20 123456789 a,\"b\"\\x1b 1777777 1234.568    0.00% 2001:db8::1  /long...\n"
	  "00:00:00 -1              0000    -0.001   -0.01% 0.0.0.0\n" },
	{ OUTPUT_CSV, "tid",
	  "PID,TID,COMM,MODE,LAT(s),RATIO,ADDRESS,PATH\n"
	  "812,812,busybox,0644,0.002,98.75,10.0.2.15,/etc/passwd\n"
	  ",,,,,,,\n"
	  "123456789,123456789,\"a,\"\"b\"\"\\x1b\",1777777,1234.568,0.00,2001:db8::1,/long...\n"
	  "-1,-1,\"\",0000,-0.001,-0.01,0.0.0.0,\"\"\n" },
	{ OUTPUT_JSON, "time",
	  "{\"time\":\"2023-11-14T22:13:20.123456Z\",\"pid\":812,\"comm\":\"busybox\",\"mode\":420,"
	  "\"lat_s\":0.002,"
	  "\"ratio_percent\":98.75,\"address\":\"10.0.2.15\",\"path\":\"/etc/passwd\"}\n"
	  "{\"time\":null,\"pid\":null,\"comm\":null,\"mode\":null,\"lat_s\":null,"
	  "\"ratio_percent\":null,"
	  "\"address\":null,\"path\":null}\n"
	  "{\"time\":\"2023-11-14T22:13:20.999999Z\",\"pid\":123456789,"
	  "\"comm\":\"a,\\\"b\\\"\\u001b\",\"mode\":524287,"
	  "\"lat_s\":1234.568,\"ratio_percent\":0.00,\"address\":\"2001:db8::1\","
	  "\"path\":\"/long\","
	  "\"path_cut\":true}\n"
	  "{\"time\":\"1970-01-01T00:00:00.000000Z\",\"pid\":-1,\"comm\":\"\",\"mode\":0,"
	  "\"lat_s\":-0.001,"
	  "\"ratio_percent\":-0.01,\"address\":\"0.0.0.0\",\"path\":\"\"}\n" },
};

START_TEST(table)
{
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, tables[_i].format, columns, tables[_i].option);
	ck_assert_int_eq(output_for_people(o), tables[_i].format == OUTPUT_TEXT);
	output_header(o);
	output_header(o);		/* once only */
	for (unsigned int i = 0; i < N_ROWS; i++)
		output_row(o, &rows[i]);
	check_output(o, file, &s, tables[_i].expected);
}
END_TEST

/* A table an interval, and columns that only some read. */
static const struct {
	const struct output_format *format;
	const char *expected;
} interval_tables[] = {
	{ OUTPUT_TEXT, "A B E\n1 2 5\nA B E\n1 2 5\n" },
	{ OUTPUT_JSON, "{\"a\":1,\"c\":3,\"d\":4}\n{\"a\":1,\"c\":3,\"d\":4}\n" },
	{ OUTPUT_CSV, "A,C,E\n1,3,5\n1,3,5\n" },
};

/* The rows that tests of bytes mean are these; each has a writer, and an option but the first. */
START_TEST(format_rows)
{
	ck_assert_ptr_null(OUTPUT_TEXT->option);
	ck_assert_str_eq(OUTPUT_JSON->option, "json");
	ck_assert_str_eq(OUTPUT_CSV->option, "csv");
	for (const struct output_format *f = formats; f->title; f++) {
		ck_assert_ptr_nonnull(f->writer);
		ck_assert(f == formats || (f->option && f->help));
	}
}
END_TEST

/* An object beside the rows, in a format of objects only. */
/* A terminal narrower than the table; only text is cut. */
START_TEST(narrow)
{
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_TEXT, columns, NULL);
	output_fit(o, 12);
	output_header(o);
	output_row(o, &rows[0]);
	output_fit(o, 0);
	output_row(o, &rows[1]);
	check_output(o, file, &s, "PID    COMM\n"
				  "812    busyb\n"
				  "-      -        -            -        - -            -\n");
}
END_TEST

START_TEST(members)
{
	static const struct output_member m[] = {
		{ "of", { .s = "a \"b\"", .length = 5 } },
		{ "n", { .s = "1.50", .length = 4, .is_number = true } },
		{ "none", { } },
	};

	for (int i = 0; i < 3; i++) {
		struct output *o;
		FILE *file;
		char *s;

		o = memory_output(&s, &file, &formats[i], columns, NULL);
		output_members(o, "end", m, 3);
		check_output(o, file, &s, &formats[i] != OUTPUT_JSON ? "" :
			     "{\"end\":{\"of\":\"a \\\"b\\\"\",\"n\":1.50,\"none\":null}}\n");
	}
}
END_TEST

START_TEST(heads)
{
	static const struct column some[] = {
		{ "A", "a", COLUMN_INTEGER, 0, 0 },
		{ "B", "b", COLUMN_INTEGER, 0, 8, .readers = FOR_PEOPLE },
		{ "C", "c", COLUMN_INTEGER, 0, 16, .readers = FOR_MACHINES },
		{ "D", "d", COLUMN_INTEGER, 0, 24, .readers = FOR_OBJECTS },
		{ "E", "e", COLUMN_INTEGER, 0, 32, .readers = FOR_TABLES },
		{ }
	};
	static const int64_t row[] = { 1, 2, 3, 4, 5 };
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, interval_tables[_i].format, some, NULL);
	for (int i = 0; i < 2; i++) {
		output_heads(o);
		output_row(o, row);
	}
	check_output(o, file, &s, interval_tables[_i].expected);
}
END_TEST

/* One column of numbers, and its value in text and JSON. */
static const struct {
	enum column_type type;
	uint8_t digits;
	int64_t value;
	const char *text, *json;
} numbers[] = {
	{ COLUMN_INTEGER, 0, 0, "0", "0" },
	{ COLUMN_INTEGER, 0, INT64_MAX, "9223372036854775807", "\"9223372036854775807\"" },
	{ COLUMN_INTEGER, 0, INT64_MIN + 1, "-9223372036854775807", "\"-9223372036854775807\"" },
	{ COLUMN_INTEGER, 0, INT64_MIN, "-", "null" },
	{ COLUMN_INTEGER, 0, 1LL << 53, "9007199254740992", "9007199254740992" },
	{ COLUMN_INTEGER, 0, (1LL << 53) + 1, "9007199254740993", "\"9007199254740993\"" },
	{ COLUMN_INTEGER, 0, -(1LL << 53), "-9007199254740992", "-9007199254740992" },
	{ COLUMN_INTEGER, 0, -(1LL << 53) - 1, "-9007199254740993", "\"-9007199254740993\"" },
	{ COLUMN_OCTAL, 8, 0100102, "00100102", "32834" },
	{ COLUMN_OCTAL, 0, 0, "0", "0" },
	{ COLUMN_OCTAL, 0, 07, "7", "7" },
	{ COLUMN_OCTAL, 0, -1, "1777777777777777777777", "-1" },
	{ COLUMN_OCTAL, 4, INT64_MIN, "-", "null" },
	{ COLUMN_SECONDS, 9, INT64_MAX, "9223372036.854775807", "9223372036.854775807" },
	{ COLUMN_SECONDS, 9, INT64_MIN + 1, "-9223372036.854775807", "-9223372036.854775807" },
	{ COLUMN_SECONDS, 9, 1, "0.000000001", "0.000000001" },
	{ COLUMN_SECONDS, 3, 499999, "0.000", "0.000" },
	{ COLUMN_SECONDS, 3, 500000, "0.001", "0.001" },
	{ COLUMN_SECONDS, 3, -499999, "0.000", "0.000" },
	{ COLUMN_SECONDS, 3, 1999500000, "2.000", "2.000" },
	{ COLUMN_SECONDS, 0, 1500000000, "2", "2" },
	{ COLUMN_SECONDS, 0, 1499999999, "1", "1" },
	{ COLUMN_SECONDS, 6, INT64_MIN, "-", "null" },
	{ COLUMN_CLOCK, 0, -1, "23:59:59", "\"1969-12-31T23:59:59.999999Z\"" },
	{ COLUMN_CLOCK, 0, 1709210096000001000, "12:34:56", "\"2024-02-29T12:34:56.000001Z\"" },
	{ COLUMN_CLOCK, 0, INT64_MIN, "-", "null" },
};

START_TEST(number)
{
	const struct column one[] = {
		{ .head = "N", .name = "n", .type = numbers[_i].type,
		  .digits = numbers[_i].digits }, { 0 }
	};
	char expected[128], *s;
	struct output *o;
	FILE *file;

	o = memory_output(&s, &file, OUTPUT_TEXT, one, NULL);
	output_row(o, &numbers[_i].value);
	snprintf(expected, sizeof(expected), "%s\n", numbers[_i].text);
	check_output(o, file, &s, expected);

	o = memory_output(&s, &file, OUTPUT_JSON, one, NULL);
	output_row(o, &numbers[_i].value);
	snprintf(expected, sizeof(expected), "{\"n\":%s}\n", numbers[_i].json);
	check_output(o, file, &s, expected);
}
END_TEST

START_TEST(real)
{
	static const struct column one[] = {
		{ .head = "R", .name = "r", .type = COLUMN_REAL, .digits = 1, .suffix = "%" }, { 0 }
	};
	static const double values[] = { 1.25, -INFINITY, INFINITY, 1e300 };
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_JSON, one, NULL);
	for (int i = 0; i < 3; i++)
		output_row(o, &values[i]);
	check_output(o, file, &s, "{\"r\":1.2}\n{\"r\":null}\n{\"r\":null}\n");
	o = memory_output(&s, &file, OUTPUT_TEXT, one, NULL);
	output_row(o, &values[3]);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_uint_eq(strlen(s), 301 + strlen(".0%\n"));
	output_free(o);
	fclose(file);
	free(s);
}
END_TEST

/*
 * Heads wider than their column widen it; wide characters count for what they take; right-aligned
 * text.
 */
START_TEST(alignment)
{
	static const struct column c[] = {
		{ .head = "MILLISECONDS", .name = "ms", .type = COLUMN_INTEGER, .width = 4,
		  .offset = AT(number) },
		{ .head = "NAME", .name = "name", .type = COLUMN_TEXT, .width = -2,
		  .offset = AT(comm) },
		{ .head = "R", .name = "right", .type = COLUMN_TEXT, .width = 6,
		  .offset = AT(path) },
		{ .head = "LAST", .name = "last", .type = COLUMN_INTEGER, .width = -9,
		  .offset = AT(mode) },
		{ 0 }
	};
	static const struct row lines[] = {
		{ .number = 7, .comm = BOTH("\xe6\x97\xa5"), .path = BOTH("e\xcc\x81"), .mode = 1 },
		{ .number = 8, .comm = BOTH("four"),
		  .path = { .s = "ab", .length = 2, .cut = true }, .mode = 22 },
	};
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_TEXT, c, NULL);
	output_header(o);
	output_row(o, &lines[0]);
	output_row(o, &lines[1]);
	check_output(o, file, &s,
		     "MILLISECONDS NAME      R LAST\n"
		     "           7 \xe6\x97\xa5        e\xcc\x81 1\n"
		     "           8 four  ab... 22\n");
}
END_TEST

/* Names longer than the line buffer, between other columns: whole, in every format. */
START_TEST(long_names)
{
	static const struct column c[] = {
		{ .head = "PATH", .name = "path", .type = COLUMN_TEXT, .width = -4,
		  .offset = AT(path) },
		{ .head = "N", .name = "n", .type = COLUMN_INTEGER, .width = 3,
		  .offset = AT(number) },
		{ 0 }
	};
	static const char *const around[][2] = {
		{ "", "   5\n" }, { "{\"path\":\"", "\",\"n\":5}\n" }, { "", ",5\n" },
	};
	static const size_t lengths[] = { 4096, 8191, 8192, 8193, 30000 };

	for (unsigned int i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		char *name = malloc(lengths[i]), *s, *expected;
		struct row row = { .number = 5, .path = { .s = name, .length = lengths[i] } };
		struct output *o;
		FILE *file;

		memset(name, 'x', lengths[i]);
		ck_assert_int_ge(asprintf(&expected, "%s%.*s%s", around[_i][0], (int)lengths[i],
					  name, around[_i][1]), 0);
		o = memory_output(&s, &file, &formats[_i], c, NULL);
		output_row(o, &row);
		check_output(o, file, &s, expected);
		free(expected);
		free(name);
	}
}
END_TEST

/* Reads one CSV line back, by RFC 4180, into cells; their number. */
static unsigned int csv_cells(const char *s, char cells[8][64])
{
	unsigned int n = 0, used = 0;
	bool quoted = false;

	for (; *s && (quoted || *s != '\n'); s++) {
		if (*s == '"' && quoted && s[1] == '"')
			cells[n][used++] = *s++;
		else if (*s == '"')
			quoted = !quoted;
		else if (*s == ',' && !quoted)
			cells[n++][used] = '\0', used = 0;
		else
			cells[n][used++] = *s;
	}
	cells[n][used] = '\0';
	return n + 1;
}

START_TEST(csv_reads_back)
{
	static const struct column c[] = {
		{ .head = "A", .name = "a", .type = COLUMN_TEXT, .offset = AT(comm) },
		{ .head = "B,\"B\"", .name = "b", .type = COLUMN_TEXT, .offset = AT(path) },
		{ 0 }
	};
	const struct escaped *e = &escaped[_i];
	struct row row = { .comm = e->in, .path = e->in };
	char cells[8][64], *s;
	struct output *o;
	FILE *file;

	row.path.cut = true;
	o = memory_output(&s, &file, OUTPUT_CSV, c, NULL);
	output_header(o);
	output_row(o, &row);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_uint_eq(csv_cells(s, cells), 2);
	ck_assert_str_eq(cells[0], "A");
	ck_assert_str_eq(cells[1], "B,\"B\"");
	ck_assert_uint_eq(csv_cells(strchr(s, '\n') + 1, cells), 2);
	ck_assert_str_eq(cells[0], e->text);
	ck_assert_uint_eq(strlen(cells[1]), strlen(e->text) + 3);
	ck_assert_str_eq(cells[1] + strlen(e->text), "...");
	output_free(o);
	fclose(file);
	free(s);
}
END_TEST

START_TEST(lines)
{
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_TEXT, columns, NULL);
	output_line(o, "Tracing %s... Hit Ctrl-C to end.", "\x1b[2J");
	output_line(o, "%s", "");
	check_output(o, file, &s, "Tracing \\x1b[2J... Hit Ctrl-C to end.\n\n");
	o = memory_output(&s, &file, OUTPUT_JSON, columns, NULL);
	output_line(o, "not in JSON");
	check_output(o, file, &s, "");
	o = memory_output(&s, &file, OUTPUT_CSV, columns, NULL);
	output_line(o, "not in CSV");
	check_output(o, file, &s, "");
}
END_TEST

START_TEST(end)
{
	static const char *const hooks[] = { "open.enter: tracepoint syscalls:sys_enter_openat",
					     "a \"b\"", NULL };
	static const char *const missing[] = { "UID", NULL };
	static const char *const none[] = { NULL };
	struct output_end e = {
		.tool = "opensnoop", .engine = "bpf", .hooks = hooks, .seen = 1ULL << 53,
		.lost = UINT64_MAX, .late = 1, .unpaired = 5, .full = 2, .missed = 3,
		.missed_known = true, .strings = 4, .missing = none,
	};
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_JSON, columns, NULL);
	output_end(o, &e);
	check_output(o, file, &s,
		     "{\"end\":{\"tool\":\"opensnoop\",\"engine\":\"bpf\","
		     "\"hooks\":[\"open.enter: tracepoint syscalls:sys_enter_openat\","
		     "\"a \\\"b\\\"\"],"
		     "\"seen\":9007199254740992,\"lost\":\"18446744073709551615\",\"late\":1,"
		     "\"unpaired\":5,\"full\":2,\"missed\":3,"
		     "\"strings\":4,\"missing\":[],\"columns\":[]}}\n");
	e = (struct output_end){ .tool = "x", .missing = missing };
	o = memory_output(&s, &file, OUTPUT_JSON, columns, NULL);
	output_end(o, &e);
	check_output(o, file, &s,
		     "{\"end\":{\"tool\":\"x\",\"engine\":null,\"hooks\":[],\"seen\":0,\"lost\":0,"
		     "\"late\":0,\"unpaired\":0,"
		     "\"full\":0,\"missed\":null,\"strings\":0,\"missing\":[\"UID\"],"
		     "\"columns\":[]}}\n");
	e.ran_ms = 1500;
	e.untraced_ms = 12;
	e.stacks_lost = 7;
	e.stacks_unrecorded = 8;
	o = memory_output(&s, &file, OUTPUT_JSON, columns, NULL);
	output_end(o, &e);
	check_output(o, file, &s,
		     "{\"end\":{\"tool\":\"x\",\"engine\":null,\"hooks\":[],\"seen\":0,\"lost\":0,"
		     "\"late\":0,\"unpaired\":0,"
		     "\"full\":0,\"missed\":null,\"strings\":0,\"ran_ms\":1500,\"untraced_ms\":12,"
		     "\"stacks_lost\":7,\"stacks_unrecorded\":8,"
		     "\"missing\":[\"UID\"],\"columns\":[]}}\n");
	o = memory_output(&s, &file, OUTPUT_TEXT, columns, NULL);
	output_end(o, &e);
	check_output(o, file, &s, "");
}
END_TEST

/* Those of the rows, with role and unit; a tool that had a head and no rows shows them too. */
START_TEST(end_columns)
{
	static const struct output_end e = { .tool = "x", .engine = "bpf" };
	char *s, *columns_shown;
	struct output *o;
	FILE *file;

	o = memory_output(&s, &file, OUTPUT_JSON, columns, _i ? "time" : "tid");
	if (_i)
		output_row(o, &rows[0]);
	else
		output_header(o);
	output_end(o, &e);
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	columns_shown = strstr(s, ",\"columns\":[");
	ck_assert_ptr_nonnull(columns_shown);
	ck_assert_str_eq(columns_shown, _i ?
			 ",\"columns\":[{\"name\":\"time\",\"role\":\"time\"},"
			 "{\"name\":\"pid\",\"role\":\"identity\"},"
			 "{\"name\":\"comm\",\"role\":\"identity\"},"
			 "{\"name\":\"mode\",\"role\":\"label\"},"
			 "{\"name\":\"lat_s\",\"role\":\"value\",\"unit\":\"s\"},"
			 "{\"name\":\"ratio_percent\",\"role\":\"value\",\"unit\":\"percent\"},"
			 "{\"name\":\"address\",\"role\":\"identity\"},"
			 "{\"name\":\"path\",\"role\":\"label\"}]}}\n" :
			 ",\"columns\":[{\"name\":\"pid\",\"role\":\"identity\"},"
			 "{\"name\":\"tid\",\"role\":\"identity\"},"
			 "{\"name\":\"comm\",\"role\":\"identity\"},"
			 "{\"name\":\"mode\",\"role\":\"label\"},"
			 "{\"name\":\"lat_s\",\"role\":\"value\",\"unit\":\"s\"},"
			 "{\"name\":\"ratio_percent\",\"role\":\"value\",\"unit\":\"percent\"},"
			 "{\"name\":\"address\",\"role\":\"identity\"},"
			 "{\"name\":\"path\",\"role\":\"label\"}]}}\n");
	free(s);
}
END_TEST

static const struct output_source all_columns = { .columns = columns, .shown = shown_if_same };

/* Errors come through flush, whether the write or the flush met them, and they stay. */
START_TEST(full_disk)
{
	FILE *file = fopen("/dev/full", "w");
	struct output *o = output_new(file, OUTPUT_TEXT, &all_columns);

	ck_assert_int_eq(output_flush(o), 0);
	for (int i = 0; i < (_i ? 1000 : 1); i++)	/* 1000 rows overflow stdio's buffer */
		output_row(o, &rows[0]);
	for (int i = 0; i < 2; i++) {
		errno = 0;
		ck_assert_int_eq(output_flush(o), -1);
		ck_assert_int_eq(errno, ENOSPC);
	}
	output_free(o);
	fclose(file);
}
END_TEST

START_TEST(closed_pipe)
{
	struct output *o;
	FILE *file;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(fds), 0);
	file = fdopen(fds[1], "w");
	if (_i)
		setvbuf(file, NULL, _IONBF, 0);		/* then the row's own write fails */
	o = output_new(file, OUTPUT_TEXT, &all_columns);
	output_row(o, &rows[0]);
	ck_assert_int_eq(output_flush(o), 0);
	close(fds[0]);
	output_row(o, &rows[0]);
	errno = 0;
	ck_assert_int_eq(output_flush(o), -1);
	ck_assert_int_eq(errno, EPIPE);
	output_free(o);
	fclose(file);
}
END_TEST

#define N(ARRAY) (int)(sizeof(ARRAY) / sizeof((ARRAY)[0]))

Suite *suite_output(void)
{
	Suite *suite = suite_create("output");

	add_tests(suite, "escapes", escapes, N(escaped));
	add_tests(suite, "escapes_all_pairs", escapes_all_pairs, 3);
	add_tests(suite, "fits", fits, N(fitting));
	add_tests(suite, "narrow", narrow, 1);
	add_tests(suite, "table", table, N(tables));
	add_tests(suite, "format_rows", format_rows, 1);
	add_tests(suite, "members", members, 1);
	add_tests(suite, "heads", heads, N(interval_tables));
	add_tests(suite, "number", number, N(numbers));
	add_tests(suite, "real", real, 1);
	add_tests(suite, "alignment", alignment, 1);
	add_tests(suite, "long_names", long_names, 3);
	add_tests(suite, "csv_reads_back", csv_reads_back, N(escaped));
	add_tests(suite, "lines", lines, 1);
	add_tests(suite, "end", end, 1);
	add_tests(suite, "end_columns", end_columns, 2);
	add_tests(suite, "full_disk", full_disk, 2);
	add_tests(suite, "closed_pipe", closed_pipe, 2);
	return suite;
}
