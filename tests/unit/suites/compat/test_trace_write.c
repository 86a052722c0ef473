// SPDX-License-Identifier: GPL-2.0
/* A trace.dat of sonde's: what is written is read, wherever the file ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/kernel/kernel.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/recording.h"
#include "compat/recordings/trace/trace_side.h"
#include "compat/recordings/trace/trace_write.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_trace_write(void);

#define PAGE 256
#define RECORD 44
#define CPUS 3

static const char layout[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:240;\tsigned:0;\n";
static const char stats[] =
	"CPU: 0\nentries: 0\noverrun: 2\ncommit overrun: 0\ndropped events: 0\n\0"
	"CPU: 1\nentries: 0\noverrun: 0\ncommit overrun: 0\ndropped events: 0\n\0"
	"CPU: 2\nentries: 3\noverrun: 1\ncommit overrun: 0\ndropped events: 0\n";
static const char written_text[] =
	"name 7 7 at 0 on 0: a b%c\n"
	"new 8 8 by 7 at 0 on 0\n"
	"name 9 8 at 0 on 0: fifteen-letters\n"
	"event 0 of 9 at 50 on 2: 3 0 0 0  0\n"
	"event 0 of 7 at 100 on 0: 3 0 0 0  0\n"
	"event 1 of 9 at 120 on 2: 3 0 0 0  0\n"
	"lost 4 from 0 to 120 on 2\n"
	"event 0 of 7 at 200 on 0: 3 0 0 0  0\n"
	"lost 2 from 0 to 200 on 0\n";

static struct perf_written events[] = {
	{ .system = "sched", .name = "sched_switch" },
	{ .system = "sched", .name = "sched_wakeup" },
};

/* A page with an event. */
static void put_page(int fd, struct kernel *k, unsigned int event, uint32_t pid, uint64_t time)
{
	const uint64_t head[] = { time, 4 + RECORD };
	const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint32_t words = RECORD / 4, word = big_endian ? words << 27 : words;
	const uint16_t type = (uint16_t)kernel_format(k, "sched", events[event].name)->id;
	uint8_t page[PAGE] = { };

	memcpy(page, head, sizeof(head));
	memcpy(page + 16, &word, sizeof(word));
	memcpy(page + 20, &type, sizeof(type));
	memcpy(page + 24, &pid, sizeof(pid));
	memcpy(page + 28, "abc", 3);
	ck_assert_int_eq(write(fd, page, sizeof(page)), sizeof(page));
}

static void put_pages(struct trace_writer *w, struct kernel *k)
{
	int fd = trace_writer_pages(w, 2, NULL);

	ck_assert_int_ge(fd, 0);
	put_page(fd, k, 0, 9, 50);
	put_page(fd, k, 1, 9, 120);
	/* A full disk, or a killed recorder, leaves a part of a page. */
	ck_assert_int_eq(write(fd, "a part", 6), 6);
	fd = trace_writer_pages(w, 0, NULL);
	put_page(fd, k, 0, 7, 100);
	put_page(trace_writer_pages(w, 0, NULL), k, 0, 7, 200);
	ck_assert_int_eq(trace_writer_pages(w, CPUS, &(struct error){ }), -1);
}

static void put_side(struct strbuf *side)
{
	strbuf_addf(side, TRACE_SIDE_HEAD);
	trace_side_wall(side, 1700000000000000005, 5);
	trace_side_unread(side, 2, 3);
	strbuf_addf(side, "later 1 2 3\n");
	trace_side_task(side, 7, 7, "a b%c");
	strbuf_addf(side, "task 9 x y\nparent 9\nparent 9 x\nparent 9 8\nparent 9 8 -1\n");
	trace_side_parent(side, 8, 7, 5);
	trace_side_task(side, 9, 8, "fifteen-letters");
}

