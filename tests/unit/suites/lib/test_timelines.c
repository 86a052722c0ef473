// SPDX-License-Identifier: GPL-2.0
/* Timelines: rows as spans, moments and counters, in the formats of Perfetto and Chrome. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "insns/field.h"
#include "src/lib/output/timelines/timelines.h"
#include "src/lib/output/timelines/tracks.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

Suite *suite_timelines(void);

struct record {
	uint64_t time, took;
	char comm[16];
};

RECORD_LAYOUT(record,
	FIELD_OF(record, time, TIME),
	FIELD_OF(record, took, NUMBER, FIELD_UNKNOWN(UINT64_MAX)),
	FIELD_OF(record, comm, COMM));

struct row {
	const struct record *record;
	int64_t pid, tid, ppid, size;
	struct text disk, name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .option = "timestamp" },
	{ "PID", "pid", COLUMN_INTEGER, 0, AT(pid) },
	{ "TID", "tid", COLUMN_INTEGER, 0, AT(tid) },
	{ "PPID", "ppid", COLUMN_INTEGER, 0, AT(ppid), .readers = FOR_MACHINES },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm" },
	{ "DISK", "disk", COLUMN_TEXT, 0, AT(disk), .span = SPAN_TRACK },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(name), .span = SPAN_NAME },
	{ "SIZE", "size", COLUMN_INTEGER, 0, AT(size), .unit = IN_BYTES },
	{ "LAT(us)", "lat_us", COLUMN_INTEGER, 0, .field = "took", .divisor = 1000,
	  .span = SPAN_LENGTH },
	{ }
};
static const struct part parts[] = { { &record_layout, AT(record), .pointer = true }, { } };

static int64_t interval_began, interval_ended;

static bool interval(void *arg, int64_t *began, int64_t *ended)
{
	(void)arg;
	*began = interval_began;
	*ended = interval_ended;
	return *ended > *began;
}

static void moment(void *arg, struct output_moment *now)
{
	(void)arg;
	*now = (struct output_moment){ 1000, 2000, 3000, 4000 };
}

static struct output *open_output(const struct output_format *format, const struct column *c,
				  char **s, size_t *n, FILE **file)
{
	const struct output_source source = {
		.columns = c, .parts = parts, .shown = shown_if_same, .moment = moment,
		.interval = interval, .name = "tool",
	};
	struct output *o;

	*file = open_memstream(s, n);
	o = output_new(*file, format, &source);
	ck_assert_ptr_nonnull(o);
	return o;
}

/* A row of a thread, in ns; tid -1: of a disk. */
static void add(struct output *o, uint64_t time, uint64_t took, int64_t tid, const char *name)
{
	const struct record record = { time, took, "cat" };
	const struct row row = {
		.record = &record, .pid = tid < 0 ? NOTHING : 70, .tid = tid < 0 ? NOTHING : tid,
		.ppid = 1, .size = 4096, .name = { .s = name, .length = (uint32_t)strlen(name) },
		.disk = { .s = tid < 0 ? "sda" : NULL, .length = 3 },
	};

	output_row(o, &row);
}

static char *finish_output(struct output *o, FILE *file, char **s)
{
	static const struct output_end end;

	output_end(o, &end);
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	return *s;
}

#define NOBODY "[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4194305," \
	       "\"args\":{\"name\":\"sonde\"}},\n"
#define ARGS(FILE) "\"args\":{\"pid\":70,\"tid\":71,\"ppid\":1,\"comm\":\"cat\",\"file\":" FILE \
		   ",\"size\":4096}}"

/* To the ns, though the column shows us; the name is escaped. */
START_TEST(chrome_span)
{
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	o = open_output(&timeline_chrome, columns, &s, &n, &file);
	add(o, 500007, 100007, 71, "a\"b");
	ck_assert_str_eq(finish_output(o, file, &s), NOBODY
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":70,\"tid\":71,"
		"\"args\":{\"name\":\"cat\"}},\n"
		"{\"ph\":\"X\",\"cat\":\"tool\",\"name\":\"a\\\"b\",\"pid\":70,\"tid\":71,"
		"\"ts\":400.000,\"dur\":100.007," ARGS("\"a\\\"b\"") "\n]\n");
	free(s);
}
END_TEST

/* How often a text is in another. */
static unsigned int times(const char *s, const char *what)
{
	unsigned int n = 0;

	for (; (s = strstr(s, what)); s++)
		n++;
	return n;
}

