// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/funcgraph.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"
#include "src/lib/output/records.h"
#include "src/lib/symbols/symbols.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/calltree.h"
#include "src/toolkit/functions/named.h"
#include "src/toolkit/stacks/exports.h"
#include "src/toolkit/stacks/graph.h"

#define LINE 512

struct state {
	struct named named;		/* first: named_cleanup() */
	struct calltrees trees;
	struct symbols *symbols;
	uint64_t left_out;		/* calls in no known call of what was named */
};

struct row {
	struct funcgraph_record record;
	struct text duration, line, function;
	int64_t depth, ns, self, gap;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &funcgraph_record_layout, AT(record) },
	{ }
};

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -12, .field = "time", .digits = 6,
	  .option = "show_time", .help = "when the call began, in seconds since the first row" },
	{ "TIME", "time", COLUMN_CLOCK, 0, .field = "time", .digits = 6, .readers = FOR_MACHINES,
	  .help = "the same as time of day, in JSON and CSV" },
	{ "CPU", "cpu", COLUMN_INTEGER, 3, .field = "cpu", .help = "where it began" },
	{ "TID", "tid", COLUMN_INTEGER, 7, .field = "tid", .option = "show_tasks",
	  .readers = FOR_ASKED, .help = "thread id" },
	{ "PID", "pid", COLUMN_INTEGER, 7, .field = "tgid", .readers = FOR_MACHINES,
	  .help = "process id, in JSON and CSV" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .option = "show_tasks",
	  .readers = FOR_ASKED, .help = "name of the task" },
	{ "DURATION", "duration", COLUMN_TEXT, 14, AT(duration), .readers = FOR_PEOPLE,
	  .unless = "no-durations",
	  .help = "how long it took; + ! # * @ $: more than 10 us, 100 us, 1 ms ... 1 s" },
	{ "DURATION(ns)", "duration_ns", COLUMN_INTEGER, 0, AT(ns), .readers = FOR_MACHINES,
	  .span = SPAN_LENGTH_FROM, .help = "the same in ns, in JSON and CSV" },
	{ "SELF(ns)", "self_ns", COLUMN_INTEGER, 0, AT(self), .readers = FOR_MACHINES,
	  .span = SPAN_PART, .help = "without the calls in it" },
	{ "DEPTH", "depth", COLUMN_INTEGER, 0, AT(depth), .role = IS_LABEL, .readers = FOR_MACHINES,
	  .help = "0: the named function; 1: its callees" },
	{ "FUNCTION", "call", COLUMN_TEXT, 0, AT(line), .readers = FOR_PEOPLE,
	  .help = "the call; those in it follow" },
	{ "FUNCTION", "function", COLUMN_TEXT, 0, AT(function), .readers = FOR_MACHINES,
	  .span = SPAN_NAME, .help = "its name, in JSON and CSV" },
	{ "GAP", "gap", COLUMN_INTEGER, 0, AT(gap), .role = IS_LABEL, .readers = FOR_MACHINES,
	  .help = "1: records were lost, and calls in it may be missing" },
	{ }
};

