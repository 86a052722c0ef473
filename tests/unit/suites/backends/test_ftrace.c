// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of ftrace's ring buffer; functions and stacks of its records.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/ftrace/ftrace_functions.h"
#include "compat/rings/ftrace_page.h"
#include "backends/ftrace/ftrace_read.h"
#include "backends/ftrace/ftrace_try.h"
#include "backends/tracefs/tracefs.h"
#include "compat/kernel/kernel_internal.h"
#include "tests/unit/helpers/ftrace_pages.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define TIME_LINE "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
#define COMMIT_LINE "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
#define DATA_LINE "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"

static const struct {
	const char *what, *text;
	int result;
	struct ftrace_layout layout;
} layouts[] = {
	{ "64 bits", TIME_LINE COMMIT_LINE
	  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" DATA_LINE,
	  0, { 4096, 16, 8, 8, false } },
	{ "32 bits",
	  TIME_LINE "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char "
	  "data;\toffset:12;\tsize:4084;\tsigned:1;\n",
	  0, { 4096, 12, 8, 4, false } },
	{ "64 KB pages, before the sign was told",
	  "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n\tfield: local_t "
	  "commit;\toffset:8;\tsize:8;\n"
	  "\tfield: char data;\toffset:16;\tsize:65520;\n",
	  0, { 65536, 16, 8, 8, false } },
	{ "nothing", "", -1, {} },
	{ "no commit", TIME_LINE DATA_LINE, -1, {} },
	{ "no data", TIME_LINE COMMIT_LINE, -1, {} },
	{ "no time", COMMIT_LINE DATA_LINE, -1, {} },
	{ "a time of 4 bytes", "\tfield: u64 timestamp;\toffset:0;\tsize:4;\n"
	  COMMIT_LINE DATA_LINE, -1, {} },
	{ "data within the commit", TIME_LINE COMMIT_LINE
	  "\tfield: char data;\toffset:12;\tsize:4080;\n", -1, {} },
	{ "a huge page", TIME_LINE COMMIT_LINE
	  "\tfield: char data;\toffset:16;\tsize:4294967295;\n", -1, {} },
};

START_TEST(layout)
{
	struct ftrace_layout l;

	ck_assert_msg(ftrace_layout_parse(&l, layouts[_i].text, false) == layouts[_i].result, "%s",
		      layouts[_i].what);
	if (layouts[_i].result)
		return;
	ck_assert_uint_eq(l.size, layouts[_i].layout.size);
	ck_assert_uint_eq(l.data, layouts[_i].layout.data);
	ck_assert_uint_eq(l.commit, layouts[_i].layout.commit);
	ck_assert_uint_eq(l.commit_size, layouts[_i].layout.commit_size);
}
END_TEST

static const struct ftrace_layout narrow = { 4096, 12, 8, 4, false };

/*
 * Read from a kernel (6.18, x86_64, clock mono): getppid(2) twice, a new name, a pause of 0.3 s
 * that takes a time extend, getppid(2) twice. Cut off behind its data.
 */
static const uint8_t recorded[] = {
	0x69, 0xc5, 0xdd, 0xf3, 0x6e, 0x02, 0x00, 0x00, 0x8c, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00,
	0x04, 0x00, 0x00, 0x00, 0x31, 0x01, 0x00, 0x00, 0x59, 0x69, 0x00, 0x00, 0x6e, 0x00,
	0x00, 0x00,
	0x74, 0x69, 0x72, 0x71, 0xa4, 0x14, 0x01, 0x00, 0x31, 0x01, 0x00, 0x00, 0x59, 0x69,
	0x00, 0x00,
	0x6e, 0x00, 0x00, 0x00, 0x74, 0x69, 0x72, 0x71, 0x6c, 0x94, 0x0d, 0x00, 0xcc, 0x00,
	0x00, 0x00,
	0x59, 0x69, 0x00, 0x00, 0x59, 0x69, 0x00, 0x00, 0x70, 0x79, 0x74, 0x68, 0x6f, 0x6e,
	0x33, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x73, 0x6f, 0x6e, 0x64, 0x65, 0x20,
	0x70, 0x61,
	0x67, 0x65, 0x00, 0x00, 0x73, 0x77, 0x61, 0x70, 0x00, 0x00, 0x72, 0x2f, 0x7e, 0xe3,
	0x98, 0x3e,
	0x02, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x31, 0x01, 0x00, 0x00, 0x59, 0x69,
	0x00, 0x00,
	0x6e, 0x00, 0x00, 0x00, 0x70, 0x79, 0x74, 0x68, 0xc4, 0x1c, 0xf4, 0x15, 0x31, 0x01,
	0x00, 0x00,
	0x59, 0x69, 0x00, 0x00, 0x6e, 0x00, 0x00, 0x00, 0x70, 0x79, 0x74, 0x68,
};

