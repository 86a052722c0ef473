// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings of perf and trace-cmd: all forms of the same file, files that end too early, and what
 * is refused.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/kernel/kernel.h"
#include "compat/kinds/recorded_sample.h"
#include "compat/recordings/perf/perf_write.h"
#include "compat/recordings/recording.h"
#include "compat/recordings/zstd.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/trace_file.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_recordings(void);

#define LEAST (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)
#define USUAL (LEAST | PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD)
#define STACKS (USUAL | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN)
#define ALL (PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_READ)

static const struct perf_form forms[] = {
	{ "least", .sample_type = LEAST, .attrs = 1 },
	{ "usual", .sample_type = USUAL, .attrs = 1 },
	{ "stream", true, .sample_type = USUAL, .attrs = 1 },
	{ "foreign", false, true, .sample_type = USUAL, .attrs = 1 },
	{ "foreign stream", true, true, .sample_type = USUAL, .attrs = 1 },
	{ "attr of the first kernels", .sample_type = USUAL, .attrs = 1, .attr_size = 64 },
	{ "attr of the last ones", .sample_type = USUAL, .attrs = 1, .attr_size = 136 },
	{ "ids first", .sample_type = USUAL | PERF_SAMPLE_IDENTIFIER, .attrs = 3 },
	{ "ids behind fields", .sample_type = USUAL | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID,
	  .attrs = 3 },
	{ "all fields", .sample_type = STACKS | ALL, .attrs = 3 },
	{ "all fields but an id at their beginning", .attrs = 3,
	  .sample_type = (STACKS | ALL) & ~PERF_SAMPLE_IDENTIFIER },
	{ "stacks", .sample_type = STACKS, .attrs = 2 },
	{ "foreign stacks", true, true, .sample_type = STACKS, .attrs = 2 },
	{ "a counter", .sample_type = STACKS | PERF_SAMPLE_READ, .attrs = 1,
	  .read_format = PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED },
	{ "counters of a group", .sample_type = STACKS | PERF_SAMPLE_READ, .attrs = 1,
	  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED },
};

/* Samples by a clock; the last ones have a record that says nothing of them. */
#define CLOCK (STACKS & ~PERF_SAMPLE_RAW)
static const struct perf_form sampled[] = {
	{ "samples", .sample_type = CLOCK, .attrs = 1, .sampled = true },
	{ "a stream of samples", true, .sample_type = CLOCK, .attrs = 1, .sampled = true },
	{ "foreign samples", false, true, .sample_type = CLOCK, .attrs = 1, .sampled = true },
	{ "raw samples", .sample_type = STACKS, .attrs = 1, .sampled = true },
};

/* By zstd, before and since Linux 6.17. */
static const struct perf_form compressed[] = {
	{ "compressed", .sample_type = STACKS, .attrs = 2, .compressed = 81 },
	{ "a compressed stream", true, .sample_type = STACKS, .attrs = 2, .compressed = 81 },
	{ "compressed and foreign", false, true, .sample_type = USUAL, .attrs = 1,
	  .compressed = 81 },
	{ "compressed and padded", .sample_type = USUAL, .attrs = 1, .compressed = 83 },
};

static const char *wanted(const struct perf_form *form)
{
	if (form->sampled)
		return perf_file_sampled;
	return form->sample_type & PERF_SAMPLE_CALLCHAIN ? perf_file_text : perf_file_plain;
}

/* The caller frees. */
static char *text_of(const struct perf_file *f, size_t n)
{
	char *path = perf_file_write(f, n), *text = perf_file_read(path);

	unlink(path);
	free(path);
	return text;
}

static void check_whole(const struct perf_form *form)
{
	struct perf_file f;
	char *text;

	perf_file_make(&f, form);
	text = text_of(&f, f.size);
	ck_assert_msg(!strcmp(text, wanted(form)), "%s:\n%s", form->name, text);
	free(text);
	perf_file_free(&f);
}

START_TEST(each_form_has_the_same_records)
{
	check_whole(&forms[_i]);
}
END_TEST

START_TEST(samples_are_events)
{
	check_whole(&sampled[_i]);
}
END_TEST

