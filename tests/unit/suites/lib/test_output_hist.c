// SPDX-License-Identifier: GPL-2.0
/* Histograms as they are printed, to the byte, and the slots they are counted in. */
#include <stdlib.h>
#include <string.h>

#include "src/lib/output/heatmap.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

#define BOTH(S) { .s = S, .length = sizeof(S) - 1 }

/* Every slot begins where the one before ends, 8 a power of two, up to 2^64 - 1. */
START_TEST(slots)
{
	static const struct {
		unsigned int slot;
		uint64_t low, high;
	} known[] = {
		{ 0, 0, 0 }, { 1, 1, 1 }, { 7, 7, 7 }, { 8, 8, 8 }, { 15, 15, 15 }, { 16, 16, 17 },
		{ 23, 30, 31 },
		{ 24, 32, 35 }, { 31, 60, 63 }, { 32, 64, 71 },
		{ 488, 1ULL << 63, (9ULL << 60) - 1 },
		{ 495, 15ULL << 60, UINT64_MAX },
	};

	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		ck_assert_uint_eq(hist_slot_low(known[i].slot), known[i].low);
		ck_assert_uint_eq(hist_slot_high(known[i].slot), known[i].high);
	}
	for (unsigned int i = 1; i < HIST_SLOTS; i++)
		ck_assert_uint_eq(hist_slot_low(i), hist_slot_high(i - 1) + 1);
}
END_TEST

/* The slot of a value: what programs compute. */
static unsigned int slot_of(uint64_t v)
{
	unsigned int slot = 0;

	while (hist_slot_high(slot) < v)
		slot++;
	return slot;
}

static void add(struct hist *h, uint64_t value, uint64_t count)
{
	h->slots[slot_of(value)] += count;
}

/* Empty hist: nothing at all. Totals come alone, if there were any. */
START_TEST(hist_empty)
{
	struct hist_section section = { "disk", BOTH("sda") };
	struct hist_totals none = { 0, 0 }, some = { 7, 2 };
	struct hist h = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_header(o);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &h, NULL);
	output_hist(o, "latency", "usecs", &section, NOTHING, &h, &none);
	output_hist(o, "latency", "usecs", &section, NOTHING, &h, &some);
	check_output(o, file, &s, "\navg = 3 usecs, total: 7 usecs, count: 2\n\n");
}
END_TEST

/* The layout up to 2^32 - 1. */
START_TEST(hist_narrow)
{
	struct hist h = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	add(&h, 2, 10);
	add(&h, 3, 7);
	add(&h, 4, 40);
	add(&h, 5, 40);
	add(&h, 6, 40);
	add(&h, 7, 40);
	add(&h, 40, 2);
	add(&h, 63, 1);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &h, NULL);
	check_output(o, file, &s,
		     "     usecs               : count     distribution\n"
		     "         0 -> 1          : 0        |                                        "
		     "|\n"
		     "         2 -> 3          : 17       |****                                    "
		     "|\n"
		     "         4 -> 7          : 160      "
		     "|****************************************|\n"
		     "         8 -> 15         : 0        |                                        "
		     "|\n"
		     "        16 -> 31         : 0        |                                        "
		     "|\n"
		     "        32 -> 63         : 3        |                                        "
		     "|\n");
}
END_TEST

/*
 * 0 and 1 share the first row; the largest value of the narrow layout; a count wider than its
 * column.
 */
