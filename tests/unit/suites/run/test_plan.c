// SPDX-License-Identifier: GPL-2.0
/* Plans made of what a tool has made at run time: hooks, programs, maps and columns. */
#include "src/run/plan.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/tracefs/memory.h"
#include "insns/hist.h"
#include "src/run/options/tool_options.h"
#include "src/run/plan_dump.h"
#include "src/run/plan_memory.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_plan(void);

/* ---- Built hooks ---- */

static unsigned int count(const struct program *p)
{
	unsigned int n = 0;

	while (p[n].hook)
		n++;
	return n;
}

/* The same programs on copies of their hooks, as if these had been made at run time. */
static struct program *on_built_hooks(const struct program *from, struct hook **hooks)
{
	unsigned int n = count(from);
	struct program *to = calloc(n + 1, sizeof(*to));

	*hooks = calloc(n + 1, sizeof(**hooks));
	ck_assert(to && *hooks);
	for (unsigned int i = 0; i < n; i++) {
		(*hooks)[i] = *hook_by_name(from[i].hook);
		to[i] = from[i];
		to[i].built = &(*hooks)[i];
	}
	return to;
}

static bool same_layout(const struct layout *a, const struct layout *b)
{
	return a->n_inputs == b->n_inputs && !a->fetch == !b->fetch &&
		(!a->fetch || !strcmp(a->fetch, b->fetch)) &&
	       (!a->n_inputs || !memcmp(a->inputs, b->inputs, a->n_inputs * sizeof(*a->inputs)));
}

static void check_same(const char *tool, const struct plan *a, const struct plan *b)
{
	ck_assert_uint_eq(a->n_attachments, b->n_attachments);
	ck_assert_uint_eq(a->n_programs, b->n_programs);
	for (unsigned int i = 0; i < a->n_attachments; i++) {
		const struct attachment *x = &a->attachments[i], *y = &b->attachments[i];

		ck_assert_str_eq(x->event->name, y->event->name);
		ck_assert_int_eq(x->event->kind, y->event->kind);
		ck_assert_msg(same_layout(x->event->layout, y->event->layout), "%s: %s", tool,
			      x->event->name);
		ck_assert_int_eq(!x->program, !y->program);
		if (!x->program)
			continue;
		ck_assert_int_eq(x->program - a->programs, y->program - b->programs);
		ck_assert_uint_eq(x->program->code.n, y->program->code.n);
		ck_assert_mem_eq(x->program->code.insns, y->program->code.insns,
				 x->program->code.n * sizeof(struct bpf_insn));
	}
}

/* The most sets of programs that a tool has. */
#define SETS 4

/* These programs of the tool, and those that it has otherwise. */
static void check_tool(const struct tool *t, const struct program_set *from, const char *version,
		       enum target target)
{
	struct trial a, b;
	struct program *programs[SETS];
	struct hook *hooks[SETS];
	struct program_set sets[SETS];
	int result, n = 0;

	if (!from || t->asks)	/* its hooks are made at run time, always */
		return;
	ck_assert(!trial_start(&a, t->name, trial_kernel(version)) &&
		  !trial_start(&b, t->name, trial_kernel(version)));
	run_programs(&a.run, from);
	for (; from; from = from->otherwise, n++) {
		ck_assert_int_lt(n, SETS);
		programs[n] = on_built_hooks(from->programs, &hooks[n]);
		sets[n] = *from;
		sets[n].programs = programs[n];
		sets[n].otherwise = from->otherwise ? &sets[n + 1] : NULL;
	}
	run_programs(&b.run, &sets[0]);
	result = trial_plan(&a, target);
	ck_assert_int_eq(trial_plan(&b, target), result);
	ck_assert_str_eq(a.err.text, b.err.text);
	check_same(t->name, &a.run.plan.plan, &b.run.plan.plan);
	trial_end(&a);
	trial_end(&b);
	while (n-- > 0) {
		free(programs[n]);
		free(hooks[n]);
	}
}

/*
 * The order of its probes says which parts are of a call: no two events share one, and all that
 * have parts are known by another number.
 */