static const struct {
	struct event event;
	const char *error;		/* NULL: they serve */
} asked[] = {
	{ { .name = "frequency", .frequency = 99 }, NULL },
	{ { .name = "frequency", .frequency = 99, .by = BY_CYCLES }, NULL },
	{ { .name = "frequency", .frequency = 49 },
	  "it needs samples of cpu-clock at 49 Hertz, and those of the recording are at 99" },
	{ { .name = "frequency", .frequency = 99, .period = 1000 },
	  "it needs samples of cpu-clock one in 1000 ns, and those of the recording are at 99" },
	{ { .name = "cycles", .period = 1000, .by = BY_CYCLES },
	  "it needs samples of cycles, and the recording has none" },
	{ { .name = "cache-misses", .period = 10, .by = BY_CACHE_MISSES },
	  "`perf record -a -e cache-misses -c 10` takes them" },
	{ { .name = "watchpoint", .period = 1, .by = BY_WATCH }, "it needs samples of watchpoint" },
};

START_TEST(samples_serve_who_asks_for_them)
{
	struct error err = { };
	struct recording *r;
	struct perf_file f;
	char *path;

	perf_file_make(&f, &sampled[_i]);
	path = perf_file_write(&f, f.size);
	r = recording_open(path, NULL, NULL);
	for (unsigned int i = 0; i < COUNT_OF(asked); i++) {
		const int got = recorded_samples_for(r, &asked[i].event, &err);

		ck_assert_int_eq(got, asked[i].error ? -1 : 0);
		ck_assert_msg(!asked[i].error || strstr(err.text, asked[i].error), "%s", err.text);
	}
	recording_close(r);
	unlink(path);
	free(path);
	perf_file_free(&f);
}
END_TEST

/* What is told of a file without its end is the beginning of the whole, and the end is missed. */
static void check_cut(const struct perf_form *form)
{
	struct perf_file f;

	perf_file_make(&f, form);
	for (size_t n = 0; n < f.size; n++) {
		char *text = text_of(&f, n);
		const char *note = strstr(text, "note: "), *error = strstr(text, "error: ");
		const size_t told = (size_t)((note ? note : error ? error : text + strlen(text)) -
					     text);

		ck_assert_msg(!strncmp(text, wanted(form), told), "%s, %zu bytes:\n%s",
			      form->name, n, text);
		/* A stream may end behind any record. */
		ck_assert_msg(note || error || form->piped, "%s, %zu bytes:\n%s", form->name, n,
			      text);
		free(text);
	}
	perf_file_free(&f);
}

START_TEST(a_file_without_its_end_tells_so)
{
	check_cut(&forms[_i]);
}
END_TEST

START_TEST(samples_without_their_end_tell_so)
{
	check_cut(&sampled[_i]);
}
END_TEST

START_TEST(compressed_records_are_the_same_or_refused)
{
	const struct perf_form *form = &compressed[_i];
	struct perf_file f;
	char *text;

	if (zstd_there()) {
		check_whole(form);
		check_cut(form);
		return;
	}
	perf_file_make(&f, form);
	text = text_of(&f, f.size);
	ck_assert_msg(strstr(text, "this sonde was built without it\nuse a sonde that was built "
				   "with `make ZSTD=1`"), "%s", text);
	free(text);
	perf_file_free(&f);
}
END_TEST

static const struct {
	size_t at;			/* from the first compressed record on */
	uint8_t to;
	const char *error;
} compressed_damages[] = {
	{ 8, 0, "a compressed record can't be unpacked" },	/* the magic */
	{ 14, 7, "a compressed record can't be unpacked" },	/* the type of its first block */
	{ 17, 81, "a compressed record" },			/* the first record in it */
	{ 23, 0, "a record is too short" },
};

