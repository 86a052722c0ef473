// SPDX-License-Identifier: GPL-2.0
/* The flight recorder: its options, the numbers and limits of its files, its names of tasks. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/recordings/perf/perf_data.h"
#include "src/commands/record/flight/flight_files.h"
#include "src/commands/record/flight/flight_names.h"
#include "src/commands/record/flight/flight_options.h"
#include "tests/unit/unit.h"

Suite *suite_flight(void);

/* ---- options ---- */

static const struct {
	int letter;
	const char *value;
	uint64_t wanted;		/* 0: refused */
} values[] = {
	{ FLIGHT_LAST, "30s", 30000000000 }, { FLIGHT_LAST, "30", 30000000000 },
	{ FLIGHT_LAST, "1.5s", 1500000000 }, { FLIGHT_LAST, "500ms", 500000000 },
	{ FLIGHT_LAST, "2m", 120000000000 }, { FLIGHT_LAST, "1h", 3600000000000 },
	{ FLIGHT_LAST, "0", 0 }, { FLIGHT_LAST, "", 0 }, { FLIGHT_LAST, "-1s", 0 },
	{ FLIGHT_LAST, "3x", 0 }, { FLIGHT_LAST, "s", 0 }, { FLIGHT_LAST, "99999999999h", 0 },
	{ FLIGHT_SIZE, "5M", 5 << 20 }, { FLIGHT_SIZE, "2G", 2ULL << 30 },
	{ FLIGHT_SIZE, "64K", 64 << 10 }, { FLIGHT_SIZE, "7", 7 << 20 }, { FLIGHT_SIZE, "5T", 0 },
	{ FLIGHT_FILES, "20", 20 }, { FLIGHT_FILES, "0", 0 }, { FLIGHT_FILES, "2x", 0 },
};

START_TEST(values_are_read)
{
	struct flight_options o = { };
	struct error err = { };
	const int result = flight_option(&o, values[_i].letter, values[_i].value, &err);

	ck_assert_int_eq(result, values[_i].wanted ? 0 : -1);
	ck_assert(result || o.last_ns + o.files + o.bytes == values[_i].wanted);
	ck_assert(!result == !*err.text);
}
END_TEST

START_TEST(options_go_together)
{
	struct flight_options o = { .last_ns = 7 };
	struct error err = { };

	ck_assert_int_eq(flight_options_end(&o, &err), 0);
	ck_assert(o.by_signal);
	ck_assert_uint_eq(o.every_ns, 7);
	o = (struct flight_options){ .files = 3 };
	ck_assert_int_eq(flight_options_end(&o, &err), -1);
	for (unsigned int i = 0; i < 9; i++) {
		char line[] = "tool 0";

		line[5] = (char)('0' + i);
		ck_assert_int_eq(flight_option(&o, FLIGHT_WHEN, line, &err), i < 8 ? 0 : -1);
	}
	flight_options_free(&o);
}
END_TEST

/* ---- files ---- */

static void in_folder(const char *folder, const char *name, char path[128])
{
	snprintf(path, 128, "%s/%s", folder, name);
}

/* A file of so many bytes, as sonde makes them, or of somebody else. */
static void make(const char *folder, const char *name, off_t bytes, bool own)
{
	uint64_t words[PERF_FILE_HEADER / 8 + 1] = { PERF_MAGIC };
	char path[128];
	int fd;

	words[PERF_FILE_HEADER / 8] = own ? PERF_EARLY_TABLE : 0;
	in_folder(folder, name, path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, words, sizeof(words)), sizeof(words));
	ck_assert_int_eq(ftruncate(fd, bytes), 0);
	close(fd);
}

static bool is_there(const char *folder, const char *name)
{
	char path[128];

	in_folder(folder, name, path);
	return !access(path, F_OK);
}

static void drop(const char *folder)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(numbers_go_on)
{
	char folder[] = "/tmp/flight.XXXXXX";
	struct flight_files f = { }, second = { };
	struct error err = { };
	unsigned int number;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	make(folder, "flight-0007", 200, true);
	make(folder, "flight-part", 200, true);
	make(folder, "flight-9", 200, true);		/* no name of sonde's */
	ck_assert_int_eq(flight_files_open(&f, folder, &err), 0);
	ck_assert(!is_there(folder, "flight-part"));
	ck_assert_int_eq(flight_files_open(&second, folder, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "another sonde"));
	make(folder, "flight-0008", 200, false);	/* somebody's, made meanwhile */
	make(folder, "flight-part", 200, true);
	ck_assert_int_eq(flight_files_keep(&f, &number, &err), 0);
	ck_assert_uint_eq(number, 9);
	ck_assert(is_there(folder, "flight-0009") && !is_there(folder, "flight-part"));
	flight_files_close(&second);
	flight_files_close(&f);
	make(folder, "flight-10000", 200, true);
	ck_assert_int_eq(flight_files_open(&f, folder, &err), 0);
	ck_assert_uint_eq(f.next, 10001);
	flight_files_close(&f);
	drop(folder);
}
END_TEST

static const struct {
	unsigned int most;
	uint64_t bytes, more;
	const char *left;		/* of 0001 to 0004, 1000 bytes each */
} limits[] = {
	{ 0, 0, 9000, "1234" }, { 5, 0, 1, "1234" }, { 4, 0, 1, "234" }, { 1, 0, 1, "" },
	{ 0, 5000, 1000, "1234" }, { 0, 5000, 1001, "234" }, { 0, 5000, 4000, "4" },
	{ 0, 5000, 5001, "" }, { 3, 5000, 1000, "34" },
};

