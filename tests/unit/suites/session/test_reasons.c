// SPDX-License-Identifier: GPL-2.0
/* Why a tool can't run: what the engines said, and what a person is told of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/session/reasons.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_reasons(void);

#define SAYS(HOOK, TEXT) { .hook = HOOK, .why = { TEXT } }
#define NO_KPROBES_TEXT "this kernel has no kprobes, for do_sys_open()"

/* What the resolver says of alternatives: up to two. */
static struct refusal no_kprobes[] = {
	{ .hook = "open.enter", .lacks = true, .feature = FEATURE_KPROBES,
	  .why = { NO_KPROBES_TEXT } },
	SAYS("open.enter", "a:b has no field c"),
};
/* The first is only a faster way to do what the second does. */
static struct refusal no_many[] = {
	{ .hook = "spec.hit", .lacks = true, .feature = FEATURE_UPROBE_MULTI,
	  .why = { "not many at once" } },
	SAYS("spec.hit", "no programs on uprobes"),
};
static struct refusal module[] = {
	{ .hook = "xfs.enter", .function = "f", .module = "xfs", .why = { "no f" } },
	{ .hook = "xfs.enter", .function = "g", .module = "xfs", .why = { "no g" } },
};
static struct refusal no_btf[] = {
	{ .hook = "run.tick", .needs_btf = true, .why = { "no BTF" } },
	SAYS("run.tick", "no more"),
};
static struct refusal no_z[] = { SAYS("x.y", "no z"), SAYS("x.y", "no v") };
static struct refusal no_w[] = { SAYS("x.y", "no w"), SAYS("x.y", "no v") };
static struct refusal advised[] = {
	SAYS("x.y", "no libx"), SAYS(NULL, "x.y needs x.z, which this kernel does not have"),
};
static struct refusal of_no_hook[] = {
	SAYS(NULL, "no libx is mapped\nsay which"), SAYS("x.y", "no z"),
};

/* What an engine said, or the feature that it needs; nothing: it was not asked. */
struct said {
	const char *text;
	struct refusal *refusals;	/* two */
	bool lacks, unknown;
	struct feature_reason feature;
};