START_TEST(damage_of_compressed_records_is_told)
{
	static const uint8_t first[] = { 81, 0, 0, 0, 0, 0 };
	struct perf_file f;
	uint8_t *record;
	char *text;

	perf_file_make(&f, &compressed[0]);
	record = memmem(f.bytes, f.size, first, sizeof(first));
	ck_assert_ptr_nonnull(record);
	record[compressed_damages[_i].at] = compressed_damages[_i].to;
	text = text_of(&f, f.size);
	ck_assert_msg(!zstd_there() || strstr(text, compressed_damages[_i].error), "%zu:\n%s",
		      compressed_damages[_i].at, text);
	free(text);
	perf_file_free(&f);
}
END_TEST

START_TEST(zstd_packs_traces)
{
	static const struct trace_form forms[] = {
		{ { "v7 by zstd" }, 7, 8, 256, .packer = "zstd" },
		{ { "foreign v7 by zstd", .swapped = true }, 7, 4, 4096, .packer = "zstd" },
	};

	for (unsigned int i = 0; i < COUNT_OF(forms); i++) {
		struct perf_file f;
		char *text;

		trace_file_make(&f, &forms[i]);
		text = text_of(&f, f.size);
		ck_assert_msg(zstd_there() ? !strcmp(text, trace_file_text) :
			      strstr(text, "it was built without zstd (make ZSTD=1)") != NULL,
			      "%s", text);
		free(text);
		perf_file_free(&f);
	}
}
END_TEST

/* The formats of events are at the end of a file, which is missing then. */
START_TEST(a_recorder_that_died_is_told)
{
	static const uint8_t none[8];
	struct perf_file f;
	char *text;

	perf_file_make(&f, &forms[1]);
	memcpy(f.bytes + 48, none, sizeof(none));	/* the size of its records */
	text = text_of(&f, f.size);
	ck_assert_ptr_nonnull(strstr(text, "perf was killed, or the file was cut"));
	free(text);
	perf_file_free(&f);
}
END_TEST

START_TEST(the_kernel_is_the_recorded_one)
{
	struct perf_file f;
	struct recording *r;
	struct kernel *k;
	unsigned int n;
	char *path;

	perf_file_make(&f, &forms[_i]);
	path = perf_file_write(&f, f.size);
	r = recording_open(path, NULL, NULL);
	k = recording_kernel(r);
	ck_assert_ptr_nonnull(k);
	ck_assert_str_eq(kernel_release(k), "6.1.0-test");
	ck_assert_str_eq(kernel_arch(k)->name, "x86_64");
	ck_assert(!kernel_live(k) && kernel_recorded(k));
	ck_assert_ptr_nonnull(kernel_format(k, "t", "one"));
	ck_assert_ptr_null(kernel_format(k, "t", "two"));
	ck_assert_ptr_null(kernel_function(k, "vfs_read"));
	ck_assert_str_eq(kernel_text(k, "tracefs:available_events"), "t:one\n");
	ck_assert_str_eq(recording_events(r, &n)->name, "t:one");
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(recording_cpus(r), 2);
	ck_assert_uint_eq(recording_wall(r)->n, !forms[_i].piped);
	kernel_free(k);
	recording_close(r);
	unlink(path);
	free(path);
	perf_file_free(&f);
}
END_TEST

static const char *function_at(const struct recording *r, uint64_t address)
{
	const struct recorded_function *f = recording_function(r, address);

	return f ? f->name : "";
}

START_TEST(the_code_of_the_kernel_is_told)
{
	const struct recorded_code *code;
	struct recorded rec;
	struct recording *r;
	struct perf_file f;
	uint8_t id[BUILD_ID];
	char *path;

	perf_file_make(&f, &forms[_i]);
	path = perf_file_write(&f, f.size);
	r = recording_open(path, NULL, NULL);
	while (recording_next(r, &rec, NULL) > 0)
		continue;
	code = recording_code(r);
	ck_assert_uint_eq(code->start, PERF_FILE_KERNEL);
	ck_assert_uint_eq(code->end, PERF_FILE_KERNEL + 0x10000);
	ck_assert_uint_eq(code->base, PERF_FILE_KERNEL + 0x100);
	ck_assert_str_eq(code->symbol, "_stext");
	memset(id, 0xa1, sizeof(id));
	ck_assert(code->identified && !memcmp(code->build_id, id, sizeof(id)));
	ck_assert_str_eq(function_at(r, 0x5000), "stays");
	ck_assert_str_eq(function_at(r, 0x50ff), "stays");
	ck_assert_str_eq(function_at(r, 0x5100), "");
	ck_assert_str_eq(function_at(r, 0x6000), "goes");
	ck_assert_str_eq(function_at(r, 0x6080), "");	/* who was it? */
	ck_assert_str_eq(function_at(r, 0x6100), "comes");
	recording_close(r);
	unlink(path);
	free(path);
	perf_file_free(&f);
}
END_TEST

