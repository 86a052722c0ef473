// SPDX-License-Identifier: GPL-2.0
/* sonde diff: what lines of two runs add up to, and how it is printed, to the byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/diff/options.h"
#include "src/commands/diff/report.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/unit.h"

Suite *suite_diff(void);

#define WORDS 12
#define END(TOOL, MORE) "{\"end\":{\"tool\":\"" TOOL "\",\"engine\":\"bpf\"" MORE "}}\n"
#define HEADING "OLD  old: 10.000 s\nNEW  new: 20.000 s\n"
#define RATES "           OLD            NEW         CHANGE    RATIO "

/* Adds the lines of a text. Returns -1 if one is refused. */
static int add_lines(struct diff_reader *r, enum diff_side side, const char *text)
{
	int result = 0;

	while (*text && !result) {
		const size_t n = strcspn(text, "\n");

		result = diff_line(r, side, text, n);
		text += n + (text[n] == '\n');
	}
	return result;
}

/* What the command prints of these lines of 10 and 20 seconds; or the error. */
static char *printed(char **words, const char *old, const char *new)
{
	struct diff_file files[DIFF_SIDES] = { { .path = "old", .seconds = 10 },
					       { .path = "new", .seconds = 20 } };
	struct diff_reader r = { };
	struct diff_options o;
	struct error err = { };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	r.err = &err;
	if (diff_options_read(&o, words, &err)) {
		fprintf(file, "%s", err.text);
	} else {
		r.tool = o.tool;
		r.n_by = o.n_by;
		memcpy(r.by, o.by, sizeof(r.by));
		diff_reader_init(&r);
		if (add_lines(&r, DIFF_OLD, old) || add_lines(&r, DIFF_NEW, new) ||
		    diff_report(file, &o, files, &r, &err))
			fprintf(file, "%s", err.text);
		diff_reader_free(&r);
	}
	diff_options_free(&o);
	fclose(file);
	return text;
}