START_TEST(hist_bounds)
{
	struct hist_section section = { "pid", BOTH("812 \x1b[1mdd") },
		cut = { "comm", BOTH("abc") };
	struct hist_section nothing = { "disk", { 0 } };
	struct hist h = { 0 }, top = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	add(&h, 0, 1);
	add(&h, 1, 1);
	cut.value.cut = true;
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_hist(o, "latency", "msecs", &section, NOTHING, &h, NULL);
	output_hist(o, "latency", "msecs", &cut, NOTHING, &h, NULL);
	output_hist(o, "latency", "msecs", &nothing, NOTHING, &h, NULL);
	check_output(o, file, &s,
		     "\npid = 812 \\x1b[1mdd\n"
		     "     msecs               : count     distribution\n"
		     "         0 -> 1          : 2        "
		     "|****************************************|\n"
		     "\ncomm = abc...\n"
		     "     msecs               : count     distribution\n"
		     "         0 -> 1          : 2        "
		     "|****************************************|\n"
		     "\ndisk = -\n"
		     "     msecs               : count     distribution\n"
		     "         0 -> 1          : 2        "
		     "|****************************************|\n");

	add(&top, 0xffffffff, UINT64_MAX);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &top, NULL);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_ptr_nonnull(strstr(s, "\n2147483648 -> 4294967295 : 18446744073709551615 |"
				     "****************************************|\n"));
	output_free(o);
	fclose(file);
	free(s);
}
END_TEST

/* Above 32 bits: wider bounds, half the bar. */
START_TEST(hist_wide)
{
	struct hist_totals totals = { 12884901888, 3 };
	struct hist h = { 0 };
	struct output *o;
	FILE *file;
	char *s, *line;
	int n = 0;

	add(&h, 1, 1);
	add(&h, 1ULL << 32, 3);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_hist(o, "latency", "nsecs", NULL, NOTHING, &h, &totals);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_ptr_eq(s, strstr(s,
		"               nsecs                         : count     distribution\n"
		"                   0 -> 1                    : 1        |******              |\n"
		"                   2 -> 3                    : 0        |                    "
		"|\n"));
	line = strstr(s, "          4294967296 -> 8589934591           : 3        "
			 "|********************|\n"
		      "\navg = 4294967296 nsecs, total: 12884901888 nsecs, count: 3\n\n");
	ck_assert_ptr_nonnull(line);
	for (char *c = s; c < line; c++)
		n += *c == '\n';
	ck_assert_int_eq(n, 33);
	output_free(o);
	fclose(file);
	free(s);

	add(&h, UINT64_MAX, 1);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_hist(o, "latency", "nsecs", NULL, NOTHING, &h, NULL);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_ptr_nonnull(strstr(s,
		"\n 9223372036854775808 -> 18446744073709551615 : 1        |******              "
		"|\n"));
	output_free(o);
	fclose(file);
	free(s);
}
END_TEST

/* The length of a bar: whole stars only. */
START_TEST(hist_bars)
{
	static const struct {
		uint64_t count;
		unsigned int stars;
	} bars[] = { { 0, 0 }, { 24, 0 }, { 25, 1 }, { 49, 1 }, { 50, 2 }, { 999, 39 },
		     { 1000, 40 } };

	for (unsigned int i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
		for (int shift = 0; shift <= 54; shift += 27) {	/* to the end of 64 bits */
			struct hist h = { 0 };
			struct output *o;
			unsigned int stars = 0;
			FILE *file;
			char *s;

			add(&h, 1, bars[i].count << shift);
			add(&h, 2, 1000ULL << shift);
			o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
			output_hist(o, "latency", "usecs", NULL, NOTHING, &h, NULL);
			ck_assert_int_eq(output_flush(o), 0);
			for (char *c = strchr(s, '|') + 1; *c == '*'; c++)
				stars++;
			ck_assert_uint_eq(stars, bars[i].stars);
			output_free(o);
			fclose(file);
			free(s);
		}
	}
}
END_TEST