/* Where a record of the file is, by its place in the file of `usual`. */
#define FIRST_RECORD 240

static const struct {
	size_t at;			/* of the byte that is changed */
	uint8_t to;
	const char *error;
} damages[] = {
	{ FIRST_RECORD + 6, 4, "a record is too short" },
	{ FIRST_RECORD + 6, 16, "the name of a task can't be read" },
	{ FIRST_RECORD + 40, 9, "is of a CPU that the machine does not have" },
	{ 16, 0, "it has no events" },
	{ 31, 1, "it tells of" },
	{ 47, 1, "is missing, which has the formats" },
};

START_TEST(damage_is_told)
{
	struct perf_file f;
	char *text;

	perf_file_make(&f, &forms[1]);
	f.bytes[damages[_i].at] = damages[_i].to;
	text = text_of(&f, f.size);
	ck_assert_msg(strstr(text, damages[_i].error), "%zu:\n%s", damages[_i].at, text);
	free(text);
	perf_file_free(&f);
}
END_TEST

static const struct trace_form traces[] = {
	{ { "v6" }, 6, 8, 256 },
	{ { "v7" }, 7, 8, 256 },
	{ { "foreign v6", .swapped = true }, 6, 8, 256 },
	{ { "foreign v7", .swapped = true }, 7, 8, 256 },
	{ { "v6 of 32 bits" }, 6, 4, 4096 },
	{ { "foreign v7 of 32 bits", .swapped = true }, 7, 4, 256 },
	{ { "v6 with all formats" }, 6, 8, 256, .all = true },
	{ { "v7 with all formats" }, 7, 8, 65536, .all = true },
	{ { "v6 with an instance" }, 6, 8, 256, .instance = true },
	{ { "foreign v7 with an instance", .swapped = true }, 7, 8, 256, .instance = true },
	{ { "v7 with its own clock" }, 7, 8, 256, .clock = "boot" },
	{ { "foreign v6 of x86-tsc", .swapped = true }, 6, 8, 256, .clock = "x86-tsc",
	  .scaled = true },
	{ { "v7 by zlib" }, 7, 8, 256, .packer = "zlib" },
	{ { "foreign v7 by zlib", .swapped = true }, 7, 4, 4096, .packer = "zlib" },
};

START_TEST(each_trace_has_the_same_records)
{
	struct perf_file f;
	char *text;

	trace_file_make(&f, &traces[_i]);
	text = text_of(&f, f.size);
	ck_assert_msg(!strcmp(text, trace_file_text), "%s:\n%s", f.form->name, text);
	free(text);
	perf_file_free(&f);
}
END_TEST

/* Pages are large: not each byte of these. */
START_TEST(a_trace_without_its_end_tells_so)
{
	struct perf_file f;

	trace_file_make(&f, &traces[_i]);
	for (size_t n = 0; n < f.size; n += traces[_i].page > 256 ? 101 : 1) {
		char *text = text_of(&f, n);
		const char *note = strstr(text, "note: "), *error = strstr(text, "error: ");
		const size_t told = (size_t)((note ? note : error ? error : text + strlen(text)) -
					     text);

		ck_assert_msg(!strncmp(text, trace_file_text, told), "%s, %zu bytes:\n%s",
			      f.form->name, n, text);
		ck_assert_msg(note || error, "%s, %zu bytes:\n%s", f.form->name, n, text);
		free(text);
	}
	perf_file_free(&f);
}
END_TEST

