// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/kvmexit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/event_text/number_names.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/top.h"

#define REASON_TEXT 64
#define SYMBOLS "__print_symbolic(REC->exit_reason,"

struct state {
	/* the kernel's names; those of arm64: classes of traps, and kinds of other exits */
	struct number_names vmx, svm, traps, kinds;
};

struct row {
	struct kvmexit_sums sums;
	uint64_t what, pid_tgid;
	int64_t clock, pid, tid;
	double exits_share, time_us, time_share, average_us, longest_us;
	int64_t order;			/* --sort */
	struct text reason;
	char text[REASON_TEXT];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define REAL(HEAD, NAME, WIDTH, MEMBER, HELP) \
	{ HEAD, NAME, COLUMN_REAL, WIDTH, AT(MEMBER), .digits = 1, .help = HELP }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES,
	  .help = "end of the interval, in JSON and CSV" },
	{ "PID", "pid", COLUMN_INTEGER, -8, AT(pid), .option = "threads",
	  .help = "process of the guest" },
	{ "TID", "tid", COLUMN_INTEGER, -8, AT(tid), .option = "threads",
	  .help = "thread, which is a virtual CPU" },
	{ "KVM_EXIT_REASON", "reason", COLUMN_TEXT, -26, AT(reason), .role = IS_IDENTITY,
	  .help = "why the guest was left" },
	{ "COUNT", "count", COLUMN_INTEGER, 9, .field = "exits", .help = "how often" },
	REAL("%COUNT", "count_percent", 6, exits_share, "their share of all exits"),
	REAL("TIME(us)", "time_us", 12, time_us, "time until the guest went on"),
	REAL("%TIME", "time_percent", 6, time_share, "their share of all such times"),
	REAL("AVG(us)", "avg_us", 9, average_us, "mean of these times; -: unknown"),
	REAL("MAX(us)", "max_us", 11, longest_us, "the longest of them"),
	{ }
};

static const struct part parts[] = { { &kvmexit_sums_layout, AT(sums) }, { } };

static const struct option_name orders[] = { { "count", 0 }, { "time", 0 }, { "max", 0 }, { } };