static const struct {
	const char *words[WORDS], *old, *new, *expected;
} prints[] = {
	/* Events: pids are no part of the key; sorted by the change; one more is not the first. */
	{ { "diff", "a", "b", "execsnoop" },
	  "{\"comm\":\"rare\",\"pid\":1,\"ppid\":1,\"ret\":0,\"args\":\"rare 1\"}\n"
	  "{\"comm\":\"sh\",\"pid\":2,\"ppid\":1,\"ret\":0,\"args\":\"sh\"}\n"
	  "{\"comm\":\"sh\",\"pid\":3,\"ppid\":1,\"ret\":0,\"args\":\"sh -c\"}\n"
	  "{\"comm\":\"old\",\"pid\":4,\"ppid\":1,\"ret\":0,\"args\":null}\n"
	  END("execsnoop", ""),
	  "{\"comm\":\"rare\",\"pid\":9,\"ppid\":1,\"ret\":0,\"args\":\"rare 2\","
	  "\"args_cut\":true}\n"
	  "{\"comm\":\"rare\",\"pid\":8,\"ppid\":1,\"ret\":0,\"args\":\"rare 3\"}\n"
	  "{\"comm\":\"sh\",\"pid\":7,\"ppid\":1,\"ret\":-2,\"args\":\"sh\"}\n"
	  "{\"comm\":\"\\n\\\"x\",\"pid\":7,\"ppid\":1,\"ret\":0,\"args\":\"sh\"}\n"
	  END("execsnoop", ""),
	  HEADING "\nrows a second: 0.400 in all, then 0.200\n"
	  RATES "COMM             RET\n"
	  "         0.200          0.000         -0.200     gone sh               0\n"
	  "         0.100          0.000         -0.100     gone old              0\n"
	  "         0.000          0.050          0.050      new sh               -2\n"
	  "         0.000          0.050          0.050      new \\n\"x             0\n"
	  "         0.100          0.100          0.000     1.00 rare             0\n" },
	{ { "diff", "-n", "1", "--by=pid", "a", "b", "execsnoop" },
	  "{\"comm\":\"sh\",\"pid\":3,\"ppid\":1,\"ret\":0,\"args\":\"sh -c\"}\n",
	  "{\"comm\":\"sh\",\"pid\":7,\"ppid\":1,\"ret\":-2,\"args\":\"sh\"}\n"
	  "{\"comm\":\"x\",\"pid\":3,\"ppid\":1,\"ret\":0,\"args\":\"sh\"}\n"
	  "{\"comm\":\"x\",\"pid\":3,\"ppid\":1,\"ret\":0,\"args\":\"sh\"}\n",
	  HEADING "\nrows a second: 0.100 in all, then 0.150\n" RATES "PID\n"
	  "         0.000          0.050          0.050      new 7\n"
	  "and 1 more with smaller changes (--top)\n" },
	/* Intervals are added up; a new table at each interval is one table here. */
	{ { "diff", "a", "b", "syscount" },
	  "{\"syscall\":\"read\",\"nr\":0,\"count\":30}\n"
	  "{\"syscall\":\"read\",\"nr\":0,\"count\":70}\n"
	  "{\"syscall\":\"write\",\"nr\":1,\"count\":\"9223372036854775807\"}\n",
	  "{\"syscall\":\"read\",\"nr\":0,\"count\":400}\n"
	  "{\"syscall\":\"read\",\"nr\":0,\"count\":null}\n"
	  "{\"syscall\":\"write\",\"nr\":1,\"count\":\"9223372036854775807\"}\n",
	  HEADING "note syscount writes the largest rows only, unless --top asks for more: new "
	  "rows, and rows that are gone, may have been too small\n"
	  "\ncount a second: 922337203685477632.000 in all, then 461168601842738816.000\n"
	  RATES "SYSCALL          NR\n"
	  "922337203685477632.000 461168601842738816.000 -461168601842738816.000     0.50 "
	  "write            1\n"
	  "        10.000         20.000         10.000     2.00 read             0\n" },
	/* Durations: 100 to 103 are in one slot, 1000 is not. */
	{ { "diff", "--csv", "a", "b", "runqslower" },
	  "{\"comm\":\"x\",\"tid\":1,\"lat_us\":100,\"prev_comm\":\"y\",\"prev_tid\":2}\n",
	  "{\"comm\":\"x\",\"tid\":1,\"lat_us\":103,\"prev_comm\":\"y\",\"prev_tid\":2}\n"
	  "{\"comm\":\"x\",\"tid\":1,\"lat_us\":1000,\"prev_comm\":\"y\",\"prev_tid\":2}\n",
	  "MEASURE,UNIT,OLD,NEW,CHANGE,RATIO,STATE,P50_OLD,P50_NEW,P99_OLD,P99_NEW,COMM,PREV_COMM\n"
	  "rows,,0.100,0.100,0.000,1.000,,,,,,x,y\n"
	  "lat_us,us,10.000,55.150,45.150,5.515,,103.000000,103.000000,103.000000,1023.000000,"
	  "x,y\n" },
	/* Histograms: of two intervals, by their section; the pid is no part of the key. */
	{ { "diff", "a", "b", "runqlat" },
	  "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"pid\":1,\"slots\":"
	  "[{\"low\":4,\"high\":4,\"count\":50},{\"low\":16,\"high\":17,\"count\":50}]}\n"
	  "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"pid\":2,\"slots\":[]}\n",
	  "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"pid\":7,\"slots\":"
	  "[{\"low\":4,\"high\":4,\"count\":150}]}\n"
	  "{\"histogram\":\"latency\",\"unit\":\"usecs\",\"pid\":8,\"slots\":"
	  "[{\"low\":4,\"high\":4,\"count\":40},{\"low\":64,\"high\":71,\"count\":10}]}\n",
	  HEADING "\nlatency (usecs): values a second: 10.000 in all, then 10.000\n"
	  "           OLD            NEW         CHANGE    RATIO             P50             P90"
	  "             P99             MAX\n"
	  "        10.000         10.000          0.000     1.00               4            17>4"
	  "           17>71           17>71\n" },
	/* Stacks: the newest function has the value, its callers have it, too, and once. */
	{ { "diff", "a", "b", "profile" },
	  "{\"stack\":\"profile\",\"pid\":1,\"comm\":\"x\",\"kernel_stack\":[{\"name\":\"leaf\","
	  "\"module\":null,\"offset\":1,\"address\":\"0x1\"}],\"user_stack\":[{\"name\":\"f\","
	  "\"module\":\"x\",\"offset\":1,\"address\":\"0x1\"},{\"name\":\"f\",\"module\":\"x\","
	  "\"offset\":1,\"address\":\"0x1\"}],\"samples\":10}\n",
	  "{\"stack\":\"profile\",\"pid\":2,\"comm\":\"x\",\"kernel_stack\":[],\"user_stack\":"
	  "[{\"name\":null,\"module\":\"libc.so\",\"offset\":1,\"address\":\"0x1\"},"
	  "{\"name\":\"f\",\"module\":\"x\",\"offset\":1,\"address\":\"0x1\"}],\"samples\":40}\n",
	  HEADING "\nown (samples) a second: 1.000 in all, then 2.000\n" RATES "FUNCTION\n"
	  "         0.000          2.000          2.000      new [libc.so]\n"
	  "         1.000          0.000         -1.000     gone leaf\n"
	  "\nwith_callees (samples) a second\n" RATES "FUNCTION\n"
	  "         0.000          2.000          2.000      new [libc.so]\n"
	  "         1.000          2.000          1.000     2.00 f\n"
	  "         1.000          0.000         -1.000     gone leaf\n" },
	{ { "diff", "--by", "stack", "--json", "a", "b", "profile" },
	  "{\"stack\":\"profile\",\"pid\":1,\"comm\":\"x\",\"kernel_stack\":[{\"name\":\"k\","
	  "\"module\":null,\"offset\":1,\"address\":\"0x1\"}],\"user_stack\":[{\"name\":\"f\","
	  "\"module\":\"x\",\"offset\":1,\"address\":\"0x1\"}],\"samples\":10}\n", "",
	  "{\"old\":{\"file\":\"old\",\"seconds\":10.000000,\"losses\":0,\"release\":null}}\n"
	  "{\"new\":{\"file\":\"new\",\"seconds\":20.000000,\"losses\":0,\"release\":null}}\n"
	  "{\"measure\":\"own\",\"unit\":\"samples\",\"old\":1.000,\"new\":0.000,\"change\":-1.000,"
	  "\"ratio\":null,\"state\":\"gone\",\"stack\":\"x;f;k\"}\n" },
	/* A percentage is a mean, and losses are in the heading. */
	{ { "diff", "a", "b", "biopattern" },
	  "{\"time\":\"12:00:00\",\"disk\":\"sda\",\"type\":\"R\",\"random_pct\":10,"
	  "\"sequential_pct\":90,\"count\":10,\"kbytes\":40}\n"
	  "{\"time\":\"12:00:01\",\"disk\":\"sda\",\"type\":\"R\",\"random_pct\":30,"
	  "\"sequential_pct\":70,\"count\":10,\"kbytes\":40}\n"
	  END("biopattern", ",\"lost\":7,\"late\":0,\"unpaired\":2,\"missed\":null"),
	  END("biopattern", ",\"lost\":0,\"untraced_ms\":12"),
	  HEADING "note OLD lacks events (lost 7, unpaired 2): its values may be larger than "
	  "shown\n"
	  "note NEW was not traced for 12 ms on some CPUs\n"
	  "\nrandom_pct (percent), mean of the rows\n" RATES "DISK             TYPE\n"
	  "        20.000              -        -20.000     gone sda              R\n"
	  "\nsequential_pct (percent), mean of the rows\n" RATES "DISK             TYPE\n"
	  "        80.000              -        -80.000     gone sda              R\n"
	  "\ncount a second: 2.000 in all, then 0.000\n" RATES "DISK             TYPE\n"
	  "         2.000          0.000         -2.000     gone sda              R\n"
	  "\nkbytes (KB) a second: 8.000 in all, then 0.000\n" RATES "DISK             TYPE\n"
	  "         8.000          0.000         -8.000     gone sda              R\n" },
	{ { "diff", "a", "b", "runqlat" }, "", "", HEADING "runqlat shows nothing of either\n" },
	/* Lines that are none, or another's. */
	{ { "diff", "a", "b", "runqlat" }, "x\n", "", "a line of it is no JSON object" },
	{ { "diff", "a", "b", "runqlat" }, END("execsnoop", ""), "",
	  "its lines are of execsnoop, and not of runqlat" },
	{ { "diff", "a", "b", "bt" }, "{\"type\": \"map\", \"data\": {\"@\": 1}}\n", "",
	  "bt shows maps, which are not compared: diff compares rows, histograms and stacks" },
	/* Command lines. */
	{ { "diff", "a", "b" }, "", "", "it needs two files and a TOOL: sonde diff OLD NEW TOOL" },
	{ { "diff", "--to", "a", "b", "runqlat" }, "", "", "there is no option --to" },
	{ { "diff", "--top" }, "", "", "the value of --top is missing" },
	{ { "diff", "-nx", "a", "b", "runqlat" }, "", "",
	  "--top takes a number of rows, not \"x\"" },
	{ { "diff", "--by", "a,,b", "a", "b", "runqlat" }, "", "",
	  "--by takes names of columns, at most 8, with commas between them, not \"a,,b\"" },
	{ { "diff", "a", "b", "memleak" }, "", "",
	  "memleak shows the memory that is left, which is no rate to compare" },
	{ { "diff", "a", "b", "tplist" }, "", "", "tplist is a list, and reads no recording" },
	{ { "diff", "a", "b", "profile", "--flame=x" }, "", "",
	  "--flame is no option for a tool that is compared; those of diff are before OLD" },
};