START_TEST(parts_are_their_events_own)
{
	for (const struct tool *const *tool = tools; *tool; tool++) {
		struct trial t;
		const struct plan *p = &t.run.plan.plan;
		unsigned int n = 0;

		ck_assert(!trial_start(&t, (*tool)->name, trial_kernel(trial_versions[_i])));
		if (!trial_plan(&t, TARGET_RING))
			n = p->n_attachments;
		for (unsigned int i = 0; i < n; i++) {
			const struct attachment *a = &p->attachments[i];

			if (!a->event->is_part)
				ck_assert_uint_eq(a->event->group, a->n_parts ? i : 0);
			for (unsigned int part = 0; part < a->n_parts; part++)
				ck_assert_uint_eq(attachment_parts(a)[part].event->group, i);
		}
		trial_end(&t);
	}
}
END_TEST

/* A hook made at run time is served as the row of the tables would be that it is a copy of. */
START_TEST(built_hooks)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (enum target target = TARGET_BPF; target <= TARGET_RING; target++) {
			check_tool(*t, (*t)->programs, trial_versions[_i], target);
			if ((*t)->last_resort)
				check_tool(*t, (*t)->last_resort->programs, trial_versions[_i],
					   target);
		}
}
END_TEST

/* ---- Where a page fault may be taken for a hit that was missed ---- */

static const struct {
	const char *version, *command;
	enum target target;
	bool may_fault;			/* of the first event that runs a program */
} faults[] = {
	{ "4.9", "trace vfs_read", TARGET_BPF, false },
	{ "4.9", "trace vfs_read", TARGET_RING, false },
	{ "4.9", "trace vfs_read\t\"%d\",arg3", TARGET_RING, false },
	{ "4.9", "trace vfs_read\t\"%s\",arg2", TARGET_BPF, true },
	{ "4.19", "trace vfs_read\t\"%d\",*(u32*)(arg1+16)", TARGET_RING, true },
	{ "4.9", "trace -K vfs_read", TARGET_BPF, true },
	{ "4.9", "stackcount vfs_read", TARGET_RING, true },
	{ "4.9", "funclatency vfs_read", TARGET_BPF, false },
	{ "4.9", "funclatency vfs_read", TARGET_RING, false },
	{ "4.9", "execsnoop", TARGET_RING, true },
};

START_TEST(may_fault)
{
	unsigned int i = 0;
	struct trial t;

	ck_assert(!trial_start(&t, faults[_i].command, trial_kernel(faults[_i].version)));
	ck_assert_msg(!trial_plan(&t, faults[_i].target), "%s", t.err.text);
	while (!t.run.plan.plan.attachments[i].program)
		i++;
	ck_assert_msg(t.run.plan.plan.attachments[i].event->may_fault == faults[_i].may_fault,
		      "%s on %s", faults[_i].command, faults[_i].version);
	trial_end(&t);
}
END_TEST

/* ---- What programs know whose a task is by ---- */

static const struct {
	const char *version, *command;
	enum target target;
	bool cgroup1;
	enum identity_id whose;
} whose[] = {
	{ "6.1", "schedlat", TARGET_BPF, false, IDENTITY_TGID },
	{ "6.1", "schedlat --by-cgroup", TARGET_BPF, false, IDENTITY_CGROUP },
	{ "6.1", "schedlat --by-cgroup", TARGET_BPF, true, IDENTITY_TID },
	{ "6.1", "schedlat --by-cgroup", TARGET_RING, false, IDENTITY_TID },
	{ "4.9", "schedlat --by-cgroup", TARGET_BPF, false, IDENTITY_TID },
};

START_TEST(whose_it_is)
{
	struct trial t;

	ck_assert(!trial_start(&t, whose[_i].command, trial_kernel(whose[_i].version)));
	run_constant(&t.run, "cgroup1", whose[_i].cgroup1);
	ck_assert_msg(!trial_plan(&t, whose[_i].target), "%s", t.err.text);
	ck_assert_int_eq(t.run.plan.whose, whose[_i].whose);
	trial_end(&t);
}
END_TEST