START_TEST(only_own_files_go)
{
	char folder[] = "/tmp/flight.XXXXXX", name[32], left[8] = "";
	struct flight_files f = { .most = limits[_i].most, .bytes = limits[_i].bytes };
	struct error err = { };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	make(folder, "flight-0000", 1000, false);
	make(folder, "flight-00x1", 1000, true);
	make(folder, "perf.data", 1000, true);
	for (int i = 1; i <= 4; i++) {
		snprintf(name, sizeof(name), "flight-%04d", i);
		make(folder, name, 1000, true);
	}
	make(folder, "flight-0005", 1000, false);
	ck_assert_int_eq(flight_files_open(&f, folder, &err), 0);
	flight_files_room(&f, limits[_i].more);
	for (int i = 1; i <= 4; i++) {
		snprintf(name, sizeof(name), "flight-%04d", i);
		if (is_there(folder, name))
			snprintf(left + strlen(left), 2, "%d", i);
	}
	ck_assert_str_eq(left, limits[_i].left);
	ck_assert(is_there(folder, "flight-0000") && is_there(folder, "flight-00x1") &&
		  is_there(folder, "perf.data") && is_there(folder, "flight-0005"));
	flight_files_close(&f);
	drop(folder);
}
END_TEST

/* ---- names ---- */

#define OF_TIME 24		/* time, CPU and id are at the end */

static void take(struct flight_names *names, unsigned int cpu, uint32_t type, uint64_t time,
		 const void *body, size_t n)
{
	_Alignas(8) uint8_t bytes[128] = { };
	const struct perf_event_header header = {
		.type = type, .size = (uint16_t)(sizeof(header) + n + 8 + OF_TIME),
	};

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), body, n);
	memcpy(bytes + header.size - OF_TIME, &time, sizeof(time));
	flight_names_take(names, cpu, (const struct perf_event_header *)bytes);
}

static void named(struct flight_names *names, unsigned int cpu, uint64_t time, uint32_t tid,
		  const char *comm)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { tid, tid, "" };

	strcpy(body.comm, comm);
	take(names, cpu, PERF_RECORD_COMM, time, &body, sizeof(body));
}

static void lived(struct flight_names *names, unsigned int cpu, uint32_t type, uint64_t time,
		  uint32_t tid, uint32_t maker)
{
	const uint32_t body[6] = { tid, maker, tid, maker };

	take(names, cpu, type, time, body, sizeof(body));
}

static const char *name_of(const struct flight_names *names, uint32_t wanted)
{
	const struct flight_task *t;
	uint32_t at = 0, tid;

	while ((t = flight_names_next(names, &at, &tid)))
		if (tid == wanted)
			return t->comm;
	return "";
}

/* What one CPU tells and another one tells before it is taken in the order of time. */
START_TEST(changes_become_names)
{
	struct flight_names *names = flight_names_new(2, OF_TIME);
	struct error err = { };
	size_t size;

	named(names, 0, 10, 4000001, "maker");
	lived(names, 1, PERF_RECORD_FORK, 20, 4000002, 4000001);
	named(names, 0, 30, 4000001, "later");
	lived(names, 0, PERF_RECORD_EXIT, 40, 4000001, 1);
	ck_assert_int_eq(flight_names_pass(names, 30, &err), 0);
	ck_assert_str_eq(name_of(names, 4000001), "maker");
	ck_assert_str_eq(name_of(names, 4000002), "maker");
	flight_names_log(names, 1, &size);
	ck_assert_uint_eq(size, 0);
	ck_assert_int_eq(flight_names_pass(names, 41, &err), 0);
	ck_assert_str_eq(name_of(names, 4000001), "");
	ck_assert_str_eq(name_of(names, 4000002), "maker");
	ck_assert_uint_eq(flight_names_since(names), 0);
	flight_names_free(names);
}
END_TEST

/* A week of new processes takes no more memory than its last seconds, and those have a limit. */
START_TEST(memory_has_a_limit)
{
	struct flight_names *names = flight_names_new(1, OF_TIME);
	struct error err = { };
	size_t size;

	for (uint32_t i = 0; i < 400000; i++) {
		named(names, 0, 100 + i, 4000000 + i % 100, "name");
		if (i % 1000 == 999)
			ck_assert_int_eq(flight_names_pass(names, 50, &err), 0);
	}
	flight_names_log(names, 0, &size);
	ck_assert_uint_le(size, NAMES_LOG_MOST);
	ck_assert_uint_gt(flight_names_since(names), 100);
	ck_assert_int_eq(flight_names_pass(names, UINT64_MAX, &err), 0);
	flight_names_log(names, 0, &size);
	ck_assert_uint_eq(size, 0);
	flight_names_free(names);
}
END_TEST

Suite *suite_flight(void)
{
	Suite *s = suite_create("flight");

	add_tests(s, "values", values_are_read, COUNT_OF(values));
	add_tests(s, "command", options_go_together, 1);
	add_tests(s, "numbers", numbers_go_on, 1);
	add_tests(s, "limits", only_own_files_go, COUNT_OF(limits));
	add_tests(s, "names", changes_become_names, 1);
	add_tests(s, "memory", memory_has_a_limit, 1);
	return s;
}