START_TEST(the_traced_kernel_is_the_recorded_one)
{
	struct perf_file f;
	struct recording *r;
	struct kernel *k;
	unsigned int n;
	char *path;

	trace_file_make(&f, &traces[_i]);
	path = perf_file_write(&f, f.size);
	ck_assert(recording_is(path));
	r = recording_open(path, NULL, NULL);
	k = recording_kernel(r);
	ck_assert_ptr_nonnull(k);
	ck_assert_str_eq(kernel_release(k), "6.1.0-test");
	ck_assert_str_eq(kernel_arch(k)->name, "x86_64");
	ck_assert(!kernel_live(k) && kernel_recorded(k));
	ck_assert_ptr_nonnull(kernel_format(k, "t", "one"));
	/* Of chosen formats, all were recorded; of all formats, those that have records. */
	ck_assert(!kernel_format(k, "t", "two") == traces[_i].all);
	ck_assert_ptr_null(kernel_format(k, "sched", "sched_switch"));
	for (const struct recorded_event *e = recording_events(r, &n); n; n--, e++)
		ck_assert(e->absent == !strcmp(e->name, "t:two"));
	ck_assert_uint_eq(recording_cpus(r), 2);
	ck_assert_uint_eq(recording_wall(r)->n, 1);
	ck_assert_int_eq(wall_clock(recording_wall(r), 1), 0x6616e44fd01ecLL * 1000 + 1);
	kernel_free(k);
	recording_close(r);
	unlink(path);
	free(path);
	perf_file_free(&f);
}
END_TEST

static const struct {
	struct trace_form form;
	const char *text;		/* that what is read of it has */
} refused[] = {
	{ { { "twice" }, 7, 8, 256, .instance = true, .twice = true },
	  "note: the instance inst of " },
	{ { { "twice" }, 6, 8, 256, .instance = true, .twice = true },
	  "is not read: an event is in another buffer, too\n" },
	{ { { "counter" }, 6, 8, 256, .clock = "counter" },
	  "are of the clock counter, which does not count ns" },
	{ { { "tsc" }, 7, 8, 256, .clock = "x86-tsc" },
	  "are of the clock x86-tsc, which does not count ns" },
	{ { { "lzma" }, 7, 8, 256, .packer = "lzma" },
	  "is compressed in a way that sonde can't read\n`trace-cmd convert -i" },
};

START_TEST(what_a_trace_does_not_serve_is_told)
{
	struct perf_file f;
	char *text;

	trace_file_make(&f, &refused[_i].form);
	text = text_of(&f, f.size);
	ck_assert_msg(strstr(text, refused[_i].text), "%s:\n%s", f.form->name, text);
	free(text);
	perf_file_free(&f);
}
END_TEST

/* Bytes of the file of `v7`: where its first section is, and its first list of options. */
#define FIRST_SECTION 32

static const struct {
	size_t at;			/* of the byte that is changed */
	uint8_t to;
	const char *error;
} trace_damages[] = {
	{ 10, '8', "has a version of trace.dat that sonde does not know" },
	{ 12, 2, "begin wrongly" },
	{ 13, 3, "begin wrongly" },
	{ FIRST_SECTION, 1, "a section is not where it should be" },
	{ FIRST_SECTION + 2, 1, "a compressed part has a wrong size" },
	{ FIRST_SECTION + 15, 1, "it tells of" },
	{ 31, 1, "is missing, which tells where its records are" },
};

START_TEST(damage_of_a_trace_is_told)
{
	struct perf_file f;
	char *text;

	trace_file_make(&f, &traces[1]);
	f.bytes[trace_damages[_i].at] = trace_damages[_i].to;
	text = text_of(&f, f.size);
	ck_assert_msg(strstr(text, trace_damages[_i].error), "%zu:\n%s", trace_damages[_i].at,
		      text);
	free(text);
	perf_file_free(&f);
}
END_TEST

START_TEST(other_files_are_none)
{
	struct error err = { };

	ck_assert(!recording_is("/proc/version"));
	ck_assert_ptr_null(recording_open("/proc/version", NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "/proc/version is no recording"));
	ck_assert_ptr_null(recording_open("/nonexistent", NULL, &err));
	ck_assert_str_eq(err.text, "can't read /nonexistent: No such file or directory");
	ck_assert_ptr_null(recording_open("/", NULL, &err));
	ck_assert_str_eq(err.text, "can't read /: Is a directory");
}
END_TEST

