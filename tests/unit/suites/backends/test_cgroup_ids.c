// SPDX-License-Identifier: GPL-2.0
/* The ids of the control groups of a scope, by records of control groups that are made. */
#include "backends/perf/cgroup_ids.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

Suite *suite_cgroup_ids(void);

static const char *const paths[] = { "/a/b", "/c" };
static const struct task_scope scope = { .paths = paths, .n = 2 };

/* Records, and what is known then. */
static const struct {
	uint64_t id;
	const char *path;		/* NULL: no record, a question */
	enum in_scope found;
} steps[] = {
	{ 0, NULL, SCOPE_UNKNOWN }, { 50, NULL, SCOPE_OUT },
	{ 50, "/a/b/x" }, { 40, "/a/b/x/y" }, { 60, "/c/x" }, { 45, "/a/bx" }, { 46, "/" },
	{ 47, "/a" }, { 50, "/a/b/x" },
	{ 50, NULL, SCOPE_IN }, { 40, NULL, SCOPE_IN }, { 60, NULL, SCOPE_IN },
	{ 45, NULL, SCOPE_OUT }, { 46, NULL, SCOPE_OUT }, { 47, NULL, SCOPE_OUT },
	/* another cgroup has the path of the wanted one, which was removed */
	{ 70, "/a/b" }, { 71, "/a/b/z" }, { 72, "/c/z" },
	{ 70, NULL, SCOPE_OUT }, { 71, NULL, SCOPE_OUT }, { 72, NULL, SCOPE_IN },
	{ 50, NULL, SCOPE_IN },
};

START_TEST(ids)
{
	struct cgroup_ids c = { .scope = &scope, .gone = calloc(2, sizeof(bool)) };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i].path)
			cgroup_ids_add(&c, steps[i].id, steps[i].path);
		else
			ck_assert_msg(cgroup_ids_find(&c, steps[i].id) == steps[i].found,
				      "step %zu: %d", i, cgroup_ids_find(&c, steps[i].id));
	}
	cgroup_ids_close(&c);
}
END_TEST

START_TEST(records)
{
	struct {
		struct perf_event_header header;
		uint64_t id;
		char path[16];
		uint32_t ids[2];
		uint64_t time;
	} r = { { PERF_RECORD_CGROUP, 0, sizeof(r) }, 25, "/a/b", { 7, 8 }, 99 };
	struct side_band_event e;

	ck_assert(side_band_event(&r.header, &e));
	ck_assert_int_eq(e.kind, SIDE_BAND_CGROUP);
	ck_assert_uint_eq(e.id, 25);
	ck_assert_uint_eq(e.time, 99);
	ck_assert_str_eq(e.path, "/a/b");
	memset(r.path, 'x', sizeof(r.path));		/* a path without an end */
	ck_assert(!side_band_event(&r.header, &e));
}
END_TEST

Suite *suite_cgroup_ids(void)
{
	Suite *s = suite_create("cgroup_ids");

	add_tests(s, "ids", ids, 1);
	add_tests(s, "records", records, 1);
	return s;
}