/*
 * What the kernel itself printed of that page, to the microsecond; sizes are those of the formats,
 * in words.
 */
static const struct {
	uint64_t us;
	uint16_t id;
	uint32_t size;
	uint32_t end;		/* of the record, in the page */
} recorded_events[] = {
	{ 2675561056, 0x131, 16, 36 },
	{ 2675561058, 0x131, 16, 56 },
	{ 2675561086, 0xcc, 48, 108 },
	{ 2675862340, 0x131, 16, 136 },
	{ 2675873850, 0x131, 16, 156 },
};

START_TEST(recorded_page)
{
	struct ftrace_record r;
	struct ftrace_page p;
	uint16_t id;
	uint32_t pid;

	ck_assert_int_eq(ftrace_page_open(&p, &wide, recorded, sizeof(recorded)), 0);
	ck_assert(!p.missed);
	for (unsigned int i = 0; i < LENGTH(recorded_events); i++) {
		ck_assert_int_eq(ftrace_page_next(&p, &r), 1);
		ck_assert_uint_eq(r.size, recorded_events[i].size);
		memcpy(&id, r.data, sizeof(id));
		memcpy(&pid, r.data + 4, sizeof(pid));
		ck_assert_uint_eq((r.time + 500) / 1000, recorded_events[i].us);
		ck_assert_uint_eq(id, recorded_events[i].id);
		ck_assert_uint_eq(pid, 26969);
		if (id == 0xcc)
			ck_assert_str_eq((const char *)r.data + 28, "sonde page");
	}
	ck_assert_int_eq(ftrace_page_next(&p, &r), 0);
	ck_assert_int_eq(ftrace_page_next(&p, &r), 0);
}
END_TEST

#define TIME 1000000ULL
#define TIMES(...) .times = { __VA_ARGS__ }
#define SIZES(...) .sizes = { __VA_ARGS__ }

