// SPDX-License-Identifier: GPL-2.0
/* What users name: patterns, what of a kernel or file matches them, and the hooks made of that. */
#include "src/toolkit/patterns/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "compat/kinds/many.h"
#include "compat/resolve/resolve.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_patterns(void);

/* ---- the grammar ---- */

static const struct {
	const char *text;
	bool regex;
	const char *error;		/* NULL: it is right, and means: */
	enum pattern_kind kind;
	const char *file, *name;
	bool returns, one;
} forms[] = {
	{ "vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	{ "vfs_*", false, NULL, PATTERN_KERNEL, NULL, "vfs_*", false, false },
	{ "p:vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	{ "p::vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	{ "r::vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", true, true },
	{ "r:vfs_?ead", false, NULL, PATTERN_KERNEL, NULL, "vfs_?ead", true, false },
	{ "c:malloc", false, NULL, PATTERN_USER, "c", "malloc", false, true },
	{ "p:c:malloc", false, NULL, PATTERN_USER, "c", "malloc", false, true },
	{ ":c:malloc", false, NULL, PATTERN_USER, "c", "malloc", false, true },
	{ "::vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	{ ":vfs_read", false, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	{ "r:c:mall*", false, NULL, PATTERN_USER, "c", "mall*", true, false },
	{ "/usr/bin/a:b/x:main", false, NULL, PATTERN_USER, "/usr/bin/a:b/x", "main", false,
	  true },
	{ "t:block:block_rq_issue", false, NULL, PATTERN_TRACEPOINT, NULL, "block:block_rq_issue",
	  false, true },
	{ "t:syscalls:*", false, NULL, PATTERN_TRACEPOINT, NULL, "syscalls:*", false, false },
	{ "^vfs_(read|write)$", true, NULL, PATTERN_KERNEL, NULL, "^vfs_(read|write)$", false,
	  false },
	{ "vfs_read", true, NULL, PATTERN_KERNEL, NULL, "vfs_read", false, true },
	/* Not a kind: a library of that name. */
	{ "pthread:pthread_create", false, NULL, PATTERN_USER, "pthread", "pthread_create", false,
	  true },
	{ "", false, "'' names no function: NAME, LIBRARY:NAME or t:SYSTEM:EVENT is wanted" },
	{ "c:", false, "'c:' names no function: NAME, LIBRARY:NAME or t:SYSTEM:EVENT is wanted" },
	{ "p:", false, "'p:' names no function: NAME, LIBRARY:NAME or t:SYSTEM:EVENT is wanted" },
	{ "t:block", false, "'t:block' names no tracepoint: t:SYSTEM:EVENT is wanted" },
	{ "/usr/bin/x", false,
	  "'/usr/bin/x' names a file and no function: FILE:FUNCTION is wanted" },
	{ "u:python3:gc__start", false, NULL, PATTERN_USDT, "python3", "gc__start", false, true },
	{ "u:python3:python:gc__*", false, NULL, PATTERN_USDT, "python3", "gc__*", false, false },
	{ "u:/usr/bin/a:b/x:begin", false, NULL, PATTERN_USDT, "/usr/bin/a:b/x", "begin", false,
	  true },
	{ "u:/usr/bin/a:b/x:app:begin", false, NULL, PATTERN_USDT, "/usr/bin/a:b/x", "begin",
	  false, true },
	{ "u::begin", false, NULL, PATTERN_USDT, "*", "begin", false, true },
	{ "u::app:begin", false, NULL, PATTERN_USDT, "*", "begin", false, true },
	{ "u:begin", false, "'u:begin' names no probe (USDT): u:LIBRARY:PROBE or "
			    "u:LIBRARY:PROVIDER:PROBE is wanted" },
	{ "u:app:", false, "'u:app:' names no probe (USDT): u:LIBRARY:PROBE or "
			   "u:LIBRARY:PROVIDER:PROBE is wanted" },
	{ "vfs_(", true, "'vfs_(' is not a regular expression: a ( has no )" },
};

START_TEST(form)
{
	struct error err = { };
	struct pattern p;
	int result = pattern_parse(&p, forms[_i].text, forms[_i].regex, &err);

	if (forms[_i].error) {
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(err.text, forms[_i].error);
		return;
	}
	ck_assert_msg(!result, "%s", err.text);
	ck_assert_int_eq(p.kind, forms[_i].kind);
	ck_assert_pstr_eq(p.file, forms[_i].file);
	ck_assert_str_eq(p.name, forms[_i].name);
	ck_assert_int_eq(p.returns, forms[_i].returns);
	ck_assert_int_eq(p.one, forms[_i].one);
	pattern_free(&p);
}
END_TEST

static const struct {
	const char *text;
	bool regex;
	const char *name;
	bool matches;
	int distance;
} names[] = {
	{ "vfs_read", false, "vfs_read", true, 0 },
	{ "vfs_read", false, "vfs_readv", false, 1 },
	{ "vfs_read", false, "vfs_read_iter", false, -1 },
	{ "vfs_*", false, "vfs_read", true, 0 },
	{ "vfs_*", false, "xvfs_read", false, 2 },
	{ "vsf_*", false, "vfs_read", false, 1 },
	{ "vfs_rea[dx]", false, "vfs_read", true, 0 },
	{ "vfs_(read|write)$", true, "vfs_read", true, 0 },
	/* As with bcc, the beginning has to match, and the end does not. */
	{ "fs_.*", true, "vfs_read", false, -1 },
	{ "vfs_", true, "vfs_", true, 0 },
	{ "vfs_.", true, "vfs_read", true, 0 },
	{ "t:block:block_rq_isue", false, "block:block_rq_issue", false, 1 },
	{ "u:x:begin", false, "app:begin", true, -1 },
	{ "u:x:app:beg*", false, "app:begin", true, -1 },
	{ "u:x:ap:begin", false, "app:begin", false, -1 },
	{ "u:x:appp:begin", false, "app:begin", false, -1 },
	{ "u:x:a*p:begin", false, "app:begin", true, -1 },
	{ "u:x:?[a-p]p:b*", false, "app:begin", true, -1 },
	{ "u:x:a*q:begin", false, "app:begin", false, -1 },
};

START_TEST(name)
{
	struct error err = { };
	struct pattern p;

	ck_assert(!pattern_parse(&p, names[_i].text, names[_i].regex, &err));
	ck_assert_int_eq(pattern_matches(&p, names[_i].name), names[_i].matches);
	ck_assert_msg(pattern_distance(&p, names[_i].name) == names[_i].distance, "%s, %s: %d",
		      names[_i].text, names[_i].name, pattern_distance(&p, names[_i].name));
	pattern_free(&p);
}
END_TEST

/* ---- what matches ---- */

static const struct {
	const char *kernel, *text, *error;
	const char *first, *last;
	unsigned int n;
	const char *renamed;
} finds[] = {
	{ "6.1", "vfs_read", NULL, "vfs_read", "vfs_read", 1 },
	{ "6.1", "vfs_reax", "no function of the kernel matches 'vfs_reax'; "
			     "did you mean 'vfs_read'?" },
	{ "6.1", "vsf_*", "no function of the kernel matches 'vsf_*'; did you mean 'vfs_*'?" },
	{ "6.1", "xyzzy*", "no function of the kernel matches 'xyzzy*'\n"
			   "its module may not be loaded; a function of a library or program is "
			   "LIBRARY:NAME" },
	{ "6.1", "t:block:block_rq_isue", "no tracepoint of the kernel matches "
					  "'block:block_rq_isue'; "
					  "did you mean 'block:block_rq_issue'?" },
	{ "6.1", "t:block:block_rq_issue", NULL, "block:block_rq_issue", "block:block_rq_issue",
	  1 },
	/* The old function is there, and calls go around it. */
	{ "6.1", "do_sys_open", NULL, "do_sys_openat2", "do_sys_openat2", 1,
	  "do_sys_open() is do_sys_openat2() on this kernel" },
	{ "6.1", "r::do_sys_open", NULL, "do_sys_openat2", "do_sys_openat2", 1,
	  "do_sys_open() is do_sys_openat2() on this kernel" },
	{ "6.1", "do_sys_openat2", NULL, "do_sys_openat2", "do_sys_openat2", 1 },
	{ "3.10", "do_sys_open", NULL, "do_sys_open", "do_sys_open", 1 },
	{ "6.1", "c:mal*", "a snapshot has no files, for c" },
};

START_TEST(find)
{
	struct kernel *k = trial_kernel(finds[_i].kernel);
	struct error err = { };
	struct patterns p;
	int result = patterns_find(k, finds[_i].text, false, false, &p, &err);

	if (finds[_i].error) {
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(err.text, finds[_i].error);
	} else {
		ck_assert_msg(!result, "%s", err.text);
		ck_assert_uint_eq(p.n, finds[_i].n);
		ck_assert_str_eq(p.names[0], finds[_i].first);
		ck_assert_str_eq(p.names[p.n - 1], finds[_i].last);
		ck_assert_str_eq(p.renamed, finds[_i].renamed ? finds[_i].renamed : "");
	}
	patterns_free(&p);
	kernel_free(k);
}
END_TEST

/* ---- the hooks ---- */

/* Each function becomes an event of its own, which knows the number of its name. */
static void check_events(const struct patterns *p, const struct resolution *r)
{
	ck_assert_uint_eq(r->n, p->found ? p->n : 0);
	for (unsigned int i = 0; i < r->n; i++) {
		const struct event *e = r->events[i].event;
		const struct input *in = event_input(e, "function");

		ck_assert_str_eq(e->name, p->names[i] + (*e->system ? strlen(e->system) + 1 : 0));
		ck_assert(in && in->place == PLACE_CONSTANT);
		ck_assert_int_eq(in->value, i);
	}
}

/* All functions are one event, from which programs get the number. */
static void check_at_once(struct kernel *k, const struct patterns *p, const struct demand *d)
{
	struct error err = { };
	struct resolution r;

	ck_assert_msg(!resolve(k, TARGET_BPF, d, 1, &r, &err), "%s", err.text);
	ck_assert_uint_eq(r.n, 1);
	ck_assert_int_eq(r.events[0].event->kind,
			 p->pattern.returns ? EVENT_KRETMULTI : EVENT_KMULTI);
	ck_assert_uint_eq(r.events[0].event->many->n, p->n);
	ck_assert_str_eq(r.events[0].event->many->names[p->n - 1], p->names[p->n - 1]);
	ck_assert_uint_eq(r.events[0].event->many->numbers[p->n - 1], p->n - 1);
	ck_assert_int_eq(event_input(r.events[0].event, "function")->place, PLACE_IDENTITY);
	resolution_free(&r);
}

static const char *const traced[] = { "vfs_*", "r::vfs_*", "t:sched:*" };

START_TEST(built)
{
	struct wanted_input input = { "function", INPUT_NUMBER };

	for (const char *const *version = trial_versions; *version; version++) {
		struct kernel *k = trial_kernel(*version);
		struct error err = { };
		struct resolution r;
		struct patterns p;
		struct demand demand = { .n_inputs = 1, .inputs = &input };

		ck_assert_msg(!patterns_find(k, traced[_i], false, false, &p, &err), "%s: %s",
			      *version, err.text);
		ck_assert_uint_gt(p.n, 2);
		demand.hook = p.hook;
		if (!resolve(k, TARGET_RING, &demand, 1, &r, &err))
			check_events(&p, &r);
		else
			ck_assert_msg(!kernel_has(k, FEATURE_KPROBES), "%s: %s", *version,
				      err.text);
		resolution_free(&r);
		if (_i < 2 && kernel_has(k, FEATURE_KPROBE_MULTI))
			check_at_once(k, &p, &demand);
		patterns_free(&p);
		kernel_free(k);
	}
}
END_TEST

Suite *suite_patterns(void)
{
	Suite *s = suite_create("patterns");

	add_tests(s, "forms", form, COUNT_OF(forms));
	add_tests(s, "names", name, COUNT_OF(names));
	add_tests(s, "finds", find, COUNT_OF(finds));
	add_tests(s, "hooks", built, COUNT_OF(traced));
	return s;
}