/* `side` NULL: the usual one. Returns the path, which the caller frees. */
static char *write_file(struct kernel *k, const char *side, const char *probes)
{
	struct strbuf lines = { }, section = { }, texts = { };
	const struct trace_head head = {
		.kernel = k, .events = events, .n_events = COUNT_OF(events), .cpus = CPUS,
		.page = PAGE, .header_page = layout, .clocks = "local [mono] boot\n",
		.clock = true, .probes = probes ? &section : NULL,
	};
	const struct trace_tail tail = { "7 work\n", &texts, &lines };
	char *path = strdup("/tmp/sonde-unit.XXXXXX");
	struct trace_writer *w;

	close(mkstemp(path));
	w = trace_writer_open(path, &head, NULL);
	ck_assert_ptr_nonnull(w);
	put_pages(w, k);
	strbuf_add(&texts, stats, sizeof(stats));
	if (side)
		strbuf_addf(&lines, "%s", side);
	else
		put_side(&lines);
	if (probes)
		strbuf_addf(&section, "%s", probes);
	ck_assert_int_eq(trace_writer_end(w, &tail, &(struct error){ }), 0);
	ck_assert_int_eq(trace_writer_close(w, &(struct error){ }), 0);
	free(texts.s);
	free(lines.s);
	free(section.s);
	return path;
}

START_TEST(a_written_trace_is_read)
{
	struct kernel *k = trial_kernel("6.1"), *recorded;
	char *path = write_file(k, NULL, PROBES_HEAD "function vfs_read\n");
	char *text = perf_file_read(path);
	struct recording *r = recording_open(path, NULL, NULL);
	const struct recorded_event *e;
	unsigned int n;

	ck_assert_str_eq(text, written_text);
	recorded = recording_kernel(r);
	ck_assert_str_eq(kernel_release(recorded), kernel_release(k));
	ck_assert_str_eq(kernel_arch(recorded)->name, kernel_arch(k)->name);
	ck_assert_uint_eq(recording_cpus(r), CPUS);
	ck_assert_int_eq(wall_clock(recording_wall(r), 6), 1700000000000000006);
	ck_assert_str_eq(kernel_function(recorded, "vfs_read"), "vfs_read");
	e = recording_events(r, &n);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(e[1].name, "sched:sched_wakeup");
	kernel_free(recorded);
	recording_close(r);
	kernel_free(k);
	unlink(path);
	free(path);
	free(text);
}
END_TEST

/* In its pages each byte, before them some. */
START_TEST(a_written_trace_without_its_end_tells_so)
{
	struct kernel *k = trial_kernel("6.1");
	char *path = write_file(k, NULL, NULL);
	struct stat st;
	off_t size;

	ck_assert_int_eq(stat(path, &st), 0);
	size = st.st_size;
	ck_assert_int_eq(size % PAGE, 0);
	for (off_t n = size - 1; n >= 0; n -= n > size - 4 * PAGE - 64 ? 1 : 97) {
		char *text;
		const char *note, *error;
		size_t told;

		ck_assert_int_eq(truncate(path, n), 0);
		text = perf_file_read(path);
		note = strstr(text, "note: ");
		error = strstr(text, "error: ");
		told = (size_t)((note ? note : error ? error : text + strlen(text)) - text);
		ck_assert_msg(!strncmp(text, written_text, told), "%d bytes:\n%s", (int)n, text);
		ck_assert_msg(note || error, "%d bytes:\n%s", (int)n, text);
		free(text);
	}
	kernel_free(k);
	unlink(path);
	free(path);
}
END_TEST

/* A reader's cursor in the file. */
static uint64_t number_at(const uint8_t *bytes, size_t at, size_t size)
{
	uint64_t wide;
	uint32_t narrow;
	uint16_t half;

	memcpy(&wide, bytes + at, sizeof(wide));
	memcpy(&narrow, bytes + at, sizeof(narrow));
	memcpy(&half, bytes + at, sizeof(half));
	return size == 8 ? wide : size == 4 ? narrow : half;
}