/* Spans of a thread: within others and apart they stay with it, else they become pairs. */
static const struct {
	uint64_t spans[3][2];		/* end, length */
	unsigned int pairs;
} overlaps[] = {
	{ { { 10, 5 }, { 20, 10 }, { 30, 5 } }, 0 },	/* one after the other */
	{ { { 10, 2 }, { 13, 2 }, { 15, 10 } }, 0 },	/* two calls within a third */
	{ { { 20, 15 }, { 9, 2 }, { 12, 1 } }, 0 },		/* the same, the outer one first */
	{ { { 10, 5 }, { 12, 5 }, { 13, 1 } }, 1 },		/* the second one overlaps */
	{ { { 10, 5 }, { 12, 5 }, { 13, 7 } }, 2 },		/* and the third both */
	{ { { 10, 5 }, { 12, 5 }, { 25, 14 } }, 1 },	/* the third begins behind the first */
	{ { { 10, 5 }, { 10, 2 }, { 10, 5 } }, 0 },
};

START_TEST(threads)
{
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	for (size_t i = 0; i < sizeof(overlaps) / sizeof(overlaps[0]); i++) {
		o = open_output(&timeline_chrome, columns, &s, &n, &file);
		for (int k = 0; k < 3; k++)
			add(o, overlaps[i].spans[k][0], overlaps[i].spans[k][1], 71, "f");
		finish_output(o, file, &s);
		ck_assert_msg(times(s, "\"ph\":\"b\"") == overlaps[i].pairs, "%zu: %s", i, s);
		ck_assert_uint_eq(times(s, "\"ph\":\"b\""), times(s, "\"ph\":\"e\""));
		free(s);
	}
}
END_TEST

/* On a device no span is within another; lanes are used again. */
START_TEST(devices)
{
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	o = open_output(&timeline_chrome, columns, &s, &n, &file);
	add(o, 20, 10, -1, "one");
	add(o, 15, 3, -1, "within");
	add(o, 40, 18, -1, "behind");
	add(o, 50, 20, -1, "in the lane");
	finish_output(o, file, &s);
	ck_assert_uint_eq(times(s, "\"ph\":\"X\""), 2);
	ck_assert_uint_eq(times(s, "\"ph\":\"b\""), 2);
	ck_assert_uint_eq(times(s, "\"thread_name\",\"pid\":4194305,"), 1);
	ck_assert_ptr_nonnull(strstr(s, "\"args\":{\"name\":\"disk sda\"}"));
	free(s);
}
END_TEST

/* An unknown length, and one that began before the clock did, are no spans. */
START_TEST(moments)
{
	const struct record unknown = { 5000, UINT64_MAX, "cat" }, wrong = { 5000, 5001, "" };
	struct row row = { .record = &unknown, .pid = 7, .tid = NOTHING, .ppid = NOTHING,
			   .size = NOTHING };
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	o = open_output(&timeline_chrome, columns, &s, &n, &file);
	output_row(o, &row);
	row.record = &wrong;
	output_row(o, &row);
	ck_assert_str_eq(finish_output(o, file, &s), NOBODY
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":{\"name\":\"cat\"}},\n"
		"{\"ph\":\"i\",\"cat\":\"tool\",\"name\":\"tool\",\"pid\":7,\"tid\":7,"
		"\"ts\":5.000,\"s\":\"p\",\"args\":{\"pid\":7,\"comm\":\"cat\"}},\n"
		"{\"ph\":\"i\",\"cat\":\"tool\",\"name\":\"tool\",\"pid\":7,\"tid\":7,"
		"\"ts\":5.000,\"s\":\"p\",\"args\":{\"pid\":7}}\n]\n");
	free(s);
}
END_TEST

struct count {
	int64_t clock, n;
	struct text name;
};
#undef AT
#define AT(MEMBER) offsetof(struct count, MEMBER)
static const struct column counts[] = {
	{ "TIME", "time", COLUMN_CLOCK, 0, AT(clock) },
	{ "NAME", "name", COLUMN_TEXT, 0, AT(name) },
	{ "READS", "reads", COLUMN_INTEGER, 0, AT(n), .role = IS_COUNT },
	{ }
};

static void add_count(struct output *o, const char *name, int64_t n)
{
	const struct count row = { 0, n, { .s = name, .length = (uint32_t)strlen(name) } };

	output_row(o, &row);
}

static void next_interval(void)
{
	interval_began = interval_ended;
	interval_ended += 1000;
}

#define COUNTER(NAME, TIME, VALUE) "{\"ph\":\"C\",\"name\":\"tool name=" NAME " reads\",\"pid\":" \
	"4194305,\"ts\":" TIME ",\"args\":{\"value\":" VALUE "}}"