/* Pages of hand-made words. `commit` 0: the length of the words; `flags` are added. */
static const struct {
	const char *what;
	uint32_t words[8];
	uint32_t n, commit, flags;
	int open, end;		/* results: of opening, and of the call after the last record */
	unsigned int n_records;
	uint64_t times[4];	/* since TIME */
	uint32_t sizes[4];
	uint64_t base;		/* the page's time; 0: TIME */
} pages[] = {
	{ "empty", .n_records = 0 },
	{ "one event of one word", { EVENT(1, 7), 0xaa }, 2, .n_records = 1, TIMES(7), SIZES(4) },
	{ "times add up", { EVENT(1, 7), 0, EVENT(2, 3), 0, 0, EVENT(1, 0), 0 }, 7, .n_records = 3,
	  TIMES(7, 10, 10),
	  SIZES(4, 8, 4) },
	{ "length in the next word", { EVENT(0, 5), 12, 0, 0, EVENT(1, 1), 0 }, 6, .n_records = 2,
	  TIMES(5, 6), SIZES(8, 4) },
	{ "the same, of no data", { EVENT(0, 5), 4, EVENT(1, 1), 0 }, 4, .n_records = 2,
	  TIMES(5, 6), SIZES(0, 4) },
	{ "a rest that is empty", { EVENT(1, 7), 0, EVENT(29, 0), 0x1234, EVENT(1, 1), 0 }, 6,
	  .n_records = 1, TIMES(7),
	  SIZES(4) },
	{ "a discarded event's time counts", { EVENT(29, 20), 8, 0, EVENT(1, 7), 0 }, 5,
	  .n_records = 1, TIMES(27), SIZES(4) },
	{ "a discarded event without a time", { EVENT(29, 1), 8, 0, EVENT(1, 7), 0 }, 5,
	  .n_records = 1, TIMES(7), SIZES(4) },
	{ "time extend", { EVENT(30, 5), 2, EVENT(1, 7), 0 }, 4, .n_records = 1,
	  TIMES((2ULL << 27) + 12), SIZES(4) },
	{ "time stamp", { EVENT(31, 1000005), 0, EVENT(1, 7), 0 }, 4, .n_records = 1, TIMES(12),
	  SIZES(4) },
	{ "time stamp keeps the highest bits", { EVENT(31, 1005), 0, EVENT(1, 7), 0 }, 4,
	  .n_records = 1,
	  TIMES((1ULL << 60) + 1012 - TIME), SIZES(4), .base = (1ULL << 60) + 999 },
	{ "lost before it", { EVENT(1, 7), 0 }, 2, .flags = MARK, .n_records = 1, TIMES(7),
	  SIZES(4) },
	{ "lost, and how many", { EVENT(1, 7), 0, 99, 0 }, 4, 8, MARK | STORED, .n_records = 1,
	  TIMES(7), SIZES(4) },
	{ "more data than a page", { EVENT(1, 7), 0 }, 2, .commit = 12, .open = -1 },
	{ "much more", { EVENT(1, 7), 0 }, 2, .commit = 0x3fffffff, .open = -1 },
	{ "an event beyond the end", { EVENT(1, 7), 0, EVENT(3, 1), 0, 0 }, 5, .end = -1,
	  .n_records = 1, TIMES(7), SIZES(4) },
	{ "the longest there can be, cut", { EVENT(28, 7), 0, 0 }, 3, .end = -1 },
	{ "no room for the length", { EVENT(0, 7) }, 1, .end = -1 },
	{ "a length that is too long", { EVENT(0, 7), 12, 0 }, 3, .end = -1 },
	{ "a length that wraps", { EVENT(0, 7), 0xfffffffc, 0 }, 3, .end = -1 },
	{ "a length that does not count itself", { EVENT(0, 7), 0, 0 }, 3, .end = -1 },
	{ "a length that is not of words", { EVENT(0, 7), 7, 0, 0 }, 4, .end = -1 },
	{ "a cut time extend", { EVENT(30, 7) }, 1, .end = -1 },
	{ "a cut time stamp", { EVENT(31, 7) }, 1, .end = -1 },
	{ "a cut discarded event", { EVENT(29, 7) }, 1, .end = -1 },
	{ "a discarded event that is too long", { EVENT(29, 7), 100, 0 }, 3, .end = -1 },
	{ "a discarded event of no length", { EVENT(29, 7), 0, 0 }, 3, .end = -1 },
	{ "half a head", { EVENT(1, 7), 0, EVENT(1, 1) }, 3, .commit = 10, .end = -1,
	  .n_records = 1, TIMES(7), SIZES(4) },
};

static void check_page(const struct ftrace_layout *l, unsigned int i)
{
	uint32_t size = pages[i].n * 4, commit = (pages[i].commit ? pages[i].commit : size) |
		pages[i].flags;
	uint64_t base = pages[i].base ? pages[i].base : TIME;
	uint8_t *page = make_page(l, base, commit, pages[i].words, size);
	struct ftrace_record r;
	struct ftrace_page p;

	ck_assert_msg(ftrace_page_open(&p, l, page, l->data + size) == pages[i].open, "%s",
		      pages[i].what);
	if (!pages[i].open) {
		ck_assert_uint_eq(p.time, base);
		ck_assert_msg(p.missed == !!(pages[i].flags & MARK), "%s", pages[i].what);
		for (unsigned int j = 0; j < pages[i].n_records; j++) {
			ck_assert_msg(ftrace_page_next(&p, &r) == 1, "%s", pages[i].what);
			ck_assert_msg(r.time - TIME == pages[i].times[j], "%s: time %llu",
				      pages[i].what,
				      (unsigned long long)r.time);
			ck_assert_msg(r.size == pages[i].sizes[j], "%s: size %u",
				      pages[i].what, r.size);
		}
		ck_assert_msg(ftrace_page_next(&p, &r) == pages[i].end, "%s", pages[i].what);
		ck_assert_msg(ftrace_page_next(&p, &r) == pages[i].end, "%s, again", pages[i].what);
	}
	free(page);
}

START_TEST(page)
{
	check_page(&wide, _i);
	check_page(&narrow, _i);
}
END_TEST