/* As trace-cmd reads it: each part is where the one before it ends. */
START_TEST(each_part_is_in_its_place)
{
	static const uint16_t wanted[] = { 2, 2, 2, 4, 5, 8, 201, 200 };
	struct kernel *k = trial_kernel("6.1");
	char *path = write_file(k, NULL, PROBES_HEAD);
	FILE *file = fopen(path, "r");
	uint8_t *bytes = calloc(1, 1 << 20), *options;
	const size_t size = fread(bytes, 1, 1 << 20, file);
	size_t at, first;

	ck_assert(!memcmp(bytes, "\x17\x08\x44tracing6", 12));
	ck_assert_uint_eq(number_at(bytes, 14, 4), PAGE);
	options = memmem(bytes, size, "options  ", 10);
	ck_assert_ptr_nonnull(options);
	at = (size_t)(options - bytes);
	ck_assert(!memcmp(bytes + at - 11, "7 work\n", 7));
	ck_assert_uint_eq(number_at(bytes, at - 19, 8), 7);
	ck_assert_uint_eq(number_at(bytes, at - 4, 4), CPUS);
	at += 10;
	for (int i = 0; i < COUNT_OF(wanted); i++) {
		ck_assert_uint_eq(number_at(bytes, at, 2), wanted[i]);
		at += 6 + number_at(bytes, at + 2, 4);
	}
	ck_assert_uint_eq(number_at(bytes, at, 2), 0);
	ck_assert(!memcmp(bytes + at + 2, "flyrecord", 10));
	at += 12;
	first = (at + CPUS * 16 + PAGE - 1) / PAGE * PAGE;
	ck_assert_uint_eq(number_at(bytes, at, 8), first);
	ck_assert_uint_eq(number_at(bytes, at + 8, 8), 2 * PAGE);
	ck_assert_uint_eq(number_at(bytes, at + 24, 8), 0);
	ck_assert_uint_eq(number_at(bytes, at + 32, 8), first + 2 * PAGE);
	ck_assert_uint_eq(number_at(bytes, at + 40, 8), 2 * PAGE);
	ck_assert_uint_eq(size, first + 4 * PAGE);
	ck_assert_uint_eq(number_at(bytes, first, 8), 100);
	fclose(file);
	free(bytes);
	kernel_free(k);
	unlink(path);
	free(path);
}
END_TEST

static const struct {
	const char *side, *probes, *error;
} wrong[] = {
	{ "sonde trace 2\n", NULL, "is of another version of sonde" },
	{ "", NULL, "is of another version of sonde" },
	{ TRACE_SIDE_HEAD "wall 1\n", NULL, "its time of day can't be read" },
	{ TRACE_SIDE_HEAD "wall 1 99999999999999999999\n", NULL, "its time of day can't be read" },
	{ TRACE_SIDE_HEAD "unread 9999999 1\n", NULL, "a count of lost events can't be read" },
	{ TRACE_SIDE_HEAD "task 7 7 wo", NULL, "its list of tasks is cut short" },
	{ TRACE_SIDE_HEAD, "sonde probes 9\n", "are those of another version of sonde" },
	{ TRACE_SIDE_HEAD, PROBES_HEAD "function", "its list of probes is cut short" },
};

START_TEST(a_wrong_side_is_told)
{
	struct kernel *k = trial_kernel("6.1");
	char *path = write_file(k, wrong[_i].side, wrong[_i].probes);
	char *text = perf_file_read(path);

	ck_assert_msg(strstr(text, wrong[_i].error), "%d:\n%s", _i, text);
	kernel_free(k);
	unlink(path);
	free(path);
	free(text);
}
END_TEST

START_TEST(a_trace_needs_a_file)
{
	struct kernel *k = trial_kernel("6.1");
	const struct trace_head head = {
		.kernel = k, .events = events, .n_events = COUNT_OF(events), .cpus = CPUS,
		.page = PAGE, .header_page = layout, .clocks = "[mono]\n",
	};
	struct error err = { };

	ck_assert_ptr_null(trace_writer_open("/dev/null", &head, &err));
	ck_assert_str_eq(err.text, "/dev/null is no file: a trace.dat can't be written into a pipe "
				   "or a device");
	ck_assert_ptr_null(trace_writer_open("/nonexistent/file", &head, &err));
	ck_assert_str_eq(err.text, "can't make /nonexistent/file: No such file or directory");
	kernel_free(k);
}
END_TEST

Suite *suite_trace_write(void)
{
	Suite *s = suite_create("trace_write");
	TCase *t = tcase_create("trace_write");

	tcase_add_test(t, a_written_trace_is_read);
	tcase_add_test(t, a_written_trace_without_its_end_tells_so);
	tcase_add_test(t, each_part_is_in_its_place);
	tcase_add_loop_test(t, a_wrong_side_is_told, 0, COUNT_OF(wrong));
	tcase_add_test(t, a_trace_needs_a_file);
	suite_add_tcase(s, t);
	return s;
}