/* From the begin of the interval; 0 from the end of the last one that had such a row. */
START_TEST(counters)
{
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	interval_ended = 1000;
	o = open_output(&timeline_chrome, counts, &s, &n, &file);
	next_interval();
	add_count(o, "a", 5);
	add_count(o, "b", 6);
	next_interval();
	add_count(o, "b", 7);
	next_interval();
	next_interval();
	add_count(o, "a", 8);
	ck_assert_str_eq(finish_output(o, file, &s), NOBODY
		COUNTER("a", "1.000", "5") ",\n" COUNTER("b", "1.000", "6") ",\n"
		COUNTER("b", "2.000", "7") ",\n" COUNTER("a", "2.000", "0") ",\n"
		COUNTER("b", "3.000", "0") ",\n"
		COUNTER("a", "4.000", "8") ",\n" COUNTER("a", "5.000", "0") "\n]\n");
	free(s);
}
END_TEST

/* Of a histogram: how many values, and the percentiles. */
START_TEST(histograms)
{
	struct hist h = { .slots[3] = 9, .slots[5] = 1 };
	struct output *o;
	FILE *file;
	size_t n;
	char *s;

	interval_began = 1000;
	interval_ended = 2000;
	o = open_output(&timeline_chrome, counts, &s, &n, &file);
	output_hist(o, "latency", "usecs", NULL, NOTHING, &h, NULL);
	finish_output(o, file, &s);
	ck_assert_ptr_nonnull(strstr(s, "\"name\":\"latency count\",\"pid\":4194305,\"ts\":1.000,"
					"\"args\":{\"value\":10}}"));
	ck_assert_ptr_nonnull(strstr(s, "\"latency p50\",\"pid\":4194305,\"ts\":1.000,"
					"\"args\":{\"value\":3}}"));
	ck_assert_ptr_nonnull(strstr(s, "\"latency p99.9\",\"pid\":4194305,\"ts\":1.000,"
					"\"args\":{\"value\":5}}"));
	free(s);
}
END_TEST

/* Perfetto's: clocks, process, its parent, thread, and a span with its arguments. */
static const char perfetto_bytes[] = 
	/* clocks */
	"0a215001321d0a0608800110e8070a05080610b8170a05080310d00f0a05080110a01f"
	/* process */
	"0a135001e2030e08a2c7fb989cabd9c40a1a020846"
	/* its parent */
	"0a0c500112080a06084610011a00"
	/* thread */
	"0a245001e2031f08848ce0f9c4de9af90928a2c7fb989cabd9c40a2209084610472a03636174"
	/* begin, with arguments */
	"0a6250014080b518d00380015a56480158848ce0f9c4de9af909b20104746f6f6cba010166220752"
	"03706964204622075203746964204722085204707069642001220b5204636f6d6d32036361742209"
	"520466696c653201662209520473697a65208020"
	/* end */
	"0a18500140a7c21ed00380015a0c480258848ce0f9c4de9af909";

START_TEST(perfetto)
{
	struct output *o;
	char *s, *hex;
	FILE *file;
	size_t n;

	o = open_output(&timeline_perfetto, columns, &s, &n, &file);
	add(o, 500007, 100007, 71, "f");
	finish_output(o, file, &s);
	hex = calloc(n, 2);
	for (size_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)s[i]);
	ck_assert_str_eq(hex, perfetto_bytes);
	free(hex);
	free(s);
}
END_TEST

/* Forgotten tracks do not make later spans overlap earlier ones. */
START_TEST(many_tracks)
{
	struct tracks t = { };
	struct track *track;
	uint64_t before;
	bool fresh;

	track = track_of_task(&t, 1, 1);
	ck_assert_uint_eq(track_place(&t, track, 100, 200, &fresh), 0);
	ck_assert_uint_eq(track_place(&t, track, 150, 250, &fresh), 1);
	before = track_lane_id(track, 1);
	for (int i = 2; i < TRACKS_KEPT + 2; i++)
		track_of_task(&t, i, i);
	track = track_of_task(&t, 1, 1);
	ck_assert_uint_eq(track_place(&t, track, 240, 260, &fresh), 1);
	ck_assert_uint_ne(track_lane_id(track, 1), before);
	ck_assert(fresh);
	ck_assert_uint_eq(track_place(&t, track, 260, 270, &fresh), 0);
	tracks_free(&t);
}
END_TEST

Suite *suite_timelines(void)
{
	Suite *s = suite_create("timelines");

	add_tests(s, "chrome span", chrome_span, 1);
	add_tests(s, "threads", threads, 1);
	add_tests(s, "devices", devices, 1);
	add_tests(s, "moments", moments, 1);
	add_tests(s, "counters", counters, 1);
	add_tests(s, "histograms", histograms, 1);
	add_tests(s, "perfetto", perfetto, 1);
	add_tests(s, "many tracks", many_tracks, 1);
	return s;
}