START_TEST(page_of_big_endian)
{
	const struct ftrace_layout l = { 4096, 12, 8, 4, true };
	const uint32_t words[] = { 1U << 27 | 7, 0xaa, 30U << 27 | 5, 2, 2U << 27 | 1, 0, 0 };
	uint8_t *bytes = make_page(&l, TIME, sizeof(words), words, sizeof(words));
	struct ftrace_record r;
	struct ftrace_page p;

	ck_assert_int_eq(ftrace_page_open(&p, &l, bytes, l.data + sizeof(words)), 0);
	ck_assert_int_eq(ftrace_page_next(&p, &r), 1);
	ck_assert_uint_eq(r.time, TIME + 7);
	ck_assert_uint_eq(r.size, 4);
	ck_assert_int_eq(ftrace_page_next(&p, &r), 1);
	ck_assert_uint_eq(r.time, TIME + 7 + 5 + (2ULL << 27) + 1);
	ck_assert_uint_eq(r.size, 8);
	ck_assert_int_eq(ftrace_page_next(&p, &r), 0);
	free(bytes);
}
END_TEST

/* Reads a page to its end: every record lies within, and the end comes. The number of records. */
static unsigned int read_through(const uint8_t *bytes, uint32_t size)
{
	unsigned int records = 0;
	volatile unsigned int sum = 0;
	struct ftrace_record r;
	struct ftrace_page p;
	int more;

	if (ftrace_page_open(&p, &wide, bytes, size))
		return 0;
	while ((more = ftrace_page_next(&p, &r)) > 0) {
		ck_assert(r.data >= bytes + wide.data && r.data <= bytes + size);
		ck_assert(r.size <= bytes + size - r.data);
		for (uint32_t i = 0; i < r.size; i++)
			sum += r.data[i];
		ck_assert(++records <= size / 4);
	}
	ck_assert_int_eq(ftrace_page_next(&p, &r), more);
	return records;
}

START_TEST(page_cut_anywhere)
{
	for (uint32_t size = 0; size <= sizeof(recorded); size++) {
		uint32_t commit = size < wide.data ? 0 : size - wide.data;
		uint8_t *bytes = malloc(size + !size);
		unsigned int expected = 0;

		memcpy(bytes, recorded, size);
		if (size >= wide.data) {
			memcpy(bytes + wide.commit, &commit, sizeof(commit));
			while (expected < LENGTH(recorded_events) &&
			       recorded_events[expected].end <= size)
				expected++;
		}
		ck_assert_uint_eq(read_through(bytes, size), expected);
		free(bytes);
	}
}
END_TEST

static uint32_t random_word(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 32;
}

/*
 * 0: small numbers, so that lengths are now and then right; 1: any bytes; 2: the length of the data
 * is noise too.
 */
START_TEST(page_of_noise)
{
	uint64_t state = 12345 + _i;
	unsigned int records = 0;

	for (unsigned int round = 0; round < 20000; round++) {
		uint32_t size = wide.data + random_word(&state) % 256, commit = size - wide.data;
		uint8_t *bytes = malloc(size);

		for (uint32_t i = 0; i < size; i++)
			bytes[i] = random_word(&state) >> (_i == 0 ? 29 : 8);
		if (_i < 2)
			memcpy(bytes + wide.commit, &commit, sizeof(commit));
		records += read_through(bytes, size);
		free(bytes);
	}
	ck_assert(_i == 2 || records > 1000);
}
END_TEST

/* An address is of the function whose beginning is a few bytes before it. */
static const struct {
	uint64_t address;
	bool found;
	uint64_t number;
} addresses[] = {
	{ 0xfff, false, 0 }, { 0x1000, true, 7 }, { 0x1004, true, 7 }, { 0x1020, true, 7 },
	{ 0x1021, false, 0 }, { 0x1fff, false, 0 }, { 0x2008, true, 5 }, { 0x200f, true, 5 },
	{ 0x2010, true, 9 }, { 0x5000, false, 0 },
};

START_TEST(function_of_address)
{
	static const uint64_t begin[] = { 0x1000, 0x2000, 0x2010 }, numbers[] = { 7, 5, 9 };
	const struct many many = { .n = 3, .addresses = begin, .numbers = numbers };
	uint64_t number = 0;

	ck_assert_int_eq(ftrace_functions_find(&many, addresses[_i].address, &number),
			 addresses[_i].found);
	ck_assert_uint_eq(number, addresses[_i].number);
}
END_TEST

/* At a system call's tracepoint the kernel has no stack that could be cut. */
static const struct {
	const char *command, *without;
	bool refused;
} stacked[] = {
	{ "stackcount t:sched:sched_switch", "ftrace-stacks", true },
	{ "stackcount t:sched:sched_switch", "ringbuf", false },
	{ "stackcount -U t:sched:sched_switch", "ftrace-stacks", false },
	{ "stackcount t:syscalls:sys_enter_openat", "ftrace-stacks", false },
	{ "stackcount vfs_read", "ftrace-stacks", false },
	{ "offcputime", "ftrace-stacks", true },
	{ "wakeuptime -K", "ftrace-stacks", true },
	{ "runqlat", "ftrace-stacks", false },
};