START_TEST(hist_machine)
{
	struct hist_section section = { "disk", BOTH("s\"a") };
	struct hist_totals totals = { 100, 6 }, none = { 0, 0 };
	struct hist h = { 0 }, empty = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	add(&h, 0, 1);
	add(&h, 17, 2);
	add(&h, UINT64_MAX, 3);
	o = memory_output(&s, &file, OUTPUT_JSON, NULL, NULL);
	output_header(o);
	output_hist(o, "latency", "usecs", &section, 1700000000123456789, &h, &totals);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &empty, &none);
	section.value = (struct text){ .s = "ab", .length = 2, .cut = true };
	output_hist(o, "latency", "usecs", &section, NOTHING, &empty, NULL);
	section.value = (struct text){ 0 };
	output_hist(o, "latency", "usecs", &section, NOTHING, &empty, NULL);
	check_output(o, file, &s,
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\","
		     "\"time\":\"2023-11-14T22:13:20.123456Z\","
		     "\"disk\":\"s\\\"a\",\"slots\":[{\"low\":0,\"high\":0,\"count\":1},"
		     "{\"low\":16,\"high\":17,\"count\":2},"
		     "{\"low\":\"17293822569102704640\",\"high\":\"18446744073709551615\","
		     "\"count\":3}],"
		     "\"avg\":16,\"total\":100,\"count\":6}\n"
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"slots\":[],"
		     "\"avg\":null,\"total\":0,\"count\":0}\n"
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"disk\":\"ab\","
		     "\"disk_cut\":true,\"slots\":[]}\n"
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"disk\":null,\"slots\":[]}\n");

	section.value = (struct text)BOTH("s\"a");
	o = memory_output(&s, &file, OUTPUT_CSV, NULL, NULL);
	output_header(o);
	output_hist(o, "latency", "usecs", &section, 1700000000123456789, &h, &totals);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &h, NULL);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &empty, NULL);
	check_output(o, file, &s,
		     "time,histogram,unit,section,value,low,high,count,total\n"
		     "22:13:20,latency,usecs,disk,\"s\"\"a\",0,0,1,\n"
		     "22:13:20,latency,usecs,disk,\"s\"\"a\",16,17,2,\n"
		     "22:13:20,latency,usecs,disk,\"s\"\"a\",17293822569102704640,"
		     "18446744073709551615,3,\n"
		     "22:13:20,latency,usecs,disk,\"s\"\"a\",,,6,100\n"
		     ",latency,usecs,,,0,0,1,\n"
		     ",latency,usecs,,,16,17,2,\n"
		     ",latency,usecs,,,17293822569102704640,18446744073709551615,3,\n");
}
END_TEST

START_TEST(linear)
{
	static const uint64_t counts[] = { 0, 3, 12, 0 };
	struct hist_section section = { "cpu", BOTH("1") };
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	output_linear(o, "length", "runqlen", &section, NOTHING, counts, 4, 0, 1);
	output_linear(o, "length", "runqlen", NULL, NOTHING, counts, 1, 0, 1);
	output_linear(o, "length", "value", NULL, NOTHING, counts, 3, -10, 5);
	check_output(o, file, &s,
		     "\ncpu = 1\n"
		     "     runqlen       : count     distribution\n"
		     "        0          : 0        |                                        |\n"
		     "        1          : 3        |**********                              |\n"
		     "        2          : 12       |****************************************|\n"
		     "     value         : count     distribution\n"
		     "        -10        : 0        |                                        |\n"
		     "        -5         : 3        |**********                              |\n"
		     "        0          : 12       |****************************************|\n");

	o = memory_output(&s, &file, OUTPUT_JSON, NULL, NULL);
	output_linear(o, "length", "value", &section, NOTHING, counts, 3, -10, 5);
	check_output(o, file, &s,
		     "{\"histogram\":\"length\",\"unit\":\"value\",\"cpu\":\"1\",\"slots\":["
		     "{\"low\":-5,\"high\":-1,\"count\":3},{\"low\":0,\"high\":4,"
		     "\"count\":12}]}\n");
	o = memory_output(&s, &file, OUTPUT_CSV, NULL, NULL);
	output_linear(o, "length", "value", &section, NOTHING, counts, 3, -10, 5);
	check_output(o, file, &s,
		     "time,histogram,unit,section,value,low,high,count,total\n"
		     ",length,value,cpu,1,-5,-1,3,\n"
		     ",length,value,cpu,1,0,4,12,\n");
}
END_TEST

static void put_hist(struct output *o, const struct hist *h, const struct hist_totals *totals)
{
	struct percentiles usual;

	ck_assert(percentiles_read(NULL, &usual));
	output_percentiles(o, &usual);
	output_header(o);
	output_hist(o, "latency", "usecs", NULL, NOTHING, h, totals);
}