#define TEXT(...) { .text = __VA_ARGS__ }
#define REFUSED(R) { .refusals = R }
#define LACKS(F, ROOT, CAUSE, TEXT) \
	{ .lacks = true, .feature = { FEATURE_##F, FEATURE_##ROOT, CAUSE_##CAUSE, .text = TEXT } }
#define WITHOUT(F) LACKS(F, F, WITHOUT, "--without")

static const struct {
	struct said bpf, perf, ftrace;
	const char *brief, *line;
} rows[] = {
	{ .brief = "no engine was tried", .line = "no engine was tried" },
	{ REFUSED(no_kprobes), REFUSED(no_kprobes), REFUSED(no_kprobes),
	  "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)",
	  "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)" },
	{ WITHOUT(BPF), REFUSED(no_kprobes), REFUSED(no_kprobes),
	  "bpf: --without takes bpf away\nperf, ftrace: this kernel has no kprobes "
	  "(CONFIG_KPROBE_EVENTS)",
	  "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)" },
	{ WITHOUT(TRACEFS), LACKS(PERF, TRACEFS, WITHOUT, "--without"), WITHOUT(TRACEFS),
	  "--without takes tracefs away", "--without takes tracefs away" },
	/* Of alternatives the first; what is no alternative is advice. */
	{ .perf = REFUSED(module),
	  .brief = "xfs is not loaded (modprobe xfs), or has no f() here",
	  .line = "xfs is not loaded (modprobe xfs), or has no f() here" },
	{ .bpf = REFUSED(no_many), .brief = "no programs on uprobes",
	  .line = "no programs on uprobes" },
	{ .bpf = TEXT("can't make a map: Cannot allocate memory\nfree some"),
	  .brief = "can't make a map: Cannot allocate memory\nfree some",
	  .line = "can't make a map: Cannot allocate memory" },
	{ LACKS(PERF, TRACEFS, OTHER, "it is not there"), TEXT("it is not there"),
	  .brief = "it is not there", .line = "it is not there" },
	{ REFUSED(no_z), REFUSED(no_w), .brief = "bpf: no z\nperf: no w",
	  .line = "bpf: no z; perf: no w" },
	{ .bpf = REFUSED(no_btf),
	  .brief = "it needs the kernel's type information (BTF, CONFIG_DEBUG_INFO_BTF)",
	  .line = "it needs the kernel's type information (BTF, CONFIG_DEBUG_INFO_BTF)" },
	{ .bpf = REFUSED(advised),
	  .brief = "no libx\nx.y needs x.z, which this kernel does not have",
	  .line = "no libx" },
	/* What is of no hook is not the tool's. */
	{ REFUSED(of_no_hook), REFUSED(no_z),
	  .brief = "bpf: no libx is mapped\nsay which\nperf: no z", .line = "no z" },
	{ LACKS(BPF, BPF, NO_CALL, "tried there: Function not implemented"),
	  LACKS(PERF, PERF, OTHER, NULL), LACKS(PERF, TRACEFS, OTHER, NULL),
	  "bpf: this kernel has none\n"
	  "perf: this kernel has no perf events on tracepoints\n"
	  "ftrace: needs tracefs",
	  "bpf: this kernel has none; "
	  "perf: this kernel has no perf events on tracepoints; "
	  "ftrace: needs tracefs" },
	/* Nobody knows whether the kernel has it. */
	{ .bpf = { .lacks = true, .feature = { FEATURE_BPF, FEATURE_BPF, CAUSE_OTHER,
					       .text = "Too many open files" }, .unknown = true },
	  .brief = "sonde could not examine this kernel: Too many open files",
	  .line = "sonde could not examine this kernel: Too many open files" },
	/* A call that is missing behind one that was made is no missing engine. */
	{ .bpf = TEXT("can't attach: Function not implemented"),
	  .brief = "can't attach: Function not implemented",
	  .line = "can't attach: Function not implemented" },
};

static void add(struct reasons *r, const char *engine, const struct said *said)
{
	struct refusals refusals = { 2, said->refusals };
	struct error err = { };

	if (said->refusals) {
		refusals_words(&refusals, &err);
		reasons_add(r, NULL, engine, &err, &refusals);
	} else if (said->text) {
		snprintf(err.text, sizeof(err.text), "%s", said->text);
		reasons_add(r, NULL, engine, &err, NULL);
	}
	if (said->lacks)
		reasons_add_feature(r, engine, &said->feature, said->unknown);
}

START_TEST(brief)
{
	struct reasons r = { };
	char text[900];

	add(&r, "bpf", &rows[_i].bpf);
	add(&r, "perf", &rows[_i].perf);
	add(&r, "ftrace", &rows[_i].ftrace);
	/* of the last resort: the first reason stays */
	if (r.n)
		add(&r, r.list[0].engine, &(struct said)TEXT("anything else"));
	reasons_brief(&r, text, sizeof(text));
	ck_assert_str_eq(text, rows[_i].brief);
	reasons_line(&r, text, sizeof(text));
	ck_assert_str_eq(text, rows[_i].line);
	reasons_free(&r);
}
END_TEST

START_TEST(all)
{
	static const struct feature_reason without = {
		FEATURE_BPF, FEATURE_BPF, CAUSE_WITHOUT, .text = "--without",
	};
	static const struct feature_reason root = {
		FEATURE_PERF, FEATURE_TRACEFS, CAUSE_OTHER, .text = "it is not there",
	};
	struct reasons r = { };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	reasons_add_feature(&r, "bpf", &without, false);
	add(&r, "perf", &(struct said)REFUSED(no_kprobes));
	reasons_add_feature(&r, "ftrace", &root, false);
	add(&r, "replay", &(struct said)REFUSED(of_no_hook));
	reasons_print(&r, out, "not ");
	fclose(out);
	ck_assert_str_eq(text, "not bpf:    --without takes it away\n"
			 "not perf:   open.enter: this kernel has no kprobes, for do_sys_open()\n"
			 "not         open.enter: a:b has no field c\n"
			 "not ftrace: needs tracefs: it is not there\n"
			 "not replay: no libx is mapped\n"
			 "not         say which\n"
			 "not         x.y: no z\n");
	free(text);
	reasons_free(&r);
}
END_TEST

/* However much there is to say, all stays within its bounds. */
START_TEST(bounds)
{
	static const char *const engines[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
	struct reasons r = { };
	struct error why = { };
	char text[64];

	memset(why.text, 'x', sizeof(why.text) - 1);
	for (int i = 0; i < 10; i++) {
		why.text[i] = 'y';
		reasons_add(&r, NULL, engines[i], &why, NULL);
	}
	ck_assert_uint_eq(r.n, REASONS_MOST);
	reasons_brief(&r, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
	reasons_line(&r, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
	reasons_free(&r);
}
END_TEST

/* What to do about an error is known by its number, whichever engine had it. */
START_TEST(numbers)
{
	static const struct feature_reason full = {
		FEATURE_BPF, FEATURE_BPF, CAUSE_OTHER, .text = "no", .error = EMFILE,
	};
	const struct error why = { "no room", ENOMEM };
	struct reasons r = { };

	add(&r, "replay", &(struct said)REFUSED(of_no_hook));
	ck_assert_int_eq(reasons_number(&r), 0);
	if (_i)
		reasons_add_feature(&r, "bpf", &full, true);
	reasons_add(&r, NULL, "perf", &why, NULL);
	ck_assert_int_eq(reasons_number(&r), _i ? EMFILE : ENOMEM);
	reasons_free(&r);
}
END_TEST

Suite *suite_reasons(void)
{
	Suite *suite = suite_create("reasons");

	add_tests(suite, "brief", brief, COUNT_OF(rows));
	add_tests(suite, "numbers", numbers, 2);
	add_tests(suite, "all", all, 1);
	add_tests(suite, "bounds", bounds, 1);
	return suite;
}