START_TEST(refused_stacks)
{
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	struct trial t;
	int result;

	ck_assert(!trial_start(&t, stacked[_i].command, k));
	ck_assert(!kernel_without(k, stacked[_i].without, &err));
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	result = backend_ftrace.refuse(k, &t.run.plan.plan, &err);
	ck_assert_int_eq(result, stacked[_i].refused ? -1 : 0);
	ck_assert(!result || strstr(err.text, "lack the innermost functions"));
	trial_end(&t);
}
END_TEST

/* Before 3.14 the ring of an instance gets no records of uprobes, but those of kprobes. */
static const struct {
	const char *kernel, *command;
	bool refused;
} of_programs[] = {
	{ "3.10", "threadsnoop", true }, { "4.1", "threadsnoop", false },
	{ "3.10", "funccount c:malloc", true }, { "3.10", "funccount vfs_read", false },
};

START_TEST(refused_uprobes)
{
	struct kernel *k = trial_kernel(of_programs[_i].kernel);
	struct error err = { };
	struct trial t;
	int result;

	ck_assert(!trial_start(&t, of_programs[_i].command, k));
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	result = backend_ftrace.refuse(k, &t.run.plan.plan, &err);
	ck_assert_int_eq(result, of_programs[_i].refused ? -1 : 0);
	ck_assert(!result || strstr(err.text, "instances get no events of uprobes"));
	trial_end(&t);
}
END_TEST

/* What is known of the machine answers for all its kernels. */
static const struct {
	const char *machine;
	bool whole;
} tried[] = {
	{ "x86_64", true }, { "aarch64", true }, { "i686", true }, { "armv7l", true },
	{ "s390x", false }, { "ppc64le", false },
};

START_TEST(stacks_of_machines)
{
	struct kernel *k = trial_kernel("6.1");

	k->identity.arch = arch_by_name(tried[_i].machine);
	ck_assert_int_eq(kernel_has(k, FEATURE_FTRACE_STACKS), tried[_i].whole);
	kernel_free(k);
}
END_TEST

/* Where no function renames by these names, or none has a name, the stack is believed. */
static const struct {
	const char *trace, *without;
	bool whole;
} traces[] = {
	{ " <stack trace>\n => trace_event_raw_event_task_rename\n => __set_task_comm\n"
	  " => __do_sys_prctl\n", "function:nothing", true },
	{ " <stack trace>\n => set_task_comm\n => SyS_prctl\n", "function:nothing", true },
	{ " task_rename: newcomm=__set_task_comm\n <stack trace>\n => __do_sys_prctl\n",
	  "function:nothing", false },
	{ " <stack trace>\n => system_call\n", "function:nothing", false },
	{ " <stack trace>\n => system_call\n", "function:__set_task_comm", true },
};

START_TEST(whole_stacks)
{
	struct kernel *k = trial_kernel("6.1");
	struct error err;

	ck_assert(!kernel_without(k, traces[_i].without, &err));
	ck_assert_int_eq(ftrace_stack_whole(k, traces[_i].trace), traces[_i].whole);
	kernel_free(k);
}
END_TEST

Suite *suite_ftrace(void)
{
	Suite *s = suite_create("ftrace");
	TCase *c = tcase_create("ftrace");

	tcase_add_loop_test(c, layout, 0, LENGTH(layouts));
	tcase_add_test(c, recorded_page);
	tcase_add_loop_test(c, page, 0, LENGTH(pages));
	tcase_add_test(c, page_of_big_endian);
	tcase_add_test(c, page_cut_anywhere);
	tcase_add_loop_test(c, page_of_noise, 0, 3);
	tcase_add_loop_test(c, function_of_address, 0, LENGTH(addresses));
	tcase_add_loop_test(c, refused_stacks, 0, LENGTH(stacked));
	add_tests(s, "refused uprobes", refused_uprobes,
		  sizeof(of_programs) / sizeof(of_programs[0]));
	tcase_add_loop_test(c, stacks_of_machines, 0, LENGTH(tried));
	tcase_add_loop_test(c, whole_stacks, 0, LENGTH(traces));
	suite_add_tcase(s, c);
	return s;
}
