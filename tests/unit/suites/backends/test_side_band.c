// SPDX-License-Identifier: GPL-2.0
/* Records of perf's side band, as kernels write them and as none does. */
#include "backends/perf/side_band.h"

#include <stddef.h>
#include <string.h>

#include "tests/unit/unit.h"

Suite *suite_side_band(void);

#define TEXT16 "/bin/0123456789a"		/* with a NUL, 24 bytes in a record */

struct map_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	char path[24];
	uint32_t ids[2];
	uint64_t time;
};

struct map2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[24];
	uint32_t ids[2];
	uint64_t time;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[8];
	uint32_t ids[2];
	uint64_t time;
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t at;
	uint32_t ids[2];
	uint64_t time;
};

START_TEST(maps)
{
	struct map_record r = {
		{ PERF_RECORD_MMAP, 0, sizeof(r) }, 7, 8, 0x1000, 0x2000, 0x3000, TEXT16, { 7, 8 },
		99,
	};
	struct map2_record r2 = {
		{ PERF_RECORD_MMAP2, 0, sizeof(r2) }, 7, 8, 0x1000, 0x2000, 0x3000, 8, 1, 55, 66,
		5, 2, TEXT16, { 7, 8 }, 99,
	};
	struct side_band_event e;

	for (int i = 0; i < 2; i++) {
		ck_assert(side_band_event(i ? &r2.header : &r.header, &e));
		ck_assert_int_eq(e.kind, SIDE_BAND_MAP);
		ck_assert_uint_eq(e.time, 99);
		ck_assert_uint_eq(e.pid, 7);
		ck_assert_uint_eq(e.start, 0x1000);
		ck_assert_uint_eq(e.end, 0x3000);
		ck_assert_uint_eq(e.offset, 0x3000);
		ck_assert_str_eq(e.path, TEXT16);
		ck_assert_uint_eq(e.major, i ? 8 : 0);
		ck_assert_uint_eq(e.inode, i ? 55 : 0);
		ck_assert_uint_eq(e.generation, i ? 66 : 0);
	}
	memset(r.path, 'x', sizeof(r.path));		/* a path without an end */
	ck_assert(!side_band_event(&r.header, &e));
	r.header.size = offsetof(struct map_record, offset);
	ck_assert(!side_band_event(&r.header, &e));
	r2.length = 0;
	ck_assert(!side_band_event(&r2.header, &e));
	r2.length = UINT64_MAX;				/* beyond the end of all addresses */
	ck_assert(!side_band_event(&r2.header, &e));
}
END_TEST

START_TEST(execs)
{
	struct comm_record r = {
		{ PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(r) }, 7, 7, "cat", { 7, 7 },
		99,
	};
	struct side_band_event e;

	ck_assert(side_band_event(&r.header, &e));
	ck_assert_int_eq(e.kind, SIDE_BAND_EXEC);
	ck_assert_uint_eq(e.pid, 7);
	ck_assert_uint_eq(e.time, 99);
	ck_assert_str_eq(e.path, "cat");
	r.header.misc = 0;				/* it has only called itself so */
	ck_assert(side_band_event(&r.header, &e));
	ck_assert_int_eq(e.kind, SIDE_BAND_NAME);
	ck_assert_str_eq(e.path, "cat");
	memset(r.comm, 'x', sizeof(r.comm));		/* a name without an end */
	ck_assert(!side_band_event(&r.header, &e));
}
END_TEST

static const struct {
	uint32_t type, pid, parent, tid;
	bool told;
	enum side_band_kind kind;
} tasks[] = {
	{ PERF_RECORD_FORK, 9, 7, 9, true, SIDE_BAND_FORK },
	{ PERF_RECORD_FORK, 7, 7, 9, true, SIDE_BAND_THREAD },
	{ PERF_RECORD_EXIT, 7, 7, 9, true, SIDE_BAND_LEFT },
	{ PERF_RECORD_EXIT, 7, 1, 7, true, SIDE_BAND_EXIT },
	{ PERF_RECORD_EXIT, 7, 7, 7, true, SIDE_BAND_EXIT },
	{ PERF_RECORD_LOST, 7, 1, 7, false, 0 },
};

START_TEST(lives)
{
	struct task_record r = {
		{ tasks[_i].type, 0, sizeof(r) }, tasks[_i].pid, tasks[_i].parent, tasks[_i].tid,
		tasks[_i].parent, 98, { 7, 7 }, 99,
	};
	struct side_band_event e;

	ck_assert_int_eq(side_band_event(&r.header, &e), tasks[_i].told);
	if (!tasks[_i].told)
		return;
	ck_assert_int_eq(e.kind, tasks[_i].kind);
	ck_assert_uint_eq(e.pid, tasks[_i].pid);
	ck_assert_uint_eq(e.tid, tasks[_i].tid);
	ck_assert_uint_eq(e.parent, tasks[_i].parent);
	ck_assert_uint_eq(e.maker,
			  tasks[_i].type == PERF_RECORD_FORK ? tasks[_i].parent : 0);
	r.header.size = offsetof(struct task_record, at);
	ck_assert(!side_band_event(&r.header, &e));
}
END_TEST

struct namespaces_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t n;
	struct {
		uint64_t device, number;
	} all[7];
	uint32_t ids[2];
	uint64_t time;
};

START_TEST(namespaces)
{
	struct namespaces_record r = {
		{ PERF_RECORD_NAMESPACES, 0, sizeof(r) }, 7, 8, 7,
		{ { 4, 90 }, { 4, 91 }, { 4, 92 }, { 4, 93 }, { 4, 94 }, { 4, 95 }, { 4, 96 } },
		{ 7, 8 }, 99,
	};
	struct side_band_event e;

	ck_assert(side_band_event(&r.header, &e));
	ck_assert_int_eq(e.kind, SIDE_BAND_NAMESPACES);
	ck_assert_uint_eq(e.time, 99);
	ck_assert_uint_eq(e.tid, 8);
	ck_assert_uint_eq(e.pidns, 93);
	ck_assert_uint_eq(e.mntns, 95);
	r.n = 5;			/* a kernel that tells fewer */
	ck_assert(side_band_event(&r.header, &e));
	ck_assert_uint_eq(e.pidns, 93);
	ck_assert_uint_eq(e.mntns, 0);
	r.n = 8;			/* more than it has */
	ck_assert(!side_band_event(&r.header, &e));
	r.n = UINT64_MAX;
	ck_assert(!side_band_event(&r.header, &e));
	r.header.size = offsetof(struct namespaces_record, all);
	ck_assert(!side_band_event(&r.header, &e));
}
END_TEST

Suite *suite_side_band(void)
{
	Suite *s = suite_create("side_band");

	add_tests(s, "maps", maps, 1);
	add_tests(s, "execs", execs, 1);
	add_tests(s, "namespaces", namespaces, 1);
	add_tests(s, "lives", lives, sizeof(tasks) / sizeof(tasks[0]));
	return s;
}