/* What the functions below read of the options. */
struct funcgraph_options {
	bool all, time, tasks, on_cpu, tails;
	int64_t max_depth;
	const char *flame;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct funcgraph_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERN("FUNCTION of the kernel; * stands for anything"),
	OPTION_REGEXP,
	{ 'm', "max-depth", "show N levels of calls; 1: only named functions", OPTION_NUMBER, "N",
	  1, CALLTREE_DEPTH, TO(max_depth) },
	{ 'p', "pid" },
	{ 'L', "tid" },
	{ 'd', "duration" },
	{ 'a', "all", "as -H -P -t", OPTION_FLAG, TO(all) },
	{ 'C', "on-cpu", "times without those in which the task slept", OPTION_FLAG, TO(on_cpu) },
	{ 'D', "no-durations", "no durations", OPTION_FLAG },
	{ 'H', "headers", "heads of columns: they are always shown", OPTION_FLAG },
	{ 'P', "tasks", "show the task", OPTION_FLAG, TO(tasks) },
	{ 't', "time", "show when calls began", OPTION_FLAG, TO(time) },
	{ 'T', "tails", "show the function's name where the call ends, too", OPTION_FLAG,
	  TO(tails) },
	{ 0, "flame", "also write a flame graph: of the time in each function itself",
	  OPTION_TEXT, "FILE.svg", TO(flame) },
	{ 0, "inverted", "with --flame: the first caller is on top", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde funcgraph -m 3 vfs_read", "reads, and two levels of calls in them" },
	{ "sonde funcgraph -C vfs_read", "the same without sleep" },
	{ }
};

/* Records have only addresses of functions. */
static int find_names(struct run *r, struct error *err)
{
	uint64_t address;

	if (!kernel_live(run_kernel(r)) || kallsyms_find("_stext", &address) <= 0 || address)
		return 0;
	run_unfit(r);
	return fail(err, "the kernel hides the addresses of its functions, and its "
		    "function graph tracer tells only these: write 1 into "
		    "/proc/sys/kernel/kptr_restrict, which lets root see them (CAP_SYSLOG)");
}

static int prepare(struct run *r, struct error *err)
{
	const struct symbols_setup setup = { };
	const struct funcgraph_options *o = run_asked(r);
	struct state *state = run_state(r);
	const bool all = o->all;

	run_constant(r, "show_time", all || o->time);
	run_constant(r, "show_tasks", all || o->tasks);
	state->symbols = symbols_new(&setup);
	if (!state->symbols)
		return fail(err, "out of memory");
	if (find_names(r, err))
		return -1;
	return named_graph(r, &state->named, &funcgraph_programs,
			   (uint32_t)o->max_depth, o->on_cpu, err);
}

static const char *name_of(struct state *state, uint64_t address, char room[24])
{
	struct symbol symbol = { };

	symbols_kernel(state->symbols, address, false, &symbol);
	if (symbol.name)
		return symbol.name;
	snprintf(room, 24, "0x%llx", (unsigned long long)address);
	return room;
}

static bool is_named(struct state *state, const char *name)
{
	const struct patterns *p = &state->named.patterns;

	for (unsigned int i = 0; i < p->n; i++)
		if (!strcmp(p->names[i], name))
			return true;
	return false;
}

/* As the kernel's own text has it. */
static struct text duration(const struct call *c, char *text, size_t size)
{
	static const struct {
		uint64_t ns;
		char mark;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' },
		{ 100000, '!' }, { 10000, '+' }, { 0, ' ' },
	};
	unsigned int i = 0;