/* ---- what sonde writes ---- */

static const char *const words[] = { "sonde", "record", NULL };

struct times {
	bool clock;
	int64_t apart;
};
static const struct times monotonic = { .clock = true };

/* Two events on two CPUs, of the kernel of a snapshot. Returns the path, which the caller frees. */
static char *written(struct kernel *k, const struct times *times)
{
	static const uint64_t ids[] = { 1, 2, 3, 4 };
	static const struct perf_written_code code = { 0x1000, 0x3000, { 0xa1, 0xa2 } };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_id_all = 1,
		.sample_type = LEAST | PERF_SAMPLE_IDENTIFIER,
	};
	struct perf_written events[] = {
		{ "sched", "sched_switch", attr, ids, 2 },
		{ "sched", "sched_wakeup", attr, ids + 2, 2 },
	};
	const struct perf_head head = {
		.kernel = k, .events = events, .n_events = COUNT_OF(events), .possible = 2,
		.online = 2, .clock = times->clock, .apart = times->apart, .code = &code,
		.command = (char *const *)words,
	};
	char *path = strdup("/tmp/sonde-unit.XXXXXX");
	struct perf_writer *w;

	for (size_t i = 0; i < COUNT_OF(events); i++)
		events[i].attr.config = (uint64_t)kernel_format(k, "sched", events[i].name)->id;
	close(mkstemp(path));
	w = perf_writer_open(path, &head, NULL);
	ck_assert_ptr_nonnull(w);
	ck_assert_int_eq(perf_writer_parent(w, 7, 2, 77, NULL), 0);
	ck_assert_int_eq(perf_writer_name(w, 7, 7, "old", NULL), 0);
	ck_assert_int_eq(perf_writer_name(w, 9, 8, "a name of fifteen", NULL), 0);
	ck_assert_int_eq(perf_writer_round(w, NULL), 0);
	ck_assert_int_eq(perf_writer_close(w, &(struct error){ }), 0);
	return path;
}

static const char written_text[] =
	"new 7 7 by 2 at 0 on 0\nname 7 7 at 0 on 0: old\n"
	"name 9 8 at 0 on 0: a name of fifte\nround up to 0\n";

START_TEST(what_is_written_is_read)
{
	struct kernel *k = trial_kernel("6.1"), *recorded;
	char *path = written(k, &monotonic), *text = perf_file_read(path);
	struct recording *r = recording_open(path, NULL, NULL);
	const struct recorded_task *task;
	struct recorded first;
	unsigned int n;
	uint32_t at = 0;

	ck_assert_str_eq(text, written_text);
	recorded = recording_kernel(r);
	ck_assert_ptr_null(recording_task(r, &(uint32_t){ 0 }));
	ck_assert_str_eq(kernel_release(recorded), kernel_release(k));
	ck_assert_str_eq(kernel_arch(recorded)->name, kernel_arch(k)->name);
	ck_assert_uint_eq(recording_cpus(r), 2);
	ck_assert_uint_eq(recording_wall(r)->n, 1);
	ck_assert(recording_code(r)->identified);
	ck_assert_uint_eq(recording_code(r)->build_id[1], 0xa2);
	ck_assert_int_gt(recording_next(r, &first, NULL), 0);
	ck_assert_uint_eq(recording_code(r)->base, 0x1000);
	ck_assert_uint_eq(recording_code(r)->end, 0x3000);
	recording_events(r, &n);
	ck_assert_uint_eq(n, 2);
	task = recording_task(r, &at);
	ck_assert(task && task->tid == 7 && task->pid == 7 && task->ppid == 2 && task->began == 77);
	ck_assert_ptr_nonnull(kernel_format(recorded, "sched", "sched_wakeup"));
	kernel_free(recorded);
	recording_close(r);
	kernel_free(k);
	unlink(path);
	free(path);
	free(text);
}
END_TEST