START_TEST(print)
{
	char *words[WORDS] = { }, *text;

	for (unsigned int i = 0; prints[_i].words[i]; i++)
		words[i] = (char *)prints[_i].words[i];
	text = printed(words, prints[_i].old, prints[_i].new);
	ck_assert_str_eq(text, prints[_i].expected);
	free(text);
}
END_TEST

/* The tool's words are without the formats, which are diff's wherever they are. */
START_TEST(words)
{
	char *words[] = { "diff", "--", "a", "b", "syscount", "-T", "5", "--csv", NULL };
	struct diff_options o;
	struct error err;

	ck_assert(!diff_options_read(&o, words, &err));
	ck_assert_ptr_eq(o.format, OUTPUT_CSV);
	ck_assert_uint_eq(o.top, 0);
	ck_assert_str_eq(o.words[0], "-T");
	ck_assert_str_eq(o.words[1], "5");
	ck_assert_ptr_null(o.words[2]);
	diff_options_free(&o);
}
END_TEST

/* The roles of a last line are those of its run, whatever the tool's table says. */
START_TEST(ends)
{
	static const char line[] = "{\"end\":{\"tool\":\"trace\",\"engine\":\"perf\","
		"\"ran_ms\":1500,"
		"\"columns\":[{\"name\":\"comm\",\"role\":\"identity\"},"
		"{\"name\":\"value1\",\"role\":\"value\",\"unit\":\"percent\"},"
		"{\"name\":\"n\",\"role\":\"count\"},{\"name\":\"t\",\"role\":\"time\"}]}}";
	static const enum diff_use uses[] = { USE_KEY, USE_MEAN, USE_SUM, USE_NOT };
	struct error err;
	struct diff_reader r = { .tool = tool_named("trace"), .err = &err };

	diff_reader_init(&r);
	ck_assert(!diff_read_end(&r, DIFF_NEW, line, strlen(line)));
	ck_assert_double_eq(r.ends[DIFF_NEW].seconds, 1.5);
	ck_assert_uint_eq(r.n_members, COUNT_OF(uses));
	for (unsigned int i = 0; i < r.n_members; i++)
		ck_assert_int_eq(r.members[i].use, uses[i]);
	/* Cut anywhere it is no last line. */
	for (size_t n = 0; n < strlen(line); n++)
		ck_assert(diff_read_end(&r, DIFF_NEW, line, n));
	diff_reader_free(&r);
}
END_TEST