START_TEST(unknown_hook)
{
	static const struct insn nothing[] = { EXIT };
	static const struct program programs[] = { PROGRAM("no.hook", nothing), { } };
	static const struct program_set set = { programs, NULL };
	struct trial t;

	ck_assert(!trial_start(&t, "opensnoop", trial_kernel("6.1")));
	run_programs(&t.run, &set);
	ck_assert_int_eq(trial_plan(&t, TARGET_BPF), -1);
	ck_assert_str_eq(t.err.text, "no.hook: there is no such hook");
	trial_end(&t);
}
END_TEST

/* ---- A tool that is asked for thousands of functions ---- */

#define FUNCTIONS 3000

static const struct map maps[] = {
	{ "sums", MAP_ARRAY, ROLE_RESULT, 4, 8, 2 },
	{ }
};

struct frame {
	uint32_t index;
};

static const struct insn on_call[] = {
	FIELD(R6, "first"),
	FIELD(R7, "second"),
	SET_IMM(index, 0),
	ADD("sums", index, R6),
	SET_IMM(index, 1),
	ADD("sums", index, R7),
	EXIT,
};

struct many {
	char names[FUNCTIONS][16];
	struct probe probes[FUNCTIONS];
	struct alternative alternative;
	struct hook hook;
	struct program programs[2];
	struct program_set set;
	struct column columns[3];
};

struct many_row {
	int64_t first, second;
};

static int prepare_many(struct run *r, struct error *err)
{
	struct many *s = run_state(r);

	(void)err;
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		snprintf(s->names[i], sizeof(s->names[i]), "called_%u", i);
		s->probes[i] = (struct probe){
			.kind = PROBE_KPROBE, .name = s->names[i], .optional = true,
			.inputs = "first=$arg1:u32 second=+8($arg2):u32",
		};
	}
	s->alternative = (struct alternative){ .probes = s->probes, .n_probes = FUNCTIONS };
	s->hook = (struct hook){ .name = "called", .alternatives = &s->alternative,
				 .n_alternatives = 1 };
	s->programs[0] = (struct program)PROGRAM("called", on_call, .built = &s->hook);
	s->set = (struct program_set){ s->programs, maps };
	s->columns[0] = (struct column){ "FIRST", "first", COLUMN_INTEGER, 0,
					 offsetof(struct many_row, first), .role = IS_COUNT };
	s->columns[1] = (struct column){ "SECOND", "second", COLUMN_INTEGER, 0,
					 offsetof(struct many_row, second), .role = IS_COUNT };
	run_programs(r, &s->set);
	run_columns(r, s->columns);
	return 0;
}

static void add_sum(void *arg, const void *key, const void *value)
{
	uint32_t which;

	memcpy(&which, key, sizeof(which));
	memcpy((int64_t *)arg + which, value, sizeof(int64_t));
}

static int show_many(struct run *r, struct error *err)
{
	struct many_row row = { };

	if (run_take(r, "sums", add_sum, &row, err))
		return -1;
	output_row(run_output(r), &row);
	return 0;
}

static const struct option no_options[] = { { } };
static const struct tool many = {
	.name = "many", .shape = SHAPE_INTERVALS, .options = no_options,
	.state_size = sizeof(struct many), .prepare = prepare_many, .interval_end = show_many,
};

/*
 * A kernel of which no more is known than that it has these functions, but for every `step`th; 0:
 * all.
 */