static const struct {
	struct times times;
	unsigned int known;
} told[] = {
	{ { .clock = true }, 1 },
	{ { .apart = 3600 * NS_PER_SECOND }, 1 },
	{ { .apart = -3600 * NS_PER_SECOND }, 1 },
	{ { .apart = 0 }, 0 },
};

/* Of times of another clock, too, the time of day is told. */
START_TEST(times_of_day)
{
	struct kernel *k = trial_kernel("6.1");
	const int64_t now = clock_ns(CLOCK_REALTIME);
	char *path = written(k, &told[_i].times);
	struct recording *r = recording_open(path, NULL, NULL);
	const struct wall *wall = recording_wall(r);
	const int64_t then = clock_ns(CLOCK_MONOTONIC) - told[_i].times.apart;

	ck_assert_uint_eq(wall->n, told[_i].known);
	if (wall->n)
		ck_assert_int_lt(llabs(wall_clock(wall, then) - now), 60 * NS_PER_SECOND);
	recording_close(r);
	kernel_free(k);
	unlink(path);
	free(path);
}
END_TEST

/* The file as it is when its recorder is killed: no size of the records, and no end. */
START_TEST(a_killed_recorder_leaves_what_it_wrote)
{
	static const uint64_t none;
	struct kernel *k = trial_kernel("6.1");
	char *path = written(k, &monotonic), *text;
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	const off_t size = lseek(fd, 0, SEEK_END) - 12 * 16;	/* without the table */

	ck_assert_int_eq(pwrite(fd, &none, sizeof(none), 48), sizeof(none));
	ck_assert_int_eq(ftruncate(fd, size - 8), 0);	/* and without the round */
	text = perf_file_read(path);
	ck_assert_int_eq(strncmp(text, written_text, strlen(written_text) - 14), 0);
	ck_assert_ptr_nonnull(strstr(text, "note: the end of /tmp/sonde-unit."));
	close(fd);
	kernel_free(k);
	unlink(path);
	free(path);
	free(text);
}
END_TEST

Suite *suite_recordings(void)
{
	Suite *s = suite_create("recordings");
	TCase *t = tcase_create("recordings");

	tcase_add_loop_test(t, each_form_has_the_same_records, 0, COUNT_OF(forms));
	tcase_add_loop_test(t, a_file_without_its_end_tells_so, 0, COUNT_OF(forms));
	tcase_add_loop_test(t, samples_are_events, 0, COUNT_OF(sampled));
	tcase_add_loop_test(t, samples_without_their_end_tell_so, 0, COUNT_OF(sampled));
	tcase_add_loop_test(t, samples_serve_who_asks_for_them, 0, COUNT_OF(sampled));
	tcase_add_loop_test(t, compressed_records_are_the_same_or_refused, 0,
			    COUNT_OF(compressed));
	tcase_add_loop_test(t, damage_of_compressed_records_is_told, 0,
			    COUNT_OF(compressed_damages));
	tcase_add_test(t, zstd_packs_traces);
	tcase_add_test(t, a_recorder_that_died_is_told);
	tcase_add_loop_test(t, the_kernel_is_the_recorded_one, 0, COUNT_OF(forms));
	tcase_add_loop_test(t, the_code_of_the_kernel_is_told, 0, COUNT_OF(forms));
	tcase_add_loop_test(t, damage_is_told, 0, COUNT_OF(damages));
	tcase_add_loop_test(t, each_trace_has_the_same_records, 0, COUNT_OF(traces));
	tcase_add_loop_test(t, a_trace_without_its_end_tells_so, 0, COUNT_OF(traces));
	tcase_add_loop_test(t, the_traced_kernel_is_the_recorded_one, 0, COUNT_OF(traces));
	tcase_add_loop_test(t, what_a_trace_does_not_serve_is_told, 0, COUNT_OF(refused));
	tcase_add_loop_test(t, damage_of_a_trace_is_told, 0, COUNT_OF(trace_damages));
	tcase_add_test(t, other_files_are_none);
	tcase_add_test(t, what_is_written_is_read);
	tcase_add_loop_test(t, times_of_day, 0, COUNT_OF(told));
	tcase_add_test(t, a_killed_recorder_leaves_what_it_wrote);
	suite_add_tcase(s, t);
	return s;
}