/* A slot begins where the one before ends, and is an eighth of a power of two. */
START_TEST(slots)
{
	struct diff_slot s = diff_slot_of(0);

	while (s.high < INT64_MAX) {
		const struct diff_slot next = diff_slot_of(s.high + 1);

		ck_assert(next.low == s.high + 1 && next.high >= next.low);
		ck_assert(next.low < 8 || next.high - next.low < next.low / 8);
		ck_assert(diff_slot_of(next.high).low == next.low);
		s = next;
	}
	s = diff_slot_of(-5);
	ck_assert(s.low == -5 && s.high == -5);
}
END_TEST

START_TEST(percentiles)
{
	static const struct {
		unsigned int parts;
		int64_t value;
	} rows[] = { { 0, 1 }, { 500, 1 }, { 501, 2 }, { 990, 2 }, { 991, 79 }, { 1000, 79 } };
	const struct diff_slot list[] = { { 72, 79, 1 }, { 1, 1, 50 }, { 2, 2, 40 }, { 2, 2, 9 } };
	struct diff_spread s = { };
	struct diff_table t;

	diff_table_init(&t);
	for (int i = 0; i < COUNT_OF(list); i++)
		ck_assert(!diff_spread(&t, &s, &list[i]));
	ck_assert_uint_eq(t.n_slots, 3);
	for (int i = 0; i < COUNT_OF(rows); i++)
		ck_assert_int_eq(diff_percentile(&s, rows[i].parts), rows[i].value);
	t.n_slots = DIFF_SLOTS;
	ck_assert(!diff_spread(&t, &s, &(struct diff_slot){ 3, 3, 1 }) && t.no_slots);
	free(s.slots);
	diff_table_free(&t);
}
END_TEST