/* What the functions below read of the options. */
struct kvmexit_options {
	bool dist, vcpu_given;
	const char *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct kvmexit_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct kvmexit_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 't', "tid", .other_letter = 'T' },
	{ 'v', "vcpu", "only virtual CPUs with this number", OPTION_NUMBER, "VCPU", 0, INT32_MAX,
	  GIVEN(vcpu_given) },
	{ 'a', "threads", "rows of each virtual CPU", OPTION_FLAG },
	{ 'd', "dist", "a histogram of the times for each reason", OPTION_FLAG,
	  .excludes = "threads", TO(dist) },
	{ 'S', "sort", "sort key (default count)", OPTION_TEXT, "count|time|max",
	  .names = orders, .excludes = "dist", TO(sort) },
	{ 'i', "interval", "seconds between tables", OPTION_NUMBER, "SECONDS", 1, INT32_MAX, 0 },
	{ 0, "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "parallel", "has no effect: bcc's", OPTION_NUMBER, "N", 0, INT32_MAX },
	{ 0, "duration", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde kvmexit 5", "why guests exit, for five seconds" },
	{ "sonde kvmexit -p 1300 -a", "the virtual CPUs of one guest, until Ctrl-C" },
	{ }
};

/*
 * The numbers of Intel and AMD mean different reasons, and both are in one print format: Intel's
 * before AMD's. It has hidden flags of the former since 3.17.
 */
static int read_x86(struct state *s, const struct format *f)
{
	struct format second = *f;
	char *first = strstr(f->print, SYMBOLS);

	if (number_names_read(&s->vmx, f, "exit_reason & 0xffff"))
		return -1;
	if (s->vmx.n || !first)
		return number_names_read(&s->svm, f, "exit_reason");
	second.print = first + 1;
	return number_names_read(&s->vmx, f, "exit_reason") ||
		number_names_read(&s->svm, &second, "exit_reason");
}

static int read_arm64(struct state *s, const struct format *f)
{
	bool old = format_field(f, "idx");

	return number_names_read(&s->traps, f, old ? "exit_reason" : "esr_ec") ||
		number_names_read(&s->kinds, f, old ? "idx" : "ret");
}

static int prepare(struct run *r, struct error *err)
{
	const struct format *f = kernel_format(run_kernel(r), "kvm", "kvm_exit");
	const struct kvmexit_options *o = run_asked(r);
	struct state *s = run_state(r);

	run_constant(r, "sums", !o->dist);
	run_constant(r, "one_vcpu", o->vcpu_given);
	if (f && f->print && (format_field(f, "isa") ? read_x86(s, f) : read_arm64(s, f)))
		return fail(err, "out of memory");
	return 0;
}

/* A reason without a name is its number. */
static void put_reason(const struct state *s, uint64_t what, char *text, size_t size)
{
	uint32_t reason = (uint32_t)what, kind = what >> KVM_KIND_SHIFT & 0xff;
	const uint32_t basic = reason & ~VMX_FAILED_ENTRY;
	enum kvm_isa isa = what >> KVM_ISA_SHIFT;
	const char *name = NULL;

	if (isa == KVM_VMX)
		name = number_names_name(&s->vmx, basic);
	else if (isa == KVM_SVM)
		name = number_names_name(&s->svm, reason);
	else if (isa == KVM_ARM64 && kind == KVM_TRAP)
		name = number_names_name(&s->traps, reason);
	else if (isa == KVM_ARM64)
		name = number_names_name(&s->kinds, kind);
	/* AMD's last one is the number -1. */
	if (!name && isa == KVM_SVM)
		name = number_names_name(&s->svm, (uint64_t)(int32_t)reason);
	if (name)
		text_cut(text, size, "%.40s%s", name, isa == KVM_VMX && reason != basic ?
			 " FAILED_VMENTRY" : "");
	else
		snprintf(text, size, "0x%x", isa == KVM_ARM64 && kind != KVM_TRAP ? kind : reason);
}

static void add(void *arg, const void *k, const void *v)
{
	const struct kvmexit_key *key = k;
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->what = key->what;
	row->pid_tgid = key->pid_tgid;
	memcpy(&row->sums, v, sizeof(row->sums));
}

static int by_reason(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->pid_tgid < y->pid_tgid ? -1 : x->pid_tgid > y->pid_tgid;
}

/* What the CPUs counted of a reason becomes one row. */
static void merge(void *to, const void *row)
{
	struct kvmexit_sums *sums = &((struct row *)to)->sums;
	const struct kvmexit_sums *more = &((const struct row *)row)->sums;

	sums->exits += more->exits;
	sums->ended += more->ended;
	sums->time += more->time;
	if (more->longest > sums->longest)
		sums->longest = more->longest;
}

static int64_t order_of(const char *sort, const struct kvmexit_sums *s)
{
	if (!sort || !strcmp(sort, "count"))
		return (int64_t)s->exits;
	return (int64_t)(!strcmp(sort, "time") ? s->time : s->longest);
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return by_reason(a, b);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print(struct run *r, struct row *row, const struct kvmexit_sums *all)
{
	const struct kvmexit_sums *s = &row->sums;

	row->clock = run_interval_clock(r);
	row->pid = (int64_t)(row->pid_tgid >> 32);
	row->tid = (int64_t)(row->pid_tgid & UINT32_MAX);
	row->exits_share = percent(s->exits, all->exits);
	row->time_us = (double)s->time / 1e3;
	row->time_share = percent(s->time, all->time);
	row->average_us = s->ended ? row->time_us / (double)s->ended : NAN;
	row->longest_us = s->ended ? (double)s->longest / 1e3 : NAN;
	put_reason(run_state(r), row->what, row->text, sizeof(row->text));
	row->reason = text_of(row->text, sizeof(row->text));
	output_row(run_output(r), row);
}

static void show_table(struct run *r, struct top *t)
{
	const struct kvmexit_options *o = run_asked(r);
	const char *sort = o->sort;
	struct kvmexit_sums all = { };
	struct row *rows;

	top_merge(t, by_reason, merge);
	rows = t->rows;
	for (size_t i = 0; i < t->n; i++) {
		rows[i].order = order_of(sort, &rows[i].sums);
		all.exits += rows[i].sums.exits;
		all.time += rows[i].sums.time;
	}
	top_sort(t, most_first);
	run_table_head(r);
	for (size_t i = 0; i < t->n; i++)
		print(r, &rows[i], &all);
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	*s = (struct hist_section){ .name = "reason" };
	put_reason(run_state(r), g->id, value, HISTS_VALUE);
}

static int show(struct run *r, struct error *err)
{
	const struct kvmexit_options *o = run_asked(r);
	const struct hists_shown hists = {
		.name = "time", .unit = "usecs", .grouped = true, .section = section,
	};
	struct top t = { .size = sizeof(struct row) };
	int result;

	if (o->dist)
		return hists_show(r, &hists, err);
	result = top_take(r, "sums", add, &t, err);
	if (!result)
		show_table(r, &t);
	top_free(&t);
	return result;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	number_names_free(&s->vmx);
	number_names_free(&s->svm);
	number_names_free(&s->traps);
	number_names_free(&s->kinds);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(kvmexit, "CPU", "why guests of KVM exit, and how long until they go on",
	.shape = SHAPE_INTERVALS,
	.banner = "Tracing exits of guests... Hit Ctrl-C to end.",
	.programs = &kvmexit_programs,
	.options = options,
	.options_size = sizeof(struct kvmexit_options),
	.columns = columns,
	.parts = parts,
	.distribution = "dist",
	.tables = true,
	.notes = "The time of an exit is until the virtual CPU goes on: it includes the work "
		 "of the guest's process, and for a guest that waits (HLT) the wait.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.interval_end = show,
	.cleanup = cleanup,
);