	if (!c->ended)
		return (struct text){ };
	while (c->ns <= marks[i].ns && marks[i].ns)
		i++;
	snprintf(text, size, "%c %llu.%03llu us", marks[i].mark,
		 (unsigned long long)(c->ns / 1000), (unsigned long long)(c->ns % 1000));
	return text_of(text, size);
}

static const char *remark(const struct call *c)
{
	return !c->ended ? " /* it did not end */" :
	       c->gap ? " /* calls may be missing: records were lost */" : "";
}

/* The tree being printed. */
struct printing {
	struct run *r;
	const struct calltree *tree;
	struct row row;
	size_t path[CALLTREE_DEPTH];	/* the calls that the current one is in */
};

static void print_line(struct printing *p, const struct call *c, const char *name, bool begins,
		       bool ends)
{
	const struct funcgraph_options *o = run_asked(p->r);
	const bool tails = o->tails;
	char text[32], line[LINE], shown[204];
	struct row *row = &p->row;

	text_cut(shown, sizeof(shown), "%s", name);
	row->duration = ends ? duration(c, text, sizeof(text)) : (struct text){ .s = "" };
	if (begins)
		text_cut(line, sizeof(line), "%*s%s()%s%s", 2 * c->depth, "", shown,
			 ends ? ";" : " {", ends ? remark(c) : "");
	else
		text_cut(line, sizeof(line), "%*s}%s%s%s%s", 2 * c->depth, "", tails ? " /* " : "",
			 tails ? shown : "", tails ? " */" : "", remark(c));
	row->line = text_of(line, sizeof(line));
	output_row(run_output(p->r), row);
}

static void print_end(struct printing *p, unsigned int depth)
{
	struct state *state = run_state(p->r);
	const struct call *c = &p->tree->calls[p->path[depth]];
	char room[24];

	p->row.record.time = c->time;
	p->row.record.cpu = c->cpu;
	print_line(p, c, name_of(state, c->function, room), false, true);
}

/* For machines: an object for each call. */
static void print_object(struct printing *p, const struct call *c, const char *name)
{
	struct row *row = &p->row;

	row->function = text_of(name, strlen(name) + 1);
	row->ns = c->ended ? (int64_t)c->ns : NOTHING;
	row->self = c->ended && !c->gap && c->ns >= c->inner ? (int64_t)(c->ns - c->inner) :
		    NOTHING;
	row->depth = c->depth;
	row->gap = c->gap;
	output_row(run_output(p->r), row);
}

static int add_flame(struct printing *p, const struct call *c)
{
	struct stack_frame frames[CALLTREE_DEPTH];
	const struct stack_value value = { "ns", c->ns - c->inner };
	const struct stack_shown shown = {
		.comm = comm_text(p->tree->first.comm), .kernel = frames,
		.n_kernel = c->depth + 1U, .values = &value, .n_values = 1,
	};
	struct state *state = run_state(p->r);
	struct error err;

	for (unsigned int i = 0; i <= c->depth; i++) {
		struct symbol symbol = { };

		symbols_kernel(state->symbols, p->tree->calls[p->path[c->depth - i]].function,
			       false, &symbol);
		frames[i] = (struct stack_frame){ .kind = FRAME_KERNEL, .name = symbol.name };
	}
	if (graph_add(p->r, &shown, &err) || exports_add(p->r, &shown, &err)) {
		run_fail(p->r, &err);
		return -1;
	}
	return 0;
}

static void print_call(struct printing *p, size_t i)
{
	const struct calltree *t = p->tree;
	const struct call *c = &t->calls[i];
	const bool leaf = i + 1 == t->n || t->calls[i + 1].depth <= c->depth;
	char room[24];
	const char *name = name_of(run_state(p->r), c->function, room);

	p->path[c->depth] = i;
	p->row.record.time = c->time;
	p->row.record.cpu = c->cpu;
	if (!output_for_people(run_output(p->r)))
		print_object(p, c, name);
	else
		print_line(p, c, name, true, leaf);
}

static void print_tree(struct printing *p)
{
	const struct calltree *t = p->tree;
	const bool people = output_for_people(run_output(p->r));

	for (size_t i = 0; i < t->n; i++) {
		const struct call *c = &t->calls[i];
		const unsigned int next = i + 1 < t->n ? c[1].depth : 0;

		print_call(p, i);
		for (unsigned int depth = c->depth; people && depth > next; depth--)
			if (p->path[depth] != i)
				print_end(p, depth);
		if (people && i + 1 == t->n && p->path[0] != i)
			print_end(p, 0);
	}
}

static void add_flames(struct printing *p)
{
	int result = 0;

	for (size_t i = 0; i < p->tree->n && !result; i++) {
		const struct call *c = &p->tree->calls[i];

		p->path[c->depth] = i;
		if (c->ended && c->ns > c->inner)
			result = add_flame(p, c);
	}
}

static void show(void *arg, const struct calltree *t)
{
	struct run *r = arg;
	const struct funcgraph_options *o = run_asked(r);
	struct state *state = run_state(r);
	struct printing p = { .r = r, .tree = t, .row.record = t->first };
	char room[24];

	/*
	 * A call in a traced one whose beginning was lost. Kernels also trace what a new task does
	 * that was made within such a call.
	 */
	if (!is_named(state, name_of(state, t->first.function, room))) {
		state->left_out += t->n;
		return;
	}
	if (!run_wanted(r, &t->first))
		return;
	for (unsigned int turn = 0; output_turn(run_output(r), &turn);)
		print_tree(&p);
	if (o->flame)
		add_flames(&p);
}

static int started(struct run *r, struct error *err)
{
	struct state *state = run_state(r);

	(void)err;
	state->trees.done = show;
	state->trees.arg = r;
	named_banner(r, &state->named, "Tracing");
	return 0;
}

static void record(struct run *r, const struct record *record)
{
	struct state *state = run_state(r);
	struct error err;

	if (!calltrees_add(&state->trees, record->bytes))
		return;
	fail(&err, "out of memory");
	run_fail(r, &err);
}

static void finish(struct run *r)
{
	struct state *state = run_state(r);

	calltrees_finish(&state->trees);
	if (state->left_out)
		run_note(r, "%llu calls are left out: they are in no traced call of a named "
			 "function",
			 (unsigned long long)state->left_out);
	if (state->trees.cut)
		run_note(r, "%llu calls are left out: the trees were too large; take -m",
			 (unsigned long long)state->trees.cut);
}

static void cleanup(struct run *r)
{
	struct state *state = run_state(r);

	calltrees_free(&state->trees);
	symbols_free(state->symbols);
	named_cleanup(r);
}

/* support: ftrace: full | ftrace: full | ftrace: full | ftrace: full */
TOOL(funcgraph, "functions", "calls of a kernel function and all calls in them, as a tree",
	.asks = "vfs_read",
	.shape = SHAPE_EVENTS,
	.programs = &funcgraph_programs,
	.options = options,
	.options_size = sizeof(struct funcgraph_options),
	.columns = columns,
	.parts = parts,
	.notes = "Times have all that happened in a call: calls in it, sleep (without -C), "
		 "interrupts, and\nthe cost of tracing the calls in it.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = record,
	.finish = finish,
	.cleanup = cleanup,
);