static struct kernel *kernel_of(const char *dir, unsigned int step)
{
	char *text = NULL;
	struct kernel *k;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (unsigned int i = 0; i < FUNCTIONS; i++)
		if (!step || i % step)
			fprintf(f, "T called_%u\n", i);
	fclose(f);
	write_text(dir, "uname", "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n");
	write_text(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_text(dir, "kallsyms-names.gz", text);
	free(text);
	k = kernel_snapshot(dir, NULL);
	ck_assert_ptr_nonnull(k);
	return k;
}

static void start_many(struct trial *t, struct kernel *k)
{
	static char *argv[] = { (char *)"many", NULL };

	memset(t, 0, sizeof(*t));
	t->run.kernel = k;
	t->run.tool = &many;
	ck_assert_int_eq(tool_options(&many, 1, argv, &t->run.options, &t->err), ACTION_RUN);
	ck_assert_int_eq(run_prepare(&t->run, &t->err), 0);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * One program on 3000 functions is lowered once, and so loaded once; their events share one layout.
 * SONDE_FIGURES=1 prints what a plan takes: 10 ms and 550 KB where this was written.
 */
START_TEST(thousands_of_events)
{
	char *dir = temporary();
	struct kernel *k = kernel_of(dir, 0);
	const struct plan *p;
	size_t before, bytes;
	struct trial t;
	double began;

	start_many(&t, k);
	kernel_function(k, "called_0");		/* its functions are read once, whatever asks */
	before = mallinfo2().uordblks;
	began = seconds();
	ck_assert_msg(!trial_plan(&t, _i), "%s", t.err.text);
	began = seconds() - began;
	bytes = mallinfo2().uordblks - before;
	p = &t.run.plan.plan;
	if (getenv("SONDE_FIGURES"))
		printf("%d events: %.1f ms, %zu KB, struct event %zu bytes\n", FUNCTIONS,
		       began * 1e3, bytes / 1024, sizeof(struct event));
	ck_assert_uint_eq(p->n_attachments, FUNCTIONS);
	ck_assert_uint_eq(p->n_programs, 1);
	ck_assert_uint_eq(t.run.plan.resolution.layouts.n, 1);
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		ck_assert_ptr_eq(p->attachments[i].program, p->programs);
	ck_assert_uint_le(sizeof(struct event), 104);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/* What is not there is left out; the others run, and the columns that prepare() made show it. */
START_TEST(thousands_run)
{
	char *dir = temporary();
	struct trial t;

	start_many(&t, kernel_of(dir, 10));
	ck_assert_msg(!trial_replay(&t, "1000 0 1 p:called_7 first=5 second=1\n"
				    "2000 1 2 p:called_2999 first=6 second=2\n"
				    "3000 0 1 p:called_7 first=7 second=4\n", OUTPUT_TEXT), "%s",
				    t.err.text);
	ck_assert_uint_eq(t.run.plan.plan.n_attachments, FUNCTIONS / 10 * 9);
	ck_assert_uint_eq(t.stats.seen, 3);
	fflush(t.out);
	ck_assert_str_eq(t.text, "FIRST SECOND\n18 7\n");
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/* ---- What --dump shows of a plan ---- */

static char *dumped(const struct plan *p)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	plan_dump(f, p);
	fclose(f);
	return text;
}

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

/* A program is shown once, behind all its events. */
START_TEST(dumps_a_program_once)
{
	char *dir = temporary(), *text;
	struct trial t;

	start_many(&t, kernel_of(dir, 0));
	ck_assert_msg(!trial_plan(&t, _i), "%s", t.err.text);
	text = dumped(&t.run.plan.plan);
	ck_assert_uint_eq(occurrences(text, "\ncalled_"), FUNCTIONS);
	ck_assert_uint_eq(occurrences(text, "\n   0: "), 1);
	ck_assert_uint_eq(occurrences(text, "\n\n"), 1);
	ck_assert_ptr_nonnull(strstr(text, "map sums: key 4, value 8, entries 2\n"));
	ck_assert(strstr(text, "\ncalled_2999") < strstr(text, "\n   0: "));
	free(text);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/* All events of all tools are in it, parts before what they are parts of, and no code twice. */
START_TEST(dumps_all)
{
	for (const struct tool *const *tool = tools; *tool; tool++) {
		struct trial t;
		const struct plan *p = &t.run.plan.plan;
		char *text, *at;

		ck_assert(!trial_start(&t, (*tool)->name, trial_kernel(trial_versions[_i])));
		if (trial_plan(&t, TARGET_RING)) {
			trial_end(&t);
			continue;
		}
		text = dumped(p);
		ck_assert_uint_eq(occurrences(text, "\n   0: "), p->n_programs);
		ck_assert_uint_eq(occurrences(text, "\n\n"), p->n_programs);
		at = text;
		for (unsigned int i = 0; i < p->n_attachments; i++) {
			char line[64];

			snprintf(line, sizeof(line), "%s%s%s", p->attachments[i].event->system,
				 *p->attachments[i].event->system ? ":" : "",
				 p->attachments[i].event->name);
			if (i && !p->attachments[i - 1].event->is_part)
				at = text;
			at = strstr(at, line);
			ck_assert_msg(at != NULL, "%s: no %s in\n%s", (*tool)->name, line, text);
		}
		free(text);
		trial_end(&t);
	}
}
END_TEST

/* Of a machine with little memory: the largest tables are halved, as far as needed. */
START_TEST(fits)
{
	struct map maps[] = {
		{ "small", MAP_HASH, ROLE_RESULT, 4, 4, 100 },
		{ "stacks", MAP_STACKS, ROLE_TABLE, 4, 1016, 16385 },
		{ "large", MAP_HASH, ROLE_JOIN, 16, 40, 262144 },
		{ "array", MAP_ARRAY, ROLE_RESULT, 4, 8, 1000000 },
		{ "output", MAP_OUTPUT, 0, 0, 0, 0 },
	};
	struct plan p = { .maps = maps, .n_maps = sizeof(maps) / sizeof(maps[0]) };

	ck_assert(!plan_fit(&p, 100 << 20));
	ck_assert_uint_eq(maps[2].entries, 262144);
	/* 17.8 and 31.5 MB are 17.8 and 7.9 and then 8.9 and 7.9 */
	ck_assert(plan_fit(&p, 20 << 20));
	ck_assert_uint_eq(maps[0].entries, 100);
	ck_assert_uint_eq(maps[1].entries, 8193);
	ck_assert_uint_eq(maps[2].entries, 65536);
	ck_assert_uint_eq(maps[3].entries, 1000000);
	ck_assert(plan_fit(&p, 0));
	ck_assert_uint_eq(maps[0].entries, 100);
	ck_assert_uint_eq(maps[1].entries, 257);
	ck_assert_uint_eq(maps[2].entries, 256);
	ck_assert(!plan_fit(&p, 0));
}
END_TEST

START_TEST(available)
{
	static const struct { const char *text; uint64_t kept_kb, kb; } cases[] = {
		/* 24 MB that seem reclaimable are tracefs's */
		{ "MemTotal: 83724 kB\nMemFree: 9272 kB\nMemAvailable: 26320 kB\n"
		  "Buffers: 0 kB\nCached: 17016 kB\nShmem: 17010 kB\n", 5000, 4278 },
		{ "MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable: 500 kB\nBuffers: 50 kB\n"
		  "Cached: 700 kB\nShmem: 20 kB\n", 10, 500 },
		/* before 3.14 */
		{ "MemTotal: 900 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 70 kB\n"
		  "Shmem: 20 kB\n", 10, 190 },
		{ "MemTotal: 900 kB\nMemFree: 100 kB\n", 200, 0 },
		{ "MemTotal: 900 kB\n", 0, 0 }, { "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_uint_eq(memory_available(cases[i].text, cases[i].kept_kb),
				  cases[i].kb * 1024);
}
END_TEST

static int count_versions(void)
{
	int n = 0;

	while (trial_versions[n])
		n++;
	return n;
}

Suite *suite_plan(void)
{
	Suite *s = suite_create("plan");

	add_tests(s, "built hooks", built_hooks, count_versions());
	add_tests(s, "may fault", may_fault, (int)(sizeof(faults) / sizeof(faults[0])));
	add_tests(s, "whose", whose_it_is, (int)(sizeof(whose) / sizeof(whose[0])));
	add_tests(s, "unknown hook", unknown_hook, 1);
	add_tests(s, "thousands", thousands_of_events, 2);
	add_tests(s, "thousands run", thousands_run, 1);
	add_tests(s, "fits", fits, 1);
	add_tests(s, "available memory", available, 1);
	add_tests(s, "dumps once", dumps_a_program_once, 2);
	add_tests(s, "dumps all", dumps_all, count_versions());
	add_tests(s, "parts", parts_are_their_events_own, count_versions());
	return s;
}