/* The value of a percentile is the first that so many of all are not larger than. */
START_TEST(percentiles_of)
{
	static const struct {
		uint64_t values[3], counts[3];
		const char *printed;
	} rows[] = {
		{ { 3 }, { 1 }, "p50 <= 3, p90 <= 3, p99 <= 3, p99.9 <= 3, max <= 3 usecs\n" },
		{ { 1, 2 }, { 1, 1 }, "p50 <= 1, p90 <= 2, p99 <= 2, p99.9 <= 2, max <= 2" },
		{ { 1, 2 }, { 5, 5 }, "p50 <= 1, p90 <= 2," },
		{ { 1, 2 }, { 9, 1 }, "p50 <= 1, p90 <= 1, p99 <= 2," },
		{ { 1, 2, 5 }, { 989, 10, 1 },
		  "p50 <= 1, p90 <= 1, p99 <= 2, p99.9 <= 2, max <= 5 usecs\n" },
		{ { 1, 2, 5 }, { 9990, 9, 1 }, "p99 <= 1, p99.9 <= 1, max <= 5 usecs\n" },
		{ { 1, 2, 5 }, { 9989, 10, 1 }, "p99 <= 1, p99.9 <= 2, max <= 5 usecs\n" },
		{ { 16, 1000, 100000 }, { 6, 3, 1 },
		  "p50 <= 17, p90 <= 1023, p99 <= 106495, p99.9 <= 106495, max <= 106495 usecs\n" },
		/* counts of 64 bits: nothing overflows */
		{ { 1, 2, UINT64_MAX }, { 1ULL << 62, 1ULL << 62, 1ULL << 62 },
		  "p50 <= 2, p90 <= 18446744073709551615," },
	};
	struct hist h = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	for (int i = 0; i < 3; i++)
		if (rows[_i].counts[i])
			add(&h, rows[_i].values[i], rows[_i].counts[i]);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	put_hist(o, &h, NULL);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_msg(strstr(s, rows[_i].printed) != NULL, "not [%s] in %s", rows[_i].printed, s);
	output_free(o);
	fclose(file);
	free(s);
}
END_TEST

/* No value is larger than the one that is shown, and none smaller by an eighth or more. */
START_TEST(percentiles_bound)
{
	for (uint64_t v = 1; v < 1ULL << 60; v += v / 3 + 1) {
		struct hist h = { 0 };
		struct output *o;
		uint64_t shown;
		FILE *file;
		char *s, *max;

		add(&h, v, 1);
		o = memory_output(&s, &file, OUTPUT_JSON, NULL, NULL);
		put_hist(o, &h, NULL);
		ck_assert_int_eq(output_flush(o), 0);
		max = strstr(s, "\"max\":");
		shown = strtoull(max + strcspn(max, "123456789"), NULL, 10);
		ck_assert_uint_ge(shown, v);
		ck_assert_uint_le(shown - v, v / 8);
		output_free(o);
		fclose(file);
		free(s);
	}
}
END_TEST