/* The key beyond the limit is one for all; keys from before keep theirs. */
START_TEST(limit)
{
	struct diff_amount *others = NULL, *a;
	struct diff_table t;

	diff_table_init(&t);
	for (uint32_t key = 0; key < DIFF_KEYS + 3; key++) {
		a = diff_amount(&t, &key, sizeof(key), 0);
		ck_assert_ptr_nonnull(a);
		a->n[DIFF_NEW]++;
		others = key == DIFF_KEYS ? a : others;
		ck_assert(key < DIFF_KEYS || a == others);
	}
	ck_assert_uint_eq(t.crowded, 3);
	ck_assert_uint_eq(others->n[DIFF_NEW], 3);
	a = diff_amount(&t, &(uint32_t){ 7 }, sizeof(uint32_t), 0);
	ck_assert_uint_eq(a->n[DIFF_NEW], 1);
	diff_table_free(&t);
}
END_TEST

Suite *suite_diff(void)
{
	Suite *s = suite_create("diff");

	add_tests(s, "print", print, COUNT_OF(prints));
	add_tests(s, "words", words, 1);
	add_tests(s, "ends", ends, 1);
	add_tests(s, "slots", slots, 1);
	add_tests(s, "percentiles", percentiles, 1);
	add_tests(s, "limit", limit, 1);
	return s;
}