START_TEST(percentiles_formats)
{
	static const uint64_t counts[] = { 0, 3, 12, 0 };
	struct hist_totals totals = { 19, 3 };
	struct hist h = { 0 }, empty = { 0 };
	struct output *o;
	FILE *file;
	char *s;

	add(&h, 1, 2);
	add(&h, 17, 1);
	o = memory_output(&s, &file, OUTPUT_TEXT, NULL, NULL);
	put_hist(o, &empty, NULL);
	output_linear(o, "length", "runqlen", NULL, NOTHING, counts, 4, -1, 1);
	check_output(o, file, &s,
		     "     runqlen       : count     distribution\n"
		     "        -1         : 0        |                                        |\n"
		     "        0          : 3        |**********                              |\n"
		     "        1          : 12       |****************************************|\n"
		     "     p50 <= 1, p90 <= 1, p99 <= 1, p99.9 <= 1, max <= 1 runqlen\n");

	o = memory_output(&s, &file, OUTPUT_JSON, NULL, NULL);
	put_hist(o, &h, &totals);
	put_hist(o, &empty, NULL);
	check_output(o, file, &s,
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"slots\":["
		     "{\"low\":1,\"high\":1,\"count\":2},"
		     "{\"low\":16,\"high\":17,\"count\":1}],"
		     "\"percentiles\":{\"p50\":1,\"p90\":17,\"p99\":17,"
		     "\"p99.9\":17,\"max\":17},"
		     "\"avg\":6,\"total\":19,\"count\":3}\n"
		     "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"slots\":[],"
		     "\"percentiles\":{\"p50\":null,\"p90\":null,\"p99\":null,\"p99.9\":null,"
		     "\"max\":null}}\n");

	o = memory_output(&s, &file, OUTPUT_CSV, NULL, NULL);
	put_hist(o, &h, &totals);
	put_hist(o, &empty, NULL);
	check_output(o, file, &s,
		     "time,histogram,unit,section,value,low,high,count,total,percentile\n"
		     ",latency,usecs,,,1,1,2,,\n"
		     ",latency,usecs,,,16,17,1,,\n"
		     ",latency,usecs,,,,1,,,p50\n"
		     ",latency,usecs,,,,17,,,p90\n"
		     ",latency,usecs,,,,17,,,p99\n"
		     ",latency,usecs,,,,17,,,p99.9\n"
		     ",latency,usecs,,,,17,,,max\n"
		     ",latency,usecs,,,,,3,19,\n");
}
END_TEST

/* A column of a heat map: machines get its interval, and counts that no histogram had. */
static const struct {
	const struct output_format *format;
	bool counts;
	const char *expected;
} map_columns[] = {
	{ OUTPUT_JSON, false, "{\"heatmap\":\"runqlat\",\"start\":\"1970-01-01T00:00:01.000000Z\","
	  "\"time\":\"1970-01-01T00:00:02.500000Z\",\"lost\":3}\n" },
	{ OUTPUT_JSON, true, "{\"heatmap\":\"runqlat\",\"start\":\"1970-01-01T00:00:01.000000Z\","
	  "\"time\":\"1970-01-01T00:00:02.500000Z\",\"lost\":3,\"unit\":\"msecs\",\"slots\":["
	  "{\"low\":20,\"high\":39,\"count\":4}]}\n" },
	{ OUTPUT_TEXT, true, "" },
	{ OUTPUT_CSV, true, "" },
};

START_TEST(map_column)
{
	static const struct heatmap_column column = { 1000000000, 2500000000, 3 };
	static const uint64_t counts[] = { 0, 4, 0 };
	struct heatmap map = { .tool = "runqlat", .slots = 3, .step = 20 };
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, map_columns[_i].format, NULL, NULL);
	output_map(o, &map, false);
	output_map_column(o, &column, "msecs", map_columns[_i].counts ? counts : NULL);
	check_output(o, file, &s, map_columns[_i].expected);
}
END_TEST

Suite *suite_output_hist(void)
{
	Suite *suite = suite_create("output_hist");

	add_tests(suite, "slots", slots, 1);
	add_tests(suite, "hist_empty", hist_empty, 1);
	add_tests(suite, "hist_narrow", hist_narrow, 1);
	add_tests(suite, "hist_bounds", hist_bounds, 1);
	add_tests(suite, "hist_wide", hist_wide, 1);
	add_tests(suite, "hist_bars", hist_bars, 1);
	add_tests(suite, "hist_machine", hist_machine, 1);
	add_tests(suite, "linear", linear, 1);
	add_tests(suite, "percentiles_of", percentiles_of, 9);
	add_tests(suite, "percentiles_bound", percentiles_bound, 1);
	add_tests(suite, "percentiles_formats", percentiles_formats, 1);
	add_tests(suite, "map_column", map_column,
		  sizeof(map_columns) / sizeof(map_columns[0]));
	return suite;
}
